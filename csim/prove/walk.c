/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c - see walk.h */
#include "walk.h"

#include <string.h>

#include "distance.h"
#include "layers.h"
#include "reserve.h"
#include "route_unit.h"

ut_mask ut_explorer_straight_on(const struct ut_explorer *explorer, uint32_t sw, unsigned in_port) {
  const struct ut_peer from = ut_explorer_feeder(explorer, sw, in_port);
  return from.kind == UT_PEER_SWITCH ? ut_bit(from.port) : 0;
}

ut_mask ut_escape_of(const struct ut_explorer *explorer, const struct ut_route_result *route, unsigned vc) {
  if (route->escape_vcs)
    return route->escape_vcs >> vc & 1 ? route->cand[vc] : 0;
  return route->cand[vc] & ~(explorer->group[0].form.preferred ? route->preferred[vc] : 0);
}

/* ---- memory */

/* Room for one more element; false: out of memory. */
static bool reserve(struct ut_walk *walk, void *array, size_t size, uint32_t used, uint32_t *room) {
  const bool there = ut_reserve_one(array, size, used, room);
  walk->explorer->bad_memory |= !there;
  return there;
}

int ut_walk_init(struct ut_walk *walk, struct ut_explorer *explorer, struct ut_error *e) {
  size_t switches = explorer->topology->switches;
  *walk = (struct ut_walk){.explorer = explorer};
  ut_hash_clear(&walk->place_of);
  ut_hash_clear(&walk->header_of);
  walk->distance = calloc(switches * switches, sizeof *walk->distance);
  bool good = walk->distance;
  for (uint32_t i = 0; good && i < switches; i++)
    good = ut_distances(explorer->topology, NULL, i, walk->distance + i * switches);
  if (good)
    return 0;
  ut_walk_free(walk);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

void ut_walk_free(struct ut_walk *walk) {
  free(walk->distance), free(walk->place), free(walk->hop), free(walk->header);
  free(walk->order), free(walk->left), free(walk->before), free(walk->before_first), free(walk->depth);
  ut_hash_free(&walk->place_of), ut_hash_free(&walk->header_of);
  *walk = (struct ut_walk){0};
}

/* ---- states */

/* Returns the number of those header words. */
static uint32_t header_number(struct ut_walk *walk, const struct ut_header_words *words) {
  uint64_t key = words->words;
  for (unsigned i = 0; i < words->words; i++)
    key = ut_hash_mix(key * 31 + words->word[i]);
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&walk->header_of, key, &fresh);
    if (!entry || !reserve(walk, &walk->header, sizeof *walk->header, walk->headers, &walk->header_room)) {
      walk->explorer->bad_memory = true;
      return 0;
    }
    if (fresh) {
      walk->header[walk->headers] = *words;
      entry->value = walk->headers;
      return walk->headers++;
    }
    const struct ut_header_words *other = &walk->header[entry->value];
    if (other->words == words->words && !memcmp(other->word, words->word, words->words * sizeof words->word[0]))
      return entry->value;
  }
}

/* Returns the state at that place; makes it if it is new: it was reached in the way given by the last three
 * arguments. */
static uint32_t place_number(struct ut_walk *walk, uint32_t channel, uint32_t header, uint32_t from, uint32_t hop,
                             uint32_t src) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&walk->place_of, (uint64_t)header << 32 | channel, &fresh);
  if (!entry || !reserve(walk, &walk->place, sizeof *walk->place, walk->places, &walk->place_room)) {
    walk->explorer->bad_memory = true;
    return 0;
  }
  if (fresh) {
    walk->place[walk->places] =
        (struct ut_walk_state){.channel = channel, .header = header, .from = from, .hop = hop, .src = src};
    entry->value = walk->places++;
  }
  return entry->value;
}

static void note(struct ut_walk *walk, enum ut_walk_fault fault, uint32_t state) {
  if (walk->first[fault] == UT_NO_STATE)
    walk->first[fault] = state;
}

/* ---- one answer of the route function */

/* Candidates by output VC, over output ports. */
struct answer {
  ut_mask any;                  /* some VC */
  ut_mask escape[UT_MAX_VCS];   /* escape channels: not in the preferred class */
  ut_mask bubble[UT_MAX_VCS];   /* candidates that require space for two packets */
  ut_mask expected[UT_MAX_VCS]; /* candidates that should require it */
  ut_mask chosen[UT_MAX_VCS];   /* chosen by the subfunction */
};

