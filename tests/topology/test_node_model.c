/* SPDX-License-Identifier: Apache-2.0 */
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
#include "scenario_read.h"
#include "topology_build.h"

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

/* ---- blocks, and what they void, by hand */

enum { MOST_NODES = 128 };

/* Nodes beside each other: one hop apart in one dimension. */
static bool beside(const struct ut_topology *t, uint32_t a, uint32_t b) {
  unsigned hops = 0, last = 0;
  if (t->cube)
    return __builtin_popcount(a ^ b) == 1;
  for (unsigned d = 0; d < t->dimensions; d++) {
    const unsigned x = ut_topology_coordinate(t, a, d), y = ut_topology_coordinate(t, b, d);
    const unsigned away = x > y ? x - y : y - x, size = t->size[d];
    hops += t->wrap && size - away < away ? size - away : away;
    last += x != y;
  }
  return last == 1 && hops == 1;
}

struct neighbours {
  unsigned count[MOST_NODES];
  uint8_t node[MOST_NODES][2 * UT_MAX_DIMENSIONS];
};

static void find_neighbours(struct neighbours *x, const struct ut_topology *t) {
  assert_true(t->switches <= MOST_NODES);
  memset(x, 0, sizeof *x);
  for (uint32_t i = 0; i < t->switches; i++)
    for (uint32_t j = 0; j < t->switches; j++)
      if (beside(t, i, j))
        x->node[i][x->count[i]++] = (uint8_t)j;
}

/* All nodes of a kind that can be reached from that one through others of the kind. */
static void spread(const struct neighbours *x, uint32_t from, const bool *kind, bool *reached) {
  reached[from] = true;
  for (unsigned i = 0; i < x->count[from]; i++)
    if (kind[x->node[from][i]] && !reached[x->node[from][i]])
      spread(x, x->node[from][i], kind, reached);
}

static bool is_reached(const struct neighbours *x, const bool *reached, uint32_t node) {
  bool yes = reached[node];
  for (unsigned i = 0; i < x->count[node]; i++)
    yes |= reached[x->node[node][i]];
  return yes;
}

/* Nodes of a block, and whether they fill the box around them; how long that is in each dimension. */
static bool is_box(const struct ut_topology *t, const int32_t *block, int32_t number, unsigned *length) {
  unsigned nodes = 0, box = 1;
  for (uint32_t i = 0; i < t->switches; i++)
    nodes += block[i] == number;
  for (unsigned d = 0; d < t->dimensions; d++) {
    length[d] = 0;
    for (unsigned at = 0; at < t->size[d]; at++) {
      bool used = false;
      for (uint32_t i = 0; i < t->switches; i++)
        used |= block[i] == number && ut_topology_coordinate(t, i, d) == at;
      length[d] += used;
    }
    box *= length[d];
  }
  return nodes == box;
}

static void next_reason(const struct ut_node_model *m, unsigned *r, struct ut_node_reason wanted) {
  if (*r < UT_MAX_REASONS && *r < m->reasons) {
    const struct ut_node_reason *is = &m->reason[*r];
    assert_true(is->kind == wanted.kind && is->block == wanted.block && is->node == wanted.node);
    assert_int_equal(is->dimension, wanted.dimension);
  }
  ++*r;
}

/* Blocks, numbered by their first nodes, and reasons in their order follow from the states. */
static void judged_by_hand(const struct ut_node_model *m, const struct neighbours *x) {
  const struct ut_topology *t = m->topology;
  bool bad[MOST_NODES], safe[MOST_NODES], reached[MOST_NODES] = {false};
  int32_t block[MOST_NODES];
  uint32_t blocks = 0, first = 0;
  unsigned reasons = 0, length[UT_MAX_DIMENSIONS];
  for (uint32_t i = 0; i < t->switches; i++) {
    bad[i] = m->bad[i], safe[i] = !bad[i];
    assert_true(bad[i] == (m->state[i] != UT_NODE_SAFE));
    block[i] = UT_NO_BLOCK;
  }
  for (uint32_t i = 0; i < t->switches; i++) {
    bool all[MOST_NODES] = {false};
    if (bad[i] && block[i] == UT_NO_BLOCK) {
      spread(x, i, bad, all);
      for (uint32_t j = 0; j < t->switches; j++)
        block[j] = all[j] ? (int32_t)blocks : block[j];
      blocks++;
    }
  }
  assert_int_equal(m->blocks, blocks);
  assert_memory_equal(m->block, block, t->switches * sizeof *block);
  for (uint32_t i = 0; i < blocks && t->dimensions; i++) {
    const bool box = is_box(t, block, (int32_t)i, length);
    for (unsigned d = 0; d < t->dimensions; d++) {
      if (d == 0 && t->wrap && 2 * length[0] >= t->size[0] && length[0] != t->size[0])
        next_reason(m, &reasons, (struct ut_node_reason){.kind = UT_REASON_HALF, .block = i});
      if (length[d] == t->size[d])
        next_reason(m, &reasons, (struct ut_node_reason){.kind = UT_REASON_SPANS, .block = i, .dimension = d});
    }
    if (!box)
      next_reason(m, &reasons, (struct ut_node_reason){.kind = UT_REASON_NO_BOX, .block = i});
  }
  while (first < t->switches && bad[first])
    first++;
  if (first < t->switches)
    spread(x, first, safe, reached);
  else
    next_reason(m, &reasons, (struct ut_node_reason){.kind = UT_REASON_NO_SAFE_NODE});
  for (uint32_t i = 0; i < t->switches; i++)
    if ((m->state[i] == UT_NODE_SAFE || m->state[i] == UT_NODE_UNSAFE) && !is_reached(x, reached, i))
      next_reason(m, &reasons, (struct ut_node_reason){.kind = UT_REASON_CUT_OFF, .node = i});
  assert_int_equal(m->reasons, reasons);
  assert_memory_equal(m->reached, reached, t->switches * sizeof *reached);
}

