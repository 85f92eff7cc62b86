/* SPDX-License-Identifier: Apache-2.0 */
/* test_topology.c - csim/topology/topology and fat_tree, in all sizes; test_every_link.c has each link of small ones */
#include "topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout.h"
#include "scenario.h"
#include "topologies.h"
#include "topology_build.h"

static const struct ut_peer *peer_of(const struct ut_topology *t, uint32_t sw, unsigned port) {
  return &t->peer[(size_t)sw * t->po + port];
}

static void build(struct ut_topology *t, unsigned k, unsigned n) {
  struct ut_error e;
  if (test_fat_tree(t, k, n, 0, false, &e))
    fail_msg("%u-ary %u-tree: %s", k, n, e.text);
}

static void build_m_port(struct ut_topology *t, unsigned k, unsigned n) {
  const struct ut_scenario s = {.topology = {.family = &ut_family_m_port_tree, .k = k, .n = n, .link_cycles = 1}};
  struct ut_error e;
  if (ut_topology_init(t, &s, &e))
    fail_msg("%u-port %u-tree: %s", 2 * k, n, e.text);
}

static void names(void **state) {
  (void)state;
  struct ut_topology t;
  build(&t, 4, 3);
  char text[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  assert_string_equal(ut_topology_switch_name(&t, 0, text), "0.0");
  assert_string_equal(ut_topology_switch_name(&t, 16 + 3, text), "1.3");
  assert_string_equal(ut_topology_switch_name(&t, 47, text), "2.15");
  for (uint32_t sw = 0; sw < t.switches; sw++)
    assert_int_equal(ut_topology_switch(&t, t.level[sw], t.position[sw]), sw);
  assert_int_equal(ut_topology_switch(&t, 0, 16), UINT32_MAX);
  assert_int_equal(ut_topology_switch(&t, 1, 16), UINT32_MAX);
  assert_int_equal(ut_topology_switch(&t, 3, 0), UINT32_MAX);
  assert_string_equal(ut_topology_switch_tuple(&t, 16 + 7, tuple), "<1,13>");
  ut_topology_free(&t);
  build(&t, 12, 3);
  assert_string_equal(ut_topology_switch_tuple(&t, 143, tuple), "<0,11.11>");
  ut_topology_free(&t);
  build(&t, 11, 3); /* digits above 9 stand apart, and only those */
  assert_string_equal(ut_topology_switch_tuple(&t, 121 + 21, tuple), "<1,1.10>");
  ut_topology_free(&t);
  build(&t, 10, 3);
  assert_string_equal(ut_topology_switch_tuple(&t, 100 + 98, tuple), "<1,98>");
  ut_topology_free(&t);
  build(&t, 2, 16); /* the longest one */
  assert_string_equal(ut_topology_switch_tuple(&t, t.switches - 1, tuple), "<15,111111111111111>");
  ut_topology_free(&t);
  build(&t, 4, 1);
  assert_string_equal(ut_topology_switch_tuple(&t, 0, tuple), "<0>");
  ut_topology_free(&t);
}

/* The two ends of every link name each other, links[] holds every inter-switch link once, and levels are neighbours. */
static void check_peers(const struct ut_topology *t) {
  size_t ends = 0, terminals = 0;
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    for (unsigned port = 0; port < t->po; port++) {
      const struct ut_peer *peer = peer_of(t, sw, port);
      if (peer->kind == UT_PEER_TERMINAL) {
        terminals++;
        assert_int_equal(ut_topology_attachment(t, peer->index).sw, sw);
        assert_int_equal(ut_topology_attachment(t, peer->index).out_port, port);
      } else if (peer->kind == UT_PEER_SWITCH) {
        const struct ut_peer *back = peer_of(t, peer->index, peer->port);
        ends++;
        assert_true(back->kind == UT_PEER_SWITCH && back->index == sw && back->port == port);
        assert_int_equal(t->level[peer->index], t->level[sw] + (ut_topology_up_ports(t, sw) >> port & 1 ? 1 : -1));
      } else {
        assert_int_equal(t->level[sw], t->levels - 1);
        assert_true(ut_topology_up_ports(t, sw) >> port & 1);
      }
    }
  }
  assert_int_equal(terminals, t->terminals);
  assert_int_equal(ends, 2 * t->links);
  for (size_t i = 0; i < t->links; i++) {
    const struct ut_link *link = &t->link[i];
    const struct ut_peer *up = peer_of(t, link->lower, link->lower_port);
    assert_true(link->lower < link->upper && up->index == link->upper && up->port == link->upper_port);
    if (i > 0)
      assert_true(link[-1].lower < link->lower ||
                  (link[-1].lower == link->lower && link[-1].lower_port < link->lower_port));
  }
}

static unsigned ports_down(const struct ut_topology *t, uint32_t sw) {
  return t->po - (unsigned)__builtin_popcountll(ut_topology_up_ports(t, sw));
}

