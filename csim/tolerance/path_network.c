/* SPDX-License-Identifier: Apache-2.0 */
/* path_network.c - see path_network.h */
#include "path_network.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

enum { NOT_YET = UINT32_MAX, ON_THE_WAY = UINT32_MAX - 1 };

static int no_memory(struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of the network");
}

/* ---- units */

static bool is_injection(const struct ut_path_source *s, uint32_t channel) {
  return channel >= s->switches * s->po;
}

static unsigned class_of(const struct ut_path_source *s, uint32_t channel) {
  if (s->to[channel].kind == UT_PEER_NONE)
    return 0;
  return is_injection(s, channel)                  ? UT_CLASS_INJECTION
         : s->to[channel].kind == UT_PEER_TERMINAL ? UT_CLASS_EJECTION
                                                   : UT_CLASS_NETWORK;
}

/* UT_NO_UNIT: the switch cannot fail. */
static uint32_t switch_unit(const struct ut_path_network *n, uint32_t sw) {
  const uint32_t *failing = n->source->failing;
  return sw < failing[0] || sw >= failing[1] ? UT_NO_UNIT : n->links + 1 + sw - failing[0];
}

static int number_units(struct ut_path_network *n, unsigned classes, bool directed, struct ut_error *e) {
  const struct ut_path_source *s = n->source;
  const uint32_t switches = s->failing[1] - s->failing[0];
  n->channels = s->switches * s->po + s->terminals * s->injections;
  n->unit = calloc(n->channels, sizeof *n->unit);
  n->channel = calloc(n->channels + 1, sizeof *n->channel);
  n->unit_class = calloc(n->channels + switches + 1, sizeof *n->unit_class);
  if (!n->unit || !n->channel || !n->unit_class)
    return no_memory(e);
  for (uint32_t c = 0; c < n->channels; c++) {
    if (n->unit[c] || !(class_of(s, c) & classes))
      continue;
    uint32_t twin = directed ? UT_NO_TWIN : s->twin(s->ctx, c);
    n->unit[c] = ++n->links;
    n->channel[n->links] = c;
    n->unit_class[n->links] = (uint8_t)class_of(s, c);
    if (twin == UT_NO_TWIN)
      continue;
    n->unit[twin] = n->links;
    n->unit_class[n->links] |= (uint8_t)class_of(s, twin);
  }
  n->units = n->links + switches;
  memset(n->unit_class + n->links + 1, UT_CLASS_SWITCH, switches);
  return 0;
}

/* ---- answers of the switches */

static int ask_all(struct ut_path_network *n, struct ut_error *e) {
  const struct ut_path_source *s = n->source;
  uint32_t room = 0;
  n->row = malloc((size_t)s->switches * s->pi * sizeof *n->row);
  n->first_row = malloc(s->switches * sizeof *n->first_row);
  if (!n->row || !n->first_row)
    return no_memory(e);
  for (uint32_t sw = 0; sw < s->switches; sw++) {
    n->first_row[sw] = n->rows;
    for (unsigned port = 0; port < s->pi; port++) {
      if (n->rows == room) {
        room = 2 * room + s->switches;
        ut_mask *larger = realloc(n->answer, (size_t)room * s->terminals * sizeof *larger);
        if (!larger)
          return no_memory(e);
        n->answer = larger;
      }
      ut_mask *own = n->answer + (size_t)n->rows * s->terminals;
      for (uint32_t dst = 0; dst < s->terminals; dst++)
        own[dst] = s->next(s->ctx, sw, port, dst);
      uint32_t like = n->first_row[sw];
      while (memcmp(own, n->answer + (size_t)like * s->terminals, s->terminals * sizeof *own))
        like++;
      n->row[sw * s->pi + port] = like;
      n->rows += like == n->rows;
    }
  }
  return 0;
}

/* ---- the graph of a destination */

struct graph {
  struct ut_path_network *network;
  uint32_t dst;
  uint32_t *node_of; /* [rows] */
  struct ut_ways ways;
  uint32_t node_room, way_room;
  uint32_t *seen; /* [units + 1]: by graphs, the last one that has the unit */
  uint32_t graphs;
  struct ut_error *error;
};

