/* SPDX-License-Identifier: Apache-2.0 */
/* test_prove.c - csim/prove: fault sets, states, dependencies, counter-examples */
#include "method_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "certificate.h"
#include "counter_example.h"
#include "numbering.h"
#include "oracle.h"
#include "prover_bench.h"
#include "random.h"
#include "scenario_read.h"
#include "topologies.h"
#include "topology_build.h"

static const char *const algorithms[] = {"fta",
                                         "destro",
                                         "reroute_adaptive_link",
                                         "reroute_det_link",
                                         "reroute_det_switch",
                                         "reroute_adaptive_switch",
                                         "misroute_header"};
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

static void open_tree(struct bench *b, unsigned k, unsigned n, const char *algorithm, unsigned vcs, const char *more) {
  open_scenario(b, oracle_scenario(k, n, algorithm, vcs, more));
}

static void make_space(struct ut_fault_space *space, const struct ut_topology *t, unsigned links_from,
                       unsigned links_to, unsigned switches_to, uint64_t limit, uint64_t samples) {
  struct ut_error e;
  struct ut_fault_request request = {.links = {links_from, links_to},
                                     .switches = {0, switches_to},
                                     .total = {0, links_to + switches_to},
                                     .limit = limit,
                                     .samples = samples,
                                     .seed = 7};
  assert_int_equal(ut_fault_space_init(space, t, &request, &e), 0);
}

/* ---- fault sets */

static void binomials(void **state) {
  (void)state;
  assert_int_equal(ut_binomial(0, 0), 1);
  assert_int_equal(ut_binomial(3, 5), 0);
  assert_int_equal(ut_binomial(5, 2), 10);
  assert_int_equal(ut_binomial(128, 3), 341376);
  assert_int_equal(ut_binomial(320, 2), 51040);
  assert_int_equal(ut_binomial(320, 3), 5410240);
  assert_true(ut_binomial(64, 32) == UINT64_C(1832624140942590534));
  assert_true(ut_binomial(320, 100) == UINT64_MAX);
}

static void all_sets(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_fault_set set, last = {0};
  struct bench b;
  open_tree(&b, 2, 3, "fta", 0, "");
  make_space(space, &b.topology, 0, 2, 2, UINT64_MAX, 0);
  /* 16 links, 8 switches above the leaves */
  assert_int_equal(space->count, (1 + 16 + 120) * (1 + 8 + 28));
  assert_int_equal(space->blocks, 9);
  uint64_t block_count = 0;
  for (uint64_t i = 0; i < space->count; i++) {
    const struct ut_fault_block *block = ut_fault_space_get(space, i, &set);
    assert_int_equal(set.links, block->links);
    assert_int_equal(set.switches, block->switches);
    block_count += i == block->first;
    for (unsigned j = 0; j < set.links; j++)
      assert_true(set.link[j] < 16 && (!j || set.link[j - 1] < set.link[j]));
    for (unsigned j = 0; j < set.switches; j++)
      assert_true(set.sw[j] >= 4 && set.sw[j] < 12 && (!j || set.sw[j - 1] < set.sw[j]));
    if (i > block->first) { /* the lexicographic order has no repetition */
      int order = 0;
      for (unsigned j = 0; j < set.links && !order; j++)
        order = (set.link[j] > last.link[j]) - (set.link[j] < last.link[j]);
      for (unsigned j = 0; j < set.switches && !order; j++)
        order = (set.sw[j] > last.sw[j]) - (set.sw[j] < last.sw[j]);
      assert_int_equal(order, 1);
    }
    last = set;
  }
  assert_int_equal(block_count, 9);
  close_bench(&b);
  free(space);
}

static void samples(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space), *other = calloc(1, sizeof *other);
  struct ut_fault_set set, again;
  struct bench b;
  unsigned seen[16] = {0};
  open_tree(&b, 2, 3, "fta", 0, "");
  make_space(space, &b.topology, 3, 3, 0, 100, 4000); /* 560 sets */
  make_space(other, &b.topology, 1, 4, 0, 100, 4000);
  assert_false(space->block[0].exhaustive);
  assert_int_equal(space->count, 4000);
  for (uint64_t i = 0; i < 4000; i++) {
    ut_fault_space_get(space, i, &set);
    for (unsigned j = 0; j < 3; j++) {
      assert_true(set.link[j] < 16 && (!j || set.link[j - 1] < set.link[j]));
      seen[set.link[j]]++;
    }
    /* the same sample, whatever else is asked for */
    ut_fault_space_get(other, other->block[2].first + i, &again);
    assert_memory_equal(set.link, again.link, 3 * sizeof set.link[0]);
  }
  for (unsigned i = 0; i < 16; i++) /* each link 750 times on average, standard deviation 24.7 */
    assert_in_range(seen[i], 650, 850);
  close_bench(&b);
  free(space);
  free(other);
}

static void impossible_sets(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_error e = {0};
  struct bench b;
  open_tree(&b, 2, 3, "fta", 0, "");
  struct ut_fault_request request = {.links = {17, 17}, .total = {0, 17}, .limit = 10, .samples = 10};
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, "16 links"));
  request = (struct ut_fault_request){.switches = {0, 9}, .total = {0, 9}, .limit = 10, .samples = 10};
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), -1);
  assert_non_null(strstr(e.text, "8 switches"));
  request = (struct ut_fault_request){.links = {1, 1}, .total = {2, 3}, .limit = 10, .samples = 10};
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), -1);
  close_bench(&b);
  free(space);
}

