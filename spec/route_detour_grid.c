/* SPDX-License-Identifier: Apache-2.0 */
/* route_detour_grid.c - routing in meshes and k-ary n-cubes with faulty nodes: port 2d leads on in dimension d, port
 * 2d + 1 back, the others to terminals.  Twin: rtl/ut_route_detour_grid.v
 *
 * Two virtual networks, VIN1 and VIN2 (DETOUR section 3).  Meshes: VIN1 is VC 0, all others are VIN2.  Tori split each
 * into two classes (section 4.3): VIN1 is VCs 0 and 1, VIN2 are the others, and the class is VC modulo 2.
 *   ecube           the lowest dimension that is needed, in any VC of the class (algorithm 3.2)
 *   adaptive_vin    that one in VIN1, any that is needed in VIN2 (algorithm 3.3)
 *   detour          around blocks of bad nodes, that is faulty, unsafe and disabled ones (algorithm 4.2)
 *   detour_literal  the same without the corrections of the printed text (docs/explanation/route_detour.md)
 *   detour_low_high detour; VIN2 of dimension 0 has low and high channels, and detours turn back at the border (4.2)
 *   detour_reserved detour; no channel of VIN2 in dimension 0 is free (section 3)
 * With misroute_hops adaptive_vin and detour also offer VIN2 of higher dimensions, away from the destination (section
 * 3).
 *
 * In the text f1 and f2 are the lowest two directions that are needed, and h is the highest dimension. */
#include "directions.h"

/* A head at a switch, as the rules see it.  Directions are ports; SPEC_NO_PORT: none. */
struct head {
  const struct spec_route_query *q;
  const struct spec_node_states *nodes;
  unsigned h;
  uint64_t links;         /* ports to other nodes */
  uint64_t needed;        /* directions that are needed, at most one in each dimension */
  unsigned f1, f2;        /* the lowest two of them */
  unsigned home, ahead;   /* the needed directions in dimension 0 and in h */
  unsigned from;          /* towards the node it comes from; none: it was injected, or one of the two is bad */
  unsigned along;         /* the direction in which it travels, opposite to that: the paper's `a` */
  bool in_vin2, in_high;  /* it has arrived through VIN2, and there through a high channel */
  bool corrected;         /* not detour_literal */
  bool low_high;          /* VIN2 of dimension 0 has low and high channels */
  bool reserved;          /* ... is for detours only */
  uint64_t may;           /* dimensions in which it may be misrouted */
  bool away, climb, back; /* its position on a detour around a block in h, along dimension 0 */
};

/* Sets of directions: in VIN1 and in VIN2, each in one class of the channel or in all, and `free` in all of VIN2, where
 * they are preferred; `astray` in all of VIN2, where they come last. */
struct offer {
  uint64_t vin1, vin2, free, astray;
  unsigned class1, class2;
  bool all_classes, prefers_vin1;
  bool detour; /* around bad nodes */
  enum spec_cover_point rule;
};

/* ---- questions */

static bool is_bad(const struct head *head, unsigned port) {
  return spec_has_port(head->nodes->bad, port);
}
static bool is_bad_across(const struct head *head, unsigned port, unsigned other) {
  return head->nodes->diagonal >> spec_diagonal(port, other) & 1;
}
static bool is_in(unsigned port, unsigned dimension) {
  return port != SPEC_NO_PORT && port / 2 == dimension;
}
static unsigned needed_in(uint64_t needed, unsigned dimension) {
  return spec_lowest_port(needed & (spec_port(2 * dimension) | spec_port(2 * dimension + 1)));
}

/* Returns the class of a channel in the dimension of that direction: 0 while the path crosses the wrap link, then 1. */
static unsigned class_of(const struct spec_route_query *query, unsigned port) {
  return port != SPEC_NO_PORT && !spec_crosses_wrap_link(query, port);
}

/* Returns the class on a detour around a block in h: that of h, and 1 once the destination's row is passed. */
static unsigned class_of_detour(const struct head *head) {
  const bool passed =
      (head->climb && !spec_has_port(head->needed, head->along)) || (head->back && is_bad(head, head->ahead));
  return head->ahead == SPEC_NO_PORT || passed ? 1 : class_of(head->q, head->ahead);
}

