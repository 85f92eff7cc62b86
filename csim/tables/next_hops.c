/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops.c - see next_hops.h */
#include "next_hops.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "switch.h"

/* How many sources may have layers of their own. */
static uint32_t sources_of(const struct ut_next_hops *hops) {
  return hops->by->layer_of_terminal ? hops->topology->terminals : hops->topology->switches;
}

bool ut_next_hops_init(struct ut_next_hops *hops, const struct ut_topology *topo,
                       const struct ut_next_hop_planner *planner, const struct ut_planning *planning,
                       const struct ut_shape *shape) {
  const unsigned groups = shape->groups;
  *hops = (struct ut_next_hops){.topology = topo,
                                .by = planner,
                                .groups = groups,
                                .v = shape->v,
                                .layers = shape->vc_map,
                                .rows = 2 + ut_escape_table_of(*shape),
                                .destinations = topo->terminals,
                                .planner = planner->open(topo, planning, shape->v)};
  hops->entry = calloc((size_t)topo->switches * hops->rows * topo->terminals, sizeof *hops->entry);
  hops->group = calloc((size_t)topo->switches * groups, sizeof *hops->group);
  hops->named = calloc((size_t)topo->switches * groups, sizeof *hops->named);
  if (shape->vc_map && planner->layer)
    hops->layer = calloc(sources_of(hops), topo->terminals);
  if (hops->planner && hops->entry && hops->group && hops->named && (!planner->layer || !shape->vc_map || hops->layer))
    return true;
  ut_next_hops_fini(hops);
  return false;
}

void ut_next_hops_fini(struct ut_next_hops *hops) {
  if (hops->planner)
    hops->by->close(hops->planner);
  free(hops->entry), free(hops->group), free(hops->named), free(hops->layer);
  memset(hops, 0, sizeof *hops);
}

/* Returns the largest group that is part of a set of ports, of those that may be named. */
static unsigned part_of(const ut_mask *group, unsigned groups, const bool *kept, ut_mask ports) {
  unsigned best = 0;
  for (unsigned i = 1; i < groups; i++)
    if (kept[i] && !(group[i] & ~ports) && __builtin_popcountll(group[i]) > __builtin_popcountll(group[best]))
      best = i;
  return best;
}

/* Returns the number of a set of ports; now: the groups that entries of this survey name, before: those of the last
 * one. */
static unsigned number_of(ut_mask *group, unsigned groups, const bool *before, bool *now, ut_mask ports) {
  unsigned unused = 0;
  for (unsigned i = 1; ports && i < groups; i++) {
    if ((before[i] || now[i]) && group[i] == ports) {
      now[i] = true;
      return i;
    }
    if (!before[i] && !now[i] && !unused)
      unused = i;
  }
  if (!ports || !unused)
    return ports ? part_of(group, groups, now, ports) : 0;
  group[unused] = ports;
  now[unused] = true;
  return unused;
}

static void plan_switch(struct ut_next_hops *hops, uint32_t sw) {
  ut_mask *group = hops->group + (size_t)sw * hops->groups, last = 0;
  bool *named = hops->named + (size_t)sw * hops->groups, now[256] = {false};
  uint8_t *entry = hops->entry + (size_t)sw * hops->rows * hops->destinations;
  unsigned number = 0;
  for (uint32_t i = 0; i < hops->rows * hops->destinations; i++) {
    const ut_mask ports = hops->by->next_hops(hops->planner, sw, i / hops->destinations, i % hops->destinations);
    if (ports != last) /* neighbours in number mostly lie in one direction */
      number = number_of(group, hops->groups, named, now, ports);
    last = ports;
    entry[i] = (uint8_t)number;
  }
  memcpy(named, now, hops->groups * sizeof *named);
}

void ut_next_hops_survey(struct ut_next_hops *hops, const ut_mask *link_up) {
  hops->by->survey(hops->planner, link_up);
  for (uint32_t sw = 0; sw < hops->topology->switches; sw++)
    plan_switch(hops, sw);
}

unsigned ut_next_hops_vcs_needed(const struct ut_next_hops *hops) {
  return hops->by->vcs_needed ? hops->by->vcs_needed(hops->planner) : 1;
}

void ut_next_hops_tell(struct ut_next_hops *hops) {
  for (uint32_t source = 0; hops->layer && source < sources_of(hops); source++)
    for (uint32_t dst = 0; dst < hops->destinations; dst++)
      hops->layer[(size_t)source * hops->destinations + dst] = (uint8_t)hops->by->layer(hops->planner, source, dst);
}

uint32_t ut_next_hops_rt(const struct ut_next_hops *hops, uint32_t src, uint32_t dst) {
  const uint32_t source = hops->by->layer_of_terminal ? src : ut_topology_attachment(hops->topology, src).sw;
  return hops->layer ? ut_rt_graph_make(hops->layer[(size_t)source * hops->destinations + dst], 0) : 0;
}