/* As many faults as can be examined and there are; one more; more combinations, more sets than can be counted. */
static void limits_of_sets(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_error e = {0};
  struct ut_topology t, small, leaves;
  const unsigned size[] = {12, 12}, few[] = {2, 2};
  assert_int_equal(test_grid(&t, size, 2, 1, true, &e), 0); /* 144 switches, 288 links */
  assert_int_equal(test_grid(&small, few, 2, 1, false, &e), 0);
  assert_int_equal(test_fat_tree(&leaves, 2, 1, 0, false, &e), 0);
  static const struct {
    unsigned links[2], switches[2], total[2];
    uint64_t limit;
    const char *message; /* NULL: fine */
    bool small;
  } cases[] = {
      {{128, 128}, {0, 0}, {128, 128}, 0, NULL, false},
      {{129, 129}, {0, 0}, {129, 129}, 0, "129 link faults wanted; this torus has 288 links", false},
      {{0, 0}, {128, 128}, {128, 128}, 0, NULL, false},
      {{0, 0}, {129, 129}, {129, 129}, 0, "129 switch faults wanted; this torus has 144 switches, and", false},
      {{0, 0}, {4, 4}, {4, 4}, 9, NULL, true},
      {{4, 4}, {0, 0}, {4, 4}, 9, NULL, true},
      {{0, 0}, {5, 5}, {5, 5}, 9, "5 switch faults wanted; this mesh has 4 switches, and at most 128", true},
      {{0, 15}, {0, 15}, {0, 30}, 9, NULL, false}, /* 256 blocks */
      {{0, 15}, {0, 16}, {0, 31}, 9, "more than 256 combinations of link and switch faults", false},
      {{60, 60}, {60, 60}, {120, 120}, UINT64_MAX, "too many sets of 60 link and 60 switch faults to try all", false},
      {{9, 9}, {5, 5}, {14, 14}, UINT64_MAX, "too many sets of 9 link and 5 switch faults to try all", false},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct ut_fault_request request = {.links = {cases[i].links[0], cases[i].links[1]},
                                             .switches = {cases[i].switches[0], cases[i].switches[1]},
                                             .total = {cases[i].total[0], cases[i].total[1]},
                                             .limit = cases[i].limit,
                                             .samples = 3};
    const int status = ut_fault_space_init(space, cases[i].small ? &small : &t, &request, &e);
    assert_int_equal(status, cases[i].message ? -1 : 0);
    if (status && !strstr(e.text, cases[i].message))
      fail_msg("'%s' lacks '%s'", e.text, cases[i].message);
  }
  /* 9 links, 5 switches: more sets than 64 bits count, each factor less */
  const struct ut_fault_request many = {
      .links = {9, 9}, .switches = {5, 5}, .total = {14, 14}, .limit = 1000, .samples = 3};
  assert_int_equal(ut_fault_space_init(space, &t, &many, &e), 0);
  assert_true(ut_binomial(288, 9) < UINT64_MAX && ut_binomial(144, 5) < UINT64_MAX);
  assert_true(space->block[0].all == UINT64_MAX && !space->block[0].exhaustive);
  const struct ut_fault_request of_leaves = {.switches = {1, 1}, .total = {1, 1}, .limit = 9, .samples = 3};
  assert_int_equal(ut_fault_space_init(space, &leaves, &of_leaves, &e), -1);
  assert_non_null(strstr(e.text, "1 switch faults wanted; this fat_tree has 0 switches above the leaf level"));
  /* where a link of a terminal goes both ways its injection is the whole of it */
  const struct ut_fault_request in = {
      .links = {1, 1}, .total = {1, 1}, .classes = UT_CLASS_INJECTION, .limit = 9, .samples = 3};
  assert_int_equal(ut_fault_space_init(space, &small, &in, &e), 0);
  assert_true(space->links.count == 4 && space->links.first == 4 && space->count == 4);
  unsigned classes = 0;
  assert_false(ut_link_classes("nonsense", &classes));
  assert_true(ut_link_classes("all", &classes));
  assert_int_equal(classes, 7);
  ut_topology_free(&t);
  ut_topology_free(&small);
  ut_topology_free(&leaves);
  free(space);
}

/* Samples behind the first 2^32, of seeds with all bits: the key of each has all of seed, block and number. */
static void samples_of_many(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_error e;
  struct ut_topology t;
  const unsigned size[] = {6, 6};
  assert_int_equal(test_grid(&t, size, 2, 1, true, &e), 0);
  const uint64_t seeds[] = {0, UINT64_MAX, UINT64_C(0x0302000007000000)};
  for (unsigned i = 0; i < 3; i++) {
    const struct ut_fault_request request = {.links = {3, 3},
                                             .switches = {2, 2},
                                             .total = {5, 5},
                                             .limit = 9,
                                             .samples = UINT64_C(1) << 36,
                                             .seed = seeds[i]};
    assert_int_equal(ut_fault_space_init(space, &t, &request, &e), 0);
    for (uint64_t index = 5; index < request.samples; index += UINT64_C(0x700000001)) {
      struct ut_fault_set set;
      struct ut_random random;
      uint32_t link[3], sw[2];
      const uint64_t block = UINT64_C(0x0302) << 48, high = index >> 32 << 24;
      ut_random_init(&random, seeds[i] ^ block ^ high, UT_RANDOM_SAMPLING, (uint32_t)index);
      ut_combination_draw(&random, 72, 3, link);
      ut_combination_draw(&random, 36, 2, sw);
      ut_fault_space_get(space, index, &set);
      assert_true(set.links == 3 && set.switches == 2);
      assert_memory_equal(set.link, link, sizeof link);
      assert_memory_equal(set.sw, sw, sizeof sw);
    }
  }
  ut_topology_free(&t);
  free(space);
}

