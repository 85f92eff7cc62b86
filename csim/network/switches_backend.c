/* SPDX-License-Identifier: Apache-2.0 */
/* switches_backend.c - the switches of a backend: reads their inputs from the wires and writes their outputs
 * (switches.h). */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "switches.h"

/* The wires of all switches of one elaboration of a backend. */
struct view {
  uint8_t *flits, *credits, *flits_later, *credits_later;
  uint32_t lane, first; /* the first lane, and the switch that it belongs to */
  unsigned port_bits, each_bits;
};
static struct view view_of(const struct ut_network *net, unsigned e) {
  return (struct view){.flits = ut_network_flit_in(net, 0, 0),
                       .credits = ut_network_credit_in(net, 0, 0),
                       .flits_later = net->wires.flits[ut_wires_slot(&net->wires, net->cycle + net->link_cycles)],
                       .credits_later = net->wires.credits[ut_wires_slot(&net->wires, net->cycle + net->link_cycles)],
                       .lane = net->lane[e],
                       .first = net->topology->elaboration[e].first,
                       .port_bits = net->form[e].port_bits,
                       .each_bits = net->form[e].each_bits};
}

/* Puts the outputs of a backend's switch onto its wires.  lane: the first lane of the switch. */
static void drive(struct ut_network *net, struct ut_partition *partition, const struct view *view, uint32_t s,
                  uint32_t lane, const struct ut_switch_out *out) {
  struct ut_wires *wires = &net->wires;
  UT_FOR_EACH (op, out->valid) {
    const uint64_t *flit = out->flit + (size_t)op * out->stride;
    const unsigned vc = net->v > 1 ? ut_flit_vc(flit[net->words]) : 0;
    ut_wires_send(wires, lane + (vc << view->port_bits | op), flit, view->flits_later);
  }
  for (unsigned v = 0; v < net->v; v++)
    UT_FOR_EACH (ip, out->credit[v])
      view->credits_later[wires->from[lane + (v << view->port_bits | ip)]] = 0xff;
  if (out->reports != net->reported[s])
    ut_events_add(&partition->events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = s, .header = out->reports});
}

/* Returns a mask of the bytes whose top bit announces an arrival, of the first `ports` bytes; reads groups of 8
 * bytes. */
