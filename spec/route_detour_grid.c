/* route_detour_grid.c - routing in meshes and k-ary n-cubes with faulty nodes: port 2d leads on in dimension d, port
 * 2d + 1 back, the others to terminals.  Twin: rtl/ut_route_detour_grid.v
 *
 * Two virtual networks, VIN1 and VIN2 (DETOUR section 3).  Meshes: VIN1 is VC 0, all others are VIN2.  Tori split each
 * into two classes (section 4.3): VIN1 is VCs 0 and 1, VIN2 are the others, and the class is VC modulo 2.
 *   ecube           the lowest dimension that is needed, in any VC of the class (algorithm 3.2)
 *   adaptive_vin    that one in VIN1, any that is needed in VIN2 (algorithm 3.3)
 *   detour          around blocks of bad nodes, that is faulty, unsafe and disabled ones (algorithm 4.2, as corrected
 * in docs/route_detour.md) detour_literal  the same without the corrections of the printed text
 *
 * A torus takes the plus direction where both are as long.  Where two are adjacent in the text, `f1` and `f2` are the
 * lowest two directions that are needed, and h is the highest dimension. */
#include "directions.h"

/* A head at a switch, as the rules see it.  Directions are ports; SPEC_NO_PORT: there is none. */
struct head {
  const struct spec_route_query *q;
  const struct spec_node_states *nodes;
  unsigned h;
  uint32_t links;         /* ports to other nodes */
  uint32_t needed;        /* directions, at most one a dimension */
  unsigned f1, f2;        /* the lowest two of them */
  unsigned row, column;   /* those in dimension 0 and in h */
  unsigned from;          /* towards the node it comes from; none: it was injected, or that or this node is bad */
  unsigned along;         /* the direction in which it travels: the opposite one.  The paper's `a` */
  bool in_vin2;           /* it has arrived through VIN2 */
  bool corrected;         /* not detour_literal */
  bool away, climb, back; /* its place on a detour around a block in h, along dimension 0 */
};

/* Sets of directions: in VIN1 and in VIN2, each in one class of the channel or in all, and `free` in all of VIN2, where
 * they are preferred. */
struct offer {
  uint32_t vin1, vin2, free;
  unsigned class1, class2;
  bool all_classes, prefers_vin1;
};

/* ---- questions */

static bool is_bad(const struct head *p, unsigned port) {
  return spec_has_port(p->nodes->bad, port);
}
static bool is_bad_across(const struct head *p, unsigned port, unsigned other) {
  return p->nodes->diagonal >> spec_diagonal(port, other) & 1;
}
static bool is_in(unsigned port, unsigned dimension) {
  return port != SPEC_NO_PORT && port / 2 == dimension;
}
static unsigned needed_in(uint32_t needed, unsigned dimension) {
  return spec_lowest_port(needed & (spec_port(2 * dimension) | spec_port(2 * dimension + 1)));
}

/* Class of a channel in the dimension of that direction: 0 while the way crosses the wrap link, then 1. */
static unsigned class_of(const struct spec_route_query *q, unsigned port) {
  return port != SPEC_NO_PORT && !spec_crosses_wrap_link(q, port);
}

/* Class on a detour around a block in h: that of h, and 1 once the destination's row is passed. */
static unsigned class_of_detour(const struct head *p) {
  const bool passed = (p->climb && !spec_has_port(p->needed, p->along)) || (p->back && is_bad(p, p->column));
  return p->column == SPEC_NO_PORT || passed ? 1 : class_of(p->q, p->column);
}

/* The direction along dimension 0 in which detours around a block begin, by whether it reaches the right border: in
 * the plus direction, or back.  borders: a bit for each side of h. */
static unsigned detours_begin(unsigned borders, unsigned side) {
  return borders >> side & 1 ? 1 : 0;
}

/* ---- step 3.3: which channels of VIN2 are useful */

/* The way back along dimension 0 begins at the corner of a block, and is no free channel there. */
static bool returns_at_corner(const struct head *p, unsigned port) {
  for (unsigned side = 0; side < 2; side++)
    if (!is_bad(p, port) && is_bad_across(p, port, 2 * p->h + side) &&
        detours_begin(p->nodes->corner >> 2 * port, side) != port)
      return true;
  return false;
}

