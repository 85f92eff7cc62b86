/* SPDX-License-Identifier: Apache-2.0 */
/* cycle.h - one cycle of a block of switches.  Twin: rtl/ut_switch.v
 *
 * Inlined into its callers, so that the form of the switch and whether it takes the fast path are constants, where they
 * are.
 */
#ifndef UT_CYCLE_H
#define UT_CYCLE_H

#include "ahead.h"
#include "output_unit.h"
#include "reroute_vector.h"
#include "switch_allocator.h"

/* ---- the family's state, and what switches see of the outside */

UT_INLINE struct ut_switch_in ut_block_in(const struct ut_work *w, const struct ut_switch *s) {
  const struct ut_cycle *c = w->c;
  return (struct ut_switch_in){.in_up = c->in_up[s->id],
                               .out_up = c->out_up[s->id],
                               .report = c->report + (size_t)s->id * c->reports,
                               .config = c->config ? c->config[s->id] : c->order};
}

/* Moves the timers of switches where nothing else moves.  Returns the others, and those whose timer expires. */
UT_INLINE uint32_t ut_block_wait(const struct ut_work *w, uint32_t which, const struct ut_form x) {
  UT_FOR_EACH (i, w->b->timed & ~w->turned)
    if (ut_reroute_vector_wait(ut_lane_switch(w, (size_t)i << x.each_bits, x)))
      which &= ~UT_BIT_OF(i);
  return which;
}

/* Updates the family's state of those switches where it may change.  Returns whether the next cycle takes the slow
 * path. */
UT_INLINE bool ut_block_update_family(struct ut_work *w, uint32_t which, const struct ut_form x) {
  uint64_t *stale = ut_register(w->b, UT_S_STALE_STATE, x);
  bool slow_path = false;
  UT_FOR_EACH (i, which) {
    struct ut_switch *s = ut_lane_switch(w, (size_t)i << x.each_bits, x);
    w->b->unsettled &= ~UT_BIT_OF(i);
    w->b->timed &= ~UT_BIT_OF(i);
    if (s->held)
      continue;
    const struct ut_switch_in in = ut_block_in(w, s);
    const bool again = x.states ? ut_node_states_update(w->g, s, &in) : ut_reroute_vector_update(w->g, s, &in, s->set);
    s->set = 0;
    const bool timed = !again && x.vector && ut_reroute_vector_is_timed(s);
    w->b->unsettled |= (uint32_t)(again || timed) << i;
    w->b->timed |= (uint32_t)timed << i;
    slow_path |= s->stale_state || (x.states && ut_node_states_of(w->g, s)->purge);
    ut_block_put(stale, (size_t)i << x.each_bits, ut_set_lanes(s->stale_state ? ~(ut_mask)0 : 0, x), x);
    if (again)
      ut_events_add(w->events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = s->id});
  }
  return slow_path;
}

/* Link states, and words of the configuration ports, at the end of a cycle on the slow path. */
UT_INLINE void ut_block_update_links(struct ut_work *w, const struct ut_form x) {
  for (unsigned i = 0; i < ut_block_switches(w, x); i++) {
    const size_t base = (size_t)i << x.each_bits;
    struct ut_switch *s = ut_lane_switch(w, base, x);
    if (s->held)
      continue;
    const struct ut_switch_in in = ut_block_in(w, s);
    uint64_t *up = ut_register(w->b, UT_S_IN_UP, x);
    const ut_set now = ut_set_inputs(in.in_up, x), before = ut_set_of(up, base, x);
    ut_block_put(ut_register(w->b, UT_S_IN_FELL, x), base, ut_set_but(before, now, x), x);
    ut_block_put(up, base, now, x);
    ut_block_put(ut_register(w->b, UT_S_STALE_LINK, x), base, ut_set_lanes(s->out_up != in.out_up ? ~(ut_mask)0 : 0, x),
                 x);
    UT_FOR_EACH (op, s->out_up ^ in.out_up)
      ut_output_save(w, (size_t)i << x.port_bits | op, base | op, x);
    s->out_up = in.out_up;
    ut_block_put(ut_register(w->b, UT_S_OUT_UP, x), base, ut_set_lanes(in.out_up, x), x);
    ut_switch_configure(w->g, s, in.config);
  }
}