/* Returns the class of a channel of VIN2 on a detour along dimension 0, through that port.  With low and high channels
 * 0 is low and 1 is high: a packet leaves its column through the low channel in the plus direction or, turned back at
 * the border, through the high one in the minus direction, and returns through the same one. */
static unsigned class_along_row(const struct head *head, unsigned port, bool returns) {
  return head->low_high ? (port % 2 == 1) != returns : class_of_detour(head);
}

/* Returns the direction along dimension 0 in which detours around a block begin: back if the block reaches the right
 * border, otherwise plus.  borders: a bit for each side of h. */
static unsigned detours_begin(unsigned borders, unsigned side) {
  return borders >> side & 1 ? 1 : 0;
}

/* ---- step 3.3: which channels of VIN2 are free */

/* The direction back along dimension 0 begins at the corner of a block, and is no free channel there.  With low and
 * high channels either direction may be the one back. */
static bool returns_at_corner(const struct head *head, unsigned port) {
  for (unsigned side = 0; side < 2; side++)
    if (!is_bad(head, port) && is_bad_across(head, port, 2 * head->h + side) &&
        (head->low_high || detours_begin(head->nodes->corner >> 2 * port, side) != port))
      return true;
  return false;
}

/* Whether a channel of VIN2 is a detour: a neighbour in a lower dimension is bad; in dimension 0, a neighbour in h
 * is. */
static bool is_detour(const struct head *head, unsigned port) {
  if (port / 2 == 0)
    return head->reserved || is_bad(head, 2 * head->h) || is_bad(head, 2 * head->h + 1) ||
           (head->corrected && returns_at_corner(head, port));
  for (unsigned lower = 0; lower < port / 2 * 2; lower++)
    if (is_bad(head, lower))
      return true;
  return false;
}

/* Whether the packet leaves a detour in a higher dimension: f1 was blocked at the node that it comes from. */
static bool leaves_detour(const struct head *head) {
  return head->corrected && head->in_vin2 && head->from != SPEC_NO_PORT && head->from / 2 > head->f1 / 2 &&
         is_bad_across(head, head->from, head->f1);
}

static uint64_t useful_directions(const struct head *head) {
  const bool leaves = leaves_detour(head);
  uint64_t useful = 0;
  if (leaves)
    spec_cover(head->q->cover, COVER_BLOCK_LEAVES);
  for (unsigned port = 0; port < 2 * head->h + 2; port++) {
    const bool printed = spec_has_port(head->needed, port) && !is_detour(head, port);
    const bool wrong = is_bad(head, port) || port == head->from || (leaves && port != head->f1);
    if (printed && !(head->corrected && wrong))
      useful |= spec_port(port);
  }
  return useful;
}

/* Returns the directions of misrouted hops: in dimensions above that of f1, not back, and to no bad node nor along a
 * detour. */
static uint64_t directions_astray(const struct head *head) {
  uint64_t astray = 0;
  for (unsigned port = head->f1 / 2 * 2 + 2; port < 2 * head->h + 2; port++)
    if (spec_has_port(head->may, port / 2) && spec_has_port(head->links, port) && !spec_has_port(head->needed, port) &&
        port != head->q->in_port && !is_bad(head, port) && !is_detour(head, port))
      astray |= spec_port(port);
  if (astray)
    spec_cover(head->q->cover, COVER_MISROUTE_OFFERED);
  return astray;
}

/* ---- steps 3.4 and 3.5: which detours */

/* Continues along the detour that has been begun, or turns back at the border of a mesh. */
static unsigned on_or_back(const struct head *head) {
  return spec_has_port(head->links, head->along) ? head->along : head->from;
}

/* Step 3.4, corrected: a detour does not turn back while it can go on. */
static unsigned second_lowest(const struct head *head) {
  const bool would_turn_back = head->corrected && head->f2 == head->from && head->f2 != SPEC_NO_PORT;
  if (would_turn_back)
    spec_cover(head->q->cover, COVER_BLOCK_TURNS_ON);
  return would_turn_back ? on_or_back(head) : head->f2;
}