/* The scenario's own faults: those that cannot be examined, and why. */
static void faults_of_scenarios(void **state) {
  (void)state;
  static const struct {
    const char *topology, *faults, *message; /* NULL: fine */
  } cases[] = {
      {"kind: fat_tree, k: 4, n: 4", "{at: 0, random_links: 128}", NULL},
      {"kind: fat_tree, k: 4, n: 4", "{at: 0, random_links: 129}", "more than 128 faults at a time"},
      {"kind: fat_tree, k: 4, n: 4", "{at: 0, random_switches: 128}", NULL},
      {"kind: fat_tree, k: 4, n: 4", "{at: 0, random_switches: 129}", "more than 128 faults at a time"},
      {"kind: fat_tree, k: 2, n: 3", "{at: 0, injection: {terminal: 3}}", "one direction of a link fails"},
      {"kind: fat_tree, k: 2, n: 3", "{at: 0, random_terminal_links: 1}", "fails; nothing can go round that"},
      {"kind: mesh, sizes: [3, 3], terminal_links: 2", "{at: 0, random_terminal_links: 1}",
       "fails; only links between switches are examined"},
      {"kind: fat_tree, k: 2, n: 3", "{at: 0, random_links: 16}, {at: 9, until: 10, random_links: 1}",
       "only 0 are left"},
      {"kind: fat_tree, k: 2, n: 3", "{at: 0, switch: {level: 0, switch: 2}}", "leaf switch 0.2 fails"},
  };
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_topology t;
    struct ut_error e;
    char text[512];
    snprintf(text, sizeof text,
             "topology: {%s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\nfaults: [%s]\n",
             cases[i].topology, strstr(cases[i].topology, "mesh") ? "dor" : "fta", cases[i].faults);
    struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
    if (!s || ut_topology_init(&t, s, &e))
      fail_msg("%s", e.text);
    const int status = ut_fault_space_of_scenario(space, &t, s, &e);
    assert_int_equal(status, cases[i].message ? -1 : 0);
    const unsigned char *const behind = (const unsigned char *)&space->is_fixed; /* the last of the switches */
    assert_int_equal(*behind, true);
    assert_true(space->fixed.switches || !space->fixed.sw[0]); /* stands behind the last of the links */
    if (!status) {
      struct ut_fault_set set;
      assert_int_equal(space->fixed.links + space->fixed.switches, 128);
      assert_ptr_equal(ut_fault_space_get(space, 0, &set), &space->block[0]);
      assert_memory_equal(&set, &space->fixed, sizeof set);
    }
    if (status && !strstr(e.text, cases[i].message))
      fail_msg("'%s' lacks '%s'", e.text, cases[i].message);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  free(space);
}

/* ---- states: the same as one packet at a time */

static void compare_with_oracle(struct bench *b, const struct ut_fault_set *set) {
  struct ut_prover *p = &b->prover;
  struct ut_error e;
  struct ut_verdict v;
  struct oracle *o = oracle_new();
  assert_int_equal(ut_prover_examine(p, set, &v, &e), 0);
  assert_true(oracle_run(o, b->scenario, set, true));
  for (uint32_t sw = 0; sw < b->topology.switches; sw++) { /* what the switches know */
    if (p->explorer.dead[sw])
      continue;
    assert_int_equal(p->explorer.up[sw], o->up[sw]);
    assert_int_equal(p->explorer.neighbour[sw], o->neighbour[sw]);
    assert_int_equal(p->explorer.shared[sw], o->shared[sw]);
  }
  assert_int_equal(v.failure[UT_FAILURE_DISCARD], o->discards);
  assert_int_equal(v.failure[UT_FAILURE_LOOP], o->loops);
  assert_int_equal(v.failure[UT_FAILURE_WRONG], o->wrong);
  if (!o->loops) {
    assert_int_equal(v.longest, o->longest);
    assert_int_equal(v.u_turns, o->u_turns);
  }
  oracle_free(o);
  /* nobody else sets bits */
  ut_explorer_set_faults(&p->explorer, set);
  assert_int_equal(ut_reach_run(&ut_by_sets(p)->reach), 0);
  assert_true(oracle_run(o, b->scenario, set, false));
  assert_int_equal(ut_mask_any(ut_by_sets(p)->reach.discarded, p->explorer.words), o->discards);
  assert_int_equal(ut_reach_loops(&ut_by_sets(p)->reach), o->loops);
  oracle_free(o);
  free(o);
}

/* Every so many of the sets. */
static void compare_sets(struct bench *b, const struct ut_fault_space *space, uint64_t step) {
  struct ut_fault_set set;
  for (uint64_t i = 0; i < space->count; i += step) {
    ut_fault_space_get(space, i, &set);
    compare_with_oracle(b, &set);
  }
}

static void oracle_two_ary(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned a = 0; a < ALGORITHMS; a++)
    for (unsigned timer = 0; timer < 2; timer++) {
      struct bench b;
      open_tree(&b, 2, 3, algorithms[a], 0, timer ? ", reroute_clear: timer" : "");
      make_space(space, &b.topology, 0, 2, 1, UINT64_MAX, 0);
      compare_sets(&b, space, 3 + timer * 4);
      make_space(space, &b.topology, 4, 4, 0, 10, 40);
      compare_sets(&b, space, 1);
      close_bench(&b);
    }
  free(space);
}