/* ---- bytes: positions, credits, wires */

/* Flits on the wires of a link that is not up are lost. */
UT_INLINE void ut_block_lose(struct ut_work *w, uint8_t *flits, const struct ut_form x) {
  UT_FOR_EACH_WORD (i, x.sets) {
    const unsigned lanes = x.all < 64 ? x.all : 64;
    for (unsigned j = 0; j < lanes; j++) {
      const size_t n = 64 * i + j;
      if (!flits[n])
        continue;
      const struct ut_switch *s = ut_lane_switch(w, n, x);
      if (ut_has(ut_register(w->b, UT_S_IN_UP, x), n, x.sets) && w->c->in_up[s->id] >> ut_lane_port(n, x) & 1)
        continue;
      if (flits[n] & UT_KIND_HEAD)
        ut_lost(w, n, *ut_flit_of(w, n, ut_position_at(w->near.write, n, x.wide), x), x);
      flits[n] = 0;
    }
  }
}

/* Lanes of a word with something on their wires, the first of which is that one. */
UT_INLINE uint64_t ut_wires_come(const struct ut_reach *reach, size_t lane, const struct ut_form x) {
  uint64_t come = 0;
  for (unsigned i = 0; i < (x.all < 64 ? 1 : 2); i++) {
    const ut_vector flits = *(const ut_vector *)(reach->flits + lane + UT_LANES * i);
    const ut_vector credits = *(const ut_vector *)(reach->credits + lane + UT_LANES * i);
    come |= (uint64_t)ut_gather(flits | credits) << UT_LANES * i; /* bytes that are not 0 have their top bit */
  }
  return come;
}
UT_INLINE void ut_block_look(struct ut_work *w, const struct ut_reach *reach, size_t lane, const struct ut_form x) {
  UT_FOR_EACH_WORD (i, x.sets)
    w->come[i] = ut_wires_come(reach, lane + 64 * i, x);
}

/* Lanes of a word of the block with flits, or with something on their wires; those are given. */
UT_INLINE uint64_t ut_block_busy(const struct ut_block *b, unsigned word, uint64_t come, const struct ut_form x) {
  return ut_register(b, UT_S_OCCUPIED, x)[word] | ut_register(b, UT_S_VALID, x)[word] |
         ut_register(b, UT_S_CREDIT, x)[word] | (x.output_depth ? ut_register(b, UT_S_QUEUED, x)[word] : 0) | come;
}

/* Not 0: something may happen in the block although nothing is in its lanes. */
UT_INLINE uint64_t ut_block_has_pending_events(const struct ut_block *b, uint64_t order, const struct ut_form x) {
  return b->unsettled | (uint64_t)b->slow_path | (x.states && order);
}

/* Nothing can change in the block without an event from outside, and there is none. */
UT_INLINE bool ut_block_is_idle(const struct ut_block *b, const uint64_t *come, uint64_t order,
                                const struct ut_form x) {
  uint64_t busy = ut_block_has_pending_events(b, order, x);
  UT_FOR_EACH_WORD (i, x.sets)
    busy |= ut_block_busy(b, i, come[i], x);
  return !busy;
}

/* Of 32 lanes: those whose buffers have a flit, where a packet began or ended, with room for a packet, and for two;
 * whose queues have a flit, and may send a head. */
struct ut_counted {
  uint32_t occupied, edges, enough, enough2, queued, credited;
};

/* What has crossed and what has gone, for the queues of 32 output VCs, whose credits have been counted; and their room.
 * gone: 0xff. */
