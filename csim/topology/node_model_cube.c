/* SPDX-License-Identifier: Apache-2.0 */
/* node_model_cube.c - the fault model of hypercubes (DETOUR, definition 1): unsafe subcubes. */
#include "node_model.h"

static bool unsafe(const struct ut_topology *topo, const bool *bad, uint32_t node) {
  unsigned count = 0;
  for (unsigned d = 0; d < topo->cube; d++)
    count += bad[node ^ UINT32_C(1) << d];
  return count >= 2;
}

const struct ut_node_rules ut_node_rules_cube = {.unsafe = unsafe};
