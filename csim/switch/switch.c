/* SPDX-License-Identifier: Apache-2.0 */
/* switch.c - the memory of all switches, reset, and the cycle of any shape.  Twin: rtl/ut_switch.v */
#include "switch.h"

#include <stdlib.h>
#include <string.h>

#include "cycle.h"
#include "spec_group.h"

/* The cycle of a shape that the compiler does not know. */
static uint64_t step_slow_path(const struct ut_group *g, struct ut_block *b, const struct ut_cycle *c,
                               struct ut_events *events) {
  return ut_step_slow_path(g, b, c, events, g->route, g->form);
}
static uint64_t steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                      struct ut_events *events) {
  return ut_steps(g, c, first, count, events, g->route, step_slow_path, g->form);
}

uint64_t ut_group_step(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                       struct ut_events *events) {
  return g->steps(g, c, first, count, events);
}

void ut_switch_disturb(const struct ut_group *g, const struct ut_switch *s) {
  ut_block_of(g, s)->slow_path = true;
}

unsigned ut_shape_ring_space(const struct ut_shape *p, unsigned depth) {
  const unsigned spread = p->max_packet - p->min_packet, fit = depth / p->max_packet - 1;
  unsigned slots = spread && (p->min_packet - 1) / spread < fit ? (p->min_packet - 1) / spread : fit;
  unsigned fill = (slots + 1) * p->min_packet - 1, most = depth - p->max_packet;
  return slots ? depth - (fill < most ? fill : most) : 0;
}

/* Of a grid; else 0. */
static unsigned axes(const struct ut_shape *p) {
  unsigned n = 0;
  while (n < UT_MAX_DIMENSIONS && p->size[n])
    n++;
  return n;
}

unsigned ut_shape_reports(const struct ut_shape *p) {
  if (UT_ALG_STATES(p->route, p->algorithm))
    return p->cube ? 1 : 3 + 2 * axes(p);
  return UT_ALG_FAR(p->route, p->algorithm) ? 2 : 1;
}

const char *ut_shape_rule(const struct ut_shape *p) {
  const struct ut_algorithm *a = NULL;
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (ut_algorithms[i].route == p->route && ut_algorithms[i].code == p->algorithm)
      a = &ut_algorithms[i];
  const char *rule = ut_parameter_rule(p);
  if (rule)
    return rule;
  if (p->switching == UT_VCT && p->depth < p->max_packet)
    return "vct_needs_buffer_of_one_packet";
  if (p->output_depth && p->switching == UT_VCT && p->output_depth < p->max_packet)
    return "vct_needs_output_queue_of_one_packet";
  if (!p->output_depth && p->selection == UT_SELECTION_OUTPUT_SPACE)
    return "output_space_needs_output_queues";
  if (p->arbitration >= UT_ARBITRATION_POLICIES || p->selection >= UT_SELECTION_POLICIES)
    return "unknown_policy";
  if (p->v < UT_ARBITRATION_VCS(p->arbitration) || p->v < UT_SELECTION_VCS(p->selection))
    return "policy_needs_more_vcs";
  if (!a)
    return "unknown_algorithm";
  if (p->v < a->min_vcs)
    return "algorithm_needs_more_vcs";
  if (p->exclusions && !a->exclusions)
    return "exclusion_intervals_are_for_fta";
  if (p->vin1_vcs > 1 && !a->vin1)
    return "vin1_vcs_is_for_two_virtual_networks";
  if (p->v < a->min_vcs + (p->vin1_vcs - 1) * a->vin1)
    return "vin2_needs_vcs_of_its_own";
  if (a->bubble && p->switching != UT_VCT)
    return "bubble_rule_needs_virtual_cut_through";
  if (a->bubble && p->depth < 2 * p->max_packet)
    return "bubble_rule_needs_buffer_of_two_packets";
  if (a->bubble && p->output_depth && p->output_depth < 2 * p->max_packet)
    return "bubble_rule_needs_output_queue_of_two_packets";
  if (a->bubble && !ut_shape_ring_space(p, p->depth))
    return "bubble_rule_needs_packets_of_similar_length";
  if (!a->mechanisms && (p->escapes > 1 || p->deterministic || p->misroute))
    return "mechanisms_need_an_algorithm_that_obeys_them";
  if (p->v < a->min_vcs + p->escapes - 1)
    return "each_sub_path_needs_an_escape_vc";
  if (p->escapes > 1 && p->depth < 2)
    return "stripping_needs_a_buffer_of_two_flits";
  if (a->tables && (p->destinations < 1 || p->destinations > UT_MAX_DESTINATIONS))
    return "tables_need_1_to_1024_destinations";
  if (!a->tables && p->destinations)
    return "destinations_are_for_tables";
  const struct ut_routing *family = ut_routing_find(p->route);
  if (!family->sizes && (p->size[0] || p->size[1] || p->size[2] || p->size[3]))
    return "sizes_are_for_grids";
  if (!family->cube && p->cube)
    return "cube_is_for_hypercubes";
  if (!family->digits && (p->radix || p->parallel || p->dual_homed || p->half_crossbar))
    return "radix_is_for_routing_by_bits_of_digits";
  if (!family->direct && p->links > 1)
    return "terminal_links_are_for_direct_networks";
  if (!family->direct && p->local_first)
    return "local_first_is_for_direct_networks";
  if (!family->direct && p->arbitration == UT_ARBITRATION_TRANSIT_FIRST)
    return "transit_first_is_for_direct_networks";
  if (p->local_first && p->arbitration == UT_ARBITRATION_TRANSIT_FIRST)
    return "terminals_are_first_or_last";
  return family->rule(p);
}

