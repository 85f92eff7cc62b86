/* SPDX-License-Identifier: Apache-2.0 */
/* switches_model.c - the switches of a network as the model and the spec implement them (switches.h). */
#include <string.h>

#include "cycle.h"
#include "network_parts.h"
#include "node_states.h"
#include "registers.h"
#include "spec_group.h"
#include "switches.h"

/* ---- init and fini */

/* Makes a group for each elaboration. */
static bool init(struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  for (unsigned i = 0; i < topo->elaborations; i++) {
    struct ut_group *group = &net->group[i];
    if (!ut_group_init(group, &net->shape[i], topo->elaboration[i].first, topo->elaboration[i].count))
      return false;
    ut_group_join(group, &net->wires, net->lane[i]);
  }
  return true;
}

static void fini(struct ut_network *net) {
  for (unsigned i = 0; i < net->topology->elaborations; i++)
    ut_group_fini(&net->group[i]);
}

static void reset(struct ut_network *net, uint32_t s) {
  ut_switch_reset(ut_network_group(net, s), ut_network_switch(net, s), net->topology->straps[s]);
  ut_network_switch(net, s)->held = ut_bitmap_get(net->failed, s);
}

static void configure(struct ut_network *net, uint32_t s, uint64_t word) {
  ut_switch_configure(ut_network_group(net, s), ut_network_switch(net, s), word);
}

static void disturb(struct ut_network *net, uint32_t s) {
  ut_switch_disturb(ut_network_group(net, s), ut_network_switch(net, s));
}

/* ---- the spec */

const char *ut_network_unmodelled(const struct ut_network *net) {
  return ut_shape_unmodelled(net->shape); /* all elaborations have the same policies */
}

bool ut_network_use_spec(struct ut_network *net, enum ut_spec_use use) {
  const bool alone = ut_network_unmodelled(net);
  for (unsigned i = 0; i < net->topology->elaborations; i++) {
    ut_spec_detach(&net->group[i]);
    if (!ut_spec_attach(&net->group[i], alone ? UT_SPEC_STEPS : use))
      return false;
  }
  return true;
}

uint32_t ut_network_spec_differing(const struct ut_network *net) {
  uint32_t lowest = UINT32_MAX;
  for (unsigned i = 0; i < net->topology->elaborations; i++) {
    const uint32_t sw = ut_spec_differing(&net->group[i]);
    lowest = sw < lowest ? sw : lowest;
  }
  return lowest;
}

uint64_t ut_network_spec_compared(const struct ut_network *net) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < net->topology->elaborations; i++)
    sum += ut_spec_compared(&net->group[i]);
  return sum;
}

static bool begin(struct ut_network *net) {
  return !ut_network_unmodelled(net) || ut_network_use_spec(net, UT_SPEC_STEPS);
}

/* ---- one cycle */

static void step(struct ut_network *net, struct ut_partition *partition, const struct ut_span *span) {
  const struct ut_cycle cycle = {
      .wires = &net->wires,
      .flits = ut_network_flit_in(net, 0, 0),
      .credits = ut_network_credit_in(net, 0, 0),
      .flits_later = ut_network_flit_in(net, net->link_cycles, 0),
      .credits_later = ut_network_credit_in(net, net->link_cycles, 0),
      .in_up = net->in_up,
      .out_up = net->out_up,
      .report = net->report,
      .reports = net->reports,
      .config = net->manager.word,
      .order = net->purge_protocol.word,
  };
  partition->flit_hops +=
      ut_group_step(&net->group[span->elaboration], &cycle, span->block, span->blocks, &partition->events);
}

static void count_flits(struct ut_network *net) {
  for (uint32_t s = 0; s < net->topology->switches; s++)
    UT_FOR_EACH (op, ut_reg_valid(ut_network_group(net, s), ut_network_switch(net, s)))
      net->link_flits[(size_t)s * net->topology->po + op]++;
}

static uint32_t reports(struct ut_network *net, const struct ut_event *event) {
  const struct ut_group *group = ut_network_group(net, event->sw);
  const struct ut_switch *sw = ut_switch_of(group, event->sw);
  if (group->form.states && ut_node_states_of(group, sw)->changed &&
      net->cycle + 1 - net->settling.since > net->settling.longest)
    net->settling.longest = net->cycle + 1 - net->settling.since;
  return ut_switch_report(group, sw);
}

/* ---- faults */

