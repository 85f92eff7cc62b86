/* SPDX-License-Identifier: Apache-2.0 */
/* reproduce_markdown.c - see reproduce_markdown.h */
#include "reproduce_markdown.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIGURE = UT_MEASURED_SIZE / 2 };

static const char *figure_text(double value, char text[FIGURE]) {
  snprintf(text, FIGURE, isnan(value) ? "-" : "%.4g", value);
  return text;
}

const char *ut_measured_text(const struct ut_measured *m, char text[UT_MEASURED_SIZE]) {
  char half[FIGURE];
  const int size = snprintf(text, UT_MEASURED_SIZE, "%s", figure_text(m->value, half));
  const char *format = isinf(m->half_width) ? " ± ?" : " ± %.2g";
  if (m->half_width > 0 && !isnan(m->value))
    snprintf(text + size, (size_t)(UT_MEASURED_SIZE - size), format, m->half_width);
  return text;
}

static bool is_row(const struct ut_measured *m) {
  return m->verdict == UT_DIFFERS || m->verdict == UT_NOT_MEASURED;
}

static void print_markdown_table(const struct ut_experiment *x, const struct ut_measured *m) {
  char value[UT_MEASURED_SIZE], off[FIGURE];
  bool any = false;
  for (size_t i = 0; i < x->printed.values; i++) {
    const struct ut_printed *p = m[i].printed;
    if (!is_row(&m[i]))
      continue;
    if (!any)
      printf("| differs | printed | measured | difference |\n|---|---|---|---|\n");
    any = true;
    printf("| %s | %s%s%s | %s | %s |\n", p->name, p->text, *p->unit ? " " : "", p->unit,
           m[i].verdict == UT_NOT_MEASURED ? "not measured" : ut_measured_text(&m[i], value),
           figure_text(ut_printed_difference(p, m[i].value), off));
  }
  if (any)
    putchar('\n');
}

/* "3 of 9 equal: terminals 64; throughput 0.5074 ± 0.0036 (0.51 flits/cycle/node); at_half 0.4 ± 0.01 (0.4)": what is
 * printed where it is another text, a unit where it is not that of the value before. */
static void print_markdown_list(const struct ut_experiment *x, const struct ut_measured *m, enum ut_verdict verdict) {
  char value[UT_MEASURED_SIZE];
  const char *unit = "", *between = " ";
  size_t count = 0;
  for (size_t i = 0; i < x->printed.values; i++)
    count += m[i].verdict == verdict;
  if (!count)
    return;
  printf("%zu of %zu %s:", count, x->printed.values, ut_verdict_text(verdict));
  for (size_t i = 0; i < x->printed.values; i++) {
    const struct ut_printed *p = m[i].printed;
    if (m[i].verdict != verdict)
      continue;
    printf("%s%s %s", between, p->name, ut_measured_text(&m[i], value));
    between = "; ";
    if (!strcmp(value, p->text))
      continue;
    const bool same = !*p->unit || !strcmp(p->unit, unit);
    printf(same ? " (%s)" : " (%s %s)", p->text, p->unit);
    unit = p->unit;
  }
  printf(".\n\n");
}

static const char *reason_text(const struct ut_measured *m) {
  return m->reason ? m->reason : "**not explained**";
}

/* A value before this one has the same reason. */
static bool is_told(const struct ut_measured *m, size_t value) {
  for (size_t i = 0; i < value; i++)
    if (m[i].verdict == UT_DIFFERS && !strcmp(reason_text(&m[i]), reason_text(&m[value])))
      return true;
  return false;
}

/* A reason once, behind all the values that it is for. */
static void print_markdown_reasons(const struct ut_experiment *x, const struct ut_measured *m) {
  bool any = false;
  for (size_t i = 0; i < x->printed.values; i++) {
    if (m[i].verdict != UT_DIFFERS || is_told(m, i))
      continue;
    printf("* %s", m[i].printed->name);
    for (size_t j = i + 1; j < x->printed.values; j++)
      if (m[j].verdict == UT_DIFFERS && !strcmp(reason_text(&m[j]), reason_text(&m[i])))
        printf(", %s", m[j].printed->name);
    printf(": %s\n", reason_text(&m[i]));
    any = true;
  }
  if (any)
    putchar('\n');
}

void ut_reproduce_print_markdown(const struct ut_experiment *x, const struct ut_measured *m) {
  printf("## %s\n\n%s. %s.\n\n", x->name, x->title, x->source);
  print_markdown_table(x, m);
  print_markdown_reasons(x, m);
  print_markdown_list(x, m, UT_NOT_SIGNIFICANT);
  print_markdown_list(x, m, UT_WITHIN);
  print_markdown_list(x, m, UT_EQUAL);
}