static bool room_for(struct graph *g, unsigned ways) {
  struct ut_ways *w = &g->ways;
  if (w->nodes + 2 > g->node_room) {
    g->node_room = 2 * g->node_room + 64;
    uint32_t *larger = realloc(w->first, g->node_room * sizeof *larger);
    if (!larger)
      return false;
    w->first = larger;
  }
  if (w->first[w->nodes] + ways >= g->way_room) { /* never NULL, not even without ways */
    g->way_room = 2 * g->way_room + 256;
    struct ut_way *larger = realloc(w->way, g->way_room * sizeof *larger);
    if (!larger)
      return false;
    w->way = larger;
  }
  return true;
}

/* The first row of the same switch that says the same for this destination. */
static uint32_t same_row(const struct graph *g, uint32_t sw, uint32_t row) {
  const struct ut_path_network *n = g->network;
  uint32_t like = n->first_row[sw], terminals = n->source->terminals;
  while (n->answer[(size_t)like * terminals + g->dst] != n->answer[(size_t)row * terminals + g->dst])
    like++;
  return like;
}

/* A node with those ways; one that was there already where they need none. */
static int add_node(struct graph *g, const struct ut_way *way, unsigned ways, uint32_t *node) {
  struct ut_ways *w = &g->ways;
  if (!ways || (ways == 1 && way[0].unit == UT_NO_UNIT)) {
    *node = ways ? way[0].node : UT_WAY_NONE;
    return 0;
  }
  if (!room_for(g, ways))
    return no_memory(g->error);
  *node = w->nodes++;
  memcpy(w->way + w->first[*node], way, ways * sizeof *way);
  w->first[w->nodes] = w->first[*node] + ways;
  for (unsigned i = 0; i < ways; i++) {
    g->network->repeated |= way[i].unit != UT_NO_UNIT && g->seen[way[i].unit] == g->graphs;
    g->seen[way[i].unit] = g->graphs;
  }
  return 0;
}

/* The node for a packet in that row of a switch; where the switch can fail, with it before all its ways.  -1: *error is
 * filled. */
static int visit(struct graph *g, uint32_t sw, uint32_t row, uint32_t *node) {
  const struct ut_path_network *n = g->network;
  const struct ut_path_source *s = n->source;
  struct ut_way way[UT_MAX_PORTS];
  unsigned ways = 0;
  bool arrives = false;
  row = same_row(g, sw, row);
  *node = g->node_of[row];
  if (*node == ON_THE_WAY)
    return ut_fail(g->error, UT_BAD_INPUT,
                   "packets to terminal %u can come back to where they were: their ways cannot be counted",
                   (unsigned)g->dst);
  if (*node != NOT_YET)
    return 0;
  g->node_of[row] = ON_THE_WAY;
  UT_FOR_EACH (port, n->answer[(size_t)row * s->terminals + g->dst]) {
    uint32_t channel = sw * s->po + port, next = UT_WAY_NONE;
    const struct ut_peer *to = &s->to[channel];
    if (to->kind == UT_PEER_TERMINAL && to->index == g->dst)
      next = UT_WAY_ARRIVED;
    else if (to->kind == UT_PEER_SWITCH && visit(g, to->index, n->row[to->index * s->pi + to->port], &next))
      return -1;
    if (next == UT_WAY_NONE)
      continue;
    arrives |= next == UT_WAY_ARRIVED && n->unit[channel] == UT_NO_UNIT;
    way[ways++] = (struct ut_way){n->unit[channel], next};
  }
  if (arrives)
    way[0] = (struct ut_way){UT_NO_UNIT, UT_WAY_ARRIVED}, ways = 1;
  if (add_node(g, way, ways, node) ||
      (*node != UT_WAY_NONE && add_node(g, &(struct ut_way){switch_unit(n, sw), *node}, 1, node)))
    return -1;
  g->node_of[row] = *node;
  return 0;
}

/* entry_row: [entries], and its switch. */
static int make_graph(struct graph *g, uint32_t dst, const uint32_t *entry_row, const uint32_t *entry_sw) {
  struct ut_path_network *n = g->network;
  g->dst = dst;
  g->graphs++;
  g->ways.nodes = UT_WAYS;
  for (uint32_t i = 0; i < n->rows; i++)
    g->node_of[i] = NOT_YET;
  for (uint32_t i = 0; i < n->entries; i++)
    if (visit(g, entry_sw[i], entry_row[i], &g->ways.entry[i]))
      return -1;
  return 0;
}