static void oracle_three_ary(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned a = 0; a < ALGORITHMS; a++) {
    struct bench b;
    open_tree(&b, 3, 2, algorithms[a], 0, "");
    for (unsigned faults = 1; faults < 5; faults++) {
      make_space(space, &b.topology, faults, faults, 1, 10, 12);
      compare_sets(&b, space, 1);
    }
    close_bench(&b);
  }
  struct bench b;
  open_tree(&b, 2, 3, "reroute_det_link", 1, "");
  make_space(space, &b.topology, 0, 2, 0, UINT64_MAX, 0);
  compare_sets(&b, space, 1);
  close_bench(&b);
  free(space);
}

/* What is found must not depend on how many values of rt have room at first, and so neither on their numbers. */
static uint64_t all_states(struct ut_reach *r) {
  const struct ut_explorer *x = r->explorer;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    const uint32_t state = r->reached.touched[i];
    uint64_t key = (uint64_t)ut_reach_channel(r, state) << 32 | x->rt_value[ut_reach_rt(r, state)];
    for (unsigned j = 0; j < x->words; j++)
      key = ut_hash_mix(key * 31 + r->reached.mask[(size_t)state * x->words + j]);
    sum += ut_hash_mix(key ^ ut_reach_own_bits(r, state));
  }
  return sum;
}

/* With room for one value only the exploration starts anew until all have room. */
static void more_values_than_room(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  unsigned most = 0;
  struct bench b;
  open_tree(&b, 3, 3, "misroute_header", 0, "");
  make_space(space, &b.topology, 4, 4, 0, 10, 12);
  for (uint64_t i = 0; i < space->count; i++) {
    struct ut_explorer small, large;
    struct ut_reach few = {0}, enough = {0};
    struct ut_fault_set set;
    struct ut_error e;
    assert_int_equal(ut_explorer_init(&small, b.scenario, &b.topology, &e), 0);
    assert_int_equal(ut_explorer_init(&large, b.scenario, &b.topology, &e), 0);
    small.rt_room = 1;
    assert_int_equal(ut_reach_init(&few, &small, &e), 0);
    assert_int_equal(ut_reach_init(&enough, &large, &e), 0);
    ut_fault_space_get(space, i, &set);
    ut_explorer_set_faults(&small, &set), ut_explorer_set_faults(&large, &set);
    assert_int_equal(ut_reach_run(&few), 0);
    assert_int_equal(ut_reach_run(&enough), 0);
    assert_false(small.rt_overflow || large.rt_overflow);
    assert_int_equal(small.rts, large.rts);
    assert_true(small.rts <= small.rt_room && small.rt_room < 2 * small.rts + 2 && large.rt_room > small.rt_room);
    assert_int_equal(few.reached.count, enough.reached.count);
    assert_true(all_states(&few) == all_states(&enough));
    assert_memory_equal(few.discarded, enough.discarded, 3 * small.words * sizeof *few.discarded);
    assert_int_equal(ut_reach_longest(&few), ut_reach_longest(&enough));
    assert_int_equal(ut_reach_u_turns(&few), ut_reach_u_turns(&enough));
    most = small.rts > most ? small.rts : most;
    ut_reach_free(&few), ut_reach_free(&enough);
    ut_explorer_free(&small), ut_explorer_free(&large);
  }
  assert_true(most > 2); /* it grew more than once */
  close_bench(&b);
  free(space);
}

/* What a switch answers does not depend on source and sequence number of a packet, as the rows assume. */
static void answers_by_destination(void **state) {
  (void)state;
  struct ut_random random;
  ut_random_init(&random, 1, UT_RANDOM_TEST, 0);
  for (unsigned a = 0; a < ALGORITHMS; a++) {
    struct bench b;
    open_tree(&b, 3, 3, algorithms[a], 0, "");
    struct ut_explorer *w = &b.prover.explorer;
    for (unsigned i = 0; i < 20000; i++) {
      struct ut_route_result r, other;
      uint32_t channel = ut_random_below(&random, w->channels), dst = ut_random_below(&random, 27);
      struct ut_switch *s = ut_switch_of(w->group, w->channel[channel].sw);
      w->up[w->channel[channel].sw] = ut_random_u32(&random) & w->all_up[w->channel[channel].sw];
      w->neighbour[w->channel[channel].sw] = ut_random_u32(&random) & 0x38;
      uint32_t rt = w->group[0].form.rewrites ? ut_random_below(&random, 6) : 0;
      ut_explorer_ask(w, channel, dst, rt, ut_random_u32(&random) & 0x38, &r);
      memset(&other, 0, sizeof other);
      w->group[0].route(w->group, s,
                        ut_header_make((uint16_t)dst, (uint16_t)ut_random_below(&random, 27), (uint8_t)i, rt),
                        w->channel[channel].port, w->channel[channel].vc, &other);
      for (unsigned v = 0; v < w->v; v++)
        assert_int_equal(r.cand[v], other.cand[v]);
      assert_int_equal(r.set, other.set);
      assert_int_equal(r.discard, other.discard);
      if (w->group[0].form.rewrites)
        assert_int_equal(r.rt, other.rt);
    }
    close_bench(&b);
  }
}

/* ---- claims */

static struct ut_proof prove(unsigned k, unsigned n, const char *algorithm, unsigned vcs, unsigned links,
                             unsigned switches, unsigned workers) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_parallel parallel = {.workers = workers};
  struct ut_proof proof;
  struct ut_error e;
  struct bench b;
  open_tree(&b, k, n, algorithm, vcs, "");
  make_space(space, &b.topology, 0, links, switches, UINT64_MAX, 0);
  assert_int_equal(ut_prove(b.scenario, &b.topology, space, NULL, &parallel, &proof, &e), 0);
  assert_int_equal(proof.sets, space->count);
  close_bench(&b);
  free(space);
  return proof;
}

