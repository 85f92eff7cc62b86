/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.h - prefetches the memory that the next blocks will touch, in networks larger than the caches.
 *
 * The addresses that a block reads and writes follow from the block itself: from its positions, and from the packets
 * that its lanes own.  So the parts with fixed addresses are prefetched several blocks ahead, and the flits when these
 * parts have arrived.
 */
#ifndef UT_AHEAD_H
#define UT_AHEAD_H

#include "block.h"

/* How many blocks ahead of the present one registers, and flits, are prefetched. */
enum { UT_AHEAD_REGISTERS = 3, UT_AHEAD_FLITS = 1, UT_CACHE_LINE = 64 };

UT_INLINE void ut_ahead_call(const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += UT_CACHE_LINE)
    __builtin_prefetch((const char *)from + at, 1);
}

/* Prefetches what the cycle of a block reads first. */
UT_INLINE void ut_ahead_registers(const struct ut_work *work, const struct ut_block *block, size_t lane,
                                  const struct ut_form form) {
  const struct ut_reach *reach = &work->reach;
  ut_ahead_call(block, form.at_cand);
  if (form.v > 1)
    ut_ahead_call(UT_IN_BLOCK(void, block, form.at_sa), 1);
  ut_ahead_call(reach->flits + lane, form.all);
  ut_ahead_call(reach->credits + lane, form.all);
  ut_ahead_call((const uint8_t *)reach->write + (lane << form.wide), form.all << form.wide);
  ut_ahead_call((const uint8_t *)reach->send + (lane << form.wide), form.all << form.wide);
  ut_ahead_call(reach->to + lane, form.all * sizeof *reach->to);
  ut_ahead_call(reach->from + lane, form.all * sizeof *reach->from);
}

/* Prefetches where the next flit of an output VC will go in its receiver's ring. */
UT_INLINE void ut_ahead_wire(const struct ut_reach *reach, size_t out, const struct ut_form form) {
  const size_t to = reach->to[out];
  __builtin_prefetch(
      reach->ring + (to * 2 * form.depth + ut_position_at(reach->send, out, form.wide)) * (form.words + 1), 1);
  __builtin_prefetch(reach->flits_later + to, 1);
}
/* Prefetches the queue of an output VC. */
UT_INLINE void ut_ahead_queue(const struct ut_block *block, size_t o, const struct ut_form form) {
  const unsigned read = *UT_IN_BLOCK(uint8_t, block, form.at_queue_read + o);
  __builtin_prefetch(UT_IN_BLOCK(uint64_t, block, form.at_queue) + (o * form.output_depth + read) * (form.words + 1),
                     1);
}

/* Prefetches the flits at the fronts that will move or be read, and the places where they will go. */
UT_INLINE void ut_ahead_flits(const struct ut_work *work, const struct ut_block *block, size_t lane,
                              const struct ut_form form) {
  const struct ut_reach *reach = &work->reach;
  UT_FOR_EACH_WORD (i, form.sets) {
    const uint64_t occupied = ut_register(block, UT_S_OCCUPIED, form)[i],
                   active = ut_register(block, UT_S_ACTIVE, form)[i];
    const uint64_t settled = ut_register(block, UT_S_ROUTING, form)[i] | ut_register(block, UT_S_DRAIN, form)[i];
    const uint64_t waiting = ut_register(block, UT_S_WAITING, form)[i];
    for (uint64_t rest = occupied & ~(settled | waiting); rest; rest &= rest - 1) {
      const size_t n = 64 * i + (size_t)__builtin_ctzll(rest), in = lane + n;
      const unsigned rd = ut_position_at(UT_IN_BLOCK(void, block, form.at_rd), n, form.wide);
      __builtin_prefetch(reach->ring + (in * 2 * form.depth + rd) * (form.words + 1));
      __builtin_prefetch(reach->credits_later + reach->from[in], 1);
    }
    for (uint64_t rest = occupied & active; rest; rest &= rest - 1) {
      const size_t n = 64 * i + (size_t)__builtin_ctzll(rest),
                   o = ut_out_at(UT_IN_BLOCK(void, block, form.at_out), n, form);
      if (form.output_depth)
        ut_ahead_queue(block, o, form);
      else
        ut_ahead_wire(reach, lane + o, form);
    }
    for (uint64_t rest = form.output_depth ? ut_register(block, UT_S_QUEUED, form)[i] : 0; rest; rest &= rest - 1) {
      const size_t o = 64 * i + (size_t)__builtin_ctzll(rest);
      ut_ahead_queue(block, o, form);
      ut_ahead_wire(reach, lane + o, form);
    }
  }
}

#endif
