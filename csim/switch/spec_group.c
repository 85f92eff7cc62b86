/* SPDX-License-Identifier: Apache-2.0 */
/* spec_group.c - see spec_group.h */
#include "spec_group.h"

#include <string.h>

#include "cycle.h"
#include "registers.h"

static const enum ut_dropped dropped[] = {
    [SPEC_UNREACHABLE] = UT_DROPPED_UNREACHABLE, [SPEC_CUT] = UT_DROPPED_CUT, [SPEC_PURGED] = UT_DROPPED_PURGED};

static struct ut_event event_of(const struct ut_switch *s, const struct spec_discard *discard) {
  struct ut_event event = {.kind = UT_EVENT_LOST, .sw = s->id, .header = discard->header};
  if (discard->reason != SPEC_QUEUED) { /* these go down with their link */
    event.kind = UT_EVENT_DROPPED;
    event.why = dropped[discard->reason];
  }
  return event;
}

/* ---- what a switch sees of the outside */

static void see_wires(const struct ut_group *g, const struct ut_cycle *c, uint32_t lane, struct spec_inputs *in) {
  const struct ut_wires *w = g->wires;
  for (unsigned ivc = 0; ivc < g->shape.v; ivc++)
    for (unsigned ip = 0; ip < g->shape.pi; ip++) {
      const uint32_t input = lane + (ivc << g->form.port_bits | ip);
      if (!c->flits[input])
        continue;
      in->arrival[ip].valid = true;
      in->arrival[ip].vc = ivc;
      in->arrival[ip].flit =
          ut_spec_flit_of(ut_wires_flit(w, input, ut_position_at(w->write, input, w->wide)), w->words);
    }
  for (unsigned ovc = 0; ovc < g->shape.v; ovc++)
    for (unsigned op = 0; op < g->shape.po; op++)
      in->credit[op][ovc] = c->credits[lane + (ovc << g->form.port_bits | op)] != 0;
}

static void see(const struct ut_group *g, const struct ut_cycle *c, const struct ut_switch *s, struct spec_inputs *in) {
  memset(in, 0, sizeof *in);
  in->in_up = c->in_up[s->id];
  in->out_up = c->out_up[s->id];
  for (unsigned i = 0; i < c->reports; i++)
    in->report[i] = c->report[(size_t)s->id * c->reports + i];
  in->config = c->config ? c->config[s->id] : c->order;
  see_wires(g, c, ut_block_of(g, s)->lane + ut_lane_of(g, s), in);
}

/* ---- what the network is told */

/* What was known before the cycle. */
struct known {
  uint32_t report;
  struct spec_node_states nodes;
};

static struct known known_of(const struct spec_switch *spec) {
  return (struct known){.report = spec_report(spec), .nodes = spec->nodes};
}

/* Packets whose heads arrive on a link that is not up are lost. */
static void tell_lost(const struct ut_switch *s, const struct spec_switch *spec, const struct spec_inputs *in,
                      struct ut_events *events) {
  for (unsigned ip = 0; ip < spec->shape.pi; ip++) {
    const bool accepted = !s->held && spec->in[ip].up && in->in_up >> ip & 1;
    if (in->arrival[ip].valid && in->arrival[ip].flit.head && !accepted)
      ut_events_add(events,
                    (struct ut_event){.kind = UT_EVENT_LOST, .sw = s->id, .header = in->arrival[ip].flit.word[0]});
  }
}

/* Discarded packets, and states that neighbours or statistics look at. */
static void tell(const struct ut_switch *s, const struct spec_switch *spec, const struct known *before,
                 struct ut_events *events) {
  const struct spec_node_states *n = &spec->nodes, *old = &before->nodes;
  const bool nodes_changed = n->bad != old->bad || n->diagonal != old->diagonal || n->border != old->border ||
                             n->corner != old->corner || n->unsafe != old->unsafe || n->disabled != old->disabled;
  for (unsigned i = 0; i < spec->discards; i++)
    ut_events_add(events, event_of(s, &spec->discard[i]));
  if (spec_report(spec) != before->report || nodes_changed)
    ut_events_add(events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = s->id});
}

/* Statistics: heads that have crossed to upward ports after coming from above. */
static unsigned count_u_turns(const struct ut_group *g, const struct spec_switch *spec) {
  unsigned count = 0;
  for (unsigned op = 0; g->form.u_turns && op < g->shape.po; op++)
    count += spec->out[op].crossed && spec->out[op].head && g->up_ports >> op & g->up_ports >> spec->out[op].from & 1;
  return count;
}

/* The same: the timer ends in this cycle, and the vector forgets.  s: as it was before. */
static bool expires(const struct ut_switch *s, const struct spec_switch *spec) {
  return s->stage.timeout && (uint16_t)(s->timer + 1) == s->stage.timeout && s->vector & ~spec->reroute.vector;
}

