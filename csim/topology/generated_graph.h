/* SPDX-License-Identifier: Apache-2.0 */
/* generated_graph.h - helps families that generate a graph (graph.h): nodes by number, the next free ports. */
#ifndef UT_GENERATED_GRAPH_H
#define UT_GENERATED_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "graph.h"

struct ut_scenario;

/* A graph under construction.  Once a step fails the following ones do nothing. */
struct ut_generation {
  struct ut_graph *graph;
  struct ut_error *e;
  unsigned cycles; /* of the cables that are added; 0: as the scenario says of links */
  bool failed;
};

struct ut_generation ut_generation_begin(const struct ut_scenario *scenario, struct ut_error *e);

/* Adds a switch of that many ports.  Switches are numbered from 0 in this order; all of them come before terminals. */
void ut_generation_switch(struct ut_generation *generation, const char *name, unsigned ports);

/* Adds terminal `number` of a switch, "SWITCH.0", and its cable. */
void ut_generation_terminal(struct ut_generation *generation, uint32_t sw, unsigned port, unsigned number);

/* Adds a cable between two switches. */
void ut_generation_cable(struct ut_generation *generation, uint32_t from, unsigned port, uint32_t to, unsigned to_port);

/* The graph, checked; NULL: a step failed, *e is filled. */
struct ut_graph *ut_generation_end(struct ut_generation *generation);

#endif
