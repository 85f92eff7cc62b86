/* SPDX-License-Identifier: Apache-2.0 */
/* hammer.h - a group of switches, at any of whose links anything happens that the flow control allows: packets on all
 * VCs, credits, links that fail and come back, neighbours' reports, table entries, orders, switches in reset. */
#ifndef UT_TEST_SPEC_HAMMER_H
#define UT_TEST_SPEC_HAMMER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cycle.h"
#include "registers.h"
#include "shapes.h"

enum { MOST = 40, FIRST = 3 /* the id of the group's first switch */ };

/* What is at the other end of the links of a VC. */
struct far_end {
  unsigned credits, left; /* of an input VC: what may be sent, and flits of its packet that are still to be */
  unsigned space, held;   /* of an output VC: credits that are still to be given, flits that are there */
};
struct far_ends {
  struct far_end in[UT_MAX_PORTS][UT_MAX_VCS], out[UT_MAX_PORTS][UT_MAX_VCS];
};

struct hammer {
  const struct ut_case *shape_case;
  struct ut_group g;
  struct ut_wires wires;
  struct ut_cycle c;
  struct ut_events events;
  ut_mask in_up[FIRST + MOST], out_up[FIRST + MOST], report[(FIRST + MOST) * UT_MAX_REPORTS];
  uint64_t word[FIRST + MOST];
  struct far_ends far[MOST];
  uint64_t random;
  bool quiet;            /* no packet begins */
  uint64_t idle, timers; /* blocks, times cycles, in which nothing moves; in which only timers do */
};

static inline unsigned any(struct hammer *h, unsigned below) {
  h->random = h->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((h->random >> 33) % below);
}

static inline struct ut_switch *hammer_switch(const struct hammer *h, unsigned i) {
  return ut_switch_of(&h->g, FIRST + i);
}
static inline uint32_t hammer_lane(const struct hammer *h, unsigned i, unsigned port, unsigned vc) {
  return UT_LANES + (i << h->g.form.each_bits) + (vc << h->g.form.port_bits | port);
}

static inline void hammer_start(struct hammer *h, const struct ut_case *of, unsigned seed) {
  memset(h, 0, sizeof *h);
  h->shape_case = of, h->random = seed;
  assert_null(ut_shape_rule(&of->shape));
  assert_true(of->count <= MOST && ut_group_init(&h->g, &of->shape, FIRST, of->count));
  const unsigned all = ut_shape_lanes(&of->shape, of->count);
  h->wires.terminals = UT_LANES + 2 * all;
  h->wires.words = of->shape.w / 64, h->wires.depth = of->shape.depth;
  h->wires.link_cycles = h->wires.injection_cycles = h->wires.ejection_cycles = 1;
  assert_true(ut_wires_init(&h->wires, h->wires.terminals));
  ut_group_join(&h->g, &h->wires, UT_LANES);
  for (unsigned n = 0; n < all; n++) { /* the other ends of all links are the test's */
    ut_wires_join(&h->wires, UT_LANES + n, UT_LANES + all + n, ut_lane_vc(n, h->g.form));
    ut_wires_join(&h->wires, UT_LANES + all + n, UT_LANES + n, ut_lane_vc(n, h->g.form));
  }
  h->c = (struct ut_cycle){.wires = &h->wires,
                           .flits = h->wires.flits[0],
                           .flits_later = h->wires.flits[1],
                           .credits = h->wires.credits[0],
                           .credits_later = h->wires.credits[1],
                           .in_up = h->in_up,
                           .out_up = h->out_up,
                           .report = h->report,
                           .reports = ut_shape_reports(&of->shape),
                           .config = of->shape.destinations || of->shape.exclusions ? h->word : NULL};
  for (unsigned i = 0; i < of->count; i++) {
    ut_switch_reset(&h->g, hammer_switch(h, i), of->straps[i % 3]);
    h->in_up[FIRST + i] = h->g.all_in, h->out_up[FIRST + i] = h->g.all_out;
    for (unsigned port = 0; port < of->shape.po; port++)
      for (unsigned vc = 0; vc < of->shape.v; vc++)
        h->far[i].out[port][vc].space = of->shape.depth;
  }
}

static inline void hammer_stop(struct hammer *h) {
  ut_group_fini(&h->g);
  ut_wires_fini(&h->wires);
  free(h->events.event);
}

/* A flit of that kind comes on the wires of an input VC.  Flits behind header words may be others. */
static inline void put_flit(struct hammer *h, unsigned i, unsigned port, unsigned vc, unsigned kind) {
  const struct ut_shape *p = &h->g.shape;
  const uint32_t lane = hammer_lane(h, i, port, vc);
  uint64_t *flit = ut_wires_flit(&h->wires, lane, ut_position_at(h->wires.write, lane, h->wires.wide));
  for (unsigned w = 0; w < p->w / 64; w++) {
    flit[w] = (uint64_t)any(h, 1u << 31) << 32;
    flit[w] |= any(h, 1u << 31);
  }
  if (kind & UT_KIND_HEAD || h->g.form.strips) {
    const uint16_t dst = (uint16_t)any(h, h->shape_case->destinations);
    const uint16_t src = (uint16_t)any(h, h->shape_case->destinations);
    const uint8_t tag = (uint8_t)any(h, 256);
    flit[0] = ut_header_make(dst, src, tag, any(h, 1u << 24) & h->shape_case->rt);
  }
  flit[p->w / 64] = ut_flit_meta(kind, vc);
  h->c.flits[lane] = (uint8_t)(ut_flit_tag(flit[p->w / 64]) | UT_COMES);
}