static unsigned count_hops(const struct spec_switch *spec) {
  unsigned count = 0;
  for (unsigned op = 0; op < spec->shape.po; op++)
    count += spec->out[op].crossed;
  return count;
}

/* ---- the spec beside the model */

static uint32_t block_end(const struct ut_group *g, const struct ut_block *b) {
  const uint32_t end = b->first + (1u << g->form.block_bits);
  return end < g->count ? end : g->count;
}

/* Whether the model has put on the wires what the spec drives. */
static bool same_wires(const struct ut_group *g, const struct ut_cycle *c, const struct ut_switch *s,
                       const struct spec_switch *spec) {
  const uint32_t first = ut_block_of(g, s)->lane + ut_lane_of(g, s);
  for (unsigned vc = 0; vc < g->shape.v; vc++) {
    const uint32_t lane = first + (vc << g->form.port_bits);
    for (unsigned op = 0; op < g->shape.po; op++) {
      const struct spec_output_port *out = &spec->out[op];
      const bool sends = out->valid && out->flit_vc == vc;
      const uint8_t wire = sends ? (uint8_t)ut_flit_wire(ut_reg_flit(g, s, op)[g->form.words]) | UT_COMES : 0;
      if (g->wires->to[lane + op] != UT_NO_LANE && c->flits_later[g->wires->to[lane + op]] != wire)
        return false;
    }
    for (unsigned ip = 0; ip < g->shape.pi; ip++)
      if (g->wires->from[lane + ip] != UT_NO_LANE &&
          (c->credits_later[g->wires->from[lane + ip]] != 0) != spec->in[ip].vc[vc].credit)
        return false;
  }
  return true;
}

static unsigned count_events(const struct ut_events *events, size_t from, const struct ut_event *like) {
  unsigned count = 0;
  for (size_t i = from; i < events->count; i++) {
    const struct ut_event *e = &events->event[i];
    count += e->kind == like->kind && e->sw == like->sw && e->why == like->why && e->header == like->header;
  }
  return count;
}

/* Whether the model tells of a switch what it must, and nothing else but a state that may have changed. */
static bool same_events(uint32_t sw, const struct ut_events *model, size_t from, const struct ut_events *spec) {
  for (size_t i = 0; i < spec->count; i++) {
    const struct ut_event *e = &spec->event[i];
    const unsigned told = count_events(model, from, e), must = count_events(spec, 0, e);
    if (e->sw == sw && (e->kind == UT_EVENT_STATE ? !told : told != must))
      return false;
  }
  for (size_t i = from; i < model->count; i++)
    if (model->event[i].sw == sw && model->event[i].kind != UT_EVENT_STATE && !count_events(spec, 0, &model->event[i]))
      return false;
  return true;
}

/* One cycle of the spec, from the wires on which the model will find the same; expected: what it must tell of it. */
static void step_beside(const struct ut_group *g, const struct ut_cycle *c, uint32_t n, struct ut_events *expected) {
  const struct ut_switch *s = ut_switch_of(g, g->first + n);
  struct spec_switch *spec = &g->spec->sw[n];
  struct spec_inputs in;
  see(g, c, s, &in);
  tell_lost(s, spec, &in, expected);
  g->spec->u_turns[n] = s->u_turns;
  if (s->held)
    return;
  const struct known before = known_of(spec);
  spec_step(spec, &in);
  tell(s, spec, &before, expected);
  g->spec->u_turns[n] += count_u_turns(g, spec);
}

static uint64_t check_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                            struct ut_events *events) {
  struct ut_spec_group *spec = g->spec;
  struct ut_events expected = {0};
  uint64_t hops = 0;
  for (uint32_t i = first; i < first + count; i++) {
    const struct ut_block *b = ut_block_at(g, i, g->form);
    const size_t from = events->count;
    uint64_t left = 0;
    expected.count = 0;
    for (uint32_t n = b->first; n < block_end(g, b); n++) {
      step_beside(g, c, n, &expected);
      left += count_hops(&spec->sw[n]);
    }
    const uint64_t counted = spec->steps(g, c, i, 1, events);
    for (uint32_t n = b->first; n < block_end(g, b); n++) {
      const struct ut_switch *s = ut_switch_of(g, g->first + n);
      unsigned differ;
      spec->compared[n] += ut_spec_compare(g, s->id, NULL, NULL, &differ);
      spec->differs[n] |= differ || (!s->held && !same_wires(g, c, s, &spec->sw[n])) ||
                          s->u_turns != spec->u_turns[n] || !same_events(s->id, events, from, &expected);
    }
    spec->differs[b->first] |= counted != left;
    hops += counted;
  }
  events->failure |= expected.failure;
  free(expected.event);
  return hops;
}

/* ---- the spec in the place of the model */

/* Takes off the wires what arrives. */
static void take_wires(const struct ut_group *g, const struct ut_cycle *c, const struct ut_switch *s) {
  const uint32_t lane = ut_block_of(g, s)->lane + ut_lane_of(g, s);
  memset(c->flits + lane, 0, (size_t)1 << g->form.each_bits);
  memset(c->credits + lane, 0, (size_t)1 << g->form.each_bits);
}