UT_INLINE void ut_lanes_count_queues(struct ut_work *w, unsigned first, uint32_t crossed, const ut_vector gone,
                                     struct ut_counted *now, const struct ut_form x) {
  const ut_vector zero = {0};
  ut_vector *read = (ut_vector *)(UT_REG(uint8_t, at_queue_read) + first);
  ut_vector *count = (ut_vector *)(UT_REG(uint8_t, at_queue_count) + first);
  const ut_vector credits = *(const ut_vector *)(UT_REG(uint8_t, at_credits) + first);
  *read -= gone;
  *read &= ~(ut_vector)(*read == (uint8_t)x.output_depth);
  *count += gone - ut_spread(crossed);
  now->queued = ~ut_gather((ut_vector)(*count == zero));
  now->credited = ut_gather((ut_vector)(credits >= *(const ut_vector_anywhere *)(w->g->send_of + first)));
  const uint32_t may = now->credited | ~w->g->empty[first / 32];
  const ut_vector places = (uint8_t)x.output_depth - *count;
  now->enough = may & ut_gather((ut_vector)(places >= *(const ut_vector_anywhere *)(w->g->need_of + first)));
  if (x.bubble)
    now->enough2 = may & w->g->able2[first / 32] &
                   ut_gather((ut_vector)(places >= *(const ut_vector_anywhere *)(w->g->need2_of + first)));
}

/* Counts what left and what came, for 32 lanes from `first` on: moves positions and credits. */
UT_INLINE struct ut_counted ut_lanes_count(struct ut_work *w, unsigned first, uint32_t popped, uint32_t left,
                                           uint32_t crossed, const struct ut_form x) {
  const ut_vector zero = {0};
  ut_vector *flits = (ut_vector *)(w->reach.flits + w->lane + first),
            *credits = (ut_vector *)(w->reach.credits + w->lane + first);
  const ut_vector came = *flits, back = *credits;
  const ut_vector gone = ut_spread(left), arrived = (ut_vector)((ut_signed)came < 0);
  struct ut_counted now = {0};
  *flits = *credits = zero;
  if (!x.wide) {
    ut_vector *rd = (ut_vector *)(UT_REG(uint8_t, at_rd) + first),
              *wr = (ut_vector *)((uint8_t *)w->near.write + first);
    ut_vector *send = (ut_vector *)((uint8_t *)w->near.send + first);
    *rd = ut_positions_move(*rd, ut_spread(popped), x.depth);
    *wr = ut_positions_move(*wr, arrived, x.depth);
    *send = ut_positions_move(*send, gone, x.depth);
    now.occupied = ~ut_gather((ut_vector)(*rd == *wr));
  } else {
    uint16_t *rd = UT_REG(uint16_t, at_rd) + first, *wr = (uint16_t *)w->near.write + first;
    ut_positions_move_wide(rd, popped, x.depth);
    ut_positions_move_wide(wr, ut_gather(arrived), x.depth);
    ut_positions_move_wide((uint16_t *)w->near.send + first, left, x.depth);
    for (unsigned i = 0; i < UT_LANES; i++)
      now.occupied |= (uint32_t)(rd[i] != wr[i]) << i;
  }
  /* head or tail, not both: a packet begins or ends */
  now.edges = ut_gather((ut_vector)((came + 1) << 6) & came);
  ut_vector *count = (ut_vector *)(UT_REG(uint8_t, at_credits) + first);
  *count += gone - back;
  if (x.output_depth) {
    ut_lanes_count_queues(w, first, crossed, gone, &now, x);
    return now;
  }
  now.enough = ut_gather((ut_vector)(*count >= *(const ut_vector_anywhere *)(w->g->need_of + first)));
  if (x.bubble)
    now.enough2 = w->g->able2[first / 32] &
                  ut_gather((ut_vector)(*count >= *(const ut_vector_anywhere *)(w->g->need2_of + first)));
  return now;
}

