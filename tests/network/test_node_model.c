/* test_node_model.c - the manager's fault model against what the switches find out by their neighbours' reports, and
 * sets worked out by hand. */
#include "node_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "combinations.h"
#include "explorer.h"
#include "family.h"
#include "node_states.h"
#include "torus.h"

struct bench {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_explorer explorer;
  struct ut_node_model model;
};

static void open_bench(struct bench *b, const char *topology, unsigned vcs) {
  char text[512];
  struct ut_error e;
  snprintf(text, sizeof text,
           "topology: {%s}\nswitch: {vcs: %u, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
           "routing: {algorithm: detour}\ntraffic: {load_flits_per_cycle: 0.1}\n",
           topology, vcs);
  b->scenario = ut_scenario_parse(text, strlen(text), "test", &e);
  if (!b->scenario || ut_topology_init(&b->topology, b->scenario, &e) ||
      ut_explorer_init(&b->explorer, b->scenario, &b->topology, &e) || ut_node_model_init(&b->model, &b->topology, &e))
    fail_msg("%s", e.text);
}

static void close_bench(struct bench *b) {
  ut_node_model_free(&b->model);
  ut_explorer_free(&b->explorer);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
}

static enum ut_node_state state_of(const struct bench *b, uint32_t sw) {
  const struct ut_group *g = b->explorer.group;
  const struct ut_node_states *n = ut_node_states_of(g, ut_switch_of(g, sw));
  return b->explorer.dead[sw] ? UT_NODE_FAULTY
         : n->disabled        ? UT_NODE_DISABLED
         : n->unsafe          ? UT_NODE_UNSAFE
                              : UT_NODE_SAFE;
}

/* Definition 3: nodes of two blocks are in no common plane, or three hops apart in one of its dimensions. */
static bool apart(const struct ut_topology *t, uint32_t a, uint32_t b) {
  unsigned differing = 0;
  for (unsigned d = 0; d < t->dimensions; d++) {
    const int hops = abs((int)ut_topology_coordinate(t, a, d) - (int)ut_topology_coordinate(t, b, d));
    const int shorter = t->wrap && (int)t->size[d] - hops < hops ? (int)t->size[d] - hops : hops;
    differing += hops > 0;
    if (shorter > 2)
      return true;
  }
  return differing > 2;
}

static void blocks_are_apart(const struct ut_node_model *m) {
  const struct ut_topology *t = m->topology;
  for (uint32_t b = 0; b < t->switches && t->family->node_rules == &ut_node_rules_grid; b++)
    for (uint32_t a = 0; a < b; a++)
      if (m->bad[a] && m->bad[b] && m->block[a] != m->block[b] && !apart(t, a, b))
        fail_msg("nodes %u and %u are of two blocks, too close", (unsigned)a, (unsigned)b);
}

/* Returns how many sets void a guarantee. */
static unsigned compare(const char *topology, unsigned vcs, unsigned most, unsigned kinds[UT_REASON_CUT_OFF + 1]) {
  struct bench b;
  unsigned outside = 0;
  open_bench(&b, topology, vcs);
  for (unsigned count = 0; count <= most; count++)
    for (uint64_t i = 0; i < ut_binomial(b.topology.switches, count); i++) {
      struct ut_fault_set set = {.switches = count};
      ut_combination_get(i, b.topology.switches, count, set.sw);
      ut_explorer_set_faults(&b.explorer, &set);
      ut_node_model_set(&b.model, set.sw, count);
      for (uint32_t sw = 0; sw < b.topology.switches; sw++)
        if (state_of(&b, sw) != b.model.state[sw])
          fail_msg("%s, set %u of %u faults, node %u: switch %d, model %d", topology, (unsigned)i, count, (unsigned)sw,
                   state_of(&b, sw), b.model.state[sw]);
      blocks_are_apart(&b.model);
      outside += !ut_node_model_obeyed(&b.model);
      for (unsigned r = 0; r < b.model.reasons && r < UT_MAX_REASONS; r++)
        kinds[b.model.reason[r].kind]++;
    }
  close_bench(&b);
  return outside;
}

