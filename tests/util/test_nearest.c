/* SPDX-License-Identifier: Apache-2.0 */
/* test_nearest.c - csim/util/nearest */
#include "nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void nearest_names(void **state) {
  (void)state;
  static const char *const names[] = {"seed", "drain", "load_flits_per_cycle", "at"};
  assert_string_equal(ut_nearest("seed", names, 4), "seed");
  assert_string_equal(ut_nearest("sede", names, 4), "seed"); /* neighbours swapped: one slip */
  assert_string_equal(ut_nearest("drainn", names, 4), "drain");
  assert_string_equal(ut_nearest("load_flit_per_cycles", names, 4), "load_flits_per_cycle");
  assert_string_equal(ut_nearest("a", names, 4), "at");
  assert_null(ut_nearest("colour", names, 4));
  assert_null(ut_nearest("", names, 3));
  assert_null(ut_nearest("seed", names, 0));
  assert_null(ut_nearest("a_word_that_is_longer_than_any_name_that_this_project_has", names, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
