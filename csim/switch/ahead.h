/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.h - calls into the cache what the next blocks will touch: in networks that caches do not hold.
 *
 * A block says itself where it will read and write: its positions, and the packets that its lanes own.  So what is the
 * same in every cycle is called some blocks before, and flits when that is there.
 */
#ifndef UT_AHEAD_H
#define UT_AHEAD_H

#include "block.h"

/* Blocks from the one that is stepped to those whose registers, and whose flits, are called. */
enum { UT_AHEAD_REGISTERS = 3, UT_AHEAD_FLITS = 1, UT_CACHE_LINE = 64 };

UT_INLINE void ut_ahead_call(const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += UT_CACHE_LINE)
    __builtin_prefetch((const char *)from + at, 1);
}

/* What the cycle of a block begins with. */
UT_INLINE void ut_ahead_registers(const struct ut_work *w, const struct ut_block *b, size_t lane,
                                  const struct ut_form x) {
  const struct ut_reach *r = &w->reach;
  ut_ahead_call(b, x.at_cand);
  if (x.v > 1)
    ut_ahead_call(UT_IN_BLOCK(void, b, x.at_sa), 1);
  ut_ahead_call(r->flits + lane, x.all);
  ut_ahead_call(r->credits + lane, x.all);
  ut_ahead_call((const uint8_t *)r->write + (lane << x.wide), x.all << x.wide);
  ut_ahead_call((const uint8_t *)r->send + (lane << x.wide), x.all << x.wide);
  ut_ahead_call(r->to + lane, x.all * sizeof *r->to);
  ut_ahead_call(r->from + lane, x.all * sizeof *r->from);
}

/* Where the next flit of an output VC will go on the wire. */
UT_INLINE void ut_ahead_wire(const struct ut_reach *r, size_t out, const struct ut_form x) {
  const size_t to = r->to[out];
  __builtin_prefetch(r->ring + (to * 2 * x.depth + ut_position_at(r->send, out, x.wide)) * (x.words + 1), 1);
  __builtin_prefetch(r->flits_later + to, 1);
}
/* The queue of an output VC. */
UT_INLINE void ut_ahead_queue(const struct ut_block *b, size_t o, const struct ut_form x) {
  const unsigned read = *UT_IN_BLOCK(uint8_t, b, x.at_queue_read + o);
  __builtin_prefetch(UT_IN_BLOCK(uint64_t, b, x.at_queue) + (o * x.output_depth + read) * (x.words + 1), 1);
}

/* The flits at its fronts that will move or be looked at, and where they will go. */
UT_INLINE void ut_ahead_flits(const struct ut_work *w, const struct ut_block *b, size_t lane, const struct ut_form x) {
  const struct ut_reach *r = &w->reach;
  UT_FOR_EACH_WORD (i, x.sets) {
    const uint64_t occupied = ut_register(b, UT_S_OCCUPIED, x)[i], active = ut_register(b, UT_S_ACTIVE, x)[i];
    const uint64_t settled = ut_register(b, UT_S_ROUTING, x)[i] | ut_register(b, UT_S_DRAIN, x)[i];
    const uint64_t waiting = ut_register(b, UT_S_WAITING, x)[i];
    for (uint64_t rest = occupied & ~(settled | waiting); rest; rest &= rest - 1) {
      const size_t n = 64 * i + (size_t)__builtin_ctzll(rest), in = lane + n;
      const unsigned rd = ut_position_at(UT_IN_BLOCK(void, b, x.at_rd), n, x.wide);
      __builtin_prefetch(r->ring + (in * 2 * x.depth + rd) * (x.words + 1));
      __builtin_prefetch(r->credits_later + r->from[in], 1);
    }
    for (uint64_t rest = occupied & active; rest; rest &= rest - 1) {
      const size_t n = 64 * i + (size_t)__builtin_ctzll(rest), o = *UT_IN_BLOCK(uint8_t, b, x.at_out + n);
      if (x.output_depth)
        ut_ahead_queue(b, o, x);
      else
        ut_ahead_wire(r, lane + o, x);
    }
    for (uint64_t rest = x.output_depth ? ut_register(b, UT_S_QUEUED, x)[i] : 0; rest; rest &= rest - 1) {
      const size_t o = 64 * i + (size_t)__builtin_ctzll(rest);
      ut_ahead_queue(b, o, x);
      ut_ahead_wire(r, lane + o, x);
    }
  }
}

#endif
