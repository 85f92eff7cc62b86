/* SPDX-License-Identifier: Apache-2.0 */
/* printed.c - see printed.h */
#define _GNU_SOURCE
#include "printed.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"

enum { COLUMNS = 6 };
static const char *const names[COLUMNS] = {"name", "printed", "unit", "tolerance", "source", "query"};

/* A number at the beginning of *text, which moves behind it; its point is not the first of two. */
static bool number(const char **text, double *value) {
  char copy[32] = "", *end;
  const char *dots = strstr(*text, "..");
  const size_t size = dots ? (size_t)(dots - *text) : strlen(*text);
  if (size >= sizeof copy || (!isdigit((unsigned char)**text) && **text != '-' && **text != '+' && **text != '.'))
    return false;
  memcpy(copy, *text, size);
  *value = strtod(copy, &end);
  *text += end - copy;
  return end != copy && isfinite(*value);
}

/* Half a unit of the last digit that is printed. */
static double half_digit(const char *text) {
  const char *point = strchr(text, '.');
  return 0.5 * pow(10, point ? -(double)strspn(point + 1, "0123456789") : 0);
}

static bool read_printed(struct ut_printed *printed) {
  const char *text = printed->text;
  printed->low = -INFINITY;
  printed->high = INFINITY;
  if (*text == '<' || *text == '>') {
    double *bound = *text++ == '<' ? &printed->high : &printed->low;
    return number(&text, bound) && !*text;
  }
  if (!number(&text, &printed->low))
    return false;
  printed->high = printed->low;
  printed->digit = half_digit(printed->text);
  if (!strncmp(text, "..", 2)) {
    text += 2;
    printed->digit = 0;
    return number(&text, &printed->high) && printed->high >= printed->low && !*text;
  }
  return !*text;
}

static bool read_tolerance(struct ut_printed *printed) {
  const char *text = printed->tolerance_text;
  if (!number(&text, &printed->tolerance) || printed->tolerance < 0)
    return false;
  if (!strcmp(text, "%")) {
    const double low = isfinite(printed->low) ? fabs(printed->low) : 0,
                 high = isfinite(printed->high) ? fabs(printed->high) : 0;
    printed->tolerance *= fmax(low, high) / 100;
    return true;
  }
  return !*text;
}

/* Cuts a line into its columns; how many there are. */
static unsigned cut(char *line, char *column[COLUMNS]) {
  unsigned n = 0;
  while (line && n < COLUMNS)
    column[n++] = strsep(&line, "\t");
  return line ? COLUMNS + 1 : n;
}

static int read_line(struct ut_printed_table *table, char *line, unsigned number, const char *path,
                     struct ut_error *e) {
  char *column[COLUMNS];
  if (cut(line, column) != COLUMNS)
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: six columns with tabs between them are expected", path, number);
  if (number == 1) {
    for (unsigned i = 0; i < COLUMNS; i++)
      if (strcmp(column[i], names[i]))
        return ut_fail(e, UT_BAD_INPUT, "%s:1: column %u must be named '%s'", path, i + 1, names[i]);
    return 0;
  }
  struct ut_printed printed = {column[0], column[1], column[2], column[3], column[4], column[5], .line = number};
  if (!*printed.name || !*printed.query)
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: a value needs a name and a query", path, number);
  for (size_t i = 0; i < table->values; i++)
    if (!strcmp(table->value[i].name, printed.name))
      return ut_fail(e, UT_BAD_INPUT, "%s:%u: '%s' is the name of line %u already", path, number, printed.name,
                     table->value[i].line);
  if (!read_printed(&printed))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: '%s' is not a printed value: 0.35, <0.1, >5 or 10..12", path, number,
                   printed.text);
  if (!read_tolerance(&printed))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: '%s' is no tolerance: 0, 0.02 or 5%%", path, number,
                   printed.tolerance_text);
  table->value[table->values++] = printed;
  return 0;
}

static int read_lines(struct ut_printed_table *table, const char *path, struct ut_error *e) {
  unsigned line = 0;
  for (char *rest = table->text, *at; (at = strsep(&rest, "\n"));)
    if (++line == 1 || (*at && *at != '#'))
      if (read_line(table, at, line, path, e))
        return -1;
  return table->values ? 0 : ut_fail(e, UT_BAD_INPUT, "%s: no value", path);
}

int ut_printed_load(struct ut_printed_table *table, const char *path, struct ut_error *e) {
  size_t size, lines = 1;
  *table = (struct ut_printed_table){0};
  table->text = ut_input_read(path, "table of printed values", UT_INPUT_ONCE, UT_LIMIT_FILE_BYTES, &size, e);
  if (!table->text)
    return -1;
  for (const char *c = table->text; (c = strchr(c, '\n')); c++)
    lines++;
  table->value = calloc(lines, sizeof *table->value);
  if (!(table->value ? read_lines(table, path, e) : ut_fail_memory(e)))
    return 0;
  ut_printed_free(table);
  return -1;
}

void ut_printed_free(struct ut_printed_table *table) {
  free(table->text);
  free(table->value);
  *table = (struct ut_printed_table){0};
}

double ut_printed_difference(const struct ut_printed *printed, double measured) {
  return measured < printed->low    ? measured - printed->low
         : measured > printed->high ? measured - printed->high
         : isnan(measured)          ? NAN
                                    : 0;
}

bool ut_printed_is_inequality(const struct ut_printed *printed) {
  return printed->low < printed->high;
}

/* A number, or the distance to it that rounding or tolerance allow. */
static enum ut_verdict number_verdict(const struct ut_printed *printed, double off, double half) {
  const double allowed = fmax(printed->tolerance, printed->digit);
  if (half > 0 ? off <= half && half <= allowed : off <= printed->digit)
    return UT_EQUAL;
  return off <= allowed ? UT_WITHIN : off - half <= allowed ? UT_NOT_SIGNIFICANT : UT_DIFFERS;
}

static enum ut_verdict bounds_verdict(const struct ut_printed *printed, double measured, double off, double half) {
  const double inside = fmin(measured - printed->low, printed->high - measured); /* how far from the nearer bound */
  const bool on_bound = inside == 0 && (*printed->text == '<' || *printed->text == '>'); /* ">0" is not 0 */
  if (off == 0 && !on_bound)
    return inside >= half ? UT_EQUAL : UT_NOT_SIGNIFICANT;
  return off <= printed->tolerance && printed->tolerance > 0 ? UT_WITHIN : off < half ? UT_NOT_SIGNIFICANT : UT_DIFFERS;
}

enum ut_verdict ut_printed_verdict(const struct ut_printed *printed, double measured, double half) {
  const double rounding = 1e-9 * fabs(measured); /* of binary fractions */
  const double off = fmax(fabs(ut_printed_difference(printed, measured)) - rounding, 0);
  if (isnan(measured))
    return UT_NOT_MEASURED;
  return ut_printed_is_inequality(printed) ? bounds_verdict(printed, measured, off, half)
                                           : number_verdict(printed, off, half);
}
