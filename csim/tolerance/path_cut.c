/* SPDX-License-Identifier: Apache-2.0 */
/* path_cut.c - the smallest set of units that separates a pair: maximum flow from a terminal's injection links to the
 * destination, every unit a capacity of one (see path_tolerance.h) */
#include <stdlib.h>
#include <string.h>

#include "path_tolerance.h"

#define ENDLESS UINT32_MAX

/* A graph with the way back along each edge.  Node 0 is the destination, node `nodes` the terminal where packets start.
 */
struct edge {
  uint32_t unit, from, to;
  uint32_t flow, of; /* of: the pair of the flow; the flow of another pair counts as none */
};

struct flow {
  const struct ut_path_network *network;
  unsigned counted; /* classes that can fail */
  uint32_t pair;
  uint32_t removed;      /* a unit that has failed already; UT_NO_UNIT: none */
  uint32_t nodes, edges; /* edges of the graph; those of the terminal follow */
  struct edge *edge;
  uint32_t *out, *out_edge; /* of node i: out_edge[out[i]..out[i + 1] - 1] */
  uint32_t *in, *in_edge;
  uint32_t *seen, rounds; /* [nodes + 1]: in which search */
  uint32_t *came;         /* [nodes + 1]: by which edge */
  uint32_t *stack;        /* [nodes + 1]: to be looked at */
};

static int no_memory(struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the smallest fault set");
}

static void flow_free(struct flow *flow) {
  free(flow->edge), free(flow->out), free(flow->out_edge), free(flow->in), free(flow->in_edge), free(flow->seen),
      free(flow->came);
  free(flow->stack);
  *flow = (struct flow){0};
}

static int flow_init(struct flow *flow, const struct ut_path_network *paths, unsigned counted, struct ut_error *e) {
  uint32_t nodes = 0, edges = 0;
  *flow = (struct flow){.network = paths, .counted = counted};
  if (paths->repeated)
    return ut_fail(e, UT_BAD_INPUT,
                   "a link stands at several ways to one destination: flows do not find the smallest "
                   "fault set");
  for (uint32_t g = 0; g < paths->groups; g++) {
    const struct ut_ways *ways = &paths->ways[g];
    nodes = ways->nodes > nodes ? ways->nodes : nodes;
    edges = ways->first[ways->nodes] > edges ? ways->first[ways->nodes] : edges;
  }
  edges += paths->source->injections;
  flow->edge = malloc(edges * sizeof *flow->edge);
  flow->out = malloc((nodes + 2) * sizeof *flow->out);
  flow->in = malloc((nodes + 2) * sizeof *flow->in);
  flow->out_edge = malloc(edges * sizeof *flow->out_edge);
  flow->in_edge = malloc(edges * sizeof *flow->in_edge);
  flow->seen = calloc(nodes + 1, sizeof *flow->seen);
  flow->came = malloc((nodes + 1) * sizeof *flow->came);
  flow->stack = malloc((nodes + 1) * sizeof *flow->stack);
  if (flow->edge && flow->out && flow->in && flow->out_edge && flow->in_edge && flow->seen && flow->came && flow->stack)
    return 0;
  flow_free(flow);
  return no_memory(e);
}

/* Adds the paths of a group. */
static void take_graph(struct flow *flow, const struct ut_ways *ways) {
  flow->nodes = ways->nodes;
  flow->edges = ways->first[ways->nodes];
  memset(flow->in, 0, (flow->nodes + 2) * sizeof *flow->in);
  for (uint32_t i = 0; i < flow->nodes; i++) {
    flow->out[i] = ways->first[i];
    for (uint32_t j = ways->first[i]; j < ways->first[i + 1]; j++) {
      flow->edge[j] = (struct edge){.unit = ways->way[j].unit, .from = i, .to = ways->way[j].node};
      flow->out_edge[j] = j;
      flow->in[ways->way[j].node + 1]++;
    }
  }
  flow->out[flow->nodes] = flow->edges;
  for (uint32_t i = 0; i < flow->nodes; i++)
    flow->in[i + 1] += flow->in[i];
  for (uint32_t j = 0; j < flow->edges; j++)
    flow->in_edge[flow->in[flow->edge[j].to]++] = j;
  for (uint32_t i = flow->nodes; i > 0; i--)
    flow->in[i] = flow->in[i - 1];
  flow->in[0] = 0;
}

/* Adds the terminal's links. */
static void take_source(struct flow *flow, const struct ut_ways *ways, uint32_t source) {
  const struct ut_path_network *paths = flow->network;
  for (unsigned i = 0; i < paths->source->injections; i++) {
    const struct ut_way *start = &paths->start[(size_t)source * paths->source->injections + i];
    flow->edge[flow->edges + i] =
        (struct edge){.unit = start->unit, .from = flow->nodes, .to = ways->entry[start->node]};
    flow->out_edge[flow->edges + i] = flow->edges + i;
  }
  flow->out[flow->nodes + 1] = flow->edges + paths->source->injections;
}

static uint32_t flow_of(const struct flow *flow, const struct edge *own) {
  return own->of == flow->pair ? own->flow : 0;
}

static uint32_t capacity(const struct flow *flow, uint32_t unit) {
  if (unit == UT_NO_UNIT)
    return ENDLESS;
  if (unit == flow->removed)
    return 0;
  return flow->network->unit_class[unit] & flow->counted ? 1 : ENDLESS;
}

static void reach(struct flow *flow, uint32_t node, uint32_t by, uint32_t *tail) {
  if (flow->seen[node] == flow->rounds)
    return;
  flow->seen[node] = flow->rounds;
  flow->came[node] = by;
  flow->stack[(*tail)++] = node;
}

