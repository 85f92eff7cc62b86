/* SPDX-License-Identifier: Apache-2.0 */
/* cycle.h - one cycle of a block of switches.  Twin: rtl/ut_switch.v
 *
 * Purpose: the steps of the cycle in the order of the RTL's data flow (ut_block_step()), and the loop over the blocks
 * of a group (ut_steps()).  Blocks in which nothing can happen are skipped; the others take the fast path or the slow
 * path.
 *
 * Interface: ut_steps() is inlined into any_shape.h for any shape and into elaborated.c for one shape, so that the
 * form, and whether a block takes the fast path, are constants wherever they are known.
 *
 * Invariants: block->slow_path, computed at the end of each cycle, is set whenever a step that the fast path leaves out
 * would have an effect in the next cycle.  Every byte that arrives on the wires is cleared in the cycle of its arrival.
 *
 * Mistakes that a caller can make: a change from outside (link, report, configuration word) without
 * ut_switch_disturb(); a new step that is needed on the slow path only, but whose condition is missing in
 * ut_block_needs_slow_path().
 */
#ifndef UT_CYCLE_H
#define UT_CYCLE_H

#include "ahead.h"
#include "output_unit.h"
#include "reroute_vector.h"
#include "switch_allocator.h"

/* ---- state of the routing family, and inputs from outside */

UT_INLINE struct ut_switch_in ut_block_in(const struct ut_work *work, const struct ut_switch *sw) {
  const struct ut_cycle *cycle = work->c;
  return (struct ut_switch_in){.in_up = cycle->in_up[sw->id],
                               .out_up = cycle->out_up[sw->id],
                               .report = cycle->report + (size_t)sw->id * cycle->reports,
                               .config = cycle->config ? cycle->config[sw->id] : cycle->order};
}

/* Counts down the re-route timers of switches in which nothing else changes.  Returns the other switches of `which`,
 * and those whose timer expires. */
UT_INLINE uint32_t ut_block_wait(const struct ut_work *work, uint32_t which, const struct ut_form form) {
  UT_FOR_EACH (i, work->b->timed & ~work->turned)
    if (ut_reroute_vector_wait(ut_lane_switch(work, (size_t)i << form.each_bits, form)))
      which &= ~UT_BIT_OF(i);
  return which;
}

/* Updates the routing family's state of the switches `which`.  Returns whether the next cycle must take the slow
 * path. */
UT_INLINE bool ut_block_update_family(struct ut_work *work, uint32_t which, const struct ut_form form) {
  uint64_t *stale = ut_register(work->b, UT_S_STALE_STATE, form);
  bool slow_path = false;
  UT_FOR_EACH (i, which) {
    struct ut_switch *sw = ut_lane_switch(work, (size_t)i << form.each_bits, form);
    work->b->unsettled &= ~UT_BIT_OF(i);
    work->b->timed &= ~UT_BIT_OF(i);
    if (sw->held)
      continue;
    const struct ut_switch_in in = ut_block_in(work, sw);
    const bool again =
        form.states ? ut_node_states_update(work->g, sw, &in) : ut_reroute_vector_update(work->g, sw, &in, sw->set);
    sw->set = 0;
    const bool timed = !again && form.vector && ut_reroute_vector_is_timed(sw);
    work->b->unsettled |= (uint32_t)(again || timed) << i;
    work->b->timed |= (uint32_t)timed << i;
    slow_path |= sw->stale_state || (form.states && ut_node_states_of(work->g, sw)->purge);
    ut_block_put(stale, (size_t)i << form.each_bits, ut_set_lanes(sw->stale_state ? ~(ut_mask)0 : 0, form), form);
    if (again)
      ut_events_add(work->events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = sw->id});
  }
  return slow_path;
}

