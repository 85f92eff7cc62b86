/* SPDX-License-Identifier: Apache-2.0 */
/* find.c - see find.h */
#include "find.h"

#include <math.h>

/* Loads are rounded, so that a search asks for the same ones again and tables can be read. */
static double rounded(double load) {
  return round(load * 1e6) / 1e6;
}

static const struct ut_answer *at(const struct ut_answer *answer, size_t answers, double load) {
  for (size_t i = 0; i < answers; i++)
    if (fabs(answer[i].load - load) < 5e-7)
      return &answer[i];
  return NULL;
}

/* ---- saturation: bisection */

static bool carries(const struct ut_find *f, const struct ut_answer *lowest, const struct ut_answer *a) {
  if (a->deadlock || a->unsustained)
    return false;
  if (f->latency > 0)
    return a->latency <= f->latency * lowest->latency;
  return a->throughput * lowest->load >= f->accepted * lowest->throughput * a->load;
}

/* The highest load known to be carried, or the lowest of all; *next: what to try, if true is returned. */
static bool bisect(const struct ut_find *f, const struct ut_answer *answer, size_t answers, double *next,
                   const struct ut_answer **best) {
  const struct ut_answer *lowest = at(answer, answers, rounded(f->from));
  *best = lowest;
  *next = rounded(f->from);
  if (!lowest)
    return true;
  if (lowest->deadlock || lowest->unsustained)
    return false;
  double low = rounded(f->from), high = rounded(f->to);
  for (*next = high;; *next = rounded((low + high) / 2)) {
    const struct ut_answer *a = at(answer, answers, *next);
    if (!a)
      return true;
    if (carries(f, lowest, a))
      *best = a, low = *next;
    else
      high = *next;
    if (high - low <= f->precision)
      return false;
  }
}

/* ---- peak: a row of loads, then nearer and nearer to the best of them */

enum { ROW = 10 };

static bool better(const struct ut_answer *a, const struct ut_answer *than) {
  return !than || (!a->deadlock && (than->deadlock || a->throughput > than->throughput));
}

static bool climb(const struct ut_find *f, const struct ut_answer *answer, size_t answers, double *next,
                  const struct ut_answer **best) {
  double step = (f->to - f->from) / (ROW - 1);
  *best = NULL;
  for (int i = 0; i < ROW; i++) {
    *next = rounded(f->from + step * i);
    const struct ut_answer *a = at(answer, answers, *next);
    if (!a)
      return true;
    if (better(a, *best))
      *best = a;
  }
  while (step > f->precision) {
    const double middle = (*best)->load;
    step /= 2;
    for (int side = -1; side <= 1; side += 2) {
      *next = rounded(middle + side * step);
      if (*next < f->from || *next > f->to)
        continue;
      const struct ut_answer *a = at(answer, answers, *next);
      if (!a)
        return true;
      if (better(a, *best))
        *best = a;
    }
  }
  return false;
}

static bool search(const struct ut_find *f, const struct ut_answer *answer, size_t answers, double *next,
                   const struct ut_answer **best) {
  return (f->what == UT_FIND_PEAK ? climb : bisect)(f, answer, answers, next, best);
}

bool ut_find_next(const struct ut_find *f, const struct ut_answer *answer, size_t answers, double *load) {
  const struct ut_answer *best;
  return search(f, answer, answers, load, &best);
}

const struct ut_answer *ut_find_result(const struct ut_find *f, const struct ut_answer *answer, size_t answers) {
  const struct ut_answer *best;
  double load;
  return search(f, answer, answers, &load, &best) ? NULL : best;
}
