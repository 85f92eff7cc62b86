/* SPDX-License-Identifier: Apache-2.0 */
/* forwarding.c - see forwarding.h */
#include "forwarding.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "route_unit.h"
#include "scenario_schema.h"

static const struct ut_next_hop_planner *planner_of(const struct ut_topology *topo, const struct ut_planning *planning,
                                                    const struct ut_shape *shape) {
  if (ut_escape_table_of(*shape))
    return &ut_next_hops_by_escape;
  if (!topo->family->any_form)
    return &ut_next_hops_by_levels;
  return shape->via                               ? &ut_next_hops_via
         : planning->planner == UT_PLANNER_LAYERS ? &ut_next_hops_by_layers
         : planning->planner == UT_PLANNER_FILE   ? &ut_next_hops_by_file
                                                  : &ut_next_hops_by_search;
}

/* Tables of one port, which planners with rules of their own choose. */
static bool open_one(struct ut_forwarding *forwarding, const struct ut_planning *planning,
                     const struct ut_shape *shape) {
  forwarding->one = planner_of(forwarding->topology, planning, shape);
  forwarding->planner = forwarding->one->open(forwarding->topology, planning, forwarding->v);
  return forwarding->planner != NULL;
}

bool ut_forwarding_init(struct ut_forwarding *forwarding, const struct ut_topology *topo, const struct ut_shape *shape,
                        const struct ut_planning *planning) {
  struct ut_shape asked = *shape;
  *forwarding = (struct ut_forwarding){.topology = topo};
  if (shape->groups) {
    const struct ut_next_hop_planner *by = planner_of(topo, planning, shape);
    const bool memory = ut_next_hops_init(&forwarding->hops, topo, by, planning, shape);
    forwarding->words = memory ? ut_next_hops_words(&forwarding->hops) : 0;
    return memory;
  }
  forwarding->v = shape->v;
  forwarding->destinations = shape->destinations;
  forwarding->entries = 2 * shape->v * shape->destinations;
  forwarding->words = forwarding->entries + topo->pi;
  if (topo->family->any_form)
    return planning->planner == UT_PLANNER_DMODK || planning->planner == UT_PLANNER_FILE
               ? open_one(forwarding, planning, shape)
               : ut_balanced_init(&forwarding->balanced, topo, planning);
  forwarding->local = shape->algorithm != UT_TABLE_TABLE;
  forwarding->layers = shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK;
  asked.route = UT_ROUTE_FATTREE;
  asked.algorithm = UT_FATTREE_REROUTE_DET_LINK;
  asked.destinations = 0;
  if (!forwarding->layers) /* without virtual layers */
    asked.v = 1;
  forwarding->up = calloc(topo->switches, sizeof *forwarding->up);
  if (forwarding->up && ut_up_down_init(&forwarding->up_down, topo) && ut_group_init(&forwarding->group, &asked, 0, 1))
    return true;
  ut_forwarding_fini(forwarding);
  return false;
}

void ut_forwarding_fini(struct ut_forwarding *forwarding) {
  ut_balanced_fini(&forwarding->balanced);
  if (forwarding->planner)
    forwarding->one->close(forwarding->planner);
  if (forwarding->hops.by)
    ut_next_hops_fini(&forwarding->hops);
  free(forwarding->up);
  ut_up_down_fini(&forwarding->up_down);
  ut_group_fini(&forwarding->group);
  memset(forwarding, 0, sizeof *forwarding);
}

void ut_forwarding_survey(struct ut_forwarding *forwarding, const ut_mask *link_up) {
  if (forwarding->balanced.topology) {
    ut_balanced_survey(&forwarding->balanced, link_up);
    return;
  }
  if (forwarding->planner) {
    forwarding->one->survey(forwarding->planner, link_up);
    return;
  }
  if (forwarding->hops.by) {
    ut_next_hops_survey(&forwarding->hops, link_up);
    return;
  }
  memcpy(forwarding->up, link_up, forwarding->topology->switches * sizeof *forwarding->up);
  ut_up_down_survey(&forwarding->up_down, forwarding->up);
}

