/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults.c - csim/control/faults, in the 2-ary 3-tree unless said otherwise (switch = 4 * level + index) */
#include "faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fault_entry.h"
#include "topologies.h"

static const uint64_t never = UINT64_MAX;

struct fixture {
  struct ut_topology topology;
  struct ut_scenario scenario;
  struct ut_faults faults;
  struct ut_error error;
  char path[16];
};

static int setup(void **state) {
  struct fixture *x = calloc(1, sizeof *x);
  *state = x;
  strcpy(x->path, "s.yaml");
  x->scenario.path = x->path;
  x->scenario.run.seed = 1;
  return test_fat_tree(&x->topology, 2, 3, 0, false, &x->error);
}

static int teardown(void **state) {
  struct fixture *x = *state;
  ut_faults_free(&x->faults);
  ut_topology_free(&x->topology);
  free(x);
  return 0;
}

static int init(struct fixture *x, struct ut_fault *list, size_t count) {
  ut_faults_free(&x->faults);
  x->scenario.faults = list;
  x->scenario.fault_count = count;
  return ut_faults_init(&x->faults, &x->scenario, &x->topology, &x->error);
}

static void must_init(struct fixture *x, struct ut_fault *list, size_t count) {
  if (init(x, list, count))
    fail_msg("%s", x->error.text);
}

static void must_fail(struct fixture *x, struct ut_fault *list, size_t count, const char *text) {
  assert_int_equal(init(x, list, count), -1);
  assert_int_equal(x->error.code, UT_BAD_INPUT);
  if (!strstr(x->error.text, text))
    fail_msg("'%s' lacks '%s'", x->error.text, text);
  assert_null(x->faults.event);
}

static unsigned advance(struct fixture *x, uint64_t cycle) {
  unsigned changes = 0;
  while (ut_faults_next(&x->faults, cycle))
    changes++;
  return changes;
}

/* Every link has two directions, which fail together here. */
static uint64_t links_up(const struct ut_faults *f, uint32_t sw) {
  assert_int_equal(ut_faults_in_up(f, sw), ut_faults_out_up(f, sw));
  return ut_faults_out_up(f, sw);
}

static void no_faults(void **state) {
  struct fixture *x = *state;
  must_init(x, NULL, 0);
  assert_int_equal(ut_faults_next_cycle(&x->faults), never);
  assert_int_equal(advance(x, never), 0);
  assert_int_equal(links_up(&x->faults, 0), 0xf);
  assert_int_equal(links_up(&x->faults, 8), 0x3); /* a root has no links at its up ports */
  assert_true(ut_faults_switch_up(&x->faults, 8));
  assert_false(ut_faults_link_up(&x->faults, 8, 2));
  ut_faults_rewind(&x->faults);
}

/* The link between 0.1 port 3 and 1.1 port 1, named from its upper end. */
static void one_link(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_LINK, .at_cycle = 10, .until_cycle = 20, .level = 1, .index = 1, .port = 1, .line = 3}};
  must_init(x, list, 1);
  assert_int_equal(ut_faults_next_cycle(&x->faults), 10);
  assert_null(ut_faults_next(&x->faults, 9));
  assert_int_equal(links_up(&x->faults, 1), 0xf);
  const struct ut_fault_event *event = ut_faults_next(&x->faults, 10);
  assert_non_null(event);
  assert_int_equal(event->cycle, 10);
  assert_int_equal(event->what.kind, UT_FAULT_LINK);
  assert_int_equal(event->what.sw, 1);
  assert_int_equal(event->what.port, 3);
  assert_false(event->up);
  assert_null(ut_faults_next(&x->faults, 10));
  assert_int_equal(links_up(&x->faults, 1), 0x7);
  assert_int_equal(links_up(&x->faults, 5), 0xd);
  assert_int_equal(links_up(&x->faults, 0), 0xf);
  assert_int_equal(ut_faults_next_cycle(&x->faults), 20);
  assert_int_equal(advance(x, 19), 0);
  event = ut_faults_next(&x->faults, 25);
  assert_true(event && event->up && event->cycle == 20 && event->what.sw == 1 && event->what.port == 3);
  assert_int_equal(links_up(&x->faults, 1), 0xf);
  assert_int_equal(links_up(&x->faults, 5), 0xf);
  ut_faults_rewind(&x->faults);
  assert_int_equal(advance(x, 10), 1);
  assert_int_equal(links_up(&x->faults, 5), 0xd);
  ut_faults_rewind(&x->faults);
  assert_int_equal(links_up(&x->faults, 5), 0xf);
}