const char *ut_shape_unmodelled(const struct ut_shape *p) {
  if (!UT_ARBITRATION_MODELLED(p->arbitration))
    return "switch.arbitration";
  return UT_SELECTION_MODELLED(p->selection) ? NULL : "switch.selection";
}

/* A packet gets this output VC only while the buffer behind it is empty: always, or by Duato's condition under wormhole
 * in the adaptive VCs. */
static bool must_be_empty(const struct ut_group *g, unsigned v) {
  return g->form.atomic || (g->form.wormhole && g->form.preferred && v < g->shape.v - g->shape.escapes);
}
/* The first VC of rings. */
static unsigned first_of_rings(const struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  return !g->form.bubble ? p->v : g->form.preferred ? p->v - p->escapes : 0;
}
/* Places that are room for a packet in output VC v, of a buffer or queue of `depth` flits. */
static unsigned room_in(const struct ut_group *g, unsigned v, unsigned depth) {
  if (must_be_empty(g, v))
    return depth;
  if (g->form.wormhole)
    return 1;
  return v < first_of_rings(g) ? g->shape.max_packet : ut_shape_ring_space(&g->shape, depth);
}

/* What makes room in each output VC. */
static void set_needs(struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  for (unsigned v = 0; v < p->v; v++) {
    const unsigned room = room_in(g, v, p->output_depth ? p->output_depth : p->depth);
    g->need[v] = room;
    g->need2[v] = g->form.atomic ? room : g->form.wormhole ? 1 : room + p->max_packet;
    g->send[v] = room_in(g, v, p->depth);
  }
  for (unsigned n = 0; n < g->form.all; n++) {
    const unsigned vc = ut_lane_vc(n, g->form);
    g->need_of[n] = (uint8_t)(vc < p->v ? g->need[vc] : 255);
    g->need2_of[n] = (uint8_t)(vc < p->v ? g->need2[vc] : 255);
    g->send_of[n] = (uint8_t)(vc < p->v ? g->send[vc] : 255);
    if (vc < p->v && must_be_empty(g, vc))
      g->empty[n / 32] |= 1u << n % 32;
    /* nobody enters a ring through adaptive VCs or ports to terminals */
    if (vc < p->v && vc >= first_of_rings(g) && ut_lane_port(n, g->form) < 2 * axes(p))
      g->able2[n / 32] |= 1u << n % 32;
  }
}

bool ut_group_init(struct ut_group *g, const struct ut_shape *p, uint32_t first, uint32_t count) {
  memset(g, 0, sizeof *g);
  g->shape = *p;
  g->form = ut_form_of(*p);
  const struct ut_form x = g->form;
  set_needs(g);
  g->all_in = ut_mask_all(p->pi);
  g->all_out = ut_mask_all(p->po);
  if (p->cube || p->size[0]) /* behind those of the network */
    g->local_in = g->all_in & ~ut_mask_all(p->cube + 2 * axes(p));
  g->port_bits = ut_bits_of(p->po);
  g->vc_bits = ut_bits_of(p->v);
  g->routing = ut_routing_find(p->route);
  g->route = g->routing->route;
  g->steps = steps;
  g->first = first;
  g->count = count;
  g->blocks = (count + (1u << x.block_bits) - 1) >> x.block_bits;
  const size_t size = (size_t)x.switch_stride * count, blocks = (size_t)x.stride * g->blocks;
  g->memory = ut_memory(size);
  g->block = ut_memory(blocks);
  if (!g->memory || !g->block || (g->routing->prepare && !g->routing->prepare(g))) {
    ut_group_fini(g);
    return false;
  }
  for (uint32_t i = 0; i < count; i++)
    for (unsigned n = 0; n < p->po / 2 * p->exclusions; n++)
      ut_exclusions_of(g, ut_switch_of(g, first + i), 0)[n] = 1; /* empty */
  for (unsigned n = 0; n < x.all; n++)
    g->up_lanes[n / 64] |= (uint64_t)(g->up_ports >> ut_lane_port(n, x) & 1) << n % 64;
  for (uint32_t i = 0; i < g->blocks; i++) {
    struct ut_block *b = ut_block_at(g, i, x);
    b->first = i << x.block_bits;
    memset(ut_register(b, UT_S_SAVED, x), 0xff, x.sets * sizeof(uint64_t));
  }
  for (uint32_t i = 0; i < count; i++) {
    ut_switch_of(g, first + i)->id = first + i;
    ut_switch_reset(g, ut_switch_of(g, first + i), 0);
  }
  return true;
}

