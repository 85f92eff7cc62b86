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

const char *ut_packet_result(const struct ut_packet *packet) {
  return packet->fate < UT_DISCARD_REASONS ? "discarded" : result_name[packet->fate];
}

bool ut_packet_log_init(struct ut_packet_log *packet_log, const struct ut_network *net, ut_packet_sink *sink,
                        void *ctx) {
  *packet_log = (struct ut_packet_log){.sink = sink, .ctx = ctx, .terminals = net->topology->terminals};
  packet_log->window = calloc(packet_log->terminals, sizeof *packet_log->window);
  packet_log->row = malloc(net->wires.lanes);
  return packet_log->window && packet_log->row;
}

void ut_packet_log_free(struct ut_packet_log *packet_log) {
  for (uint32_t i = 0; packet_log->window && i < packet_log->terminals; i++)
    free(packet_log->window[i].passage);
  free(packet_log->window);
  free(packet_log->row);
  *packet_log = (struct ut_packet_log){0};
}

static inline struct ut_passage *passage_of(const struct ut_packet_window *window, uint64_t sequence) {
  return &window->passage[sequence & window->mask];
}

/* ---- reports to the observer */

static void tell(const struct ut_packet_log *packet_log, const struct ut_record *record,
                 const struct ut_passage *passage, uint32_t src, uint64_t sequence, unsigned fate, uint64_t ended) {
  struct ut_packet packet = {.sequence = sequence,
                             .generated = record->cycle,
                             .injected = UT_NEVER,
                             .ended = ended,
                             .src = (uint16_t)src,
                             .dst = record->dst,
                             .flits = record->flits,
                             .fate = (uint8_t)fate};
  if (passage) {
    packet.injected = passage->injected;
    packet.hops = passage->hops;
    packet.u_turns = passage->u_turns;
    packet.detours = passage->detours;
  }
  packet_log->sink(packet_log->ctx, &packet);
}

/* ---- packets that are sent */

/* The switch that has a lane, the port there and the VC. */
static inline struct ut_peer place_of(const struct ut_network *net, uint32_t lane, uint8_t *vc) {
  unsigned e = net->topology->elaborations - 1;
  while (lane < net->lane[e])
    e--;
  const uint32_t at = lane - net->lane[e], within = at & ((1u << net->form[e].each_bits) - 1);
  *vc = (uint8_t)(within >> net->form[e].port_bits);
  return (struct ut_peer){.index = net->topology->elaboration[e].first + (at >> net->form[e].each_bits),
                          .port = (uint8_t)(at & ((1u << net->form[e].port_bits) - 1)),
                          .kind = UT_PEER_SWITCH};
}
static inline struct ut_peer peer_of(const struct ut_network *net, uint32_t lane) {
  uint8_t vc;
  return place_of(net, lane, &vc);
}

/* Makes room for all packets that the terminal has injected. */
static bool extend(struct ut_packet_window *window, const struct ut_terminal *terminal) {
  uint64_t room = window->passage ? (uint64_t)window->mask + 1 : 0, wanted = room ? room : 8;
  while (wanted < terminal->injected - terminal->base)
    wanted *= 2;
  if (wanted != room) {
    struct ut_passage *bigger = malloc(wanted * sizeof *bigger);
    if (!bigger)
      return false;
    for (uint64_t i = terminal->base; i < window->end; i++)
      bigger[i & (wanted - 1)] = *passage_of(window, i);
    free(window->passage);
    window->passage = bigger;
    window->mask = (uint32_t)(wanted - 1);
  }
  for (; window->end < terminal->injected; window->end++)
    *passage_of(window, window->end) = (struct ut_passage){.injected = UT_NEVER};
  return true;
}

/* 0: routes are not planned. */
static inline uint8_t sub_path_of(const struct ut_network *net, uint64_t header) {
  return net->terminals.paths ? (uint8_t)ut_leg_of(ut_header_rt(header)).sub_path : 0;
}

