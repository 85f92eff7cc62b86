/* switch.h - the golden model of rtl/switch.v: equal in every register and every cycle.
 *
 * A group holds all switches of one shape in one allocation, a fixed stride apart.  A step takes what is on the wires
 * in cycle t and leaves the registers as they are in t+1; what a switch drives onto its wires is read from those
 * registers.  No allocation after init, no globals, no random numbers.
 *
 * Registers that are one bit per port are masks over ports; a VC dimension makes them arrays of V masks.  The order of
 * evaluation in ut_switch_step is the data flow of one cycle (docs/cycle-contract.md): nothing reads what the same
 * cycle has already written unless the hardware has a wire there.
 */
#ifndef UT_SWITCH_H
#define UT_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms.h"
#include "layout.h"
#include "mask.h"
#include "shape.h"
#include "wires.h"

/* One input VC (rtl/input_vc.v). */
struct ut_input_vc {
  uint16_t rd, wr; /* places of its flits, counted over the buffers of the whole switch */
  uint8_t count;
  uint8_t state; /* enum ut_vc_state */
  uint8_t out;   /* ut_out_name() of the output VC that an active packet owns: cand, as a number */
  uint8_t owed;
};

/* An output VC in one byte; with one VC it is the port. */
static inline uint8_t ut_out_name(unsigned op, unsigned ovc) {
  return (uint8_t)(op | ovc << 5);
}
UT_INLINE unsigned ut_out_port(const struct ut_input_vc *c, unsigned v) {
  return v == 1 ? c->out : c->out & 31;
}
UT_INLINE unsigned ut_out_vc(const struct ut_input_vc *c, unsigned v) {
  return v == 1 ? 0 : c->out >> 5;
}

/* Masks of V words each, in the order in which they are stored. */
enum ut_switch_masks {
  /* over input ports: which VCs ... */
  UT_M_OCCUPIED, /* have a flit */
  UT_M_ROUTING,
  UT_M_WAITING,
  UT_M_ACTIVE,
  UT_M_DRAIN,
  UT_M_OPEN,    /* open_q */
  UT_M_CUT,     /* cut_q */
  UT_M_DEPENDS, /* depends_q */
  UT_M_CREDIT,  /* credit_q: a credit is on the wire */
  UT_M_OWING,   /* owed != 0 */
  /* over output ports: which VCs ... */
  UT_M_OWNED,   /* owned_q */
  UT_M_ENOUGH,  /* have credits for one packet */
  UT_M_ENOUGH2, /* have credits for two packets; only where some candidates obey the bubble rule */
  UT_MASKS
};

/* The fat tree's straps, decoded (rtl/header.tsv). */
struct ut_fattree_straps {
  uint32_t base, step;
  uint16_t timeout;
  uint8_t level, below; /* below: bits of the digits below this level, where k is a power of two */
  bool repair;
};

/* One switch; arrays follow at the offsets of its group. */
struct ut_switch {
  ut_mask in_up, out_up; /* up_q of the input and output units */
  ut_mask in_fell;       /* input ports whose up_q has just fallen; derived, saves work on dead ports */
  ut_mask out_valid;
  ut_mask discard;
  ut_mask vector, neighbour; /* over output ports */
  uint16_t timer;
  bool fault, stale_state, stale_link;
  bool busy;        /* !idle_o: a step without an event from outside would change a register */
  bool quiet;       /* nothing of faults, resets or the re-route vector is in motion: ut_switch_step_quiet will do */
  uint32_t u_turns; /* statistics: heads that left upwards after coming from above */
  uint32_t id;
  uint64_t straps;
  struct ut_fattree_straps fattree;
  const struct ut_end *to, *from; /* by output port: where its flits go; by input port: where its credits go */
};

/* What is on the wires of one switch in one cycle. */
struct ut_switch_in {
  ut_mask in_up, out_up; /* link_up */
  ut_mask valid;         /* input ports with a flit */
  ut_mask neighbour;     /* over output ports */
  const ut_mask *credit; /* by VC, over output ports */
  const uint64_t *flit;  /* at each input port, [port * (words + 1)] */
};

/* A packet is discarded as unreachable; called when the route unit decides so. */
typedef void ut_discard_hook(void *ctx, uint32_t id, uint64_t header);

struct ut_group;
struct ut_route_result;
typedef void ut_route_function(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                               struct ut_route_result *r);

/* What the blocks of a step must know of the shape to leave out what it has not: constants in the specialised steps. */
struct ut_traits {
  unsigned v, words; /* words of a flit: w / 64 */
  bool quiet;        /* see ut_switch.quiet */
  bool pipelined;    /* ROUTE_CYCLES of 2 and more */
  bool wormhole, vector, rewrites, bubble, preferred;
  uint8_t alloc_cycles;
};

