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

static bool is_injection(const struct ut_path_source *source, uint32_t channel) {
  return channel >= source->switches * source->po;
}

static unsigned class_of(const struct ut_path_source *source, uint32_t channel) {
  if (source->to[channel].kind == UT_PEER_NONE)
    return 0;
  return is_injection(source, channel)                  ? UT_CLASS_INJECTION
         : source->to[channel].kind == UT_PEER_TERMINAL ? UT_CLASS_EJECTION
                                                        : UT_CLASS_NETWORK;
}

/* UT_NO_UNIT: the switch cannot fail. */
static uint32_t switch_unit(const struct ut_path_network *paths, uint32_t sw) {
  const uint32_t *failing = paths->source->failing;
  return sw < failing[0] || sw >= failing[1] ? UT_NO_UNIT : paths->links + 1 + sw - failing[0];
}

static int number_units(struct ut_path_network *paths, unsigned classes, bool directed, struct ut_error *e) {
  const struct ut_path_source *source = paths->source;
  const uint32_t switches = source->failing[1] - source->failing[0];
  paths->channels = source->switches * source->po + source->terminals * source->injections;
  paths->unit = calloc(paths->channels, sizeof *paths->unit);
  paths->channel = calloc(paths->channels + 1, sizeof *paths->channel);
  paths->unit_class = calloc(paths->channels + switches + 1, sizeof *paths->unit_class);
  if (!paths->unit || !paths->channel || !paths->unit_class)
    return no_memory(e);
  for (uint32_t c = 0; c < paths->channels; c++) {
    if (paths->unit[c] || !(class_of(source, c) & classes))
      continue;
    uint32_t twin = directed ? UT_NO_TWIN : source->twin(source->ctx, c);
    paths->unit[c] = ++paths->links;
    paths->channel[paths->links] = c;
    paths->unit_class[paths->links] = (uint8_t)class_of(source, c);
    if (twin == UT_NO_TWIN)
      continue;
    paths->unit[twin] = paths->links;
    paths->unit_class[paths->links] |= (uint8_t)class_of(source, twin);
  }
  paths->units = paths->links + switches;
  memset(paths->unit_class + paths->links + 1, UT_CLASS_SWITCH, switches);
  return 0;
}

/* ---- answers of the switches */

