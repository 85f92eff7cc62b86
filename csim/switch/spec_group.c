/* SPDX-License-Identifier: Apache-2.0 */
/* spec_group.c - see spec_group.h */
#include "spec_group.h"

#include <string.h>

#include "cycle.h"
#include "registers.h"

static const enum ut_dropped dropped[] = {
    [SPEC_UNREACHABLE] = UT_DROPPED_UNREACHABLE, [SPEC_CUT] = UT_DROPPED_CUT, [SPEC_PURGED] = UT_DROPPED_PURGED};

static struct ut_event event_of(const struct ut_switch *sw, const struct spec_discard *discard) {
  struct ut_event event = {.kind = UT_EVENT_LOST, .sw = sw->id, .header = discard->header};
  if (discard->reason != SPEC_QUEUED) { /* these go down with their link */
    event.kind = UT_EVENT_DROPPED;
    event.why = dropped[discard->reason];
  }
  return event;
}

/* ---- inputs of a switch */

static void see_wires(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t lane,
                      struct spec_inputs *in) {
  const struct ut_wires *wires = group->wires;
  for (unsigned ivc = 0; ivc < group->shape.v; ivc++)
    for (unsigned ip = 0; ip < group->shape.pi; ip++) {
      const uint32_t input = lane + (ivc << group->form.port_bits | ip);
      if (!cycle->flits[input])
        continue;
      in->arrival[ip].valid = true;
      in->arrival[ip].vc = ivc;
      in->arrival[ip].flit =
          ut_spec_flit_of(ut_wires_flit(wires, input, ut_position_at(wires->write, input, wires->wide)), wires->words);
    }
  for (unsigned ovc = 0; ovc < group->shape.v; ovc++)
    for (unsigned op = 0; op < group->shape.po; op++)
      in->credit[op][ovc] = cycle->credits[lane + (ovc << group->form.port_bits | op)] != 0;
}

static void see(const struct ut_group *group, const struct ut_cycle *cycle, const struct ut_switch *sw,
                struct spec_inputs *in) {
  memset(in, 0, sizeof *in);
  in->in_up = cycle->in_up[sw->id];
  in->out_up = cycle->out_up[sw->id];
  for (unsigned i = 0; i < cycle->reports; i++)
    in->report[i] = cycle->report[(size_t)sw->id * cycle->reports + i];
  in->config = cycle->config ? cycle->config[sw->id] : cycle->order;
  see_wires(group, cycle, ut_block_of(group, sw)->lane + ut_lane_of(group, sw), in);
}

/* ---- reports to the network */

/* The state before the cycle. */
struct known {
  uint32_t report;
  struct spec_node_states nodes;
};

static struct known known_of(const struct spec_switch *spec) {
  return (struct known){.report = spec_report(spec), .nodes = spec->nodes};
}

/* Reports lost packets, whose heads arrive on a link that is down. */
static void tell_lost(const struct ut_switch *sw, const struct spec_switch *spec, const struct spec_inputs *in,
                      struct ut_events *events) {
  for (unsigned ip = 0; ip < spec->shape.pi; ip++) {
    const bool accepted = !sw->held && spec->in[ip].up && in->in_up >> ip & 1;
    if (in->arrival[ip].valid && in->arrival[ip].flit.head && !accepted)
      ut_events_add(events,
                    (struct ut_event){.kind = UT_EVENT_LOST, .sw = sw->id, .header = in->arrival[ip].flit.word[0]});
  }
}

/* Reports discarded packets, and states that neighbours or statistics read. */
static void tell(const struct ut_switch *sw, const struct spec_switch *spec, const struct known *before,
                 struct ut_events *events) {
  const struct spec_node_states *states = &spec->nodes, *old = &before->nodes;
  const bool nodes_changed = states->bad != old->bad || states->diagonal != old->diagonal ||
                             states->border != old->border || states->corner != old->corner ||
                             states->unsafe != old->unsafe || states->disabled != old->disabled;
  for (unsigned i = 0; i < spec->discards; i++)
    ut_events_add(events, event_of(sw, &spec->discard[i]));
  if (spec_report(spec) != before->report || nodes_changed)
    ut_events_add(events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = sw->id});
}

/* Statistics: counts heads that came from above and have crossed to upward ports. */
static unsigned count_u_turns(const struct ut_group *group, const struct spec_switch *spec) {
  unsigned count = 0;
  for (unsigned op = 0; group->form.u_turns && op < group->shape.po; op++)
    count += spec->out[op].crossed && spec->out[op].head &&
             group->up_ports >> op & group->up_ports >> spec->out[op].from & 1;
  return count;
}

/* Statistics: counts the timers that expire in this cycle, so that the vector is cleared.  sw: the switch before the
 * cycle. */
static bool expires(const struct ut_switch *sw, const struct spec_switch *spec) {
  return sw->stage.timeout && (uint16_t)(sw->timer + 1) == sw->stage.timeout && sw->vector & ~spec->reroute.vector;
}

static unsigned count_hops(const struct spec_switch *spec) {
  unsigned count = 0;
  for (unsigned op = 0; op < spec->shape.po; op++)
    count += spec->out[op].crossed;
  return count;
}