/* Records a head that a terminal has sent from one lane to another. */
static bool inject(struct ut_packet_log *packet_log, const struct ut_network *net, uint32_t from, uint32_t lane,
                   uint64_t header) {
  struct ut_packet_window *window = &packet_log->window[ut_header_src(header)];
  const struct ut_terminal *terminal = &net->terminals.terminal[ut_header_src(header)];
  if (!extend(window, terminal))
    return false;
  /* the last one with that tag */
  const uint64_t last = terminal->injected - 1, sequence = last - (uint8_t)(last - ut_header_tag(header));
  struct ut_passage *passage = passage_of(window, sequence);
  passage->injected = net->cycle;
  passage->at = peer_of(net, lane);
  if (packet_log->watch) {
    const uint32_t link = (from - net->wires.terminals) / net->v, each = net->terminals.links;
    const struct ut_packet_move move = {.sequence = sequence,
                                        .src = ut_header_src(header),
                                        .channel = ut_topology_injection(net->topology, link / each, link % each),
                                        .lane = from,
                                        .vc = (uint8_t)((from - net->wires.terminals) % net->v)};
    packet_log->watch->move(packet_log->watch->ctx, &move);
  }
  return true;
}

/* ---- hops */

/* Returns the packet of a head that a switch has sent: the one with that tag and destination; of several, whose numbers
 * differ by 256, the oldest one that was there. */
static struct ut_passage *find(const struct ut_packet_log *packet_log, const struct ut_network *net, uint64_t header,
                               uint32_t sw, uint16_t *dst, uint64_t *sequence) {
  const uint16_t src = ut_header_src(header);
  const struct ut_terminal *terminal = &net->terminals.terminal[src];
  for (uint64_t i = terminal->base + (uint8_t)(ut_header_tag(header) - terminal->base); i < terminal->injected;
       i += 256) {
    const struct ut_record *record = &terminal->record[i & terminal->mask];
    struct ut_passage *passage = passage_of(&packet_log->window[src], i);
    if (!record->live || passage->at.kind != UT_PEER_SWITCH || passage->at.index != sw ||
        !ut_paths_header_is_of(net->terminals.paths, record->dst, header))
      continue;
    *dst = record->dst;
    *sequence = i;
    return passage;
  }
  return NULL;
}

/* Records a head that a switch has sent from that lane. */
static void hop(struct ut_packet_log *packet_log, const struct ut_network *net, uint32_t from, uint64_t header) {
  const struct ut_topology *topo = net->topology;
  uint8_t vc;
  const struct ut_peer out = place_of(net, from, &vc), to = topo->peer[(size_t)out.index * topo->po + out.port];
  uint16_t dst;
  uint64_t sequence;
  struct ut_passage *passage = find(packet_log, net, header, out.index, &dst, &sequence);
  if (!passage) {
    packet_log->strays++;
    return;
  }
  const bool u_turn =
      ut_topology_up_ports(topo, out.index) >> passage->at.port & ut_topology_up_ports(topo, out.index) >> out.port & 1;
  bool detour = false;
  if (topo->family->distance && to.kind == UT_PEER_SWITCH) {
    const uint32_t goal = ut_topology_attachment(topo, dst).sw;
    detour = topo->family->distance(topo, to.index, goal) >= topo->family->distance(topo, out.index, goal);
  }
  const uint8_t sub_path = sub_path_of(net, header);
  const bool stripped = sub_path != passage->sub_path;
  passage->sub_path = sub_path;
  passage->hops++;
  passage->u_turns += u_turn;
  passage->detours += detour;
  passage->at = to;
  if (packet_log->watch)
    packet_log->watch->move(packet_log->watch->ctx, &(struct ut_packet_move){.sequence = sequence,
                                                                             .src = ut_header_src(header),
                                                                             .channel = out.index * topo->po + out.port,
                                                                             .lane = from,
                                                                             .vc = vc,
                                                                             .u_turn = u_turn,
                                                                             .detour = detour,
                                                                             .stripped = stripped});
}