static inline ut_mask comes(const uint8_t *bytes, unsigned ports) {
  ut_mask mask = 0;
  for (unsigned i = 0; i < ports; i += 8) {
    uint64_t eight; /* behind the lanes of a small switch are those of another one, or unused ones */
    memcpy(&eight, bytes + i, 8);
    if (eight)
      mask |= (ut_mask)((eight >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << i;
  }
  return mask & ut_mask_all(ports);
}

/* Takes the arrivals of a backend's switch from its wires; returns whether there are any. */
static bool take(struct ut_network *net, const struct view *view, uint32_t first, struct ut_switch_in *in,
                 const uint64_t **flit, ut_mask *credit) {
  const unsigned ports = 1u << view->port_bits;
  ut_mask any = 0;
  in->valid = 0;
  for (unsigned i = 0; i < net->v; i++) {
    const uint32_t lane = first + (i << view->port_bits);
    const ut_mask valid = comes(view->flits + lane, ports);
    UT_FOR_EACH (p, valid)
      flit[p] = ut_wires_take(&net->wires, lane + p, view->flits);
    credit[i] = comes(view->credits + lane, ports);
    if (credit[i])
      memset(view->credits + lane, 0, ports);
    in->valid |= valid;
    any |= valid | credit[i];
  }
  return any;
}

/* Takes the arrivals of a range of switches from the wires, and adds the switches that have work to the batch, behind
 * `count` others.  Returns the new count. */
static unsigned gather(struct ut_network *net, struct ut_partition *partition, const struct view *view, uint32_t first,
                       uint32_t end, unsigned count) {
  const struct ut_batch *batch = &partition->batch;
  for (uint32_t s = first; s < end; s++) {
    batch->in[count] = (struct ut_switch_in){
        .in_up = net->in_up[s],
        .out_up = net->out_up[s],
        .report = net->report + (size_t)s * net->reports,
        .credit = batch->credit + count * UT_MAX_VCS,
        .flit = batch->flit + count * UT_MAX_PORTS,
        .config = net->manager.word ? net->manager.word[s] : net->purge_protocol.word,
    };
    net->stepped[s] = take(net, view, view->lane + ((s - view->first) << view->each_bits), &batch->in[count],
                           batch->flit + count * UT_MAX_PORTS, batch->credit + count * UT_MAX_VCS) |
                      net->awake[s];
    net->awake[s] = 0;
    batch->sw[count] = s;
    count += net->stepped[s] && !ut_bitmap_get(net->failed, s);
  }
  return count;
}

/* Puts the outputs of the switches of the batch, from `first` on, onto the wires. */
static void scatter(struct ut_network *net, struct ut_partition *partition, const struct view *view, unsigned first,
                    unsigned end) {
  const struct ut_batch *batch = &partition->batch;
  for (unsigned i = first; i < end; i++) {
    const uint32_t s = batch->sw[i];
    drive(net, partition, view, s, view->lane + ((s - view->first) << view->each_bits), &batch->out[i]);
    net->awake[s] = batch->out[i].busy;
    partition->flit_hops += (unsigned)__builtin_popcountll(batch->out[i].valid);
  }
}

/* Steps a range of switches in batches of those that one call steps, if they have work. */
static void step_batch(struct ut_network *net, struct ut_partition *partition, const struct view *view, uint32_t first,
                       uint32_t end) {
  const struct ut_batch *batch = &partition->batch;
  const unsigned count = gather(net, partition, view, first, end, 0);
  if (!count)
    return;
  net->backend->step(net->backend->self, batch->sw, count, batch->in, batch->out);
  scatter(net, partition, view, 0, count);
}

static void step(struct ut_network *net, struct ut_partition *partition, const struct ut_span *span) {
  const unsigned together = net->backend->together;
  const struct view view = view_of(net, span->elaboration);
  for (uint32_t s = span->first; s < span->end; s += together)
    step_batch(net, partition, &view, s, span->end - s < together ? span->end : s + together);
}

static bool init(struct ut_network *net) {
  net->awake = calloc(net->topology->switches, sizeof *net->awake);
  return net->awake;
}

static void fini(struct ut_network *net) {
  free(net->awake);
}

static void reset(struct ut_network *net, uint32_t s) {
  net->backend->reset(net->backend->self, s, net->topology->straps[s]);
}

static void configure(struct ut_network *net, uint32_t s, uint64_t word) {
  net->backend->configure(net->backend->self, s, word);
}

static void disturb(struct ut_network *net, uint32_t s) {
  net->awake[s] = 1;
}

static uint32_t reports(struct ut_network *net, const struct ut_event *event) {
  (void)net;
  return (uint32_t)event->header;
}

const struct ut_switches ut_switches_backend = {
    .init = init,
    .fini = fini,
    .reset = reset,
    .configure = configure,
    .disturb = disturb,
    .step = step,
    .reports = reports,
    .disturbed_by_orders = true,
    .lanes_for_a_thread = 128, /* a Verilated switch takes longer than a model switch */
};

/* ---- a cycle in two halves */

const struct ut_batch *ut_network_offer(struct ut_network *net, unsigned *count) {
  struct ut_partition *partition = net->partition;
  ut_network_begin_cycle(net);
  ut_network_step_terminals(net, 0);
  *count = 0;
  for (unsigned i = 0; i < partition->spans; i++) {
    const struct view view = view_of(net, partition->span[i].elaboration);
    *count = gather(net, partition, &view, partition->span[i].first, partition->span[i].end, *count);
  }
  return &partition->batch;
}

void ut_network_accept(struct ut_network *net, unsigned count) {
  struct ut_partition *partition = net->partition;
  unsigned first = 0;
  for (unsigned i = 0; i < partition->spans; i++) {
    const struct view view = view_of(net, partition->span[i].elaboration);
    unsigned end = first;
    while (end < count && partition->batch.sw[end] < partition->span[i].end)
      end++;
    scatter(net, partition, &view, first, end);
    first = end;
  }
  ut_network_end_cycle(net);
}