static void holds(struct ut_proof p) {
  assert_int_equal(p.connected, p.sets);
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    assert_int_equal(p.failing[i], 0);
    assert_true(p.first[i] == UINT64_MAX);
  }
}

static void below_k(void **state) {
  (void)state;
  struct ut_proof p = prove(2, 3, "fta", 0, 0, 0, 1); /* no faults: 2 hops up, 2 down */
  holds(p);
  assert_int_equal(p.longest, 4);
  assert_int_equal(p.u_turns, 0);
  p = prove(2, 3, "reroute_adaptive_link", 0, 1, 0, 1); /* one U-turn: one hop down and one up more */
  holds(p);
  assert_int_equal(p.sets, 17);
  assert_int_equal(p.longest, 6);
  assert_int_equal(p.u_turns, 1);
  p = prove(2, 3, "reroute_adaptive_switch", 0, 1, 0, 1); /* two down, two up more, for a fault of a root's link */
  holds(p);
  assert_int_equal(p.longest, 8);
  p = prove(3, 2, "reroute_adaptive_link", 0, 2, 0, 1); /* 2 hops, and twice round: down, up, down, up */
  holds(p);
  assert_int_equal(p.sets, 1 + 9 + 36);
  assert_int_equal(p.longest, 6);
  assert_int_equal(p.u_turns, 2);
  assert_true(p.dependency_cycles > 0); /* harmless ones: the subfunction has none */
  assert_int_equal(p.no_subfunction, 0);
  holds(prove(3, 2, "reroute_det_link", 0, 2, 0, 1));
  holds(prove(3, 2, "misroute_header", 0, 2, 0, 1));
  holds(prove(2, 3, "reroute_det_switch", 0, 0, 1, 1));
  holds(prove(2, 3, "reroute_adaptive_switch", 0, 0, 1, 1));
}

static void beyond(void **state) {
  (void)state;
  /* fta: each of the 16 links takes the only way down from its upper switch */
  struct ut_proof p = prove(2, 3, "fta", 0, 1, 0, 1);
  assert_int_equal(p.connected, 1);
  assert_int_equal(p.failing[UT_FAILURE_DISCARD], 16);
  assert_int_equal(p.first[UT_FAILURE_DISCARD], 1);
  assert_int_equal(p.failing[UT_FAILURE_CYCLE], 0);
  /* k faults */
  p = prove(2, 3, "reroute_adaptive_link", 0, 2, 0, 1);
  assert_true(p.connected < p.sets && p.connected > 100);
  assert_true(p.failing[UT_FAILURE_CYCLE] > 0);
  assert_true(p.no_subfunction >= p.failing[UT_FAILURE_CYCLE]);
  assert_true(p.dependency_cycles >= p.no_subfunction);
  assert_true(p.first[UT_FAILURE_DISCARD] >= 17);
  /* a link algorithm under a switch fault: the switch's only way down is gone for the whole group */
  p = prove(2, 3, "reroute_adaptive_link", 0, 0, 1, 1);
  assert_true(p.connected < p.sets);
  /* one layer instead of two */
  p = prove(2, 3, "reroute_det_link", 1, 2, 0, 1);
  assert_true(p.failing[UT_FAILURE_CYCLE] > 0);
  p = prove(2, 3, "reroute_det_link", 2, 2, 0, 1);
  assert_int_equal(p.failing[UT_FAILURE_CYCLE], 0);
  assert_int_equal(p.failing[UT_FAILURE_NUMBERING], 0);
}

static void any_number_of_workers(void **state) {
  (void)state;
  struct ut_proof one = prove(2, 3, "reroute_det_link", 1, 2, 1, 1),
                  three = prove(2, 3, "reroute_det_link", 1, 2, 1, 3);
  assert_memory_equal(one.failing, three.failing, sizeof one.failing);
  assert_memory_equal(one.first, three.first, sizeof one.first);
  assert_int_equal(one.connected, three.connected);
  assert_int_equal(one.longest, three.longest);
  assert_int_equal(one.dependency_cycles, three.dependency_cycles);
}

/* Bits that were set under faults that have been repaired since. */
static struct ut_proof prove_stale(unsigned k, unsigned n, const char *algorithm, const char *clear, unsigned links,
                                   unsigned switches) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_parallel parallel = {.workers = 1};
  struct ut_proof proof;
  struct ut_error e;
  struct bench b;
  open_tree(&b, k, n, algorithm, 0, clear);
  make_space(space, &b.topology, 0, links, switches, UINT64_MAX, 0);
  ut_mask *stale = ut_prove_stale_bits(b.scenario, &b.topology, space, &parallel, &e);
  assert_non_null(stale);
  if (links && switches == 0) /* some fault below each upper switch sets a bit of its neighbours below it */
    for (uint32_t sw = 0; sw < b.topology.switches; sw++)
      assert_int_equal(stale[sw], (unsigned)b.topology.level[sw] + 1 < n ? ut_mask_all(k) << k : 0);
  assert_int_equal(ut_prove(b.scenario, &b.topology, space, stale, &parallel, &proof, &e), 0);
  free(stale);
  close_bench(&b);
  free(space);
  return proof;
}

static void repairs(void **state) {
  (void)state;
  holds(prove_stale(2, 3, "reroute_adaptive_link", ", reroute_clear: repair", 1, 0));
  holds(prove_stale(3, 2, "reroute_adaptive_link", ", reroute_clear: repair", 2, 0));
  holds(prove_stale(2, 3, "reroute_adaptive_switch", ", reroute_clear: repair", 0, 1));
  /* the paper's timer: one fault, and the other bit from an earlier one */
  struct ut_proof p = prove_stale(2, 3, "reroute_adaptive_link", ", reroute_clear: timer", 1, 0);
  assert_int_equal(p.connected, 1); /* without a fault there is no U-turn */
  assert_int_equal(p.failing[UT_FAILURE_DISCARD], 16);
  p = prove_stale(2, 3, "reroute_adaptive_switch", ", reroute_clear: timer", 0, 1);
  assert_true(p.failing[UT_FAILURE_DISCARD] > 0);
}

