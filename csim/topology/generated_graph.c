/* SPDX-License-Identifier: Apache-2.0 */
/* generated_graph.c - see generated_graph.h */
#include "generated_graph.h"

#include "scenario.h"

struct ut_generation ut_generation_begin(const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_generation generation = {.graph = ut_graph_new(scenario->path ? scenario->path : "scenario"), .e = e};
  generation.failed = !generation.graph;
  if (generation.failed)
    ut_fail_memory(e);
  return generation;
}

void ut_generation_switch(struct ut_generation *generation, const char *name, unsigned ports) {
  const struct ut_graph_node node = {.name = (char *)name, .ports = ports};
  if (!generation->failed)
    generation->failed = ut_graph_add(generation->graph, &node, generation->e) == UT_NO_NODE;
}

void ut_generation_terminal(struct ut_generation *generation, uint32_t sw, unsigned port, unsigned number) {
  if (!generation->failed)
    generation->failed = ut_graph_add_terminal(generation->graph, sw, port, number, generation->e);
}

void ut_generation_cable(struct ut_generation *generation, uint32_t from, unsigned port, uint32_t to,
                         unsigned to_port) {
  const struct ut_graph_channel cable = {.from = from,
                                         .to = to,
                                         .from_port = (uint8_t)port,
                                         .to_port = (uint8_t)to_port,
                                         .cycles = (uint8_t)generation->cycles};
  if (!generation->failed)
    generation->failed = ut_graph_join(generation->graph, &cable, generation->e);
}

struct ut_graph *ut_generation_end(struct ut_generation *generation) {
  if (!generation->failed)
    generation->failed = ut_graph_check(generation->graph, generation->e);
  if (!generation->failed)
    return generation->graph;
  ut_graph_free(generation->graph);
  return NULL;
}