/* Searches for a path with free capacity; false: there is none, and `seen` is what can be reached. */
static bool search(struct flow *flow) {
  uint32_t tail = 0;
  flow->rounds++;
  reach(flow, flow->nodes, 0, &tail);
  while (tail) { /* the newest first: it gets there soonest */
    uint32_t node = flow->stack[--tail];
    for (uint32_t i = flow->out[node]; i < flow->out[node + 1]; i++) {
      const struct edge *own = &flow->edge[flow->out_edge[i]];
      if (flow_of(flow, own) < capacity(flow, own->unit))
        reach(flow, own->to, flow->out_edge[i], &tail);
    }
    for (uint32_t i = flow->in[node]; i < flow->in[node + 1]; i++) /* none leads to the terminal */
      if (flow_of(flow, &flow->edge[flow->in_edge[i]]))
        reach(flow, flow->edge[flow->in_edge[i]].from, flow->in_edge[i], &tail);
    if (flow->seen[UT_WAY_ARRIVED] == flow->rounds)
      return true;
  }
  return false;
}

/* Increases the flow along the path that was found; false: the path had no unit, so nothing separates the pair. */
static bool augment(struct flow *flow) {
  bool limited = false;
  for (uint32_t node = UT_WAY_ARRIVED; node != flow->nodes;) {
    struct edge *own = &flow->edge[flow->came[node]];
    bool forward = own->to == node;
    limited |= !forward || capacity(flow, own->unit) != ENDLESS;
    own->flow = flow_of(flow, own) + (forward ? 1 : UINT32_MAX);
    own->of = flow->pair;
    node = forward ? own->from : own->to;
  }
  return limited;
}

/* Returns how many units separate the pair; `most` if they are that many or more. */
static uint32_t units_between(struct flow *flow, uint32_t most) {
  uint32_t units = 0;
  flow->pair++;
  while (units < most && search(flow)) {
    if (!augment(flow))
      return most;
    units++;
  }
  return units;
}

/* Notes the units that the last search could not pass. */
static int note(struct flow *flow, struct ut_path_cut *cut, uint32_t size, struct ut_error *e) {
  uint32_t *unit = realloc(cut->unit, (size + 1) * sizeof *unit);
  if (!unit)
    return no_memory(e);
  cut->unit = unit;
  cut->size = 0;
  for (uint32_t i = 0; i < flow->out[flow->nodes + 1] && cut->size < size; i++) {
    const struct edge *own = &flow->edge[i];
    if (flow->seen[own->from] == flow->rounds && flow->seen[own->to] != flow->rounds && own->unit != flow->removed)
      cut->unit[cut->size++] = own->unit;
  }
  cut->unit[size] = flow->removed;
  return 0;
}

/* Finds a terminal of that source and a different one of that group. */
static void name_pair(const struct ut_path_network *paths, uint32_t source, uint32_t group, struct ut_path_cut *cut) {
  for (cut->from = 0; cut->from < paths->source->terminals; cut->from++)
    for (cut->to = 0; paths->source_of[cut->from] == source && cut->to < paths->source->terminals; cut->to++)
      if (paths->group_of[cut->to] == group && cut->to != cut->from)
        return;
}

/* Units that have failed already, of a source and a group: those of classes that are not counted. */
static uint32_t next_removed(const struct flow *flow, uint32_t *at) {
  for (; *at < flow->out[flow->nodes + 1]; ++*at) {
    uint32_t unit = flow->edge[*at].unit;
    if (unit != UT_NO_UNIT && !(flow->network->unit_class[unit] & flow->counted))
      return flow->edge[(*at)++].unit;
  }
  return UT_NO_UNIT;
}

static int find(const struct ut_path_network *paths, unsigned counted, bool beside, struct ut_path_cut *cut,
                struct ut_error *e) {
  struct flow flow;
  uint32_t *pairs = malloc(paths->sources * sizeof *pairs);
  *cut = (struct ut_path_cut){.size = ENDLESS};
  if (!pairs)
    return no_memory(e);
  int status = flow_init(&flow, paths, counted, e);
  for (uint32_t g = 0; g < paths->groups && !status; g++) {
    take_graph(&flow, &paths->ways[g]);
    ut_path_network_pairs(paths, g, pairs);
    for (uint32_t s = 0; s < paths->sources && !status; s++) {
      uint32_t at = 0;
      if (!pairs[s])
        continue;
      take_source(&flow, &paths->ways[g], s);
      do {
        flow.removed = beside ? next_removed(&flow, &at) : UT_NO_UNIT;
        if (beside && flow.removed == UT_NO_UNIT)
          break;
        uint32_t size = units_between(&flow, cut->size);
        if (size >= cut->size)
          continue;
        status = note(&flow, cut, size, e);
        name_pair(paths, s, g, cut);
      } while (beside && !status);
    }
  }
  flow_free(&flow);
  free(pairs);
  if (status)
    ut_path_cut_free(cut);
  return status;
}

int ut_path_cut_find(const struct ut_path_network *paths, unsigned counted, struct ut_path_cut *cut,
                     struct ut_error *e) {
  return find(paths, counted, false, cut, e);
}

int ut_path_cut_beside(const struct ut_path_network *paths, unsigned counted, struct ut_path_cut *cut,
                       struct ut_error *e) {
  return find(paths, counted, true, cut, e);
}

void ut_path_cut_free(struct ut_path_cut *cut) {
  free(cut->unit);
  *cut = (struct ut_path_cut){0};
}
