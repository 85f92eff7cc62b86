/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c - see walk.h */
#include "walk.h"

#include <string.h>

#include "distance.h"
#include "route_unit.h"

ut_mask ut_explorer_straight_on(const struct ut_explorer *x, uint32_t sw, unsigned in_port) {
  const struct ut_peer from = ut_explorer_feeder(x, sw, in_port);
  return from.kind == UT_PEER_SWITCH ? ut_bit(from.port) : 0;
}

ut_mask ut_escape_of(const struct ut_explorer *x, const struct ut_route_result *r, unsigned vc) {
  return r->cand[vc] & ~(x->group[0].form.preferred && !r->all_escape ? r->preferred[vc] : 0);
}

/* ---- memory */

/* Room for one more element; false: out of memory. */
static bool reserve(struct ut_walk *k, void *array, size_t size, uint32_t used, uint32_t *room) {
  void **pointer = array;
  if (used < *room)
    return true;
  uint32_t more = *room ? 2 * *room : 256;
  void *larger = realloc(*pointer, more * size);
  if (!larger) {
    k->explorer->bad_memory = true;
    return false;
  }
  *pointer = larger;
  *room = more;
  return true;
}

int ut_walk_init(struct ut_walk *k, struct ut_explorer *x, struct ut_error *e) {
  size_t switches = x->topology->switches;
  *k = (struct ut_walk){.explorer = x};
  ut_hash_clear(&k->place_of);
  ut_hash_clear(&k->header_of);
  k->distance = calloc(switches * switches, sizeof *k->distance);
  bool good = k->distance;
  for (uint32_t i = 0; good && i < switches; i++)
    good = ut_distances(x->topology, NULL, i, k->distance + i * switches);
  if (good)
    return 0;
  ut_walk_free(k);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

void ut_walk_free(struct ut_walk *k) {
  free(k->distance), free(k->place), free(k->hop), free(k->header);
  free(k->order), free(k->left), free(k->before), free(k->before_first), free(k->depth);
  ut_hash_free(&k->place_of), ut_hash_free(&k->header_of);
  *k = (struct ut_walk){0};
}

/* ---- states */

/* The number of those header words. */
static uint32_t header_number(struct ut_walk *k, const struct ut_header_words *h) {
  uint64_t key = h->words;
  for (unsigned i = 0; i < h->words; i++)
    key = ut_hash_mix(key * 31 + h->word[i]);
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&k->header_of, key, &fresh);
    if (!entry || !reserve(k, &k->header, sizeof *k->header, k->headers, &k->header_room)) {
      k->explorer->bad_memory = true;
      return 0;
    }
    if (fresh) {
      k->header[k->headers] = *h;
      entry->value = k->headers;
      return k->headers++;
    }
    const struct ut_header_words *other = &k->header[entry->value];
    if (other->words == h->words && !memcmp(other->word, h->word, h->words * sizeof h->word[0]))
      return entry->value;
  }
}

/* The state at that place; a new one if need be, which was reached in the way given by the last three. */
static uint32_t place_number(struct ut_walk *k, uint32_t channel, uint32_t header, uint32_t from, uint32_t hop,
                             uint32_t src) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&k->place_of, (uint64_t)header << 32 | channel, &fresh);
  if (!entry || !reserve(k, &k->place, sizeof *k->place, k->places, &k->place_room)) {
    k->explorer->bad_memory = true;
    return 0;
  }
  if (fresh) {
    k->place[k->places] =
        (struct ut_walk_state){.channel = channel, .header = header, .from = from, .hop = hop, .src = src};
    entry->value = k->places++;
  }
  return entry->value;
}

static void note(struct ut_walk *k, enum ut_walk_fault fault, uint32_t state) {
  if (k->first[fault] == UT_NO_STATE)
    k->first[fault] = state;
}

/* ---- one answer of the route function */

/* Candidates by output VC, over output ports. */
struct answer {
  ut_mask any;                  /* some VC */
  ut_mask escape[UT_MAX_VCS];   /* not in the preferred class */
  ut_mask bubble[UT_MAX_VCS];   /* need room for two packets */
  ut_mask expected[UT_MAX_VCS]; /* so they should */
  ut_mask chosen[UT_MAX_VCS];   /* by the subfunction */
};

