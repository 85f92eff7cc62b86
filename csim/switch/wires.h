/* wires.h - what is on the links of a network in one cycle: flits forward, credits back.
 *
 * A flit has one format everywhere, on wires, in buffers and in output registers: its words, then one word of tag and
 * VC.  Ports of switches and terminals are both called nodes here; each has a box that tells what arrives.
 */
#ifndef UT_WIRES_H
#define UT_WIRES_H

#include <stdint.h>

#include "mask.h"

/* Flit tag: kind (enum ut_kind) | UT_BAD. */
enum { UT_KIND_MASK = 3, UT_BAD = 4 };

/* The word behind a flit's own words. */
static inline uint64_t ut_flit_meta(unsigned tag, unsigned vc) {
  return tag | (uint64_t)vc << 8;
}
static inline unsigned ut_flit_tag(uint64_t meta) {
  return meta & 0xff;
}
static inline unsigned ut_flit_vc(uint64_t meta) {
  return meta >> 8 & 0xff;
}

/* Copies a flit of so many words of its own. */
UT_INLINE void ut_flit_copy(uint64_t *to, const uint64_t *from, unsigned words) {
  __builtin_memcpy(to, from, (words + 1) * sizeof *to);
}

/* The other end of a port, as a place on the wires. */
struct ut_end {
  uint32_t node; /* who receives */
  ut_mask bit;   /* its port */
};

struct ut_wires {
  ut_mask *box;    /* [nodes * (1 + v)]: input ports with a flit; by VC, output ports with a credit */
  uint64_t *flit;  /* by input port of a node: slots of words + 1 */
  uint8_t *active; /* [nodes, and 7 more]: 1 where something arrives or the node has work */
};

/* Announces what has been put onto the wire to the node at the other end: a flit. */
UT_INLINE void ut_wires_announce(const struct ut_wires *w, const struct ut_end *e, unsigned v) {
  w->box[(uint64_t)e->node * (1 + v)] |= e->bit;
  w->active[e->node] = 1;
}

/* Which of the eight nodes from `node` on, or of the first `count` of them, are active, one byte each; none of those is
 * active any more. */
UT_INLINE uint64_t ut_wires_take(const struct ut_wires *w, uint32_t node, uint32_t count) {
  uint64_t work;
  __builtin_memcpy(&work, w->active + node, 8);
  const uint64_t others = __builtin_expect(count < 8, 0) ? work & ~UINT64_C(0) << 8 * count : 0;
  __builtin_memcpy(w->active + node, &others, 8);
  return work ^ others;
}

/* Puts a flit (into that slot, counted in words), or a credit of VC ovc, onto the wire to the node at the other end. */
UT_INLINE void ut_wires_flit(const struct ut_wires *w, const struct ut_end *e, uint32_t slot, const uint64_t *flit,
                             unsigned v, unsigned words) {
  ut_flit_copy(w->flit + slot, flit, words);
  ut_wires_announce(w, e, v);
}
UT_INLINE void ut_wires_credit(const struct ut_wires *w, const struct ut_end *e, unsigned ovc, unsigned v) {
  w->box[(uint64_t)e->node * (1 + v) + 1 + ovc] |= e->bit;
  w->active[e->node] = 1;
}

#endif
