/* SPDX-License-Identifier: Apache-2.0 */
/* test_link_delays.c - links of unlike length: flits and credits take as long as the file says, and no longer. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "network.h"
#include "scenarios.h"
#include "zero_load.h"

static char network[] = "/tmp/test_link_delays.XXXXXX";

/* Two routers with a terminal each; cycles of the links in between, from terminal 0 and to terminal 1. */
static struct ut_scenario *two_routers(unsigned injection, unsigned there, unsigned back, unsigned ejection,
                                       const char *rest) {
  FILE *f = fopen(network, "w");
  assert_non_null(f);
  fprintf(f, "router 0 node 0 %u router 1 %u\nrouter 1 node 1 %u router 0 %u\n", injection, there, ejection, back);
  fclose(f);
  return test_scenario("topology: {kind: graph, file: %s}\nrouting: {algorithm: table}\n%s", network, rest);
}

/* Runs a scenario to its end; returns the cycle of the last arrival, and counts the packets in the network after each
 * cycle in a second way. */
static uint64_t last_arrival(struct ut_scenario *s) {
  struct ut_network n;
  uint64_t delivered = 0, last = 0;
  test_network(&n, s);
  while (!ut_network_done(&n)) {
    ut_network_skip(&n, UINT64_MAX);
    ut_network_step(&n);
    if (n.terminals.accounts.delivered > delivered)
      last = n.cycle;
    delivered = n.terminals.accounts.delivered;
    if (ut_network_in_flight(&n) != ut_network_outstanding(&n))
      fail_msg("cycle %llu: %llu packets in the network, expected %llu", (unsigned long long)n.cycle,
               (unsigned long long)ut_network_in_flight(&n), (unsigned long long)ut_network_outstanding(&n));
  }
  assert_true(delivered > 0);
  assert_int_equal(n.terminals.accounts.corrupt, 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
  return last;
}

/* Sends so many packets of two flits from terminal 0 to 1, over links of these cycles and through buffers of four
 * flits; returns the cycles until the last one has arrived. */
static uint64_t time_of(unsigned packets, unsigned injection, unsigned there, unsigned back, unsigned ejection) {
  char path[UT_TEST_TRACE_PATH], text[4096] = "", rest[256];
  size_t used = 0;
  for (unsigned i = 0; i < packets; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "1000 0 1 2\n");
  assert_true(used < sizeof text);
  test_write_trace(path, text);
  snprintf(rest, sizeof rest,
           "switch: {vcs: 1, depth_flits: 4, packet_flits: 2}\ntraffic: {pattern: trace, trace_file: %s}\n"
           "run: {warmup_cycles: 0, measure_cycles: 1001}\n",
           path);
  const uint64_t last = last_arrival(two_routers(injection, there, back, ejection, rest));
  unlink(path);
  return last - 1000;
}

/* Each cycle of a link on the way of a packet is a cycle more; a link that is not on its way does not count. */
static void flits_take_as_long_as_the_link(void **state) {
  (void)state;
  static const unsigned cycles[][4] = {{2, 1, 1, 1},  {1, 2, 1, 1},  {1, 1, 1, 2},    {1, 17, 1, 1},
                                       {1, 1, 90, 1}, {31, 1, 1, 1}, {3, 200, 2, 255}};
  const uint64_t least = time_of(1, 1, 1, 1, 1);
  for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
    const unsigned *c = cycles[i];
    const uint64_t expected = least + c[0] - 1 + c[1] - 1 + c[3] - 1, got = time_of(1, c[0], c[1], c[2], c[3]);
    if (got != expected)
      fail_msg("links of %u, %u (back %u) and %u cycles: %llu cycles, expected %llu", c[0], c[1], c[2], c[3],
               (unsigned long long)got, (unsigned long long)expected);
  }
}

/* So do credits: while a buffer of 4 flits is smaller than what fits onto the link, 4 flits go in each round trip. */
static void credits_take_as_long_as_the_link(void **state) {
  (void)state;
  enum { PACKETS = 200, ROUND_TRIPS = 2 * PACKETS / 4, SHORT = 20, LONG = 60 };
  for (unsigned link = 0; link < 3; link++) { /* from the terminal, between routers, to the terminal */
    const unsigned at[3] = {link == 0, link == 1, link == 2};
    const uint64_t few = time_of(PACKETS, at[0] ? SHORT : 1, at[1] ? SHORT : 1, 1, at[2] ? SHORT : 1),
                   more = time_of(PACKETS, at[0] ? LONG : 1, at[1] ? LONG : 1, 1, at[2] ? LONG : 1);
    /* the last flits come in half a round trip */
    const uint64_t least = (2 * (LONG - SHORT)) * (uint64_t)(ROUND_TRIPS - 1), most = least + 2 * (LONG - SHORT);
    if (more - few < least || more - few > most)
      fail_msg("link %u: %llu cycles more, expected %llu to %llu", link, (unsigned long long)(more - few),
               (unsigned long long)least, (unsigned long long)most);
  }
}

