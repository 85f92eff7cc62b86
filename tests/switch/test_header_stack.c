/* SPDX-License-Identifier: Apache-2.0 */
/* test_header_stack.c - header words that are stripped at intermediate nodes, misrouted hops, packets without a route,
 * in networks whose switches spec and model step beside each other. */
#define _GNU_SOURCE
#include "network.h"
#include "paths.h"
#include "registers.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

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

enum { FLITS = 4 };

/* One packet of FLITS flits, from node 0 to `to` of an 8x8 torus, in cycle 40 (all credits are there), by that path;
 * `fault` is YAML or "". */
static struct ut_scenario *one_packet(const char *algorithm, unsigned flit_bits, const char *mechanisms, uint32_t to,
                                      const struct ut_path *path, const char *fault) {
  char file[] = "/tmp/uturn-stack-XXXXXX";
  int f = mkstemp(file);
  assert_true(f >= 0);
  dprintf(f, "40 0 %u %d\n", to, FLITS);
  close(f);
  struct ut_scenario *s =
      test_scenario("topology: {kind: torus, k: 8, n: 2}\n"
                    "switch: {vcs: 4, depth_flits: 16, packet_flits: %d, route_cycles: 0, flit_bits: %u}\n"
                    "routing: {algorithm: %s, mechanisms: {%s}}\ntraffic: {pattern: trace, trace_file: %s}\n%s"
                    "run: {warmup_cycles: 0, measure_cycles: 150}\n",
                    FLITS, flit_bits, algorithm, mechanisms, file, fault);
  s->paths = ut_paths_new(64, 1);
  assert_non_null(s->paths);
  assert_true(ut_paths_add(s->paths, 0, to, path));
  return s;
}

static void start(struct ut_network *n, struct ut_scenario *s) {
  test_network(n, s);
  assert_true(ut_network_use_spec(n, UT_SPEC_CHECKS));
}

static void finish(struct ut_network *n, struct ut_scenario *s) {
  char file[256];
  assert_true(ut_network_spec_differing(n) == UINT32_MAX);
  snprintf(file, sizeof file, "%s", s->traffic.file);
  ut_network_fini(n);
  ut_scenario_free(s);
  remove(file);
}

static uint32_t rt(unsigned sub_path, bool more, bool deterministic) {
  return (uint32_t)ut_rt_path_make((uint8_t)sub_path, more, deterministic, 0, 0, 0, 0);
}

/* 0 -> 2 -> 18 -> 27: two, two and two hops; a header word less on each.  An intermediate node costs a cycle: the next
 * header word must have arrived, and is then routed. */
static void stripped_where_they_end(void **state) {
  (void)state;
  static const char *const algorithms[] = {"dor", "duato"};
  for (unsigned i = 0; i < 6; i++) /* each with flits of one word, of two and of four */
    for (unsigned deterministic = 0; deterministic < 2; deterministic++) {
      const unsigned a = i % 2, flit_bits = 64u << i / 2;
      struct ut_path path = {
          3, {2, 18, 0}, {rt(0, true, deterministic), rt(1, true, false), rt(2, false, deterministic)}};
      struct ut_network n;
      struct ut_scenario *s =
          one_packet(algorithms[a], flit_bits,
                     deterministic ? "intermediate: 2, deterministic: true" : "intermediate: 2", 27, &path, "");
      start(&n, s);
      while (!ut_network_done(&n))
        ut_network_step(&n);
      assert_int_equal(n.terminals.accounts.delivered, 1);
      assert_int_equal(n.terminals.accounts.corrupt, 0);
      assert_int_equal(n.flit_hops, (FLITS + 2) * 2 + (FLITS + 1) * 2 + FLITS * 3); /* the last one to the terminal */
      assert_int_equal(n.terminals.latency.max, 1 + 2 * (6 + 1) + (FLITS + 2 - 1) + 2);
      finish(&n, s);
    }
}

/* X+ twice, Y+ once, X- once, then on to node 1: on the way it passes its destination. */
static void misrouted_in_the_order_given(void **state) {
  (void)state;
  const unsigned list = 0 | 1 << 3, later = 2 | 0 << 3 | 1 << 6 | 0 << 9;
  struct ut_path path = {1, {0}, {(uint32_t)ut_rt_path_make(0, 0, 0, 3, list & 7, list >> 3, later)}};
  struct ut_network n;
  struct ut_scenario *s = one_packet("duato", 64, "misroute: true", 1, &path, "");
  static const struct {
    uint32_t node;
    unsigned port;
  } hops[] = {{0, 0}, {1, 0}, {2, 2}, {10, 1}, {9, 3}};
  start(&n, s);
  assert_true(ut_network_count_links(&n));
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_int_equal(n.terminals.accounts.delivered, 1);
  assert_int_equal(n.flit_hops, FLITS * 6);
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(n.link_flits[(size_t)hops[i].node * n.topology->po + hops[i].port], FLITS);
  finish(&n, s);
}

static void without_a_route(void **state) {
  (void)state;
  struct ut_path path = {0};
  struct ut_network n;
  struct ut_scenario *s = one_packet("duato", 64, "intermediate: 1", 5, &path, "");
  start(&n, s);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_int_equal(n.terminals.accounts.injected, 1);
  assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE], 1);
  assert_int_equal(n.flit_hops, 0);
  assert_int_equal(n.cycle, 150);
  finish(&n, s);
}

/* The front of some buffer is the bad tail of a packet whose header word has just been stripped. */
static bool has_stray_tail(const struct ut_network *n) {
  for (uint32_t i = 0; i < n->topology->switches; i++)
    for (unsigned ip = 0; ip < n->topology->pi; ip++)
      for (unsigned v = 0; v < n->v; v++) {
        const struct ut_group *g = ut_network_group(n, i);
        const struct ut_switch *s = ut_network_switch(n, i);
        if (ut_reg_stripped(g, s, ip, v) && !ut_reg_front_is_head(g, s, ip, v))
          return true;
      }
  return false;
}

/* The link to the intermediate node fails in each cycle of the packet's way once; the accounts must hold in each. */
static void cut_behind_a_header(void **state) {
  (void)state;
  unsigned stray_tails = 0, delivered = 0, cut = 0;
  for (unsigned at = 40; at < 70; at++) {
    struct ut_path path = {3, {1, 2, 0}, {rt(0, true, false), rt(1, true, false), rt(2, false, false)}};
    char fault[128];
    struct ut_network n;
    snprintf(fault, sizeof fault, "faults:\n  - {at: %u, until: %u, link: {level: 0, switch: 0, port: 0}}\n", at,
             at + 4);
    struct ut_scenario *s = one_packet("duato", 64, "intermediate: 2", 3, &path, fault);
    start(&n, s);
    while (!ut_network_done(&n)) {
      ut_network_step(&n);
      stray_tails += has_stray_tail(&n);
      assert_int_equal(ut_network_in_flight(&n), ut_network_outstanding(&n));
    }
    const struct ut_accounts *a = &n.terminals.accounts;
    assert_int_equal(a->injected, a->delivered + ut_accounts_discarded(a));
    assert_int_equal(a->corrupt, 0);
    delivered += (unsigned)a->delivered;
    cut += (unsigned)a->discarded[UT_DISCARD_CUT_BY_FAULT];
    finish(&n, s);
  }
  assert_true(stray_tails > 0);
  assert_true(delivered > 0);
  assert_true(cut > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stripped_where_they_end),
      cmocka_unit_test(misrouted_in_the_order_given),
      cmocka_unit_test(without_a_route),
      cmocka_unit_test(cut_behind_a_header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
