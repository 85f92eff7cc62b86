/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - one golden switch with its wires, whose other ends are the test's; for C and C++.
 *
 * What arrives is put on the wires, then comes golden_step(), or a test calls blocks of the cycle itself, between
 * golden_begin() and golden_end(). */
#ifndef UT_TEST_GOLDEN_H
#define UT_TEST_GOLDEN_H

#include <stdlib.h>
#include <string.h>

#include "cycle.h"
#include "registers.h"

struct golden {
  struct ut_group g;
  struct ut_switch *s;
  struct ut_wires wires;
  struct ut_cycle c;       /* flits, credits: on the wires now; those of later: what the switch has driven */
  struct ut_events events; /* of the last cycle */
  ut_mask in_up, out_up, report[UT_MAX_REPORTS]; /* what the switch sees; changed by golden_see() */
};

/* The lane of a VC of a port in the block, on the wires, and that of whoever is at the other end of its link. */
static inline unsigned golden_in_block(const struct golden *m, unsigned port, unsigned vc) {
  return vc << m->g.form.port_bits | port;
}
static inline uint32_t golden_lane(const struct golden *m, unsigned port, unsigned vc) {
  return UT_LANES + golden_in_block(m, port, vc);
}
static inline uint32_t golden_far(const struct golden *m, unsigned port, unsigned vc) {
  return golden_lane(m, port, vc) + m->g.form.all;
}

static inline void golden_stop(struct golden *m) {
  ut_group_fini(&m->g);
  ut_wires_fini(&m->wires);
  free(m->events.event);
  memset(m, 0, sizeof *m);
}

/* In reset, with straps 0, all links down.  false: out of memory.  It may not be moved. */
static inline bool golden_start(struct golden *m, const struct ut_shape *shape) {
  memset(m, 0, sizeof *m);
  if (!ut_group_init(&m->g, shape, 0, 1))
    return false;
  const unsigned all = m->g.form.all;
  m->s = ut_switch_of(&m->g, 0);
  m->wires.terminals = UT_LANES + 2 * all;
  m->wires.words = shape->w / 64;
  m->wires.depth = shape->depth;
  m->wires.link_cycles = m->wires.injection_cycles = m->wires.ejection_cycles = 1;
  if (!ut_wires_init(&m->wires, m->wires.terminals)) {
    golden_stop(m);
    return false;
  }
  ut_group_join(&m->g, &m->wires, UT_LANES);
  for (unsigned n = 0; n < all; n++) {
    ut_wires_join(&m->wires, UT_LANES + n, UT_LANES + all + n, ut_lane_vc(n, m->g.form)); /* from its output VCs, */
    ut_wires_join(&m->wires, UT_LANES + all + n, UT_LANES + n, ut_lane_vc(n, m->g.form)); /* and to its input VCs */
  }
  m->c.wires = &m->wires;
  m->c.flits = m->wires.flits[0], m->c.flits_later = m->wires.flits[1];
  m->c.credits = m->wires.credits[0], m->c.credits_later = m->wires.credits[1];
  m->c.in_up = &m->in_up, m->c.out_up = &m->out_up, m->c.report = m->report;
  m->c.reports = ut_shape_reports(shape);
  return true;
}

static inline void golden_reset(struct golden *m, uint64_t straps) {
  ut_switch_reset(&m->g, m->s, straps);
}

/* Links and neighbours' reports from now on. */
static inline void golden_see(struct golden *m, ut_mask in_up, ut_mask out_up, const ut_mask *report) {
  const size_t size = m->c.reports * sizeof *report;
  if (in_up == m->in_up && out_up == m->out_up && (!report || !memcmp(report, m->report, size)))
    return;
  m->in_up = in_up, m->out_up = out_up;
  if (report)
    memcpy(m->report, report, size);
  ut_switch_disturb(&m->g, m->s);
}

/* A flit arrives in this cycle: its words, then tag and VC.  A credit does. */
static inline void golden_arrive(struct golden *m, unsigned port, unsigned vc, const uint64_t *flit) {
  const uint32_t lane = golden_lane(m, port, vc);
  ut_flit_copy(ut_wires_flit(&m->wires, lane, ut_position_at(m->wires.write, lane, m->wires.wide)), flit,
               m->wires.words);
  m->c.flits[lane] = (uint8_t)(ut_flit_tag(flit[m->wires.words]) | UT_COMES);
}
static inline void golden_credit(struct golden *m, unsigned port, unsigned vc) {
  m->c.credits[golden_lane(m, port, vc)] = 0xff;
}

/* Takes off the wires what the switch drove in the last cycle. */
static inline void golden_take(struct golden *m) {
  memset(m->c.flits_later, 0, m->wires.lanes);
  memset(m->c.credits_later, 0, m->wires.lanes);
  m->events.count = 0;
}

/* One cycle, as that of a network. */
static inline void golden_step(struct golden *m) {
  golden_take(m);
  ut_group_step(&m->g, &m->c, 0, m->g.blocks, &m->events);
}

/* Nothing will change in it until something comes from outside. */
static inline bool golden_is_idle(const struct golden *m) {
  const struct ut_block *b = ut_block_of(&m->g, m->s);
  struct ut_reach reach;
  struct ut_work w;
  memset(&reach, 0, sizeof reach);
  reach.flits = m->c.flits, reach.credits = m->c.credits;
  ut_block_look(&w, &reach, b->lane, m->g.form);
  return ut_block_is_idle(b, w.come, 0, m->g.form);
}

/* A cycle whose blocks the test calls: as ut_block_step() begins it, but that no set has members. */
static inline void golden_begin(struct golden *m, struct ut_work *w, bool fast_path) {
  golden_take(m);
  memset(w, 0, sizeof *w);
  ut_work_begin(w, &m->g, &m->c, &m->events, fast_path);
  ut_work_set_block(w, ut_block_of(&m->g, m->s), m->g.form);
}
/* Counts what came and left. */
static inline void golden_end(struct golden *m, struct ut_work *w) {
  ut_block_look(w, &w->reach, w->lane, m->g.form);
  ut_block_count(w, m->g.form);
}

/* Sets of lanes as sets of ports, by VC. */
static inline ut_mask golden_ports(const struct golden *m, const uint64_t *set, unsigned vc) {
  return ut_set_mask(ut_set_of(set, 0, m->g.form), vc, m->g.form);
}
static inline void golden_set_ports(const struct golden *m, uint64_t *set, unsigned vc, ut_mask ports) {
  for (unsigned p = 0; p < 1u << m->g.form.port_bits; p++)
    ut_assign(set, golden_in_block(m, p, vc), ports >> p & 1, m->g.form.sets);
}
static inline uint64_t *golden_set(const struct golden *m, enum ut_register r) {
  return ut_register(ut_block_of(&m->g, m->s), r, m->g.form);
}

/* up_q of the output units, without a cycle. */
static inline void golden_set_out_up(struct golden *m, ut_mask up) {
  m->s->out_up = up;
  for (unsigned v = 0; v < m->g.form.v; v++)
    golden_set_ports(m, golden_set(m, UT_S_OUT_UP), v, up);
}

#endif
