/* SPDX-License-Identifier: Apache-2.0 */
/* test_table.c - forwarding tables: the planner against a search of its own, the manager's timing, algorithm 1's tables
 * against the hard-wired reroute_det_link, switch by switch and cycle by cycle, and the adaptive hybrid against the
 * paper's rules, on every way that a packet may take. */
#include "network.h"
#include "random.h"
#include "scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "registers_equal.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "share.h"
#include "up_down_search.h"

/* ---- REROUTE algorithm 1 */

static void same_switch(const struct ut_network *a, const struct ut_network *b, uint32_t id) {
  const char *name = differing_register(a->group, ut_network_switch(a, id), b->group, ut_network_switch(b, id));
  if (name)
    fail_msg("cycle %llu: switch %u differs in %s", (unsigned long long)a->cycle, (unsigned)id, name);
}

static void compare_with_hard_wired(unsigned k, unsigned n, unsigned vcs, unsigned route_cycles, double load,
                                    const char *faults) {
  static const char *const routing[] = {"algorithm: reroute_det_link",
                                        "algorithm: table_reroute_det_link, tables: static"};
  struct ut_scenario *s[2];
  struct ut_network net[2];
  for (unsigned i = 0; i < 2; i++) {
    s[i] = test_scenario("topology: {kind: fat_tree, k: %u, n: %u}\n"
                         "switch: {vcs: %u, depth_flits: 4, packet_flits: 2, route_cycles: %u}\n"
                         "routing: {%s}\n"
                         "traffic: {load_flits_per_cycle: %.2f}\n"
                         "faults: %s\n"
                         "run: {warmup_cycles: 0, measure_cycles: 4000, drain: false, watchdog_cycles: 0, seed: 7}\n",
                         k, n, vcs, route_cycles, routing[i], load, faults);
    test_network(&net[i], s[i]);
  }
  while (!ut_network_done(&net[0])) {
    ut_network_step(&net[0]);
    ut_network_step(&net[1]);
    for (uint32_t id = 0; id < net[0].topology->switches; id++)
      same_switch(&net[0], &net[1], id);
    assert_memory_equal(&net[0].terminals.accounts, &net[1].terminals.accounts, sizeof net[0].terminals.accounts);
  }
  assert_true(net[0].terminals.accounts.delivered > 1000);
  assert_true(ut_network_u_turns(&net[0]) > 0);
  for (unsigned i = 0; i < 2; i++) {
    ut_network_fini(&net[i]);
    ut_scenario_free(s[i]);
  }
}

static void algorithm_1_is_reroute_det_link(void **state) {
  (void)state;
  compare_with_hard_wired(2, 3, 2, 0, 0.4, "[{at: 500, until: 2500, random_links: 1}, {at: 3000, random_links: 1}]");
  if (SHARE == 1) {
    compare_with_hard_wired(3, 3, 2, 1, 0.3, "[{at: 300, random_links: 2}]");
    compare_with_hard_wired(4, 3, 2, 0, 0.3, "[{at: 300, until: 1200, random_links: 3}, {at: 1500, random_links: 3}]");
    /* beyond what is tolerated, and with switches that fail */
    compare_with_hard_wired(4, 2, 2, 2, 0.7,
                            "[{at: 300, random_links: 6}, {at: 900, until: 1500, random_switches: 1}]");
    compare_with_hard_wired(5, 2, 2, 0, 0.2, "[{at: 10, random_links: 9}, {at: 800, until: 801, random_links: 3}]");
  }
  /* the section's simpler version, for one fault */
  compare_with_hard_wired(4, 3, 1, 0, 0.2, "[{at: 300, random_links: 1}]");
}

/* ---- the planner */

/* Follows the entries from every leaf switch to every destination: it arrives exactly where there is a path, never
 * down and then up, never over a link that is down. */
