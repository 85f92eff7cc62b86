/* SPDX-License-Identifier: Apache-2.0 */
/* node_availability.c - see node_availability.h */
#include "node_availability.h"

#include <stdlib.h>

int ut_availability_init(struct ut_node_availability *availability, const struct ut_topology *topo, uint64_t seed,
                         struct ut_error *e) {
  *availability = (struct ut_node_availability){.topology = topo};
  availability->serves = malloc(topo->terminals * sizeof *availability->serves);
  availability->list = malloc(topo->terminals * sizeof *availability->list);
  availability->random = malloc(topo->terminals * sizeof *availability->random);
  availability->failed = malloc(topo->switches * sizeof *availability->failed);
  if (!availability->serves || !availability->list || !availability->random || !availability->failed)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the states of %u nodes", (unsigned)topo->switches);
  for (uint32_t i = 0; i < topo->terminals; i++)
    ut_random_init(&availability->random[i], seed, UT_RANDOM_AVAILABILITY, i);
  return ut_node_model_init(&availability->model, topo, e);
}

void ut_availability_fini(struct ut_node_availability *availability) {
  ut_node_model_free(&availability->model);
  free(availability->failed);
  free(availability->serves);
  free(availability->list);
  free(availability->random);
  *availability = (struct ut_node_availability){0};
}

void ut_availability_survey(struct ut_node_availability *availability, const struct ut_faults *faults) {
  const struct ut_topology *topo = availability->topology;
  unsigned failed = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (!ut_faults_switch_up(faults, sw))
      availability->failed[failed++] = sw;
  ut_node_model_set(&availability->model, availability->failed, failed);
  availability->count = 0;
  for (uint32_t i = 0; i < topo->terminals; i++) {
    const uint8_t state = availability->model.state[ut_topology_attachment(topo, i).sw];
    availability->serves[i] = state == UT_NODE_SAFE || state == UT_NODE_UNSAFE;
    if (availability->serves[i])
      availability->list[availability->count++] = i;
  }
}

void ut_availability_count(const struct ut_node_availability *availability, uint32_t nodes[UT_NODE_STATES]) {
  for (unsigned i = 0; i < UT_NODE_STATES; i++)
    nodes[i] = 0;
  for (uint32_t sw = 0; sw < availability->topology->switches; sw++)
    nodes[availability->model.state[sw]]++;
}

uint32_t ut_availability_other(struct ut_node_availability *availability, uint32_t src) {
  if (availability->count < 2)
    return src;
  for (;;) {
    const uint32_t other = availability->list[ut_random_below(&availability->random[src], availability->count)];
    if (other != src)
      return other;
  }
}