static void drive_wires(const struct ut_group *g, const struct ut_cycle *c, const struct ut_switch *s,
                        const struct spec_switch *spec) {
  const uint32_t lane = ut_block_of(g, s)->lane + ut_lane_of(g, s);
  for (unsigned op = 0; op < g->shape.po; op++)
    if (spec->out[op].valid)
      ut_wires_send(g->wires, lane + (spec->out[op].flit_vc << g->form.port_bits | op), ut_reg_flit(g, s, op),
                    c->flits_later);
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned ivc = 0; ivc < g->shape.v; ivc++)
      if (spec->in[ip].vc[ivc].credit)
        c->credits_later[g->wires->from[lane + (ivc << g->form.port_bits | ip)]] = 0xff;
}

static uint64_t spec_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                           struct ut_events *events) {
  uint64_t hops = 0;
  for (uint32_t i = first; i < first + count; i++) {
    const struct ut_block *b = ut_block_at(g, i, g->form);
    for (uint32_t n = b->first; n < block_end(g, b); n++) {
      struct ut_switch *s = ut_switch_of(g, g->first + n);
      struct spec_switch *spec = &g->spec->sw[n];
      struct spec_inputs in;
      see(g, c, s, &in);
      take_wires(g, c, s);
      tell_lost(s, spec, &in, events);
      if (s->held)
        continue;
      const struct known before = known_of(spec);
      spec_step(spec, &in);
      s->expiries += expires(s, spec);
      ut_spec_show(g, s, spec);
      drive_wires(g, c, s, spec);
      tell(s, spec, &before, events);
      s->u_turns += count_u_turns(g, spec);
      hops += count_hops(spec);
    }
  }
  return hops;
}

/* ---- attached, detached */

void ut_spec_detach(struct ut_group *g) {
  struct ut_spec_group *spec = g->spec;
  if (!spec)
    return;
  for (uint32_t i = 0; spec->sw && i < g->count; i++)
    spec_fini(&spec->sw[i]);
  g->steps = spec->steps;
  free(spec->sw), free(spec->compared), free(spec->differs), free(spec->u_turns), free(spec->cover), free(spec);
  g->spec = NULL;
}

bool ut_spec_attach(struct ut_group *g, enum ut_spec_use use) {
  struct ut_spec_group *spec = calloc(1, sizeof *spec);
  if (!spec)
    return false;
  spec->use = use;
  spec->steps = g->steps;
  spec->sw = calloc(g->count, sizeof *spec->sw);
  spec->compared = calloc(g->count, sizeof *spec->compared);
  spec->differs = calloc(g->count, sizeof *spec->differs);
  spec->u_turns = calloc(g->count, sizeof *spec->u_turns);
  g->spec = spec;
  bool memory = spec->sw && spec->compared && spec->differs && spec->u_turns;
  for (uint32_t i = 0; memory && i < g->count; i++) {
    memory = spec_init(&spec->sw[i], &g->shape);
    if (memory)
      ut_spec_load(g, ut_switch_of(g, g->first + i), &spec->sw[i]);
  }
  if (!memory) {
    ut_spec_detach(g);
    return false;
  }
  g->steps = use == UT_SPEC_STEPS ? spec_steps : check_steps;
  return true;
}

bool ut_spec_cover(struct ut_group *g) {
  struct ut_spec_group *spec = g->spec;
  if (!spec->cover)
    spec->cover = calloc(g->count, sizeof *spec->cover);
  for (uint32_t i = 0; spec->cover && i < g->count; i++)
    spec->sw[i].cover = &spec->cover[i];
  return spec->cover;
}

void ut_spec_covered(const struct ut_group *g, uint64_t hits[SPEC_COVER_POINTS]) {
  if (!g->spec || !g->spec->cover)
    return;
  for (uint32_t i = 0; i < g->count; i++)
    for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
      hits[point] += g->spec->cover[i].hits[point];
}

void ut_spec_adopt(const struct ut_group *g, const struct ut_switch *s) {
  ut_spec_load(g, s, &g->spec->sw[s->id - g->first]);
}

void ut_spec_reset(const struct ut_group *g, const struct ut_switch *s) {
  spec_reset(&g->spec->sw[s->id - g->first], s->straps);
}

uint32_t ut_spec_differing(const struct ut_group *g) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->spec->differs[i])
      return g->first + i;
  return UINT32_MAX;
}

uint64_t ut_spec_compared(const struct ut_group *g) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < g->count; i++)
    sum += g->spec->compared[i];
  return sum;
}

unsigned ut_spec_compare(const struct ut_group *g, uint32_t sw, ut_spec_difference *f, void *ctx, unsigned *differ) {
  return ut_spec_compare_registers(g, ut_switch_of(g, sw), &g->spec->sw[sw - g->first], f, ctx, differ);
}