/* Step 3.5: any direction in a dimension above that of f1; then on along the same one, or a higher one. */
static uint64_t higher_directions(const struct head *head) {
  const bool begun = head->along != SPEC_NO_PORT && head->along / 2 > head->f1 / 2;
  uint64_t ports = begun ? spec_port(on_or_back(head)) : 0;
  for (unsigned port = 0; port < 2 * head->h + 2; port++)
    if (spec_has_port(head->links, port) && port / 2 > (begun ? head->along : head->f1) / 2)
      ports |= spec_port(port);
  return ports;
}

/* ---- algorithm 4.2: the first step that applies */

/* A detour along dimension 0, begun or continued in that direction.  With low and high channels it turns back at the
 * border; without them it never meets one. */
static struct offer leave_column(const struct head *head, unsigned port, enum spec_cover_point rule) {
  const bool turns = head->low_high && !spec_has_port(head->links, port);
  const unsigned way = turns ? spec_opposite(port) : port;
  return (struct offer){.vin2 = spec_port(way), .class2 = class_along_row(head, way, false), .rule = rule};
}

/* Step 3.6 for a packet on its way around a block in h, along dimension 0. */
static struct offer around_block(const struct head *head) {
  const unsigned class = class_of_detour(head);
  if (head->away && !is_bad(head, head->ahead)) /* the path along h is free */
    return (struct offer){.vin1 = spec_port(head->ahead), .class1 = class, .rule = COVER_BLOCK_AWAY_FREE};
  if (head->climb && !head->away && is_bad(head, head->home)) /* the path back is not free */
    return (struct offer){.vin1 = spec_port(head->along), .class1 = class, .rule = COVER_BLOCK_CLIMBS};
  if (head->climb && !head->away)
    return (struct offer){
        .vin2 = spec_port(head->home), .class2 = class_along_row(head, head->home, true), .rule = COVER_BLOCK_RETURNS};
  if (head->away)
    return leave_column(head, head->along,
                        spec_has_port(head->links, head->along) ? COVER_BLOCK_AWAY : COVER_BLOCK_TURNS_BACK);
  return (struct offer){
      .vin2 = spec_port(head->along), .class2 = class_along_row(head, head->along, true), .rule = COVER_BLOCK_AWAY};
}

/* Steps 3.4 to 3.7: the neighbour in direction f1 is bad. */
static struct offer begin_detour(const struct head *head) {
  const unsigned low = class_of(head->q, head->f1);
  struct offer offer;
  if (head->f2 != SPEC_NO_PORT) { /* step 3.4 */
    offer = (struct offer){.vin2 = spec_port(second_lowest(head)), .class2 = low, .rule = COVER_BLOCK_SECOND};
  } else if (!is_in(head->f1, head->h)) { /* step 3.5 */
    offer = (struct offer){.vin2 = higher_directions(head), .class2 = low, .rule = COVER_BLOCK_HIGHER};
  } else { /* steps 3.6, 3.7 */
    const unsigned begin = detours_begin(head->nodes->border, head->f1 % 2);
    const bool backwards = begin || (head->low_high && !spec_has_port(head->links, begin));
    offer = leave_column(head, begin, backwards ? COVER_BLOCK_AT_BORDER : COVER_BLOCK_BEGINS);
  }
  offer.detour = true;
  return offer;
}

static struct offer detour(const struct head *head) {
  const uint64_t f1 = spec_port(head->f1);
  const unsigned low = class_of(head->q, head->f1);
  if (head->f2 == SPEC_NO_PORT && spec_hops(head->q, head->f1) == 1) { /* step 3.1: one hop is left */
    const bool ends = head->corrected && (head->climb || head->back) && is_in(head->f1, 0) && !is_bad(head, head->f1);
    return (struct offer){.vin1 = f1,
                          .class1 = low,
                          .vin2 = ends ? f1 : 0, /* a detour's last hop waits for the detour's channel */
                          .class2 = class_along_row(head, head->f1, true),
                          .free = head->reserved && is_in(head->f1, 0) ? 0 : f1,
                          .prefers_vin1 = ends,
                          .rule = ends ? COVER_BLOCK_LAST_HOP_OF_DETOUR : COVER_BLOCK_LAST_HOP};
  }
  if (head->nodes->unsafe) { /* step 3.2 */
    const uint64_t safe = head->links & ~head->nodes->bad;
    return (struct offer){.vin1 = safe,
                          .vin2 = head->reserved ? safe & ~(spec_port(0) | spec_port(1)) : safe,
                          .all_classes = true,
                          .rule = COVER_BLOCK_UNSAFE};
  }
  if (head->away || head->climb || head->back) /* step 3.6 */
    return around_block(head);
  if (!is_bad(head, head->f1)) { /* step 3.3 */
    const uint64_t astray = directions_astray(head);
    return (struct offer){.vin1 = f1,
                          .class1 = low,
                          .free = useful_directions(head),
                          .astray = astray,
                          .prefers_vin1 = astray != 0,
                          .rule = COVER_BLOCK_SAFE};
  }
  return begin_detour(head);
}