static void terminal_link(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_LINK, .at_cycle = 0, .until_cycle = never, .index = 2, .port = 1}};
  must_init(x, list, 1);
  assert_int_equal(advance(x, 0), 1);
  assert_int_equal(links_up(&x->faults, 2), 0xd);
  assert_int_equal(ut_faults_next_cycle(&x->faults), never); /* permanent */
}

/* 1.2 has links to 0.2, 0.3 (ports 0, 1) and to 2.0, 2.2 (ports 2, 3). */
static void one_switch(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_SWITCH, .at_cycle = 5, .until_cycle = 8, .level = 1, .index = 2}};
  must_init(x, list, 1);
  assert_int_equal(advance(x, 5), 1);
  assert_false(ut_faults_switch_up(&x->faults, 6));
  assert_int_equal(links_up(&x->faults, 6), 0);
  assert_int_equal(links_up(&x->faults, 2), 0xb);
  assert_int_equal(links_up(&x->faults, 3), 0xb);
  assert_int_equal(links_up(&x->faults, 8), 0x1);
  assert_int_equal(links_up(&x->faults, 10), 0x1);
  assert_int_equal(links_up(&x->faults, 7), 0xf);
  assert_int_equal(advance(x, 8), 1);
  for (uint32_t sw = 0; sw < 8; sw++)
    assert_int_equal(links_up(&x->faults, sw), 0xf);
}

/* A leaf switch may fail too: its terminals are cut off. */
static void leaf_switch(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_SWITCH, .at_cycle = 5, .until_cycle = never, .level = 0, .index = 3}};
  must_init(x, list, 1);
  assert_int_equal(advance(x, 5), 1);
  assert_int_equal(links_up(&x->faults, 3), 0);
}

/* The same link three times, twice overlapping and once following without a gap, each time named from another end. */
static void overlapping_faults_nest(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_LINK, .at_cycle = 20, .until_cycle = 40, .level = 0, .index = 1, .port = 3},
      {.kind = UT_FAULT_LINK, .at_cycle = 10, .until_cycle = 30, .level = 1, .index = 1, .port = 1},
      {.kind = UT_FAULT_LINK, .at_cycle = 40, .until_cycle = 50, .level = 0, .index = 1, .port = 3},
  };
  must_init(x, list, 3);
  for (uint64_t cycle = 0; cycle < 60; cycle++) {
    assert_int_equal(advance(x, cycle), cycle == 10 || cycle == 50);
    assert_int_equal(ut_faults_link_up(&x->faults, 1, 3), cycle < 10 || cycle >= 50);
    assert_int_equal(ut_faults_link_up(&x->faults, 5, 1), cycle < 10 || cycle >= 50);
  }
}

/* A link works only when itself and both its switches do. */
static void link_and_both_switches(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_SWITCH, .at_cycle = 10, .until_cycle = 20, .level = 0, .index = 1},
      {.kind = UT_FAULT_LINK, .at_cycle = 15, .until_cycle = 30, .level = 0, .index = 1, .port = 3},
      {.kind = UT_FAULT_SWITCH, .at_cycle = 25, .until_cycle = 35, .level = 1, .index = 1},
  };
  must_init(x, list, 3);
  for (uint64_t cycle = 0; cycle < 40; cycle++) {
    advance(x, cycle);
    assert_int_equal(ut_faults_link_up(&x->faults, 1, 3), cycle < 10 || cycle >= 35);
    assert_int_equal(ut_faults_link_up(&x->faults, 5, 1), cycle < 10 || cycle >= 35);
    assert_int_equal(ut_faults_link_up(&x->faults, 1, 2), cycle < 10 || cycle >= 20);
    assert_int_equal(ut_faults_link_up(&x->faults, 5, 0), cycle < 25 || cycle >= 35);
  }
}