/* All sets of up to three faulty nodes.  After the fixed point no block is anything but a box, and none is too near. */
static void switches_agree(void **state) {
  (void)state;
  static const struct {
    const char *topology;
    unsigned vcs;
  } networks[] = {
      {"kind: mesh, sizes: [4, 4]", 2},    {"kind: mesh, sizes: [5, 4]", 2}, {"kind: mesh, sizes: [3, 3, 3]", 2},
      {"kind: torus, sizes: [5, 5]", 4},   {"kind: hypercube, n: 4", 2},     {"kind: torus, sizes: [4, 3]", 4},
      {"kind: mesh, sizes: [3, 2, 4]", 2},
  };
  for (unsigned i = 0; i < sizeof networks / sizeof networks[0]; i++) {
    unsigned kinds[UT_REASON_CUT_OFF + 1] = {0};
    const unsigned outside = compare(networks[i].topology, networks[i].vcs, 3, kinds);
    if (getenv("UTURN_SHOW"))
      printf("%s: %u outside; reasons: no safe node %u, spans %u, half %u, no box %u, cut off %u\n",
             networks[i].topology, outside, kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]);
    assert_int_equal(kinds[UT_REASON_NO_BOX], 0);
  }
}

static void set_nodes(struct bench *b, unsigned count, const uint32_t *node) {
  ut_node_model_set(&b->model, node, count);
}

/* DETOUR example 1: 0000 and 1010 make 1000 and 0010 unsafe, one subcube. */
static void paper_cube(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: hypercube, n: 4", 2);
  set_nodes(&b, 2, (uint32_t[]){0, 10});
  for (uint32_t i = 0; i < 16; i++)
    assert_int_equal(b.model.state[i], i == 0 || i == 10  ? UT_NODE_FAULTY
                                       : i == 8 || i == 2 ? UT_NODE_UNSAFE
                                                          : UT_NODE_SAFE);
  assert_int_equal(b.model.blocks, 1);
  assert_true(ut_node_model_obeyed(&b.model));
  set_nodes(&b, 4, (uint32_t[]){1, 2, 4, 8}); /* all around node 0 */
  assert_false(ut_node_model_obeyed(&b.model));
  close_bench(&b);
}

/* Two faults across a corner make a square; at the border a block as long as the dimension. */
static void blocks_of_a_mesh(void **state) {
  (void)state;
  struct bench b;
  char text[UT_NODE_REASON_SIZE];
  open_bench(&b, "kind: mesh, sizes: [5, 4]", 2);
  set_nodes(&b, 2, (uint32_t[]){6, 12}); /* (1,1) and (2,2) */
  assert_int_equal(b.model.state[7], UT_NODE_UNSAFE);
  assert_int_equal(b.model.state[11], UT_NODE_UNSAFE);
  assert_int_equal(b.model.blocks, 1);
  assert_true(ut_node_model_obeyed(&b.model));
  set_nodes(&b, 2, (uint32_t[]){0, 15}); /* both ends of a line of four: three hops apart, two blocks */
  assert_int_equal(b.model.blocks, 2);
  assert_true(ut_node_model_obeyed(&b.model));
  set_nodes(&b, 3, (uint32_t[]){2, 12, 17}); /* the whole column x = 2 */
  assert_int_equal(b.model.blocks, 1);
  assert_int_equal(b.model.reason[0].kind, UT_REASON_SPANS);
  assert_string_equal(ut_node_reason_text(&b.model, &b.model.reason[0], text), "block 0 is as long as dimension 1");
  close_bench(&b);
}

/* A node between two others in one line is disabled: fewer than two safe neighbours. */
static void disabled_nodes(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [5, 5]", 2);
  set_nodes(&b, 3, (uint32_t[]){11, 13, 17}); /* (1,2), (3,2), (2,3): node (2,2) has one safe neighbour */
  assert_int_equal(b.model.state[12], UT_NODE_DISABLED);
  close_bench(&b);
}

/* Blocks at the dateline keep no unsafe nodes, if so asked. */
static void dateline(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: torus, sizes: [5, 5]", 4);
  for (unsigned on = 0; on < 2; on++) {
    b.model.dateline = on;
    set_nodes(&b, 2, (uint32_t[]){20, 1}); /* (0,4) and (1,0): across the dateline */
    assert_int_equal(b.model.blocks, 1);
    assert_int_equal(b.model.state[0], on ? UT_NODE_DISABLED : UT_NODE_UNSAFE);
    set_nodes(&b, 2, (uint32_t[]){5, 11}); /* (0,1), (1,2): not there */
    assert_int_equal(b.model.state[6], UT_NODE_UNSAFE);
  }
  close_bench(&b);
  open_bench(&b, "kind: torus, sizes: [5, 8]", 4);
  b.model.dateline = true;
  set_nodes(&b, 4, (uint32_t[]){35, 1, 17, 23}); /* (0,7) and (1,0): there; (2,3) and (3,4): another block, not there */
  assert_int_equal(b.model.blocks, 2);
  assert_int_equal(b.model.state[0], UT_NODE_DISABLED);
  assert_int_equal(b.model.state[18], UT_NODE_UNSAFE);
  assert_int_equal(b.model.state[22], UT_NODE_UNSAFE);
  close_bench(&b);
}

