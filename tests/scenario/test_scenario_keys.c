/* SPDX-License-Identifier: Apache-2.0 */
/* test_scenario_keys.c - csim/scenario/scenario_keys: the table of keys and the schema agree, and defaults are values.
 */
#include "scenario_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_schema.h"

static size_t count_keys(const char *group) {
  char path[64];
  size_t count = 0;
  const cyaml_schema_field_t *keys = ut_schema_keys(group);
  for (; keys && keys->key; keys++, count++) {
    snprintf(path, sizeof path, "%s%s%s", group, *group ? "." : "", keys->key);
    const struct ut_key *key = ut_key_find(path);
    if (!key)
      fail_msg("%s: not in the table", path);
    const enum ut_value_type type = ut_schema_type(path);
    if ((type == UT_VALUE_WHOLE || type == UT_VALUE_REAL) && !key->multiple)
      fail_msg("%s: a number without a range", path);
    count += count_keys(path);
  }
  return count;
}

/* Every key is in the table, and the table has no others. */
static void same_keys(void **state) {
  (void)state;
  assert_int_equal(count_keys(""), ut_key_count);
}

static void defaults_are_values(void **state) {
  (void)state;
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++) {
    const char *words[UT_MAX_WORDS];
    const size_t count = ut_schema_words(key->path, words);
    bool good = !(key->otherwise && key->follows);
    if (key->otherwise && key->multiple)
      good = strtod(key->otherwise, NULL) >= (double)key->min && strtod(key->otherwise, NULL) <= (double)key->max;
    else if (key->otherwise && ut_schema_type(key->path) == UT_VALUE_BOOL)
      good = !strcmp(key->otherwise, "true") || !strcmp(key->otherwise, "false");
    else if (key->otherwise) {
      good = false;
      for (size_t i = 0; i < count; i++)
        good = good || !strcmp(words[i], key->otherwise);
    }
    if (!good)
      fail_msg("%s: the default '%s' is no value", key->path, key->otherwise);
  }
}

/* A line of a page, or of a template, has room for it. */
static void texts_are_short(void **state) {
  (void)state;
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (!key->text || strlen(key->text) > 80 || strchr(key->text, '\n') || strchr(key->text, '|'))
      fail_msg("%s: '%s'", key->path, key->text);
}

static void finds_entries_of_lists(void **state) {
  (void)state;
  assert_ptr_equal(ut_key_find("faults[12].link.port"), ut_key_find("faults.link.port"));
  assert_string_equal(ut_key_find("topology.sizes[3]")->path, "topology.sizes");
  assert_null(ut_key_find("topology.size"));
  assert_null(ut_key_find("topology.sizes[3"));
  assert_null(ut_schema_keys("topology.k"));
  assert_null(ut_schema_keys("nowhere"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_keys),
      cmocka_unit_test(defaults_are_values),
      cmocka_unit_test(texts_are_short),
      cmocka_unit_test(finds_entries_of_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
