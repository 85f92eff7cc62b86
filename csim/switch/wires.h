/* SPDX-License-Identifier: Apache-2.0 */
/* wires.h - what is on the links of a network: flits forward, credits back.
 *
 * Both ends of a link are lanes (lanes.h): input VCs receive flits, output VCs receive credits; the links of terminals
 * have lanes too.  A flit is written once, into the ring of the input VC that it goes to, at the position that its
 * sender counts; on the wire there is only a byte that says that it comes.  A ring has twice as many places as the
 * buffer has: what is on its way does not yet replace what lies in the memory of the RTL.  Each byte and each place has
 * one writer, so that switches can be stepped in any order and at once.
 */
#ifndef UT_WIRES_H
#define UT_WIRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lanes.h"

/* Flit tag: kind (enum ut_kind) | UT_BAD.  On a wire, with UT_COMES. */
enum { UT_KIND_MASK = 3, UT_BAD = 4, UT_COMES = 0x80 };

/* The word behind a flit's own words: what is on the wire when it comes, and its VC. */
static inline uint64_t ut_flit_meta(unsigned tag, unsigned vc) {
  return tag | UT_COMES | (uint64_t)vc << 8;
}
static inline unsigned ut_flit_wire(uint64_t meta) {
  return meta & 0xff;
}
static inline unsigned ut_flit_tag(uint64_t meta) {
  return (unsigned)meta & (UT_KIND_MASK | UT_BAD);
}
static inline unsigned ut_flit_vc(uint64_t meta) {
  return meta >> 8 & 0xff;
}

/* Copies a flit of so many words of its own. */
UT_INLINE void ut_flit_copy(uint64_t *to, const uint64_t *from, unsigned words) {
  __builtin_memcpy(to, from, (words + 1) * sizeof *to);
}

/* What a wire tells of a flit in a ring, whose places have its VC already; and the same as above with that. */
UT_INLINE void ut_flit_set_wire(uint64_t *flit, unsigned words, unsigned wire) {
  *(uint8_t *)(flit + words) = (uint8_t)wire; /* the first byte: see lanes.h */
}
UT_INLINE void ut_flit_move(uint64_t *to, const uint64_t *from, unsigned words, unsigned wire) {
  __builtin_memcpy(to, from, words * sizeof *to);
  ut_flit_set_wire(to, words, wire);
}

enum { UT_NO_LANE = 0 }; /* the lane that nobody looks at */

struct ut_wires {
  uint32_t lanes;     /* in all, of the first 32 none is used */
  uint32_t terminals; /* the first lane of a terminal */
  unsigned words;     /* of a flit */
  unsigned depth;     /* places of a buffer: half a ring */
  unsigned slots;     /* cycles on the longest link, and one more */
  /* Cycles on a link between switches, from a terminal, to a terminal.  What switches send in cycle t lies in slot t +
   * link cycles, modulo the slots, wherever it goes, what terminals send in that of the cycle of its arrival. */
  unsigned link_cycles, injection_cycles, ejection_cycles;
  bool wide;       /* positions have 16 bits */
  bool large;      /* caches do not hold what a cycle touches: it is called before (ahead.h) */
  uint32_t joined; /* input VCs that a link leads to: only their rings are ever touched */
  size_t ring_words;
  uint64_t *ring;      /* [lanes * ring_words] */
  uint32_t *to, *from; /* of an output VC, who receives its flits; of an input VC, who receives its credits */
  void *write;         /* of an input VC, the position behind the last flit that came; bytes, or 16 bits */
  void *send;          /* of an output VC, the position of its next flit in the receiver's ring */
  uint8_t **flits;     /* [slots][lanes]: UT_COMES and the tag, or 0 */
  uint8_t **credits;   /* the same: 0xff, or 0 */
};

/* Sets up wires whose `terminals`, words, depth and cycles are set.  false: out of memory.  Nothing is joined yet. */
bool ut_wires_init(struct ut_wires *wires, uint32_t lanes);
void ut_wires_fini(struct ut_wires *wires);
/* Joins the ends of a link for one VC. */
void ut_wires_join(struct ut_wires *wires, uint32_t output, uint32_t input, unsigned vc);

