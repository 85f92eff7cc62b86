/* SPDX-License-Identifier: Apache-2.0 */
/* packet_log.c - see packet_log.h */
#include "packet_log.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"

/* A packet on its way. */
struct ut_passage {
  uint64_t injected; /* UT_NEVER: it has not been on a wire */
  struct ut_peer at; /* where its head was sent to last */
  uint32_t hops, u_turns, detours;
  uint8_t sub_path; /* of a planned route: that of its header when it was sent last */
};

/* Those of a terminal: from the oldest one in the network up to, not including, `end`; ring of capacity `mask` + 1 */
struct ut_packet_window {
  struct ut_passage *passage;
  uint64_t end;
  uint32_t mask;
};

static const char *const result_name[] = {
    [UT_DELIVERED] = "delivered", [UT_PACKET_IN_FLIGHT] = "in_flight", [UT_PACKET_QUEUED] = "queued"};

const char *ut_packet_result(const struct ut_packet *p) {
  return p->fate < UT_DISCARD_REASONS ? "discarded" : result_name[p->fate];
}

bool ut_packet_log_init(struct ut_packet_log *p, const struct ut_network *n, ut_packet_sink *sink, void *ctx) {
  *p = (struct ut_packet_log){.sink = sink, .ctx = ctx, .terminals = n->topology.terminals};
  p->window = calloc(p->terminals, sizeof *p->window);
  return p->window != NULL;
}

void ut_packet_log_free(struct ut_packet_log *p) {
  for (uint32_t i = 0; p->window && i < p->terminals; i++)
    free(p->window[i].passage);
  free(p->window);
  *p = (struct ut_packet_log){0};
}

static inline struct ut_passage *passage_of(const struct ut_packet_window *w, uint64_t sequence) {
  return &w->passage[sequence & w->mask];
}

/* ---- what is told */

static void tell(const struct ut_packet_log *p, const struct ut_record *r, const struct ut_passage *q, uint32_t src,
                 uint64_t sequence, unsigned fate, uint64_t ended) {
  struct ut_packet packet = {.sequence = sequence,
                             .generated = r->cycle,
                             .injected = UT_NEVER,
                             .ended = ended,
                             .src = (uint16_t)src,
                             .dst = r->dst,
                             .flits = r->flits,
                             .fate = (uint8_t)fate};
  if (q) {
    packet.injected = q->injected;
    packet.hops = q->hops;
    packet.u_turns = q->u_turns;
    packet.detours = q->detours;
  }
  p->sink(p->ctx, &packet);
}

/* ---- packets that are sent */

/* The switch that has a lane, the port there and the VC. */
static inline struct ut_peer place_of(const struct ut_network *n, uint32_t lane, uint8_t *vc) {
  unsigned e = n->topology.elaborations - 1;
  while (lane < n->lane[e])
    e--;
  const uint32_t at = lane - n->lane[e], within = at & ((1u << n->form[e].each_bits) - 1);
  *vc = (uint8_t)(within >> n->form[e].port_bits);
  return (struct ut_peer){.index = n->topology.elaboration[e].first + (at >> n->form[e].each_bits),
                          .port = (uint8_t)(at & ((1u << n->form[e].port_bits) - 1)),
                          .kind = UT_PEER_SWITCH};
}
static inline struct ut_peer peer_of(const struct ut_network *n, uint32_t lane) {
  uint8_t vc;
  return place_of(n, lane, &vc);
}

/* All that the terminal has injected have a place. */
static bool extend(struct ut_packet_window *w, const struct ut_terminal *t) {
  uint64_t room = w->passage ? (uint64_t)w->mask + 1 : 0, wanted = room ? room : 8;
  while (wanted < t->injected - t->base)
    wanted *= 2;
  if (wanted != room) {
    struct ut_passage *bigger = malloc(wanted * sizeof *bigger);
    if (!bigger)
      return false;
    for (uint64_t i = t->base; i < w->end; i++)
      bigger[i & (wanted - 1)] = *passage_of(w, i);
    free(w->passage);
    w->passage = bigger;
    w->mask = (uint32_t)(wanted - 1);
  }
  for (; w->end < t->injected; w->end++)
    *passage_of(w, w->end) = (struct ut_passage){.injected = UT_NEVER};
  return true;
}

