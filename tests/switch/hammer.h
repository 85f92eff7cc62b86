/* hammer.h - one golden switch, at any of whose links anything happens that may: packets on all VCs, credits, links
 * that fail and come back, neighbours' reports, words of the configuration port. */
#ifndef UT_TEST_HAMMER_H
#define UT_TEST_HAMMER_H

#include "bench.h"
#include "recorded.h"

/* Straps (rtl/header.tsv), for constants. */
#define LEVEL(level, base, step, timeout)                                                                              \
  ((level) | (uint64_t)(base) << 4 | (uint64_t)(step) << 21 | (uint64_t)(timeout) << 38)
#define STAGE(shift, first, last, low) ((shift) | (first) << 5 | (last) << 6 | (low) << 7)
#define GRID(x, y, z) ((x) | (y) << 8 | (z) << 16)
#define SUB_PATHS(most, family, name, ports, vcs, flits, bits, shortest, longest, routing, allocation)                 \
  .min_packet = (shortest), .escapes = (most), .links = 1, .route = UT_ROUTE_##family,                                 \
  .algorithm = UT_##family##_##name, .pi = (ports), .po = (ports), .v = (vcs), .depth = (flits), .w = (bits),          \
  .max_packet = (longest), .route_cycles = (routing), .alloc_cycles = (allocation)
#define SWITCH(...) SUB_PATHS(1, __VA_ARGS__)

struct far_end {
  unsigned credits, left; /* of an input VC: what may be sent, and flits of its packet that are still to be */
  unsigned room, held;    /* of an output VC: credits that are still to be given, flits that are in the way */
};

struct hammer {
  struct bench b;
  struct far_end in[UT_MAX_PORTS][UT_MAX_VCS], out[UT_MAX_PORTS][UT_MAX_VCS];
  unsigned destinations;
  uint32_t rt;
  uint64_t random, word; /* word: for its tables */
};

static inline unsigned any(struct hammer *h, unsigned below) {
  h->random = h->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((h->random >> 33) % below);
}

/* A flit of a packet on that VC, which begins if none is under way; false: the far end may not send. */
static inline bool send(struct hammer *h, unsigned port, unsigned vc) {
  const struct ut_shape *p = &h->b.m.g.shape;
  struct far_end *end = &h->in[port][vc];
  const bool begins = !end->left;
  const unsigned length = p->min_packet + any(h, p->max_packet - p->min_packet + 1);
  if (end->credits < (begins && p->switching == UT_VCT ? p->max_packet : 1))
    return false;
  if (begins)
    end->left = length;
  end->credits--, end->left--;
  uint64_t flit[UT_MAX_FLIT_WORDS + 1];
  for (unsigned w = 0; w < p->w / 64; w++) { /* one draw a statement: operands and arguments have no order */
    flit[w] = (uint64_t)any(h, 1u << 31) << 32;
    flit[w] |= any(h, 1u << 31);
  }
  if (begins || h->b.m.g.form.strips) { /* flits behind header words may be others */
    const uint16_t dst = (uint16_t)any(h, h->destinations), src = (uint16_t)any(h, h->destinations);
    const uint8_t tag = (uint8_t)any(h, 256);
    flit[0] = ut_header_make(dst, src, tag, any(h, 1u << 24) & h->rt);
  }
  flit[p->w / 64] = ut_flit_meta((begins ? UT_KIND_HEAD : 0) | (end->left ? 0 : UT_KIND_TAIL), vc);
  golden_arrive(&h->b.m, port, vc, flit);
  return true;
}

/* What the far ends do before a cycle. */
static inline void drive(struct hammer *h) {
  const struct ut_shape *p = &h->b.m.g.shape;
  for (unsigned port = 0; port < p->pi; port++)
    for (unsigned tries = 0; h->b.in_up >> port & 1 && tries < p->v && any(h, 5); tries++)
      if (send(h, port, any(h, p->v)))
        break;
  for (unsigned port = 0; port < p->po; port++)
    for (unsigned vc = 0; h->b.out_up >> port & 1 && vc < p->v; vc++) {
      struct far_end *end = &h->out[port][vc];
      if (end->held && any(h, 3))
        end->held--, end->room++;
      if (end->room && any(h, 4)) {
        end->room--;
        golden_credit(&h->b.m, port, vc);
      }
    }
}

/* Links fail and come back; neighbours report anything. */
static inline void disturb(struct hammer *h) {
  const struct ut_shape *p = &h->b.m.g.shape;
  if (any(h, 4) == 0)
    h->b.in_up ^= ut_bit(any(h, p->pi));
  if (any(h, 4) == 0)
    h->b.out_up ^= ut_bit(any(h, p->po));
  if (any(h, 8) == 0)
    h->b.in_up = h->b.m.g.all_in;
  if (any(h, 8) == 0)
    h->b.out_up = h->b.m.g.all_out;
  for (unsigned i = 0; i < ut_shape_reports(p) && any(h, 6) == 0; i++)
    h->b.report[i] = any(h, 1u << 31) & any(h, 1u << 31) & h->b.m.g.all_out;
}

/* An entry of the tables is written, or none. */
static inline void configure(struct hammer *h) {
  const struct ut_shape *p = &h->b.m.g.shape;
  const uint16_t dst = (uint16_t)any(h, p->destinations);
  const uint8_t in_port = (uint8_t)any(h, p->pi), in_vc = (uint8_t)any(h, p->v), port = (uint8_t)any(h, p->po);
  const uint8_t vc = (uint8_t)any(h, p->v), valid = any(h, 8) != 0, writes = any(h, 4) != 0;
  h->word = ut_config_make(dst, in_port, in_vc, port, vc, valid, writes);
  h->b.m.c.config = &h->word;
  ut_switch_disturb(&h->b.m.g, h->b.m.s);
}

/* An order of the manager, or none: mostly one, so that heads that wait meet two purges. */
static inline uint64_t order(struct hammer *h) {
  const uint16_t dst = (uint16_t)any(h, h->destinations);
  const uint8_t kind = (uint8_t)any(h, 24);
  return kind < 6 ? ut_order_make(dst, kind) : kind < 12 ? ut_order_make(dst, UT_ORDER_KIND_PURGE) : 0;
}

/* What the switch has driven, and what the far ends do when a link is down. */
static inline void receive(struct hammer *h) {
  const struct ut_group *g = &h->b.m.g;
  const struct ut_switch *s = h->b.m.s;
  for (unsigned port = 0; port < g->shape.pi; port++)
    for (unsigned vc = 0; vc < g->shape.v; vc++) {
      struct far_end *end = &h->in[port][vc];
      end->credits += ut_reg_credit(g, s, port, vc);
      if (!(h->b.in_up >> port & 1))
        *end = (struct far_end){0};
    }
  UT_FOR_EACH (port, sent(&h->b)) {
    struct far_end *end = &h->out[port][ut_flit_vc(ut_reg_flit(g, s, port)[g->form.words])];
    end->held++;
  }
  for (unsigned port = 0; port < g->shape.po; port++)
    for (unsigned vc = 0; vc < g->shape.v && !(h->b.out_up >> port & 1); vc++)
      h->out[port][vc] = (struct far_end){.room = g->shape.depth};
}

static inline void record_events(uint64_t *hash, const struct ut_events *events) {
  for (size_t i = 0; i < events->count; i++)
    record(hash, (uint64_t)events->event[i].kind << 8 | events->event[i].why), record(hash, events->event[i].header);
}

#endif
