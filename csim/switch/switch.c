/* SPDX-License-Identifier: Apache-2.0 */
/* switch.c - the memory of all switches, and reset.  Twin: rtl/ut_switch.v */
#include "switch.h"

#include <stdlib.h>
#include <string.h>

#include "cycle.h"
#include "spec_group.h"

uint64_t ut_group_step(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                       struct ut_events *events) {
  return group->steps(group, cycle, first, count, events);
}

void ut_switch_disturb(const struct ut_group *group, const struct ut_switch *sw) {
  ut_block_of(group, sw)->slow_path = true;
}

unsigned ut_shape_ring_space(const struct ut_shape *shape, unsigned depth) {
  const unsigned spread = shape->max_packet - shape->min_packet, fit = depth / shape->max_packet - 1;
  unsigned slots = spread && (shape->min_packet - 1) / spread < fit ? (shape->min_packet - 1) / spread : fit;
  unsigned fill = (slots + 1) * shape->min_packet - 1, most = depth - shape->max_packet;
  return slots ? depth - (fill < most ? fill : most) : 0;
}

/* Of a grid; else 0. */
static unsigned axes(const struct ut_shape *shape) {
  unsigned n = 0;
  while (n < UT_MAX_DIMENSIONS && shape->size[n])
    n++;
  return n;
}

unsigned ut_shape_reports(const struct ut_shape *shape) {
  if (UT_ALG_STATES(shape->route, shape->algorithm))
    return shape->cube ? 1 : 3 + 2 * axes(shape);
  return UT_ALG_FAR(shape->route, shape->algorithm) ? 2 : 1;
}

const char *ut_shape_rule(const struct ut_shape *shape) {
  const struct ut_algorithm *algorithm = NULL;
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (ut_algorithms[i].route == shape->route && ut_algorithms[i].code == shape->algorithm)
      algorithm = &ut_algorithms[i];
  const char *rule = ut_parameter_rule(shape);
  if (rule)
    return rule;
  if (shape->switching == UT_VCT && shape->depth < shape->max_packet)
    return "vct_needs_buffer_of_one_packet";
  if (shape->output_depth && shape->switching == UT_VCT && shape->output_depth < shape->max_packet)
    return "vct_needs_output_queue_of_one_packet";
  if (!shape->output_depth && shape->selection == UT_SELECTION_OUTPUT_SPACE)
    return "output_space_needs_output_queues";
  if (shape->arbitration >= UT_ARBITRATION_POLICIES || shape->selection >= UT_SELECTION_POLICIES)
    return "unknown_policy";
  if (shape->v < UT_ARBITRATION_VCS(shape->arbitration) || shape->v < UT_SELECTION_VCS(shape->selection))
    return "policy_needs_more_vcs";
  if (!algorithm)
    return "unknown_algorithm";
  if (shape->v < algorithm->min_vcs)
    return "algorithm_needs_more_vcs";
  if (shape->exclusions && !algorithm->exclusions)
    return "exclusion_intervals_are_for_fta";
  if (shape->misroute_hops && !algorithm->misroutes)
    return "misroute_hops_need_an_algorithm_that_misroutes";
  if (shape->vin1_vcs > 1 && !algorithm->vin1)
    return "vin1_vcs_is_for_two_virtual_networks";
  if (shape->v < algorithm->min_vcs + (shape->vin1_vcs - 1) * algorithm->vin1)
    return "vin2_needs_vcs_of_its_own";
  if (algorithm->bubble && shape->switching != UT_VCT)
    return "bubble_rule_needs_virtual_cut_through";
  if (algorithm->bubble && shape->depth < 2 * shape->max_packet)
    return "bubble_rule_needs_buffer_of_two_packets";
  if (algorithm->bubble && shape->output_depth && shape->output_depth < 2 * shape->max_packet)
    return "bubble_rule_needs_output_queue_of_two_packets";
  if (algorithm->bubble && !ut_shape_ring_space(shape, shape->depth))
    return "bubble_rule_needs_packets_of_similar_length";
  if (!algorithm->mechanisms && (shape->escapes > 1 || shape->deterministic || shape->misroute))
    return "mechanisms_need_an_algorithm_that_obeys_them";
  if (algorithm->dateline && shape->misroute)
    return "datelines_do_not_serve_misrouting";
  if (shape->v < algorithm->min_vcs + ((shape->escapes - 1) << algorithm->dateline))
    return "each_sub_path_needs_an_escape_vc";
  if (shape->escapes > 1 && shape->depth < 2)
    return "stripping_needs_a_buffer_of_two_flits";
  if (algorithm->tables && (shape->destinations < 1 || shape->destinations > UT_MAX_DESTINATIONS))
    return "tables_need_1_to_65536_destinations";
  if (!algorithm->tables && shape->destinations)
    return "destinations_are_for_tables";
  if (!algorithm->tables && shape->groups)
    return "next_hop_groups_are_for_forwarding";
  if (!algorithm->tables && shape->vc_map)
    return "vc_map_is_for_forwarding";
  const struct ut_routing *family = ut_routing_find(shape->route);
  if (!family->sizes && (shape->size[0] || shape->size[1] || shape->size[2] || shape->size[3]))
    return "sizes_are_for_grids";
  if (!family->cube && shape->cube)
    return "cube_is_for_hypercubes";
  if (!family->digits && (shape->radix || shape->parallel || shape->dual_homed || shape->half_crossbar))
    return "radix_is_for_routing_by_bits_of_digits";
  if (!family->roots && shape->root)
    return "root_is_for_trees";
  if (!family->direct && shape->links > 1)
    return "terminal_links_are_for_direct_networks";
  if (!family->direct && shape->local_first)
    return "local_first_is_for_direct_networks";
  if (!family->direct && shape->arbitration == UT_ARBITRATION_TRANSIT_FIRST)
    return "transit_first_is_for_direct_networks";
  if (shape->local_first && shape->arbitration == UT_ARBITRATION_TRANSIT_FIRST)
    return "terminals_are_first_or_last";
  return family->rule(shape);
}