/* 0: routes are not planned. */
static inline uint8_t sub_path_of(const struct ut_network *n, uint64_t header) {
  return n->terminals.paths ? (uint8_t)ut_leg_of(ut_header_rt(header)).sub_path : 0;
}

/* A terminal has sent a head from one lane to another. */
static bool inject(struct ut_packet_log *p, const struct ut_network *n, uint32_t from, uint32_t lane, uint64_t header) {
  struct ut_packet_window *w = &p->window[ut_header_src(header)];
  const struct ut_terminal *t = &n->terminals.terminal[ut_header_src(header)];
  if (!extend(w, t))
    return false;
  /* the last one with that tag */
  const uint64_t last = t->injected - 1, sequence = last - (uint8_t)(last - ut_header_tag(header));
  struct ut_passage *q = passage_of(w, sequence);
  q->injected = n->cycle;
  q->at = peer_of(n, lane);
  if (p->watch) {
    const uint32_t link = (from - n->wires.terminals) / n->v, each = n->terminals.links;
    const struct ut_packet_move m = {.sequence = sequence,
                                     .src = ut_header_src(header),
                                     .channel = ut_topology_injection(&n->topology, link / each, link % each),
                                     .lane = from,
                                     .vc = (uint8_t)((from - n->wires.terminals) % n->v)};
    p->watch->move(p->watch->ctx, &m);
  }
  return true;
}

/* ---- hops */

/* The packet of a head that a switch has sent: with that tag and destination; of several such, whose numbers differ by
 * 256, the oldest one that was there. */
static struct ut_passage *find(const struct ut_packet_log *p, const struct ut_network *n, uint64_t header, uint32_t sw,
                               uint16_t *dst, uint64_t *sequence) {
  const uint16_t src = ut_header_src(header);
  const struct ut_terminal *t = &n->terminals.terminal[src];
  for (uint64_t i = t->base + (uint8_t)(ut_header_tag(header) - t->base); i < t->injected; i += 256) {
    const struct ut_record *r = &t->record[i & t->mask];
    struct ut_passage *q = passage_of(&p->window[src], i);
    if (!r->live || q->at.kind != UT_PEER_SWITCH || q->at.index != sw ||
        !ut_paths_header_is_of(n->terminals.paths, r->dst, header))
      continue;
    *dst = r->dst;
    *sequence = i;
    return q;
  }
  return NULL;
}

/* A switch has sent a head from that lane. */
static void hop(struct ut_packet_log *p, const struct ut_network *n, uint32_t from, uint64_t header) {
  const struct ut_topology *t = &n->topology;
  uint8_t vc;
  const struct ut_peer out = place_of(n, from, &vc), to = t->peer[(size_t)out.index * t->po + out.port];
  uint16_t dst;
  uint64_t sequence;
  struct ut_passage *q = find(p, n, header, out.index, &dst, &sequence);
  if (!q) {
    p->strays++;
    return;
  }
  const bool u_turn = t->up_ports >> q->at.port & t->up_ports >> out.port & 1;
  bool detour = false;
  if (t->family->distance && to.kind == UT_PEER_SWITCH) {
    const uint32_t goal = ut_topology_attachment(t, dst).sw;
    detour = t->family->distance(t, to.index, goal) >= t->family->distance(t, out.index, goal);
  }
  const uint8_t sub_path = sub_path_of(n, header);
  const bool stripped = sub_path != q->sub_path;
  q->sub_path = sub_path;
  q->hops++;
  q->u_turns += u_turn;
  q->detours += detour;
  q->at = to;
  if (p->watch)
    p->watch->move(p->watch->ctx, &(struct ut_packet_move){.sequence = sequence,
                                                           .src = ut_header_src(header),
                                                           .channel = out.index * t->po + out.port,
                                                           .lane = from,
                                                           .vc = vc,
                                                           .u_turn = u_turn,
                                                           .detour = detour,
                                                           .stripped = stripped});
}

