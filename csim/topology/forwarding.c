/* SPDX-License-Identifier: Apache-2.0 */
/* forwarding.c - see forwarding.h */
#include "forwarding.h"

#include <stdlib.h>
#include <string.h>

#include "route_unit.h"

bool ut_forwarding_init(struct ut_forwarding *p, const struct ut_topology *t, const struct ut_shape *shape) {
  struct ut_shape asked = *shape;
  *p = (struct ut_forwarding){.topology = t};
  p->local = shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK;
  asked.route = UT_ROUTE_FATTREE;
  asked.algorithm = UT_FATTREE_REROUTE_DET_LINK;
  asked.destinations = 0;
  if (!p->local) /* without virtual layers */
    asked.v = 1;
  p->up = calloc(t->switches, sizeof *p->up);
  if (p->up && ut_up_down_init(&p->up_down, t) && ut_group_init(&p->group, &asked, 0, 1))
    return true;
  ut_forwarding_fini(p);
  return false;
}

void ut_forwarding_fini(struct ut_forwarding *p) {
  free(p->up);
  ut_up_down_fini(&p->up_down);
  ut_group_fini(&p->group);
  memset(p, 0, sizeof *p);
}

void ut_forwarding_survey(struct ut_forwarding *p, const ut_mask *link_up) {
  memcpy(p->up, link_up, p->topology->switches * sizeof *p->up);
  ut_up_down_survey(&p->up_down, p->up);
}

/* The usable up ports if the one of destro is among them; else one of them, by turns over the destinations whose port
 * that would be, so that none carries all of another's (REROUTE algorithm 1, line 10). */
static ut_mask balanced(const struct ut_topology *t, ut_mask usable, uint32_t sw, uint32_t dst) {
  const uint32_t k = t->po / 2;
  uint32_t step = 1; /* of the level's digit */
  for (unsigned level = 0; level < t->level[sw]; level++)
    step *= k;
  if (usable >> (k + dst / step % k) & 1)
    return usable;
  const uint32_t number = dst / (k * step) * step + dst % step; /* without the digit of this level */
  for (uint32_t skipped = number % (uint32_t)__builtin_popcountll(usable); skipped; skipped--)
    usable &= usable - 1;
  return usable & -usable;
}

/* The ports of a switch that a packet may be planned for: up ports without a path are left out, or, if none has one,
 * none. */
static ut_mask usable(const struct ut_forwarding *p, uint32_t sw, uint32_t leaf, uint32_t dst) {
  const struct ut_topology *t = p->topology;
  const ut_mask up_ports = (ut_mask)t->up_ports;
  ut_mask good = 0;
  UT_FOR_EACH (port, p->up[sw] & up_ports) {
    if (ut_up_down_reaches(&p->up_down, t->peer[(size_t)sw * t->po + port].index, leaf))
      good |= ut_bit(port);
  }
  return good ? balanced(t, good, sw, dst) | (p->up[sw] & ~up_ports) : p->up[sw];
}

uint64_t ut_forwarding_entry(struct ut_forwarding *p, uint32_t sw, unsigned in_port, unsigned in_vc, uint16_t dst) {
  const struct ut_topology *t = p->topology;
  const uint32_t leaf = ut_topology_attachment(t, dst).sw;
  struct ut_switch *asked = ut_switch_of(&p->group, 0);
  struct ut_route_result r;
  if (asked->straps != t->straps[sw])
    ut_switch_reset(&p->group, asked, t->straps[sw]);
  bool from_above = t->up_ports >> in_port & 1, down = ut_up_down_below(&p->up_down, sw, leaf);
  asked->out_up = from_above ? p->up[sw] : usable(p, sw, leaf, dst);
  p->group.route(&p->group, asked, ut_header_make(dst, 0, 0, 0), in_port, p->local ? in_vc : 0, &r);
  ut_mask ports = 0;
  unsigned vc = in_vc;
  for (unsigned v = p->group.shape.v; v-- > 0;)
    if (r.cand[v]) {
      ports = r.cand[v];
      vc = p->local ? v : in_vc;
    }
  if (!p->local && (from_above || !ut_up_down_reaches(&p->up_down, sw, leaf)) && !down) /* up*-down* only */
    ports = 0;
  unsigned port = ports ? (unsigned)__builtin_ctz(ports) : 0;
  return ut_config_make(dst, (uint8_t)in_port, (uint8_t)in_vc, (uint8_t)port, (uint8_t)vc, ports != 0, true);
}
