/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of results as a page wants them: numbers that JSON has not, and as much as there is room for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "results_json.h"

/* A column of a curve has these numbers, NAN: null. */
static void expect_column(const json_t *curve, const char *name, double first, double second, double third) {
  const double wanted[] = {first, second, third};
  const json_t *column = json_object_get(curve, name);
  assert_int_equal(json_array_size(column), 3);
  for (size_t i = 0; i < 3; i++) {
    const json_t *value = json_array_get(column, i);
    const double is = json_is_null(value) ? NAN : json_number_value(value);
    if (is != wanted[i] && !(isnan(is) && isnan(wanted[i])))
      fail_msg("'%s' of point %zu is %g, expected %g", name, i, is, wanted[i]);
  }
}

/* Points keep their places when a number is missing. */
static void picture_keeps_places(void **state) {
  (void)state;
  struct ut_curve_point points[] = {{0.1, 5, 0.5, 3, false}, {0.2, INFINITY, NAN, 1, false}, {0.3, 7, 0, 2, true}};
  const struct ut_curve curve = {.title = "fta", .point = points, .points = 3};
  const struct ut_curves curves = {
      .title = "t", .x = "load", .y = "latency", .curve = &curve, .curves = 1, .log_y = true, .cut = true};
  json_t *o = ut_picture_json(&curves), *c = json_array_get(json_object_get(o, "curves"), 0);
  expect_column(c, "x", 0.1, 0.2, 0.3);
  expect_column(c, "y", 5, NAN, 7);
  expect_column(c, "half", 0.5, NAN, 0);
  expect_column(c, "runs", 3, 1, 2);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "cut"), "above")), UT_CURVES_CUT_ABOVE);
  assert_true(json_is_true(json_object_get(o, "log_y")));
  json_decref(o);
}

struct sizes {
  size_t size[UT_RESULTS_EXTENTS];
  int made; /* last */
};

/* A text that cannot be compressed to less than 3/4, of so many bytes for each extent. */
static json_t *make_text(void *ctx, enum ut_results_extent extent, struct ut_error *e) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  struct sizes *sizes = ctx;
  const size_t size = sizes->size[extent];
  uint64_t random = 1;
  if (!size) {
    ut_fail(e, UT_BAD_INPUT, "no data");
    return NULL;
  }
  char *text = malloc(size + 1);
  for (size_t i = 0; i < size; i++)
    text[i] = digits[(random = random * 6364136223846793005u + 1442695040888963407u) >> 58];
  text[size] = '\0';
  sizes->made = (int)extent;
  json_t *o = json_pack("{s:s}", "text", text);
  free(text);
  return o;
}

/* What is added of these sizes: the extent, or -1 and the message. */
static int fitted(struct ut_html_page *p, size_t all, size_t usual, struct ut_error *e) {
  struct sizes sizes = {{all, usual}, -1};
  struct ut_html_section section = {.type = "sweep", .title = "t", .lead = "l", .source = "s"};
  return ut_results_section(p, "some.sqlite", &section, make_text, &sizes, e) ? -1 : sizes.made;
}

static void page_takes_what_fits(void **state) {
  (void)state;
  char path[] = "/tmp/test_results_json.XXXXXX";
  struct ut_html_page p;
  struct ut_error e;
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(ut_html_page_open(&p, path, "t", "1", "./uturn report", &e), 0);
  assert_int_equal(fitted(&p, 1000, 100, &e), UT_RESULTS_ALL);
  assert_int_equal(fitted(&p, 6000000, 100, &e), UT_RESULTS_USUAL);
  assert_int_equal(fitted(&p, 6000000, 6000000, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, "some.sqlite"));
  assert_non_null(strstr(e.text, "5 MB"));
  assert_int_equal(fitted(&p, 0, 100, &e), -1);
  assert_string_equal(e.text, "no data");
  ut_html_page_drop(&p);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(picture_keeps_places), cmocka_unit_test(page_takes_what_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