static void follow_all(struct ut_forwarding *p, const struct ut_topology *t, const ut_mask *up, unsigned *arrived,
                       unsigned *lost) {
  bool below[256], reach[256];
  assert_true(t->switches <= 256);
  for (uint32_t dst = 0; dst < t->terminals; dst++) {
    search(t, up, ut_topology_attachment(t, dst).sw, below, reach);
    for (uint32_t src = 0; src < t->terminals; src++) {
      uint32_t sw = ut_topology_attachment(t, src).sw;
      unsigned port = ut_topology_attachment(t, src).in_port, hops = 0;
      bool expected = reach[sw] && up[ut_topology_attachment(t, dst).sw] >> ut_topology_attachment(t, dst).out_port & 1;
      for (;; hops++) {
        assert_true(hops < 2 * t->levels);
        const bool above = t->up_ports >> port & 1;
        uint64_t word = ut_forwarding_word(p, sw, ut_forwarding_at(p, above, 0, dst));
        assert_int_equal(ut_config_dst(word), dst);
        assert_int_equal(ut_config_kind(word), UT_CONFIG_KIND_ENTRY);
        assert_int_equal(ut_config_bank(word), above);
        assert_true(ut_config_write(word));
        unsigned out = ut_config_port(word);
        bool usable = ut_config_valid(word) && up[sw] >> out & 1;
        if (!usable) {
          assert_false(expected);
          (*lost)++;
          break;
        }
        if (p->local)
          break; /* entries for U-turns too: where they lead is prove's business */
        assert_false(t->up_ports >> port & t->up_ports >> out & 1);
        const struct ut_peer *peer = &t->peer[(size_t)sw * t->po + out];
        if (peer->kind == UT_PEER_TERMINAL) {
          assert_int_equal(peer->index, dst);
          (*arrived)++;
          break;
        }
        sw = peer->index;
        port = peer->port;
      }
    }
  }
}

static void planned_paths_are_those_that_exist(void **state) {
  (void)state;
  static const struct {
    unsigned k, n, links, switches;
  } cases[] = {{2, 3, 0, 0}, {2, 3, 3, 0}, {2, 4, 6, 1}, {3, 3, 8, 0}, {3, 2, 3, 1}, {4, 3, 20, 2}, {5, 2, 9, 0}};
  unsigned arrived = 0, lost = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned seed = 1; seed <= 12; seed++) {
      char links[64] = "", switches[64] = "";
      if (cases[i].links)
        snprintf(links, sizeof links, "{at: 0, random_links: %u},", cases[i].links);
      if (cases[i].switches)
        snprintf(switches, sizeof switches, "{at: 0, random_switches: %u}", cases[i].switches);
      struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: %u, n: %u}\n"
                                            "routing: {algorithm: table}\n"
                                            "traffic: {load_flits_per_cycle: 0.1}\n"
                                            "faults: [%s %s]\n"
                                            "run: {seed: %u}\n",
                                            cases[i].k, cases[i].n, links, switches, seed);
      struct ut_network n;
      test_network(&n, s);
      ut_network_step(&n); /* the faults are there */
      ut_forwarding_survey(&n.manager.forwarding, n.out_up);
      follow_all(&n.manager.forwarding, n.topology, n.out_up, &arrived, &lost);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
  assert_true(arrived > 10000 && lost > 1000);
}

/* The destinations of a dead up link are spread over the others of its switch, a third to each but for one, or for
 * those that are below the switch; all other destinations keep their port. */