/* A mesh has no dateline: the same blocks keep their unsafe nodes. */
static void no_dateline(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [5, 5]", 2);
  b.model.dateline = true;
  set_nodes(&b, 2, (uint32_t[]){22, 18}); /* (2,4) and (3,3): in the last row, and beside it */
  assert_int_equal(b.model.blocks, 1);
  assert_int_equal(b.model.state[17], UT_NODE_UNSAFE);
  assert_int_equal(b.model.state[23], UT_NODE_DISABLED); /* at the border, with one safe neighbour */
  close_bench(&b);
}

/* Random sets of so many faults, one after the other. */
static void draw_faults(uint32_t *failed, unsigned count, uint32_t nodes, uint32_t *draw) {
  for (unsigned i = 0; i < count;) {
    *draw = *draw * 1664525 + 1013904223;
    failed[i] = (*draw >> 8) % nodes;
    bool anew = true;
    for (unsigned j = 0; j < i; j++)
      anew &= failed[j] != failed[i];
    i += anew;
  }
}

/* Terminals have numbers, too, and are no nodes: of a mesh with two of them at each node nothing else is said. */
static void terminals_are_no_nodes(void **state) {
  (void)state;
  static const uint32_t sets[][5] = {{2, 7, 12, 17, 22}, {1, 6, 11, 16, 21}, {5, 6, 7, 8, 9},     {0, 6, 12, 18, 24},
                                     {1, 5, 13, 17, 23}, {4, 8, 12, 16, 20}, {15, 16, 17, 18, 19}};
  enum { SETS = sizeof sets / sizeof *sets };
  struct bench one, two;
  uint32_t draw = 1;
  open_bench(&one, "kind: mesh, sizes: [5, 5]", 2);
  open_bench(&two, "kind: mesh, sizes: [5, 5], local_ports: 2", 2);
  for (unsigned i = 0; i < 300; i++) {
    uint32_t failed[8];
    const unsigned count = i < SETS ? 5 : i % 9;
    if (i < SETS)
      memcpy(failed, sets[i], sizeof sets[i]);
    else
      draw_faults(failed, count, 25, &draw);
    set_nodes(&one, count, failed), set_nodes(&two, count, failed);
    assert_memory_equal(one.model.state, two.model.state, 25 * sizeof *one.model.state);
    assert_memory_equal(one.model.reached, two.model.reached, 25 * sizeof *one.model.reached);
    assert_memory_equal(one.model.block, two.model.block, 25 * sizeof *one.model.block);
    assert_int_equal(one.model.blocks, two.model.blocks);
    assert_int_equal(one.model.reasons, two.model.reasons);
    for (unsigned r = 0; r < one.model.reasons && r < UT_MAX_REASONS; r++) {
      const struct ut_node_reason *a = &one.model.reason[r], *b = &two.model.reason[r];
      assert_true(a->kind == b->kind && a->block == b->block && a->node == b->node && a->dimension == b->dimension);
    }
  }
  set_nodes(&two, 5, sets[0]); /* the middle column: what lies behind it is cut off */
  assert_true(two.model.reached[0] && !two.model.reached[3]);
  assert_int_equal(two.model.reasons, 1 + 2 * 5);
  close_bench(&one), close_bench(&two);
}

static bool beside(const struct ut_topology *t, uint32_t a, uint32_t b) {
  unsigned hops = 0;
  for (unsigned d = 0; d < t->dimensions; d++)
    hops += (unsigned)abs((int)ut_topology_coordinate(t, a, d) - (int)ut_topology_coordinate(t, b, d));
  return hops == 1;
}

/* Which nodes that serve neither are reached from the first safe one through safe ones, nor stand beside such a one. */
static unsigned cut_off_by_search(const struct ut_node_model *m, bool *cut) {
  const struct ut_topology *t = m->topology;
  bool reached[128] = {false}, some = false;
  unsigned count = 0;
  assert_true(t->switches <= 128);
  for (uint32_t i = 0; i < t->switches && !some; i++)
    some = reached[i] = m->state[i] == UT_NODE_SAFE;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < t->switches; i++)
      for (uint32_t j = 0; j < t->switches && !reached[i] && m->state[i] == UT_NODE_SAFE; j++)
        if (reached[j] && beside(t, i, j))
          reached[i] = more = true;
  }
  for (uint32_t i = 0; i < t->switches; i++) {
    cut[i] = !reached[i] && (m->state[i] == UT_NODE_SAFE || m->state[i] == UT_NODE_UNSAFE);
    for (uint32_t j = 0; j < t->switches && cut[i]; j++)
      cut[i] = !reached[j] || !beside(t, i, j);
    count += cut[i];
  }
  return count;
}

