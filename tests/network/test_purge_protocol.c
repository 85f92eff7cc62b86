/* SPDX-License-Identifier: Apache-2.0 */
/* test_purge_protocol.c - which nodes serve, what the manager orders after a fault, and what becomes of packets
 * meanwhile. */
#define _GNU_SOURCE
#include "purge_protocol.h"

#include "scenario_read.h"
#include "scenarios.h"

/* Nodes of a 5x5 mesh around (2,2), which is disabled: one safe neighbour is left. */
static const unsigned around[] = {11, 13, 17};

#define MESH(more)                                                                                                     \
  "topology: {kind: mesh, sizes: [5, 5]}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"    \
  "routing: {algorithm: detour}\n" more

/* The network with those faults from the start. */
static struct ut_scenario *walled(struct ut_network *n) {
  struct ut_scenario *s = test_scenario(MESH("traffic: {load_flits_per_cycle: 0.1}\nfaults:\n"
                                             "  - {at: 0, switch: {level: 0, switch: %u}}\n"
                                             "  - {at: 0, switch: {level: 0, switch: %u}}\n"
                                             "  - {at: 0, switch: {level: 0, switch: %u}}\n"),
                                        around[0], around[1], around[2]);
  test_network(n, s);
  return s;
}

static void inside_blocks_nobody_serves(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = walled(&n);
  uint32_t nodes[UT_NODE_STATES];
  ut_availability_count(&n.availability, nodes);
  assert_int_equal(nodes[UT_NODE_FAULTY], 3);
  assert_int_equal(nodes[UT_NODE_DISABLED], 1);
  assert_int_equal(n.availability.count, 25 - 4);
  for (uint32_t i = 0; i < 25; i++)
    assert_int_equal(n.availability.serves[i], i != 11 && i != 12 && i != 13 && i != 17);
  unsigned drawn[25] = {0};
  for (unsigned i = 0; i < 10000; i++)
    drawn[ut_availability_other(&n.availability, 0)]++;
  for (uint32_t i = 0; i < 25; i++) /* each as likely: 500 times in 10,000 */
    if (i && n.availability.serves[i])
      assert_in_range(drawn[i], 400, 600);
    else
      assert_int_equal(drawn[i], 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Of one terminal that serves, or none, there is no other one: a packet stays at its source. */
static void nobody_else_serves(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = walled(&n);
  const uint32_t serving = n.availability.count;
  for (n.availability.count = 0; n.availability.count < 2; n.availability.count++)
    for (uint32_t src = 0; src < 3; src++)
      assert_int_equal(ut_availability_other(&n.availability, src), src);
  assert_int_equal(ut_availability_other(&n.availability, 0), n.availability.list[1]); /* of two the other one */
  n.availability.count = serving;
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Of a pattern that names nodes, what is for those that do not serve is refused at its source, through whatever links:
 * as many packets as the pattern has. */
static void refuses_what_the_pattern_wants(void **state) {
  (void)state;
  for (unsigned links = 1; links <= 2; links++) {
    struct ut_network n;
    struct ut_scenario *s =
        test_scenario("topology: {kind: mesh, sizes: [5, 5], terminal_links: %u}\n"
                      "switch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
                      "routing: {algorithm: detour}\nfaults:\n  - {at: 0, switch: {level: 0, switch: 11}}\n"
                      "  - {at: 0, switch: {level: 0, switch: 13}}\n  - {at: 0, switch: {level: 0, switch: 17}}\n"
                      "traffic: {pattern: hot_spot, hot_spot_node: 12, hot_spot_fraction: 0.3, "
                      "load_flits_per_cycle: 0.1}\n"
                      "run: {warmup_cycles: 0, measure_cycles: 300}\n",
                      links);
    uint64_t serving = 0, refused = 0;
    test_network(&n, s);
    for (uint32_t i = 0; i < 25; i++) {
      struct ut_traffic_source source;
      struct ut_packet_request p;
      ut_traffic_source_init(&source, &n.traffic, i);
      while (n.availability.serves[i] && ut_traffic_next(&n.traffic, &source, &p) && p.cycle < 300) {
        serving += n.availability.serves[p.dst];
        refused += !n.availability.serves[p.dst];
      }
    }
    while (!ut_network_done(&n))
      ut_network_step(&n);
    const struct ut_accounts *a = &n.terminals.accounts;
    assert_true(serving > 50 && refused > 40);
    assert_int_equal(a->delivered, serving);
    assert_int_equal(a->discarded[UT_DISCARD_UNREACHABLE], refused);
    assert_int_equal(ut_accounts_discarded(a), refused);
    assert_int_equal(a->corrupt, 0);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Any node whose state is not what the model says is found. */
static void one_state_that_differs(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = walled(&n);
  for (unsigned i = 0; i < 100; i++) /* nodes tell each other */
    ut_network_step(&n);
  assert_true(ut_network_states_agree(&n));
  for (uint32_t i = 0; i < 25; i++) {
    const uint8_t is = n.availability.model.state[i];
    for (uint8_t other = 0; is != UT_NODE_FAULTY && other < UT_NODE_STATES; other++) { /* a faulty one says nothing */
      n.availability.model.state[i] = other;
      assert_int_equal(ut_network_states_agree(&n), other == UT_NODE_FAULTY || other == is);
    }
    n.availability.model.state[i] = is;
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* The next order, and the cycle when it comes.  0: none any more. */
static uint64_t next_order(struct ut_purge_protocol *r, uint64_t *cycle) {
  for (unsigned i = 0; i < 2 && r->next_cycle != UINT64_MAX; i++) {
    *cycle = r->next_cycle;
    ut_purge_step(r, *cycle);
    if (r->word)
      return r->word;
  }
  return 0;
}

static void expect_orders(struct ut_purge_protocol *r, uint64_t cycle, unsigned purges) {
  for (unsigned i = 0; i < 4; i++, cycle += r->dwell) {
    uint64_t at = 0;
    assert_int_equal(next_order(r, &at), ut_order_make((uint16_t[]){11, 12, 13, 17}[i], UT_ORDER_KIND_REFUSE));
    assert_int_equal(at, cycle);
  }
  for (unsigned i = 0; i <= purges; i++, cycle += r->timeout) {
    uint64_t at = 0;
    assert_int_equal(next_order(r, &at), ut_order_make(0, i ? UT_ORDER_KIND_PURGE : UT_ORDER_KIND_ACCEPT));
    assert_int_equal(at, cycle);
  }
  assert_int_equal(next_order(r, &(uint64_t){0}), 0);
  assert_int_equal(r->next_cycle, UINT64_MAX);
}

/* States have time from one corner to the other and back, orders to the next switch, whatever they meet there. */
static void waits_long_enough(void **state) {
  (void)state;
  static const struct {
    const char *topology;
    unsigned vcs, across;
  } networks[] = {
      {"kind: mesh, sizes: [5, 3]", 2, 4 + 2},
      {"kind: mesh, sizes: [2, 3, 4]", 2, 1 + 2 + 3},
      {"kind: torus, sizes: [5, 8]", 4, 2 + 4},
      {"kind: hypercube, n: 5", 2, 5},
      {"kind: mesh, sizes: [4, 4], local_ports: 2", 2, 3 + 3},
  };
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++)
    for (unsigned link = 1; link < 8; link += 3) {
      struct ut_network n;
      struct ut_scenario *s = test_scenario("topology: {%s, link_cycles: %u}\n"
                                            "switch: {vcs: %u, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
                                            "routing: {algorithm: detour, purge_timeout_cycles: %u}\n"
                                            "traffic: {load_flits_per_cycle: 0.1}\n",
                                            networks[i].topology, link, networks[i].vcs, 100 + link);
      test_network(&n, s);
      assert_int_equal(n.purge_protocol.settle, 2 * networks[i].across * (link + 2));
      assert_int_equal(n.purge_protocol.dwell, 4 * (link + 4 + 2)); /* a route takes up to four cycles */
      assert_int_equal(n.purge_protocol.timeout, 100 + link);
      assert_true(!n.purge_protocol.word && !n.purge_protocol.anew && !n.purge_protocol.stopped &&
                  n.purge_protocol.next_cycle == UINT64_MAX);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

static void orders_after_a_fault(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = walled(&n);
  struct ut_purge_protocol r;
  uint64_t at = 0;
  ut_purge_init(&r, &n.availability, 1, 70);
  assert_int_equal(r.next_cycle, UINT64_MAX);
  assert_int_equal(r.settle, 2 * (4 + 4) * (1 + 2)); /* corner to corner and back, three cycles a hop */
  ut_purge_tell(&r, 100, false);
  expect_orders(&r, 100 + r.settle, UT_PURGE_ORDERS);

  ut_purge_tell(&r, 1000, false); /* another fault in the middle: from the beginning */
  next_order(&r, &at);
  assert_int_equal(next_order(&r, &at), ut_order_make(12, UT_ORDER_KIND_REFUSE));
  ut_purge_step(&r, at + 1);
  assert_int_equal(r.word, 0);
  ut_purge_tell(&r, at + 2, false);
  expect_orders(&r, at + 2 + r.settle, UT_PURGE_ORDERS);

  ut_purge_tell(&r, 2000, true); /* a node is back: all states anew */
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESTART));
  assert_int_equal(at, 2001);
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESUME));
  assert_int_equal(at, 2001 + r.dwell);
  expect_orders(&r, at + r.settle, UT_PURGE_ORDERS);

  ut_purge_tell(&r, 3000, true); /* another fault while states are stopped: they go on no sooner for that */
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESTART));
  ut_purge_tell(&r, at, false); /* the order is still there */
  assert_int_equal(r.next_cycle, at + 1);
  ut_purge_step(&r, at + 1);
  assert_int_equal(r.word, 0);
  ut_purge_tell(&r, at + 2, false);
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESUME));
  assert_int_equal(at, 3001 + r.dwell);
  expect_orders(&r, at + r.settle, UT_PURGE_ORDERS);

  ut_purge_tell(&r, 4000, true); /* and another node that is back: they are stopped anew */
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESTART));
  ut_purge_tell(&r, at + 5, true);
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESTART));
  assert_int_equal(at, 4001 + 5 + 1);
  assert_int_equal(next_order(&r, &at), ut_order_make(0, UT_ORDER_KIND_RESUME));
  assert_int_equal(at, 4007 + r.dwell);
  expect_orders(&r, at + r.settle, UT_PURGE_ORDERS);

  ut_purge_init(&r, &n.availability, 1, 0); /* no patience: no purges */
  ut_purge_tell(&r, 100, false);
  expect_orders(&r, 100 + r.settle, 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* A node comes back, and another one fails in one of the next cycles: whatever is on the wires then, in the end all
 * switches know what the manager does. */
static void states_agree_after_a_fault_on_the_heels(void **state) {
  (void)state;
  for (unsigned link = 1; link <= 8; link += 7)
    for (unsigned at = 500; at < 580; at += at < 520 ? 1 : 5) {
      struct ut_network n;
      struct ut_scenario *s =
          test_scenario("topology: {kind: mesh, sizes: [5, 5], link_cycles: %u}\n"
                        "switch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
                        "routing: {algorithm: detour, beyond_fault_model: true}\ntraffic: {load_flits_per_cycle: 0.1}\n"
                        "faults:\n  - {at: 100, switch: {level: 0, switch: 6}}\n"
                        "  - {at: 100, until: 500, switch: {level: 0, switch: 12}}\n"
                        "  - {at: %u, switch: {level: 0, switch: 24}}\nrun: {warmup_cycles: 0, measure_cycles: 1500}\n",
                        link, at);
      test_network(&n, s);
      while (n.cycle < 1500)
        ut_network_step(&n);
      if (!ut_network_states_agree(&n))
        fail_msg("links of %u cycles, the second node fails in cycle %u", link, at);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

/* A packet is on its way to a node that is walled in meanwhile: it would look for it for ever. */
static void a_packet_to_the_inside_is_refused(void **state) {
  (void)state;
  char path[UT_TEST_TRACE_PATH];
  struct ut_network n;
  test_write_trace(path, "0 0 12 4\n0 4 22 4\n");
  struct ut_scenario *s =
      test_scenario(MESH("traffic: {pattern: trace, trace_file: %s}\nfaults:\n"
                         "  - {at: 3, switch: {level: 0, switch: %u}}\n"
                         "  - {at: 3, switch: {level: 0, switch: %u}}\n"
                         "  - {at: 3, switch: {level: 0, switch: %u}}\n"
                         "run: {warmup_cycles: 0, measure_cycles: 10, drain: true, drain_limit_cycles: 900}\n"),
                    path, around[0], around[1], around[2]);
  test_network(&n, s);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_int_equal(n.terminals.accounts.injected, 2);
  assert_int_equal(n.terminals.accounts.delivered, 1);
  assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE], 1);
  ut_network_fini(&n);
  ut_scenario_free(s);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inside_blocks_nobody_serves),
      cmocka_unit_test(nobody_else_serves),
      cmocka_unit_test(refuses_what_the_pattern_wants),
      cmocka_unit_test(one_state_that_differs),
      cmocka_unit_test(waits_long_enough),
      cmocka_unit_test(orders_after_a_fault),
      cmocka_unit_test(states_agree_after_a_fault_on_the_heels),
      cmocka_unit_test(a_packet_to_the_inside_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
