/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops_file.c - the planner whose next hops stand in a file (switch_tables.h): see next_hops.h.  Faults change
 * nothing: what else would be planned by whoever made the tables is not known. */
#include "next_hops.h"

#include <stdlib.h>

#include "path_layers.h"
#include "planning.h"
#include "switch_tables.h"
#include "vc_rows.h"

struct by_file {
  const struct ut_topology *topology;
  const struct ut_switch_tables *tables;
  const struct ut_planning *planning;
  unsigned vcs;
  uint32_t *sw, *terminal; /* [switches], [terminals]: their nodes in the graph */
};

static void close_planner(void *planner) {
  struct by_file *by = planner;
  free(by->sw);
  free(by->terminal);
  free(by);
}

static void *open_planner(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs) {
  struct by_file *by = calloc(1, sizeof *by);
  if (!by)
    return NULL;
  *by = (struct by_file){.topology = topo,
                         .tables = planning->tables,
                         .planning = planning,
                         .vcs = vcs,
                         .sw = malloc(topo->switches * sizeof *by->sw),
                         .terminal = malloc(topo->terminals * sizeof *by->terminal)};
  if (!by->sw || !by->terminal) {
    close_planner(by);
    return NULL;
  }
  for (uint32_t i = 0; i < topo->switches; i++)
    by->sw[i] = ut_graph_find(by->tables->graph, topo->switch_label[i]);
  for (uint32_t i = 0; i < topo->terminals; i++)
    by->terminal[i] = ut_graph_find(by->tables->graph, topo->terminal_label[i]);
  return by;
}

static void survey(void *planner, const ut_mask *link_up) {
  (void)planner, (void)link_up;
}

static ut_mask next_hops(const void *planner, uint32_t sw, unsigned bank, uint32_t dst) {
  const struct by_file *by = planner;
  const unsigned port = ut_switch_tables_port(by->tables, by->sw[sw], by->terminal[dst]);
  (void)bank;
  return port == UT_NO_TABLE_PORT ? 0 : ut_bit(port);
}

static unsigned bank(const void *planner, uint32_t sw, unsigned in_port) {
  (void)planner, (void)sw, (void)in_port;
  return 0;
}

static unsigned vcs(const void *planner, uint32_t sw, unsigned row, unsigned out_port) {
  const struct by_file *by = planner;
  return ut_vc_row_at(by->topology, by->planning, by->vcs, row, sw, out_port);
}

static unsigned layer(const void *planner, uint32_t src, uint32_t dst) {
  const struct by_file *by = planner;
  const struct ut_path_layers *layers = by->planning->layers;
  return layers ? layers->layer[(size_t)src * layers->terminals + dst] : 0;
}

const struct ut_next_hop_planner ut_next_hops_by_file = {.open = open_planner,
                                                         .close = close_planner,
                                                         .survey = survey,
                                                         .next_hops = next_hops,
                                                         .bank = bank,
                                                         .vcs = vcs,
                                                         .layer = layer,
                                                         .layer_of_terminal = true};
