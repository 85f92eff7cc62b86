/* SPDX-License-Identifier: Apache-2.0 */
/* node_states.h - safe, unsafe and disabled nodes: what a switch of DETOUR knows of itself and of the nodes around it.
 * Twin: rtl/ut_node_states.v (DETOUR section 4, definitions 1, 1' and 2).
 *
 * A bad node is faulty, unsafe or disabled.  A link that is down shows that the neighbour is faulty; its report tells
 * the rest: whether it is unsafe, and in grids which neighbours of its own are bad, so that nodes across a corner are
 * known, and where a block reaches the right border.  States only get worse; when a node has come back, the manager has
 * them computed anew.
 */
#ifndef UT_NODE_STATES_H
#define UT_NODE_STATES_H

#include "route_unit.h"

/* Bits of a switch's report: first, whether it is bad. */
enum { UT_REPORT_BAD, UT_REPORT_NEIGHBOURS /* of grids: one bit a port, then two for the border */ };

/* The nodes reached by a hop through port p and one through q, in different dimensions: a bit of `diagonal`. */
UT_INLINE unsigned ut_diagonal(unsigned p, unsigned q) {
  const unsigned low = p < q ? p : q, high = p < q ? q : p, i = low / 2, j = high / 2;
  return 4 * (j * (j - 1) / 2 + i) + 2 * (high & 1) + (low & 1);
}

UT_INLINE struct ut_node_states *ut_node_states_of(const struct ut_group *group, const struct ut_switch *sw) {
  return (struct ut_node_states *)((unsigned char *)(uintptr_t)sw + group->form.at_node);
}

/* Whether the neighbour behind port p, or the node behind p and then q, is bad. */
UT_INLINE bool ut_is_bad(const struct ut_node_states *states, unsigned p) {
  return states->bad >> p & 1;
}
UT_INLINE bool ut_is_bad_across(const struct ut_node_states *states, unsigned p, unsigned q) {
  return states->diagonal >> ut_diagonal(p, q) & 1;
}

/* Hypercube: two or more bad neighbours (definition 1).  Grid: in some plane the bad ones of the eight nodes around
 * this one lie on no common edge of the square (definition 1' and its example). */
UT_INLINE bool ut_node_is_unsafe(const struct ut_group *group, const struct ut_node_states *states) {
  if (group->shape.cube)
    return (states->bad & (states->bad - 1)) != 0;
  for (unsigned j = 1; j < group->dimensions; j++)
    for (unsigned i = 0; i < j; i++) {
      bool on_one_edge = false;
      for (unsigned edge = 0; edge < 4; edge++) { /* +i, -i, +j, -j */
        const unsigned d = edge < 2 ? i : j, e = edge < 2 ? j : i, side = edge & 1;
        const ut_mask elsewhere = ut_bit(2 * d + !side) | ut_bit(2 * e) | ut_bit(2 * e + 1);
        const bool outside = (states->bad & elsewhere) || ut_is_bad_across(states, 2 * d + !side, 2 * e) ||
                             ut_is_bad_across(states, 2 * d + !side, 2 * e + 1);
        on_one_edge |= !outside;
      }
      if (!on_one_edge)
        return true;
    }
  return false;
}

/* An unsafe node of a grid with fewer than two safe neighbours in some plane is treated as faulty (definition 2). */
UT_INLINE bool ut_node_is_disabled(const struct ut_group *group, const struct ut_node_states *states) {
  if (!states->unsafe)
    return false;
  const ut_mask safe = states->exists & ~states->bad;
  for (unsigned j = 1; j < group->dimensions; j++)
    for (unsigned i = 0; i < j; i++) {
      const ut_mask plane = safe & (3u << 2 * i | 3u << 2 * j);
      if (!(plane & (plane - 1)))
        return true;
    }
  return false;
}