static void classify(const struct ut_explorer *explorer, const struct ut_channel *channel,
                     const struct ut_route_result *route, struct answer *answer) {
  const struct ut_group *group = explorer->group;
  const ut_mask network = explorer->onward[channel->sw];
  const bool bubbles = group->form.bubble;
  ut_mask stays = 0;
  answer->any = 0;
  for (unsigned v = 0; v < explorer->v; v++) {
    answer->any |= route->cand[v];
    answer->escape[v] = ut_escape_of(explorer, route, v);
    answer->bubble[v] = bubbles ? route->bubble[v] & route->cand[v] : 0;
    answer->expected[v] = answer->escape[v] & network &
                          ~(channel->vc == v ? ut_explorer_straight_on(explorer, channel->sw, channel->port) : 0);
    answer->chosen[v] = answer->escape[v];
    stays |= bubbles ? answer->chosen[v] & network & ~answer->bubble[v] : 0;
  }
  for (unsigned v = 0; v < explorer->v && stays; v++)
    answer->chosen[v] &= network & ~answer->bubble[v];
}

/* Returns the header words that are left in a channel: without those that the route unit strips there. */
static uint32_t settled(struct ut_walk *walk, uint32_t channel, uint32_t header) {
  struct ut_route_result route;
  if (!walk->explorer->group[0].form.strips)
    return header;
  for (;;) {
    struct ut_header_words words = walk->header[header];
    ut_explorer_ask_header(walk->explorer, channel, words.word[0], 0, &route);
    if (!route.strip || words.words == 1)
      return header;
    words.words--;
    memmove(words.word, words.word + 1, words.words * sizeof words.word[0]);
    header = header_number(walk, &words);
  }
}

/* Returns the header words behind this hop. */
static uint32_t next_header(struct ut_walk *walk, uint32_t header, const struct ut_route_result *route) {
  struct ut_header_words words = walk->header[header];
  if (ut_header_rt(words.word[0]) == route->rt)
    return header;
  words.word[0] = ut_header_set_rt(words.word[0], route->rt);
  return header_number(walk, &words);
}

/* Returns the hops from a switch to the nearest one with an ejection link of the terminal, without faults. */
static uint16_t distance_to(const struct ut_walk *walk, uint32_t sw, uint32_t terminal) {
  const struct ut_topology *topo = walk->explorer->topology;
  uint16_t nearest = UINT16_MAX;
  for (unsigned link = 0; link < topo->ejections; link++) {
    const uint16_t hops =
        walk->distance[(size_t)sw * topo->switches + ut_explorer_home(walk->explorer, terminal, link)];
    nearest = hops < nearest ? hops : nearest;
  }
  return nearest;
}

/* Whether the state has that hop already, by other tables. */
static bool has_hop(struct ut_walk *walk, uint32_t state, const struct ut_walk_hop *hop) {
  for (uint32_t i = walk->place[state].first; i < walk->hops; i++) {
    struct ut_walk_hop *old = &walk->hop[i];
    if (old->to != hop->to || old->port != hop->port || old->vc != hop->vc || old->escape != hop->escape ||
        old->chosen != hop->chosen)
      continue;
    old->met = old->met == hop->met || hop->met == UT_MET_MIXED ? old->met
               : old->met == UT_MET_MIXED                       ? hop->met
                                                                : UT_MET_BOTH;
    return true;
  }
  return false;
}