int ut_forwarding_check(const struct ut_forwarding *forwarding, const char *path, const struct ut_planning *planning,
                        struct ut_error *e) {
  const struct ut_next_hops *hops = &forwarding->hops;
  const unsigned needed = hops->by && hops->layers ? ut_next_hops_vcs_needed(hops) : 1;
  if (needed <= hops->v || planning->too_few_vcs == UT_TOO_FEW_SHARE || !hops->by)
    return 0;
  return ut_fail(
      e, UT_BAD_INPUT,
      "%s: 'routing.planner: %s' needs %u virtual channels in this network, 'switch.vcs' is %u: raise it, or "
      "set 'routing.too_few_vcs: share', where a deadlock is possible",
      path, ut_schema_word("routing.planner", (int)planning->planner), needed, hops->v);
}

/* Returns the usable up ports if destro's port is among them; otherwise one of them, which rotates over the
 * destinations whose port that would be, so that no port carries all the load of another one (REROUTE algorithm 1, line
 * 10). */
static ut_mask balanced(const struct ut_topology *topo, ut_mask usable, uint32_t sw, uint32_t dst) {
  const uint32_t k = topo->po / 2;
  uint32_t step = 1; /* of the level's digit */
  for (unsigned level = 0; level < topo->level[sw]; level++)
    step *= k;
  if (usable >> (k + dst / step % k) & 1)
    return usable;
  const uint32_t number = dst / (k * step) * step + dst % step; /* without the digit of this level */
  for (uint32_t skipped = number % (uint32_t)__builtin_popcountll(usable); skipped; skipped--)
    usable &= usable - 1;
  return usable & -usable;
}

/* Returns the ports of a switch for which a packet may be planned: up ports without a path are left out, or, if no up
 * port has one, none is. */
static ut_mask usable(const struct ut_forwarding *forwarding, uint32_t sw, uint32_t leaf, uint32_t dst) {
  const struct ut_topology *topo = forwarding->topology;
  const ut_mask up_ports = ut_topology_up_ports(topo, sw);
  ut_mask good = 0;
  UT_FOR_EACH (port, forwarding->up[sw] & up_ports) {
    if (ut_up_down_reaches(&forwarding->up_down, topo->peer[(size_t)sw * topo->po + port].index, leaf))
      good |= ut_bit(port);
  }
  return good ? balanced(topo, good, sw, dst) | (forwarding->up[sw] & ~up_ports) : forwarding->up[sw];
}

/* The entry of a network of any form. */
static uint64_t any_form_entry(const struct ut_forwarding *forwarding, uint32_t sw, unsigned bank, unsigned in_vc,
                               uint16_t dst) {
  const ut_mask ports = forwarding->planner ? forwarding->one->next_hops(forwarding->planner, sw, bank, dst) : 0;
  const unsigned port = !forwarding->planner ? ut_balanced_port(&forwarding->balanced, sw, bank, dst)
                        : ports              ? ut_first(ports)
                                             : UT_NO_PORT;
  const bool there = port != UT_NO_PORT;
  return ut_config_make(dst, bank, (uint8_t)in_vc, there ? (uint8_t)port : 0, (uint8_t)in_vc, there, 0,
                        UT_CONFIG_KIND_ENTRY, true);
}

/* Returns an input port that stands for its bank: a U-turn from there takes the first port of the sequence, or one
 * behind the first in the re-routing layer, where the switch goes on behind the arrival port. */
static unsigned port_of(const struct ut_forwarding *forwarding, bool from_above, unsigned in_vc) {
  const bool again = forwarding->layers && in_vc > 0 && in_vc == forwarding->v - 1;
  return !from_above ? 0 : again ? forwarding->topology->pi / 2 : forwarding->topology->pi - 1;
}