static struct offer offer_of(const struct head *head) {
  const unsigned algorithm = head->q->shape->algorithm, class = class_of(head->q, head->f1);
  if (algorithm == UT_DETOUR_MESH_ECUBE)
    return (struct offer){.vin1 = spec_port(head->f1),
                          .vin2 = spec_port(head->f1),
                          .class1 = class,
                          .class2 = class,
                          .rule = COVER_BLOCK_LOWEST};
  if (algorithm == UT_DETOUR_MESH_ADAPTIVE_VIN) {
    const uint64_t astray = directions_astray(head);
    const bool misroutes = head->q->shape->misroute_hops && head->q->in_port < 2 * head->h + 2;
    return (struct offer){.vin1 = spec_port(head->f1),
                          .class1 = class,
                          .free = head->needed & ~(misroutes ? spec_port(head->q->in_port) : 0), /* not back */
                          .astray = astray,
                          .prefers_vin1 = astray != 0,
                          .rule = COVER_BLOCK_ADAPTIVE};
  }
  return detour(head);
}

/* ---- a head, and its answer */

/* Returns the first VC of VIN2. */
static unsigned first_of_vin2(const struct ut_shape *shape) {
  return spec_is_torus(shape) ? 2 * shape->vin1_vcs : shape->vin1_vcs;
}

/* With low and high channels the channel tells what a packet does next to a block: it has been turned back at the
 * border and has not passed its column, or it returns to it. */
static void find_place_by_channel(struct head *head) {
  const bool backwards = head->along == 1, beside = is_bad(head, 2 * head->h) || is_bad(head, 2 * head->h + 1);
  if (backwards && head->in_high && head->ahead != SPEC_NO_PORT && is_bad(head, head->ahead))
    head->away = true;
  if (is_in(head->along, 0) && head->along == head->home && head->in_vin2 && beside && head->in_high != backwards)
    head->back = true;
}

/* Finds its position on a detour around a block in h (away, up next to the block, back); none at a bad node. */
static void find_place_on_detour(struct head *head) {
  const bool goes_home = is_in(head->along, 0) && head->along == head->home, needs_home = head->home != SPEC_NO_PORT;
  head->away = is_in(head->from, 0) && head->from == head->home && head->ahead != SPEC_NO_PORT;
  head->climb = is_in(head->along, head->h) && !head->in_vin2 && needs_home;
  if (head->low_high) {
    find_place_by_channel(head);
    return;
  }
  for (unsigned side = 0; side < 2; side++) /* next to the block, but not where detours around it begin */
    if (goes_home && head->in_vin2 && is_bad(head, 2 * head->h + side) &&
        head->along != detours_begin(head->nodes->border, side))
      head->back = true;
}

/* Counts the last hop if it led away from the destination. */
static struct spec_misroutes count_misroutes(const struct head *head) {
  const unsigned in_port = head->q->in_port;
  const bool away = in_port < 2 * head->h + 2 && spec_has_port(head->needed, in_port);
  return spec_misroutes_of(head->q, head->h + 1, away ? spec_port(in_port / 2) : 0);
}

