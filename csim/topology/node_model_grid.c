/* SPDX-License-Identifier: Apache-2.0 */
/* node_model_grid.c - the fault model of meshes and k-ary n-cubes (DETOUR, definitions 1', 2 and 3): rectangular
 * blocks.
 */
#include <stdlib.h>

#include "node_model.h"

/* Returns the node that many hops away in dimension d; false: it would be beyond the border. */
static bool step(const struct ut_topology *topo, uint32_t *node, unsigned d, int hops) {
  const int size = (int)topo->size[d], here = (int)ut_topology_coordinate(topo, *node, d);
  const int there = topo->wrap ? ((here + hops) % size + size) % size : here + hops;
  int distance = 1;
  if (there < 0 || there >= size)
    return false;
  for (unsigned i = 0; i < d; i++)
    distance *= (int)topo->size[i];
  *node = (uint32_t)((int)*node + (there - here) * distance);
  return true;
}

/* One of the eight nodes around another one in a plane. */
struct place {
  int x, y;
};

/* Returns the bad nodes around a good one in the plane of dimensions i and j. */
static unsigned bad_around(const struct ut_topology *topo, const bool *bad, uint32_t node, unsigned i, unsigned j,
                           struct place list[8]) {
  unsigned count = 0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) {
      uint32_t other = node;
      if (step(topo, &other, i, x) && step(topo, &other, j, y) && bad[other])
        list[count++] = (struct place){x, y};
    }
  return count;
}

static bool on_one_edge(const struct place *a, const struct place *b) {
  return (a->x && a->x == b->x) || (a->y && a->y == b->y);
}

/* Definition 1': in some plane, two bad nodes of the eight around it are on no common edge of the square. */
static bool unsafe(const struct ut_topology *topo, const bool *bad, uint32_t node) {
  for (unsigned j = 1; j < topo->dimensions; j++)
    for (unsigned i = 0; i < j; i++) {
      struct place list[8];
      const unsigned count = bad_around(topo, bad, node, i, j, list);
      for (unsigned a = 1; a < count; a++)
        for (unsigned b = 0; b < a; b++)
          if (!on_one_edge(&list[a], &list[b]))
            return true;
    }
  return false;
}

/* Definition 2: fewer than two safe neighbours in some plane. */
static bool disabled(const struct ut_topology *topo, const bool *bad, uint32_t node) {
  for (unsigned j = 1; j < topo->dimensions; j++)
    for (unsigned i = 0; i < j; i++) {
      unsigned safe = 0;
      for (unsigned side = 0; side < 4; side++) {
        uint32_t other = node;
        safe += step(topo, &other, side < 2 ? i : j, side & 1 ? -1 : 1) && !bad[other];
      }
      if (safe < 2)
        return true;
    }
  return false;
}

/* The dateline of the highest dimension lies between its last node and its first one. */
static bool at_dateline(const struct ut_topology *topo, uint32_t node) {
  const unsigned h = topo->dimensions - 1, at = ut_topology_coordinate(topo, node, h);
  return topo->wrap && (at == 0 || at + 1 == topo->size[h]);
}

/* A case that the paper's sketch of k-ary n-cubes leaves open (tests/prove/test_detour.c shows it): a packet that goes
 * around along dimension 0 returns, unless the opposite direction of the ring has become shorter meanwhile; then it
 * circles. */
static void judge_block(struct ut_node_model *model, uint32_t block) {
  const struct ut_topology *topo = model->topology;
  uint32_t volume = 0, box = 1;
  for (uint32_t i = 0; i < topo->switches; i++)
    volume += model->block[i] == (int32_t)block;
  for (unsigned d = 0; d < topo->dimensions; d++) {
    bool used[UT_MAX_RADIX + 1] = {false};
    unsigned length = 0;
    for (uint32_t i = 0; i < topo->switches; i++)
      if (model->block[i] == (int32_t)block) {
        const unsigned at = ut_topology_coordinate(topo, i, d);
        length += !used[at];
        used[at] = true;
      }
    box *= length;
    if (topo->wrap && d == 0 && length < topo->size[d] && 2 * length >= topo->size[d])
      ut_node_model_void(model, &(struct ut_node_reason){.kind = UT_REASON_HALF, .block = block, .dimension = d});
    if (length == topo->size[d])
      ut_node_model_void(model, &(struct ut_node_reason){.kind = UT_REASON_SPANS, .block = block, .dimension = d});
  }
  if (volume != box)
    ut_node_model_void(model, &(struct ut_node_reason){.kind = UT_REASON_NO_BOX, .block = block});
}

/* Definition 3, blocks that are too close to each other, needs no test: if two bad nodes of a plane are at most two
 * hops apart in both of its dimensions, the nodes between them are unsafe, and both are in one block. */
static void judge(struct ut_node_model *model) {
  for (uint32_t block = 0; block < model->blocks; block++)
    judge_block(model, block);
}

const struct ut_node_rules ut_node_rules_grid = {
    .unsafe = unsafe, .disabled = disabled, .at_dateline = at_dateline, .judge = judge};