/* The same for a whole block; vectors in which nothing moves stay as they are. */
UT_INLINE void ut_block_count(struct ut_work *w, const struct ut_form x) {
  UT_FOR_EACH_WORD (i, x.sets) {
    const unsigned vectors = x.all < 64 ? 1 : 2;
    UT_UNROLL
    for (unsigned j = 0; j < vectors; j++) {
      const unsigned first = 64 * i + 32 * j;
      const uint32_t popped = (uint32_t)(w->popped[i] >> 32 * j), left = (uint32_t)(w->left[i] >> 32 * j);
      const uint32_t crossed = x.output_depth ? (uint32_t)(w->crossed[i] >> 32 * j) : left;
      if (!(popped | left | crossed | (uint32_t)(w->come[i] >> 32 * j)))
        continue;
      const struct ut_counted now = ut_lanes_count(w, first, popped, left, crossed, x);
      *ut_half(ut_register(w->b, UT_S_OCCUPIED, x), first) = now.occupied;
      *ut_half(ut_register(w->b, UT_S_OPEN, x), first) ^= now.edges;
      *ut_half(ut_register(w->b, UT_S_SPACE, x), first) = now.enough;
      if (x.bubble)
        *ut_half(ut_register(w->b, UT_S_SPACE2, x), first) = now.enough2;
      if (x.output_depth) {
        *ut_half(ut_register(w->b, UT_S_QUEUED, x), first) = now.queued;
        *ut_half(ut_register(w->b, UT_S_CREDITED, x), first) = now.credited;
      }
    }
  }
}

/* ---- the cycle */

/* Registers of the arbitration policy, when all flits have left and before any is counted. */
UT_INLINE void ut_block_update_policy(struct ut_work *w, const struct ut_form x) {
  uint64_t gone[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets) {
    gone[i] = w->ended[i] | w->dropped[i];
    w->dropped[i] = 0; /* for the next block */
  }
  ut_policy_update(w, gone, x);
}

/* Is there anything out of the ordinary for the next cycle? */
UT_INLINE bool ut_block_needs_slow_path(const struct ut_block *b, const struct ut_form x) {
  uint64_t any = 0;
  UT_FOR_EACH_WORD (i, x.sets) {
    const uint64_t up = ut_register(b, UT_S_IN_UP, x)[i];
    any |= ut_register(b, UT_S_DRAIN, x)[i] | ut_register(b, UT_S_DISCARD, x)[i] | ut_register(b, UT_S_IN_FELL, x)[i] |
           ut_register(b, UT_S_STALE_LINK, x)[i] | ut_register(b, UT_S_STALE_STATE, x)[i] |
           (up & ut_register(b, UT_S_PENDING_CREDITS, x)[i]) | ut_register(b, UT_S_CUT, x)[i] |
           (~up & (ut_register(b, UT_S_OPEN, x)[i] | ut_register(b, UT_S_OCCUPIED, x)[i]));
  }
  return any != 0;
}

/* One cycle of one block.  fast_path, a constant: links and neighbours are as they were, nothing is stale, drained,
 * cut, mended, purged, or owed on a link that is up; then the steps that are for these are left out.  Returns how many
 * flits crossed. */
UT_INLINE uint64_t ut_block_step(struct ut_work *w, struct ut_block *b, ut_route_function *route, bool fast_path,
                                 const struct ut_form x) {
  const struct ut_cycle *c = w->c;
  uint64_t lost[UT_SET_WORDS], hops = 0;
  ut_work_set_block(w, b, x);
  bool slow_path = false;
  UT_FOR_EACH_WORD (i, x.sets) {
    w->send[i] = ut_register(b, UT_S_ACTIVE, x)[i];
    w->popped[i] = w->left[i] = 0;
    if (x.output_depth)
      w->crossed[i] = 0;
    if (!fast_path) {
      w->active[i] = w->send[i];
      w->drain[i] = ut_register(b, UT_S_DRAIN, x)[i];
      ut_register(b, UT_S_DISCARD, x)[i] = 0;
    }
  }
  ut_input_route(w, route, x);
  uint64_t bids = 0;
  UT_FOR_EACH_WORD (i, x.sets)
    bids |= w->bid[i];
  if (bids)
    ut_vc_allocate(w, x);
  if (!fast_path)
    ut_input_cut(w, x);
  ut_switch_allocate(w, x);
  if (x.output_depth)
    ut_queue_transmit(w, x);
  if (!fast_path) {
    ut_input_drain(w, x);
    ut_block_lose(w, c->flits + b->lane, x);
    ut_output_lost(w, lost, x);
    if (x.output_depth)
      ut_queue_lose(w, lost, x);
    for (unsigned n = 0; n < x.all; n++) /* credits that arrive where the link was not up have no effect */
      if (!ut_has(ut_register(b, UT_S_OUT_UP, x), n, x.sets))
        c->credits[b->lane + n] = 0;
  }
  UT_FOR_EACH_WORD (i, x.sets) {
    ut_register(b, UT_S_VALID, x)[i] = w->left[i];
    ut_register(b, UT_S_SAVED, x)[i] &= ~w->left[i];
    ut_register(b, UT_S_CREDIT, x)[i] = w->popped[i];
  }
  if (x.policy_bits)
    ut_block_update_policy(w, x);
  ut_block_count(w, x);
  if (!fast_path) {
    ut_output_clear(w, lost, x);
    ut_input_mend(w, x);
    UT_FOR_EACH_LANE (n, ut_register(b, UT_S_CREDIT, x), x.sets)
      ut_input_return(w, n);
  }
  if (x.vector || x.states) {
    const bool all = !fast_path || (x.states && c->order);
    uint32_t which = all ? (uint32_t)((UINT64_C(1) << ut_block_switches(w, x)) - 1) : b->unsettled | w->turned;
    if (x.vector && !all && __builtin_expect(which != 0, 0)) /* rare: more of the cycle stays in registers */
      which = ut_block_wait(w, which, x);
    if (which)
      slow_path = ut_block_update_family(w, which, x);
  }
  if (!fast_path) {
    ut_block_update_links(w, x);
    slow_path |= ut_block_needs_slow_path(b, x);
  } else {
    UT_FOR_EACH_WORD (i, x.sets)
      slow_path |= ut_register(b, UT_S_DISCARD, x)[i] != 0;
  }
  b->slow_path = slow_path;
  UT_FOR_EACH_WORD (i, x.sets)
    hops += (unsigned)__builtin_popcountll((x.output_depth ? w->crossed : w->left)[i]);
  return hops;
}