/* Adds a hop for the candidate (port, vc) of a state. */
static bool add_hop(struct ut_walk *walk, uint32_t state, uint32_t header, unsigned port, unsigned vc,
                    const struct answer *answer, enum ut_tables_met met) {
  const struct ut_topology *topo = walk->explorer->topology;
  const struct ut_channel *chan = &walk->explorer->channel[walk->place[state].channel];
  const struct ut_peer *peer = &topo->peer[(size_t)chan->sw * topo->po + port];
  struct ut_walk_hop hop = {.to = UT_TERMINAL,
                            .port = (uint8_t)port,
                            .vc = (uint8_t)vc,
                            .escape = answer->escape[vc] >> port & 1,
                            .chosen = answer->chosen[vc] >> port & 1,
                            .met = (uint8_t)met};
  if (peer->kind == UT_PEER_SWITCH) {
    const struct ut_header_words *words = &walk->header[walk->place[state].header];
    const uint32_t dst = ut_header_dst(words->word[0]);
    if (distance_to(walk, peer->index, dst) >= distance_to(walk, chan->sw, dst))
      note(walk, UT_WALK_DETOURS, state);
    uint32_t channel = ut_channel_behind(walk->explorer, chan->sw, port, vc);
    hop.to = place_number(walk, channel, settled(walk, channel, header), state, walk->hops, walk->place[state].src);
  } else if (peer->kind != UT_PEER_TERMINAL || peer->index != walk->packets.dst ||
             walk->header[walk->place[state].header].words != 1) {
    note(walk, UT_WALK_WRONG, state);
  }
  if (met != UT_MET_BOTH && has_hop(walk, state, &hop))
    return true;
  if (!reserve(walk, &walk->hop, sizeof *walk->hop, walk->hops, &walk->hop_room))
    return false;
  walk->hop[walk->hops++] = hop;
  return true;
}

/* Adds the hops of a state with the tables that are in the switch. */
static void expand_answer(struct ut_walk *walk, uint32_t state, enum ut_tables_met met) {
  struct ut_explorer *explorer = walk->explorer;
  const struct ut_channel *channel = &explorer->channel[walk->place[state].channel];
  struct ut_route_result route;
  struct answer answer;
  bool differs = false, some = false;
  ut_explorer_ask_header(explorer, walk->place[state].channel, walk->header[walk->place[state].header].word[0], 0,
                         &route);
  classify(explorer, channel, &route, &answer);
  if (!answer.any) {
    walk->place[state].discards = true;
    walk->place[state].discards_by = (uint8_t)met;
    note(walk, UT_WALK_DISCARDS, state);
    return;
  }
  for (unsigned v = 0; v < explorer->v; v++) {
    differs |= answer.bubble[v] != answer.expected[v];
    some |= answer.chosen[v] != 0;
  }
  if (explorer->group[0].form.bubble) {
    walk->answers++;
    if (differs)
      note(walk, UT_WALK_BUBBLE, state);
  }
  if (!some)
    note(walk, UT_WALK_STRANDS, state);
  uint32_t header = next_header(walk, walk->place[state].header, &route);
  for (unsigned v = 0; v < explorer->v; v++)
    UT_FOR_EACH (port, route.cand[v])
      if (!add_hop(walk, state, header, port, v, &answer, met))
        return;
}

static void expand(struct ut_walk *walk, uint32_t state) {
  struct ut_mixture mixture;
  walk->place[state].first = walk->hops;
  const uint64_t word = walk->header[walk->place[state].header].word[0];
  ut_mixture_begin(&mixture, walk->explorer, walk->place[state].channel, word);
  do
    expand_answer(walk, state, ut_mixture_met(&mixture));
  while (ut_mixture_next(&mixture));
  ut_mixture_end(&mixture);
  walk->place[state].end = walk->hops;
}

/* ---- order: loops, longest walks */

static bool reserve_order(struct ut_walk *walk) {
  if (walk->places >= walk->order_room) { /* one more than places, for before_first */
    walk->order_room = walk->places + walk->places / 2 + 64;
    free(walk->order), free(walk->left), free(walk->before_first), free(walk->depth);
    walk->order = malloc(walk->order_room * sizeof *walk->order);
    walk->left = malloc(walk->order_room * sizeof *walk->left);
    walk->before_first = malloc(walk->order_room * sizeof *walk->before_first);
    walk->depth = malloc(walk->order_room * sizeof *walk->depth);
  }
  if (walk->hops > walk->before_room) {
    walk->before_room = walk->hops + walk->hops / 2;
    free(walk->before);
    walk->before = malloc(walk->before_room * sizeof *walk->before);
  }
  return walk->order && walk->left && walk->before_first && walk->depth && (walk->before || !walk->hops);
}

