/* SPDX-License-Identifier: Apache-2.0 */
/* option_value.c - the readers of values that option_table.h names, and their messages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "option_table.h"

static int refuse(const struct ut_option *option, const char *wants, const char *text, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "--%s wants %s, not '%s'", option->name, wants, text);
}

int ut_read_flag(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  (void)option, (void)text, (void)e;
  *(bool *)into = true;
  return 0;
}

int ut_read_text(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  (void)option, (void)e;
  *(const char **)into = text;
  return 0;
}

int ut_read_texts(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  struct ut_texts *list = into;
  if (list->count == (option->most ? option->most : UT_MAX_TEXTS))
    return ut_fail(e, UT_BAD_INPUT, "--%s: there can be %u at most%s%s", option->name, list->count,
                   option->wants ? "; " : "", option->wants ? option->wants : "");
  list->text[list->count++] = text;
  return 0;
}

int ut_read_names(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  (void)option, (void)into, (void)text, (void)e;
  return 0;
}

/* ---- words, files */

const char *ut_option_word(const char *argument, unsigned i, size_t *length) {
  for (; i && argument; i--)
    argument = strchr(argument, '|') ? strchr(argument, '|') + 1 : NULL;
  *length = argument ? strcspn(argument, "|") : 0;
  return argument;
}

/* The number of the word that the text is.  -1 and *e: none. */
static int find_word(const struct ut_option *option, const char *text, struct ut_error *e) {
  char known[256] = "";
  size_t length, next;
  for (unsigned i = 0; ut_option_word(option->argument, i, &length); i++) {
    const char *word = ut_option_word(option->argument, i, &length);
    if (strlen(text) == length && !strncmp(word, text, length))
      return (int)i;
    const size_t used = strlen(known);
    const bool last = !ut_option_word(option->argument, i + 1, &next);
    const char *between = !i ? "" : !last ? ", " : option->name ? " and " : " or ";
    snprintf(known + used, sizeof known - used, "%s'%.*s'", between, (int)length, word);
  }
  return option->name ? ut_fail(e, UT_BAD_INPUT, "--%s knows %s, not '%s'", option->name, known, text)
                      : ut_fail(e, UT_BAD_INPUT, "expected %s, not '%s'", known, text);
}

int ut_read_word(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  *(const char **)into = text;
  return find_word(option, text, e) < 0 ? -1 : 0;
}

int ut_read_choice(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  const int word = find_word(option, text, e);
  if (word < 0)
    return -1;
  if (option->size == sizeof(bool))
    *(bool *)into = word;
  else if (option->size == sizeof(unsigned))
    *(unsigned *)into = (unsigned)word;
  return 0;
}

int ut_read_file(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  char wants[128] = "a file named ";
  size_t length;
  const char *word;
  bool good = !strncmp(text, "/dev/", 5); /* a device has no other name; what it takes is another question */
  for (unsigned i = 0; (word = ut_option_word(option->argument, i, &length)); i++) {
    const char *ending = word + strlen("FILE");
    const size_t wanted = length - strlen("FILE"), used = strlen(wants);
    good |= strlen(text) > wanted && !strncmp(text + strlen(text) - wanted, ending, wanted);
    snprintf(wants + used, sizeof wants - used, "%s*%.*s", i ? " or " : "", (int)wanted, ending);
  }
  *(const char **)into = text;
  return good ? 0 : refuse(option, wants, text, e);
}

/* ---- numbers */

static int read_number(const struct ut_option *option, uint64_t least, void *into, const char *text,
                       struct ut_error *e) {
  const bool small = option->size == sizeof(unsigned);
  const uint64_t most = option->most ? option->most : small ? UT_MAX_SMALL_COUNT : UINT64_MAX;
  uint64_t n;
  if (!ut_number_is(text, UINT64_MAX, &n))
    return refuse(option, "a whole number", text, e);
  if (n < least)
    return ut_fail(e, UT_BAD_INPUT, "--%s wants at least %u", option->name, (unsigned)least);
  if (n > most)
    return ut_fail(e, UT_BAD_INPUT, "--%s %s: it can be %llu at most", option->name, text, (unsigned long long)most);
  if (small)
    *(unsigned *)into = (unsigned)n;
  else
    *(uint64_t *)into = n;
  return 0;
}

int ut_read_number(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  return read_number(option, 0, into, text, e);
}

int ut_read_count(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  return read_number(option, 1, into, text, e);
}

int ut_read_real(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  return ut_real_is(text, into) ? 0 : refuse(option, option->wants, text, e);
}

int ut_read_amount(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  const double MOST = 1e18;
  double *value = into;
  const bool good = ut_real_is(text, value) && *value > 0 && *value <= MOST;
  return good ? 0 : refuse(option, "a number above 0, as in 10 or 1e9", text, e);
}

int ut_read_range(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  const char *c = text;
  unsigned *range = into;
  uint64_t from, to;
  bool good = ut_number_read(&c, UT_MAX_SMALL_COUNT, &from);
  to = from;
  if (good && !strncmp(c, "..", 2)) {
    c += 2;
    good = ut_number_read(&c, UT_MAX_SMALL_COUNT, &to);
  }
  if (!good || *c || from > to)
    return refuse(option, "N or A..B (A to B)", text, e);
  range[0] = (unsigned)from;
  range[1] = (unsigned)to;
  return 0;
}

int ut_read_loads(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  struct ut_load_range *loads = into;
  int end = 0;
  if (strspn(text, "0123456789.eE:-") == strlen(text) &&
      sscanf(text, "%lf:%lf:%lf%n", &loads->from, &loads->to, &loads->step, &end) == 3 && !text[end] &&
      loads->from > 0 && loads->to >= loads->from && loads->step > 0 && isfinite(loads->to))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "--%s %s: as in 0.05:0.6:0.05, from above 0 to what is not below, in steps",
                 option->name, text);
}