const char *ut_shape_unmodelled(const struct ut_shape *shape) {
  if (!UT_ARBITRATION_MODELLED(shape->arbitration))
    return "switch.arbitration";
  return UT_SELECTION_MODELLED(shape->selection) ? NULL : "switch.selection";
}

/* Returns whether a packet gets this output VC only while the buffer behind it is empty: always, or by Duato's
 * condition under wormhole in the adaptive VCs. */
static bool must_be_empty(const struct ut_group *group, unsigned v) {
  return group->form.atomic ||
         (group->form.wormhole && group->form.preferred && v < group->shape.v - ut_escape_vcs_of(group->shape));
}
/* Returns the first VC of rings. */
static unsigned first_of_rings(const struct ut_group *group) {
  const struct ut_shape *shape = &group->shape;
  return !group->form.bubble ? shape->v : group->form.preferred ? shape->v - ut_escape_vcs_of(*shape) : 0;
}
/* Returns how many places are space for a packet in output VC v, of a buffer or queue of `depth` flits. */
static unsigned room_in(const struct ut_group *group, unsigned v, unsigned depth) {
  if (must_be_empty(group, v))
    return depth;
  if (group->form.wormhole)
    return 1;
  return v < first_of_rings(group) ? group->shape.max_packet : ut_shape_ring_space(&group->shape, depth);
}

