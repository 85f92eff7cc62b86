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

const char *ut_measured_text(const struct ut_measured *measured, char text[UT_MEASURED_SIZE]) {
  char half[FIGURE];
  const int size = snprintf(text, UT_MEASURED_SIZE, "%s", figure_text(measured->value, half));
  const char *format = isinf(measured->half_width) ? " ± ?" : " ± %.2g";
  if (measured->half_width > 0 && !isnan(measured->value))
    snprintf(text + size, (size_t)(UT_MEASURED_SIZE - size), format, measured->half_width);
  return text;
}

static bool is_row(const struct ut_measured *measured) {
  return measured->verdict == UT_DIFFERS || measured->verdict == UT_NOT_MEASURED;
}

static void print_markdown_table(const struct ut_experiment *experiment, const struct ut_measured *measured) {
  char value[UT_MEASURED_SIZE], off[FIGURE];
  bool any = false;
  for (size_t i = 0; i < experiment->printed.values; i++) {
    const struct ut_printed *printed = measured[i].printed;
    if (!is_row(&measured[i]))
      continue;
    if (!any)
      printf("| differs | printed | measured | difference |\n|---|---|---|---|\n");
    any = true;
    printf("| %s | %s%s%s | %s | %s |\n", printed->name, printed->text, *printed->unit ? " " : "", printed->unit,
           measured[i].verdict == UT_NOT_MEASURED ? "not measured" : ut_measured_text(&measured[i], value),
           figure_text(ut_printed_difference(printed, measured[i].value), off));
  }
  if (any)
    putchar('\n');
}

/* "3 of 9 equal: terminals 64; throughput 0.5074 ± 0.0036 (0.51 flits/cycle/node); at_half 0.4 ± 0.01 (0.4)": what is
 * printed where it is another text, a unit where it is not that of the value before. */
static void print_markdown_list(const struct ut_experiment *experiment, const struct ut_measured *measured,
                                enum ut_verdict verdict) {
  char value[UT_MEASURED_SIZE];
  const char *unit = "", *between = " ";
  size_t count = 0;
  for (size_t i = 0; i < experiment->printed.values; i++)
    count += measured[i].verdict == verdict;
  if (!count)
    return;
  printf("%zu of %zu %s:", count, experiment->printed.values, ut_verdict_text(verdict));
  for (size_t i = 0; i < experiment->printed.values; i++) {
    const struct ut_printed *printed = measured[i].printed;
    if (measured[i].verdict != verdict)
      continue;
    printf("%s%s %s", between, printed->name, ut_measured_text(&measured[i], value));
    between = "; ";
    if (!strcmp(value, printed->text))
      continue;
    const bool same = !*printed->unit || !strcmp(printed->unit, unit);
    printf(same ? " (%s)" : " (%s %s)", printed->text, printed->unit);
    unit = printed->unit;
  }
  printf(".\n\n");
}

static const char *reason_text(const struct ut_measured *measured) {
  return measured->reason ? measured->reason : "**not explained**";
}

/* A value before this one has the same reason. */
static bool is_told(const struct ut_measured *measured, size_t value) {
  for (size_t i = 0; i < value; i++)
    if (measured[i].verdict == UT_DIFFERS && !strcmp(reason_text(&measured[i]), reason_text(&measured[value])))
      return true;
  return false;
}

/* A reason once, behind all the values that it is for. */
static void print_markdown_reasons(const struct ut_experiment *experiment, const struct ut_measured *measured) {
  bool any = false;
  for (size_t i = 0; i < experiment->printed.values; i++) {
    if (measured[i].verdict != UT_DIFFERS || is_told(measured, i))
      continue;
    printf("* %s", measured[i].printed->name);
    for (size_t j = i + 1; j < experiment->printed.values; j++)
      if (measured[j].verdict == UT_DIFFERS && !strcmp(reason_text(&measured[j]), reason_text(&measured[i])))
        printf(", %s", measured[j].printed->name);
    printf(": %s\n", reason_text(&measured[i]));
    any = true;
  }
  if (any)
    putchar('\n');
}

void ut_reproduce_print_markdown(const struct ut_experiment *experiment, const struct ut_measured *measured) {
  printf("## %s\n\n%s. %s.\n\n", experiment->name, experiment->title, experiment->source);
  print_markdown_table(experiment, measured);
  print_markdown_reasons(experiment, measured);
  print_markdown_list(experiment, measured, UT_NOT_SIGNIFICANT);
  print_markdown_list(experiment, measured, UT_WITHIN);
  print_markdown_list(experiment, measured, UT_EQUAL);
}