/* Links of all lengths fail and come back, with flits and credits on them. */
static void nothing_is_lost_uncounted(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_scenario *s = ut_scenario_load("scenarios/long_links.yaml", &e);
  if (!s)
    fail_msg("%s", e.text);
  assert_true(last_arrival(s) > 4000);
}

/* The latency of a packet from each terminal to each other one, sent by itself; each is delivered. */
static void send_alone(const char *sw, struct ut_zero_load *measured, struct ut_zero_load *computed) {
  enum { TERMINALS = 6, APART = 2000 };
  char path[UT_TEST_TRACE_PATH], text[4096] = "", rest[512];
  size_t used = 0;
  for (unsigned i = 0; i < TERMINALS * TERMINALS; i++)
    if (i / TERMINALS != i % TERMINALS)
      used +=
          (size_t)snprintf(text + used, sizeof text - used, "%u %u %u 4\n", i * APART, i / TERMINALS, i % TERMINALS);
  test_write_trace(path, text);
  snprintf(rest, sizeof rest,
           "switch: {packet_flits: 4, depth_flits: 8, %s}\ntraffic: {pattern: trace, trace_file: %s}\n"
           "run: {warmup_cycles: 0, measure_cycles: 100000}\n",
           sw, path);
  struct ut_scenario *s =
      test_scenario("topology: {kind: graph, file: %s}\nrouting: {algorithm: table}\n%s", network, rest);
  struct ut_network n;
  test_network(&n, s);
  assert_true(ut_zero_load_find(computed, &n, 4));
  *measured = (struct ut_zero_load){.mean = 0};
  while (!ut_network_done(&n)) {
    const uint64_t before = n.terminals.accounts.latency;
    ut_network_skip(&n, UINT64_MAX);
    ut_network_step(&n);
    const uint64_t latency = n.terminals.accounts.latency - before;
    measured->most = latency > measured->most ? latency : measured->most;
    measured->pairs += latency > 0;
  }
  measured->mean = (double)n.terminals.accounts.latency / (double)measured->pairs;
  ut_network_fini(&n);
  ut_scenario_free(s);
  unlink(path);
}

/* A tree of routers, so that the tables have no choice, with links of unlike length, also of one pair of routers. */
static void alone_as_the_contract_says(void **state) {
  (void)state;
  static const char *const sw[] = {"vcs: 1", "vcs: 2, route_cycles: 2, alloc_cycles: 2", "vcs: 1, xbar_cycles: 1",
                                   "vcs: 1, route_cycles: 0, output_depth_flits: 8"};
  FILE *f = fopen(network, "w");
  assert_non_null(f);
  fputs("router 0 node 0 3 node 1 node 2 7 router 1 20 router 2\nrouter 1 node 3 router 0 4 router 3 9\n"
        "router 2 node 4 2\nrouter 3 node 5\n",
        f);
  fclose(f);
  for (size_t i = 0; i < sizeof sw / sizeof *sw; i++) {
    struct ut_zero_load measured, computed;
    send_alone(sw[i], &measured, &computed);
    if (fabs(computed.mean - measured.mean) > 1e-9 || computed.most != measured.most ||
        computed.pairs != measured.pairs)
      fail_msg("{%s}: mean %.6f, most %llu of %llu pairs; measured %.6f, %llu of %llu", sw[i], computed.mean,
               (unsigned long long)computed.most, (unsigned long long)computed.pairs, measured.mean,
               (unsigned long long)measured.most, (unsigned long long)measured.pairs);
  }
}

int main(void) {
  close(mkstemp(network));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flits_take_as_long_as_the_link),
      cmocka_unit_test(credits_take_as_long_as_the_link),
      cmocka_unit_test(nothing_is_lost_uncounted),
      cmocka_unit_test(alone_as_the_contract_says),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(network);
  return failed;
}
