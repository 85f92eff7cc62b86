/* planner.c - see planner.h */
#include "planner.h"

#include <stdlib.h>
#include <string.h>

#include "route_unit.h"

bool ut_planner_init(struct ut_planner *p, const struct ut_topology *t, const struct ut_shape *shape) {
  struct ut_shape asked = *shape;
  *p = (struct ut_planner){.topology = t, .k = shape->po / 2, .v = shape->v};
  p->local = shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK;
  while (p->leaves < t->switches && t->level[p->leaves] == 0)
    p->leaves++;
  p->words = (p->leaves + 63) / 64;
  asked.route = UT_ROUTE_FATTREE;
  asked.algorithm = UT_FATTREE_REROUTE_DET_LINK;
  asked.destinations = 0;
  if (!p->local) /* without virtual layers */
    asked.v = 1;
  p->up = calloc(t->switches, sizeof *p->up);
  p->below = calloc((size_t)t->switches * p->words, sizeof *p->below);
  p->reach = calloc((size_t)t->switches * p->words, sizeof *p->reach);
  if (p->up && p->below && p->reach && ut_group_init(&p->group, &asked, 0, 1))
    return true;
  ut_planner_fini(p);
  return false;
}

void ut_planner_fini(struct ut_planner *p) {
  free(p->up);
  free(p->below);
  free(p->reach);
  ut_group_fini(&p->group);
  memset(p, 0, sizeof *p);
}

/* Adds the sets of the switches behind those ports. */
static void gather(const struct ut_planner *p, uint64_t *sets, uint32_t sw, ut_mask ports) {
  UT_FOR_EACH(port, p->up[sw] & ports) {
    const struct ut_peer *peer = &p->topology->peer[(size_t)sw * p->topology->po + port];
    for (unsigned i = 0; i < p->words && peer->kind == UT_PEER_SWITCH; i++)
      sets[(size_t)sw * p->words + i] |= sets[(size_t)peer->index * p->words + i];
  }
}

void ut_planner_survey(struct ut_planner *p, const ut_mask *link_up) {
  const uint32_t switches = p->topology->switches;
  const ut_mask up_ports = (ut_mask)p->topology->up_ports;
  memset(p->below, 0, (size_t)switches * p->words * sizeof *p->below);
  for (uint32_t sw = 0; sw < switches; sw++) { /* level by level */
    p->up[sw] = link_up[sw];
    if (sw < p->leaves)
      p->below[(size_t)sw * p->words + sw / 64] |= UINT64_C(1) << sw % 64;
    gather(p, p->below, sw, ~up_ports);
  }
  memcpy(p->reach, p->below, (size_t)switches * p->words * sizeof *p->reach);
  for (uint32_t sw = switches; sw-- > 0;)
    gather(p, p->reach, sw, up_ports);
}

static bool has(const struct ut_planner *p, const uint64_t *sets, uint32_t sw, uint32_t leaf) {
  return sets[(size_t)sw * p->words + leaf / 64] >> leaf % 64 & 1;
}

/* The ports of a switch that a packet to that leaf switch may be planned for: up ports without a path are left out, or,
 * if none has one, none. */
static ut_mask usable(const struct ut_planner *p, uint32_t sw, uint32_t leaf) {
  const struct ut_topology *t = p->topology;
  const ut_mask up_ports = (ut_mask)t->up_ports;
  ut_mask good = 0;
  UT_FOR_EACH(port, p->up[sw] & up_ports) {
    if (has(p, p->reach, t->peer[(size_t)sw * t->po + port].index, leaf))
      good |= ut_bit(port);
  }
  return good ? good | (p->up[sw] & ~up_ports) : p->up[sw];
}

uint64_t ut_planner_entry(struct ut_planner *p, uint32_t sw, unsigned in_port, unsigned in_vc, uint16_t dst) {
  const struct ut_topology *t = p->topology;
  const uint32_t leaf = ut_topology_attachment(t, dst).sw;
  struct ut_switch *asked = ut_switch_of(&p->group, 0);
  struct ut_route_result r;
  if (asked->straps != t->straps[sw])
    ut_switch_reset(&p->group, asked, t->straps[sw]);
  bool from_above = t->up_ports >> in_port & 1, down = has(p, p->below, sw, leaf);
  asked->out_up = from_above ? p->up[sw] : usable(p, sw, leaf);
  p->group.route(&p->group, asked, ut_header_make(dst, 0, 0, 0), in_port, p->local ? in_vc : 0, &r);
  ut_mask ports = 0;
  unsigned vc = in_vc;
  for (unsigned v = p->group.shape.v; v-- > 0;)
    if (r.cand[v]) {
      ports = r.cand[v];
      vc = p->local ? v : in_vc;
    }
  if (!p->local && (from_above || !has(p, p->reach, sw, leaf)) && !down) /* up*-down* only */
    ports = 0;
  unsigned port = ports ? (unsigned)__builtin_ctz(ports) : 0;
  return ut_config_make(dst, (uint8_t)in_port, (uint8_t)in_vc, (uint8_t)port, (uint8_t)vc, ports != 0, true);
}