/* A channel of VIN2 is a detour where a neighbour in a lower dimension is bad; in dimension 0 where one in h is. */
static bool is_detour(const struct head *p, unsigned port) {
  if (port / 2 == 0)
    return is_bad(p, 2 * p->h) || is_bad(p, 2 * p->h + 1) || (p->corrected && returns_at_corner(p, port));
  for (unsigned lower = 0; lower < port / 2 * 2; lower++)
    if (is_bad(p, lower))
      return true;
  return false;
}

/* It leaves a detour in a higher dimension: f1 was blocked at the node that it comes from. */
static bool leaves_detour(const struct head *p) {
  return p->in_vin2 && p->from != SPEC_NO_PORT && p->from / 2 > p->f1 / 2 && is_bad_across(p, p->from, p->f1);
}

static uint32_t useful_directions(const struct head *p) {
  uint32_t useful = 0;
  for (unsigned port = 0; port < 2 * p->h + 2; port++) {
    const bool printed = spec_has_port(p->needed, port) && !is_detour(p, port);
    const bool wrong = is_bad(p, port) || port == p->from || (leaves_detour(p) && port != p->f1);
    if (printed && !(p->corrected && wrong))
      useful |= spec_port(port);
  }
  return useful;
}

/* ---- steps 3.4 and 3.5: which detours */

/* On along the detour that has been begun, or at the border of a mesh back. */
static unsigned on_or_back(const struct head *p) {
  return spec_has_port(p->links, p->along) ? p->along : p->from;
}

/* Step 3.4, corrected: a detour does not turn back while it can go on. */
static unsigned second_lowest(const struct head *p) {
  return p->corrected && p->f2 == p->from && p->f2 != SPEC_NO_PORT ? on_or_back(p) : p->f2;
}

/* Step 3.5: any direction in a dimension above that of f1; then on along the same one, or a higher one. */
static uint32_t higher_directions(const struct head *p) {
  const bool begun = p->along != SPEC_NO_PORT && p->along / 2 > p->f1 / 2;
  uint32_t ports = begun ? spec_port(on_or_back(p)) : 0;
  for (unsigned port = 0; port < 2 * p->h + 2; port++)
    if (spec_has_port(p->links, port) && port / 2 > (begun ? p->along : p->f1) / 2)
      ports |= spec_port(port);
  return ports;
}

/* ---- algorithm 4.2: the first step that applies */

/* Step 3.6 on its way around a block in h, along dimension 0. */
static struct offer around_block(const struct head *p) {
  const unsigned class = class_of_detour(p);
  if (p->away && !is_bad(p, p->column)) /* the way along h is free */
    return (struct offer){.vin1 = spec_port(p->column), .class1 = class};
  if (p->climb && !p->away && is_bad(p, p->row)) /* the way back is not */
    return (struct offer){.vin1 = spec_port(p->along), .class1 = class};
  if (p->climb && !p->away)
    return (struct offer){.vin2 = spec_port(p->row), .class2 = class};
  return (struct offer){.vin2 = spec_port(p->along), .class2 = class};
}

static struct offer detour(const struct head *p) {
  const uint32_t f1 = spec_port(p->f1);
  const unsigned low = class_of(p->q, p->f1);
  if (p->f2 == SPEC_NO_PORT && spec_hops(p->q, p->f1) == 1) { /* step 3.1: one hop is left */
    const bool ends = p->corrected && (p->climb || p->back) && is_in(p->f1, 0) && !is_bad(p, p->f1);
    return (struct offer){.vin1 = f1,
                          .class1 = low,
                          .vin2 = ends ? f1 : 0, /* a detour's last hop waits for the detour's channel */
                          .class2 = class_of_detour(p),
                          .free = f1,
                          .prefers_vin1 = ends};
  }
  if (p->nodes->unsafe) { /* step 3.2 */
    const uint32_t safe = p->links & ~p->nodes->bad;
    return (struct offer){.vin1 = safe, .vin2 = safe, .all_classes = true};
  }
  if (p->away || p->climb || p->back) /* step 3.6 */
    return around_block(p);
  if (!is_bad(p, p->f1)) /* step 3.3 */
    return (struct offer){.vin1 = f1, .class1 = low, .free = useful_directions(p)};
  if (p->f2 != SPEC_NO_PORT) /* step 3.4 */
    return (struct offer){.vin2 = spec_port(second_lowest(p)), .class2 = low};
  if (!is_in(p->f1, p->h)) /* step 3.5 */
    return (struct offer){.vin2 = higher_directions(p), .class2 = low};
  return (struct offer){.vin2 = spec_port(detours_begin(p->nodes->border, p->f1 % 2)), /* steps 3.6, 3.7 */
                        .class2 = class_of_detour(p)};
}

