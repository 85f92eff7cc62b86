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

/* Flit tag: kind (enum ut_kind) | UT_BAD. */
enum { UT_KIND_MASK = 3, UT_BAD = 4 };

/* One input VC (rtl/input_vc.v). */
struct ut_input_vc {
  uint8_t state; /* enum ut_vc_state */
  uint8_t rd, wr, count;
  uint8_t owed;
  uint8_t wait;
  uint8_t out_port, out_vc; /* of the output VC that an active packet owns: cand, as numbers */
};

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
  UT_M_SOME,    /* have a credit */
  UT_M_ENOUGH,  /* have credits for one packet */
  UT_M_ENOUGH2, /* have credits for two packets */
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
  bool fault, far, stale_state, stale_link; /* fault, far: reported to the neighbours */
  bool busy;                                /* !idle_o: a step without an event from outside would change a register */
  uint32_t u_turns;                         /* statistics: heads that left upwards after coming from above */
  uint32_t id;
  uint64_t straps;
  struct ut_fattree_straps fattree;
};

/* What is on the wires of one switch in one cycle. */
struct ut_switch_in {
  ut_mask in_up, out_up; /* link_up */
  ut_mask valid;         /* input ports with a flit */
  ut_mask neighbour;     /* over output ports: neighbours that report a faulty down link */
  ut_mask far;           /* over output ports: those that report one of a switch above them */
  const ut_mask *credit; /* by VC, over output ports */
  const uint8_t *vc;     /* of the flit at each input port */
  const uint8_t *tag;
  const uint64_t *data; /* [port * words] */
};

/* A packet is discarded as unreachable; called when the route unit decides so. */
typedef void ut_discard_hook(void *ctx, uint32_t id, uint64_t header);

struct ut_group;
struct ut_route_result;
typedef void ut_route_function(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                               unsigned in_vc, struct ut_route_result *r);

struct ut_group {
  struct ut_shape shape;
  unsigned words; /* of a flit: w / 64 */
  unsigned need, need2, k;
  unsigned digit_bits; /* log2 k, or 0 where k is no power of two */
  bool vector, far, rewrites, bubble, preferred;
  ut_mask all_in, all_out;
  ut_mask up_ports; /* for the U-turn count */
  uint32_t count;
  size_t stride;
  struct { /* byte offsets from the switch */
    size_t masks, vc, cand, bubble, preferred, rt, credits, route_mask, select_mask, va_mask, sa_in_mask, sa_out_mask;
    size_t out_vc, out_tag, out_data, fifo_tag, fifo_data;
  } at;
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
  return (struct ut_input_vc *)((ut_mask *)(s + 1) + UT_MASKS * v) + ip * v + ivc;
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
static inline uint8_t *ut_fifo_tag_of(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                      unsigned v) {
  return UT_AT(uint8_t, g, s, fifo_tag) + (ip * v + ivc) * g->shape.depth;
}
static inline uint8_t *ut_fifo_tag_at(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc) {
  return ut_fifo_tag_of(g, s, ip, ivc, g->shape.v);
}
static inline uint64_t *ut_fifo_data_of(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                        unsigned v, unsigned words) {
  return UT_AT(uint64_t, g, s, fifo_data) + (ip * v + ivc) * g->shape.depth * words;
}
static inline uint64_t *ut_fifo_data_at(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc) {
  return ut_fifo_data_of(g, s, ip, ivc, g->shape.v, g->words);
}

#endif