static int ask_all(struct ut_path_network *paths, struct ut_error *e) {
  const struct ut_path_source *source = paths->source;
  uint32_t room = 0;
  paths->row = malloc((size_t)source->switches * source->pi * sizeof *paths->row);
  paths->first_row = malloc(source->switches * sizeof *paths->first_row);
  if (!paths->row || !paths->first_row)
    return no_memory(e);
  for (uint32_t sw = 0; sw < source->switches; sw++) {
    paths->first_row[sw] = paths->rows;
    for (unsigned port = 0; port < source->pi; port++) {
      if (paths->rows == room) {
        room = 2 * room + source->switches;
        ut_mask *larger = realloc(paths->answer, (size_t)room * source->terminals * sizeof *larger);
        if (!larger)
          return no_memory(e);
        paths->answer = larger;
      }
      ut_mask *own = paths->answer + (size_t)paths->rows * source->terminals;
      for (uint32_t dst = 0; dst < source->terminals; dst++)
        own[dst] = source->next(source->ctx, sw, port, dst);
      uint32_t like = paths->first_row[sw];
      while (memcmp(own, paths->answer + (size_t)like * source->terminals, source->terminals * sizeof *own))
        like++;
      paths->row[sw * source->pi + port] = like;
      paths->rows += like == paths->rows;
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

static bool room_for(struct graph *graph, unsigned ways) {
  struct ut_ways *routes = &graph->ways;
  if (routes->nodes + 2 > graph->node_room) {
    graph->node_room = 2 * graph->node_room + 64;
    uint32_t *larger = realloc(routes->first, graph->node_room * sizeof *larger);
    if (!larger)
      return false;
    routes->first = larger;
  }
  if (routes->first[routes->nodes] + ways >= graph->way_room) { /* never NULL, not even without ways */
    graph->way_room = 2 * graph->way_room + 256;
    struct ut_way *larger = realloc(routes->way, graph->way_room * sizeof *larger);
    if (!larger)
      return false;
    routes->way = larger;
  }
  return true;
}

/* Returns the first row of the same switch with the same answer for this destination. */
static uint32_t same_row(const struct graph *graph, uint32_t sw, uint32_t row) {
  const struct ut_path_network *paths = graph->network;
  uint32_t like = paths->first_row[sw], terminals = paths->source->terminals;
  while (paths->answer[(size_t)like * terminals + graph->dst] != paths->answer[(size_t)row * terminals + graph->dst])
    like++;
  return like;
}

/* Returns a node with those edges; an existing one if possible. */
static int add_node(struct graph *graph, const struct ut_way *way, unsigned ways, uint32_t *node) {
  struct ut_ways *routes = &graph->ways;
  if (!ways || (ways == 1 && way[0].unit == UT_NO_UNIT)) {
    *node = ways ? way[0].node : UT_WAY_NONE;
    return 0;
  }
  if (!room_for(graph, ways))
    return no_memory(graph->error);
  *node = routes->nodes++;
  memcpy(routes->way + routes->first[*node], way, ways * sizeof *way);
  routes->first[routes->nodes] = routes->first[*node] + ways;
  for (unsigned i = 0; i < ways; i++) {
    graph->network->repeated |= way[i].unit != UT_NO_UNIT && graph->seen[way[i].unit] == graph->graphs;
    graph->seen[way[i].unit] = graph->graphs;
  }
  return 0;
}

/* Returns the node for a packet in that row of a switch; if the switch can fail, its unit comes before all edges.  -1:
 * *error is filled. */
static int visit(struct graph *graph, uint32_t sw, uint32_t row, uint32_t *node) {
  const struct ut_path_network *paths = graph->network;
  const struct ut_path_source *source = paths->source;
  struct ut_way way[UT_MAX_PORTS];
  unsigned ways = 0;
  bool arrives = false;
  row = same_row(graph, sw, row);
  *node = graph->node_of[row];
  if (*node == ON_THE_WAY)
    return ut_fail(graph->error, UT_BAD_INPUT,
                   "packets to terminal %u can come back to where they were: their ways cannot be counted",
                   (unsigned)graph->dst);
  if (*node != NOT_YET)
    return 0;
  graph->node_of[row] = ON_THE_WAY;
  UT_FOR_EACH (port, paths->answer[(size_t)row * source->terminals + graph->dst]) {
    uint32_t channel = sw * source->po + port, next = UT_WAY_NONE;
    const struct ut_peer *to = &source->to[channel];
    if (to->kind == UT_PEER_TERMINAL && to->index == graph->dst)
      next = UT_WAY_ARRIVED;
    else if (to->kind == UT_PEER_SWITCH &&
             visit(graph, to->index, paths->row[to->index * source->pi + to->port], &next))
      return -1;
    if (next == UT_WAY_NONE)
      continue;
    arrives |= next == UT_WAY_ARRIVED && paths->unit[channel] == UT_NO_UNIT;
    way[ways++] = (struct ut_way){paths->unit[channel], next};
  }
  if (arrives)
    way[0] = (struct ut_way){UT_NO_UNIT, UT_WAY_ARRIVED}, ways = 1;
  if (add_node(graph, way, ways, node) ||
      (*node != UT_WAY_NONE && add_node(graph, &(struct ut_way){switch_unit(paths, sw), *node}, 1, node)))
    return -1;
  graph->node_of[row] = *node;
  return 0;
}

/* entry_row: [entries], and its switch. */
static int make_graph(struct graph *graph, uint32_t dst, const uint32_t *entry_row, const uint32_t *entry_sw) {
  struct ut_path_network *paths = graph->network;
  graph->dst = dst;
  graph->graphs++;
  graph->ways.nodes = UT_WAYS;
  for (uint32_t i = 0; i < paths->rows; i++)
    graph->node_of[i] = NOT_YET;
  for (uint32_t i = 0; i < paths->entries; i++)
    if (visit(graph, entry_sw[i], entry_row[i], &graph->ways.entry[i]))
      return -1;
  return 0;
}

static bool same_graph(const struct ut_ways *a, const struct ut_ways *b, uint32_t entries) {
  return a->nodes == b->nodes && a->first[a->nodes] == b->first[b->nodes] &&
         !memcmp(a->entry, b->entry, entries * sizeof *a->entry) &&
         !memcmp(a->first, b->first, (a->nodes + 1) * sizeof *a->first) &&
         !memcmp(a->way, b->way, a->first[a->nodes] * sizeof *a->way);
}

static uint64_t hash_of(const struct ut_ways *ways, uint32_t entries) {
  uint64_t key = ways->nodes;
  for (uint32_t i = 0; i < entries; i++)
    key = ut_hash_mix(key + ways->entry[i]);
  for (uint32_t i = 0; i < ways->first[ways->nodes]; i++)
    key = ut_hash_mix(key + ((uint64_t)ways->way[i].unit << 32 | ways->way[i].node));
  return key;
}

static void *copy(const void *from, size_t size) {
  void *to = malloc(size ? size : 1);
  if (to)
    memcpy(to, from, size);
  return to;
}

/* Adds the destination to the group with the same graph, or makes it the first of a new group. */
static int join_group(struct graph *graph, struct ut_hash *hash) {
  struct ut_path_network *paths = graph->network;
  const struct ut_ways *own = &graph->ways;
  for (uint64_t key = hash_of(own, paths->entries);; key++) {
    bool fresh;
    struct ut_hash_entry *at = ut_hash_at(hash, key, &fresh);
    if (!at)
      return no_memory(graph->error);
    if (!fresh && !same_graph(own, &paths->ways[at->value], paths->entries))
      continue;
    if (fresh) {
      struct ut_ways *ways = &paths->ways[at->value = paths->groups++];
      *ways = *own;
      ways->first = copy(own->first, (own->nodes + 1) * sizeof *own->first);
      ways->way = copy(own->way, own->first[own->nodes] * sizeof *own->way);
      ways->entry = copy(own->entry, paths->entries * sizeof *own->entry);
      if (!ways->first || !ways->way || !ways->entry)
        return no_memory(graph->error);
    }
    paths->group_of[graph->dst] = at->value;
    paths->ways[at->value].members++;
    return 0;
  }
}

static int make_graphs(struct ut_path_network *paths, const uint32_t *entry_row, const uint32_t *entry_sw,
                       struct ut_error *e) {
  struct graph graph = {.network = paths, .error = e};
  struct ut_hash hash = {0};
  graph.node_of = malloc(paths->rows * sizeof *graph.node_of);
  graph.seen = calloc(paths->units + 1, sizeof *graph.seen);
  graph.ways.entry = malloc((paths->entries + 1) * sizeof *graph.ways.entry);
  graph.ways.first = calloc(graph.node_room = 64, sizeof *graph.ways.first); /* those up to UT_WAYS stay zero */
  graph.ways.way = calloc(graph.way_room = 256, sizeof *graph.ways.way); /* never NULL, though a graph may need none */
  paths->ways = calloc(paths->source->terminals, sizeof *paths->ways);
  paths->group_of = calloc(paths->source->terminals, sizeof *paths->group_of);
  int status = graph.node_of && graph.seen && graph.ways.entry && graph.ways.first && graph.ways.way && paths->ways &&
                       paths->group_of
                   ? 0
                   : no_memory(e);
  for (uint32_t dst = 0; dst < paths->source->terminals && !status; dst++)
    status = make_graph(&graph, dst, entry_row, entry_sw) || join_group(&graph, &hash) ? -1 : 0;
  free(graph.node_of), free(graph.seen), free(graph.ways.entry), free(graph.ways.first), free(graph.ways.way);
  ut_hash_free(&hash);
  return status;
}

/* ---- sources */

/* Where packets enter, each place once; entry: by injection channel, its number. */
static void number_entries(struct ut_path_network *paths, uint32_t *entry_row, uint32_t *entry_sw, uint32_t *entry) {
  const struct ut_path_source *source = paths->source;
  for (uint32_t i = 0; i < source->terminals * source->injections; i++) {
    const struct ut_peer *to = &source->to[source->switches * source->po + i];
    uint32_t row = paths->row[to->index * source->pi + to->port], at = 0;
    for (at = paths->entries; at > 0 && entry_row[at - 1] != row; at--) /* the last ones are the most likely */
      ;
    if (at == 0) {
      entry_row[paths->entries] = row;
      entry_sw[paths->entries++] = to->index;
      at = paths->entries;
    }
    entry[i] = at - 1;
  }
}

static int number_sources(struct ut_path_network *paths, const uint32_t *entry, struct ut_error *e) {
  const struct ut_path_source *source = paths->source;
  struct ut_hash hash = {0};
  size_t size = source->injections * sizeof *paths->start;
  paths->source_of = calloc(source->terminals, sizeof *paths->source_of);
  paths->start = calloc((size_t)source->terminals * source->injections, sizeof *paths->start);
  if (!paths->source_of || !paths->start)
    return no_memory(e);
  for (uint32_t t = 0; t < source->terminals; t++) {
    struct ut_way *own = &paths->start[(size_t)paths->sources * source->injections];
    uint64_t key = 0;
    for (unsigned i = 0; i < source->injections; i++) { /* ascending, so that the order does not matter */
      uint32_t channel = t * source->injections + i;
      struct ut_way way = {paths->unit[source->switches * source->po + channel], entry[channel]};
      unsigned at = i;
      for (; at && own[at - 1].node > way.node; at--)
        own[at] = own[at - 1];
      own[at] = way;
    }
    for (unsigned i = 0; i < source->injections; i++)
      key = ut_hash_mix(key + ((uint64_t)own[i].unit << 32 | own[i].node));
    for (bool found = false; !found; key++) {
      bool fresh;
      struct ut_hash_entry *at = ut_hash_at(&hash, key, &fresh);
      if (!at) {
        ut_hash_free(&hash);
        return no_memory(e);
      }
      if (fresh)
        at->value = paths->sources++;
      found = !memcmp(&paths->start[(size_t)at->value * source->injections], own, size);
      paths->source_of[t] = at->value;
    }
  }
  ut_hash_free(&hash);
  return 0;
}

/* Checks that every pair has a path in the fault-free network. */
static int check_pairs(const struct ut_path_network *paths, struct ut_error *e) {
  const struct ut_path_source *source = paths->source;
  for (uint32_t from = 0; from < source->terminals; from++)
    for (uint32_t to = 0; to < source->terminals; to++) {
      const struct ut_way *start = &paths->start[(size_t)paths->source_of[from] * source->injections];
      bool some = from == to;
      for (unsigned i = 0; i < source->injections; i++)
        some |= paths->ways[paths->group_of[to]].entry[start[i].node] != UT_WAY_NONE;
      if (!some)
        return ut_fail(e, UT_BAD_INPUT, "without any fault there is no way from terminal %u to terminal %u",
                       (unsigned)from, (unsigned)to);
    }
  return 0;
}

int ut_path_network_init(struct ut_path_network *paths, const struct ut_path_source *source, unsigned classes,
                         bool directed, struct ut_error *e) {
  uint32_t injections = source->terminals * source->injections;
  *paths = (struct ut_path_network){.source = source, .pairs = (uint64_t)source->terminals * (source->terminals - 1)};
  uint32_t *entry = malloc(3 * (size_t)injections * sizeof *entry);
  int status = entry ? 0 : no_memory(e);
  if (!status)
    status = number_units(paths, classes, directed, e) || ask_all(paths, e) ? -1 : 0;
  if (!status) {
    number_entries(paths, entry + injections, entry + 2 * injections, entry);
    status = make_graphs(paths, entry + injections, entry + 2 * injections, e) || number_sources(paths, entry, e) ||
                     check_pairs(paths, e)
                 ? -1
                 : 0;
  }
  free(entry);
  free(paths->answer);
  paths->answer = NULL;
  if (status)
    ut_path_network_free(paths);
  return status;
}

void ut_path_network_free(struct ut_path_network *paths) {
  for (uint32_t i = 0; paths->ways && i < paths->groups; i++) {
    free(paths->ways[i].first);
    free(paths->ways[i].way);
    free(paths->ways[i].entry);
  }
  free(paths->ways), free(paths->group_of), free(paths->start), free(paths->source_of);
  free(paths->unit), free(paths->channel), free(paths->unit_class), free(paths->row), free(paths->first_row),
      free(paths->answer);
  *paths = (struct ut_path_network){0};
}

void ut_path_network_pairs(const struct ut_path_network *paths, uint32_t group, uint32_t *pairs) {
  memset(pairs, 0, paths->sources * sizeof *pairs);
  for (uint32_t t = 0; t < paths->source->terminals; t++)
    pairs[paths->source_of[t]] += paths->ways[group].members;
  for (uint32_t t = 0; t < paths->source->terminals; t++)
    pairs[paths->source_of[t]] -= paths->group_of[t] == group;
}

uint32_t ut_path_network_switch(const struct ut_path_network *paths, uint32_t unit) {
  return paths->source->failing[0] + unit - paths->links - 1;
}
