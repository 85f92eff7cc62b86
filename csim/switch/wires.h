/* SPDX-License-Identifier: Apache-2.0 */
/* wires.h - the links of a network: flits forward, credits back.
 *
 * Purpose: both ends of a link are lanes (lanes.h).  Input VCs receive flits, output VCs receive credits; the links of
 * terminals have lanes, too.
 *
 * How a flit travels: the sender writes it once, into the ring of the input VC that will receive it, at a position that
 * the sender counts itself.  On the wire there is only a byte that announces it.  The ring has twice as many places as
 * the buffer of the RTL, so that a flit in flight does not overwrite a place whose old contents the RTL still holds.
 *
 * Invariants: every byte of the wires and every place of a ring has exactly one writer, so switches can be stepped in
 * any order, and by several threads.  A byte is set in the slot of the cycle of its arrival and cleared by its receiver
 * in that cycle.
 *
 * Mistakes that a caller can make: sending without a credit (the ring overflows silently); two links joined to one
 * input VC; reading slots that lie further ahead than the longest link.
 */
#ifndef UT_WIRES_H
#define UT_WIRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lanes.h"

/* Flit tag: kind (enum ut_kind) | UT_BAD.  On a wire, with UT_COMES. */
enum { UT_KIND_MASK = 3, UT_BAD = 4, UT_COMES = 0x80 };

/* The word that follows the words of a flit: the byte that announces it on the wire, and its VC. */
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

/* Copies a flit of `words` words, and the word that follows. */
UT_INLINE void ut_flit_copy(uint64_t *to, const uint64_t *from, unsigned words) {
  __builtin_memcpy(to, from, (words + 1) * sizeof *to);
}

/* Sets the announcing byte of a flit in a ring, whose places hold their VC already.  ut_flit_move() copies a flit and
 * sets the byte. */
UT_INLINE void ut_flit_set_wire(uint64_t *flit, unsigned words, unsigned wire) {
  *(uint8_t *)(flit + words) = (uint8_t)wire; /* the first byte: see lanes.h */
}
UT_INLINE void ut_flit_move(uint64_t *to, const uint64_t *from, unsigned words, unsigned wire) {
  __builtin_memcpy(to, from, words * sizeof *to);
  ut_flit_set_wire(to, words, wire);
}

enum { UT_NO_LANE = 0 }; /* a lane that is never read: the far end of unconnected VCs */

struct ut_wires {
  uint32_t lanes;     /* of all links; the first 32 are not used */
  uint32_t terminals; /* first lane of the terminals */
  unsigned words;     /* of a flit */
  unsigned depth;     /* places of a buffer, which is half a ring */
  unsigned slots;     /* cycles on the longest link, plus one */
  /* Cycles on a link between switches, from a terminal to a switch, and from a switch to a terminal.  What a switch
   * sends in cycle t lies in slot (t + link_cycles) modulo `slots`, also if it goes to a terminal.  What a terminal
   * sends lies in the slot of the cycle of its arrival. */
  unsigned link_cycles, injection_cycles, ejection_cycles;
  bool wide;       /* positions in rings are 16 bits wide */
  bool large;      /* a cycle touches more memory than the caches hold: it is prefetched (ahead.h) */
  uint32_t joined; /* input VCs that have a link; no other ring is ever touched */
  size_t ring_words;
  uint64_t *ring;      /* [lanes * ring_words] */
  uint32_t *to, *from; /* [output VC]: where its flits go; [input VC]: where its credits go */
  void *write;         /* [input VC]: the position after the last flit that arrived; 8 or 16 bits wide */
  void *send;          /* [output VC]: the position of its next flit in the receiver's ring */
  uint8_t **flits;     /* [slots][lanes]: UT_COMES and the tag, or 0 */
  uint8_t **credits;   /* [slots][lanes]: 0xff for a credit, otherwise 0 */
};

/* Allocates the wires; `terminals`, `words`, `depth` and the three link delays must be set.  No link is joined yet.
 * Returns false when out of memory. */
bool ut_wires_init(struct ut_wires *wires, uint32_t lanes);
void ut_wires_fini(struct ut_wires *wires);
/* Joins an output VC and an input VC, the ends of a link for VC number `vc`. */
void ut_wires_join(struct ut_wires *wires, uint32_t output, uint32_t input, unsigned vc);

/* The wires of `cycle`, from `lane` on: all of these lanes belong to switches, or all to terminals. */
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

/* Returns zeroed memory that every cycle will scan from end to end, aligned for vectors; free() releases it.  Large
 * pages save address translations.  NULL: out of memory. */
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
/* Returns the position `places` before another one, at most two buffers. */
UT_INLINE unsigned ut_position_before(unsigned position, unsigned places, unsigned depth) {
  if ((depth & (depth - 1)) == 0)
    return (position - places) & (2 * depth - 1);
  return position >= places ? position - places : position + 2 * depth - places;
}
/* Advances the positions of those of 32 lanes where the byte `moved` is 0xff, or where the bit is 1. */
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
/* Returns the number of flits from position a to position b. */
UT_INLINE unsigned ut_position_count(unsigned a, unsigned b, unsigned depth) {
  return b >= a ? b - a : b + 2 * depth - a;
}
/* Returns the position in the ring of a place of the RTL's buffer memory, given the write position. */
UT_INLINE unsigned ut_position_of_place(unsigned place, unsigned write, unsigned depth) {
  const unsigned at = write >= depth ? write - depth : write; /* the place that is written next */
  /* the last `depth` positions: places below `at` lie in the half of `write`, the others in the other half */
  return (write >= depth) == (place < at) ? place + depth : place;
}

UT_INLINE uint64_t *ut_wires_flit(const struct ut_wires *wires, uint32_t lane, unsigned position) {
  return wires->ring + lane * wires->ring_words + (size_t)position * (wires->words + 1);
}

/* Sends a flit.  `flits`: the wires of the cycle in which it arrives. */
UT_INLINE void ut_wires_send(const struct ut_wires *wires, uint32_t output, const uint64_t *flit, uint8_t *flits) {
  const uint32_t to = wires->to[output];
  const unsigned at = ut_position_at(wires->send, output, wires->wide);
  ut_flit_copy(ut_wires_flit(wires, to, at), flit, wires->words);
  ut_position_set(wires->send, output, ut_position_next(at, wires->depth), wires->wide);
  flits[to] = (uint8_t)(ut_flit_wire(flit[wires->words]) | UT_COMES);
}

/* Takes the flit that arrives at an input VC whose buffer is empty. */
UT_INLINE const uint64_t *ut_wires_take(const struct ut_wires *wires, uint32_t input, uint8_t *flits) {
  const unsigned at = ut_position_at(wires->write, input, wires->wide);
  ut_position_set(wires->write, input, ut_position_next(at, wires->depth), wires->wide);
  flits[input] = 0;
  return ut_wires_flit(wires, input, at);
}

#endif
