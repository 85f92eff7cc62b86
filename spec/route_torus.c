/* SPDX-License-Identifier: Apache-2.0 */
/* route_torus.c - routing in tori and meshes, with the mechanisms of INTERMEDIATE.  Twin: rtl/ut_route_torus.v
 *
 *   dor                 dimension order X, Y, Z
 *   direction_order     X+ Y+ Z+ X- Y- Z- (INTERMEDIATE section 4.3)
 *   dor_without_bubble  dor without the bubble rule: its rings can fill, and deadlock
 *   dor_dateline        dor with datelines in place of the bubble rule: VCs of even numbers are class 0, the others 1
 *   duato               fully adaptive minimal; dimension order in the escape VCs, the last ones (INTERMEDIATE 3)
 *   duato_dateline      duato with datelines: each escape channel is two VCs, of class 0 and 1 (INTERMEDIATE 3)
 *
 * Mechanisms (INTERMEDIATE sections 3, 4 and 5.2), which rt asks for:
 *   intermediate nodes  the header word is that of a sub-path, which has an escape VC of its own; at the end of the
 *                       sub-path it is stripped
 *   D, deterministic    on this sub-path the one deterministic path, in any of its VCs
 *   M, misroute         first so many hops in up to three directions; escape VCs then keep to direction order
 */
#include "directions.h"

/* Returns one of the minimal directions, by the order; in direction order the plus directions come first. */
static unsigned first_in_order(const struct ut_shape *shape, uint64_t minimal) {
  const bool plus_first = shape->algorithm == UT_TORUS_DIRECTION_ORDER || shape->misroute;
  for (unsigned port = 0; plus_first && port < 2 * spec_dimensions(shape); port += 2)
    if (spec_has_port(minimal, port))
      return port;
  return spec_lowest_port(minimal);
}

/* Mechanism M: returns the header after a hop in the first of the directions; after its last hop the others move up. */
static uint32_t after_misrouted_hop(uint32_t rt) {
  const uint8_t sub_path = ut_rt_path_sub_path(rt), more = ut_rt_path_more(rt), direction = ut_rt_path_direction(rt);
  const uint8_t deterministic = ut_rt_path_deterministic(rt), misroutes = ut_rt_path_misroutes(rt);
  const uint8_t hops = ut_rt_path_hops(rt);
  const uint16_t later = ut_rt_path_later(rt); /* direction and hops of the second one, then those of the third */
  const uint64_t next =
      hops > 0 ? ut_rt_path_make(sub_path, more, deterministic, misroutes, direction, hops - 1, later)
               : ut_rt_path_make(sub_path, more, deterministic, misroutes - 1, later % 8, later / 8 % 8, later / 64);
  return (uint32_t)next;
}

/* Whether there are two classes of VCs, and datelines between them: the wrap links. */
static bool has_datelines(const struct ut_shape *shape) {
  return UT_ALG_DATELINE(shape->route, shape->algorithm);
}

/* Returns the VCs of the deterministic path; those before the escape VCs belong to the first sub-path, too. */
static bool is_of_sub_path(const struct ut_shape *shape, uint32_t rt, unsigned vc) {
  const unsigned each = has_datelines(shape) ? 2 : 1, first_escape = shape->v - shape->escapes * each;
  return shape->escapes == 1 || ut_rt_path_sub_path(rt) == (vc < first_escape ? 0 : (vc - first_escape) / each);
}

/* Datelines: whether the packet has crossed the wrap link of the ring that it is in.  It has if it comes from there;
 * else it may have where it comes in class 1. */
static bool may_have_crossed(const struct spec_route_query *query, unsigned port) {
  const unsigned here = spec_coordinate(query->straps, port / 2);
  const unsigned behind_the_wrap_link = port % 2 ? query->shape->size[port / 2] - 1 : 0;
  const bool stays = query->in_port == spec_opposite(port);
  return stays && (here == behind_the_wrap_link || query->in_vc % 2 == 1);
}

/* Datelines: whether a packet may take the VC towards that port, by its class: 0 before and on the wrap link, 1 behind
 * it and where there is no need to cross it.  In the second case it may take class 0, too, if it has not crossed it;
 * but not where an adaptive VC can have led it across. */