/* What arrives so many cycles from now, by lane: at switches, at terminals. */
UT_INLINE unsigned ut_wires_slot(const struct ut_wires *wires, uint64_t cycle) {
  return (unsigned)(cycle % wires->slots);
}
static inline uint8_t *ut_wires_flits(const struct ut_wires *wires, uint64_t cycle, uint32_t lane) {
  return wires->flits[ut_wires_slot(wires, lane < wires->terminals
                                               ? cycle
                                               : cycle + wires->slots + wires->link_cycles - wires->ejection_cycles)] +
         lane;
}
static inline uint8_t *ut_wires_credits(const struct ut_wires *wires, uint64_t cycle, uint32_t lane) {
  return wires->credits[ut_wires_slot(wires, lane < wires->terminals ? cycle
                                                                     : cycle + wires->slots + wires->link_cycles -
                                                                           wires->injection_cycles)] +
         lane;
}

/* Memory that every cycle goes through from end to end, all 0, where a vector can begin; to be freed by free().  Large
 * pages save translations.  NULL: there is none. */
void *ut_memory(size_t size);

/* ---- positions in rings */

UT_INLINE unsigned ut_position_at(const void *positions, size_t n, bool wide) {
  return wide ? ((const uint16_t *)positions)[n] : ((const uint8_t *)positions)[n];
}
UT_INLINE void ut_position_set(void *positions, size_t n, unsigned value, bool wide) {
  if (wide)
    ((uint16_t *)positions)[n] = (uint16_t)value;
  else
    ((uint8_t *)positions)[n] = (uint8_t)value;
}
UT_INLINE unsigned ut_position_next(unsigned position, unsigned depth) {
  if ((depth & (depth - 1)) == 0)
    return (position + 1) & (2 * depth - 1);
  return position + 1 == 2 * depth ? 0 : position + 1;
}
/* So many places before one, at most two buffers. */
UT_INLINE unsigned ut_position_before(unsigned position, unsigned places, unsigned depth) {
  if ((depth & (depth - 1)) == 0)
    return (position - places) & (2 * depth - 1);
  return position >= places ? position - places : position + 2 * depth - places;
}
/* Moves those of 32 lanes on, where the byte is 0xff, or the bit is 1. */
UT_INLINE ut_vector ut_positions_move(ut_vector at, const ut_vector moved, unsigned depth) {
  at -= moved;
  if ((depth & (depth - 1)) == 0)
    return at & (uint8_t)(2 * depth - 1);
  return at & ~(ut_vector)(at == (uint8_t)(2 * depth));
}
UT_INLINE void ut_positions_move_wide(uint16_t *at, uint32_t moved, unsigned depth) {
  for (; moved; moved &= moved - 1) {
    uint16_t *a = at + __builtin_ctz(moved);
    *a = (uint16_t)ut_position_next(*a, depth);
  }
}
/* Flits from position a to b. */
UT_INLINE unsigned ut_position_count(unsigned a, unsigned b, unsigned depth) {
  return b >= a ? b - a : b + 2 * depth - a;
}
/* Where the buffer's memory has that place, when so much has been written. */
UT_INLINE unsigned ut_position_of_place(unsigned place, unsigned write, unsigned depth) {
  const unsigned at = write >= depth ? write - depth : write; /* the place that is written next */
  /* the last `depth` positions: those of places below `at` are in the half of `write`, the others in the other one */
  return (write >= depth) == (place < at) ? place + depth : place;
}

UT_INLINE uint64_t *ut_wires_flit(const struct ut_wires *wires, uint32_t lane, unsigned position) {
  return wires->ring + lane * wires->ring_words + (size_t)position * (wires->words + 1);
}

/* Sends a flit; `flits`: the wires of the cycle in which it arrives. */
UT_INLINE void ut_wires_send(const struct ut_wires *wires, uint32_t output, const uint64_t *flit, uint8_t *flits) {
  const uint32_t to = wires->to[output];
  const unsigned at = ut_position_at(wires->send, output, wires->wide);
  ut_flit_copy(ut_wires_flit(wires, to, at), flit, wires->words);
  ut_position_set(wires->send, output, ut_position_next(at, wires->depth), wires->wide);
  flits[to] = (uint8_t)(ut_flit_wire(flit[wires->words]) | UT_COMES);
}

/* Takes the flit that arrives at an input VC, which has nothing in its buffer. */
UT_INLINE const uint64_t *ut_wires_take(const struct ut_wires *wires, uint32_t input, uint8_t *flits) {
  const unsigned at = ut_position_at(wires->write, input, wires->wide);
  ut_position_set(wires->write, input, ut_position_next(at, wires->depth), wires->wide);
  flits[input] = 0;
  return ut_wires_flit(wires, input, at);
}

#endif