/* Returns the flit that was sent last to a lane. */
static inline uint64_t sent_header(const struct ut_wires *wires, uint32_t from, uint32_t to) {
  const unsigned next = ut_position_at(wires->send, from, wires->wide);
  return *ut_wires_flit(wires, to, next ? next - 1 : 2 * wires->depth - 1);
}

/* Reads the heads on the wires of some cycle that were sent in the last one: by switches, or by terminals. */
static bool look(struct ut_packet_log *packet_log, const struct ut_network *net, unsigned cycles, bool terminals,
                 bool switches) {
  const struct ut_wires *wires = &net->wires;
  const uint8_t *flits = ut_network_sent(net, cycles, packet_log->row);
  for (uint32_t base = 0; base < wires->lanes; base += 8) {
    uint64_t word;
    memcpy(&word, flits + base, sizeof word);
    for (word &= UINT64_C(0x0101010101010101) * UT_KIND_HEAD; word; word &= word - 1) {
      const uint32_t to = base + (uint32_t)__builtin_ctzll(word) / 8, from = wires->from[to];
      if (from < wires->terminals) {
        if (switches)
          hop(packet_log, net, from, sent_header(wires, from, to));
      } else if (terminals && !inject(packet_log, net, from, to, sent_header(wires, from, to))) {
        return false;
      }
    }
  }
  return true;
}

/* Does the same for tails; their packets need not be known. */
static void look_at_tails(const struct ut_packet_log *packet_log, const struct ut_network *net, unsigned cycles,
                          bool terminals, bool switches) {
  const struct ut_wires *wires = &net->wires;
  const uint8_t *flits = ut_network_sent(net, cycles, packet_log->row);
  for (uint32_t base = 0; base < wires->lanes; base += 8) {
    uint64_t word;
    memcpy(&word, flits + base, sizeof word);
    for (word &= UINT64_C(0x0101010101010101) * UT_KIND_TAIL; word; word &= word - 1) {
      const uint32_t to = base + (uint32_t)__builtin_ctzll(word) / 8;
      if (wires->from[to] < wires->terminals ? switches : terminals)
        packet_log->watch->tail(packet_log->watch->ctx, wires->from[to]);
    }
  }
}

bool ut_packet_log_observe(struct ut_packet_log *packet_log, const struct ut_network *net,
                           const struct ut_departures *left) {
  for (size_t i = 0; i < left->count; i++) {
    const struct ut_departure *departure = &left->list[i];
    const struct ut_packet_window *window = &packet_log->window[departure->src];
    tell(packet_log, &departure->record,
         departure->sequence < window->end ? passage_of(window, departure->sequence) : NULL, departure->src,
         departure->sequence, departure->reason, net->cycle - 1);
  }
  const bool alike = net->link_cycles == net->injection_cycles;
  if (!alike && !look(packet_log, net, net->injection_cycles, true, false))
    return false;
  if (!look(packet_log, net, net->link_cycles, alike, true))
    return false;
  if (packet_log->watch && !alike)
    look_at_tails(packet_log, net, net->injection_cycles, true, false);
  if (packet_log->watch)
    look_at_tails(packet_log, net, net->link_cycles, alike, true);
  return true;
}

void ut_packet_log_end(struct ut_packet_log *packet_log, const struct ut_network *net) {
  for (uint32_t src = 0; src < packet_log->terminals; src++) {
    const struct ut_terminal *terminal = &net->terminals.terminal[src];
    for (uint64_t i = terminal->base; i < terminal->end; i++) {
      const struct ut_record *record = &terminal->record[i & terminal->mask];
      if (i >= terminal->injected)
        tell(packet_log, record, NULL, src, i, UT_PACKET_QUEUED, UT_NEVER);
      else if (record->live)
        tell(packet_log, record, passage_of(&packet_log->window[src], i), src, i, UT_PACKET_IN_FLIGHT, UT_NEVER);
    }
  }
}