/* Sets the space that a packet needs in each output VC. */
static void set_needs(struct ut_group *group) {
  const struct ut_shape *shape = &group->shape;
  for (unsigned v = 0; v < shape->v; v++) {
    const unsigned space = room_in(group, v, shape->output_depth ? shape->output_depth : shape->depth);
    group->need[v] = space;
    group->need2[v] = group->form.atomic ? space : group->form.wormhole ? 1 : space + shape->max_packet;
    group->send[v] = room_in(group, v, shape->depth);
  }
  for (unsigned n = 0; n < group->form.all; n++) {
    const unsigned vc = ut_lane_vc(n, group->form);
    group->need_of[n] = (uint8_t)(vc < shape->v ? group->need[vc] : 255);
    group->need2_of[n] = (uint8_t)(vc < shape->v ? group->need2[vc] : 255);
    group->send_of[n] = (uint8_t)(vc < shape->v ? group->send[vc] : 255);
    if (vc < shape->v && must_be_empty(group, vc))
      group->empty[n / 32] |= 1u << n % 32;
    /* packets do not enter a ring through adaptive VCs or ports to terminals */
    if (vc < shape->v && vc >= first_of_rings(group) && ut_lane_port(n, group->form) < 2 * axes(shape))
      group->able2[n / 32] |= 1u << n % 32;
  }
}

bool ut_group_init(struct ut_group *group, const struct ut_shape *shape, uint32_t first, uint32_t count) {
  memset(group, 0, sizeof *group);
  group->shape = *shape;
  group->form = ut_form_of(*shape);
  const struct ut_form form = group->form;
  set_needs(group);
  group->all_in = ut_mask_all(shape->pi);
  group->all_out = ut_mask_all(shape->po);
  if (shape->cube || shape->size[0]) /* behind those of the network */
    group->local_in = group->all_in & ~ut_mask_all(shape->cube + 2 * axes(shape));
  group->port_bits = ut_bits_of(shape->po);
  group->vc_bits = ut_bits_of(shape->v);
  group->routing = ut_routing_find(shape->route);
  group->route = group->routing->route;
  group->steps = form.many ? ut_any_shape_many_steps : ut_any_shape_steps;
  group->first = first;
  group->count = count;
  group->blocks = (count + (1u << form.block_bits) - 1) >> form.block_bits;
  const size_t size = (size_t)form.switch_stride * count, blocks = (size_t)form.stride * group->blocks;
  group->memory = ut_memory(size);
  group->block = ut_memory(blocks);
  if (!group->memory || !group->block || (group->routing->prepare && !group->routing->prepare(group))) {
    ut_group_fini(group);
    return false;
  }
  for (uint32_t i = 0; i < count; i++)
    for (unsigned n = 0; n < shape->po / 2 * shape->exclusions; n++)
      ut_exclusions_of(group, ut_switch_of(group, first + i), 0)[n] = 1; /* empty */
  for (unsigned n = 0; n < form.all; n++)
    group->up_lanes[n / 64] |= (uint64_t)(group->up_ports >> ut_lane_port(n, form) & 1) << n % 64;
  for (uint32_t i = 0; i < group->blocks; i++) {
    struct ut_block *block = ut_block_at(group, i, form);
    block->first = i << form.block_bits;
    memset(ut_register(block, UT_S_SAVED, form), 0xff, form.sets * sizeof(uint64_t));
  }
  for (uint32_t i = 0; i < count; i++) {
    ut_switch_of(group, first + i)->id = first + i;
    ut_switch_reset(group, ut_switch_of(group, first + i), 0);
  }
  return true;
}

void ut_group_join(struct ut_group *group, struct ut_wires *wires, uint32_t lane) {
  group->wires = wires;
  for (uint32_t i = 0; i < group->blocks; i++)
    ut_block_at(group, i, group->form)->lane = lane + i * group->form.all;
}

uint32_t ut_shape_lanes(const struct ut_shape *shape, uint32_t count) {
  const struct ut_form form = ut_form_of(*shape);
  return (count + (1u << form.block_bits) - 1) >> form.block_bits << (form.each_bits + form.block_bits);
}

void ut_group_fini(struct ut_group *group) {
  ut_spec_detach(group);
  free(group->memory);
  free(group->block);
  free(group->place);
  group->memory = group->block = NULL;
  group->place = NULL;
}