unsigned ut_next_hops_halves(const struct ut_next_hops *hops) {
  return hops->topology->po > 32 ? 2 : 1;
}

/* Words of the VC map: for each VC of its rows. */
static uint32_t map_words(const struct ut_next_hops *hops) {
  return hops->layers ? (hops->layers + hops->v) * hops->v * ut_next_hops_halves(hops) : 0;
}

uint32_t ut_next_hops_wide_words(const struct ut_next_hops *hops) {
  return hops->groups * ut_next_hops_halves(hops) + hops->topology->pi + map_words(hops);
}

uint32_t ut_next_hops_words(const struct ut_next_hops *hops) {
  return ut_next_hops_wide_words(hops) + hops->rows * hops->destinations;
}

uint32_t ut_next_hops_bank_at(const struct ut_next_hops *hops, unsigned in_port) {
  return hops->groups * ut_next_hops_halves(hops) + in_port;
}

uint32_t ut_next_hops_entry_at(const struct ut_next_hops *hops, unsigned row, uint32_t dst) {
  return ut_next_hops_wide_words(hops) + row * hops->destinations + dst;
}

/* Word i of the VC map: half of a row for one VC. */
static uint64_t map_word(const struct ut_next_hops *hops, uint32_t sw, uint32_t i) {
  const unsigned half = i % ut_next_hops_halves(hops), vc = i / ut_next_hops_halves(hops) % hops->v,
                 line = i / ut_next_hops_halves(hops) / hops->v;
  const unsigned row = line < hops->layers ? line : UT_MAX_VC_MAP + line - hops->layers;
  uint32_t ports = 0;
  for (unsigned port = 32 * half; port < hops->topology->po && port < 32 * half + 32; port++)
    ports |= (uint32_t)(hops->by->vcs(hops->planner, sw, row, port) >> vc & 1) << port % 32;
  return ut_vc_row_make((uint8_t)row, (uint8_t)half, (uint8_t)vc, ports, UT_CONFIG_KIND_VCS, true);
}

/* The bank of an input port, and whether packets begin there; 0: the switch has no such port. */
static uint64_t bank_word(const struct ut_next_hops *hops, uint32_t sw, unsigned port) {
  const struct ut_topology *topo = hops->topology;
  const bool begins = (hops->layers || hops->rows > 2) && ut_topology_source(topo, sw, port).kind == UT_PEER_TERMINAL;
  if (port >= topo->elaboration[ut_topology_elaboration(topo, sw)].pi)
    return 0;
  return ut_config_make(0, (uint8_t)hops->by->bank(hops->planner, sw, port), 0, (uint8_t)port, 0, begins, 0,
                        UT_CONFIG_KIND_BANK, true);
}

uint64_t ut_next_hops_word(const struct ut_next_hops *hops, uint32_t sw, uint32_t i) {
  const uint32_t group_words = hops->groups * ut_next_hops_halves(hops), pi = hops->topology->pi;
  if (i < group_words) {
    const uint64_t ports = hops->group[(size_t)sw * hops->groups + i / ut_next_hops_halves(hops)];
    const unsigned half = i % ut_next_hops_halves(hops);
    return ut_hop_group_make((uint8_t)(i / ut_next_hops_halves(hops)), (uint8_t)half, (uint32_t)(ports >> 32 * half),
                             UT_CONFIG_KIND_GROUP, true);
  }
  i -= group_words;
  if (i < pi)
    return bank_word(hops, sw, i);
  i -= pi;
  if (i < map_words(hops))
    return map_word(hops, sw, i);
  i -= map_words(hops);
  const unsigned row = i / hops->destinations; /* row 2: of the adaptive VCs */
  return ut_config_make((uint16_t)(i % hops->destinations), row % 2, row / 2, 0, 0, 0,
                        hops->entry[(size_t)sw * hops->rows * hops->destinations + i], UT_CONFIG_KIND_ENTRY, true);
}

uint32_t ut_next_hops_number(const struct ut_next_hops *hops, uint64_t word) {
  const unsigned halves = ut_next_hops_halves(hops);
  const uint32_t row = ut_vc_row_row(word), line = row < UT_MAX_VC_MAP ? row : hops->layers + row - UT_MAX_VC_MAP;
  switch (ut_config_kind(word)) {
  case UT_CONFIG_KIND_GROUP: return ut_hop_group_number(word) * halves + ut_hop_group_half(word);
  case UT_CONFIG_KIND_BANK: return ut_next_hops_bank_at(hops, ut_config_port(word));
  case UT_CONFIG_KIND_VCS:
    return ut_next_hops_bank_at(hops, hops->topology->pi) + (line * hops->v + ut_vc_row_vc(word)) * halves +
           ut_vc_row_half(word);
  default: return ut_next_hops_entry_at(hops, ut_config_bank(word) + 2 * ut_config_in_vc(word), ut_config_dst(word));
  }
}