static struct head look_at(const struct spec_route_query *query) {
  const unsigned dimensions = spec_dimensions(query->shape);
  struct head head = {
      .q = query, .nodes = query->nodes, .h = dimensions - 1, .links = spec_grid_links(query->shape, query->straps)};
  const uint64_t minimal = spec_minimal_directions(query);
  for (unsigned d = 0; d < dimensions; d++) /* of two equally long directions the plus direction */
    head.needed |= spec_port(needed_in(minimal, d));
  head.f1 = spec_lowest_port(head.needed);
  head.f2 = spec_lowest_port(head.needed & ~spec_port(head.f1));
  head.home = needed_in(head.needed, 0);
  head.ahead = needed_in(head.needed, head.h);
  const bool injected = query->in_port >= 2 * dimensions;
  head.from =
      injected || head.nodes->unsafe || spec_has_port(head.nodes->bad, query->in_port) ? SPEC_NO_PORT : query->in_port;
  head.along = spec_opposite(head.from);
  head.in_vin2 = query->in_vc >= first_of_vin2(query->shape);
  head.in_high = head.in_vin2 && (query->in_vc - first_of_vin2(query->shape)) % 2;
  head.corrected = query->shape->algorithm != UT_DETOUR_MESH_DETOUR_LITERAL;
  head.low_high = query->shape->algorithm == UT_DETOUR_MESH_DETOUR_LOW_HIGH;
  head.reserved = query->shape->algorithm == UT_DETOUR_MESH_DETOUR_RESERVED;
  find_place_on_detour(&head);
  return head;
}

/* Returns the class of a VC of a torus.  Of an odd number e-cube gives the last one to class 1, which has most hops. */
static unsigned class_of_vc(const struct ut_shape *shape, unsigned vc) {
  const unsigned vin2 = first_of_vin2(shape);
  if (shape->algorithm == UT_DETOUR_MESH_ECUBE && shape->v % 2 != 0 && vc == shape->v - 1u)
    return 1;
  return (vc < vin2 ? vc : vc - vin2) % 2;
}

/* Whether a VC of VIN1 has that class, or there are no classes. */
static bool is_of_class(const struct ut_shape *shape, unsigned vc, unsigned class) {
  return !spec_is_torus(shape) || class_of_vc(shape, vc) == class;
}

/* Whether a VC of VIN2 is one of those that an offer reserves.  Channels of dimension 0 may be low and high. */
static bool is_reserved(const struct head *head, unsigned vc, const struct offer *offer) {
  const unsigned class = class_of_vc(head->q->shape, vc);
  const bool divided = head->low_high ? offer->vin2 & (spec_port(0) | spec_port(1)) : spec_is_torus(head->q->shape);
  return offer->all_classes || !divided || class == offer->class2;
}

void spec_route_detour_grid(const struct spec_route_query *query, struct spec_answer *answer) {
  const struct ut_shape *shape = query->shape;
  struct head head = look_at(query);
  const struct spec_misroutes misroutes = count_misroutes(&head);
  const bool states = UT_ALG_STATES(shape->route, shape->algorithm);
  const bool injected = query->in_port >= 2 * head.h + 2;
  head.may = misroutes.may;
  answer->discard = true;
  answer->rt = misroutes.rt;
  if (states && query->nodes->disabled && injected) { /* a disabled node does not send */
    spec_cover(query->cover, COVER_NODE_DOES_NOT_SEND);
    return;
  }
  struct offer offer = {.rule = COVER_BLOCK_ARRIVES};
  if (head.needed)
    offer = offer_of(&head);
  else /* step 2: the packet is at its node */
    offer.vin1 = offer.vin2 = spec_terminal_ports(query, 2 * head.h + 2), offer.all_classes = true;
  spec_cover(query->cover, offer.rule);
  if (offer.detour)
    answer->rt = spec_rt_of_detour(shape, misroutes.rt);
  for (unsigned vc = 0; vc < shape->v; vc++) {
    if (vc < first_of_vin2(shape)) {
      answer->cand[vc] = offer.all_classes || is_of_class(shape, vc, offer.class1) ? offer.vin1 & query->up : 0;
      answer->preferred[vc] = offer.prefers_vin1 ? answer->cand[vc] : 0;
    } else {
      const uint64_t reserved = is_reserved(&head, vc, &offer) ? offer.vin2 : 0;
      answer->cand[vc] = (reserved | offer.free | offer.astray) & query->up;
      answer->preferred[vc] = offer.free & ~reserved & query->up;
    }
    if (answer->cand[vc])
      answer->discard = false;
  }
}