static bool is_of_class(const struct spec_route_query *query, unsigned vc, unsigned port) {
  const unsigned adaptive = spec_adaptive_vcs(query->shape), class = (vc - adaptive) % 2;
  if (!has_datelines(query->shape) || port == SPEC_NO_PORT)
    return true;
  if (spec_crosses_wrap_link(query, port))
    return class == 0;
  return class == 1 || (!adaptive && !may_have_crossed(query, port));
}

/* Bubble rule: a packet that enters a ring, from a terminal, another dimension or another VC, needs space for two
 * packets. */
static uint64_t ports_into_rings(const struct spec_route_query *query, unsigned vc, uint64_t ports) {
  uint64_t into = 0;
  for (unsigned port = 0; port < 2 * spec_dimensions(query->shape); port++) {
    const bool stays = query->in_port == spec_opposite(port) && query->in_vc == vc;
    if (spec_has_port(ports, port) && !stays)
      into |= spec_port(port);
  }
  return into;
}

/* Counts the rule that has given the answer.  ports: all adaptive directions, or the only one. */
static enum spec_cover_point rule_of(const struct spec_route_query *query, const struct spec_answer *answer,
                                     bool misrouting, bool arrived, uint64_t ports) {
  const uint32_t rt = ut_header_rt(query->header);
  if (answer->discard)
    return COVER_GRID_LOST;
  if (misrouting)
    return ut_rt_path_hops(rt) > 0 ? COVER_PATH_MISROUTES : COVER_PATH_NEXT_MISROUTE;
  if (arrived)
    return COVER_GRID_ARRIVES;
  if (query->shape->deterministic && ut_rt_path_deterministic(rt))
    return COVER_PATH_DETERMINISTIC;
  return spec_count_ports(ports) > 1 ? COVER_GRID_ADAPTIVE : COVER_GRID_ONE_WAY;
}

void spec_route_torus(const struct spec_route_query *query, struct spec_answer *answer) {
  const struct ut_shape *shape = query->shape;
  const uint32_t rt = ut_header_rt(query->header);
  const uint64_t minimal = spec_minimal_directions(query);
  const bool misrouting = shape->misroute && ut_rt_path_misroutes(rt) > 0;
  const bool arrived = !minimal && !misrouting;
  const uint64_t exits = arrived ? spec_terminal_ports(query, 2 * spec_dimensions(shape)) : 0;
  unsigned next = first_in_order(shape, minimal);
  if (misrouting)
    next = ut_rt_path_direction(rt) < 2 * spec_dimensions(shape) ? ut_rt_path_direction(rt) : SPEC_NO_PORT;

  const uint64_t one = (spec_port(next) | exits) & query->up; /* the deterministic direction */
  const bool only_one = misrouting || (shape->deterministic && ut_rt_path_deterministic(rt));
  const uint64_t any = only_one ? one : (minimal | exits) & query->up;
  const unsigned adaptive = spec_adaptive_vcs(shape);
  for (unsigned vc = 0; vc < shape->v; vc++)
    if (vc < adaptive) {
      answer->cand[vc] = answer->preferred[vc] = any;
    } else if (is_of_sub_path(shape, rt, vc) && is_of_class(query, vc, next)) {
      answer->cand[vc] = one;
      if (UT_ALG_BUBBLE(shape->route, shape->algorithm))
        answer->bubble[vc] = ports_into_rings(query, vc, one);
    }
  if (shape->misroute)
    answer->rt = misrouting ? after_misrouted_hop(rt) : rt;
  answer->strip = shape->escapes > 1 && arrived && ut_rt_path_more(rt);
  answer->discard = !answer->strip && !(adaptive ? any : one);
  spec_cover(query->cover, rule_of(query, answer, misrouting, arrived, adaptive ? any : one));
  if (minimal & minimal >> 1 & 0x55555555) /* both directions of a dimension */
    spec_cover(query->cover, COVER_GRID_BOTH_WAYS);
  if (shape->escapes > 1 && ut_rt_path_sub_path(rt))
    spec_cover(query->cover, COVER_SUB_PATH_SECOND);
}
