/* SPDX-License-Identifier: Apache-2.0 */
/* test_case.c - changes of a scenario that is made smaller: what chance decided is written down, and the run is the
 * same. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "case.h"
#include "fault_entry.h"
#include "network.h"
#include "scenario.h"
#include "scenario_read.h"

static const char text[] = "topology: {kind: fat_tree, k: 2, n: 3}\n"
                           "routing: {algorithm: reroute_adaptive_link}\n"
                           "traffic: {load_flits_per_cycle: 0.5}\n"
                           "faults:\n"
                           "  - {at: 50, until: 90, every: 100, times: 3, random_links: 1}\n"
                           "  - {at: 70, link: {level: 1, switch: 0, port: 2}, direction: out}\n"
                           "  - {at: 60, until: 80, random_terminal_links: 2}\n"
                           "  - {at: 120, until: 160, switch: {level: 2, switch: 1}}\n"
                           "run: {warmup_cycles: 0, measure_cycles: 400, drain: false, seed: 5}\n";

/* Its terminals load routes that are planned around the fault. */
static const char planned[] = "topology: {kind: torus, sizes: [4, 4]}\n"
                              "switch: {depth_flits: 12, packet_flits: 4}\n"
                              "routing: {algorithm: duato, mechanisms: {intermediate: 1}}\n"
                              "traffic: {load_flits_per_cycle: 0.3}\n"
                              "faults:\n"
                              "  - {at: 0, random_links: 1}\n"
                              "run: {warmup_cycles: 0, measure_cycles: 400, drain: false, seed: 5}\n";

static void begin(struct ut_case *c, const char *text) {
  struct ut_error e;
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  if (!s)
    fail_msg("%s", e.text);
  if (ut_case_init(c, s, &e))
    fail_msg("%s", e.text);
  ut_scenario_free(s);
}

struct seen {
  uint64_t flit_hops, delivered, discarded, latency, failures;
};

static struct seen run(const struct ut_case *c) {
  struct ut_network n;
  struct ut_error e;
  if (ut_network_init(&n, c->scenario, NULL, &e))
    fail_msg("%s", e.text);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  const struct ut_accounts *a = &n.terminals.accounts;
  const struct seen seen = {n.flit_hops, a->delivered, ut_accounts_discarded(a), a->latency, n.faults.failures};
  ut_network_fini(&n);
  return seen;
}

static void expect_same(const struct ut_case *c, struct seen expected, const char *what) {
  const struct seen seen = run(c);
  if (memcmp(&seen, &expected, sizeof seen))
    fail_msg(
        "%s: %llu flit-hops, %llu delivered, %llu discarded, latency %llu, %llu failures; before: %llu, %llu, %llu, "
        "%llu, %llu",
        what, (unsigned long long)seen.flit_hops, (unsigned long long)seen.delivered,
        (unsigned long long)seen.discarded, (unsigned long long)seen.latency, (unsigned long long)seen.failures,
        (unsigned long long)expected.flit_hops, (unsigned long long)expected.delivered,
        (unsigned long long)expected.discarded, (unsigned long long)expected.latency,
        (unsigned long long)expected.failures);
}

/* Random faults as components, random packets as a trace: nothing changes. */
static void expect_pinned(const char *scenario, size_t faults) {
  char folder[] = "/tmp/uturn-test-XXXXXX", path[sizeof folder + 32];
  struct ut_case c, copy;
  struct ut_error e;
  assert_non_null(mkdtemp(folder));
  begin(&c, scenario);
  const struct seen expected = run(&c);
  assert_true(expected.delivered > 100 && expected.failures == faults);
  if (ut_case_pin_faults(&c, &e) || ut_case_settle(&c, &e))
    fail_msg("%s", e.text);
  assert_int_equal(c.scenario->fault_count, faults);
  for (size_t i = 0; i < faults; i++)
    assert_true(c.scenario->faults[i].kind < UT_FAULT_RANDOM_LINKS && c.scenario->faults[i].times == 1);
  expect_same(&c, expected, "faults pinned");
  assert_true(ut_case_copy(&copy, &c));
  if (ut_case_trace(&copy, 400, folder, &e) || ut_case_settle(&copy, &e))
    fail_msg("%s", e.text);
  assert_true(copy.traced && copy.packets >= expected.delivered);
  expect_same(&copy, expected, "packets as a trace");
  ut_case_free(&c);
  ut_case_free(&copy);
  snprintf(path, sizeof path, "%s/mismatch.trace", folder);
  unlink(path);
  rmdir(folder);
}