/* A flit of a packet on that VC, which begins if none is under way; false: the far end may not send. */
static inline bool send(struct hammer *h, unsigned i, unsigned port, unsigned vc) {
  const struct ut_shape *p = &h->g.shape;
  struct far_end *end = &h->far[i].in[port][vc];
  const bool begins = !end->left;
  const unsigned length = p->min_packet + any(h, p->max_packet - p->min_packet + 1);
  if ((begins && h->quiet) || end->credits < (begins && p->switching == UT_VCT ? p->max_packet : 1))
    return false;
  if (begins)
    end->left = length;
  end->credits--, end->left--;
  put_flit(h, i, port, vc, (begins ? UT_KIND_HEAD : 0) | (end->left ? 0 : UT_KIND_TAIL));
  return true;
}

/* Flits and credits that are too late for their links. */
static inline void come_late(struct hammer *h, unsigned i) {
  const struct ut_shape *p = &h->g.shape;
  for (unsigned port = 0; port < p->pi; port++)
    if (!h->quiet && !(h->in_up[FIRST + i] >> port & 1) && any(h, 8) == 0) {
      ut_switch_disturb(&h->g, hammer_switch(h, i));
      put_flit(h, i, port, any(h, p->v), any(h, UT_KIND_MASK + 1));
    }
  for (unsigned port = 0; port < p->po; port++)
    if (!(h->out_up[FIRST + i] >> port & 1) && !(hammer_switch(h, i)->out_up >> port & 1) && any(h, 16) == 0) {
      ut_switch_disturb(&h->g, hammer_switch(h, i));
      h->c.credits[hammer_lane(h, i, port, any(h, p->v))] = 0xff;
    }
}

/* What the far ends do before a cycle. */
static inline void drive(struct hammer *h, unsigned i) {
  const struct ut_shape *p = &h->g.shape;
  const unsigned id = FIRST + i;
  for (unsigned port = 0; port < p->pi; port++)
    for (unsigned tries = 0; h->in_up[id] >> port & 1 && tries < p->v && any(h, 5); tries++)
      if (send(h, i, port, any(h, p->v)))
        break;
  for (unsigned port = 0; port < p->po; port++)
    for (unsigned vc = 0; h->out_up[id] >> port & 1 && vc < p->v; vc++) {
      struct far_end *end = &h->far[i].out[port][vc];
      if (end->held && any(h, 3))
        end->held--, end->space++;
      if (end->space && any(h, 4)) {
        end->space--;
        h->c.credits[hammer_lane(h, i, port, vc)] = 0xff;
      }
    }
  come_late(h, i);
}

/* Links fail and come back; neighbours report anything; entries of tables are written. */
static inline void disturb(struct hammer *h, unsigned i) {
  const struct ut_shape *p = &h->g.shape;
  const unsigned id = FIRST + i;
  ut_mask *report = h->report + (size_t)id * h->c.reports;
  ut_switch_disturb(&h->g, hammer_switch(h, i));
  if (any(h, 4) == 0)
    h->in_up[id] ^= ut_bit(any(h, p->pi));
  if (any(h, 4) == 0)
    h->out_up[id] ^= ut_bit(any(h, p->po));
  if (any(h, 8) == 0)
    h->in_up[id] = h->g.all_in;
  if (any(h, 8) == 0)
    h->out_up[id] = h->g.all_out;
  for (unsigned bit = 0; bit < h->c.reports && any(h, 6) == 0; bit++)
    report[bit] = any(h, 1u << 31) & any(h, 1u << 31) & h->g.all_out;
  if (p->exclusions) {
    const uint16_t first = (uint16_t)any(h, h->shape_case->destinations), last = (uint16_t)(first + any(h, 9) - 2);
    h->word[id] =
        ut_exclusion_make(first, last, (uint8_t)any(h, p->po / 2), (uint8_t)any(h, p->exclusions), any(h, 4) != 0);
  }
  if (!p->destinations)
    return;
  const uint16_t dst = (uint16_t)any(h, p->destinations);
  const uint8_t bank = (uint8_t)any(h, 2), in_vc = (uint8_t)any(h, p->v), port = (uint8_t)any(h, p->po);
  const uint8_t vc = (uint8_t)any(h, p->v), valid = any(h, 8) != 0, writes = any(h, 4) != 0;
  const uint8_t kind = any(h, 4) ? UT_CONFIG_KIND_ENTRY : UT_CONFIG_KIND_BANK, group = (uint8_t)any(h, 256);
  h->word[id] = ut_config_make(dst, bank, in_vc, port, vc, valid, group, kind, writes);
  if (p->groups && any(h, 4) == 0)
    h->word[id] = ut_hop_group_make(group, any(h, 8) == 0, any(h, 1u << 31), UT_CONFIG_KIND_GROUP, writes);
  if (p->vc_map && any(h, 4) == 0)
    h->word[id] = ut_vc_row_make((uint8_t)any(h, 32), any(h, 8) == 0, (uint8_t)any(h, 8), any(h, 1u << 31),
                                 UT_CONFIG_KIND_VCS, writes);
}