static bool same_graph(const struct ut_ways *a, const struct ut_ways *b, uint32_t entries) {
  return a->nodes == b->nodes && a->first[a->nodes] == b->first[b->nodes] &&
         !memcmp(a->entry, b->entry, entries * sizeof *a->entry) &&
         !memcmp(a->first, b->first, (a->nodes + 1) * sizeof *a->first) &&
         !memcmp(a->way, b->way, a->first[a->nodes] * sizeof *a->way);
}

static uint64_t hash_of(const struct ut_ways *w, uint32_t entries) {
  uint64_t key = w->nodes;
  for (uint32_t i = 0; i < entries; i++)
    key = ut_hash_mix(key + w->entry[i]);
  for (uint32_t i = 0; i < w->first[w->nodes]; i++)
    key = ut_hash_mix(key + ((uint64_t)w->way[i].unit << 32 | w->way[i].node));
  return key;
}

static void *copy(const void *from, size_t size) {
  void *to = malloc(size ? size : 1);
  if (to)
    memcpy(to, from, size);
  return to;
}

/* The destination joins the group with the same graph, or is the first of a new one. */
static int join_group(struct graph *g, struct ut_hash *hash) {
  struct ut_path_network *n = g->network;
  const struct ut_ways *own = &g->ways;
  for (uint64_t key = hash_of(own, n->entries);; key++) {
    bool fresh;
    struct ut_hash_entry *at = ut_hash_at(hash, key, &fresh);
    if (!at)
      return no_memory(g->error);
    if (!fresh && !same_graph(own, &n->ways[at->value], n->entries))
      continue;
    if (fresh) {
      struct ut_ways *w = &n->ways[at->value = n->groups++];
      *w = *own;
      w->first = copy(own->first, (own->nodes + 1) * sizeof *own->first);
      w->way = copy(own->way, own->first[own->nodes] * sizeof *own->way);
      w->entry = copy(own->entry, n->entries * sizeof *own->entry);
      if (!w->first || !w->way || !w->entry)
        return no_memory(g->error);
    }
    n->group_of[g->dst] = at->value;
    n->ways[at->value].members++;
    return 0;
  }
}

static int make_graphs(struct ut_path_network *n, const uint32_t *entry_row, const uint32_t *entry_sw,
                       struct ut_error *e) {
  struct graph g = {.network = n, .error = e};
  struct ut_hash hash = {0};
  g.node_of = malloc(n->rows * sizeof *g.node_of);
  g.seen = calloc(n->units + 1, sizeof *g.seen);
  g.ways.entry = malloc((n->entries + 1) * sizeof *g.ways.entry);
  g.ways.first = calloc(g.node_room = 64, sizeof *g.ways.first); /* those up to UT_WAYS stay zero */
  g.ways.way = calloc(g.way_room = 256, sizeof *g.ways.way);     /* never NULL, though a graph may need none */
  n->ways = calloc(n->source->terminals, sizeof *n->ways);
  n->group_of = calloc(n->source->terminals, sizeof *n->group_of);
  int status =
      g.node_of && g.seen && g.ways.entry && g.ways.first && g.ways.way && n->ways && n->group_of ? 0 : no_memory(e);
  for (uint32_t dst = 0; dst < n->source->terminals && !status; dst++)
    status = make_graph(&g, dst, entry_row, entry_sw) || join_group(&g, &hash) ? -1 : 0;
  free(g.node_of), free(g.seen), free(g.ways.entry), free(g.ways.first), free(g.ways.way);
  ut_hash_free(&hash);
  return status;
}

/* ---- sources */

/* Where packets enter, each place once; entry: by injection channel, its number. */
static void number_entries(struct ut_path_network *n, uint32_t *entry_row, uint32_t *entry_sw, uint32_t *entry) {
  const struct ut_path_source *s = n->source;
  for (uint32_t i = 0; i < s->terminals * s->injections; i++) {
    const struct ut_peer *to = &s->to[s->switches * s->po + i];
    uint32_t row = n->row[to->index * s->pi + to->port], at = 0;
    for (at = n->entries; at > 0 && entry_row[at - 1] != row; at--) /* the last ones are the likeliest */
      ;
    if (at == 0) {
      entry_row[n->entries] = row;
      entry_sw[n->entries++] = to->index;
      at = n->entries;
    }
    entry[i] = at - 1;
  }
}