/* left: number of hops of each state to states; before, before_first: for each state, the states with a hop to it. */
static void turn_round(struct ut_walk *walk) {
  memset(walk->left, 0, walk->places * sizeof *walk->left);
  memset(walk->before_first, 0, (walk->places + 1) * sizeof *walk->before_first);
  for (uint32_t s = 0; s < walk->places; s++)
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end; i++)
      if (walk->hop[i].to != UT_TERMINAL) {
        walk->left[s]++;
        walk->before_first[walk->hop[i].to]++;
      }
  uint32_t sum = 0;
  for (uint32_t s = 0; s <= walk->places; s++) { /* first: where the next one begins */
    sum += s < walk->places ? walk->before_first[s] : 0;
    walk->before_first[s] = sum;
  }
  for (uint32_t s = 0; s < walk->places; s++)
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end; i++)
      if (walk->hop[i].to != UT_TERMINAL)
        walk->before[--walk->before_first[walk->hop[i].to]] = s;
}

/* Orders states: a state joins when all its successors are in the order; states that never join can continue for
 * ever. */
static void find_order(struct ut_walk *walk) {
  turn_round(walk);
  walk->ordered = 0;
  for (uint32_t s = 0; s < walk->places; s++)
    if (!walk->left[s])
      walk->order[walk->ordered++] = s;
  for (uint32_t i = 0; i < walk->ordered; i++) {
    uint32_t state = walk->order[i];
    for (uint32_t j = walk->before_first[state]; j < walk->before_first[state + 1]; j++)
      if (!--walk->left[walk->before[j]])
        walk->order[walk->ordered++] = walk->before[j];
  }
  for (uint32_t s = 0; s < walk->places && walk->ordered < walk->places; s++)
    if (walk->left[s])
      note(walk, UT_WALK_LOOPS, s);
}

static void find_longest(struct ut_walk *walk) {
  walk->longest = 0;
  for (uint32_t i = 0; i < walk->ordered; i++) {
    uint32_t state = walk->order[i], depth = 0;
    for (uint32_t j = walk->place[state].first; j < walk->place[state].end; j++)
      if (walk->hop[j].to != UT_TERMINAL && depth <= walk->depth[walk->hop[j].to])
        depth = walk->depth[walk->hop[j].to] + 1;
    walk->depth[state] = depth;
    if (depth > walk->longest)
      walk->longest = depth;
  }
}

/* ---- */

static void inject(struct ut_walk *walk, const struct ut_packets *packets) {
  const struct ut_explorer *explorer = walk->explorer;
  struct ut_header_words words = {.words = packets->headers};
  memcpy(words.word, packets->header, sizeof words.word);
  uint32_t header = header_number(walk, &words);
  for (uint32_t i = 0; i < packets->sources; i++)
    UT_FOR_EACH (link, packets->link[i])
      for (unsigned vc = 0; vc < ut_first_layer_vcs(explorer->v, explorer->layers); vc++) {
        uint32_t channel = ut_explorer_injection(explorer, packets->source[i], link, vc);
        place_number(walk, channel, settled(walk, channel, header), UT_NO_STATE, 0, packets->source[i]);
      }
}

/* Expands the states from that one on. */
static void expand_from(struct ut_walk *walk, uint32_t state) {
  for (; state < walk->places && !walk->explorer->bad_memory; state++)
    expand(walk, state);
}

int ut_walk_run(struct ut_walk *walk, const struct ut_packets *packets) {
  return ut_walk_run_on(walk, packets, NULL, 0);
}

int ut_walk_run_on(struct ut_walk *walk, const struct ut_packets *packets, const struct ut_walk_seed *seed,
                   uint32_t seeds) {
  if (&walk->packets != packets)
    walk->packets = *packets;
  walk->places = walk->hops = walk->headers = 0;
  ut_hash_clear(&walk->place_of);
  ut_hash_clear(&walk->header_of);
  for (unsigned i = 0; i < UT_WALK_FAULTS; i++)
    walk->first[i] = UT_NO_STATE;
  inject(walk, packets);
  expand_from(walk, 0);
  walk->injected = walk->places;
  for (uint32_t i = 0; i < seeds; i++) {
    const struct ut_header_words words = {.word = {seed[i].header}, .words = 1};
    place_number(walk, seed[i].channel, header_number(walk, &words), UT_NO_STATE, 0, seed[i].src);
  }
  expand_from(walk, walk->injected);
  if (walk->explorer->bad_memory)
    return -1;
  if (!reserve_order(walk)) {
    walk->explorer->bad_memory = true;
    return -1;
  }
  find_order(walk);
  find_longest(walk);
  return 0;
}