static void tables_are_balanced(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 3}\n"
                                        "routing: {algorithm: table}\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n");
  struct ut_network n;
  test_network(&n, s);
  ut_network_step(&n);
  const struct ut_topology *t = n.topology;
  struct ut_forwarding *p = &n.manager.forwarding;
  for (uint32_t sw = 0; sw < 32; sw++) { /* leaf switches and those above */
    uint16_t regular[64];
    ut_forwarding_survey(p, n.out_up);
    for (uint16_t dst = 0; dst < 64; dst++)
      regular[dst] = (uint16_t)ut_config_port(ut_forwarding_word(p, sw, ut_forwarding_at(p, false, 0, dst)));
    for (unsigned dead = 4; dead < 8; dead++) {
      n.out_up[sw] &= ~ut_bit(dead);
      ut_forwarding_survey(p, n.out_up);
      unsigned more[8] = {0}, all = 0;
      for (uint16_t dst = 0; dst < 64; dst++) {
        const unsigned port = ut_config_port(ut_forwarding_word(p, sw, ut_forwarding_at(p, false, 0, dst)));
        if (regular[dst] != dead) {
          assert_int_equal(port, regular[dst]);
          continue;
        }
        assert_true(port != dead && t->up_ports >> port & 1);
        more[port]++;
        all++;
      }
      for (unsigned port = 4; port < 8; port++)
        if (port != dead)
          assert_in_range(more[port], all / 3 - 1, (all + 2) / 3 + 1);
      n.out_up[sw] |= ut_bit(dead);
    }
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* ---- the hybrid with adaptive local rerouting */

/* A 3-ary 3-tree of which two links have failed; each switch has the tables of before or of after that. */
struct mixed {
  struct ut_network net;
  bool renewed[27], all_known; /* all_known: U-turns of other packets have set all bits that they can set */
  bool below[256], reach[256]; /* switches with a fault-free way down, or up and down, to the destination */
  ut_mask own[27];             /* bits that this packet has set */
  uint32_t dst;
  unsigned longest, u_turns, walks;
};
enum { K = 3, UP = 0x38, DOWN = 0x7 };

/* Down port of a switch that leads to a terminal, or K: none does.  By division, as in definition 1. */
static unsigned way_down_of(const struct ut_topology *t, uint32_t sw, uint32_t dst) {
  const unsigned step = t->level[sw] == 0 ? 1 : t->level[sw] == 1 ? 3 : 9;
  const uint32_t first = t->position[sw] / step * step * K; /* terminals below: K * step of them */
  return dst >= first && dst < first + K * step ? (dst - first) / step : K;
}

static ut_mask faulty_above(const struct ut_network *n, uint32_t sw) {
  ut_mask ports = 0;
  for (unsigned port = K; port < 2 * K && n->topology->level[sw] < 2; port++)
    if ((n->out_up[n->topology->peer[sw * 2 * K + port].index] & DOWN) != DOWN && n->out_up[sw] >> port & 1)
      ports |= ut_bit(port);
  return ports;
}

/* Step 1: up by the digit of the destination, any port where that link is down.  With new tables another port where
 * that leads to a fault, if one leads to none. */
static void check_way_up(const struct mixed *m, uint32_t sw, ut_mask offered) {
  const struct ut_topology *t = m->net.topology;
  const ut_mask up = m->net.out_up[sw];
  const unsigned step = t->level[sw] == 0 ? 1 : 3, regular = K + m->dst / step % K;
  if (!m->renewed[sw] || !m->reach[sw] || m->reach[t->peer[sw * 2 * K + regular].index]) {
    if (!m->renewed[sw] || up >> regular & 1) {
      assert_int_equal(offered, up >> regular & 1 ? ut_bit(regular) : up & UP);
      return;
    }
  }
  assert_int_equal(__builtin_popcountll(offered & up & UP), 1);
  assert_true(m->reach[t->peer[sw * 2 * K + ut_first(offered)].index] || !m->reach[sw]);
}

/* The paper's rules, for what one switch offers: VII.A; step 1 by the table. */
static void check_offer(const struct mixed *m, uint32_t sw, unsigned in_port, ut_mask offered) {
  const struct ut_topology *t = m->net.topology;
  const ut_mask up = m->net.out_up[sw], avoided = (m->own[sw] | ut_bit(in_port)) & faulty_above(&m->net, sw);
  const unsigned down = way_down_of(t, sw, m->dst);
  if (down < K && up >> down & 1) { /* step 2 */
    assert_int_equal(offered, ut_bit(down));
  } else if (down < K) { /* steps 2b, 2a */
    assert_int_equal(offered, in_port < K && up >> in_port & 1 ? ut_bit(in_port) : up & DOWN);
  } else if (in_port >= K) { /* steps 3, 4 */
    const ut_mask all = m->all_known ? faulty_above(&m->net, sw) : 0;
    assert_int_equal(offered, up & UP & ~(avoided | all));
  } else {
    check_way_up(m, sw, offered);
  }
}

/* Goes every way that a packet may take from here: it arrives, whatever it chooses. */
static void go(struct mixed *m, uint32_t sw, unsigned in_port, unsigned hops, unsigned turns) {
  const struct ut_topology *t = m->net.topology;
  struct ut_switch *s = ut_network_switch(&m->net, sw);
  struct ut_route_result r;
  s->out_up = m->net.out_up[sw];
  s->neighbour = faulty_above(&m->net, sw);
  s->vector = m->own[sw] | (m->all_known ? s->neighbour : 0);
  m->net.group->route(m->net.group, s, ut_header_make((uint16_t)m->dst, 0, 0, 0), in_port, 0, &r);
  check_offer(m, sw, in_port, r.cand[0]);
  assert_true(r.cand[0] && !r.discard);
  assert_true(hops <= 12); /* a packet that goes round would not stop */
  const ut_mask before = m->own[sw];
  m->own[sw] |= r.set;
  UT_FOR_EACH (port, r.cand[0]) {
    const struct ut_peer *peer = &t->peer[(size_t)sw * 2 * K + port];
    if (peer->kind == UT_PEER_TERMINAL) {
      assert_int_equal(peer->index, m->dst);
      m->longest = hops > m->longest ? hops : m->longest;
      m->u_turns = turns > m->u_turns ? turns : m->u_turns;
      m->walks++;
    } else {
      go(m, peer->index, peer->port, hops + 1, turns + r.uses_state);
    }
  }
  m->own[sw] = before;
}

static void write_tables(struct mixed *m, bool all) {
  struct ut_network *n = &m->net;
  ut_forwarding_survey(&n->manager.forwarding, n->out_up);
  for (uint32_t sw = 0; sw < 27; sw++)
    for (uint32_t i = 0; (all || m->renewed[sw]) && i < n->manager.forwarding.words; i++)
      ut_switch_configure(n->group, ut_network_switch(n, sw), ut_forwarding_word(&n->manager.forwarding, sw, i));
}

static void cut_link(struct ut_network *n, const struct ut_link *link) {
  for (unsigned port = 0; port < 2 * K; port++) {
    if (n->topology->peer[link->lower * 2 * K + port].index == link->upper && port >= K)
      n->out_up[link->lower] &= ~ut_bit(port);
    if (n->topology->peer[link->upper * 2 * K + port].index == link->lower && port < K)
      n->out_up[link->upper] &= ~ut_bit(port);
  }
}

/* Two faults are fewer than k: every packet arrives, whichever switches have their new tables already and whatever it
 * chooses.  Each offer is compared with the paper's rules.  With all new tables no packet turns around. */
static void hybrid_with_old_and_new_tables(void **state) {
  (void)state;
  struct ut_random random;
  unsigned mixed_turns = 0;
  ut_random_init(&random, 7, 1, 0);
  for (unsigned round = 0; round < 60 / SHARE; round++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 3, n: 3}\n"
                                          "routing: {algorithm: table_reroute_adaptive_link}\n"
                                          "traffic: {load_flits_per_cycle: 0.1}\n");
    struct mixed m = {.all_known = round % 2};
    test_network(&m.net, s);
    ut_network_step(&m.net);
    write_tables(&m, true); /* of the network without faults */
    cut_link(&m.net, &m.net.topology->link[ut_random_below(&random, 54)]);
    cut_link(&m.net, &m.net.topology->link[ut_random_below(&random, 54)]);
    const unsigned kind = round % 6; /* 4: none is renewed, 5: all */
    for (uint32_t sw = 0; sw < 27; sw++)
      m.renewed[sw] = kind == 5 || (kind < 4 && ut_random_below(&random, 2));
    write_tables(&m, false);
    for (m.dst = 0; m.dst < 27; m.dst++) {
      search(m.net.topology, m.net.out_up, m.dst / K, m.below, m.reach);
      for (uint32_t src = 0; src < 27; src++)
        go(&m, src / K, src % K, 0, 0);
    }
    assert_true(m.walks >= 27 * 27);
    assert_true(kind != 5 || (m.u_turns == 0 && m.longest == 4));
    mixed_turns += m.u_turns;
    ut_network_fini(&m.net);
    ut_scenario_free(s);
  }
  assert_true(mixed_turns > 0);
}