static unsigned inter_switch_links_down(const struct fixture *x) {
  unsigned down = 0;
  for (size_t i = 0; i < x->topology.links; i++) {
    const struct ut_link *link = &x->topology.link[i];
    bool up = ut_faults_link_up(&x->faults, link->lower, link->lower_port);
    assert_int_equal(up, ut_faults_link_up(&x->faults, link->upper, link->upper_port));
    down += !up;
  }
  return down;
}

static void random_links(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 10, .until_cycle = 100, .count = 5},
      {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 20, .until_cycle = never, .count = 10},
      {.kind = UT_FAULT_LINK, .at_cycle = 50, .until_cycle = never, .level = 1, .index = 0, .port = 2},
      {.kind = UT_FAULT_LINK, .at_cycle = 50, .until_cycle = never, .level = 0, .index = 0, .port = 0},
  };
  must_init(x, list, 4);
  assert_int_equal(advance(x, 10), 5);
  assert_int_equal(inter_switch_links_down(x), 5);
  assert_int_equal(advance(x, 20), 10);
  assert_int_equal(inter_switch_links_down(x), 15); /* of 16: no link twice, and not the one that fails later */
  assert_true(ut_faults_link_up(&x->faults, 4, 2));
  assert_int_equal(advance(x, 50), 2);
  assert_int_equal(inter_switch_links_down(x), 16);
  assert_int_equal(advance(x, 100), 5);
  assert_int_equal(inter_switch_links_down(x), 11);
  for (uint32_t sw = 0; sw < 12; sw++)
    assert_true(ut_faults_switch_up(&x->faults, sw));
}

static void random_faults_may_return_to_repaired_links(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 10, .until_cycle = 20, .count = 16},
      {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 20, .until_cycle = 30, .count = 16},
  };
  must_init(x, list, 2);
  advance(x, 10);
  assert_int_equal(advance(x, 20), 0);
  assert_int_equal(inter_switch_links_down(x), 16);
  assert_int_equal(advance(x, 30), 16);
  assert_int_equal(inter_switch_links_down(x), 0);
}

/* Three entries that overlap each other and themselves, 100,000 times: no link is drawn while it is down. */
static void random_links_very_often(void **state) {
  struct fixture *x = *state;
  enum { TIMES = 100000 };
  struct ut_fault list[] = {
      {.kind = UT_FAULT_RANDOM_LINKS,
       .at_cycle = 10,
       .until_cycle = 25,
       .count = 3,
       .every_cycles = 10,
       .times = TIMES},
      {.kind = UT_FAULT_RANDOM_LINKS,
       .at_cycle = 12,
       .until_cycle = 17,
       .count = 4,
       .every_cycles = 10,
       .times = TIMES},
      {.kind = UT_FAULT_LINK,
       .at_cycle = 14,
       .until_cycle = 16,
       .level = 1,
       .port = 2,
       .every_cycles = 10,
       .times = TIMES},
  };
  must_init(x, list, 3);
  for (uint64_t cycle = 30; cycle < 3000; cycle++) {
    const unsigned in = (unsigned)(cycle % 10);
    advance(x, cycle);
    assert_int_equal(inter_switch_links_down(x), (in < 5 ? 6 : 3) + (in >= 2 && in < 7 ? 4 : 0) + (in >= 4 && in < 6));
  }
  assert_int_equal(x->faults.events, 2 * 8 * TIMES);
  advance(x, 10 * TIMES + 30);
  assert_int_equal(inter_switch_links_down(x), 0);
}

/* What an entry draws in another network. */
static uint32_t switches_drawn(struct fixture *x, struct ut_topology *t, struct ut_fault fault, uint64_t seed,
                               uint32_t drawn[]) {
  ut_faults_free(&x->faults);
  fault.until_cycle = never;
  x->scenario.run.seed = seed;
  x->scenario.faults = &fault;
  x->scenario.fault_count = 1;
  if (ut_faults_init(&x->faults, &x->scenario, t, &x->error))
    fail_msg("%s", x->error.text);
  for (size_t i = 0; i < x->faults.events; i++)
    drawn[i] = x->faults.event[i].what.sw;
  return (uint32_t)x->faults.events;
}