static void pinned_is_the_same(void **state) {
  (void)state;
  expect_pinned(text, 7); /* 3 times a link, a direction, 2 terminals' links, a switch */
  expect_pinned(planned, 1);
}

/* The end cuts off what is behind it; a shift moves what is behind its beginning, and drops faults that are over. */
static void ends_and_shifts(void **state) {
  (void)state;
  struct ut_case c;
  begin(&c, text);
  ut_case_end_at(&c, 120);
  assert_int_equal(c.scenario->fault_count, 3); /* the switch fails in cycle 120: too late */
  assert_int_equal(c.scenario->run.measure_cycles, 120);
  ut_case_shift(&c, 65, 10);
  assert_int_equal(c.scenario->faults[1].at_cycle, 60);
  assert_int_equal(c.scenario->faults[2].at_cycle, 60); /* before cycle 65: it stays */
  assert_int_equal(c.scenario->faults[2].until_cycle, 70);
  ut_case_shift(&c, 0, 75);
  assert_int_equal(c.scenario->fault_count, 2); /* the third one was over in cycle 70 */
  assert_int_equal(c.scenario->faults[0].at_cycle, 0);
  assert_int_equal(c.scenario->faults[0].until_cycle, 5);
  assert_int_equal(c.scenario->faults[1].until_cycle, UINT64_MAX);
  ut_case_free(&c);
}

static void expect_packets(const struct ut_case *c, const uint64_t *cycle, size_t count) {
  if (c->packets != count)
    fail_msg("the case has %zu packets, expected %zu", c->packets, count);
  for (size_t i = 0; i < count; i++)
    if (c->packet[i].cycle != cycle[i])
      fail_msg("packet %zu is generated in cycle %llu, expected %llu", i, (unsigned long long)c->packet[i].cycle,
               (unsigned long long)cycle[i]);
}

/* A run of 120 cycles has none of number 120; what happens at the moment from which all is shifted is shifted, too. */
static void packets_at_the_end_and_at_the_moment(void **state) {
  (void)state;
  static const uint64_t first[] = {10, 40, 65, 119, 120}, shifted[] = {10, 40, 45, 99};
  struct ut_case c;
  begin(&c, text);
  free(c.packet);
  c.packets = sizeof first / sizeof *first;
  c.packet = calloc(c.packets, sizeof *c.packet);
  assert_non_null(c.packet);
  for (size_t i = 0; i < c.packets; i++)
    c.packet[i].cycle = first[i];
  ut_case_end_at(&c, 120);
  expect_packets(&c, first, 4);
  ut_case_shift(&c, 65, 20);
  expect_packets(&c, shifted, 4);
  ut_case_free(&c);
}

/* Settled, a change that no file could say is refused. */
static void impossible_is_refused(void **state) {
  (void)state;
  struct ut_case c;
  struct ut_error e;
  begin(&c, text);
  c.scenario->topology.n = 1; /* one switch: there is no link that could fail */
  assert_int_equal(ut_case_settle(&c, &e), -1);
  if (!strstr(e.text, "1 random links between switches wanted, this network has 0"))
    fail_msg("the message is: %s", e.text);
  ut_case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pinned_is_the_same),
      cmocka_unit_test(ends_and_shifts),
      cmocka_unit_test(packets_at_the_end_and_at_the_moment),
      cmocka_unit_test(impossible_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