/* Whether the manager has ordered packets to that destination to be discarded. */
UT_INLINE bool ut_node_refuses(const struct ut_group *group, const struct ut_switch *sw, uint64_t header) {
  const struct ut_node_states *states = ut_node_states_of(group, sw);
  return states->refuses && states->refused == ut_header_dst(header);
}

/* Returns the report of the switch to all its neighbours, as a word. */
UT_INLINE uint32_t ut_node_states_report(const struct ut_group *group, const struct ut_node_states *states) {
  if (group->shape.cube)
    return states->unsafe;
  const unsigned ports = 2 * group->dimensions;
  return (uint32_t)states->unsafe << UT_REPORT_BAD | (uint32_t)states->bad << UT_REPORT_NEIGHBOURS |
         (uint32_t)states->border << (UT_REPORT_NEIGHBOURS + ports);
}

/* Updates the corners and the border, in a grid.  report: by bit, over output ports. */
UT_INLINE void ut_node_states_hear(const struct ut_group *group, const struct ut_node_states *old, ut_mask up,
                                   const ut_mask *report, struct ut_node_states *states) {
  const unsigned ports = 2 * group->dimensions, h = ports - 2;
  states->diagonal = 0;
  for (unsigned p = 0; p < ports; p++)
    for (unsigned q = p - p % 2 + 2; q < ports; q++) {
      const ut_mask said =
          (up >> p & report[UT_REPORT_NEIGHBOURS + q] >> p & 1) | (up >> q & report[UT_REPORT_NEIGHBOURS + p] >> q & 1);
      states->diagonal |= (uint32_t)said << ut_diagonal(p, q);
    }
  if (!UT_ALG_BORDER(group->shape.route, group->shape.algorithm))
    return;
  states->border =
      (uint8_t)(old->bad >> h & (old->edge | old->corner)); /* bad nodes in the highest dimension, both sides */
  states->corner = 0;
  for (unsigned side = 0; side < 2; side++) {
    const ut_mask said = up & report[UT_REPORT_NEIGHBOURS + ports + side] & 3;
    states->corner |= (uint8_t)((said & 1) << side | (said >> 1) << (2 + side));
  }
}

/* Carries out a word of the configuration port; returns whether waiting heads must ask again.  Codes that are no order
 * are ignored. */
UT_INLINE bool ut_node_states_order(struct ut_node_states *states, uint64_t word) {
  const unsigned kind = ut_order_kind(word);
  states->purge = kind == UT_ORDER_KIND_PURGE;
  if (kind == UT_ORDER_KIND_REFUSE)
    states->refused = ut_order_dst(word);
  const bool serves = kind == UT_ORDER_KIND_REFUSE || kind == UT_ORDER_KIND_ACCEPT;
  const bool settles = kind == UT_ORDER_KIND_RESTART || kind == UT_ORDER_KIND_RESUME;
  if (serves)
    states->refuses = kind == UT_ORDER_KIND_REFUSE;
  if (settles)
    states->restart = kind == UT_ORDER_KIND_RESTART;
  return serves || settles;
}

/* Updates the state at the end of a cycle.  Returns whether it may change in the next cycle, too. */
UT_INLINE bool ut_node_states_update(const struct ut_group *group, struct ut_switch *sw,
                                     const struct ut_switch_in *in) {
  struct ut_node_states *states = ut_node_states_of(group, sw);
  const struct ut_node_states old = *states;
  states->bad = states->exists & (~in->out_up | in->report[UT_REPORT_BAD]);
  if (!group->shape.cube)
    ut_node_states_hear(group, &old, in->out_up, in->report, states);
  states->unsafe = !old.restart && (old.unsafe || ut_node_is_unsafe(group, &old));
  states->disabled = ut_node_is_disabled(group, &old);
  states->changed = states->bad != old.bad || states->diagonal != old.diagonal || states->border != old.border ||
                    states->corner != old.corner || states->unsafe != old.unsafe || states->disabled != old.disabled;
  sw->stale_state = ut_node_states_order(states, in->config) | states->changed;
  return sw->stale_state || states->purge;
}

#endif
