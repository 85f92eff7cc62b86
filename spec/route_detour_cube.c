/* SPDX-License-Identifier: Apache-2.0 */
/* route_detour_cube.c - routing in hypercubes with faulty nodes: port d leads to the neighbour in dimension d, the
 * ports behind the dimensions to terminals.  Twin: rtl/ut_route_detour_cube.v
 *
 * Two virtual networks: the first vin1_vcs VCs are VIN1, all others are VIN2 (DETOUR section 3).
 *   ecube           the lowest dimension that is needed, in any VC
 *   adaptive_vin    that one in VIN1, any that is needed in VIN2 (algorithm 3.1)
 *   detour          around bad nodes, that is faulty and unsafe ones (algorithm 4.1)
 *   detour_literal  the text as it is printed: step 3.3 also offers VIN2 to bad nodes
 *   detour_reserved detour without VIN2 in dimension 0 (section 3)
 * With misroute_hops adaptive_vin and detour also offer VIN2 of higher dimensions that are not needed (section 3). */
#include "directions.h"

/* Sets of dimensions, by virtual network; preferred dimensions are taken first, in VIN2 and in VIN1. */
struct offer {
  uint64_t vin1, vin2, vin1_preferred, vin2_preferred;
  bool detour; /* around bad nodes */
  enum spec_cover_point rule;
};

/* Dimensions of misrouted hops in VIN2: the packet may be misrouted there, and not back; above the lowest needed one.
 */
static uint64_t dimensions_astray(const struct spec_route_query *query, uint64_t needed, uint64_t may) {
  uint64_t astray = 0;
  for (unsigned d = spec_lowest_port(needed) + 1; d < query->shape->cube; d++)
    if (spec_has_port(may, d) && !spec_has_port(needed, d) && d != query->in_port)
      astray |= spec_port(d);
  return astray;
}

/* The lowest dimension in VIN1, `free` ones in VIN2; and misrouted hops, which come last. */
static struct offer choose(const struct spec_route_query *query, uint64_t needed, uint64_t free, uint64_t astray,
                           enum spec_cover_point rule) {
  const uint64_t lowest = spec_port(spec_lowest_port(needed));
  if (query->shape->misroute_hops && query->in_port < query->shape->cube) /* not back */
    free &= ~spec_port(query->in_port);
  if (astray)
    spec_cover(query->cover, COVER_MISROUTE_OFFERED);
  return (struct offer){.vin1 = lowest,
                        .vin1_preferred = astray ? lowest : 0,
                        .vin2 = free | astray,
                        .vin2_preferred = free,
                        .rule = rule};
}

/* Returns the dimensions in which the numbers of this node and of the destination's node differ: the paper's routing
 * tag R. */
static uint64_t needed_dimensions(const struct spec_route_query *query) {
  const unsigned cube = query->shape->cube, terminals = (query->shape->po - cube) / query->shape->links;
  const unsigned here = ut_cube_strap_node(query->straps), there = ut_header_dst(query->header) / terminals;
  return (here ^ there) & spec_first_ports(cube);
}

/* Step 3.3: the free channels of VIN2 among those of some dimensions.  They are no detour: a channel is a detour if a
 * neighbour in a lower dimension is bad. */
static uint64_t useful_dimensions(const struct spec_route_query *query, uint64_t dimensions) {
  const bool safe_only = query->shape->algorithm != UT_DETOUR_CUBE_DETOUR_LITERAL;
  uint64_t useful = 0;
  for (unsigned d = 0; d < query->shape->cube; d++) {
    const bool bad = spec_has_port(query->nodes->bad, d);
    if (spec_has_port(dimensions, d) && !(bad && safe_only))
      useful |= spec_port(d);
    if (bad) {
      if (dimensions >> d > 1)
        spec_cover(query->cover, COVER_CUBE_LIMITED);
      return useful;
    }
  }
  return useful;
}

/* Algorithm 4.1; f1 and f2: the two lowest dimensions that are needed. */
static struct offer detour(const struct spec_route_query *query, uint64_t needed, uint64_t astray) {
  const unsigned f1 = spec_lowest_port(needed), f2 = spec_lowest_port(needed & ~spec_port(f1));
  const uint64_t lowest = spec_port(f1);
  if (f2 == SPEC_NO_PORT) /* step 3.1: one hop is left, even into an unsafe node */
    return (struct offer){.vin1 = lowest,
                          .vin2 = lowest,
                          .vin2_preferred = lowest,
                          .rule = query->nodes->bad & lowest ? COVER_CUBE_LAST_HOP_TO_BAD : COVER_CUBE_LAST_HOP};
  if (query->nodes->unsafe) { /* step 3.2: to every safe neighbour */
    const uint64_t safe = spec_first_ports(query->shape->cube) & ~query->nodes->bad, nearer = safe & needed;
    return (struct offer){.vin1 = safe,
                          .vin2 = safe,
                          .vin1_preferred = nearer,
                          .vin2_preferred = nearer,
                          .rule = nearer ? COVER_CUBE_UNSAFE : COVER_CUBE_UNSAFE_ASTRAY};
  }
  if (!spec_has_port(query->nodes->bad, f1)) /* step 3.3: to a safe node */
    return choose(query, needed, useful_dimensions(query, needed), useful_dimensions(query, astray), COVER_CUBE_SAFE);
  return (struct offer){.vin2 = spec_port(f2), .detour = true, .rule = COVER_CUBE_DETOUR}; /* step 3.4: a detour */
}

static struct offer offer_of(const struct spec_route_query *query, uint64_t needed, uint64_t may) {
  const uint64_t lowest = spec_port(spec_lowest_port(needed)), astray = dimensions_astray(query, needed, may);
  if (query->shape->algorithm == UT_DETOUR_CUBE_ECUBE)
    return (struct offer){.vin1 = lowest, .vin2 = lowest, .rule = COVER_CUBE_LOWEST};
  if (query->shape->algorithm == UT_DETOUR_CUBE_ADAPTIVE_VIN)
    return choose(query, needed, needed, astray, COVER_CUBE_ADAPTIVE);
  struct offer offer = detour(query, needed, astray);
  if (query->shape->algorithm == UT_DETOUR_CUBE_DETOUR_RESERVED) /* no packet needs VIN2 of dimension 0 */
    offer.vin2 &= ~spec_port(0), offer.vin2_preferred &= ~spec_port(0);
  return offer;
}

void spec_route_detour_cube(const struct spec_route_query *query, struct spec_answer *answer) {
  const uint64_t needed = needed_dimensions(query);
  const uint64_t away = query->in_port < query->shape->cube ? needed & spec_port(query->in_port) : 0;
  const struct spec_misroutes misroutes = spec_misroutes_of(query, query->shape->cube, away);
  struct offer offer = {.rule = COVER_CUBE_ARRIVES};
  if (needed)
    offer = offer_of(query, needed, misroutes.may);
  else /* step 2: the packet is at its node */
    offer.vin1 = offer.vin2 = spec_terminal_ports(query, query->shape->cube);
  spec_cover(query->cover, offer.rule);
  answer->rt = offer.detour ? spec_rt_of_detour(query->shape, misroutes.rt) : misroutes.rt;
  answer->discard = true;
  for (unsigned vc = 0; vc < query->shape->v; vc++) {
    const bool in_vin1 = vc < query->shape->vin1_vcs;
    answer->cand[vc] = (in_vin1 ? offer.vin1 : offer.vin2) & query->up;
    answer->preferred[vc] = (in_vin1 ? offer.vin1_preferred : offer.vin2_preferred) & query->up;
    if (answer->cand[vc])
      answer->discard = false;
  }
}