/* The switch fails, or comes back. */
static inline void fail_or_repair(struct hammer *h, unsigned i) {
  struct ut_switch *s = hammer_switch(h, i);
  const bool fails = !s->held;
  ut_switch_reset(&h->g, s, h->shape_case->straps[i % 3]);
  s->held = fails;
  h->in_up[FIRST + i] = fails ? 0 : h->g.all_in;
  h->out_up[FIRST + i] = fails ? 0 : h->g.all_out;
  ut_switch_disturb(&h->g, s);
}

/* An order of the manager, or none: mostly a purge, so that heads that wait meet two of them. */
static inline uint64_t order(struct hammer *h) {
  const uint16_t dst = (uint16_t)any(h, h->shape_case->destinations);
  const uint8_t kind = (uint8_t)any(h, 24);
  return kind < 6 ? ut_order_make(dst, kind) : kind < 12 ? ut_order_make(dst, UT_ORDER_KIND_PURGE) : 0;
}

/* What the switch has driven, and what the far ends do when a link is down. */
static inline void receive(struct hammer *h, unsigned i) {
  const struct ut_shape *p = &h->g.shape;
  const struct ut_switch *s = hammer_switch(h, i);
  for (unsigned port = 0; port < p->pi; port++)
    for (unsigned vc = 0; vc < p->v; vc++) {
      struct far_end *end = &h->far[i].in[port][vc];
      end->credits += ut_reg_credit(&h->g, s, port, vc);
      if (!(h->in_up[FIRST + i] >> port & 1))
        *end = (struct far_end){0};
    }
  UT_FOR_EACH (port, ut_reg_valid(&h->g, s))
    h->far[i].out[port][ut_flit_vc(ut_reg_flit(&h->g, s, port)[h->g.form.words])].held++;
  for (unsigned port = 0; port < p->po; port++)
    for (unsigned vc = 0; vc < p->v && !(h->out_up[FIRST + i] >> port & 1); vc++)
      h->far[i].out[port][vc] = (struct far_end){.space = p->depth};
}

/* Counts the blocks that the model may skip. */
static inline void count_idle(struct hammer *h) {
  const struct ut_reach reach = {.flits = h->c.flits, .credits = h->c.credits};
  struct ut_work w;
  for (uint32_t i = 0; i < h->g.blocks; i++) {
    const struct ut_block *b = ut_block_at(&h->g, i, h->g.form);
    struct ut_block settled = *b;
    uint64_t busy = 0;
    ut_block_look(&w, &reach, b->lane, h->g.form);
    for (unsigned set = 0; set < h->g.form.sets; set++)
      busy |= ut_block_busy(b, set, w.come[set], h->g.form);
    settled.unsettled &= ~settled.timed;
    h->idle += !busy && !ut_block_has_pending_events(b, h->c.order, h->g.form);
    h->timers += !busy && b->timed && !ut_block_has_pending_events(&settled, h->c.order, h->g.form);
  }
}

/* One cycle of all switches.  Every 16 cycles: trouble anywhere, none, trouble at a third of the switches, none; so
 * that the fast path of the model is taken, too, and blocks have switches of both kinds.  For a third of the time no
 * packet begins, so that switches become idle. */
static inline uint64_t hammer_step(struct hammer *h, unsigned cycle) {
  const unsigned stretch = cycle / 16 % 4;
  h->quiet = cycle / 32 % 3 == 2;
  for (unsigned i = 0; i < h->g.count; i++) {
    h->word[FIRST + i] = 0;
    if (cycle >= 64 && cycle % 64 == i % 16 && any(h, 4) == 0)
      fail_or_repair(h, i);
    drive(h, i);
    if (cycle > h->g.shape.depth && !hammer_switch(h, i)->held &&
        (stretch == 0 || (stretch == 2 && (cycle / 64 + i) % 3 == 0)))
      disturb(h, i);
  }
  h->c.order = h->g.form.states && stretch == 0 ? order(h) : 0;
  memset(h->c.flits_later, 0, h->wires.lanes);
  memset(h->c.credits_later, 0, h->wires.lanes);
  h->events.count = 0;
  count_idle(h);
  const uint64_t hops = ut_group_step(&h->g, &h->c, 0, h->g.blocks, &h->events);
  for (unsigned i = 0; i < h->g.count; i++)
    receive(h, i);
  return hops;
}

#endif