/* Section IX.A: no packet is lost for want of a path while the manager writes; when it is done nothing turns around. */
static void hybrid_masks_a_fault_until_tables_arrive(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario(
      "topology: {kind: fat_tree, k: 3, n: 3}\n"
      "routing: {algorithm: table_reroute_adaptive_link, manager_delay_cycles: 400, manager_switch_cycles: 30}\n"
      "traffic: {load_flits_per_cycle: 0.3}\n"
      "faults: [{at: 1000, link: {level: 1, switch: 1, port: 4}}, {at: 1000, link: {level: 0, switch: 5, port: 3}}]\n"
      "run: {warmup_cycles: 0, measure_cycles: 5000}\n");
  struct ut_network n;
  test_network(&n, s);
  while (n.cycle < 1400)
    ut_network_step(&n);
  const uint64_t masked = ut_network_u_turns(&n);
  assert_true(masked > 50);
  while (n.cycle < 2700) /* 27 switches, 30 cycles each, and old packets leave */
    ut_network_step(&n);
  const uint64_t turns = ut_network_u_turns(&n);
  assert_true(turns > masked);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_int_equal(ut_network_u_turns(&n), turns);
  assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE], 0);
  assert_int_equal(ut_network_outstanding(&n), 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* ---- next-hop groups */

enum { HOP_SWITCHES = 48, HOP_TERMINALS = 64, HOP_GROUPS = 64 };

/* What the configuration port would write: groups, banks, entries. */
struct written {
  ut_mask group[HOP_SWITCHES][HOP_GROUPS];
  unsigned bank[HOP_SWITCHES][UT_MAX_PORTS], entry[HOP_SWITCHES][2][HOP_TERMINALS];
};

static void write_all(struct ut_forwarding *p, const struct ut_topology *t, struct written *w) {
  for (uint32_t sw = 0; sw < t->switches; sw++)
    for (uint32_t i = 0; i < p->words; i++) {
      const uint64_t word = ut_forwarding_word(p, sw, i);
      const unsigned kind = ut_config_kind(word);
      assert_true(ut_config_write(word));
      if (kind == UT_CONFIG_KIND_GROUP)
        w->group[sw][ut_hop_group_number(word)] = ut_hop_group_ports(word);
      else if (kind == UT_CONFIG_KIND_BANK)
        w->bank[sw][ut_config_port(word)] = ut_config_bank(word);
      else
        w->entry[sw][ut_config_bank(word)][ut_config_dst(word)] = ut_config_group(word);
    }
}

/* All ports that begin a shortest fault-free way to the destination, up and then down, by the search of this file. */
static ut_mask ways_from(const struct ut_topology *t, const ut_mask *up, uint32_t sw, bool from_above, uint32_t dst,
                         const bool *below, const bool *reach) {
  ut_mask ports = 0;
  UT_FOR_EACH (port, up[sw]) {
    const struct ut_peer *peer = &t->peer[(size_t)sw * t->po + port];
    const bool rises = t->up_ports >> port & 1;
    if (peer->kind == UT_PEER_NONE       ? false
        : peer->kind == UT_PEER_TERMINAL ? peer->index == dst
        : rises                          ? !below[sw] && !from_above && reach[peer->index]
                                         : below[peer->index])
      ports |= ut_bit(port);
  }
  return ports;
}

/* The groups of each entry are these sets, or with too few groups a part of them; and what the last plan has named
 * keeps its number, so that old entries lead where they did while the new ones are written. */
static void groups_are_all_shortest_ways(void **state) {
  (void)state;
  static struct written now, last;
  for (unsigned few = 0; few < 2; few++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 3}\n"
                                          "switch: {next_hop_groups: %u}\n"
                                          "routing: {algorithm: forwarding}\n"
                                          "traffic: {load_flits_per_cycle: 0.1}\n",
                                          few ? 6 : HOP_GROUPS);
    struct ut_network n;
    struct ut_random random;
    unsigned exact = 0, parts = 0;
    test_network(&n, s);
    ut_network_step(&n);
    ut_random_init(&random, 5, 1, 0);
    const struct ut_topology *t = n.topology;
    struct ut_forwarding *p = &n.manager.forwarding;
    memset(&last, 0, sizeof last), memset(&now, 0, sizeof now);
    for (unsigned round = 0; round < 6; round++) {
      for (unsigned i = 0; i < 3 * round; i++) { /* links fail and come back */
        const struct ut_link *l = &t->link[ut_random_below(&random, (uint32_t)t->links)];
        n.out_up[l->lower] ^= ut_bit(l->lower_port), n.out_up[l->upper] ^= ut_bit(l->upper_port);
      }
      ut_forwarding_survey(p, n.out_up);
      write_all(p, t, &now);
      for (uint32_t dst = 0; dst < t->terminals; dst++) {
        bool below[256], reach[256];
        search(t, n.out_up, ut_topology_attachment(t, dst).sw, below, reach);
        for (uint32_t sw = 0; sw < t->switches; sw++)
          for (unsigned bank = 0; bank < 2; bank++) {
            const ut_mask right = ways_from(t, n.out_up, sw, bank, dst, below, reach),
                          has = now.group[sw][now.entry[sw][bank][dst]];
            const unsigned old = last.entry[sw][bank][dst];
            assert_int_equal(has & ~right, 0);
            assert_true(few || has == right);
            exact += has == right, parts += has != right;
            assert_int_equal(now.group[sw][old], last.group[sw][old]);
          }
      }
      for (uint32_t sw = 0; sw < t->switches; sw++) {
        assert_int_equal(now.group[sw][0], 0);
        for (unsigned port = 0; port < t->pi; port++)
          assert_int_equal(now.bank[sw][port], t->up_ports >> port & 1);
      }
      last = now;
    }
    assert_true(exact > 10000 && (parts > 0) == few);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Packets lost from the fault of one link on: without a manager tables with one next hop lose all that they send there,
 * next-hop groups only what comes down to it, for the ways up have others. */
static void a_group_carries_on_without_the_manager(void **state) {
  (void)state;
  uint64_t lost[2], delivered[2];
  static const char *const algorithm[] = {"table", "forwarding"};
  for (unsigned i = 0; i < 2; i++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 2}\n"
                                          "routing: {algorithm: %s, tables: static}\n"
                                          "traffic: {load_flits_per_cycle: 0.3}\n"
                                          "faults: [{at: 500, link: {level: 0, switch: 1, port: 5}}]\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 6000}\n",
                                          algorithm[i]);
    struct ut_network n;
    test_network(&n, s);
    while (!ut_network_done(&n))
      ut_network_step(&n);
    lost[i] = n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE];
    delivered[i] = n.terminals.accounts.delivered;
    assert_int_equal(ut_network_outstanding(&n), 0);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  /* of 16 terminals 4 are at switch 1; a way up is one of four, and so is a way down */
  print_message("lost %llu of %llu with one next hop, %llu of %llu with groups\n", (unsigned long long)lost[0],
                (unsigned long long)delivered[0], (unsigned long long)lost[1], (unsigned long long)delivered[1]);
  assert_in_range(lost[1] * 100 / lost[0], 40, 60);
}