/* ---- the papers' numbers, by hand for the 2-ary 3-tree */

static int64_t number(const struct ut_explorer *w, unsigned lower_level, unsigned position, unsigned up_port, bool up,
                      unsigned vc) {
  const struct ut_topology *t = w->topology;
  uint32_t lower = ut_topology_switch(t, lower_level, position);
  const struct ut_peer *p = &t->peer[(size_t)lower * t->po + up_port];
  uint32_t sw = up ? p->index : lower;
  unsigned port = up ? p->port : up_port;
  return ut_channel_number(w, w->channel_of[((size_t)sw * t->pi + port) * w->v + vc]);
}

static void link_numbers(void **state) {
  (void)state;
  struct bench b;
  open_tree(&b, 2, 3, "reroute_det_link", 0, "");
  const struct ut_explorer *w = &b.prover.explorer;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned port = 2; port < 4; port++) {
      unsigned d = port - 2; /* place in D */
      assert_int_equal(number(w, 0, i, port, true, 0), 0);
      assert_int_equal(number(w, 1, i, port, true, 0), 1);
      assert_int_equal(number(w, 1, i, port, false, 0), 2);
      assert_int_equal(number(w, 1, i, port, true, 1), 3 + 2 * d);
      assert_int_equal(number(w, 1, i, port, false, 1), 4 + 2 * d);
      assert_int_equal(number(w, 0, i, port, false, 0), 7);
      assert_int_equal(number(w, 0, i, port, true, 1), 8 + 2 * d);
      assert_int_equal(number(w, 0, i, port, false, 1), 9 + 2 * d);
    }
  close_bench(&b);
}

/* A fault of an example names the link by its lower end, as scenarios do. */
static void outages_of_links(void **state) {
  (void)state;
  struct bench b;
  open_tree(&b, 2, 3, "fta", 0, "");
  const struct ut_topology *t = b.prover.explorer.topology;
  for (uint32_t i = 0; i < t->links; i++) {
    const struct ut_outage o = ut_outage_of_link(t, i);
    assert_int_equal(o.sw, t->link[i].lower);
    assert_int_equal(o.port, t->link[i].lower_port);
    assert_int_equal(o.channel, o.sw * t->po + o.port);
    assert_true(o.both);
  }
  close_bench(&b);
}

static void switch_numbers(void **state) {
  (void)state;
  struct bench b;
  open_tree(&b, 2, 3, "reroute_det_switch", 0, "");
  const struct ut_explorer *w = &b.prover.explorer;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned port = 2; port < 4; port++) {
      unsigned d = port - 2;
      assert_int_equal(number(w, 0, i, port, true, 0), 0);
      assert_int_equal(number(w, 1, i, port, true, 0), 1);
      assert_int_equal(number(w, 1, i, port, false, 0), 2);
      assert_int_equal(number(w, 1, i, port, true, 1), 3 + 4 * d);
      assert_int_equal(number(w, 1, i, port, false, 1), 6 + 4 * d);
      assert_int_equal(number(w, 0, i, port, false, 0), 11);
      assert_int_equal(number(w, 0, i, port, true, 1), 12 + 4 * d);
      assert_int_equal(number(w, 0, i, port, false, 1), 15 + 4 * d);
      /* rule 5: the ML1 channels that come up to switch 1.i have place i mod 2 */
      assert_int_equal(number(w, 1, i, port, true, 2), 13 + 4 * (i % 2));
      assert_int_equal(number(w, 1, i, port, false, 2), 14 + 4 * (i % 2));
      assert_int_equal(number(w, 0, i, port, true, 2), -1);
    }
  close_bench(&b);
}

/* ---- mutants: routing code with a mistake in it must be found out */

static ut_route_function *real_route;

/* Never enters the re-routing layer. */
static void one_layer(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                      unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  r->cand[0] |= r->cand[1];
  r->cand[1] = 0;
}

/* Leaf switches mix up their terminals. */
static void wrong_port(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                       unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->stage.level == 0 && r->cand[0] && r->cand[0] < 4)
    r->cand[0] ^= 3;
}

/* U-turns forget which ports were tried. */
static void forgetful(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                      unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (r->set) {
    r->cand[0] = s->out_up & 0xc;
    r->discard = false;
  }
}

/* A U-turn discards as soon as its vector has a bit. */
static void impatient(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                      unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (r->set && s->vector) {
    r->cand[0] = 0;
    r->discard = true;
  }
}

static struct ut_verdict examine_mutant(struct bench *b, ut_route_function *mutant, unsigned link) {
  struct ut_fault_set set = {.links = 1, .link = {link}};
  struct ut_verdict v;
  struct ut_error e;
  real_route = b->prover.explorer.group[0].route;
  b->prover.explorer.group[0].route = mutant;
  assert_int_equal(ut_prover_examine(&b->prover, &set, &v, &e), 0);
  return v;
}

