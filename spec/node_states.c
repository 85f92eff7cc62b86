/* SPDX-License-Identifier: Apache-2.0 */
/* node_states.c - safe, unsafe and disabled nodes: what a switch knows of itself and of the nodes around it (DETOUR
 * section 4, definitions 1, 1' and 2).  Twin: rtl/ut_node_states.v
 *
 * A bad node is faulty, unsafe or disabled.  A link that is down shows that the neighbour is faulty; its report tells
 * the rest.  States only get worse; when a node has come back, the manager has them computed anew. */
#include "directions.h"
#include "reports.h"

unsigned spec_diagonal(unsigned p, unsigned q) {
  const unsigned low = p < q ? p : q, high = p < q ? q : p, i = low / 2, j = high / 2;
  const unsigned plane = j * (j - 1) / 2 + i, side = 2 * (high % 2) + low % 2;
  return 4 * plane + side;
}

static bool is_bad_across(const struct spec_node_states *states, unsigned p, unsigned q) {
  return states->diagonal >> spec_diagonal(p, q) & 1;
}

/* ---- definitions, in one plane: that of dimensions i and j */

static uint64_t ports_of_plane(unsigned i, unsigned j) {
  return spec_port(2 * i) | spec_port(2 * i + 1) | spec_port(2 * j) | spec_port(2 * j + 1);
}

/* Whether all bad nodes of the eight around this one are on one edge of the 3x3 square: the edge centred on the
 * neighbour at port `edge`, that is, this neighbour and the nodes across its two corners. */
static bool are_all_on_edge(const struct spec_node_states *states, unsigned i, unsigned j, unsigned edge) {
  if (states->bad & ports_of_plane(i, j) & ~spec_port(edge))
    return false;
  for (unsigned p = 2 * i; p <= 2 * i + 1; p++)
    for (unsigned q = 2 * j; q <= 2 * j + 1; q++)
      if (p != edge && q != edge && is_bad_across(states, p, q))
        return false;
  return true;
}

static bool makes_unsafe(const struct spec_node_states *states, unsigned i, unsigned j) {
  for (unsigned edge = 0; edge < 2 * UT_MAX_DIMENSIONS; edge++)
    if (spec_has_port(ports_of_plane(i, j), edge) && are_all_on_edge(states, i, j, edge))
      return false;
  return true;
}

/* Definition 1: two or more bad neighbours.  Definition 1': see the function above. */
static bool is_unsafe(const struct ut_shape *shape, const struct spec_node_states *states) {
  if (shape->cube)
    return spec_count_ports(states->bad) >= 2;
  for (unsigned j = 1; j < spec_dimensions(shape); j++)
    for (unsigned i = 0; i < j; i++)
      if (makes_unsafe(states, i, j))
        return true;
  return false;
}

/* Definition 2: fewer than two safe neighbours in some plane. */
static bool is_disabled(const struct ut_shape *shape, const struct spec_node_states *states, uint64_t links) {
  for (unsigned j = 1; j < spec_dimensions(shape); j++)
    for (unsigned i = 0; i < j; i++)
      if (states->unsafe && spec_count_ports(ports_of_plane(i, j) & links & ~states->bad) < 2)
        return true;
  return false;
}

/* ---- reports of the neighbours */

/* Whether a neighbour whose link is up reports that its own neighbour at port q is bad. */
static bool says_bad(const struct spec_inputs *in, unsigned port, unsigned q) {
  return spec_has_port(in->out_up & in->report[SPEC_REPORT_NEIGHBOURS + q], port);
}

/* Updates the nodes across corners: either of the two nodes in between may report them. */
static uint32_t hear_diagonals(const struct spec_switch *sw, const struct spec_inputs *in) {
  uint32_t diagonal = 0;
  for (unsigned q = 0; q < 2 * spec_dimensions(&sw->shape); q++)
    for (unsigned p = 0; p / 2 < q / 2; p++)
      if (says_bad(in, p, q) || says_bad(in, q, p))
        diagonal |= UINT32_C(1) << spec_diagonal(p, q);
  return diagonal;
}

/* Updates the right border, where the algorithm asks for it.  Only meshes have one: the last coordinate of dimension 0.
 * The bad nodes next to this node in the highest dimension reach it if they do so from here, or from the next node in
 * the plus direction. */
static unsigned find_border(const struct spec_switch *sw, const struct spec_node_states *old) {
  const unsigned h = spec_dimensions(&sw->shape) - 1;
  const bool is_last = spec_coordinate(sw->straps, 0) == sw->shape.size[0] - 1;
  unsigned border = 0;
  for (unsigned side = 0; side < 2; side++)
    if (spec_has_port(old->bad, 2 * h + side) && (is_last || (old->corner >> side & 1)))
      border |= 1u << side;
  return border;
}

static unsigned hear_corners(const struct spec_switch *sw, const struct spec_inputs *in) {
  const unsigned first = SPEC_REPORT_NEIGHBOURS + 2 * spec_dimensions(&sw->shape);
  unsigned corner = 0;
  for (unsigned port = 0; port < 2; port++)
    for (unsigned side = 0; side < 2; side++)
      if (spec_has_port(in->out_up & in->report[first + side], port))
        corner |= 1u << (2 * port + side);
  return corner;
}

/* ---- the cycle */

/* Carries out orders of the manager.  Waiting heads must ask again after all orders except a purge. */
static bool obey(struct spec_node_states *states, uint64_t word) {
  const unsigned order = ut_order_kind(word);
  states->purge = order == UT_ORDER_KIND_PURGE;
  switch (order) {
  case UT_ORDER_KIND_REFUSE:
    states->refuses = true;
    states->refused = ut_order_dst(word);
    return true;
  case UT_ORDER_KIND_ACCEPT: states->refuses = false; return true;
  case UT_ORDER_KIND_RESTART: states->restart = true; return true;
  case UT_ORDER_KIND_RESUME: states->restart = false; return true;
  default: return false;
  }
}

void spec_update_node_states(struct spec_switch *sw, const struct spec_cycle *cycle) {
  const struct spec_node_states old = sw->nodes;
  const uint64_t links = sw->shape.cube ? spec_first_ports(sw->shape.cube) : spec_grid_links(&sw->shape, sw->straps);
  struct spec_node_states *states = &sw->nodes;
  states->bad = links & (~cycle->in->out_up | cycle->in->report[SPEC_REPORT_BAD]);
  if (!sw->shape.cube)
    states->diagonal = hear_diagonals(sw, cycle->in);
  if (UT_ALG_BORDER(sw->shape.route, sw->shape.algorithm)) {
    states->border = find_border(sw, &old);
    states->corner = hear_corners(sw, cycle->in);
  }
  states->unsafe = !old.restart && (old.unsafe || is_unsafe(&sw->shape, &old));
  states->disabled = is_disabled(&sw->shape, &old, links);
  const bool changed = states->bad != old.bad || states->diagonal != old.diagonal || states->border != old.border ||
                       states->corner != old.corner || states->unsafe != old.unsafe || states->disabled != old.disabled;
  states->stale = obey(states, cycle->in->config) || changed;
  if (sw->cover)
    spec_cover_node_states(sw, &old);
}