/* Samples link states and words of the configuration ports, at the end of a cycle on the slow path. */
UT_INLINE void ut_block_update_links(struct ut_work *work, const struct ut_form form) {
  for (unsigned i = 0; i < ut_block_switches(work, form); i++) {
    const size_t base = (size_t)i << form.each_bits;
    struct ut_switch *sw = ut_lane_switch(work, base, form);
    if (sw->held)
      continue;
    const struct ut_switch_in in = ut_block_in(work, sw);
    uint64_t *up = ut_register(work->b, UT_S_IN_UP, form);
    const ut_set now = ut_set_inputs(in.in_up, form), before = ut_set_of(up, base, form);
    ut_block_put(ut_register(work->b, UT_S_IN_FELL, form), base, ut_set_but(before, now, form), form);
    ut_block_put(up, base, now, form);
    ut_block_put(ut_register(work->b, UT_S_STALE_LINK, form), base,
                 ut_set_lanes(sw->out_up != in.out_up ? ~(ut_mask)0 : 0, form), form);
    UT_FOR_EACH (op, sw->out_up ^ in.out_up)
      ut_output_save(work, (size_t)i << form.port_bits | op, base | op, form);
    sw->out_up = in.out_up;
    ut_block_put(ut_register(work->b, UT_S_OUT_UP, form), base, ut_set_lanes(in.out_up, form), form);
    ut_switch_configure(work->g, sw, in.config);
  }
}

/* ---- bytes: positions, credits, wires */

/* Discards flits that arrive on a link that is down, and reports each packet that is lost with its head. */
UT_INLINE void ut_block_lose(struct ut_work *work, uint8_t *flits, const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.sets) {
    const unsigned lanes = form.all < 64 ? form.all : 64;
    for (unsigned j = 0; j < lanes; j++) {
      const size_t n = 64 * i + j;
      if (!flits[n])
        continue;
      const struct ut_switch *sw = ut_lane_switch(work, n, form);
      if (ut_has(ut_register(work->b, UT_S_IN_UP, form), n, form.sets) &&
          work->c->in_up[sw->id] >> ut_lane_port(n, form) & 1)
        continue;
      if (flits[n] & UT_KIND_HEAD)
        ut_lost(work, n, *ut_flit_of(work, n, ut_position_at(work->near.write, n, form.wide), form), form);
      flits[n] = 0;
    }
  }
}

/* Returns the lanes of a word, which begins at `lane`, that have a flit or a credit on their wires. */
UT_INLINE uint64_t ut_wires_come(const struct ut_reach *reach, size_t lane, const struct ut_form form) {
  uint64_t come = 0;
  for (unsigned i = 0; i < (form.all < 64 ? 1 : 2); i++) {
    const ut_vector flits = *(const ut_vector *)(reach->flits + lane + UT_LANES * i);
    const ut_vector credits = *(const ut_vector *)(reach->credits + lane + UT_LANES * i);
    come |= (uint64_t)ut_gather(flits | credits) << UT_LANES * i; /* bytes that are not 0 have their top bit */
  }
  return come;
}
UT_INLINE void ut_block_look(struct ut_work *work, const struct ut_reach *reach, size_t lane,
                             const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.sets)
    work->come[i] = ut_wires_come(reach, lane + 64 * i, form);
}

/* Returns the lanes of a word that have flits, something to send, or arrivals (`come`). */
UT_INLINE uint64_t ut_block_busy(const struct ut_block *block, unsigned word, uint64_t come,
                                 const struct ut_form form) {
  return ut_register(block, UT_S_OCCUPIED, form)[word] | ut_register(block, UT_S_VALID, form)[word] |
         ut_register(block, UT_S_CREDIT, form)[word] |
         (form.output_depth ? ut_register(block, UT_S_QUEUED, form)[word] : 0) | come;
}

/* Returns non-zero if the block must be stepped although its lanes are empty. */
UT_INLINE uint64_t ut_block_has_pending_events(const struct ut_block *block, uint64_t order,
                                               const struct ut_form form) {
  return block->unsettled | (uint64_t)block->slow_path | (form.states && order);
}

/* Returns whether the block can be skipped: without an event from outside nothing would change, and there is none. */
UT_INLINE bool ut_block_is_idle(const struct ut_block *block, const uint64_t *come, uint64_t order,
                                const struct ut_form form) {
  uint64_t busy = ut_block_has_pending_events(block, order, form);
  UT_FOR_EACH_WORD (i, form.sets)
    busy |= ut_block_busy(block, i, come[i], form);
  return !busy;
}

/* Sets of 32 lanes after flits and credits have been counted.  occupied: buffers that hold a flit; edges: lanes where a
 * packet began or ended; enough, enough2: output VCs with space for one packet, for two; queued: output queues that
 * hold a flit; credited: queues whose credits allow a head to be sent. */
struct ut_counted {
  uint32_t occupied, edges, enough, enough2, queued, credited;
};

/* Updates the output queues of 32 lanes, whose credits have been counted already: `crossed` flits entered the queue,
 * `gone` flits (0xff) left it for the link. */