static void mutants(void **state) {
  (void)state;
  struct bench b;
  open_tree(&b, 2, 3, "reroute_det_link", 0, "");
  struct ut_verdict v = examine_mutant(&b, one_layer, 0);
  assert_true(v.failure[UT_FAILURE_NUMBERING]);
  assert_false(v.failure[UT_FAILURE_DISCARD] || v.failure[UT_FAILURE_LOOP] || v.failure[UT_FAILURE_WRONG]);
  close_bench(&b);
  open_tree(&b, 2, 3, "reroute_adaptive_link", 0, "");
  v = examine_mutant(&b, wrong_port, 0);
  assert_true(v.failure[UT_FAILURE_WRONG]);
  assert_false(v.failure[UT_FAILURE_DISCARD] || v.failure[UT_FAILURE_LOOP]);
  close_bench(&b);
  open_tree(&b, 2, 3, "reroute_adaptive_link", 0, "");
  v = examine_mutant(&b, forgetful, 0);
  assert_true(v.failure[UT_FAILURE_LOOP]);
  assert_true(v.dependency_cycle && v.failure[UT_FAILURE_CYCLE] == false); /* another port is always there */
  close_bench(&b);
  /* only another packet can have set the bit: the prover has to think of it */
  open_tree(&b, 2, 3, "reroute_adaptive_link", 0, "");
  v = examine_mutant(&b, impatient, 0);
  assert_true(v.failure[UT_FAILURE_DISCARD]);
  struct ut_fault_set set = {.links = 1};
  ut_explorer_set_faults(&b.prover.explorer, &set);
  assert_int_equal(ut_reach_run(&ut_by_sets(&b.prover)->reach), 0);
  assert_true(ut_reach_connected(&ut_by_sets(&b.prover)->reach)); /* without it all is well */
  close_bench(&b);
}

/* Fewer faults go first, then the worst kind: of a cycle of three faults and a discard of two it is the discard. */
static void worst_kind(void **state) {
  (void)state;
  enum { BLOCK_BIT = 55 };
  for (unsigned a = 0; a < UT_FAILURES; a++)
    for (unsigned b = 0; b < UT_FAILURES; b++)
      for (unsigned block = 0; block < 3 && a != b; block++) {
        struct ut_proof p = {.sets = 9};
        for (unsigned i = 0; i < UT_FAILURES; i++)
          p.first[i] = UINT64_MAX;
        assert_int_equal(ut_proof_worst(&p), UT_FAILURES);
        p.first[a] = 7, p.rank[a] = (UINT64_C(1) << BLOCK_BIT | 7) + 1;
        assert_int_equal(ut_proof_worst(&p), a);
        p.first[b] = 8, p.rank[b] = ((uint64_t)block << BLOCK_BIT | 8) + 1;
        const enum ut_failure worst = ut_proof_worst(&p);
        if (block != 1)
          assert_int_equal(worst, block < 1 ? b : a);
        else if (a == UT_FAILURE_CYCLE || b == UT_FAILURE_CYCLE)
          assert_int_equal(worst, UT_FAILURE_CYCLE);
        else if (a == UT_FAILURE_ROUTE || b == UT_FAILURE_ROUTE)
          assert_int_equal(worst, a == UT_FAILURE_ROUTE ? b : a);
      }
}

/* Of what there are no certificates, and why. */
static void without_certificate(void **state) {
  (void)state;
  static const struct {
    const char *topology, *sw, *routing, *why; /* NULL: there are some */
  } cases[] = {
      {"kind: fat_tree, k: 2, n: 2", "vcs: 1", "algorithm: fta", NULL},
      {"kind: torus, k: 3, n: 2", "vcs: 1", "algorithm: dor", NULL},
      {"kind: ft_ruft_222, k: 2, n: 2", "vcs: 1", "algorithm: ruft", "its links have one direction"},
      {"kind: torus, k: 3, n: 2, terminal_links: 2", "vcs: 1", "algorithm: dor", "its terminals have several links"},
      {"kind: torus, k: 3, n: 2", "vcs: 3, depth_flits: 8", "algorithm: duato, mechanisms: {intermediate: 1}",
       "its routes are planned"},
      {"kind: mesh, sizes: [3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
       "is computed by many of them"},
      {"kind: fat_tree, k: 2, n: 2", "vcs: 1", "algorithm: table", "its tables or intervals are written anew"},
      {"kind: fat_tree, k: 2, n: 2", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: timer",
       "outlives its fault"},
      {"kind: fat_tree, k: 2, n: 2", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", NULL},
  };
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned samples = 0; samples < 2; samples++) {
      struct bench b;
      struct ut_error e = {.text = ""};
      char text[512];
      snprintf(text, sizeof text, "topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
               cases[i].topology, cases[i].sw, cases[i].routing);
      b.scenario = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
      if (!b.scenario || ut_topology_init(&b.topology, b.scenario, &e) ||
          ut_prover_init(&b.prover, b.scenario, &b.topology, &e))
        fail_msg("%s", e.text);
      make_space(space, &b.topology, 0, 1, 0, samples ? 2 : UINT64_MAX, 1);
      const int status = ut_certificate_possible(&b.prover, space, &e);
      const char *why = cases[i].why ? cases[i].why : samples ? "only some of the fault sets are asked for" : NULL;
      assert_int_equal(status, why ? -1 : 0);
      if (why && !strstr(e.text, why))
        fail_msg("'%s' lacks '%s'", e.text, why);
      close_bench(&b);
    }
  free(space);
}

/* ---- counter-examples */