/* Random faults, each once, ascending. */
static void draw_faults(uint32_t *failed, unsigned count, uint32_t nodes, uint32_t *draw) {
  for (unsigned i = 0; i < count;) {
    *draw = *draw * 1664525 + 1013904223;
    const uint32_t node = (*draw >> 8) % nodes;
    unsigned at = 0;
    while (at < i && failed[at] < node)
      at++;
    if (at < i && failed[at] == node)
      continue;
    memmove(&failed[at + 1], &failed[at], (i - at) * sizeof *failed);
    failed[at] = node;
    i++;
  }
}

/* Switches and model say the same of a set. */
static void compare_set(struct bench *b, const struct neighbours *x, const struct ut_fault_set *set,
                        unsigned kinds[UT_REASON_CUT_OFF + 1]) {
  ut_explorer_set_faults(&b->explorer, set);
  ut_node_model_set(&b->model, set->sw, set->switches);
  for (uint32_t sw = 0; sw < b->topology.switches; sw++)
    if (state_of(b, sw) != b->model.state[sw])
      fail_msg("%s, nodes %u, %u, %u...: of %u the switch says %d, the model %d", b->topology.kind,
               (unsigned)set->sw[0], (unsigned)set->sw[1], (unsigned)set->sw[2], (unsigned)sw, state_of(b, sw),
               b->model.state[sw]);
  blocks_are_apart(&b->model);
  judged_by_hand(&b->model, x);
  for (unsigned r = 0; r < b->model.reasons && r < UT_MAX_REASONS; r++)
    kinds[b->model.reason[r].kind]++;
}

/* Returns how many sets void a guarantee. */
static unsigned compare(const char *topology, unsigned vcs, unsigned most, unsigned kinds[UT_REASON_CUT_OFF + 1]) {
  struct bench b;
  struct neighbours x;
  unsigned outside = 0;
  uint32_t draw = 3;
  open_bench(&b, topology, vcs);
  find_neighbours(&x, &b.topology);
  for (unsigned count = 0; count <= most; count++)
    for (uint64_t i = 0; i < ut_binomial(b.topology.switches, count); i++) {
      struct ut_fault_set set = {.switches = count};
      ut_combination_get(i, b.topology.switches, count, set.sw);
      compare_set(&b, &x, &set, kinds);
      outside += !ut_node_model_obeyed(&b.model);
    }
  for (unsigned i = 0; i < 120; i++) {
    struct ut_fault_set set = {.switches = most + 1 + i % 5};
    draw_faults(set.sw, set.switches, b.topology.switches, &draw);
    compare_set(&b, &x, &set, kinds);
  }
  close_bench(&b);
  return outside;
}

/* All sets of up to three faulty nodes, and some of more.  After the fixed point no block is anything but a box, and
 * none is too near. */
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