static void classify(const struct ut_explorer *x, const struct ut_channel *c, const struct ut_route_result *r,
                     struct answer *a) {
  const struct ut_group *g = x->group;
  const ut_mask network = x->onward[c->sw];
  const bool bubbles = g->form.bubble;
  ut_mask stays = 0;
  a->any = 0;
  for (unsigned v = 0; v < x->v; v++) {
    a->any |= r->cand[v];
    a->escape[v] = ut_escape_of(x, r, v);
    a->bubble[v] = bubbles ? r->bubble[v] & r->cand[v] : 0;
    a->expected[v] = a->escape[v] & network & ~(c->vc == v ? ut_explorer_straight_on(x, c->sw, c->port) : 0);
    a->chosen[v] = a->escape[v];
    stays |= bubbles ? a->chosen[v] & network & ~a->bubble[v] : 0;
  }
  for (unsigned v = 0; v < x->v && stays; v++)
    a->chosen[v] &= network & ~a->bubble[v];
}

/* The header words that are left in a channel: without those that the route unit strips there. */
static uint32_t settled(struct ut_walk *k, uint32_t channel, uint32_t header) {
  struct ut_route_result r;
  if (!k->explorer->group[0].form.strips)
    return header;
  for (;;) {
    struct ut_header_words h = k->header[header];
    ut_explorer_ask_header(k->explorer, channel, h.word[0], 0, &r);
    if (!r.strip || h.words == 1)
      return header;
    h.words--;
    memmove(h.word, h.word + 1, h.words * sizeof h.word[0]);
    header = header_number(k, &h);
  }
}

/* The header words behind this hop. */
static uint32_t next_header(struct ut_walk *k, uint32_t header, const struct ut_route_result *r) {
  struct ut_header_words h = k->header[header];
  if (ut_header_rt(h.word[0]) == r->rt)
    return header;
  h.word[0] = ut_header_set_rt(h.word[0], r->rt);
  return header_number(k, &h);
}

/* Hops from a switch to the nearest one from which a terminal receives, without faults. */
static uint16_t distance_to(const struct ut_walk *k, uint32_t sw, uint32_t terminal) {
  const struct ut_topology *t = k->explorer->topology;
  uint16_t nearest = UINT16_MAX;
  for (unsigned link = 0; link < t->ejections; link++) {
    const uint16_t hops = k->distance[(size_t)sw * t->switches + ut_explorer_home(k->explorer, terminal, link)];
    nearest = hops < nearest ? hops : nearest;
  }
  return nearest;
}

/* The candidate (port, vc) of a state becomes a hop. */
static bool add_hop(struct ut_walk *k, uint32_t state, uint32_t header, unsigned port, unsigned vc,
                    const struct answer *a) {
  const struct ut_topology *t = k->explorer->topology;
  const struct ut_channel *c = &k->explorer->channel[k->place[state].channel];
  const struct ut_peer *p = &t->peer[(size_t)c->sw * t->po + port];
  struct ut_walk_hop hop = {.to = UT_TERMINAL,
                            .port = (uint8_t)port,
                            .vc = (uint8_t)vc,
                            .escape = a->escape[vc] >> port & 1,
                            .chosen = a->chosen[vc] >> port & 1};
  if (p->kind == UT_PEER_SWITCH) {
    const struct ut_header_words *h = &k->header[k->place[state].header];
    const uint32_t dst = ut_header_dst(h->word[0]);
    if (distance_to(k, p->index, dst) >= distance_to(k, c->sw, dst))
      note(k, UT_WALK_DETOURS, state);
    uint32_t channel = ut_channel_behind(k->explorer, c->sw, port, vc);
    hop.to = place_number(k, channel, settled(k, channel, header), state, k->hops, k->place[state].src);
  } else if (p->kind != UT_PEER_TERMINAL || p->index != k->packets.dst ||
             k->header[k->place[state].header].words != 1) {
    note(k, UT_WALK_WRONG, state);
  }
  if (!reserve(k, &k->hop, sizeof *k->hop, k->hops, &k->hop_room))
    return false;
  k->hop[k->hops++] = hop;
  return true;
}

static void expand(struct ut_walk *k, uint32_t state) {
  struct ut_explorer *x = k->explorer;
  const struct ut_channel *c = &x->channel[k->place[state].channel];
  struct ut_route_result r;
  struct answer a;
  bool differs = false, some = false;
  ut_explorer_ask_header(x, k->place[state].channel, k->header[k->place[state].header].word[0], 0, &r);
  classify(x, c, &r, &a);
  k->place[state].first = k->place[state].end = k->hops;
  if (!a.any) {
    note(k, UT_WALK_DISCARDS, state);
    return;
  }
  for (unsigned v = 0; v < x->v; v++) {
    differs |= a.bubble[v] != a.expected[v];
    some |= a.chosen[v] != 0;
  }
  if (x->group[0].form.bubble) {
    k->answers++;
    if (differs)
      note(k, UT_WALK_BUBBLE, state);
  }
  if (!some)
    note(k, UT_WALK_STRANDS, state);
  uint32_t header = next_header(k, k->place[state].header, &r);
  for (unsigned v = 0; v < x->v; v++)
    UT_FOR_EACH (port, r.cand[v])
      if (!add_hop(k, state, header, port, v, &a))
        return;
  k->place[state].end = k->hops;
}

