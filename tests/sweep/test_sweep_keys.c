/* SPDX-License-Identifier: Apache-2.0 */
/* test_sweep_keys.c - sweep/sweep_keys: the table of keys and the schema agree, and defaults are values. */
#include "sweep_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The keys of a group and below it; each is in the table, and its default is one of its values. */
static size_t count_keys(const char *group) {
  char path[64];
  size_t count = 0;
  for (const cyaml_schema_field_t *f = ut_sweep_fields(group); f && f->key; f++, count++) {
    snprintf(path, sizeof path, "%s%s%s", group, *group ? "." : "", f->key);
    const struct ut_sweep_key *key = ut_sweep_key_find(path);
    if (!key)
      fail_msg("%s: not in the table", path);
    const bool number = f->value.type == CYAML_UINT || f->value.type == CYAML_FLOAT;
    if (number && key->max <= key->min)
      fail_msg("%s: a number without a range", path);
    bool good = !(key->otherwise && key->follows);
    if (key->otherwise && key->max != 0)
      good = good && ut_sweep_key_takes(key, ut_sweep_key_number(path));
    else if (key->otherwise) {
      bool word = false;
      for (uint32_t i = 0; f->value.type == CYAML_ENUM && i < f->value.enumeration.count; i++)
        word = word || !strcmp(f->value.enumeration.strings[i].str, key->otherwise);
      good = good && word;
    }
    if (!good)
      fail_msg("%s: the default '%s' is no value", path, key->otherwise);
    count += count_keys(path);
  }
  return count;
}

static void same_keys(void **state) {
  (void)state;
  assert_int_equal(count_keys(""), ut_sweep_key_count);
  assert_null(ut_sweep_key_find("repeat.untl"));
  assert_null(ut_sweep_fields("nowhere"));
  assert_null(ut_sweep_fields("seed"));
}

/* A line of a page, or of a template, has room for it. */
static void texts_are_short(void **state) {
  (void)state;
  for (const struct ut_sweep_key *key = ut_sweep_keys; key < ut_sweep_keys + ut_sweep_key_count; key++)
    if (!key->text || strlen(key->text) > 90 || strchr(key->text, '\n') || strchr(key->text, '|'))
      fail_msg("%s: '%s'", key->path, key->text);
}

static void ranges(void **state) {
  (void)state;
  static const struct {
    const char *path, *text;
    double inside, outside;
  } cases[] = {
      {"repeat.least", "2..100000", 2, 1},
      {"repeat.most", "2..100000", 100000, 100001},
      {"repeat.until.within_percent", "above 0", 1e-9, 0},
      {"repeat.until.confidence", "above 0, below 1", 0.999, 1},
      {"find.accepted", "above 0, to 1", 1, 1.001},
      {"find.accepted", "above 0, to 1", 0.001, 0},
      {"seed", "from 0", 1e18, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct ut_sweep_key *key = ut_sweep_key_find(cases[i].path);
    char text[UT_SWEEP_RANGE_SIZE];
    assert_string_equal(ut_sweep_key_range(key, text), cases[i].text);
    assert_true(ut_sweep_key_takes(key, cases[i].inside));
    assert_false(ut_sweep_key_takes(key, cases[i].outside));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_keys),
      cmocka_unit_test(texts_are_short),
      cmocka_unit_test(ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
