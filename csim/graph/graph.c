/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - see graph.h */
#define _POSIX_C_SOURCE 200809L
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_ends.h"
#include "reserve.h"

enum { PLACE_SIZE = 320 };

struct ut_graph *ut_graph_new(const char *path) {
  struct ut_graph *graph = calloc(1, sizeof *graph);
  if (graph && (graph->path = strdup(path))) {
    graph->owners = 1;
    return graph;
  }
  free(graph);
  return NULL;
}

struct ut_graph *ut_graph_share(struct ut_graph *graph) {
  if (graph)
    graph->owners++;
  return graph;
}

void ut_graph_free(struct ut_graph *graph) {
  if (!graph || --graph->owners)
    return;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    free(graph->node[i].id);
    free(graph->node[i].name);
  }
  free(graph->path);
  free(graph->node);
  free(graph->channel);
  free(graph->slot);
  free(graph);
}

const char *ut_graph_place(const struct ut_graph *graph, unsigned line, char *text, size_t size) {
  snprintf(text, size, line ? "%.200s:%u: " : "%.200s: ", graph->path, line);
  return text;
}

/* ---- names */

static uint32_t hash_of(const char *name) { /* FNV-1a */
  uint32_t hash = 2166136261u;
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash;
}

static bool is_called(const struct ut_graph_node *node, const char *name) {
  return !strcmp(node->name, name) || !strcmp(node->id, name);
}

/* Returns where a node of that name is, or would be put. */
static uint32_t slot_of(const struct ut_graph *graph, const char *name) {
  uint32_t at = hash_of(name) & (graph->slots - 1);
  while (graph->slot[at] != UT_NO_NODE && !is_called(&graph->node[graph->slot[at]], name))
    at = (at + 1) & (graph->slots - 1);
  return at;
}

uint32_t ut_graph_find(const struct ut_graph *graph, const char *name) {
  return graph->slots ? graph->slot[slot_of(graph, name)] : UT_NO_NODE;
}

bool ut_graph_has_switch(const struct ut_graph *graph, const char *name) {
  const uint32_t node = ut_graph_find(graph, name);
  return node != UT_NO_NODE && !graph->node[node].terminal;
}

static void enter(struct ut_graph *graph, uint32_t node) {
  graph->slot[slot_of(graph, graph->node[node].name)] = node;
  graph->slot[slot_of(graph, graph->node[node].id)] = node;
}

/* Makes room for another node's two names: at most half of the slots are used.  false: out of memory. */
static bool make_slots(struct ut_graph *graph) {
  if (4 * (graph->nodes + 1) <= graph->slots)
    return true;
  const uint32_t slots = graph->slots ? 2 * graph->slots : 64;
  uint32_t *slot = malloc(slots * sizeof *slot);
  if (!slot)
    return false;
  for (uint32_t i = 0; i < slots; i++)
    slot[i] = UT_NO_NODE;
  free(graph->slot);
  graph->slot = slot;
  graph->slots = slots;
  for (uint32_t i = 0; i < graph->nodes; i++)
    enter(graph, i);
  return true;
}

static int refuse_name(const struct ut_graph *graph, const struct ut_graph_node *node, const char *name,
                       struct ut_error *e) {
  const uint32_t other = ut_graph_find(graph, name);
  char place[PLACE_SIZE];
  if (*name && strlen(name) < UT_GRAPH_NAME_SIZE && other == UT_NO_NODE)
    return 0;
  ut_graph_place(graph, node->line, place, sizeof place);
  if (!*name)
    return ut_fail(e, UT_BAD_INPUT, "%sa node without a name", place);
  if (other == UT_NO_NODE)
    return ut_fail(e, UT_BAD_INPUT, "%sthe name '%.20s...' has more than %d bytes: shorten it", place, name,
                   UT_GRAPH_NAME_SIZE - 1);
  if (graph->node[other].line)
    return ut_fail(e, UT_BAD_INPUT, "%sanother node is called '%s' already, in line %u: rename one of them", place,
                   name, graph->node[other].line);
  return ut_fail(e, UT_BAD_INPUT, "%stwo nodes are called '%s': rename one of them", place, name);
}