struct ut_group {
  struct ut_shape shape;
  struct ut_traits traits;
  unsigned need, need2, k;
  unsigned digit_bits; /* log2 k, or 0 where k is no power of two */
  bool plain; /* ut_switch_step_quiet may be used: one VC, flits of one word, the shortest pipeline, virtual
              * cut-through, no other mechanisms */
  ut_mask all_in, all_out;
  ut_mask up_ports; /* for the U-turn count */
  uint32_t count;
  size_t stride;
  struct { /* byte offsets from the switch */
    size_t masks, vc, cand, bubble, preferred, rt, wait, credits, route_mask, select_mask, va_mask, sa_in_mask, sa_out_mask;
    size_t out, fifo;
  } at;
  uint16_t *buffer_end; /* [pi * v]: place behind the flits of an input VC */
  ut_route_function *route;
  ut_discard_hook *on_discard;
  void *ctx;
  unsigned char *memory;
};

/* Allocates `count` switches of that shape, which must be legal (ut_shape_rule() returns NULL), all in reset with
 * straps 0. false: out of memory. */
bool ut_group_init(struct ut_group *g, const struct ut_shape *shape, uint32_t count);
void ut_group_fini(struct ut_group *g);

/* The rule that a shape breaks, named as the module that stops the elaboration of rtl/switch.v; NULL for a legal shape.
 */
const char *ut_shape_rule(const struct ut_shape *shape);

/* Reset, sampling the straps; while a switch is in reset it needs no steps.  Payload registers keep their values, as in
 * the RTL. */
void ut_switch_reset(const struct ut_group *g, struct ut_switch *s, uint64_t straps);

/* One cycle. */
void ut_switch_step(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in);

/* The same for a quiet switch of a network, whose `to` and `from` are set, and whose links are as they were in the last
 * cycle: node `id` of the wires takes what is on them now and puts what it drives onto `later`. */
void ut_switch_step_quiet(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,
                          const struct ut_wires *later);

static inline struct ut_switch *ut_switch_of(const struct ut_group *g, uint32_t id) {
  return (struct ut_switch *)(g->memory + g->stride * id);
}

/* ---- registers, by the index spaces of the RTL: v = input or output VC, ip/op = port */
#define UT_AT(type, g, s, field) ((type *)((unsigned char *)(s) + (g)->at.field))

/* The masks stand right behind the fixed part: no offset to load in the step. */
static inline ut_mask *ut_masks(const struct ut_group *g, struct ut_switch *s, enum ut_switch_masks m, unsigned v) {
  (void)g;
  return (ut_mask *)(s + 1) + m * v;
}
/* Input VCs stand behind the masks.  v: virtual channels, a constant in the specialised steps. */
static inline struct ut_input_vc *ut_vc_of(struct ut_switch *s, unsigned ip, unsigned ivc, unsigned v) {
  return (struct ut_input_vc *)((ut_mask *)(s + 1) + (UT_MASKS * v + 1) / 2 * 2) + ip * v + ivc;
}
static inline struct ut_input_vc *ut_vc_at(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc) {
  return ut_vc_of(s, ip, ivc, g->shape.v);
}
/* Candidate set (waiting) or output VC, one-hot (active): V masks over output ports. */
static inline ut_mask *ut_cand_of(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                  unsigned v) {
  return UT_AT(ut_mask, g, s, cand) + (ip * v + ivc) * v;
}
static inline ut_mask *ut_cand_at(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc) {
  return ut_cand_of(g, s, ip, ivc, g->shape.v);
}
static inline uint8_t *ut_credits_of(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                     unsigned v) {
  return UT_AT(uint8_t, g, s, credits) + op * v + ovc;
}
static inline uint8_t *ut_credits_at(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc) {
  return ut_credits_of(g, s, op, ovc, g->shape.v);
}
/* A flit in the buffers, by its place: its words, then tag and VC. */
UT_INLINE uint64_t *ut_flit_of(const struct ut_group *g, struct ut_switch *s, unsigned place, unsigned words) {
  return UT_AT(uint64_t, g, s, fifo) + (size_t)place * (words + 1);
}
/* Slot 0..depth-1 of the buffer of an input VC. */
static inline uint64_t *ut_fifo_at(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                   unsigned slot) {
  return ut_flit_of(g, s, (ip * g->traits.v + ivc) * g->shape.depth + slot, g->traits.words);
}
/* The i-th flit from the front, i < count. */
static inline uint64_t *ut_fifo_peek(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                     unsigned i) {
  unsigned v = g->traits.v, place = ut_vc_of(s, ip, ivc, v)->rd + i;
  return ut_flit_of(g, s, place < g->buffer_end[ip * v + ivc] ? place : place - g->shape.depth, g->traits.words);
}
/* The place after that one. */
UT_INLINE uint16_t ut_fifo_next(const struct ut_group *g, unsigned place, unsigned vc) {
  return (uint16_t)(place + 1 == g->buffer_end[vc] ? place + 1 - g->shape.depth : place + 1);
}
/* The output register of a port, in the same format. */
UT_INLINE uint64_t *ut_out_of(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned words) {
  return UT_AT(uint64_t, g, s, out) + op * (words + 1);
}
static inline uint64_t *ut_out_at(const struct ut_group *g, struct ut_switch *s, unsigned op) {
  return ut_out_of(g, s, op, g->traits.words);
}
#endif