/* Nodes that are cut off, those at the border, too, and those that are not safe. */
static void a_search_finds_who_is_cut_off(void **state) {
  (void)state;
  static const struct {
    const char *topology;
    unsigned wall, wall_size, faults; /* the wall: so many nodes from one on */
    uint32_t fault[4];
  } networks[] = {
      {"kind: mesh, sizes: [4, 4, 6]", 16, 16, 2, {85, 90}}, /* two of the last plane: others beside them are unsafe */
      {"kind: mesh, sizes: [4, 4, 6]", 16, 16, 2, {86, 89}}, {"kind: mesh, sizes: [4, 4, 6]", 64, 16, 2, {5, 10}},
      {"kind: mesh, sizes: [4, 4, 6]", 0, 0, 2, {85, 90}},   {"kind: mesh, sizes: [5, 9]", 20, 5, 2, {31, 37}},
      {"kind: mesh, sizes: [5, 9]", 20, 4, 0, {0}},          {"kind: mesh, sizes: [2, 2]", 0, 4, 0, {0}},
  };
  bool unsafe = false;
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++) {
    struct bench b;
    uint32_t failed[20];
    bool cut[128], told[128] = {false};
    unsigned count = 0, known = 0;
    for (; count < networks[i].wall_size; count++)
      failed[count] = networks[i].wall + count;
    for (unsigned j = 0; j < networks[i].faults; j++)
      failed[count++] = networks[i].fault[j];
    open_bench(&b, networks[i].topology, 2);
    set_nodes(&b, count, failed);
    const struct ut_node_model *m = &b.model;
    unsigned others = 0;
    for (unsigned r = 0; r < m->reasons && r < UT_MAX_REASONS; r++) {
      others += m->reason[r].kind != UT_REASON_CUT_OFF;
      if (m->reason[r].kind == UT_REASON_CUT_OFF)
        told[m->reason[r].node] = true, known = m->reason[r].node + 1;
    }
    assert_int_equal(m->reasons - others, cut_off_by_search(m, cut));
    for (uint32_t node = 0; node < known; node++)
      assert_int_equal(told[node], cut[node]);
    for (uint32_t node = 0; node < m->topology->switches; node++)
      unsafe |= cut[node] && m->state[node] == UT_NODE_UNSAFE;
    close_bench(&b);
  }
  assert_true(unsafe);
}

/* More nodes are cut off than reasons are kept: all count, and those that are kept are the first ones. */
static void more_reasons_than_are_kept(void **state) {
  (void)state;
  struct bench b;
  char text[UT_NODE_REASON_SIZE];
  uint32_t wall[9];
  for (unsigned i = 0; i < 9; i++)
    wall[i] = 9 * i + 4;
  open_bench(&b, "kind: mesh, sizes: [9, 9]", 2);
  set_nodes(&b, 9, wall);
  assert_int_equal(b.model.reasons, 1 + 4 * 9); /* the wall, and each node behind it */
  assert_int_equal(b.model.reason[0].kind, UT_REASON_SPANS);
  for (unsigned i = 1; i < UT_MAX_REASONS; i++) {
    assert_int_equal(b.model.reason[i].kind, UT_REASON_CUT_OFF);
    assert_int_equal(b.model.reason[i].node, (i - 1) / 4 * 9 + 5 + (i - 1) % 4);
  }
  assert_string_equal(ut_node_reason_text(&b.model, &b.model.reason[1], text),
                      "node 5 (5,0) is cut off from the safe nodes: the faults disconnect");
  assert_false(ut_node_model_obeyed(&b.model));
  assert_string_equal(
      ut_node_reason_text(&b.model, &(struct ut_node_reason){.kind = UT_REASON_NO_BOX, .block = 3}, text),
      "block 3 is no rectangle in every plane");
  assert_string_equal(ut_node_reason_text(&b.model, &(struct ut_node_reason){.kind = UT_REASON_NO_SAFE_NODE}, text),
                      "no safe node is left");
  assert_string_equal(
      ut_node_reason_text(&b.model, &(struct ut_node_reason){.kind = UT_REASON_HALF, .block = 1, .dimension = 2}, text),
      "block 1 takes half of a ring of dimension 2 or more");
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(switches_agree),
      cmocka_unit_test(paper_cube),
      cmocka_unit_test(blocks_of_a_mesh),
      cmocka_unit_test(disabled_nodes),
      cmocka_unit_test(dateline),
      cmocka_unit_test(no_dateline),
      cmocka_unit_test(more_reasons_than_are_kept),
      cmocka_unit_test(terminals_are_no_nodes),
      cmocka_unit_test(a_search_finds_who_is_cut_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
