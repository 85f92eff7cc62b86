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

static bool carries(const struct ut_find *find, const struct ut_answer *lowest, const struct ut_answer *answer) {
  if (answer->deadlock || answer->unsustained)
    return false;
  if (find->latency > 0)
    return answer->latency <= find->latency * lowest->latency;
  return answer->throughput * lowest->load >= find->accepted * lowest->throughput * answer->load;
}

/* Returns the highest load known to be sustained, or the lowest of all; *next: the load to try, if true is returned. */
static bool bisect(const struct ut_find *find, const struct ut_answer *answer, size_t answers, double *next,
                   const struct ut_answer **best) {
  const struct ut_answer *lowest = at(answer, answers, rounded(find->from));
  *best = lowest;
  *next = rounded(find->from);
  if (!lowest)
    return true;
  if (lowest->deadlock || lowest->unsustained)
    return false;
  double low = rounded(find->from), high = rounded(find->to);
  for (*next = high;; *next = rounded((low + high) / 2)) {
    const struct ut_answer *reply = at(answer, answers, *next);
    if (!reply)
      return true;
    if (carries(find, lowest, reply))
      *best = reply, low = *next;
    else
      high = *next;
    if (high - low <= find->precision)
      return false;
  }
}

/* ---- peak: a row of loads, then nearer and nearer to the best of them */

enum { ROW = 10 };

static bool better(const struct ut_answer *answer, const struct ut_answer *than) {
  return !than || (!answer->deadlock && (than->deadlock || answer->throughput > than->throughput));
}

static bool climb(const struct ut_find *find, const struct ut_answer *answer, size_t answers, double *next,
                  const struct ut_answer **best) {
  double step = (find->to - find->from) / (ROW - 1);
  *best = NULL;
  for (int i = 0; i < ROW; i++) {
    *next = rounded(find->from + step * i);
    const struct ut_answer *reply = at(answer, answers, *next);
    if (!reply)
      return true;
    if (better(reply, *best))
      *best = reply;
  }
  while (step > find->precision) {
    const double middle = (*best)->load;
    step /= 2;
    for (int side = -1; side <= 1; side += 2) {
      *next = rounded(middle + side * step);
      if (*next < find->from || *next > find->to)
        continue;
      const struct ut_answer *reply = at(answer, answers, *next);
      if (!reply)
        return true;
      if (better(reply, *best))
        *best = reply;
    }
  }
  return false;
}

static bool search(const struct ut_find *find, const struct ut_answer *answer, size_t answers, double *next,
                   const struct ut_answer **best) {
  return (find->what == UT_FIND_PEAK ? climb : bisect)(find, answer, answers, next, best);
}

bool ut_find_next(const struct ut_find *find, const struct ut_answer *answer, size_t answers, double *load) {
  const struct ut_answer *best;
  return search(find, answer, answers, load, &best);
}

const struct ut_answer *ut_find_result(const struct ut_find *find, const struct ut_answer *answer, size_t answers) {
  const struct ut_answer *best;
  double load;
  return search(find, answer, answers, &load, &best) ? NULL : best;
}