static void switches_apart(void **state) {
  struct fixture *x = *state;
  const unsigned size[] = {8, 8};
  uint32_t drawn[9];
  for (unsigned wrap = 0; wrap < 2; wrap++) {
    struct ut_topology t;
    assert_int_equal(test_grid(&t, size, 2, 1, wrap, &x->error), 0);
    struct ut_fault fault = {.kind = UT_FAULT_RANDOM_SWITCHES, .count = wrap ? 4 : 9, .apart = 3};
    for (uint64_t seed = 0; seed < 20; seed++) { /* a mesh has places for 9, a torus for 4, and few sets */
      assert_int_equal(switches_drawn(x, &t, fault, seed, drawn), fault.count);
      for (unsigned i = 0; i < fault.count; i++)
        for (unsigned j = 0; j < i; j++) {
          const unsigned dx = (drawn[i] - drawn[j]) % 8, dy = (drawn[i] / 8 - drawn[j] / 8) % 8;
          const bool near_x = wrap ? dx < 3 || dx > 5 : abs((int)(drawn[i] % 8) - (int)(drawn[j] % 8)) < 3;
          const bool near_y = wrap ? dy < 3 || dy > 5 : abs((int)(drawn[i] / 8) - (int)(drawn[j] / 8)) < 3;
          assert_false(near_x && near_y);
        }
    }
    fault.count = 10;
    x->scenario.faults = &fault;
    fault.until_cycle = never;
    ut_faults_free(&x->faults);
    assert_int_equal(ut_faults_init(&x->faults, &x->scenario, &t, &x->error), -1);
    assert_non_null(strstr(x->error.text, "no place found for 10 switches that are 3 apart"));
    ut_topology_free(&t);
  }
}

/* Every other node of a subcube: as many as it should have, one parity, all in one half of a dimension, and every
 * dimension is free in some draw. */
static void subcubes(void **state) {
  struct fixture *x = *state;
  struct ut_topology t;
  assert_int_equal(test_cube(&t, 6, &x->error), 0);
  uint32_t spanned = 0, drawn[32];
  bool odd[2] = {false};
  for (uint64_t seed = 0; seed < 40; seed++) {
    const struct ut_fault fault = {.kind = UT_FAULT_RANDOM_SUBCUBE, .count = 4, .half_of = 2};
    const uint32_t count = switches_drawn(x, &t, fault, seed, drawn);
    uint32_t differ = 0;
    assert_int_equal(count, 8);
    for (uint32_t i = 0; i < count; i++) {
      differ |= drawn[i] ^ drawn[0];
      assert_int_equal(__builtin_parity(drawn[i]), __builtin_parity(drawn[0]));
    }
    assert_int_equal(__builtin_popcount(differ), 4);
    assert_int_equal(differ & 4, 0);
    spanned |= differ;
    odd[__builtin_parity(drawn[0])] = true;
  }
  assert_int_equal(spanned, 63 & ~4);
  assert_true(odd[0] && odd[1]);
  ut_topology_free(&t);
}

/* Nodes of a subcube that are faulty already are not drawn a second time; its dimensions are no number of nodes. */
static void subcube_of_what_is_left(void **state) {
  struct fixture *x = *state;
  struct ut_topology t;
  struct ut_fault list[8];
  assert_int_equal(test_cube(&t, 3, &x->error), 0);
  for (unsigned i = 0; i < 7; i++)
    list[i] = (struct ut_fault){.kind = UT_FAULT_SWITCH, .at_cycle = 0, .until_cycle = 50, .index = i};
  list[7] = (struct ut_fault){
      .kind = UT_FAULT_RANDOM_SUBCUBE, .at_cycle = 10, .until_cycle = 40, .count = 3, .half_of = UT_NO_DIMENSION};
  x->scenario.faults = list;
  x->scenario.fault_count = 8;
  unsigned last = 0;
  for (x->scenario.run.seed = 0; x->scenario.run.seed < 8; x->scenario.run.seed++) {
    assert_int_equal(ut_faults_init(&x->faults, &x->scenario, &t, &x->error), 0);
    assert_in_range(x->faults.events, 14, 16);
    if (x->faults.events == 16) { /* those with an odd number of ones: the last node is left of them */
      assert_int_equal(x->faults.event[7].what.sw, 7);
      last++;
    }
    ut_faults_free(&x->faults);
  }
  assert_in_range(last, 1, 7);
  ut_topology_free(&t);
}