/* The flit that was sent last to a lane. */
static inline uint64_t sent_header(const struct ut_wires *w, uint32_t from, uint32_t to) {
  const unsigned next = ut_position_at(w->send, from, w->wide);
  return *ut_wires_flit(w, to, next ? next - 1 : 2 * w->depth - 1);
}

/* Looks at the heads on wires of some cycle that were sent in the last one: by switches, or by terminals. */
static bool look(struct ut_packet_log *p, const struct ut_network *n, unsigned cycles, bool terminals, bool switches) {
  const struct ut_wires *w = &n->wires;
  const uint8_t *flits = w->flits[ut_wires_slot(w, n->cycle - 1 + cycles)];
  for (uint32_t base = 0; base < w->lanes; base += 8) {
    uint64_t word;
    memcpy(&word, flits + base, sizeof word);
    for (word &= UINT64_C(0x0101010101010101) * UT_KIND_HEAD; word; word &= word - 1) {
      const uint32_t to = base + (uint32_t)__builtin_ctzll(word) / 8, from = w->from[to];
      if (from < w->terminals) {
        if (switches)
          hop(p, n, from, sent_header(w, from, to));
      } else if (terminals && !inject(p, n, from, to, sent_header(w, from, to))) {
        return false;
      }
    }
  }
  return true;
}

/* The same for tails, of whose packets nothing need be known. */
static void look_at_tails(const struct ut_packet_log *p, const struct ut_network *n, unsigned cycles, bool terminals,
                          bool switches) {
  const struct ut_wires *w = &n->wires;
  const uint8_t *flits = w->flits[ut_wires_slot(w, n->cycle - 1 + cycles)];
  for (uint32_t base = 0; base < w->lanes; base += 8) {
    uint64_t word;
    memcpy(&word, flits + base, sizeof word);
    for (word &= UINT64_C(0x0101010101010101) * UT_KIND_TAIL; word; word &= word - 1) {
      const uint32_t to = base + (uint32_t)__builtin_ctzll(word) / 8;
      if (w->from[to] < w->terminals ? switches : terminals)
        p->watch->tail(p->watch->ctx, w->from[to]);
    }
  }
}

bool ut_packet_log_observe(struct ut_packet_log *p, const struct ut_network *n, const struct ut_departures *left) {
  for (size_t i = 0; i < left->count; i++) {
    const struct ut_departure *d = &left->list[i];
    const struct ut_packet_window *w = &p->window[d->src];
    tell(p, &d->record, d->sequence < w->end ? passage_of(w, d->sequence) : NULL, d->src, d->sequence, d->reason,
         n->cycle - 1);
  }
  const bool alike = n->link_cycles == n->injection_cycles;
  if (!alike && !look(p, n, n->injection_cycles, true, false))
    return false;
  if (!look(p, n, n->link_cycles, alike, true))
    return false;
  if (p->watch && !alike)
    look_at_tails(p, n, n->injection_cycles, true, false);
  if (p->watch)
    look_at_tails(p, n, n->link_cycles, alike, true);
  return true;
}

void ut_packet_log_end(struct ut_packet_log *p, const struct ut_network *n) {
  for (uint32_t src = 0; src < p->terminals; src++) {
    const struct ut_terminal *t = &n->terminals.terminal[src];
    for (uint64_t i = t->base; i < t->end; i++) {
      const struct ut_record *r = &t->record[i & t->mask];
      if (i >= t->injected)
        tell(p, r, NULL, src, i, UT_PACKET_QUEUED, UT_NEVER);
      else if (r->live)
        tell(p, r, passage_of(&p->window[src], i), src, i, UT_PACKET_IN_FLIGHT, UT_NEVER);
    }
  }
}