UT_INLINE void ut_lanes_count_queues(struct ut_work *work, unsigned first, uint32_t crossed, const ut_vector gone,
                                     struct ut_counted *now, const struct ut_form form) {
  const ut_vector zero = {0};
  ut_vector *read = (ut_vector *)(UT_REG(uint8_t, at_queue_read) + first);
  ut_vector *count = (ut_vector *)(UT_REG(uint8_t, at_queue_count) + first);
  const ut_vector credits = *(const ut_vector *)(UT_REG(uint8_t, at_credits) + first);
  *read -= gone;
  *read &= ~(ut_vector)(*read == (uint8_t)form.output_depth);
  *count += gone - ut_spread(crossed);
  now->queued = ~ut_gather((ut_vector)(*count == zero));
  now->credited = ut_gather((ut_vector)(credits >= *(const ut_vector_anywhere *)(work->g->send_of + first)));
  const uint32_t may = now->credited | ~work->g->empty[first / 32];
  const ut_vector places = (uint8_t)form.output_depth - *count;
  now->enough = may & ut_gather((ut_vector)(places >= *(const ut_vector_anywhere *)(work->g->need_of + first)));
  if (form.bubble)
    now->enough2 = may & work->g->able2[first / 32] &
                   ut_gather((ut_vector)(places >= *(const ut_vector_anywhere *)(work->g->need2_of + first)));
}

/* Updates positions and credits of 32 lanes from `first` on by the flits and credits that left and arrived. */
UT_INLINE struct ut_counted ut_lanes_count(struct ut_work *work, unsigned first, uint32_t popped, uint32_t left,
                                           uint32_t crossed, const struct ut_form form) {
  const ut_vector zero = {0};
  ut_vector *flits = (ut_vector *)(work->reach.flits + work->lane + first),
            *credits = (ut_vector *)(work->reach.credits + work->lane + first);
  const ut_vector came = *flits, back = *credits;
  const ut_vector gone = ut_spread(left), arrived = (ut_vector)((ut_signed)came < 0);
  struct ut_counted now = {0};
  *flits = *credits = zero;
  if (!form.wide) {
    ut_vector *rd = (ut_vector *)(UT_REG(uint8_t, at_rd) + first),
              *wr = (ut_vector *)((uint8_t *)work->near.write + first);
    ut_vector *send = (ut_vector *)((uint8_t *)work->near.send + first);
    *rd = ut_positions_move(*rd, ut_spread(popped), form.depth);
    *wr = ut_positions_move(*wr, arrived, form.depth);
    *send = ut_positions_move(*send, gone, form.depth);
    now.occupied = ~ut_gather((ut_vector)(*rd == *wr));
  } else {
    uint16_t *rd = UT_REG(uint16_t, at_rd) + first, *wr = (uint16_t *)work->near.write + first;
    ut_positions_move_wide(rd, popped, form.depth);
    ut_positions_move_wide(wr, ut_gather(arrived), form.depth);
    ut_positions_move_wide((uint16_t *)work->near.send + first, left, form.depth);
    for (unsigned i = 0; i < UT_LANES; i++)
      now.occupied |= (uint32_t)(rd[i] != wr[i]) << i;
  }
  /* a flit that is either head or tail, not both, begins or ends a packet */
  now.edges = ut_gather((ut_vector)((came + 1) << 6) & came);
  ut_vector *count = (ut_vector *)(UT_REG(uint8_t, at_credits) + first);
  *count += gone - back;
  if (form.output_depth) {
    ut_lanes_count_queues(work, first, crossed, gone, &now, form);
    return now;
  }
  now.enough = ut_gather((ut_vector)(*count >= *(const ut_vector_anywhere *)(work->g->need_of + first)));
  if (form.bubble)
    now.enough2 = work->g->able2[first / 32] &
                  ut_gather((ut_vector)(*count >= *(const ut_vector_anywhere *)(work->g->need2_of + first)));
  return now;
}