static void repeated_faults(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_LINK, .at_cycle = 10, .until_cycle = 12, .every_cycles = 5, .times = 3, .port = 2},
      {.kind = UT_FAULT_RANDOM_LINKS,
       .at_cycle = 100,
       .until_cycle = 120,
       .every_cycles = 50,
       .times = 40,
       .count = 1}};
  must_init(x, list, 2);
  assert_int_equal(x->faults.events, 2 * 43);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(x->faults.event[2 * i].cycle, 10 + 5 * i);
    assert_int_equal(x->faults.event[2 * i + 1].cycle, 12 + 5 * i);
  }
  unsigned others = 0;
  for (unsigned i = 0; i < 40; i++) {
    const struct ut_fault_event *down = &x->faults.event[6 + 2 * i];
    assert_int_equal(down->cycle, 100 + 50 * i);
    assert_int_equal(down[1].cycle, 120 + 50 * i);
    others += down->what.sw != x->faults.event[6].what.sw || down->what.port != x->faults.event[6].what.port;
  }
  assert_in_range(others, 30, 39); /* drawn anew each time */
  while (ut_faults_next(&x->faults, UINT64_MAX - 1)) {
  }
  assert_int_equal(x->faults.failures, 43);
}

/* All that there are, for a time and another and another: what ends in a cycle may fail in it again, its own and what
 * others had. */
static void all_links_one_time_after_the_other(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {
      {.kind = UT_FAULT_LINK, .at_cycle = 5, .until_cycle = 10, .port = 2},
      {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 10, .until_cycle = 12, .every_cycles = 2, .times = 3, .count = 16}};
  must_init(x, list, 2);
  assert_int_equal(x->faults.events, 2 + 2 * 3 * 16);
  list[0].until_cycle = 11;
  must_fail(x, list, 2, "16 random links between switches wanted, only 15 are left");
}

/* What an entry found taken, because it lasts longer than the entry, is free for a later one. */
static void links_that_were_taken_for_a_time(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 1, .until_cycle = 100, .count = 8},
                            {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 50, .until_cycle = 60, .count = 8},
                            {.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 200, .until_cycle = 210, .count = 16}};
  must_init(x, list, 3);
  assert_int_equal(x->faults.events, 2 * (8 + 8 + 16));
}

static void random_switches(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_RANDOM_SWITCHES, .at_cycle = 10, .until_cycle = never, .count = 8}};
  must_init(x, list, 1);
  assert_int_equal(advance(x, 10), 8);
  for (uint32_t sw = 0; sw < 12; sw++)
    assert_int_equal(ut_faults_switch_up(&x->faults, sw), sw < 4);
  list[0].count = 2;
  must_init(x, list, 1);
  assert_int_equal(advance(x, 10), 2);
}

/* Over many seeds every link is drawn about equally often, and the same seed draws the same links. */
static void draws_are_fair_and_reproducible(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_RANDOM_LINKS, .at_cycle = 0, .until_cycle = never, .count = 2}};
  unsigned drawn[12][4] = {{0}};
  for (uint64_t seed = 0; seed < 4000; seed++) {
    x->scenario.run.seed = seed;
    must_init(x, list, 1);
    for (size_t i = 0; i < x->faults.events; i++)
      drawn[x->faults.event[i].what.sw][x->faults.event[i].what.port]++;
  }
  for (uint32_t sw = 0; sw < 8; sw++)
    for (unsigned port = 2; port < 4; port++)
      assert_in_range(drawn[sw][port], 410, 590); /* 500, standard deviation 21 */
  struct ut_fault_event first[2];
  must_init(x, list, 1);
  memcpy(first, x->faults.event, sizeof first);
  must_init(x, list, 1);
  for (unsigned i = 0; i < 2; i++)
    assert_true(first[i].what.sw == x->faults.event[i].what.sw && first[i].what.port == x->faults.event[i].what.port);
}