void ut_group_join(struct ut_group *g, struct ut_wires *wires, uint32_t lane) {
  g->wires = wires;
  for (uint32_t i = 0; i < g->blocks; i++)
    ut_block_at(g, i, g->form)->lane = lane + i * g->form.all;
}

uint32_t ut_shape_lanes(const struct ut_shape *shape, uint32_t count) {
  const struct ut_form x = ut_form_of(*shape);
  return (count + (1u << x.block_bits) - 1) >> x.block_bits << (x.each_bits + x.block_bits);
}

void ut_group_fini(struct ut_group *g) {
  ut_spec_detach(g);
  free(g->memory);
  free(g->block);
  free(g->place);
  g->memory = g->block = NULL;
  g->place = NULL;
}

/* The registers in the lanes of a switch. */
static void reset_lanes(const struct ut_group *g, struct ut_switch *s) {
  const struct ut_form x = g->form;
  struct ut_block *b = ut_block_of(g, s);
  struct ut_work work, *w = &work;
  ut_work_begin(w, g, &(struct ut_cycle){.wires = g->wires}, NULL, false);
  ut_work_set_block(w, b, x);
  const size_t base = ut_lane_of(g, s), port_index = base >> x.each_bits << x.port_bits;
  for (unsigned op = 0; op < x.po && g->wires; op++)
    ut_output_save(w, port_index | op, base | op, x);
  for (unsigned r = 0; r < UT_SETS; r++)
    if (r != UT_S_SAVED)
      ut_block_put(ut_register(b, r, x), base, (ut_set){{0}}, x);
  for (size_t n = base; n < base + ((size_t)1 << x.each_bits); n++) {
    /* Begins the half of the ring where its sender will put the next flit, which may get lost there: the other half is
     * the memory then (ut_position_of_place()), also in the reset that ends a failure. */
    const uint32_t lane = b->lane + (uint32_t)n;
    if (!s->held) {
      const bool upper = g->wires && ut_position_at(g->wires->send, g->wires->from[lane], x.wide) >= x.depth;
      ut_position_set(UT_REG(void, at_rd), n, upper ? x.depth : 0, x.wide);
    }
    if (g->wires)
      ut_position_set(g->wires->write, lane, ut_position_at(UT_REG(void, at_rd), n, x.wide), x.wide);
    UT_REG(uint8_t, at_credits)[n] = UT_REG(uint8_t, at_out)[n] = 0;
    if (x.output_depth)
      UT_REG(uint8_t, at_queue_read)[n] = UT_REG(uint8_t, at_queue_count)[n] = 0;
    ut_output_space(g, b, n, x);
    const bool exists = ut_lane_port(n, x) < x.pi && ut_lane_vc(n, x) < x.v;
    UT_REG(uint8_t, at_pending_credits)[n] = exists ? (uint8_t)x.depth : 0;
    ut_assign(ut_register(b, UT_S_PENDING_CREDITS, x), n, exists, x.sets);
    if (x.route_cycles > 2)
      UT_REG(uint8_t, at_wait)[n] = 0;
    if (x.policy_bits)
      UT_REG(uint8_t, at_policy)[n] = 0;
    ut_set_store(UT_REG(void, at_va), n, ut_set_all(), x);
  }
  for (unsigned p = 0; p < 1u << x.port_bits; p++) {
    /* the opposite port first, so that inputs spread over the outputs */
    UT_REG(ut_mask, at_select)[port_index | p] = g->all_out & (ut_mask)((uint64_t)g->all_out << (p + x.po / 2) % x.po);
    if (x.select_bits) {
      const unsigned seed = ut_selection_seed(s->straps, p, x);
      UT_REG(uint16_t, at_select_policy)[port_index | p] = (uint16_t)seed;
      UT_REG(ut_mask, at_select)[port_index | p] = g->all_out & ~ut_mask_all(ut_selection_start(seed, x));
    }
    if (x.v > 1) {
      UT_REG(uint8_t, at_route_pointer)
      [port_index | p] = UT_REG(uint8_t, at_switch_pointer)[port_index | p] = (uint8_t)ut_mask_all(x.v);
      ut_set_store(UT_REG(void, at_sa), port_index | p, ut_set_all(), x);
      if (x.output_depth)
        UT_REG(uint8_t, at_link_pointer)[port_index | p] = (uint8_t)ut_mask_all(x.v);
    }
  }
  b->slow_path = true;
}

void ut_switch_reset(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  s->out_up = s->vector = s->neighbour = s->set = 0;
  s->timer = 0;
  s->fault = s->far = s->stale_state = false;
  s->straps = straps;
  if (g->form.states)
    *ut_node_states_of(g, s) = (struct ut_node_states){0};
  if (g->routing->strap)
    g->routing->strap(g, s, straps);
  reset_lanes(g, s);
  if (g->spec)
    ut_spec_reset(g, s);
}