/* ---- the manager */

/* Entries of a switch that are not as planned for the network as it is now. */
static unsigned stale_entries(struct ut_network *n, uint32_t sw) {
  const struct ut_group *g = n->group;
  unsigned stale = 0;
  ut_forwarding_survey(&n->manager.forwarding, n->out_up);
  for (unsigned bank = 0; bank < 2; bank++)
    for (unsigned v = 0; v < n->v; v++)
      for (unsigned dst = 0; dst < n->shape->destinations; dst++) {
        struct ut_forwarding *p = &n->manager.forwarding;
        uint64_t word = ut_forwarding_word(p, sw, ut_forwarding_at(p, bank, v, dst));
        unsigned entry = ut_config_valid(word) << g->vc_bits | ut_config_vc(word);
        stale += ut_reg_table(g, ut_switch_of(g, sw), bank, v, dst) != (entry << g->port_bits | ut_config_port(word));
      }
  return stale;
}

static void tables_arrive_switch_by_switch(void **state) {
  (void)state;
  struct ut_scenario *s =
      test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\n"
                    "routing: {algorithm: table, manager_delay_cycles: 100, manager_switch_cycles: 50}\n"
                    "traffic: {load_flits_per_cycle: 0.2}\n"
                    "faults: [{at: 1000, until: 5000, link: {level: 1, switch: 1, port: 2}}]\n"
                    "run: {warmup_cycles: 0, measure_cycles: 8000}\n");
  struct ut_network n;
  test_network(&n, s);
  ut_manager_step(&n.manager, &n.faults, n.out_up, false, n.cycle); /* nothing has been told: it does nothing */
  assert_true(!n.manager.streams && n.manager.phase == UT_MANAGER_IDLE && n.manager.next_cycle == UINT64_MAX);
  for (unsigned round = 0; round < 2; round++) {
    uint64_t change = round ? 5000 : 1000, lost = 0;
    while (n.cycle < change)
      ut_network_step(&n);
    for (uint32_t sw = 0; sw < n.topology->switches; sw++)
      assert_int_equal(stale_entries(&n, sw), 0);
    ut_network_step(&n);
    unsigned stale[12], touched = 0;
    for (uint32_t sw = 0; sw < n.topology->switches; sw++)
      touched += (stale[sw] = stale_entries(&n, sw)) > 0;
    assert_true(touched > 1); /* the leaf switches below, too */
    for (uint32_t sw = 0; sw < n.topology->switches; sw++) {
      /* its first entry is on the port in cycle `begin`, in the table in the next one; then one a cycle */
      uint64_t begin = change + 100 + 50 * (sw + 1);
      while (n.cycle < begin)
        ut_network_step(&n);
      assert_int_equal(stale_entries(&n, sw), stale[sw]);
      for (unsigned i = 0; i < stale[sw]; i++) {
        ut_network_step(&n);
        assert_int_equal(stale_entries(&n, sw), stale[sw] - i - 1);
      }
    }
    if (round == 0) {
      lost = n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE];
      assert_true(lost > 0);
      while (n.cycle < 4990)
        ut_network_step(&n);
      assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE], lost); /* no longer */
    }
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* What changes during a round is attended to in the next one, and a switch that was away gets its entries when it is
 * back. */