/* The registers in the lanes of a switch. */
static void reset_lanes(const struct ut_group *group, struct ut_switch *sw) {
  const struct ut_form form = group->form;
  struct ut_block *block = ut_block_of(group, sw);
  struct ut_work storage, *work = &storage;
  ut_work_begin(work, group, &(struct ut_cycle){.wires = group->wires}, NULL, false);
  ut_work_set_block(work, block, form);
  const size_t base = ut_lane_of(group, sw), port_index = base >> form.each_bits << form.port_bits;
  for (unsigned op = 0; op < form.po && group->wires; op++)
    ut_output_save(work, port_index | op, base | op, form);
  for (unsigned r = 0; r < UT_SETS; r++)
    if (r != UT_S_SAVED)
      ut_block_put(ut_register(block, r, form), base, (ut_set){{0}}, form);
  for (size_t n = base; n < base + ((size_t)1 << form.each_bits); n++) {
    /* Begins the half of the ring where the sender will put the next flit, which may get lost there: the other half
     * then represents the memory (ut_position_of_place()), also during the reset that ends a failure. */
    const uint32_t lane = block->lane + (uint32_t)n;
    if (!sw->held) {
      const bool upper =
          group->wires && ut_position_at(group->wires->send, group->wires->from[lane], form.wide) >= form.depth;
      ut_position_set(UT_REG(void, at_rd), n, upper ? form.depth : 0, form.wide);
    }
    if (group->wires)
      ut_position_set(group->wires->write, lane, ut_position_at(UT_REG(void, at_rd), n, form.wide), form.wide);
    UT_REG(uint8_t, at_credits)[n] = 0;
    ut_out_set(UT_REG(void, at_out), n, 0, form);
    if (form.output_depth)
      UT_REG(uint8_t, at_queue_read)[n] = UT_REG(uint8_t, at_queue_count)[n] = 0;
    ut_output_space(group, block, n, form);
    const bool exists = ut_lane_port(n, form) < form.pi && ut_lane_vc(n, form) < form.v;
    UT_REG(uint8_t, at_pending_credits)[n] = exists ? (uint8_t)form.depth : 0;
    ut_assign(ut_register(block, UT_S_PENDING_CREDITS, form), n, exists, form.sets);
    if (form.route_cycles > 2)
      UT_REG(uint8_t, at_wait)[n] = 0;
    if (form.policy_bits)
      UT_REG(uint8_t, at_policy)[n] = 0;
    ut_set_store(UT_REG(void, at_va), n, ut_set_all(), form);
  }
  for (unsigned p = 0; p < 1u << form.port_bits; p++) {
    /* the opposite port first, so that inputs spread over the outputs */
    UT_REG(ut_mask, at_select)
    [port_index | p] = group->all_out & (ut_mask)((uint64_t)group->all_out << (p + form.po / 2) % form.po);
    if (form.select_bits) {
      const unsigned seed = ut_selection_seed(sw->straps, p, form);
      UT_REG(uint16_t, at_select_policy)[port_index | p] = (uint16_t)seed;
      UT_REG(ut_mask, at_select)[port_index | p] = group->all_out & ~ut_mask_all(ut_selection_start(seed, form));
    }
    if (form.v > 1) {
      UT_REG(uint8_t, at_route_pointer)
      [port_index | p] = UT_REG(uint8_t, at_switch_pointer)[port_index | p] = (uint8_t)ut_mask_all(form.v);
      ut_set_store(UT_REG(void, at_sa), port_index | p, ut_set_all(), form);
      if (form.output_depth)
        UT_REG(uint8_t, at_link_pointer)[port_index | p] = (uint8_t)ut_mask_all(form.v);
    }
  }
  block->slow_path = true;
}

void ut_switch_reset(const struct ut_group *group, struct ut_switch *sw, uint64_t straps) {
  sw->out_up = sw->vector = sw->neighbour = sw->set = 0;
  sw->timer = 0;
  sw->fault = sw->far = sw->stale_state = false;
  sw->straps = straps;
  if (group->form.states)
    *ut_node_states_of(group, sw) = (struct ut_node_states){0};
  if (group->routing->strap)
    group->routing->strap(group, sw, straps);
  reset_lanes(group, sw);
  if (group->spec)
    ut_spec_reset(group, sw);
}
