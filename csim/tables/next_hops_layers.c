/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops_layers.c - the planner of next hops in virtual layers: see next_hops.h and layered.h. */
#include <stdlib.h>

#include "balanced.h"
#include "layered.h"
#include "next_hops.h"
#include "vc_rows.h"

struct by_layers {
  struct ut_layered layers;
  const struct ut_planning *planning;
};

static void close_planner(void *planner) {
  struct by_layers *by = planner;
  ut_layered_fini(&by->layers);
  free(by);
}

static void *open_planner(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs) {
  struct by_layers *by = calloc(1, sizeof *by);
  if (by && ut_layered_init(&by->layers, topo, planning, vcs)) {
    by->planning = planning;
    return by;
  }
  free(by);
  return NULL;
}

static void survey(void *planner, const ut_mask *link_up) {
  struct by_layers *by = planner;
  ut_layered_survey(&by->layers, link_up);
}

static ut_mask next_hops(const void *planner, uint32_t sw, unsigned bank, uint32_t dst) {
  const struct by_layers *by = planner;
  const unsigned port = ut_layered_port(&by->layers, sw, dst);
  (void)bank;
  return port == UT_NO_PORT ? 0 : ut_bit(port);
}

static unsigned bank(const void *planner, uint32_t sw, unsigned in_port) {
  (void)planner, (void)sw, (void)in_port;
  return UT_BANK_FREE;
}

static unsigned vcs(const void *planner, uint32_t sw, unsigned row, unsigned out_port) {
  const struct by_layers *by = planner;
  const struct ut_topology *topo = by->layers.topology;
  return ut_vc_row_at(topo, by->planning, by->layers.vcs, row, sw, out_port);
}

static unsigned layer(const void *planner, uint32_t sw, uint32_t dst) {
  const struct by_layers *by = planner;
  return ut_layered_of(&by->layers, sw, dst);
}

static unsigned vcs_needed(const void *planner) {
  const struct by_layers *by = planner;
  return by->layers.needed;
}

const struct ut_next_hop_planner ut_next_hops_by_layers = {.open = open_planner,
                                                           .close = close_planner,
                                                           .survey = survey,
                                                           .next_hops = next_hops,
                                                           .bank = bank,
                                                           .vcs = vcs,
                                                           .layer = layer,
                                                           .vcs_needed = vcs_needed};
