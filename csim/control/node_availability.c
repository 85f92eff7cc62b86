/* SPDX-License-Identifier: Apache-2.0 */
/* node_availability.c - see node_availability.h */
#include "node_availability.h"

#include <stdlib.h>

int ut_availability_init(struct ut_node_availability *s, const struct ut_topology *t, uint64_t seed,
                         struct ut_error *e) {
  *s = (struct ut_node_availability){.topology = t};
  s->serves = malloc(t->terminals * sizeof *s->serves);
  s->list = malloc(t->terminals * sizeof *s->list);
  s->random = malloc(t->terminals * sizeof *s->random);
  s->failed = malloc(t->switches * sizeof *s->failed);
  if (!s->serves || !s->list || !s->random || !s->failed)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the states of %u nodes", (unsigned)t->switches);
  for (uint32_t i = 0; i < t->terminals; i++)
    ut_random_init(&s->random[i], seed, UT_RANDOM_AVAILABILITY, i);
  return ut_node_model_init(&s->model, t, e);
}

void ut_availability_fini(struct ut_node_availability *s) {
  ut_node_model_free(&s->model);
  free(s->failed);
  free(s->serves);
  free(s->list);
  free(s->random);
  *s = (struct ut_node_availability){0};
}

void ut_availability_survey(struct ut_node_availability *s, const struct ut_faults *f) {
  const struct ut_topology *t = s->topology;
  unsigned failed = 0;
  for (uint32_t sw = 0; sw < t->switches; sw++)
    if (!ut_faults_switch_up(f, sw))
      s->failed[failed++] = sw;
  ut_node_model_set(&s->model, s->failed, failed);
  s->count = 0;
  for (uint32_t i = 0; i < t->terminals; i++) {
    const uint8_t state = s->model.state[ut_topology_attachment(t, i).sw];
    s->serves[i] = state == UT_NODE_SAFE || state == UT_NODE_UNSAFE;
    if (s->serves[i])
      s->list[s->count++] = i;
  }
}

void ut_availability_count(const struct ut_node_availability *s, uint32_t nodes[UT_NODE_STATES]) {
  for (unsigned i = 0; i < UT_NODE_STATES; i++)
    nodes[i] = 0;
  for (uint32_t sw = 0; sw < s->topology->switches; sw++)
    nodes[s->model.state[sw]]++;
}

uint32_t ut_availability_other(struct ut_node_availability *s, uint32_t src) {
  if (s->count < 2)
    return src;
  for (;;) {
    const uint32_t other = s->list[ut_random_below(&s->random[src], s->count)];
    if (other != src)
      return other;
  }
}