/* ---- the spec beside the model */

static uint32_t block_end(const struct ut_group *group, const struct ut_block *block) {
  const uint32_t end = block->first + (1u << group->form.block_bits);
  return end < group->count ? end : group->count;
}

/* Returns whether the model has put on the wires what the spec drives. */
static bool same_wires(const struct ut_group *group, const struct ut_cycle *cycle, const struct ut_switch *sw,
                       const struct spec_switch *spec) {
  const uint32_t first = ut_block_of(group, sw)->lane + ut_lane_of(group, sw);
  for (unsigned vc = 0; vc < group->shape.v; vc++) {
    const uint32_t lane = first + (vc << group->form.port_bits);
    for (unsigned op = 0; op < group->shape.po; op++) {
      const struct spec_output_port *out = &spec->out[op];
      const bool sends = out->valid && out->flit_vc == vc;
      const uint8_t wire = sends ? (uint8_t)ut_flit_wire(ut_reg_flit(group, sw, op)[group->form.words]) | UT_COMES : 0;
      if (group->wires->to[lane + op] != UT_NO_LANE && cycle->flits_later[group->wires->to[lane + op]] != wire)
        return false;
    }
    for (unsigned ip = 0; ip < group->shape.pi; ip++)
      if (group->wires->from[lane + ip] != UT_NO_LANE &&
          (cycle->credits_later[group->wires->from[lane + ip]] != 0) != spec->in[ip].vc[vc].credit)
        return false;
  }
  return true;
}

static unsigned count_events(const struct ut_events *events, size_t from, const struct ut_event *like) {
  unsigned count = 0;
  for (size_t i = from; i < events->count; i++) {
    const struct ut_event *event = &events->event[i];
    count +=
        event->kind == like->kind && event->sw == like->sw && event->why == like->why && event->header == like->header;
  }
  return count;
}

/* Returns whether the model's events of a switch are the expected ones, apart from states that may have changed. */
static bool same_events(uint32_t sw, const struct ut_events *model, size_t from, const struct ut_events *spec) {
  for (size_t i = 0; i < spec->count; i++) {
    const struct ut_event *event = &spec->event[i];
    const unsigned told = count_events(model, from, event), must = count_events(spec, 0, event);
    if (event->sw == sw && (event->kind == UT_EVENT_STATE ? !told : told != must))
      return false;
  }
  for (size_t i = from; i < model->count; i++)
    if (model->event[i].sw == sw && model->event[i].kind != UT_EVENT_STATE && !count_events(spec, 0, &model->event[i]))
      return false;
  return true;
}

/* Runs one cycle of the spec, on the same wires that the model will read; expected: the events that the model must
 * report. */
static void step_beside(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t n,
                        struct ut_events *expected) {
  const struct ut_switch *sw = ut_switch_of(group, group->first + n);
  struct spec_switch *spec = &group->spec->sw[n];
  struct spec_inputs in;
  see(group, cycle, sw, &in);
  tell_lost(sw, spec, &in, expected);
  group->spec->u_turns[n] = sw->u_turns;
  if (sw->held)
    return;
  const struct known before = known_of(spec);
  spec_step(spec, &in);
  tell(sw, spec, &before, expected);
  group->spec->u_turns[n] += count_u_turns(group, spec);
}

static uint64_t check_steps(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                            struct ut_events *events) {
  struct ut_spec_group *spec = group->spec;
  struct ut_events expected = {0};
  uint64_t hops = 0;
  for (uint32_t i = first; i < first + count; i++) {
    const struct ut_block *block = ut_block_at(group, i, group->form);
    const size_t from = events->count;
    uint64_t left = 0;
    expected.count = 0;
    for (uint32_t n = block->first; n < block_end(group, block); n++) {
      step_beside(group, cycle, n, &expected);
      left += count_hops(&spec->sw[n]);
    }
    const uint64_t counted = spec->steps(group, cycle, i, 1, events);
    for (uint32_t n = block->first; n < block_end(group, block); n++) {
      const struct ut_switch *sw = ut_switch_of(group, group->first + n);
      unsigned differ;
      spec->compared[n] += ut_spec_compare(group, sw->id, NULL, NULL, &differ);
      spec->differs[n] |= differ || (!sw->held && !same_wires(group, cycle, sw, &spec->sw[n])) ||
                          sw->u_turns != spec->u_turns[n] || !same_events(sw->id, events, from, &expected);
    }
    spec->differs[block->first] |= counted != left;
    hops += counted;
  }
  events->failure |= expected.failure;
  free(expected.event);
  return hops;
}

/* ---- the spec in the place of the model */

/* Takes the arrivals off the wires. */
static void take_wires(const struct ut_group *group, const struct ut_cycle *cycle, const struct ut_switch *sw) {
  const uint32_t lane = ut_block_of(group, sw)->lane + ut_lane_of(group, sw);
  memset(cycle->flits + lane, 0, (size_t)1 << group->form.each_bits);
  memset(cycle->credits + lane, 0, (size_t)1 << group->form.each_bits);
}