/* Returns the word that writes an entry. */
static uint64_t entry_of(struct ut_forwarding *forwarding, uint32_t sw, bool from_above, unsigned in_vc, uint16_t dst) {
  const struct ut_topology *topo = forwarding->topology;
  const uint32_t leaf = ut_topology_attachment(topo, dst).sw;
  struct ut_switch *asked = ut_switch_of(&forwarding->group, 0);
  struct ut_route_result route;
  if (asked->straps != topo->straps[sw])
    ut_switch_reset(&forwarding->group, asked, topo->straps[sw]);
  const ut_mask up_ports = ut_topology_up_ports(topo, sw);
  const bool down = ut_up_down_below(&forwarding->up_down, sw, leaf);
  asked->out_up = from_above ? forwarding->up[sw] : usable(forwarding, sw, leaf, dst);
  if (forwarding->local) /* down, and where to turn: as without faults; the switch finds the way around */
    asked->out_up |= from_above ? forwarding->group.all_out : forwarding->group.all_out & ~up_ports;
  forwarding->group.route(&forwarding->group, asked, ut_header_make(dst, 0, 0, 0),
                          port_of(forwarding, from_above, in_vc), forwarding->layers ? in_vc : 0, &route);
  ut_mask ports = 0;
  unsigned vc = in_vc;
  for (unsigned v = forwarding->group.shape.v; v-- > 0;)
    if (route.cand[v]) {
      ports = route.cand[v];
      vc = forwarding->layers ? v : in_vc;
    }
  if (!forwarding->local && (from_above || !ut_up_down_reaches(&forwarding->up_down, sw, leaf)) &&
      !down) /* up*-down* only */
    ports = 0;
  unsigned port = ports ? ut_first(ports) : 0;
  return ut_config_make(dst, from_above, (uint8_t)in_vc, (uint8_t)port, (uint8_t)vc, ports != 0, 0,
                        UT_CONFIG_KIND_ENTRY, true);
}

/* Returns the word that writes the bank of an input port; 0: the switch has no such port. */
static uint64_t bank_of(const struct ut_forwarding *forwarding, uint32_t sw, unsigned port) {
  const struct ut_topology *topo = forwarding->topology;
  if (port >= topo->elaboration[ut_topology_elaboration(topo, sw)].pi)
    return 0;
  const unsigned bank = forwarding->planner             ? forwarding->one->bank(forwarding->planner, sw, port)
                        : forwarding->balanced.topology ? ut_hop_search_bank(&forwarding->balanced.hops, sw, port)
                                                        : ut_topology_up_ports(topo, sw) >> port & 1;
  return ut_config_make(0, bank, 0, (uint8_t)port, 0, 0, 0, UT_CONFIG_KIND_BANK, true);
}

bool ut_forwarding_is_entry(const struct ut_forwarding *forwarding, uint32_t i) {
  return forwarding->hops.by ? i >= ut_next_hops_wide_words(&forwarding->hops) : i < forwarding->entries;
}

uint32_t ut_forwarding_destination(const struct ut_forwarding *forwarding, uint32_t i) {
  const struct ut_next_hops *hops = &forwarding->hops;
  return hops->by ? (i - ut_next_hops_wide_words(hops)) % hops->destinations : i % forwarding->destinations;
}

uint64_t ut_forwarding_word(struct ut_forwarding *forwarding, uint32_t sw, uint32_t i) {
  if (forwarding->hops.by)
    return ut_next_hops_word(&forwarding->hops, sw, i);
  if (i >= forwarding->entries)
    return bank_of(forwarding, sw, i - forwarding->entries);
  const unsigned row = i / forwarding->destinations, bank = row / forwarding->v, in_vc = row % forwarding->v;
  const uint16_t dst = (uint16_t)(i % forwarding->destinations);
  return forwarding->balanced.topology || forwarding->planner ? any_form_entry(forwarding, sw, bank, in_vc, dst)
                                                              : entry_of(forwarding, sw, bank, in_vc, dst);
}

uint32_t ut_forwarding_number(const struct ut_forwarding *forwarding, uint64_t word) {
  const unsigned bank = ut_config_bank(word), in_vc = ut_config_in_vc(word), port = ut_config_port(word);
  if (forwarding->hops.by)
    return ut_next_hops_number(&forwarding->hops, word);
  return ut_config_kind(word) == UT_CONFIG_KIND_BANK ? forwarding->entries + port
                                                     : ut_forwarding_at(forwarding, bank, in_vc, ut_config_dst(word));
}