/* Does the same for a whole block; skips vectors in which nothing moves. */
UT_INLINE void ut_block_count(struct ut_work *work, const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.sets) {
    const unsigned vectors = form.all < 64 ? 1 : 2;
    UT_UNROLL
    for (unsigned j = 0; j < vectors; j++) {
      const unsigned first = 64 * i + 32 * j;
      const uint32_t popped = (uint32_t)(work->popped[i] >> 32 * j), left = (uint32_t)(work->left[i] >> 32 * j);
      const uint32_t crossed = form.output_depth ? (uint32_t)(work->crossed[i] >> 32 * j) : left;
      if (!(popped | left | crossed | (uint32_t)(work->come[i] >> 32 * j)))
        continue;
      const struct ut_counted now = ut_lanes_count(work, first, popped, left, crossed, form);
      *ut_half(ut_register(work->b, UT_S_OCCUPIED, form), first) = now.occupied;
      *ut_half(ut_register(work->b, UT_S_OPEN, form), first) ^= now.edges;
      *ut_half(ut_register(work->b, UT_S_SPACE, form), first) = now.enough;
      if (form.bubble)
        *ut_half(ut_register(work->b, UT_S_SPACE2, form), first) = now.enough2;
      if (form.output_depth) {
        *ut_half(ut_register(work->b, UT_S_QUEUED, form), first) = now.queued;
        *ut_half(ut_register(work->b, UT_S_CREDITED, form), first) = now.credited;
      }
    }
  }
}

/* ---- the cycle */

/* Updates the registers of the arbitration policy: after all flits have left, before any of them is counted. */
UT_INLINE void ut_block_update_policy(struct ut_work *work, const struct ut_form form) {
  uint64_t gone[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets) {
    gone[i] = work->ended[i] | work->dropped[i];
    work->dropped[i] = 0; /* for the next block */
  }
  ut_policy_update(work, gone, form);
}

/* Returns whether the next cycle of the block needs a step that the fast path leaves out. */
UT_INLINE bool ut_block_needs_slow_path(const struct ut_block *block, const struct ut_form form) {
  uint64_t any = 0;
  UT_FOR_EACH_WORD (i, form.sets) {
    const uint64_t up = ut_register(block, UT_S_IN_UP, form)[i];
    any |= ut_register(block, UT_S_DRAIN, form)[i] | ut_register(block, UT_S_DISCARD, form)[i] |
           ut_register(block, UT_S_IN_FELL, form)[i] | ut_register(block, UT_S_STALE_LINK, form)[i] |
           ut_register(block, UT_S_STALE_STATE, form)[i] | (up & ut_register(block, UT_S_PENDING_CREDITS, form)[i]) |
           ut_register(block, UT_S_CUT, form)[i] |
           (~up & (ut_register(block, UT_S_OPEN, form)[i] | ut_register(block, UT_S_OCCUPIED, form)[i]));
  }
  return any != 0;
}

/* Steps one block by one cycle.  fast_path is a constant.  On the fast path links and neighbours are unchanged, no VC
 * is stale, draining, cut or purged, and no link that is up has pending credits; the steps for these cases are left
 * out. Returns how many flits crossed. */
