/* numbering_detour.c - see numbering.h: the renumbering method of DETOUR section 4 for hypercubes. */
#include "node_states.h"
#include "numbering.h"

/* The paper's numbers times UNIT, and OFFSET more, so that -1 stays free. */
enum { UNIT = 16, OFFSET = UNIT };

bool ut_escapes_numbered(const struct ut_explorer *x) {
  const struct ut_shape *p = &x->group[0].shape;
  return p->route == UT_ROUTE_DETOUR_CUBE && x->group[0].traits.states;
}

static const struct ut_node_states *states_of(const struct ut_explorer *x, uint32_t sw) {
  const struct ut_group *g = ut_explorer_group(x, sw);
  return ut_node_states_of(g, ut_switch_of(g, sw));
}

/* VIN1 of dimension m: m.  A detour of it, VIN2 of a higher dimension: between m - 1 and m, rising.  Into an unsafe
 * node: the largest number, n; out of one: the smallest, -1. */
int64_t ut_escape_number(const struct ut_explorer *x, uint32_t channel) {
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer from = ut_explorer_feeder(x, c->sw, c->port);
  if (from.kind != UT_PEER_SWITCH)
    return -1;
  const struct ut_node_states *here = states_of(x, from.index), *there = states_of(x, c->sw);
  const int64_t dimension = from.port;
  if (here->unsafe)
    return there->unsafe ? -1 : OFFSET - UNIT;
  if (there->unsafe)
    return OFFSET + UNIT * (int64_t)x->group[0].shape.cube;
  if (c->vc == 0)
    return OFFSET + UNIT * dimension;
  const int64_t blocked = here->bad ? (int64_t)ut_first(here->bad) : dimension;
  return blocked < dimension ? OFFSET + UNIT * (blocked - 1) + 1 + dimension : -1;
}
