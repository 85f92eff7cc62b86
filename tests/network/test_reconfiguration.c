/* SPDX-License-Identifier: Apache-2.0 */
/* test_reconfiguration.c - csim/network/reconfiguration: what is promised of traffic that halts for new routes, cycle
 * by cycle; how long it halts; and a network that does not empty. */
#include "reconfiguration.h"

#include "network.h"
#include "planned_routes.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

#define TORUS "topology: {kind: torus, k: 5, n: 2%s}\nswitch: {vcs: 4, depth_flits: 12, packet_flits: 4}\n"
#define ROUTING                                                                                                        \
  "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}, reconfiguration: static, "          \
  "manager_delay_cycles: %u, manager_switch_cycles: 3, drain_timeout_cycles: %u}\n"

/* What a run has shown. */
struct seen {
  uint64_t halted, drained; /* cycles; of these, cycles in which the network emptied */
  uint64_t first, last;     /* cycle in which traffic has halted first, and cycle in which it has gone on last */
  uint64_t emptied;         /* cycle in which the network was empty the first time */
  uint64_t longest;         /* cycles without a break */
};

/* Runs to the end.  While traffic halts, no packet is injected; what is distributed finds an empty network; and in each
 * cycle each packet is delivered, discarded, or where its head is. */
static struct seen run(struct ut_network *n) {
  struct seen seen = {0};
  const struct ut_reconfiguration *r = &n->reconfiguration;
  const struct ut_accounts *a = &n->terminals.accounts;
  uint64_t since = 0;
  while (!ut_network_done(n)) {
    const uint64_t before = a->injected;
    const bool was = n->terminals.halted;
    ut_network_step(n);
    const bool halted = n->terminals.halted;
    assert_int_equal(a->injected - a->delivered - ut_accounts_discarded(a), ut_network_in_flight(n));
    assert_int_equal(a->corrupt, 0);
    if (halted)
      assert_int_equal(a->injected, before);
    if (r->phase == UT_PHASE_DISTRIBUTES) {
      assert_int_equal(ut_network_in_flight(n), 0);
      assert_int_equal(ut_network_buffered(n), 0);
      seen.emptied = seen.emptied ? seen.emptied : n->cycle - 1;
    }
    seen.halted += halted;
    seen.drained += r->phase == UT_PHASE_DRAINS;
    if (halted && !was)
      since = n->cycle - 1;
    seen.first = seen.first || !halted ? seen.first : n->cycle - 1;
    if (was && !halted) {
      seen.last = n->cycle - 1;
      seen.longest = seen.last - since > seen.longest ? seen.last - since : seen.longest;
    }
  }
  assert_int_equal(seen.halted, r->drain_cycles + r->distribute_cycles);
  assert_int_equal(seen.drained, r->drain_cycles);
  return seen;
}

static struct ut_scenario *planned(struct ut_network *n, const char *links, unsigned delay, unsigned timeout,
                                   const char *load, const char *faults) {
  struct ut_error e;
  struct ut_scenario *s =
      test_scenario(TORUS ROUTING "traffic: {load_flits_per_cycle: %s}\nfaults: [%s]\n"
                                  "run: {warmup_cycles: 0, measure_cycles: 4000, watchdog_cycles: 0}\n",
                    links, delay, timeout, load, faults);
  assert_int_equal(ut_plan_scenario(s, &e), 0);
  test_network(n, s);
  return s;
}

static void done(struct ut_network *n, struct ut_scenario *s) {
  ut_network_fini(n);
  ut_scenario_free(s);
}

/* Up to five link faults are tolerated (INTERMEDIATE, table 2: I+D): when traffic goes on, nothing is lost any more. */
static void everything_arrives_afterwards(void **state) {
  (void)state;
  static const struct {
    const char *links, *faults;
    uint64_t at; /* of the last change */
  } runs[] = {{"", "{at: 0, random_links: 1}, {at: 500, random_links: 4}", 500},
              {"", "{at: 500, until: 900, random_links: 4}", 900},
              {", local_ports: 2", "{at: 500, random_links: 1}, {at: 1500, random_links: 2}", 1500},
              {", terminal_links: 3", "{at: 0, random_links: 2}, {at: 500, random_links: 2}", 500}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    struct ut_network n;
    struct ut_scenario *s = planned(&n, runs[i].links, 40, 0, "0.3", runs[i].faults);
    const struct seen seen = run(&n);
    const struct ut_reconfiguration *r = &n.reconfiguration;
    assert_int_equal(seen.first, 540); /* the delay of detection */
    assert_true(seen.last > runs[i].at + 40);
    assert_int_equal(r->resets, 0);
    uint64_t lost = 0;
    for (unsigned j = 0; j < UT_DISCARD_REASONS; j++)
      lost += r->lost[j];
    assert_true(lost > 0); /* in the cycles of detection, and what was on the links */
    assert_int_equal(lost, ut_accounts_discarded(&n.terminals.accounts)); /* then never again */
    assert_int_equal(n.terminals.accounts.delivered + lost, n.terminals.accounts.generated);
    done(&n, s);
  }
}