/* ---- order: loops, longest walks */

static bool reserve_order(struct ut_walk *k) {
  if (k->places >= k->order_room) { /* one more than places, for before_first */
    k->order_room = k->places + k->places / 2 + 64;
    free(k->order), free(k->left), free(k->before_first), free(k->depth);
    k->order = malloc(k->order_room * sizeof *k->order);
    k->left = malloc(k->order_room * sizeof *k->left);
    k->before_first = malloc(k->order_room * sizeof *k->before_first);
    k->depth = malloc(k->order_room * sizeof *k->depth);
  }
  if (k->hops > k->before_room) {
    k->before_room = k->hops + k->hops / 2;
    free(k->before);
    k->before = malloc(k->before_room * sizeof *k->before);
  }
  return k->order && k->left && k->before_first && k->depth && (k->before || !k->hops);
}

/* left: hops of each state to states; before, before_first: for each state the states with a hop to it. */
static void turn_round(struct ut_walk *k) {
  memset(k->left, 0, k->places * sizeof *k->left);
  memset(k->before_first, 0, (k->places + 1) * sizeof *k->before_first);
  for (uint32_t s = 0; s < k->places; s++)
    for (uint32_t i = k->place[s].first; i < k->place[s].end; i++)
      if (k->hop[i].to != UT_TERMINAL) {
        k->left[s]++;
        k->before_first[k->hop[i].to]++;
      }
  uint32_t sum = 0;
  for (uint32_t s = 0; s <= k->places; s++) { /* first: where the next one begins */
    sum += s < k->places ? k->before_first[s] : 0;
    k->before_first[s] = sum;
  }
  for (uint32_t s = 0; s < k->places; s++)
    for (uint32_t i = k->place[s].first; i < k->place[s].end; i++)
      if (k->hop[i].to != UT_TERMINAL)
        k->before[--k->before_first[k->hop[i].to]] = s;
}

/* States all of whose successors are in the order join it; those that never do can go on for ever. */
static void find_order(struct ut_walk *k) {
  turn_round(k);
  k->ordered = 0;
  for (uint32_t s = 0; s < k->places; s++)
    if (!k->left[s])
      k->order[k->ordered++] = s;
  for (uint32_t i = 0; i < k->ordered; i++) {
    uint32_t state = k->order[i];
    for (uint32_t j = k->before_first[state]; j < k->before_first[state + 1]; j++)
      if (!--k->left[k->before[j]])
        k->order[k->ordered++] = k->before[j];
  }
  for (uint32_t s = 0; s < k->places && k->ordered < k->places; s++)
    if (k->left[s])
      note(k, UT_WALK_LOOPS, s);
}

static void find_longest(struct ut_walk *k) {
  k->longest = 0;
  for (uint32_t i = 0; i < k->ordered; i++) {
    uint32_t state = k->order[i], depth = 0;
    for (uint32_t j = k->place[state].first; j < k->place[state].end; j++)
      if (k->hop[j].to != UT_TERMINAL && depth <= k->depth[k->hop[j].to])
        depth = k->depth[k->hop[j].to] + 1;
    k->depth[state] = depth;
    if (depth > k->longest)
      k->longest = depth;
  }
}

/* ---- */

static void inject(struct ut_walk *k, const struct ut_packets *p) {
  const struct ut_explorer *x = k->explorer;
  struct ut_header_words h = {.words = p->headers};
  memcpy(h.word, p->header, sizeof h.word);
  uint32_t header = header_number(k, &h);
  for (uint32_t i = 0; i < p->sources; i++)
    UT_FOR_EACH (link, p->link[i])
      for (unsigned vc = 0; vc < x->v; vc++) {
        uint32_t channel = ut_explorer_injection(x, p->source[i], link, vc);
        place_number(k, channel, settled(k, channel, header), UT_NO_STATE, 0, p->source[i]);
      }
}

int ut_walk_run(struct ut_walk *k, const struct ut_packets *p) {
  if (&k->packets != p)
    k->packets = *p;
  k->places = k->hops = k->headers = 0;
  ut_hash_clear(&k->place_of);
  ut_hash_clear(&k->header_of);
  for (unsigned i = 0; i < UT_WALK_FAULTS; i++)
    k->first[i] = UT_NO_STATE;
  inject(k, p);
  for (uint32_t s = 0; s < k->places && !k->explorer->bad_memory; s++)
    expand(k, s);
  if (k->explorer->bad_memory)
    return -1;
  if (!reserve_order(k)) {
    k->explorer->bad_memory = true;
    return -1;
  }
  find_order(k);
  find_longest(k);
  return 0;
}