static void rounds_follow_each_other(void **state) {
  (void)state;
  struct ut_scenario *s =
      test_scenario("topology: {kind: fat_tree, k: 3, n: 3}\n"
                    "switch: {vcs: 2}\n"
                    "routing: {algorithm: table_reroute_det_link, manager_switch_cycles: 7}\n"
                    "traffic: {load_flits_per_cycle: 0.2}\n"
                    "faults: [{at: 1000, random_links: 2}, {at: 1050, until: 1800, random_links: 3},\n"
                    "  {at: 1100, until: 3500, switch: {level: 1, switch: 4}},\n"
                    "  {at: 1200, until: 3400, switch: {level: 2, switch: 0}}]\n"
                    "run: {warmup_cycles: 0, measure_cycles: 6000}\n");
  struct ut_network n;
  test_network(&n, s);
  while (n.cycle < 3300)
    ut_network_step(&n);
  assert_true(n.manager.phase == UT_MANAGER_IDLE);
  for (uint32_t sw = 0; sw < n.topology->switches; sw++)
    if (!ut_bitmap_get(n.failed, sw))
      assert_int_equal(stale_entries(&n, sw), 0);
  while (n.cycle < 5000)
    ut_network_step(&n);
  for (uint32_t sw = 0; sw < n.topology->switches; sw++)
    assert_int_equal(stale_entries(&n, sw), 0);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_int_equal(ut_network_outstanding(&n), 0);
  assert_int_equal(n.terminals.accounts.corrupt, 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* The configuration port ignores words that do not write, and algorithms without tables. */
static void a_word_writes_one_entry(void **state) {
  (void)state;
  struct ut_shape shape = {.pi = 4,
                           .po = 4,
                           .v = 2,
                           .depth = 4,
                           .w = 64,
                           .max_packet = 2,
                           .min_packet = 2,
                           .route = UT_ROUTE_TABLE,
                           .alloc_cycles = 1,
                           .escapes = 1,
                           .links = 1,
                           .vin1_vcs = 1,
                           .destinations = 8};
  struct ut_group g;
  assert_null(ut_shape_rule(&shape));
  assert_true(ut_group_init(&g, &shape, 0, 1));
  struct ut_switch *s = ut_switch_of(&g, 0);
  uint64_t word = ut_config_make(5, 1, 1, 2, 1, true, 0, UT_CONFIG_KIND_ENTRY, true);
  ut_switch_configure(&g, s, ut_config_set_write(word, false));
  for (unsigned i = 0; i < 2 * 2 * 8; i++)
    assert_int_equal(ut_reg_table(&g, s, i / 16, i / 8 % 2, i % 8), 0);
  ut_switch_configure(&g, s, word);
  for (unsigned i = 0; i < 2 * 2 * 8; i++)
    assert_int_equal(ut_reg_table(&g, s, i / 16, i / 8 % 2, i % 8), i == (1 * 2 + 1) * 8 + 5 ? 1 << 3 | 1 << 2 | 2 : 0);
  assert_int_equal(s->banks, 0);
  for (unsigned port = 0; port < 6; port++) /* ports 4 and 5 do not exist */
    ut_switch_configure(&g, s, ut_config_make(0, port != 1, 0, (uint8_t)port, 0, false, 0, UT_CONFIG_KIND_BANK, true));
  assert_int_equal(s->banks, 0xd);
  ut_switch_configure(&g, s, ut_config_make(0, 0, 0, 3, 0, false, 0, UT_CONFIG_KIND_BANK, true));
  assert_int_equal(s->banks, 5);
  ut_group_fini(&g);
  shape.destinations = 0;
  assert_string_equal(ut_shape_rule(&shape), "tables_need_1_to_65536_destinations");
  shape.route = UT_ROUTE_FATTREE;
  shape.destinations = 8;
  assert_string_equal(ut_shape_rule(&shape), "destinations_are_for_tables");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_word_writes_one_entry),
      cmocka_unit_test(planned_paths_are_those_that_exist),
      cmocka_unit_test(tables_are_balanced),
      cmocka_unit_test(tables_arrive_switch_by_switch),
      cmocka_unit_test(rounds_follow_each_other),
      cmocka_unit_test(algorithm_1_is_reroute_det_link),
      cmocka_unit_test(groups_are_all_shortest_ways),
      cmocka_unit_test(a_group_carries_on_without_the_manager),
      cmocka_unit_test(hybrid_with_old_and_new_tables),
      cmocka_unit_test(hybrid_masks_a_fault_until_tables_arrive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