static void drive_wires(const struct ut_group *group, const struct ut_cycle *cycle, const struct ut_switch *sw,
                        const struct spec_switch *spec) {
  const uint32_t lane = ut_block_of(group, sw)->lane + ut_lane_of(group, sw);
  for (unsigned op = 0; op < group->shape.po; op++)
    if (spec->out[op].valid)
      ut_wires_send(group->wires, lane + (spec->out[op].flit_vc << group->form.port_bits | op),
                    ut_reg_flit(group, sw, op), cycle->flits_later);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    for (unsigned ivc = 0; ivc < group->shape.v; ivc++)
      if (spec->in[ip].vc[ivc].credit)
        cycle->credits_later[group->wires->from[lane + (ivc << group->form.port_bits | ip)]] = 0xff;
}

static uint64_t spec_steps(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                           struct ut_events *events) {
  uint64_t hops = 0;
  for (uint32_t i = first; i < first + count; i++) {
    const struct ut_block *block = ut_block_at(group, i, group->form);
    for (uint32_t n = block->first; n < block_end(group, block); n++) {
      struct ut_switch *sw = ut_switch_of(group, group->first + n);
      struct spec_switch *spec = &group->spec->sw[n];
      struct spec_inputs in;
      see(group, cycle, sw, &in);
      take_wires(group, cycle, sw);
      tell_lost(sw, spec, &in, events);
      if (sw->held)
        continue;
      const struct known before = known_of(spec);
      spec_step(spec, &in);
      sw->expiries += expires(sw, spec);
      ut_spec_show(group, sw, spec);
      drive_wires(group, cycle, sw, spec);
      tell(sw, spec, &before, events);
      sw->u_turns += count_u_turns(group, spec);
      hops += count_hops(spec);
    }
  }
  return hops;
}

/* ---- attached, detached */

void ut_spec_detach(struct ut_group *group) {
  struct ut_spec_group *spec = group->spec;
  if (!spec)
    return;
  for (uint32_t i = 0; spec->sw && i < group->count; i++)
    spec_fini(&spec->sw[i]);
  group->steps = spec->steps;
  free(spec->sw), free(spec->compared), free(spec->differs), free(spec->u_turns), free(spec->turn), free(spec->cover),
      free(spec);
  group->spec = NULL;
}

bool ut_spec_attach(struct ut_group *group, enum ut_spec_use use) {
  struct ut_spec_group *spec = calloc(1, sizeof *spec);
  if (!spec)
    return false;
  spec->use = use;
  spec->steps = group->steps;
  spec->sw = calloc(group->count, sizeof *spec->sw);
  spec->compared = calloc(group->count, sizeof *spec->compared);
  spec->differs = calloc(group->count, sizeof *spec->differs);
  spec->u_turns = calloc(group->count, sizeof *spec->u_turns);
  spec->turn = calloc(group->count, sizeof *spec->turn);
  group->spec = spec;
  bool memory = spec->sw && spec->compared && spec->differs && spec->u_turns && spec->turn;
  for (uint32_t i = 0; memory && i < group->count; i++) {
    memory = spec_init(&spec->sw[i], &group->shape);
    if (memory)
      ut_spec_load(group, ut_switch_of(group, group->first + i), &spec->sw[i]);
  }
  if (!memory) {
    ut_spec_detach(group);
    return false;
  }
  group->steps = use == UT_SPEC_STEPS ? spec_steps : check_steps;
  return true;
}

bool ut_spec_cover(struct ut_group *group) {
  struct ut_spec_group *spec = group->spec;
  if (!spec->cover)
    spec->cover = calloc(group->count, sizeof *spec->cover);
  for (uint32_t i = 0; spec->cover && i < group->count; i++)
    spec->sw[i].cover = &spec->cover[i];
  return spec->cover;
}

void ut_spec_covered(const struct ut_group *group, uint64_t hits[SPEC_COVER_POINTS]) {
  if (!group->spec || !group->spec->cover)
    return;
  for (uint32_t i = 0; i < group->count; i++)
    for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
      hits[point] += group->spec->cover[i].hits[point];
}

void ut_spec_adopt(const struct ut_group *group, const struct ut_switch *sw) {
  ut_spec_load(group, sw, &group->spec->sw[sw->id - group->first]);
}

void ut_spec_reset(const struct ut_group *group, const struct ut_switch *sw) {
  spec_reset(&group->spec->sw[sw->id - group->first], sw->straps);
}

uint32_t ut_spec_differing(const struct ut_group *group) {
  for (uint32_t i = 0; i < group->count; i++)
    if (group->spec->differs[i])
      return group->first + i;
  return UINT32_MAX;
}

uint64_t ut_spec_compared(const struct ut_group *group) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < group->count; i++)
    sum += group->spec->compared[i];
  return sum;
}

unsigned ut_spec_compare(const struct ut_group *group, uint32_t sw, ut_spec_difference *f, void *ctx,
                         unsigned *differ) {
  return ut_spec_compare_registers(group, ut_switch_of(group, sw), &group->spec->sw[sw - group->first], f, ctx, differ);
}
