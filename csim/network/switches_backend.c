/* SPDX-License-Identifier: Apache-2.0 */
/* switches_backend.c - switches that a backend steps, what they see of the wires and what they drive: see switches.h */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "switches.h"

/* The wires of switches of a backend, as all of an elaboration need them. */
struct view {
  uint8_t *flits, *credits, *flits_later, *credits_later;
  uint32_t lane, first; /* the first lane, and the switch that it belongs to */
  unsigned port_bits, each_bits;
};
static struct view view_of(const struct ut_network *n, unsigned e) {
  return (struct view){.flits = ut_network_flit_in(n, 0, 0),
                       .credits = ut_network_credit_in(n, 0, 0),
                       .flits_later = n->wires.flits[ut_wires_slot(&n->wires, n->cycle + n->link_cycles)],
                       .credits_later = n->wires.credits[ut_wires_slot(&n->wires, n->cycle + n->link_cycles)],
                       .lane = n->lane[e],
                       .first = n->topology.elaboration[e].first,
                       .port_bits = n->form[e].port_bits,
                       .each_bits = n->form[e].each_bits};
}

/* Puts what a switch of a backend drives onto its wires; lane: the first one of the switch. */
static void drive(struct ut_network *n, struct ut_partition *p, const struct view *x, uint32_t s, uint32_t lane,
                  const struct ut_switch_out *out) {
  struct ut_wires *w = &n->wires;
  UT_FOR_EACH (op, out->valid) {
    const uint64_t *flit = out->flit + (size_t)op * out->stride;
    const unsigned vc = n->v > 1 ? ut_flit_vc(flit[n->words]) : 0;
    ut_wires_send(w, lane + (vc << x->port_bits | op), flit, x->flits_later);
  }
  for (unsigned v = 0; v < n->v; v++)
    UT_FOR_EACH (ip, out->credit[v])
      x->credits_later[w->from[lane + (v << x->port_bits | ip)]] = 0xff;
  if (out->reports != n->reported[s])
    ut_events_add(&p->events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = s, .header = out->reports});
}

