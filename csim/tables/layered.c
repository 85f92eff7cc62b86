/* SPDX-License-Identifier: Apache-2.0 */
/* layered.c - see layered.h */
#include "layered.h"

#include <stdlib.h>
#include <string.h>

#include "balanced.h"

/* How a switch chooses among its shortest next hops. */
enum way {
  BY_NUMBER,     /* the switch of the lowest number: where rows are numbered on up*-down* by numbers */
  BY_PORT,       /* the first port: in generated grids dimension by dimension */
  BY_STEP,       /* the switch of the nearest number, of equals the idler channel: so in grids from files */
  BY_DEPENDENCY, /* one that adds no dependency to the first layer, else one that closes no cycle there */
  BY_LOAD,       /* the channel with fewest pairs */
  WAYS
};

static uint32_t home_of(const struct ut_layered *layers, uint32_t terminal) {
  return ut_topology_attachment(layers->topology, terminal).sw;
}

/* ---- memory */

static bool make_plan(struct ut_layer_plan *plan, const struct ut_topology *topo) {
  const size_t pairs = (size_t)topo->terminals * topo->switches;
  plan->port = malloc(pairs);
  plan->layer = malloc(pairs);
  return plan->port && plan->layer;
}

bool ut_layered_init(struct ut_layered *layers, const struct ut_topology *topo, const struct ut_planning *planning,
                     unsigned vcs) {
  const struct ut_planning minimal = {.planner = UT_PLANNER_MINIMAL};
  *layers = (struct ut_layered){.topology = topo,
                                .vcs = vcs,
                                .share = planning->too_few_vcs == UT_TOO_FEW_SHARE,
                                .up = calloc(topo->switches, sizeof *layers->up),
                                .local = calloc(topo->switches, sizeof *layers->local),
                                .load = calloc((size_t)topo->switches * topo->po, sizeof *layers->load),
                                .flow = calloc(topo->switches, sizeof *layers->flow)};
  bool complete = layers->up && layers->local && layers->load && layers->flow && make_plan(&layers->plan, topo) &&
                  make_plan(&layers->next, topo) && ut_hop_search_init(&layers->hops, topo, &minimal);
  for (unsigned i = 0; i < UT_MOST_LAYERS; i++)
    complete = complete && ut_layer_graph_init(&layers->graph[i], topo);
  if (!complete) {
    ut_layered_fini(layers);
    return false;
  }
  for (uint32_t i = 0; i < topo->terminals; i++)
    layers->local[home_of(layers, i)]++;
  return true;
}

void ut_layered_fini(struct ut_layered *layers) {
  for (unsigned i = 0; i < UT_MOST_LAYERS; i++)
    ut_layer_graph_fini(&layers->graph[i]);
  ut_hop_search_fini(&layers->hops);
  free(layers->up);
  free(layers->local);
  free(layers->load);
  free(layers->flow);
  free(layers->plan.port);
  free(layers->plan.layer);
  free(layers->next.port);
  free(layers->next.layer);
  *layers = (struct ut_layered){0};
}

/* ---- one tree */

static uint32_t channel_of(const struct ut_layered *layers, uint32_t sw, unsigned port) {
  return sw * layers->topology->po + port;
}

static uint32_t behind(const struct ut_layered *layers, uint32_t sw, unsigned port) {
  return layers->topology->peer[channel_of(layers, sw, port)].index;
}

/* How good a next hop is by dependencies: 2 it adds none to the first layer, 1 it closes no cycle there. */
static unsigned dependency_rank(struct ut_layered *layers, uint32_t sw, unsigned out, const uint8_t *port,
                                uint32_t to) {
  const uint32_t channel = channel_of(layers, sw, out), next = behind(layers, sw, out);
  struct ut_layer_graph *graph = &layers->graph[0];
  if (next == to || ut_layer_graph_has(graph, channel, port[next]))
    return 2;
  if (!ut_layer_graph_add(graph, channel, port[next]))
    return 0;
  ut_layer_graph_remove(graph, channel, port[next]);
  return 1;
}

static uint32_t step(uint32_t from, uint32_t to) {
  return from < to ? to - from : from - to;
}

/* Whether one next hop is better than another one. */
static bool is_better(struct ut_layered *layers, enum way way, uint32_t sw, unsigned out, unsigned best,
                      const uint8_t *port, uint32_t to) {
  if (way == BY_PORT)
    return false; /* the first of all */
  if (way == BY_NUMBER)
    return behind(layers, sw, out) < behind(layers, sw, best);
  if (way == BY_STEP) {
    const uint32_t a = step(sw, behind(layers, sw, out)), b = step(sw, behind(layers, sw, best));
    if (a != b)
      return a < b;
  }
  if (way == BY_DEPENDENCY) {
    const unsigned a = dependency_rank(layers, sw, out, port, to), b = dependency_rank(layers, sw, best, port, to);
    if (a != b)
      return a > b;
  }
  return layers->load[channel_of(layers, sw, out)] < layers->load[channel_of(layers, sw, best)];
}

