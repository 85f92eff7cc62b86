/* SPDX-License-Identifier: Apache-2.0 */
/* single_packets.h - every packet by itself: the places where packets for one terminal can be, found hop by hop by
 * asking the route function, with every re-route vector that an adversary may choose.  Slow and plain; of csim/prove it
 * uses the explorer alone: its channels, its faults, and its question to the route function. */
#ifndef UT_TEST_SINGLE_PACKETS_H
#define UT_TEST_SINGLE_PACKETS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explorer.h"
#include "packets.h"
#include "route_unit.h"

enum { SEARCH_SWITCHES = 128, SEARCH_NONE = UINT32_MAX };

/* A packet in a channel: the header words that it still has, and the bits that it has set in the re-route vectors of
 * switches.  Two packets are the same if all bytes are. */
struct search_packet {
  uint32_t channel, headers;
  uint64_t header[UT_MAX_HEADERS];
  ut_mask own[SEARCH_SWITCHES];
};

struct search_hop {
  uint32_t to; /* place; SEARCH_NONE: to a terminal or nowhere */
  uint8_t port, vc;
  bool u_turn;
};

struct search_place {
  uint32_t distance, first, end;       /* hops from the nearest source; its hops */
  uint32_t depth, u_turns;             /* most that are left */
  bool discarded, wrong, cut, endless; /* cut: over a link that has failed; endless: it can go on for ever */
};

struct packet_search {
  struct ut_explorer *explorer;
  const ut_mask *others; /* [switches]: bits that other packets may have set; NULL: none */
  uint32_t dst;
  struct search_packet *packet; /* [places], the nearest ones first */
  struct search_place *place;
  struct search_hop *hop;
  uint32_t places, room, hops, hop_room;
  struct ut_hash number_of;
  ut_mask kept[SEARCH_SWITCHES]; /* bits that some packet has set, of all searches */
};

static inline void search_free(struct packet_search *q) {
  free(q->packet), free(q->place), free(q->hop);
  ut_hash_free(&q->number_of);
  *q = (struct packet_search){0};
}

static inline void search_clear(struct packet_search *q, struct ut_explorer *x, const ut_mask *others, uint32_t dst) {
  assert_true(x->topology->switches <= SEARCH_SWITCHES);
  q->explorer = x, q->others = others, q->dst = dst;
  q->places = q->hops = 0;
  ut_hash_clear(&q->number_of);
}

/* The place of that packet; SEARCH_NONE: not found. */
static inline struct ut_hash_entry *search_entry(struct packet_search *q, const struct search_packet *p, bool *fresh) {
  uint64_t key = (uint64_t)p->channel << 32 | p->headers;
  for (uint32_t i = 0; i < p->headers; i++)
    key = ut_hash_mix(key ^ p->header[i]);
  for (uint32_t sw = 0; sw < q->explorer->topology->switches; sw++)
    key = p->own[sw] ? ut_hash_mix(key ^ ((uint64_t)sw << 32 | p->own[sw])) : key;
  for (;; key++) {
    struct ut_hash_entry *entry = ut_hash_at(&q->number_of, key, fresh);
    if (*fresh || !memcmp(&q->packet[entry->value], p, sizeof *p))
      return entry;
  }
}

static inline uint32_t search_add(struct packet_search *q, const struct search_packet *p, uint32_t distance) {
  bool fresh;
  struct ut_hash_entry *entry = search_entry(q, p, &fresh);
  if (!fresh)
    return entry->value;
  if (q->places == q->room) {
    q->room = 2 * q->room + 64;
    q->packet = realloc(q->packet, q->room * sizeof *q->packet);
    q->place = realloc(q->place, q->room * sizeof *q->place);
    assert_true(q->packet && q->place);
  }
  q->packet[q->places] = *p;
  q->place[q->places] = (struct search_place){.distance = distance, .endless = true};
  return entry->value = q->places++;
}

/* Without the header words that the switch takes away at once. */
static inline void search_strip(struct packet_search *q, struct search_packet *p) {
  struct ut_route_result r;
  while (p->headers > 1 && q->explorer->group[0].form.strips) {
    ut_explorer_ask_header(q->explorer, p->channel, p->header[0], 0, &r);
    if (!r.strip)
      return;
    p->headers--;
    memmove(p->header, p->header + 1, (UT_MAX_HEADERS - 1) * sizeof p->header[0]);
    p->header[UT_MAX_HEADERS - 1] = 0;
  }
}

static inline void search_inject(struct packet_search *q, uint32_t channel, const uint64_t *header, unsigned headers) {
  struct search_packet p;
  memset(&p, 0, sizeof p);
  p.channel = channel, p.headers = headers;
  memcpy(p.header, header, headers * sizeof *header);
  search_strip(q, &p);
  search_add(q, &p, 0);
}