uint32_t ut_graph_add(struct ut_graph *graph, const struct ut_graph_node *node, struct ut_error *e) {
  if (refuse_name(graph, node, node->name, e) || (node->id && refuse_name(graph, node, node->id, e)))
    return UT_NO_NODE;
  const bool room = ut_reserve_one(&graph->node, sizeof *graph->node, graph->nodes, &graph->node_room);
  struct ut_graph_node own = *node;
  own.name = strdup(node->name);
  own.id = strdup(node->id ? node->id : node->name);
  if (!room || !own.name || !own.id || !make_slots(graph)) {
    free(own.name);
    free(own.id);
    ut_fail_memory(e);
    return UT_NO_NODE;
  }
  graph->node[graph->nodes] = own;
  enter(graph, graph->nodes);
  return graph->nodes++;
}

/* ---- channels */

static void grow_ports(struct ut_graph_node *node, unsigned port) {
  if (node->ports <= port)
    node->ports = port + 1;
}

int ut_graph_lay(struct ut_graph *graph, const struct ut_graph_channel *channel, struct ut_error *e) {
  if (!ut_reserve_one(&graph->channel, sizeof *graph->channel, graph->channels, &graph->channel_room))
    return ut_fail_memory(e);
  graph->channel[graph->channels++] = *channel;
  grow_ports(&graph->node[channel->from], channel->from_port);
  grow_ports(&graph->node[channel->to], channel->to_port);
  return 0;
}

int ut_graph_join(struct ut_graph *graph, const struct ut_graph_channel *channel, struct ut_error *e) {
  const struct ut_graph_channel back = {.from = channel->to,
                                        .to = channel->from,
                                        .from_port = channel->to_port,
                                        .to_port = channel->from_port,
                                        .cycles = channel->cycles,
                                        .line = channel->line};
  return ut_graph_lay(graph, channel, e) || ut_graph_lay(graph, &back, e) ? -1 : 0;
}

int ut_graph_add_terminal(struct ut_graph *graph, uint32_t sw, unsigned port, unsigned number, struct ut_error *e) {
  char name[UT_GRAPH_NAME_SIZE + 8];
  const struct ut_graph_node own = {.name = name, .terminal = true, .line = graph->node[sw].line};
  snprintf(name, sizeof name, "%s.%u", graph->node[sw].name, number % 1000);
  const uint32_t terminal = ut_graph_add(graph, &own, e);
  const struct ut_graph_channel cable = {.from = sw, .to = terminal, .from_port = (uint8_t)port, .line = own.line};
  return terminal == UT_NO_NODE || ut_graph_join(graph, &cable, e) ? -1 : 0;
}

int ut_graph_add_local(struct ut_graph *graph, uint32_t sw, unsigned terminals, struct ut_error *e) {
  char place[PLACE_SIZE];
  for (unsigned i = 0; i < terminals; i++) {
    const struct ut_graph_node *node = &graph->node[sw];
    if (node->ports >= UT_GRAPH_MOST_PORTS)
      return ut_fail(e, UT_BAD_INPUT, "%s'%s' has no port left for its terminal %u",
                     ut_graph_place(graph, node->line, place, sizeof place), node->name, i);
    if (ut_graph_add_terminal(graph, sw, node->ports, i, e))
      return -1;
  }
  return 0;
}

/* ---- checks */

bool ut_graph_is_bidirectional(const struct ut_graph *graph) {
  struct ut_graph_ends ends;
  bool both = !ut_graph_ends_find(&ends, graph);
  if (!both)
    return false;
  for (uint32_t i = 0; i < graph->channels && both; i++)
    both = ut_graph_twin(&ends, i) != UT_NO_NODE;
  ut_graph_ends_free(&ends);
  return both;
}