static void choose(struct ut_layered *layers, enum way way, uint32_t sw, uint8_t *port, uint32_t to) {
  const ut_mask ports = layers->hops.ports[sw * UT_BANKS + UT_BANK_FREE];
  unsigned best = ut_first(ports);
  UT_FOR_EACH (out, ports & (ports - 1)) {
    if (is_better(layers, way, sw, out, best, port, to))
      best = out;
  }
  port[sw] = (uint8_t)best;
  if (way == BY_DEPENDENCY && behind(layers, sw, best) != to)
    ut_layer_graph_add(&layers->graph[0], channel_of(layers, sw, best), port[behind(layers, sw, best)]);
}

/* Adds the pairs of the tree to the channels: those that begin at each switch, and those from behind it. */
static void add_load(struct ut_layered *layers, const uint8_t *port, uint32_t to) {
  const struct ut_hop_search *hops = &layers->hops;
  memcpy(layers->flow, layers->local, layers->topology->switches * sizeof *layers->flow);
  for (uint32_t i = hops->reached; i-- > 0;) { /* the farthest first */
    const uint32_t sw = hops->queue[i] / UT_BANKS;
    if (hops->queue[i] % UT_BANKS != UT_BANK_FREE || sw == to)
      continue;
    layers->load[channel_of(layers, sw, port[sw])] += layers->flow[sw];
    layers->flow[behind(layers, sw, port[sw])] += layers->flow[sw];
  }
}

static void grow_tree(struct ut_layered *layers, enum way way, uint32_t terminal, uint8_t *port) {
  const struct ut_hop_search *hops = &layers->hops;
  const struct ut_attachment at = ut_topology_attachment(layers->topology, terminal);
  memset(port, UT_NO_PORT, layers->topology->switches);
  if (!(layers->up[at.sw] & ut_bit(at.out_port)))
    return;
  for (uint32_t i = 0; i < hops->reached; i++) /* the nearest first */
    if (hops->queue[i] % UT_BANKS == UT_BANK_FREE && hops->queue[i] / UT_BANKS != at.sw)
      choose(layers, way, hops->queue[i] / UT_BANKS, port, at.sw);
  add_load(layers, port, at.sw);
  port[at.sw] = at.out_port;
}

/* ---- layers */

/* Adds the dependencies of a path to a layer, or none. */
static bool enter(struct ut_layered *layers, struct ut_layer_graph *graph, const uint8_t *port, uint32_t from,
                  uint32_t to) {
  uint32_t added[UINT8_MAX], channels = 0;
  uint8_t by[UINT8_MAX];
  for (uint32_t sw = from; behind(layers, sw, port[sw]) != to; sw = behind(layers, sw, port[sw])) {
    const uint32_t channel = channel_of(layers, sw, port[sw]), next = behind(layers, sw, port[sw]);
    if (ut_layer_graph_has(graph, channel, port[next]))
      continue;
    if (channels == UINT8_MAX || !ut_layer_graph_add(graph, channel, port[next])) {
      while (channels--)
        ut_layer_graph_remove(graph, added[channels], by[channels]);
      return false;
    }
    added[channels] = channel;
    by[channels++] = port[next];
  }
  return true;
}

/* The first layer with room for a path. */
static unsigned first_layer(struct ut_layered *layers, const uint8_t *port, uint32_t from, uint32_t to) {
  for (unsigned layer = 0; layer < UT_MOST_LAYERS; layer++)
    if (enter(layers, &layers->graph[layer], port, from, to))
      return layer;
  return UT_NO_LAYER;
}

static unsigned layer_of_path(struct ut_layered *layers, const uint8_t *port, uint32_t from, uint32_t to) {
  if (from == to)
    return 0;
  return port[from] == UT_NO_PORT ? UT_NO_LAYER : first_layer(layers, port, from, to);
}

static void assign(struct ut_layered *layers) {
  const struct ut_topology *topo = layers->topology;
  struct ut_layer_plan *plan = &layers->next;
  for (unsigned i = 0; i < UT_MOST_LAYERS; i++)
    ut_layer_graph_clear(&layers->graph[i]);
  plan->layers = 1;
  for (uint32_t dst = 0; dst < topo->terminals; dst++)
    for (uint32_t sw = 0; sw < topo->switches; sw++) {
      const uint8_t *port = plan->port + (size_t)dst * topo->switches;
      const unsigned layer = layers->local[sw] ? layer_of_path(layers, port, sw, home_of(layers, dst)) : 0;
      plan->layer[(size_t)sw * topo->terminals + dst] = (uint8_t)layer;
      const bool misses = layer == UT_NO_LAYER && port[sw] != UT_NO_PORT;
      if (misses || (layer != UT_NO_LAYER && layer >= plan->layers))
        plan->layers = layer + 1;
    }
}