static struct offer offer_of(const struct head *p) {
  const unsigned algorithm = p->q->shape->algorithm, class = class_of(p->q, p->f1);
  if (algorithm == UT_DETOUR_MESH_ECUBE)
    return (struct offer){.vin1 = spec_port(p->f1), .vin2 = spec_port(p->f1), .class1 = class, .class2 = class};
  if (algorithm == UT_DETOUR_MESH_ADAPTIVE_VIN)
    return (struct offer){.vin1 = spec_port(p->f1), .class1 = class, .free = p->needed};
  return detour(p);
}

/* ---- a head, and its answer */

/* First VC of VIN2. */
static unsigned first_of_vin2(const struct ut_shape *shape) {
  return spec_is_torus(shape) ? 2 : 1;
}

/* Where it is on a detour around a block in h (away, up beside the block, back): only if not at a bad node. */
static void find_place_on_detour(struct head *p) {
  const bool in_row = is_in(p->along, 0) && p->along == p->row, needs_row = p->row != SPEC_NO_PORT;
  p->away = is_in(p->from, 0) && p->from == p->row && p->column != SPEC_NO_PORT;
  p->climb = is_in(p->along, p->h) && !p->in_vin2 && needs_row;
  for (unsigned side = 0; side < 2; side++) /* beside the block, not where detours around it begin */
    if (in_row && p->in_vin2 && is_bad(p, 2 * p->h + side) && p->along != detours_begin(p->nodes->border, side))
      p->back = true;
}

static struct head look_at(const struct spec_route_query *q) {
  const unsigned dimensions = spec_dimensions(q->shape);
  struct head p = {.q = q, .nodes = q->nodes, .h = dimensions - 1, .links = spec_grid_links(q->shape, q->straps)};
  const uint32_t minimal = spec_minimal_directions(q);
  for (unsigned d = 0; d < dimensions; d++) /* of two that are as long the plus direction */
    p.needed |= spec_port(needed_in(minimal, d));
  p.f1 = spec_lowest_port(p.needed);
  p.f2 = spec_lowest_port(p.needed & ~spec_port(p.f1));
  p.row = needed_in(p.needed, 0);
  p.column = needed_in(p.needed, p.h);
  const bool injected = q->in_port >= 2 * dimensions;
  p.from = injected || p.nodes->unsafe || spec_has_port(p.nodes->bad, q->in_port) ? SPEC_NO_PORT : q->in_port;
  p.along = spec_opposite(p.from);
  p.in_vin2 = q->in_vc >= first_of_vin2(q->shape);
  p.corrected = q->shape->algorithm == UT_DETOUR_MESH_DETOUR;
  find_place_on_detour(&p);
  return p;
}

/* The class of a VC is the one, or there are no classes. */
static bool is_of_class(const struct ut_shape *shape, unsigned vc, unsigned class) {
  return !spec_is_torus(shape) || vc % 2 == class;
}

void spec_route_detour_grid(const struct spec_route_query *q, struct spec_answer *a) {
  const struct ut_shape *shape = q->shape;
  const struct head p = look_at(q);
  const bool states = UT_ALG_STATES(shape->route, shape->algorithm);
  const bool injected = q->in_port >= 2 * p.h + 2;
  a->discard = true;
  if (states && q->nodes->disabled && injected) /* a disabled node does not send */
    return;
  struct offer offer = {.vin1 = 0};
  if (p.needed)
    offer = offer_of(&p);
  else /* step 2: the packet is at its node */
    offer.vin1 = offer.vin2 = spec_terminal_ports(q, 2 * p.h + 2), offer.all_classes = true;
  for (unsigned vc = 0; vc < shape->v; vc++) {
    if (vc < first_of_vin2(shape)) {
      a->cand[vc] = offer.all_classes || is_of_class(shape, vc, offer.class1) ? offer.vin1 & q->up : 0;
      a->preferred[vc] = offer.prefers_vin1 ? a->cand[vc] : 0;
    } else {
      const uint32_t reserved = offer.all_classes || is_of_class(shape, vc, offer.class2) ? offer.vin2 : 0;
      a->cand[vc] = (reserved | offer.free) & q->up;
      a->preferred[vc] = offer.free & ~reserved & q->up;
    }
    if (a->cand[vc])
      a->discard = false;
  }
}