/* Of a network with two terminals at each node nothing else is said than of one with one. */
static void one_or_two(const char *sizes, uint32_t nodes, const uint32_t (*sets)[5], unsigned given) {
  struct bench one, two;
  char text[64];
  uint32_t draw = 1;
  snprintf(text, sizeof text, "kind: mesh, sizes: %s", sizes);
  open_bench(&one, text, 2);
  snprintf(text, sizeof text, "kind: mesh, sizes: %s, local_ports: 2", sizes);
  open_bench(&two, text, 2);
  for (unsigned i = 0; i < 300; i++) {
    uint32_t failed[8];
    const unsigned count = i < given ? 5 : i % 9;
    if (i < given)
      memcpy(failed, sets[i], sizeof sets[i]);
    else
      draw_faults(failed, count, nodes, &draw);
    set_nodes(&one, count, failed), set_nodes(&two, count, failed);
    assert_memory_equal(one.model.state, two.model.state, nodes * sizeof *one.model.state);
    assert_memory_equal(one.model.reached, two.model.reached, nodes * sizeof *one.model.reached);
    assert_memory_equal(one.model.block, two.model.block, nodes * sizeof *one.model.block);
    assert_int_equal(one.model.blocks, two.model.blocks);
    assert_int_equal(one.model.reasons, two.model.reasons);
    for (unsigned r = 0; r < one.model.reasons && r < UT_MAX_REASONS; r++) {
      const struct ut_node_reason *a = &one.model.reason[r], *b = &two.model.reason[r];
      assert_true(a->kind == b->kind && a->block == b->block && a->node == b->node && a->dimension == b->dimension);
    }
  }
  close_bench(&one), close_bench(&two);
}

/* Terminals have numbers, too, and are no nodes: those of a node are the numbers of nodes beside it, or far away. */
static void terminals_are_no_nodes(void **state) {
  (void)state;
  static const uint32_t sets[][5] = {{2, 7, 12, 17, 22}, {1, 6, 11, 16, 21}, {5, 6, 7, 8, 9},     {0, 6, 12, 18, 24},
                                     {1, 5, 13, 17, 23}, {4, 8, 12, 16, 20}, {15, 16, 17, 18, 19}};
  struct bench two;
  one_or_two("[5, 5]", 25, sets, sizeof sets / sizeof *sets);
  one_or_two("[9, 9]", 81, NULL, 0);
  open_bench(&two, "kind: mesh, sizes: [5, 5], local_ports: 2", 2);
  set_nodes(&two, 5, sets[0]); /* the middle column: what lies behind it is cut off */
  assert_true(two.model.reached[0] && !two.model.reached[3]);
  assert_int_equal(two.model.reasons, 1 + 2 * 5);
  close_bench(&two);
}

/* Sets of many faults: walls that cut nodes off, those at the border, too, and those that are not safe; all nodes. */
static void many_faults_by_hand(void **state) {
  (void)state;
  static const struct {
    const char *topology;
    unsigned vcs, wall, wall_size, faults; /* the wall: so many nodes from one on */
    uint32_t fault[4];
  } sets[] = {
      {"kind: mesh, sizes: [4, 4, 6]", 2, 16, 16, 2, {85, 90}}, /* two of the last plane: others beside are unsafe */
      {"kind: mesh, sizes: [4, 4, 6]", 2, 16, 16, 2, {86, 89}}, {"kind: mesh, sizes: [4, 4, 6]", 2, 64, 16, 2, {5, 10}},
      {"kind: mesh, sizes: [4, 4, 6]", 2, 0, 0, 2, {85, 90}},   {"kind: mesh, sizes: [5, 9]", 2, 20, 5, 2, {31, 37}},
      {"kind: mesh, sizes: [5, 9]", 2, 20, 4, 0, {0}},          {"kind: mesh, sizes: [2, 2]", 2, 0, 4, 0, {0}},
      {"kind: torus, sizes: [5, 9]", 4, 20, 5, 2, {0, 4}},      {"kind: torus, sizes: [6, 5]", 4, 0, 3, 1, {17}},
  };
  bool unsafe = false;
  uint32_t draw = 7;
  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
    struct bench b;
    struct neighbours x;
    uint32_t failed[20];
    unsigned count = 0;
    for (; count < sets[i].wall_size; count++)
      failed[count] = sets[i].wall + count;
    for (unsigned j = 0; j < sets[i].faults; j++)
      failed[count++] = sets[i].fault[j];
    open_bench(&b, sets[i].topology, sets[i].vcs);
    find_neighbours(&x, &b.topology);
    set_nodes(&b, count, failed);
    judged_by_hand(&b.model, &x);
    for (uint32_t node = 0; node < b.topology.switches; node++)
      unsafe |= b.model.state[node] == UT_NODE_UNSAFE && !is_reached(&x, b.model.reached, node);
    for (unsigned j = 0; j < 60 && b.topology.switches > 20; j++) {
      b.model.dateline = j % 2;
      draw_faults(failed, 4 + j % 16, b.topology.switches, &draw);
      set_nodes(&b, 4 + j % 16, failed);
      judged_by_hand(&b.model, &x);
    }
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
      cmocka_unit_test(many_faults_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