static int refuse_double(const struct ut_graph *graph, uint32_t node, unsigned port, unsigned line, unsigned first,
                         struct ut_error *e) {
  char place[PLACE_SIZE];
  ut_graph_place(graph, line, place, sizeof place);
  return first && first != line ? ut_fail(e, UT_BAD_INPUT, "%sport %u of '%s' has another cable already, in line %u",
                                          place, port + graph->first_port, graph->node[node].name, first)
                                : ut_fail(e, UT_BAD_INPUT, "%sport %u of '%s' has two cables", place,
                                          port + graph->first_port, graph->node[node].name);
}

static int check_channels(const struct ut_graph_ends *ends, struct ut_error *e) {
  const struct ut_graph *graph = ends->graph;
  char place[PLACE_SIZE];
  for (uint32_t i = 0; i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    const uint32_t out = ut_graph_out_of(ends, channel->from, channel->from_port),
                   in = ut_graph_into(ends, channel->to, channel->to_port);
    if (channel->from == channel->to)
      return ut_fail(e, UT_BAD_INPUT, "%s'%s' is joined to itself",
                     ut_graph_place(graph, channel->line, place, sizeof place), graph->node[channel->from].name);
    if (graph->node[channel->from].terminal && graph->node[channel->to].terminal)
      return ut_fail(e, UT_BAD_INPUT, "%sterminals '%s' and '%s' are joined without a switch between them",
                     ut_graph_place(graph, channel->line, place, sizeof place), graph->node[channel->from].name,
                     graph->node[channel->to].name);
    if (out != i)
      return refuse_double(graph, channel->from, channel->from_port, channel->line, graph->channel[out].line, e);
    if (in != i)
      return refuse_double(graph, channel->to, channel->to_port, channel->line, graph->channel[in].line, e);
  }
  return 0;
}

static int check_terminal(const struct ut_graph_ends *ends, uint32_t number, struct ut_error *e) {
  const struct ut_graph *graph = ends->graph;
  const struct ut_graph_node *node = &graph->node[number];
  char place[PLACE_SIZE];
  if (node->ports == 1 && ut_graph_out_of(ends, number, 0) != UT_NO_NODE &&
      ut_graph_into(ends, number, 0) != UT_NO_NODE)
    return 0;
  ut_graph_place(graph, node->line, place, sizeof place);
  if (node->ports == 0)
    return ut_fail(e, UT_BAD_INPUT, "%sterminal '%s' is joined to no switch", place, node->name);
  if (node->ports > 1)
    return ut_fail(e, UT_BAD_INPUT, "%sterminal '%s' is joined to several switches: make it several terminals", place,
                   node->name);
  return ut_fail(e, UT_BAD_INPUT, "%sterminal '%s' has no channel %s the network", place, node->name,
                 ut_graph_out_of(ends, number, 0) == UT_NO_NODE ? "into" : "from");
}

/* A terminal has one port, and channels both ways there. */
static int check_terminals(const struct ut_graph_ends *ends, struct ut_error *e) {
  const struct ut_graph *graph = ends->graph;
  char place[PLACE_SIZE];
  uint32_t terminals = 0;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    terminals += graph->node[i].terminal;
    if (graph->node[i].terminal && check_terminal(ends, i, e))
      return -1;
  }
  if (terminals < 2)
    return ut_fail(e, UT_BAD_INPUT, "%s%s: a network has at least two", ut_graph_place(graph, 0, place, sizeof place),
                   terminals ? "one terminal" : "no terminals");
  return 0;
}

int ut_graph_check(const struct ut_graph *graph, struct ut_error *e) {
  struct ut_graph_ends ends;
  if (ut_graph_ends_find(&ends, graph))
    return ut_fail_memory(e);
  const int result = check_channels(&ends, e) || check_terminals(&ends, e) ? -1 : 0;
  ut_graph_ends_free(&ends);
  return result;
}