/* Each step is what the route function answers, and leads to the next one. */
static void check_steps(const struct bench *b, const struct ut_counter_example *c, bool walk) {
  const struct ut_topology *t = &b->topology;
  struct ut_explorer *w = (struct ut_explorer *)&b->prover.explorer;
  for (size_t i = 0; i < c->steps; i++) {
    const struct ut_step *s = &c->step[i];
    struct ut_route_result r;
    uint32_t channel = w->channel_of[((size_t)s->sw * t->pi + s->in_port) * w->v + s->in_vc];
    ut_explorer_ask(w, channel, s->dst, s->rt, s->vector, &r);
    if (!s->leaves) {
      assert_true(r.discard);
      assert_int_equal(i + 1, c->steps);
      continue;
    }
    assert_true(r.cand[s->out_vc] & ut_bit(s->out_port));
    const struct ut_peer *p = &t->peer[(size_t)s->sw * t->po + s->out_port];
    size_t next = i + 1 < c->steps ? i + 1 : walk ? c->back_to : 0;
    assert_int_equal(p->kind, UT_PEER_SWITCH);
    assert_int_equal(c->step[next].sw, p->index);
    assert_int_equal(c->step[next].in_port, p->port);
    assert_int_equal(c->step[next].in_vc, s->out_vc);
    if (walk) {
      assert_int_equal(s->dst, c->dst);
      if (w->group[0].form.rewrites)
        assert_int_equal(c->step[next].rt, r.rt);
    }
  }
  if (walk) { /* starts at its source */
    assert_int_equal(c->step[0].sw, ut_topology_attachment(t, c->src).sw);
    assert_int_equal(c->step[0].in_port, ut_topology_attachment(t, c->src).in_port);
  }
}

static void find(struct bench *b, struct ut_fault_space *space, enum ut_failure kind, struct ut_counter_example *c) {
  struct ut_parallel parallel = {.workers = 1};
  struct ut_proof proof;
  struct ut_error e;
  assert_int_equal(ut_prove(b->scenario, &b->topology, space, NULL, &parallel, &proof, &e), 0);
  assert_true(proof.first[kind] != UINT64_MAX);
  if (ut_counter_example_find(c, &b->prover, space, proof.first[kind], kind, &e))
    fail_msg("%s", e.text);
}

static void shortest_discard(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_counter_example c;
  struct bench b;
  open_tree(&b, 2, 3, "fta", 0, "");
  make_space(space, &b.topology, 0, 1, 0, UINT64_MAX, 0);
  find(&b, space, UT_FAILURE_DISCARD, &c);
  /* the first link is 0.0-1.0; the shortest way to the switch above it is from the other leaf switch below that */
  assert_int_equal(c.index, 1);
  assert_int_equal(c.steps, 2);
  assert_int_equal(c.step[0].sw, 1);
  assert_int_equal(c.step[1].sw, 4);
  assert_int_equal(ut_counter_example_hops(&c, &b.topology), 1);
  check_steps(&b, &c, true);
  ut_counter_example_free(&c);
  close_bench(&b);
  free(space);
}

static void loop_and_cycle(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_counter_example c;
  struct bench b;
  open_tree(&b, 2, 3, "reroute_det_link", 1, "");
  make_space(space, &b.topology, 2, 2, 0, UINT64_MAX, 0);
  find(&b, space, UT_FAILURE_LOOP, &c);
  /* both up links of a switch of level 1 are down: a packet turns at its neighbour for ever, below the two roots that
   * have no way down; a path down through the other switches of level 1 is there all the time */
  assert_int_equal(c.back_to, 2);
  assert_int_equal(c.steps, 6);
  check_steps(&b, &c, true);
  ut_counter_example_free(&c);
  find(&b, space, UT_FAILURE_CYCLE, &c);
  /* two U-turns under two switches whose subtrees share their roots: 8 channels */
  assert_int_equal(c.steps, 8);
  assert_int_equal(c.waiting, 8);
  check_steps(&b, &c, false);
  ut_counter_example_free(&c);
  close_bench(&b);
  for (unsigned a = 2; a < ALGORITHMS; a++) { /* k faults disconnect every algorithm */
    open_tree(&b, 2, 3, algorithms[a], 0, "");
    make_space(space, &b.topology, 0, 2, 1, UINT64_MAX, 0);
    find(&b, space, UT_FAILURE_DISCARD, &c);
    check_steps(&b, &c, true);
    ut_counter_example_free(&c);
    close_bench(&b);
  }
  open_tree(&b, 2, 3, "reroute_adaptive_link", 0, "");
  make_space(space, &b.topology, 2, 2, 0, UINT64_MAX, 0);
  find(&b, space, UT_FAILURE_CYCLE, &c);
  check_steps(&b, &c, false);
  assert_int_equal(c.waiting, c.steps + c.mores);
  assert_true(c.steps >= 8);
  ut_counter_example_free(&c);
  close_bench(&b);
  free(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(binomials),
      cmocka_unit_test(all_sets),
      cmocka_unit_test(samples),
      cmocka_unit_test(impossible_sets),
      cmocka_unit_test(limits_of_sets),
      cmocka_unit_test(samples_of_many),
      cmocka_unit_test(faults_of_scenarios),
      cmocka_unit_test(worst_kind),
      cmocka_unit_test(without_certificate),
      cmocka_unit_test(oracle_two_ary),
      cmocka_unit_test(oracle_three_ary),
      cmocka_unit_test(below_k),
      cmocka_unit_test(answers_by_destination),
      cmocka_unit_test(beyond),
      cmocka_unit_test(any_number_of_workers),
      cmocka_unit_test(link_numbers),
      cmocka_unit_test(switch_numbers),
      cmocka_unit_test(mutants),
      cmocka_unit_test(shortest_discard),
      cmocka_unit_test(loop_and_cycle),
      cmocka_unit_test(repairs),
      cmocka_unit_test(outages_of_links),
      cmocka_unit_test(more_values_than_room),
  };
  return cmocka_run_group_tests_name("prove", tests, NULL, NULL);
}