UT_INLINE uint64_t ut_step_slow_path(const struct ut_group *g, struct ut_block *b, const struct ut_cycle *c,
                                     struct ut_events *events, ut_route_function *route, const struct ut_form x) {
  struct ut_work w;
  ut_work_begin(&w, g, c, events, false);
  ut_block_look(&w, &w.reach, b->lane, x);
  return ut_block_step(&w, b, route, false, x);
}

/* The i-th block behind one. */
UT_INLINE struct ut_block *ut_block_behind(const struct ut_block *b, uint32_t i, const struct ut_form x) {
  return UT_IN_BLOCK(struct ut_block, b, (size_t)x.stride * i);
}

/* What the blocks behind one will touch, of the `left` last ones that it begins. */
UT_INLINE void ut_steps_ahead(const struct ut_work *w, const struct ut_block *b, uint32_t left,
                              const struct ut_form x) {
  if (left > UT_AHEAD_REGISTERS)
    ut_ahead_registers(w, ut_block_behind(b, UT_AHEAD_REGISTERS, x), b->lane + UT_AHEAD_REGISTERS * (size_t)x.all, x);
  if (left > UT_AHEAD_FLITS)
    ut_ahead_flits(w, ut_block_behind(b, UT_AHEAD_FLITS, x), b->lane + UT_AHEAD_FLITS * (size_t)x.all, x);
}

/* The slow path is a function of its own, so that the fast path is small. */
typedef uint64_t ut_slow_path_step(const struct ut_group *g, struct ut_block *b, const struct ut_cycle *c,
                                   struct ut_events *events);

UT_INLINE uint64_t ut_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                            struct ut_events *events, ut_route_function *route, ut_slow_path_step *step_slow_path,
                            const struct ut_form x) {
  uint64_t hops = 0;
  struct ut_work w;
  ut_work_begin(&w, g, c, events, true);
  const bool large = c->wires->large;
  struct ut_block *b = ut_block_at(g, first, x);
  for (uint32_t left = count; left; left--, b = ut_block_behind(b, 1, x)) {
    if (large)
      ut_steps_ahead(&w, b, left, x);
    ut_block_look(&w, &w.reach, b->lane, x);
    if (ut_block_is_idle(b, w.come, c->order, x))
      continue;
    if (__builtin_expect(!b->slow_path, 1))
      hops += ut_block_step(&w, b, route, true, x);
    else
      hops += step_slow_path(g, b, c, events);
  }
  return hops;
}

#endif