static void errors(void **state) {
  struct fixture *x = *state;
  struct ut_fault list[] = {{.kind = UT_FAULT_LINK, .at_cycle = 5, .until_cycle = never, .level = 3, .line = 17}};
  must_fail(x, list, 1, "s.yaml:17: level 3 does not exist, this network has 0 (leaves) to 2 (roots)");
  list[0].level = 0, list[0].index = 4;
  must_fail(x, list, 1, "s.yaml:17: switch 0.4 does not exist, level 0 has 0..3");
  list[0].level = 2, list[0].index = 0, list[0].port = 3;
  must_fail(x, list, 1, "switch 2.0 is a root: its up ports 2..3 have no link");
  list[0].port = 4;
  must_fail(x, list, 1, "port 4 does not exist, switch 2.0 has 0..3");
  list[0].port = 1, list[0].until_cycle = 5;
  must_fail(x, list, 1, "s.yaml:17: the fault ends at cycle 5");
  list[0] = (struct ut_fault){.kind = UT_FAULT_RANDOM_LINKS, .until_cycle = never, .count = 17};
  must_fail(x, list, 1, "17 random links between switches wanted, this network has 16");
  struct ut_fault two[] = {
      {.kind = UT_FAULT_RANDOM_SWITCHES, .until_cycle = never, .count = 8},
      {.kind = UT_FAULT_SWITCH, .until_cycle = 1, .level = 1, .index = 3},
  };
  must_fail(x, two, 2, "only 7 are left (8 in this fat_tree, 1 faulty");
  struct ut_topology mesh;
  const unsigned size[] = {3, 2};
  assert_int_equal(test_grid(&mesh, size, 2, 1, false, &x->error), 0);
  struct ut_fault border = {.kind = UT_FAULT_LINK, .until_cycle = never, .index = 2, .port = 0, .line = 4};
  x->scenario.faults = &border, x->scenario.fault_count = 1;
  assert_int_equal(ut_faults_init(&x->faults, &x->scenario, &mesh, &x->error), -1);
  assert_non_null(strstr(x->error.text, "s.yaml:4: switch 0.2 has no link at port 0")); /* +x of the last node */
  ut_topology_free(&mesh);
  x->scenario.faults = two, x->scenario.fault_count = 2;
  struct ut_topology tiny;
  assert_int_equal(test_fat_tree(&tiny, 2, 1, 0, false, &x->error), 0);
  assert_int_equal(ut_faults_init(&x->faults, &x->scenario, &tiny, &x->error), -1);
  two[0].count = 1;
  x->scenario.fault_count = 1;
  assert_int_equal(ut_faults_init(&x->faults, &x->scenario, &tiny, &x->error), -1);
  assert_non_null(strstr(x->error.text, "1 random switches above level 0 wanted, this network has 0"));
  ut_topology_free(&tiny);
  struct ut_topology cube;
  two[0].count = 9;
  assert_int_equal(test_cube(&cube, 3, &x->error), 0);
  assert_int_equal(ut_faults_init(&x->faults, &x->scenario, &cube, &x->error), -1);
  assert_non_null(strstr(x->error.text, "9 random switches wanted, this network has 8"));
  ut_topology_free(&cube);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(no_faults),
      TEST(one_link),
      TEST(terminal_link),
      TEST(one_switch),
      TEST(leaf_switch),
      TEST(overlapping_faults_nest),
      TEST(link_and_both_switches),
      TEST(random_links),
      TEST(random_links_very_often),
      TEST(random_faults_may_return_to_repaired_links),
      TEST(random_switches),
      TEST(switches_apart),
      TEST(subcubes),
      TEST(subcube_of_what_is_left),
      TEST(repeated_faults),
      TEST(all_links_one_time_after_the_other),
      TEST(links_that_were_taken_for_a_time),
      TEST(draws_are_fair_and_reproducible),
      TEST(errors),
  };
  return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