/* From `sw` down to the destination by the straps alone. */
static void check_descent(const struct ut_topology *t, uint32_t sw, uint32_t dst) {
  for (unsigned steps = 0; steps <= t->levels; steps++) {
    uint64_t straps = t->straps[sw];
    uint32_t offset = dst - ut_level_strap_base(straps);
    const struct ut_peer *peer = peer_of(t, sw, offset / ut_level_strap_step(straps));
    assert_true(offset < ports_down(t, sw) * ut_level_strap_step(straps));
    if (peer->kind == UT_PEER_TERMINAL) {
      assert_int_equal(peer->index, dst);
      return;
    }
    sw = peer->index;
  }
  fail_msg("switch %u never reaches terminal %u", (unsigned)sw, (unsigned)dst);
}

static bool owns(const struct ut_topology *t, uint32_t sw, uint32_t dst) {
  uint64_t straps = t->straps[sw];
  return dst >= ut_level_strap_base(straps) &&
         dst - ut_level_strap_base(straps) < ports_down(t, sw) * ut_level_strap_step(straps);
}

/* A switch's interval is exactly what it reaches downwards, and climbing by any port (here: a varying one) gets there.
 */
static void check_routes(const struct ut_topology *t) {
  uint32_t stride = t->terminals > 512 ? t->terminals / 97 : 1;
  for (uint32_t dst = 0; dst < t->terminals; dst += stride) {
    for (uint32_t sw = 0; sw<t->switches; sw += t->switches> 2048 ? 61 : 1) {
      uint32_t at = sw;
      for (unsigned turn = dst; !owns(t, at, dst); turn = turn * 5 + 1) {
        const struct ut_peer *peer = peer_of(t, at, t->po / 2 + turn % (t->po / 2));
        assert_int_equal(peer->kind, UT_PEER_SWITCH);
        at = peer->index;
      }
      check_descent(t, at, dst);
    }
  }
}

static void every_size(void **state) {
  (void)state;
  for (unsigned k = 2; k <= 16; k++) {
    unsigned terminals = k;
    for (unsigned n = 1; terminals <= 65536; n++, terminals *= k) {
      if (terminals > 4096 && k != 3 && k != 16)
        continue; /* the same code, only longer */
      struct ut_topology t;
      build(&t, k, n);
      assert_int_equal(t.terminals, terminals);
      assert_int_equal(t.switches, n * (terminals / k));
      check_peers(&t);
      check_routes(&t);
      ut_topology_free(&t);
    }
  }
}

/* The m-port n-tree by the definition of Lin, Chung and Huang: a switch is <w, l>, l = 0 for roots; w has n-1 digits,
 * of which the first one has m values below the roots and m/2 at the roots, and all others m/2.  <w, l> and <w', l+1>
 * are neighbours if and only if w and w' agree in all digits but digit l: at port w'_l of the upper one, m/2 + w_l of
 * the lower one.  A terminal has n digits, the first one of m values, and is at the port of its last digit of the leaf
 * switch of the others. */
enum { MOST_DIGITS = 16 };

/* Writes the digits of a switch's number within its level, the first one first. */
static void digits_of(const struct ut_topology *t, uint32_t sw, unsigned digit[MOST_DIGITS]) {
  uint32_t rest = t->position[sw];
  for (unsigned i = t->levels - 1; i-- > 1; rest /= t->po / 2)
    digit[i] = rest % (t->po / 2);
  digit[0] = rest;
}

/* The link at a port that leads up: l of the upper switch is counted from the roots. */
static void check_link_up(const struct ut_topology *t, uint32_t sw, unsigned port, const unsigned w[MOST_DIGITS]) {
  const struct ut_peer *peer = peer_of(t, sw, port);
  const unsigned l = t->levels - 1u - t->level[peer->index];
  unsigned above[MOST_DIGITS] = {0};
  digits_of(t, peer->index, above);
  assert_int_equal(port, t->po / 2 + above[l]);
  assert_int_equal(peer->port, w[l]);
  for (unsigned i = 0; i + 1 < t->levels; i++)
    assert_true(i == l || w[i] == above[i]);
}

static void check_definition(const struct ut_topology *t) {
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    unsigned w[MOST_DIGITS] = {0}, down = 0;
    const bool root = t->level[sw] + 1u == t->levels;
    digits_of(t, sw, w);
    assert_true(w[0] < (root ? t->po / 2 : t->po));
    for (unsigned port = 0; port < t->po; port++) {
      const struct ut_peer *peer = peer_of(t, sw, port);
      if (peer->kind == UT_PEER_SWITCH && t->level[peer->index] > t->level[sw])
        check_link_up(t, sw, port, w);
      else
        down++;
    }
    assert_int_equal(down, root ? t->po : t->po / 2);
  }
  for (uint32_t terminal = 0; terminal < t->terminals; terminal++) {
    const struct ut_attachment at = ut_topology_attachment(t, terminal);
    assert_int_equal(at.sw * (t->po / 2) + at.out_port, terminal);
  }
}