/* Plans with next hops that are chosen so, or, where they are given, with those. */
static void make(struct ut_layered *layers, enum way way, const uint8_t *given) {
  const struct ut_topology *topo = layers->topology;
  uint32_t at = UINT32_MAX;
  memset(layers->load, 0, (size_t)topo->switches * topo->po * sizeof *layers->load);
  for (unsigned i = 0; i < UT_MOST_LAYERS; i++)
    ut_layer_graph_clear(&layers->graph[i]);
  for (uint32_t dst = 0; dst < topo->terminals; dst++) {
    uint8_t *port = layers->next.port + (size_t)dst * topo->switches;
    if (home_of(layers, dst) != at)
      ut_hop_search_towards(&layers->hops, at = home_of(layers, dst));
    if (given) {
      memcpy(port, given + (size_t)dst * topo->switches, topo->switches);
      add_load(layers, port, at);
    } else {
      grow_tree(layers, way, dst, port);
    }
  }
  layers->next.busiest = 0;
  for (uint32_t i = 0; i < topo->switches * topo->po; i++)
    layers->next.busiest = layers->load[i] > layers->next.busiest ? layers->load[i] : layers->next.busiest;
  assign(layers);
}

/* Whether the plan under construction is better: of those that the switches have layers for the one whose busiest
 * channel is the least busy, else the one with fewest layers. */
static bool is_better_plan(const struct ut_layered *layers) {
  const struct ut_layer_plan *a = &layers->next, *b = &layers->plan;
  const bool fits = a->layers <= layers->vcs;
  if (fits != (b->layers <= layers->vcs))
    return fits;
  if (fits && a->busiest != b->busiest)
    return a->busiest < b->busiest;
  return a->layers != b->layers ? a->layers < b->layers : a->busiest < b->busiest;
}

static void exchange(struct ut_layered *layers) {
  const struct ut_layer_plan plan = layers->plan;
  layers->plan = layers->next;
  layers->next = plan;
}

static unsigned emptiest(const uint32_t *paths, unsigned layers) {
  unsigned best = 0;
  for (unsigned i = 1; i < layers; i++)
    best = paths[i] < paths[best] ? i : best;
  return best;
}

/* Moves paths to the emptiest layer of those that the switches have, where it has room for them: the first layers have
 * most, and those behind the last one that is needed have none. */
static void spread(struct ut_layered *layers) {
  const struct ut_topology *topo = layers->topology;
  const unsigned count = layers->vcs < UT_MOST_LAYERS ? layers->vcs : UT_MOST_LAYERS;
  uint32_t paths[UT_NO_LAYER + 1] = {0};
  for (size_t i = 0; i < (size_t)topo->switches * topo->terminals; i++)
    paths[layers->plan.layer[i]] += layers->local[i / topo->terminals];
  for (uint32_t dst = 0; dst < topo->terminals && layers->plan.layers <= count; dst++)
    for (uint32_t sw = 0; sw < topo->switches; sw++) {
      const uint8_t *port = layers->plan.port + (size_t)dst * topo->switches;
      uint8_t *layer = &layers->plan.layer[(size_t)sw * topo->terminals + dst];
      const unsigned to = emptiest(paths, count);
      if (*layer >= count || !layers->local[sw] || sw == home_of(layers, dst) ||
          paths[to] + layers->local[sw] >= paths[*layer] ||
          !enter(layers, &layers->graph[to], port, sw, home_of(layers, dst)))
        continue;
      paths[*layer] -= layers->local[sw];
      paths[to] += layers->local[sw];
      *layer = (uint8_t)to;
    }
}

/* Paths that the switches have no layer for are given up, or share the last one. */
static void limit(struct ut_layered *layers) {
  const struct ut_topology *topo = layers->topology;
  struct ut_layer_plan *plan = &layers->plan;
  for (uint32_t dst = 0; dst < topo->terminals; dst++)
    for (uint32_t sw = 0; sw < topo->switches; sw++) {
      uint8_t *layer = &plan->layer[(size_t)sw * topo->terminals + dst];
      if (*layer >= layers->vcs)
        *layer = layers->share && plan->port[(size_t)dst * topo->switches + sw] != UT_NO_PORT
                     ? (uint8_t)(layers->vcs - 1)
                     : UT_NO_LAYER;
    }
}

void ut_layered_survey(struct ut_layered *layers, const ut_mask *link_up) {
  memcpy(layers->up, link_up, layers->topology->switches * sizeof *layers->up);
  ut_hop_search_order(&layers->hops, layers->up);
  layers->needed = layers->plan.layers = UINT8_MAX;
  enum way best = 0;
  for (enum way way = 0; way < WAYS; way++) {
    make(layers, way, NULL);
    layers->needed = layers->next.layers < layers->needed ? layers->next.layers : layers->needed;
    if (is_better_plan(layers)) {
      exchange(layers);
      best = way;
    }
  }
  make(layers, best, NULL); /* its graphs */
  exchange(layers);
  spread(layers);
  limit(layers);
}

void ut_layered_offer(struct ut_layered *layers, const uint8_t *port) {
  const unsigned needed = layers->plan.layers;
  make(layers, WAYS, port);
  layers->needed = layers->next.layers < layers->needed ? layers->next.layers : layers->needed;
  if (layers->next.layers > layers->vcs || (needed <= layers->vcs && layers->next.busiest >= layers->plan.busiest))
    return;
  exchange(layers);
  spread(layers);
  limit(layers);
}