static bool is_cut(const struct ut_network *net, const struct ut_peer *to, unsigned vc) {
  return to->kind == UT_PEER_SWITCH &&
         ut_reg_cut(ut_network_group(net, to->index), ut_network_switch(net, to->index), to->port, vc);
}

/* Counts the packets that a switch loses when it fails: flits that it would have refused in this cycle, because their
 * link went down earlier.  Its reset forgets their positions. */
static void lose_refused(struct ut_network *net, uint32_t id) {
  const struct ut_wires *wires = &net->wires;
  for (unsigned ip = 0; ip < ut_network_group(net, id)->shape.pi; ip++)
    for (unsigned v = 0; v < net->v && !(net->in_up[id] >> ip & 1); v++) {
      const struct ut_peer end = {.kind = UT_PEER_SWITCH, .index = id, .port = (uint8_t)ip};
      const uint32_t input = ut_network_lane(net, &end, v);
      if (*ut_network_flit_in(net, 0, input) & UT_KIND_HEAD)
        ut_terminals_discard(&net->terminals,
                             *ut_wires_flit(wires, input, ut_position_at(wires->write, input, wires->wide)),
                             UT_DISCARD_CUT_BY_FAULT);
      *ut_network_flit_in(net, 0, input) = 0;
    }
}

/* Why packets in a switch are lost: it fails, or all switches are reset. */
static enum ut_discard_reason reason_of_loss(const struct ut_network *net) {
  return net->faults.in_reset ? UT_DISCARD_PURGED : UT_DISCARD_IN_FAILED_SWITCH;
}

/* Counts the packets whose heads are in an output queue of a switch that fails. */
static void lose_queued(struct ut_network *net, const struct ut_group *group, const struct ut_switch *sw) {
  for (unsigned op = 0; op < group->shape.po; op++)
    for (unsigned v = 0; v < net->v; v++)
      for (unsigned i = 0; i < ut_reg_queue_count(group, sw, op, v); i++) {
        const uint64_t *flit = ut_reg_queue_peek(group, sw, op, v, i);
        if (flit[net->words] & UT_KIND_HEAD)
          ut_terminals_discard(&net->terminals, flit[0], reason_of_loss(net));
      }
}

/* Counts the packets whose heads are in a switch that fails. */
static void lose_contents(struct ut_network *net, uint32_t id) {
  const struct ut_group *group = ut_network_group(net, id);
  const struct ut_switch *sw = ut_switch_of(group, id);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    for (unsigned v = 0; v < net->v; v++)
      for (unsigned i = 0; i < ut_reg_count(group, sw, ip, v); i++) {
        /* a packet that is being drained has been counted as unreachable */
        const bool discarded = i == 0 && ut_reg_state(group, sw, ip, v) == UT_VC_STATE_DRAIN;
        const uint64_t *flit = ut_reg_peek(group, sw, ip, v, i);
        const bool head = i == 0 ? ut_reg_front_is_head(group, sw, ip, v) : flit[net->words] & UT_KIND_HEAD;
        if (head && !discarded)
          ut_terminals_discard(&net->terminals, flit[0], reason_of_loss(net));
      }
  lose_queued(net, group, sw);
  lose_refused(net, id);
}

/* ---- rest */

/* Of switches that the spec steps; the spec evaluates everything in every cycle. */
static bool spec_rests(const struct ut_group *group) {
  bool rest = !group->spec->cover; /* every cycle counts for coverage */
  for (uint32_t i = 0; i < group->count && rest; i++)
    rest = ut_reg_idle(group, ut_switch_of(group, group->first + i));
  return rest;
}

static bool group_rests(const struct ut_group *group) {
  static const uint64_t nothing[UT_SET_WORDS];
  if (group->spec && group->spec->use == UT_SPEC_STEPS)
    return spec_rests(group);
  bool rest = true;
  for (uint32_t i = 0; i < group->blocks && rest; i++)
    rest = ut_block_is_idle(ut_block_at(group, i, group->form), nothing, 0, group->form);
  return rest;
}

static bool rest(const struct ut_network *net) {
  bool all = true;
  for (unsigned i = 0; i < net->topology->elaborations && all; i++)
    all = group_rests(&net->group[i]);
  return all;
}

const struct ut_switches ut_switches_model = {
    .init = init,
    .begin = begin,
    .fini = fini,
    .reset = reset,
    .configure = configure,
    .disturb = disturb,
    .step = step,
    .reports = reports,
    .lose_contents = lose_contents,
    .is_cut = is_cut,
    .count_flits = count_flits,
    .rest = rest,
    .keep_refused = true,
    .lanes_for_a_thread = 4096,
};