static int number_sources(struct ut_path_network *n, const uint32_t *entry, struct ut_error *e) {
  const struct ut_path_source *s = n->source;
  struct ut_hash hash = {0};
  size_t size = s->injections * sizeof *n->start;
  n->source_of = calloc(s->terminals, sizeof *n->source_of);
  n->start = calloc((size_t)s->terminals * s->injections, sizeof *n->start);
  if (!n->source_of || !n->start)
    return no_memory(e);
  for (uint32_t t = 0; t < s->terminals; t++) {
    struct ut_way *own = &n->start[(size_t)n->sources * s->injections];
    uint64_t key = 0;
    for (unsigned i = 0; i < s->injections; i++) { /* ascending, so that their order does not matter */
      uint32_t channel = t * s->injections + i;
      struct ut_way way = {n->unit[s->switches * s->po + channel], entry[channel]};
      unsigned at = i;
      for (; at && own[at - 1].node > way.node; at--)
        own[at] = own[at - 1];
      own[at] = way;
    }
    for (unsigned i = 0; i < s->injections; i++)
      key = ut_hash_mix(key + ((uint64_t)own[i].unit << 32 | own[i].node));
    for (bool found = false; !found; key++) {
      bool fresh;
      struct ut_hash_entry *at = ut_hash_at(&hash, key, &fresh);
      if (!at) {
        ut_hash_free(&hash);
        return no_memory(e);
      }
      if (fresh)
        at->value = n->sources++;
      found = !memcmp(&n->start[(size_t)at->value * s->injections], own, size);
      n->source_of[t] = at->value;
    }
  }
  ut_hash_free(&hash);
  return 0;
}

/* Every pair has a way while nothing has failed. */
static int check_pairs(const struct ut_path_network *n, struct ut_error *e) {
  const struct ut_path_source *s = n->source;
  for (uint32_t from = 0; from < s->terminals; from++)
    for (uint32_t to = 0; to < s->terminals; to++) {
      const struct ut_way *start = &n->start[(size_t)n->source_of[from] * s->injections];
      bool some = from == to;
      for (unsigned i = 0; i < s->injections; i++)
        some |= n->ways[n->group_of[to]].entry[start[i].node] != UT_WAY_NONE;
      if (!some)
        return ut_fail(e, UT_BAD_INPUT, "without any fault there is no way from terminal %u to terminal %u",
                       (unsigned)from, (unsigned)to);
    }
  return 0;
}

int ut_path_network_init(struct ut_path_network *n, const struct ut_path_source *source, unsigned classes,
                         bool directed, struct ut_error *e) {
  uint32_t injections = source->terminals * source->injections;
  *n = (struct ut_path_network){.source = source, .pairs = (uint64_t)source->terminals * (source->terminals - 1)};
  uint32_t *entry = malloc(3 * (size_t)injections * sizeof *entry);
  int status = entry ? 0 : no_memory(e);
  if (!status)
    status = number_units(n, classes, directed, e) || ask_all(n, e) ? -1 : 0;
  if (!status) {
    number_entries(n, entry + injections, entry + 2 * injections, entry);
    status = make_graphs(n, entry + injections, entry + 2 * injections, e) || number_sources(n, entry, e) ||
                     check_pairs(n, e)
                 ? -1
                 : 0;
  }
  free(entry);
  free(n->answer);
  n->answer = NULL;
  if (status)
    ut_path_network_free(n);
  return status;
}

void ut_path_network_free(struct ut_path_network *n) {
  for (uint32_t i = 0; n->ways && i < n->groups; i++) {
    free(n->ways[i].first);
    free(n->ways[i].way);
    free(n->ways[i].entry);
  }
  free(n->ways), free(n->group_of), free(n->start), free(n->source_of);
  free(n->unit), free(n->channel), free(n->unit_class), free(n->row), free(n->first_row), free(n->answer);
  *n = (struct ut_path_network){0};
}

void ut_path_network_pairs(const struct ut_path_network *n, uint32_t group, uint32_t *pairs) {
  memset(pairs, 0, n->sources * sizeof *pairs);
  for (uint32_t t = 0; t < n->source->terminals; t++)
    pairs[n->source_of[t]] += n->ways[group].members;
  for (uint32_t t = 0; t < n->source->terminals; t++)
    pairs[n->source_of[t]] -= n->group_of[t] == group;
}

uint32_t ut_path_network_switch(const struct ut_path_network *n, uint32_t unit) {
  return n->source->failing[0] + unit - n->links - 1;
}
