/* SPDX-License-Identifier: Apache-2.0 */
/* test_dump.c - what is written into a wave dump beside Verilator's, in the order in which it is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dump_words.h"
#include "network.h"
#include "outages.h"
#include "scenario_read.h"
#include "scenarios.h"

/* A dump that is a text. */
struct written {
  char text[4096];
  uint32_t variables;
};

static void __attribute__((format(printf, 2, 3))) add(struct written *w, const char *format, ...) {
  const size_t used = strlen(w->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(w->text + used, sizeof w->text - used, format, arguments);
  va_end(arguments);
}

static void scope(void *trace, const char *name) {
  add(trace, name ? "%s{" : "}", name);
}
static uint32_t variable(void *trace, const char *name, unsigned bits) {
  struct written *w = trace;
  add(w, "%s:%u ", name, bits);
  return w->variables++;
}
static void value(void *trace, uint32_t number, const char *text) {
  add(trace, "%u=%s ", number, text);
}

static const struct ut_model_api api = {
    .trace_scope = scope, .trace_variable = variable, .trace_digits = value, .trace_text = value};

static void scopes_that_paths_share_stay_open(void **state) {
  (void)state;
  struct written w = {0};
  const struct ut_dump_file f = {&api, &w};
  const char *const path[] = {"", "in0.vc0.state_q.", "in0.vc0.fifo.rd_q.", "in0.vc0.fifo.rd_q.", "in1.up_q.", ""};
  for (unsigned i = 1; i < sizeof path / sizeof *path; i++)
    ut_dump_change_scope(&f, path[i - 1], path[i]);
  assert_string_equal(w.text, "in0{vc0{state_q{}fifo{rd_q{}}}}in1{up_q{}}");
}

static void values_are_written_when_they_change(void **state) {
  (void)state;
  struct written w = {0};
  const struct ut_dump_file f = {&api, &w};
  struct ut_dump_number bit = ut_dump_number(&f, "bit", 1), number = ut_dump_number(&f, "number", 5);
  struct ut_dump_text text = ut_dump_text(&f, "text");
  for (unsigned i = 0; i < 3; i++) {
    ut_dump_write_number(&f, &bit, 0);
    ut_dump_write_number(&f, &number, i ? 19 : 0);
    ut_dump_write_text(&f, &text, i ? "flit" : "");
  }
  assert_string_equal(w.text, "bit:1 number [4:0]:5 text:0 0=0 1=00000 2= 1=10011 2=flit ");
}

static void events_name_what_fails(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\n"
                                        "routing: {algorithm: reroute_adaptive_link}\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n"
                                        "faults:\n"
                                        "  - {at: 10, until: 30, link: {level: 1, switch: 1, port: 1}}\n"
                                        "  - {at: 20, switch: {level: 2, switch: 3}}\n");
  struct ut_network n;
  struct ut_outage *outage;
  size_t count;
  char text[UT_DUMP_TEXT_SIZE];
  static const struct {
    uint64_t cycle;
    bool first;
    const char *text;
  } cases[] = {{9, true, ""},
               {10, false, "link 0.1-1.1 down"},
               {11, false, ""},
               {11, true, "link 0.1-1.1 down"},
               {20, true, "link 0.1-1.1 down; switch 2.3 down"},
               {30, false, "link 0.1-1.1 up"}};
  test_network(&n, s);
  assert_true(ut_outages_find(&n.faults, 0, 100, &outage, &count));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ut_dump_events(n.topology, outage, count, cases[i].cycle, cases[i].first, text);
    assert_string_equal(text, cases[i].text);
  }
  free(outage);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scopes_that_paths_share_stay_open),
                                     cmocka_unit_test(values_are_written_when_they_change),
                                     cmocka_unit_test(events_name_what_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
