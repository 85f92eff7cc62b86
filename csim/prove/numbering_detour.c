/* SPDX-License-Identifier: Apache-2.0 */
/* numbering_detour.c - see numbering.h: the renumbering methods of DETOUR section 4, for hypercubes and meshes. */
#include "node_states.h"
#include "numbering.h"

/* The paper's numbers, multiplied by UNIT and increased by OFFSET, so that -1 stays free.  Detours have numbers in
 * between: by the order of their groups and, within a group, along its direction. */
enum { UNIT = 4096, GROUP = 256, OFFSET = 2 * UNIT };

bool ut_escapes_numbered(const struct ut_explorer *explorer) {
  const struct ut_shape *shape = &explorer->group[0].shape;
  return (shape->route == UT_ROUTE_DETOUR_CUBE || shape->route == UT_ROUTE_DETOUR_MESH) &&
         explorer->group[0].form.states;
}

static struct ut_switch *switch_of(const struct ut_explorer *explorer, uint32_t sw) {
  return ut_switch_of(ut_explorer_group(explorer, sw), sw);
}

static const struct ut_node_states *states_of(const struct ut_explorer *explorer, uint32_t sw) {
  return ut_node_states_of(ut_explorer_group(explorer, sw), switch_of(explorer, sw));
}

/* VIN1 of dimension m has number m.  A detour of it, in VIN2 of a higher dimension, lies between m - 1 and m and
 * rises. */
static int64_t cube_number(const struct ut_explorer *explorer, uint32_t sw, unsigned dimension, bool first) {
  const ut_mask bad = states_of(explorer, sw)->bad;
  const unsigned blocked = bad ? ut_first(bad) : dimension;
  if (first)
    return OFFSET + (int64_t)UNIT * dimension;
  return blocked < dimension ? OFFSET + (int64_t)UNIT * blocked - UNIT + 1 + dimension : -1;
}

/* VIN1 in a mesh (figure 1): the sum of the sizes of lower dimensions, and how far along its dimension the channel
 * is. */
static int64_t figure_1(const struct ut_explorer *explorer, uint32_t sw, unsigned port) {
  const struct ut_group *group = explorer->group;
  const unsigned d = port / 2, at = switch_of(explorer, sw)->place[d];
  int64_t number = port & 1 ? (int64_t)group->shape.size[d] - at : at;
  for (unsigned i = 0; i < d; i++)
    number += group->shape.size[i];
  return number;
}

/* Returns how far a channel is along its direction. */
static unsigned progress(const struct ut_explorer *explorer, uint32_t sw, unsigned port) {
  const unsigned d = port / 2, at = switch_of(explorer, sw)->place[d];
  return port & 1 ? explorer->group->shape.size[d] - 1 - at : at;
}

/* Returns whether the block behind port `bad` reaches from this node to the border in direction `way`: a detour that
 * way turns back.
 */
static bool ends_at_border(const struct ut_explorer *explorer, uint32_t sw, unsigned bad, unsigned way) {
  const struct ut_topology *topo = explorer->topology;
  while (ut_is_bad(states_of(explorer, sw), bad)) {
    if (!(states_of(explorer, sw)->exists >> way & 1))
      return true;
    sw = topo->peer[(size_t)sw * topo->po + way].index;
  }
  return false;
}

/* A detour along dimension 0 (methods 3 and 4): above the number with which its packets enter that row along the
 * highest dimension.  Packets that meet the block begin with the direction around it, packets behind it return.  With
 * low and high channels (three VCs) both directions may begin, the plus one through the low channel, and then the minus
 * one through the high channel. */
static int64_t number_along_0(const struct ut_explorer *explorer, uint32_t sw, unsigned port, unsigned vc) {
  const struct ut_node_states *states = states_of(explorer, sw);
  const struct ut_shape *shape = &explorer->group->shape;
  const unsigned h = 2 * (explorer->group->dimensions - 1), high = (vc - shape->vin1_vcs) & 1;
  const bool two = shape->algorithm == UT_DETOUR_MESH_DETOUR_LOW_HIGH;
  for (unsigned side = 0; side < 2; side++) {
    const bool beside = ut_is_bad(states, h + side),
               corner = !ut_is_bad(states, port) && ut_is_bad_across(states, port, h + side);
    if (!beside && !corner)
      continue;
    const unsigned borders = beside ? states->border : (unsigned)states->corner >> 2 * port,
                   begins = two ? high : borders >> side & 1;
    const unsigned travel = h + (port == begins ? side : !side);
    return OFFSET + UNIT * (figure_1(explorer, sw, travel) - 1) + 1 + (two ? GROUP * high : 0) +
           progress(explorer, sw, port);
  }
  return -1;
}

/* A detour in a dimension above that of the bad neighbour (methods 1 and 2): below the number of the channel that it
 * replaces; the direction away from a border comes after the one towards it. */
static int64_t mesh_number(const struct ut_explorer *explorer, uint32_t sw, unsigned port, unsigned vc) {
  const ut_mask bad = states_of(explorer, sw)->bad & ut_mask_all(2 * (port / 2));
  if (vc < explorer->group->shape.vin1_vcs)
    return OFFSET + UNIT * figure_1(explorer, sw, port);
  if (port < 2)
    return number_along_0(explorer, sw, port, vc);
  if (!bad)
    return -1;
  const unsigned blocked = ut_first(bad), group = 2 * (port / 2 - blocked / 2 - 1);
  const unsigned away = ends_at_border(explorer, sw, blocked, port ^ 1);
  return OFFSET + UNIT * (figure_1(explorer, sw, blocked) - 1) + 1 + GROUP * (group + away) +
         progress(explorer, sw, port);
}

/* Out of an unsafe node the smallest number, into one the largest. */
int64_t ut_escape_number(const struct ut_explorer *explorer, uint32_t channel) {
  const struct ut_channel *chan = &explorer->channel[channel];
  const struct ut_peer from = ut_explorer_feeder(explorer, chan->sw, chan->port);
  if (from.kind != UT_PEER_SWITCH)
    return -1;
  const bool here = states_of(explorer, from.index)->unsafe, there = states_of(explorer, chan->sw)->unsafe;
  if (here)
    return there ? -1 : 0;
  if (there)
    return INT64_MAX;
  if (explorer->group->shape.cube)
    return cube_number(explorer, from.index, from.port, chan->vc < explorer->group->shape.vin1_vcs);
  return mesh_number(explorer, from.index, from.port, chan->vc);
}