static inline void search_take(struct packet_search *q, uint32_t from, unsigned port, unsigned vc,
                               const struct ut_route_result *r) {
  const struct ut_explorer *x = q->explorer;
  const struct ut_topology *t = x->topology;
  struct search_packet p = q->packet[from];
  const struct ut_channel *c = &x->channel[p.channel];
  const struct ut_peer *to = &t->peer[(size_t)c->sw * t->po + port];
  struct search_hop hop = {SEARCH_NONE, (uint8_t)port, (uint8_t)vc,
                           (t->up_ports >> c->port & 1) && (t->up_ports >> port & 1)};
  q->place[from].cut |= !(x->up[c->sw] >> port & 1);
  if (to->kind == UT_PEER_SWITCH) {
    const ut_mask kept = x->repair ? r->set & x->neighbour[c->sw] : r->set;
    q->kept[c->sw] |= kept, p.own[c->sw] |= kept;
    p.header[0] = ut_header_set_rt(p.header[0], r->rt);
    p.channel = ut_explorer_channel(x, to->index, to->port, vc);
    search_strip(q, &p);
    hop.to = search_add(q, &p, q->place[from].distance + 1);
  } else {
    q->place[from].wrong |= to->kind != UT_PEER_TERMINAL || to->index != q->dst || p.headers != 1;
  }
  if (q->hops == q->hop_room) {
    q->hop_room = 2 * q->hop_room + 64;
    q->hop = realloc(q->hop, q->hop_room * sizeof *q->hop);
    assert_non_null(q->hop);
  }
  q->hop[q->hops++] = hop;
}

/* With each vector that has its own bits, and some of those of others. */
static inline void search_go_on(struct packet_search *q, uint32_t from) {
  const uint32_t sw = q->explorer->channel[q->packet[from].channel].sw;
  const ut_mask own = q->packet[from].own[sw], more = q->others ? q->others[sw] & ~own : 0;
  q->place[from].first = q->hops;
  for (ut_mask some = 0;; some = (some - more) & more) {
    struct ut_route_result r;
    ut_mask any = 0;
    ut_explorer_ask_header(q->explorer, q->packet[from].channel, q->packet[from].header[0], own | some, &r);
    for (unsigned vc = 0; vc < q->explorer->v; vc++) {
      any |= r.cand[vc];
      UT_FOR_EACH (port, r.cand[vc])
        search_take(q, from, port, vc, &r);
    }
    q->place[from].discarded |= !any;
    if (some == more)
      break;
  }
  q->place[from].end = q->hops;
}

/* Who leads only to places that come to an end comes to an end. */
static inline bool search_ends(struct packet_search *q, struct search_place *s) {
  s->depth = s->u_turns = 0;
  for (uint32_t i = s->first; i < s->end; i++) {
    const struct search_hop *h = &q->hop[i];
    if (h->to == SEARCH_NONE)
      continue;
    const struct search_place *to = &q->place[h->to];
    if (to->endless)
      return false;
    s->depth = to->depth + 1 > s->depth ? to->depth + 1 : s->depth;
    s->u_turns = to->u_turns + h->u_turn > s->u_turns ? to->u_turns + h->u_turn : s->u_turns;
  }
  return true;
}

static inline void search_run(struct packet_search *q) {
  for (uint32_t i = 0; i < q->places; i++)
    search_go_on(q, i);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = q->places; i-- > 0;)
      if (q->place[i].endless && search_ends(q, &q->place[i]))
        q->place[i].endless = false, again = true;
  }
}

/* Packets for that terminal from all others, in every VC of the first virtual layer. */
static inline void search_destination(struct packet_search *q, struct ut_explorer *x, const ut_mask *others,
                                      uint32_t dst) {
  const uint32_t terminals = x->topology->terminals;
  const uint64_t header = ut_header_make((uint16_t)dst, (uint16_t)((dst + 1) % terminals), 0, 0);
  search_clear(q, x, others, dst);
  for (uint32_t src = 0; src < terminals; src++)
    for (unsigned link = 0; src != dst && link < ut_explorer_injections(x); link++)
      for (unsigned vc = 0; vc + x->layers <= x->v; vc++)
        search_inject(q, ut_explorer_injection(x, src, link, vc), &header, 1);
  search_run(q);
}

/* ---- what is compared now: a test that has failed says it when it is torn down */

static char search_case[256];

static inline void __attribute__((format(printf, 1, 2))) search_begin_case(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(search_case, sizeof search_case, format, args);
  va_end(args);
}

static inline int search_end_case(void **state) {
  (void)state;
  if (*search_case)
    print_error("that was %s\n", search_case);
  *search_case = 0;
  return 0;
}

/* ---- rings, graphs */

/* The channel straight on in the same VC, where the bubble rule makes one ring of them; UINT32_MAX: none. */
static inline uint32_t search_next_in_ring(const struct ut_explorer *x, uint32_t channel) {
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer from = ut_explorer_feeder(x, c->sw, c->port);
  const bool ring = x->group[0].form.bubble && from.kind == UT_PEER_SWITCH;
  return ring ? ut_channel_behind(x, c->sw, from.port, c->vc) : UINT32_MAX;
}

/* Nodes that only lead to nodes without a cycle behind them go, one after the other; true: some stay. */
static inline bool search_cyclic(const bool *arc, uint32_t nodes) {
  uint32_t *leads = calloc(nodes, sizeof *leads), *gone = malloc(nodes * sizeof *gone), count = 0;
  assert_true(leads && gone);
  for (uint32_t from = 0; from < nodes; from++)
    for (uint32_t to = 0; to < nodes; to++)
      leads[from] += arc[(size_t)from * nodes + to];
  for (uint32_t from = 0; from < nodes; from++)
    if (!leads[from])
      gone[count++] = from;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t from = 0; from < nodes; from++)
      if (arc[(size_t)from * nodes + gone[i]] && !--leads[from])
        gone[count++] = from;
  free(leads), free(gone);
  return count < nodes;
}

#endif