/* Node i has its entries (i + 1) * 3 cycles and one for each entry after the survey. */
static void how_long_it_takes(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = planned(&n, "", 7, 0, "0.1", "{at: 500, link: {level: 0, switch: 7, port: 2}}");
  const struct ut_paths *before = s->paths;
  const struct seen seen = run(&n);
  uint64_t longest = 0, entries = 0;
  for (uint32_t node = 0; node < 25; node++) {
    uint32_t changes = 0;
    for (uint32_t to = 0; to < 25; to++) /* without faults no pair has an entry */
      changes += ut_paths_find(n.terminals.paths, node, to) != NULL;
    assert_int_equal(before->count, 0);
    const uint64_t time = 3 * (node + 1) + changes;
    longest = time > longest ? time : longest;
    entries += changes;
  }
  assert_true(entries > 0);
  assert_int_equal(n.reconfiguration.entries, entries);
  assert_int_equal(n.reconfiguration.distribute_cycles, longest);
  assert_int_equal(seen.last - seen.emptied, longest);
  assert_int_equal(n.reconfiguration.rounds, 1);
  done(&n, s);
}

/* A change before the routes are planned is among those that they avoid; one that comes later is the next round's, and
 * traffic does not go on in between. */
static void changes_while_traffic_halts(void **state) {
  (void)state;
  static const struct {
    unsigned at;
    uint64_t rounds;
  } seconds[] = {{505, 1}, {509, 1}, {580, 2}};
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
    char faults[160];
    struct ut_network n;
    snprintf(faults, sizeof faults,
             "{at: 500, link: {level: 0, switch: 7, port: 2}}, {at: %u, link: {level: 0, switch: 3, port: 0}}",
             seconds[i].at);
    struct ut_scenario *s = planned(&n, "", 9, 0, "0.1", faults);
    const struct seen seen = run(&n);
    assert_int_equal(n.reconfiguration.rounds, seconds[i].rounds);
    assert_int_equal(seen.longest, seen.halted); /* without a break */
    assert_true(seen.last >= seconds[i].at + 9);
    done(&n, s);
  }
}

/* A network that does not empty in time is reset: what is in it is lost, and then everything arrives. */
static void reset_of_all_switches(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = planned(&n, "", 40, 3, "0.9", "{at: 500, random_links: 3}");
  const struct seen seen = run(&n);
  const struct ut_reconfiguration *r = &n.reconfiguration;
  assert_int_equal(r->resets, 1);
  assert_true(r->lost[UT_DISCARD_PURGED] > 20);
  assert_int_equal(r->drain_cycles, 3 + 1 + UT_RESET_CYCLES);
  assert_int_equal(seen.first + r->drain_cycles, seen.emptied);
  assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_PURGED], r->lost[UT_DISCARD_PURGED]);
  assert_int_equal(ut_network_outstanding(&n), 0);
  uint64_t lost = 0;
  for (unsigned j = 0; j < UT_DISCARD_REASONS; j++)
    lost += r->lost[j];
  assert_int_equal(n.terminals.accounts.delivered + lost, n.terminals.accounts.generated);
  done(&n, s);
}

/* Tables, exclusion intervals and routes that terminals choose: the same rule (REROUTE section I). */
static void all_that_is_written_anew(void **state) {
  (void)state;
  static const char *const of[] = {
      "topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: table",
      "topology: {kind: fat_tree, k: 4, n: 2}\nrouting: {algorithm: fta, exclusion_intervals: 2",
      ("topology: {kind: ft_ruft_212, k: 2, n: 3}\nswitch: {vcs: 1, depth_flits: 6, packet_flits: 2}\n"
       "routing: {algorithm: ruft")};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    struct ut_network n;
    struct ut_scenario *s =
        test_scenario("%s, reconfiguration: static, manager_delay_cycles: 30, manager_switch_cycles: 5}\n"
                      "traffic: {load_flits_per_cycle: 0.2}\nfaults: [{at: 1000, until: 2500, random_links: 1}]\n"
                      "run: {warmup_cycles: 0, measure_cycles: 4000}\n",
                      of[i]);
    test_network(&n, s);
    run(&n);
    const struct ut_reconfiguration *r = &n.reconfiguration;
    assert_int_equal(r->rounds, 2);
    assert_true(r->distribute_cycles >= 2 * 5 * (uint64_t)(i == 2 ? n.topology->terminals : n.topology->switches));
    uint64_t lost = 0;
    for (unsigned j = 0; j < UT_DISCARD_REASONS; j++)
      lost += r->lost[j];
    assert_int_equal(lost, ut_accounts_discarded(&n.terminals.accounts));
    done(&n, s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(everything_arrives_afterwards),
                                     cmocka_unit_test(how_long_it_takes), cmocka_unit_test(changes_while_traffic_halts),
                                     cmocka_unit_test(reset_of_all_switches),
                                     cmocka_unit_test(all_that_is_written_anew)};
  return cmocka_run_group_tests_name("reconfiguration", tests, NULL, NULL);
}
