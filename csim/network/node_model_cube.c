/* node_model_cube.c - the fault model of hypercubes (DETOUR, definition 1): unsafe subcubes. */
#include "node_model.h"

static unsigned around(const struct ut_topology *t, uint32_t node, uint32_t list[UT_MAX_AROUND]) {
  for (unsigned d = 0; d < t->cube; d++)
    list[d] = node ^ UINT32_C(1) << d;
  return t->cube;
}

static bool unsafe(const struct ut_topology *t, const bool *bad, uint32_t node) {
  uint32_t neighbour[UT_MAX_AROUND];
  unsigned count = 0;
  around(t, node, neighbour);
  for (unsigned d = 0; d < t->cube; d++)
    count += bad[neighbour[d]];
  return count >= 2;
}

const struct ut_node_rules ut_node_rules_cube = {.unsafe = unsafe, .around = around};
