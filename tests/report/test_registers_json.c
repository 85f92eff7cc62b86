/* SPDX-License-Identifier: Apache-2.0 */
/* test_registers_json.c - a record of registers, taken cycle by cycle, as a page has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "registers_json.h"

/* A switch with a counter and a bit, of which the RTL has lost one in cycle 12. */
static void look(struct ut_register_view *v, uint64_t cycle) {
  ut_register_view_begin(v);
  ut_register_view_tell(v, "in0.count_q", 8, cycle / 2 + v->sw, cycle / 2 + v->sw);
  ut_register_view_tell(v, "in0.up_q", 1, cycle != 12, 1);
  if (v->sw == 9) /* it has a port more */
    ut_register_view_tell(v, "in1.up_q", 64, 0, ~UINT64_C(0));
  assert_true(ut_register_view_end(v));
}

static void says(const struct ut_register_record *r, const char *expected) {
  json_t *json = ut_registers_json(r);
  char *text = json_dumps(json, JSON_COMPACT);
  assert_string_equal(text, expected);
  free(text);
  json_decref(json);
}

static void what_changes_is_kept(void **state) {
  (void)state;
  static const uint32_t switches[] = {4, 9, 20};
  struct ut_register_record r;
  assert_true(ut_register_record_init(&r, switches, 3));
  r.from = 10;
  r.until = 14;
  r.device = "RTL";
  r.golden = "model";
  for (uint64_t cycle = r.from; cycle < r.until; cycle++) {
    for (unsigned i = 0; i < r.switches; i++)
      look(&r.of[i].view, cycle);
    assert_true(ut_register_record_take(&r, cycle));
  }
#define SWITCHES                                                                                                       \
  "\"names\":[[\"in0.count_q\",\"in0.up_q\"],[\"in0.count_q\",\"in0.up_q\",\"in1.up_q\"]],\"switches\":["              \
  "{\"switch\":4,\"names\":0,\"values\":[\"9 2:a\",\"1 2:0/1 3:1\"]},"                                                 \
  "{\"switch\":9,\"names\":1,\"values\":[\"e 2:f\",\"1 2:0/1 3:1\",\"0/ffffffffffffffff\"]},"                          \
  "{\"switch\":20,\"names\":0,\"values\":[\"19 2:1a\",\"1 2:0/1 3:1\"]}]}"
  says(&r, "{\"from\":10,\"until\":14,\"device\":\"RTL\",\"golden\":\"model\",\"mismatch\":null," SWITCHES);
  r.mismatch = true;
  r.cycle = 12;
  r.sw = 4;
  r.report = "cycle 12: switch 0.4\nmore";
  says(&r, "{\"from\":10,\"until\":14,\"device\":\"RTL\",\"golden\":\"model\",\"mismatch\":{\"cycle\":12,\"switch\":4,"
           "\"text\":\"cycle 12: switch 0.4\"}," SWITCHES);
  r.sw = UINT32_MAX; /* the accounts are wrong: no switch is */
  r.report = "x";
  says(&r, "{\"from\":10,\"until\":14,\"device\":\"RTL\",\"golden\":\"model\",\"mismatch\":{\"cycle\":12,"
           "\"switch\":null,\"text\":\"x\"}," SWITCHES);
#undef SWITCHES
  ut_register_record_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_changes_is_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