/* Bytes of a wire, whose highest bit says that something comes, as a mask; so many or fewer, of a power of two. */
static inline ut_mask comes(const uint8_t *bytes, unsigned ports) {
  ut_mask mask = 0;
  for (unsigned i = 0; i < ports; i += 8) {
    uint64_t eight; /* a switch with fewer has others' lanes behind it, or nobody's */
    memcpy(&eight, bytes + i, 8);
    if (eight)
      mask |= (ut_mask)((eight >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << i;
  }
  return mask & ut_mask_all(ports);
}

/* Takes what is on the wires to a switch of a backend; returns whether there is anything. */
static bool take(struct ut_network *n, const struct view *x, uint32_t first, struct ut_switch_in *in,
                 const uint64_t **flit, ut_mask *credit) {
  const unsigned ports = 1u << x->port_bits;
  ut_mask any = 0;
  in->valid = 0;
  for (unsigned i = 0; i < n->v; i++) {
    const uint32_t lane = first + (i << x->port_bits);
    const ut_mask valid = comes(x->flits + lane, ports);
    UT_FOR_EACH (p, valid)
      flit[p] = ut_wires_take(&n->wires, lane + p, x->flits);
    credit[i] = comes(x->credits + lane, ports);
    if (credit[i])
      memset(x->credits + lane, 0, ports);
    in->valid |= valid;
    any |= valid | credit[i];
  }
  return any;
}

/* Takes what is on the wires to those of some switches of a backend that have work, behind `count` others of the batch;
 * returns how many these are then. */
static unsigned gather(struct ut_network *n, struct ut_partition *p, const struct view *x, uint32_t first, uint32_t end,
                       unsigned count) {
  const struct ut_batch *b = &p->batch;
  for (uint32_t s = first; s < end; s++) {
    b->in[count] = (struct ut_switch_in){
        .in_up = n->in_up[s],
        .out_up = n->out_up[s],
        .report = n->report + (size_t)s * n->reports,
        .credit = b->credit + count * UT_MAX_VCS,
        .flit = b->flit + count * UT_MAX_PORTS,
        .config = n->manager.word ? n->manager.word[s] : n->purge_protocol.word,
    };
    n->stepped[s] = take(n, x, x->lane + ((s - x->first) << x->each_bits), &b->in[count],
                         b->flit + count * UT_MAX_PORTS, b->credit + count * UT_MAX_VCS) |
                    n->awake[s];
    n->awake[s] = 0;
    b->sw[count] = s;
    count += n->stepped[s] && !ut_bitmap_get(n->failed, s);
  }
  return count;
}

/* Puts what those of the batch from `first` on drive onto the wires. */
static void scatter(struct ut_network *n, struct ut_partition *p, const struct view *x, unsigned first, unsigned end) {
  const struct ut_batch *b = &p->batch;
  for (unsigned i = first; i < end; i++) {
    const uint32_t s = b->sw[i];
    drive(n, p, x, s, x->lane + ((s - x->first) << x->each_bits), &b->out[i]);
    n->awake[s] = b->out[i].busy;
    p->flit_hops += (unsigned)__builtin_popcount(b->out[i].valid);
  }
}

/* Steps those of some switches of a backend that have work: all that are stepped together. */
static void step_batch(struct ut_network *n, struct ut_partition *p, const struct view *x, uint32_t first,
                       uint32_t end) {
  const struct ut_batch *b = &p->batch;
  const unsigned count = gather(n, p, x, first, end, 0);
  if (!count)
    return;
  n->backend->step(n->backend->self, b->sw, count, b->in, b->out);
  scatter(n, p, x, 0, count);
}

static void step(struct ut_network *n, struct ut_partition *p, const struct ut_span *span) {
  const unsigned together = n->backend->together;
  const struct view x = view_of(n, span->elaboration);
  for (uint32_t s = span->first; s < span->end; s += together)
    step_batch(n, p, &x, s, span->end - s < together ? span->end : s + together);
}

static bool init(struct ut_network *n) {
  n->awake = calloc(n->topology.switches, sizeof *n->awake);
  return n->awake;
}

static void fini(struct ut_network *n) {
  free(n->awake);
}

static void reset(struct ut_network *n, uint32_t s) {
  n->backend->reset(n->backend->self, s, n->topology.straps[s]);
}

static void configure(struct ut_network *n, uint32_t s, uint64_t word) {
  n->backend->configure(n->backend->self, s, word);
}

static void disturb(struct ut_network *n, uint32_t s) {
  n->awake[s] = 1;
}

static uint32_t reports(struct ut_network *n, const struct ut_event *e) {
  (void)n;
  return (uint32_t)e->header;
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
    .lanes_for_a_thread = 128, /* a Verilated switch takes more time than one of the model */
};

/* ---- a cycle in two halves */

const struct ut_batch *ut_network_offer(struct ut_network *n, unsigned *count) {
  struct ut_partition *p = n->piece;
  ut_network_begin_cycle(n);
  ut_network_step_terminals(n, 0);
  *count = 0;
  for (unsigned i = 0; i < p->spans; i++) {
    const struct view x = view_of(n, p->span[i].elaboration);
    *count = gather(n, p, &x, p->span[i].first, p->span[i].end, *count);
  }
  return &p->batch;
}

void ut_network_accept(struct ut_network *n, unsigned count) {
  struct ut_partition *p = n->piece;
  unsigned first = 0;
  for (unsigned i = 0; i < p->spans; i++) {
    const struct view x = view_of(n, p->span[i].elaboration);
    unsigned end = first;
    while (end < count && p->batch.sw[end] < p->span[i].end)
      end++;
    scatter(n, p, &x, first, end);
    first = end;
  }
  ut_network_end_cycle(n);
}