UT_INLINE uint64_t ut_block_step(struct ut_work *work, struct ut_block *block, ut_route_function *route, bool fast_path,
                                 const struct ut_form form) {
  const struct ut_cycle *cycle = work->c;
  uint64_t lost[UT_SET_WORDS], hops = 0;
  ut_work_set_block(work, block, form);
  bool slow_path = false;
  UT_FOR_EACH_WORD (i, form.sets) {
    work->send[i] = ut_register(block, UT_S_ACTIVE, form)[i];
    work->popped[i] = work->left[i] = 0;
    if (form.output_depth)
      work->crossed[i] = 0;
    if (!fast_path) {
      work->active[i] = work->send[i];
      work->drain[i] = ut_register(block, UT_S_DRAIN, form)[i];
      ut_register(block, UT_S_DISCARD, form)[i] = 0;
    }
  }
  ut_input_route(work, route, form);
  uint64_t bids = 0;
  UT_FOR_EACH_WORD (i, form.sets)
    bids |= work->bid[i];
  if (bids)
    ut_vc_allocate(work, form);
  if (!fast_path)
    ut_input_cut(work, form);
  ut_switch_allocate(work, form);
  if (form.output_depth)
    ut_queue_transmit(work, form);
  if (!fast_path) {
    ut_input_drain(work, form);
    ut_block_lose(work, cycle->flits + block->lane, form);
    ut_output_lost(work, lost, form);
    if (form.output_depth)
      ut_queue_lose(work, lost, form);
    for (unsigned n = 0; n < form.all; n++) /* credits that arrive on a link that is down have no effect */
      if (!ut_has(ut_register(block, UT_S_OUT_UP, form), n, form.sets))
        cycle->credits[block->lane + n] = 0;
  }
  UT_FOR_EACH_WORD (i, form.sets) {
    ut_register(block, UT_S_VALID, form)[i] = work->left[i];
    ut_register(block, UT_S_SAVED, form)[i] &= ~work->left[i];
    ut_register(block, UT_S_CREDIT, form)[i] = work->popped[i];
  }
  if (form.policy_bits)
    ut_block_update_policy(work, form);
  ut_block_count(work, form);
  if (!fast_path) {
    ut_output_clear(work, lost, form);
    ut_input_mend(work, form);
    UT_FOR_EACH_LANE (n, ut_register(block, UT_S_CREDIT, form), form.sets)
      ut_input_return(work, n);
  }
  if (form.vector || form.states) {
    const bool all = !fast_path || (form.states && cycle->order);
    uint32_t which =
        all ? (uint32_t)((UINT64_C(1) << ut_block_switches(work, form)) - 1) : block->unsettled | work->turned;
    if (form.vector && !all && __builtin_expect(which != 0, 0)) /* rare: more of the cycle stays in registers */
      which = ut_block_wait(work, which, form);
    if (which)
      slow_path = ut_block_update_family(work, which, form);
  }
  if (!fast_path) {
    ut_block_update_links(work, form);
    slow_path |= ut_block_needs_slow_path(block, form);
  } else {
    UT_FOR_EACH_WORD (i, form.sets)
      slow_path |= ut_register(block, UT_S_DISCARD, form)[i] != 0;
  }
  block->slow_path = slow_path;
  UT_FOR_EACH_WORD (i, form.sets)
    hops += (unsigned)__builtin_popcountll((form.output_depth ? work->crossed : work->left)[i]);
  return hops;
}

UT_INLINE uint64_t ut_step_slow_path(const struct ut_group *group, struct ut_block *block, const struct ut_cycle *cycle,
                                     struct ut_events *events, ut_route_function *route, const struct ut_form form) {
  struct ut_work work;
  ut_work_begin(&work, group, cycle, events, false);
  ut_block_look(&work, &work.reach, block->lane, form);
  return ut_block_step(&work, block, route, false, form);
}

/* Returns the i-th block after this one. */
UT_INLINE struct ut_block *ut_block_behind(const struct ut_block *block, uint32_t i, const struct ut_form form) {
  return UT_IN_BLOCK(struct ut_block, block, (size_t)form.stride * i);
}

/* Prefetches what later blocks will touch; `left`: how many blocks are left, this one included. */
UT_INLINE void ut_steps_ahead(const struct ut_work *work, const struct ut_block *block, uint32_t left,
                              const struct ut_form form) {
  if (left > UT_AHEAD_REGISTERS)
    ut_ahead_registers(work, ut_block_behind(block, UT_AHEAD_REGISTERS, form),
                       block->lane + UT_AHEAD_REGISTERS * (size_t)form.all, form);
  if (left > UT_AHEAD_FLITS)
    ut_ahead_flits(work, ut_block_behind(block, UT_AHEAD_FLITS, form), block->lane + UT_AHEAD_FLITS * (size_t)form.all,
                   form);
}

/* The slow path is compiled as a function of its own, so that the code of the fast path stays small. */
typedef uint64_t ut_slow_path_step(const struct ut_group *g, struct ut_block *b, const struct ut_cycle *c,
                                   struct ut_events *events);

UT_INLINE uint64_t ut_steps(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                            struct ut_events *events, ut_route_function *route, ut_slow_path_step *step_slow_path,
                            const struct ut_form form) {
  uint64_t hops = 0;
  struct ut_work work;
  ut_work_begin(&work, group, cycle, events, true);
  const bool large = cycle->wires->large;
  struct ut_block *block = ut_block_at(group, first, form);
  for (uint32_t left = count; left; left--, block = ut_block_behind(block, 1, form)) {
    if (large)
      ut_steps_ahead(&work, block, left, form);
    ut_block_look(&work, &work.reach, block->lane, form);
    if (ut_block_is_idle(block, work.come, cycle->order, form))
      continue;
    if (__builtin_expect(!block->slow_path, 1))
      hops += ut_block_step(&work, block, route, true, form);
    else
      hops += step_slow_path(group, block, cycle, events);
  }
  return hops;
}

#endif
