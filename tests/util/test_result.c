/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util/result: values, trees, and layouts to the letter. */
#include "result.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *tree(void) {
  json_t *rows = json_array();
  json_array_append_new(rows, UT_OBJECT({"name", ut_string("first")}, {"hops", ut_int(1)}, {"load", ut_real(0.25)}));
  json_array_append_new(rows, UT_OBJECT({"name", ut_string("±")}, {"hops", ut_int(1234567)}, {"load", ut_real(NAN)}));
  return UT_OBJECT({"rows", rows}, {"kinds", UT_OBJECT({"a", ut_int(2)}, {"b", ut_int(40)})}, {"one", ut_int(1)},
                   {"none", ut_int(0)}, {"state", ut_string("steady")}, {"nothing", ut_string(NULL)},
                   {"left_out", NULL}, {"_shown", ut_format("%d of %d", 1, 2)}, {"good", json_true()});
}

static void expect(const char *layout, const char *text) {
  char *got;
  size_t size;
  json_t *t = tree();
  FILE *f = open_memstream(&got, &size);
  ut_result_put(t, layout, f);
  fclose(f);
  assert_string_equal(got, text);
  free(got);
  json_decref(t);
}

static void values(void **state) {
  (void)state;
  expect("{state}, {one}, {nothing}, {_shown}, {good}", "steady, 1, -, 1 of 2, yes");
  expect("[{one:3d}][{one:.2f}][{state:-8s}][{nothing:4d}]", "[  1][1.00][steady  ][   -]");
  expect("{kinds:,} {rows.1.hops:,} {rows.1.hops:10,} {kinds.b}", "42 1,234,567  1,234,567 40");
  expect("{one} hop{one+s}, {none} switch{none+es}, {one+are/is}, {none+are/is}", "1 hop, 0 switches, is, are");
  expect("{no_such_key:.3f}{left_out}", "{no_such_key:.3f}{left_out}");
}

static void parts(void **state) {
  (void)state;
  expect("{?one}yes{/}{?none}no{/}{?nothing}no{:}not{/}{?left_out}no{/}{?rows}rows{/}", "yesnotrows");
  expect("{?state=steady}a{?state=growing}b{:}c{/}{:}d{/}", "ac");
  expect("{#kinds}{@} {.}{, }{/}", "a 2, b 40");
  expect("{#rows}{name} in {state}{\n  }{/}.", "first in steady\n  ± in steady.");
}

static void tables(void **state) {
  (void)state;
  expect("{|rows}\n  <name|hops|load|nobody|{state}\n{name}|{hops}|{load:.2f}|{nobody}|{?hops}x{/}\n{/}",
         "  name      hops  load  steady\n  first        1  0.25       x\n  ±      1234567     -       x\n");
  expect("{|rows}<|\n{name}|{hops}\n{?load}  {load}\n{/}{/}", "first        1\n  0.25\n±      1234567\n");
  expect("{|left_out}a|b\n{a}|{b}\n{/}{|rows}a|<b\n{hops}|{?load}left{/}\n{/}", "      a  b\n      1  left\n1234567\n");
}

static void json(void **state) {
  (void)state;
  json_t *t = tree();
  ut_result_strip(t);
  char *text = json_dumps(json_object_get(t, "rows"), JSON_COMPACT);
  assert_string_equal(text, "[{\"name\":\"first\",\"hops\":1,\"load\":0.25},"
                            "{\"name\":\"±\",\"hops\":1234567,\"load\":null}]");
  assert_null(json_object_get(t, "_shown"));
  assert_null(json_object_get(t, "left_out"));
  assert_true(json_is_null(json_object_get(t, "nothing")));
  free(text);
  json_decref(t);
}

int main(void) {
  const struct CMUnitTest all[] = {cmocka_unit_test(values), cmocka_unit_test(parts), cmocka_unit_test(tables),
                                   cmocka_unit_test(json)};
  return cmocka_run_group_tests(all, NULL, NULL);
}