/* Ways down from a switch to a leaf switch, counted from link to link. */
static unsigned ways_down(const struct ut_topology *t, uint32_t sw, uint32_t leaf) {
  unsigned ways = sw == leaf;
  for (unsigned port = 0; port < t->po; port++) {
    const struct ut_peer *peer = peer_of(t, sw, port);
    if (peer->kind == UT_PEER_SWITCH && t->level[peer->index] < t->level[sw])
      ways += ways_down(t, peer->index, leaf);
  }
  return ways;
}

static void m_port_trees(void **state) {
  (void)state;
  for (unsigned k = 2; k <= 16; k++) {
    unsigned width = 2; /* 2k^(n-1) */
    for (unsigned n = 2; width * k * k <= 4096; n++) {
      struct ut_topology t;
      width *= k;
      build_m_port(&t, k, n);
      assert_int_equal(t.terminals, width * k);
      assert_int_equal(t.switches, (2 * n - 1) * (width / 2));
      assert_int_equal(t.links, (n - 1) * t.terminals);
      check_peers(&t);
      check_definition(&t);
      check_routes(&t);
      for (uint32_t leaf = 0; leaf < width; leaf += width / 4 + 1)
        assert_int_equal(ways_down(&t, t.switches - 1, leaf), 1);
      ut_topology_free(&t);
    }
  }
}

/* Names have the digits of the papers: those of an 8-port tree are single ones, those of a 12-port tree stand apart. */
static void m_port_names(void **state) {
  (void)state;
  char text[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  struct ut_topology t;
  build_m_port(&t, 4, 3);
  assert_string_equal(ut_topology_switch_tuple(&t, 31, text), "<0,73>");
  assert_string_equal(ut_topology_switch_tuple(&t, t.switches - 1, text), "<2,33>");
  assert_string_equal(ut_topology_way(&t, 31, 7, way), "up");
  assert_string_equal(ut_topology_way(&t, t.switches - 1, 7, way), "down");
  ut_topology_free(&t);
  build_m_port(&t, 6, 3);
  assert_string_equal(ut_topology_switch_tuple(&t, 71, text), "<0,11.5>");
  ut_topology_free(&t);
}

static void largest(void **state) {
  (void)state;
  struct ut_topology t;
  build(&t, 2, 16);
  assert_int_equal(t.switches, 524288);
  assert_int_equal(t.links, 15 * 65536);
  assert_int_equal(ut_level_strap_step(t.straps[524287]), 32768);
  ut_topology_free(&t);
}

/* A scenario's network is built anew after its keys have changed; there is none of an impossible one. */
static void from_scenario(void **state) {
  (void)state;
  struct ut_scenario s = {.topology = {.family = &ut_family_fat_tree, .k = 3, .n = 2},
                          .routing = {.reroute_timeout_cycles = 77, .reroute_clear = UT_CLEAR_REPAIR}};
  struct ut_error e;
  assert_int_equal(ut_scenario_build(&s, &e), 0);
  assert_int_equal(s.built->terminals, 9);
  assert_int_equal(ut_level_strap_timeout(s.built->straps[5]), 77);
  assert_int_equal(ut_level_strap_repair(s.built->straps[5]), 1);
  s.routing.reroute_clear = UT_CLEAR_TIMER;
  assert_int_equal(ut_scenario_build(&s, &e), 0);
  assert_int_equal(ut_level_strap_repair(s.built->straps[5]), 0);
  s.topology.k = 0;
  assert_int_equal(ut_scenario_build(&s, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_null(s.built);
  ut_scenario_unbuild(&s);
}

static void impossible(void **state) {
  (void)state;
  static const unsigned bad[][3] = {{1, 3, 0},  {0, 3, 0},  {33, 1, 0},          {2, 0, 0},
                                    {2, 17, 0}, {16, 5, 0}, {4, 4000000000u, 0}, {4, 3, 65536}};
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct ut_topology t;
    struct ut_error e = {0};
    memset(&t, 0xff, sizeof t);
    assert_int_equal(test_fat_tree(&t, bad[i][0], bad[i][1], bad[i][2], false, &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    assert_true(strlen(e.text) > 0);
    assert_true(!t.peer && !t.family && !t.kind && !t.channels); /* it is empty */
    ut_topology_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(m_port_trees), cmocka_unit_test(m_port_names), cmocka_unit_test(names),
      cmocka_unit_test(every_size),   cmocka_unit_test(largest),      cmocka_unit_test(from_scenario),
      cmocka_unit_test(impossible),
  };
  return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
