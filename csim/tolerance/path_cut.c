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
  uint32_t flow, of; /* of: the pair whose flow it is; an older one's counts as none */
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

static void flow_free(struct flow *f) {
  free(f->edge), free(f->out), free(f->out_edge), free(f->in), free(f->in_edge), free(f->seen), free(f->came);
  free(f->stack);
  *f = (struct flow){0};
}

static int flow_init(struct flow *f, const struct ut_path_network *n, unsigned counted, struct ut_error *e) {
  uint32_t nodes = 0, edges = 0;
  *f = (struct flow){.network = n, .counted = counted};
  if (n->repeated)
    return ut_fail(e, UT_BAD_INPUT,
                   "a link stands at several ways to one destination: flows do not find the smallest "
                   "fault set");
  for (uint32_t g = 0; g < n->groups; g++) {
    const struct ut_ways *w = &n->ways[g];
    nodes = w->nodes > nodes ? w->nodes : nodes;
    edges = w->first[w->nodes] > edges ? w->first[w->nodes] : edges;
  }
  edges += n->source->injections;
  f->edge = malloc(edges * sizeof *f->edge);
  f->out = malloc((nodes + 2) * sizeof *f->out);
  f->in = malloc((nodes + 2) * sizeof *f->in);
  f->out_edge = malloc(edges * sizeof *f->out_edge);
  f->in_edge = malloc(edges * sizeof *f->in_edge);
  f->seen = calloc(nodes + 1, sizeof *f->seen);
  f->came = malloc((nodes + 1) * sizeof *f->came);
  f->stack = malloc((nodes + 1) * sizeof *f->stack);
  if (f->edge && f->out && f->in && f->out_edge && f->in_edge && f->seen && f->came && f->stack)
    return 0;
  flow_free(f);
  return no_memory(e);
}

/* The ways of a group. */
static void take_graph(struct flow *f, const struct ut_ways *w) {
  f->nodes = w->nodes;
  f->edges = w->first[w->nodes];
  memset(f->in, 0, (f->nodes + 2) * sizeof *f->in);
  for (uint32_t i = 0; i < f->nodes; i++) {
    f->out[i] = w->first[i];
    for (uint32_t j = w->first[i]; j < w->first[i + 1]; j++) {
      f->edge[j] = (struct edge){.unit = w->way[j].unit, .from = i, .to = w->way[j].node};
      f->out_edge[j] = j;
      f->in[w->way[j].node + 1]++;
    }
  }
  f->out[f->nodes] = f->edges;
  for (uint32_t i = 0; i < f->nodes; i++)
    f->in[i + 1] += f->in[i];
  for (uint32_t j = 0; j < f->edges; j++)
    f->in_edge[f->in[f->edge[j].to]++] = j;
  for (uint32_t i = f->nodes; i > 0; i--)
    f->in[i] = f->in[i - 1];
  f->in[0] = 0;
}

/* The terminal's links. */
static void take_source(struct flow *f, const struct ut_ways *w, uint32_t source) {
  const struct ut_path_network *n = f->network;
  for (unsigned i = 0; i < n->source->injections; i++) {
    const struct ut_way *start = &n->start[(size_t)source * n->source->injections + i];
    f->edge[f->edges + i] = (struct edge){.unit = start->unit, .from = f->nodes, .to = w->entry[start->node]};
    f->out_edge[f->edges + i] = f->edges + i;
  }
  f->out[f->nodes + 1] = f->edges + n->source->injections;
}

static uint32_t flow_of(const struct flow *f, const struct edge *own) {
  return own->of == f->pair ? own->flow : 0;
}

static uint32_t capacity(const struct flow *f, uint32_t unit) {
  if (unit == UT_NO_UNIT)
    return ENDLESS;
  if (unit == f->removed)
    return 0;
  return f->network->unit_class[unit] & f->counted ? 1 : ENDLESS;
}

static void reach(struct flow *f, uint32_t node, uint32_t by, uint32_t *tail) {
  if (f->seen[node] == f->rounds)
    return;
  f->seen[node] = f->rounds;
  f->came[node] = by;
  f->stack[(*tail)++] = node;
}

/* Looks for a way with room; false: there is none, and `seen` is what can be reached. */
static bool search(struct flow *f) {
  uint32_t tail = 0;
  f->rounds++;
  reach(f, f->nodes, 0, &tail);
  while (tail) { /* the newest first: that is soonest there */
    uint32_t node = f->stack[--tail];
    for (uint32_t i = f->out[node]; i < f->out[node + 1]; i++) {
      const struct edge *own = &f->edge[f->out_edge[i]];
      if (flow_of(f, own) < capacity(f, own->unit))
        reach(f, own->to, f->out_edge[i], &tail);
    }
    for (uint32_t i = f->in[node]; i < f->in[node + 1]; i++) /* none leads to the terminal */
      if (flow_of(f, &f->edge[f->in_edge[i]]))
        reach(f, f->edge[f->in_edge[i]].from, f->in_edge[i], &tail);
    if (f->seen[UT_WAY_ARRIVED] == f->rounds)
      return true;
  }
  return false;
}

/* One more along the way that was found; false: it had no unit, so nothing separates the pair. */
static bool augment(struct flow *f) {
  bool limited = false;
  for (uint32_t node = UT_WAY_ARRIVED; node != f->nodes;) {
    struct edge *own = &f->edge[f->came[node]];
    bool forward = own->to == node;
    limited |= !forward || capacity(f, own->unit) != ENDLESS;
    own->flow = flow_of(f, own) + (forward ? 1 : UINT32_MAX);
    own->of = f->pair;
    node = forward ? own->from : own->to;
  }
  return limited;
}

/* Units that separate the pair; `most` where they are that many or more. */
static uint32_t units_between(struct flow *f, uint32_t most) {
  uint32_t units = 0;
  f->pair++;
  while (units < most && search(f)) {
    if (!augment(f))
      return most;
    units++;
  }
  return units;
}

/* Notes the units that the last search could not pass. */
static int note(struct flow *f, struct ut_path_cut *cut, uint32_t size, struct ut_error *e) {
  uint32_t *unit = realloc(cut->unit, (size + 1) * sizeof *unit);
  if (!unit)
    return no_memory(e);
  cut->unit = unit;
  cut->size = 0;
  for (uint32_t i = 0; i < f->out[f->nodes + 1] && cut->size < size; i++) {
    const struct edge *own = &f->edge[i];
    if (f->seen[own->from] == f->rounds && f->seen[own->to] != f->rounds && own->unit != f->removed)
      cut->unit[cut->size++] = own->unit;
  }
  cut->unit[size] = f->removed;
  return 0;
}

/* A terminal of that source and one of that group, different ones. */
static void name_pair(const struct ut_path_network *n, uint32_t source, uint32_t group, struct ut_path_cut *cut) {
  for (cut->from = 0; cut->from < n->source->terminals; cut->from++)
    for (cut->to = 0; n->source_of[cut->from] == source && cut->to < n->source->terminals; cut->to++)
      if (n->group_of[cut->to] == group && cut->to != cut->from)
        return;
}

/* Units that have failed already, of a source and a group: those of classes that are not counted. */
static uint32_t next_removed(const struct flow *f, uint32_t *at) {
  for (; *at < f->out[f->nodes + 1]; ++*at) {
    uint32_t unit = f->edge[*at].unit;
    if (unit != UT_NO_UNIT && !(f->network->unit_class[unit] & f->counted))
      return f->edge[(*at)++].unit;
  }
  return UT_NO_UNIT;
}

static int find(const struct ut_path_network *n, unsigned counted, bool beside, struct ut_path_cut *cut,
                struct ut_error *e) {
  struct flow f;
  uint32_t *pairs = malloc(n->sources * sizeof *pairs);
  *cut = (struct ut_path_cut){.size = ENDLESS};
  if (!pairs)
    return no_memory(e);
  int status = flow_init(&f, n, counted, e);
  for (uint32_t g = 0; g < n->groups && !status; g++) {
    take_graph(&f, &n->ways[g]);
    ut_path_network_pairs(n, g, pairs);
    for (uint32_t s = 0; s < n->sources && !status; s++) {
      uint32_t at = 0;
      if (!pairs[s])
        continue;
      take_source(&f, &n->ways[g], s);
      do {
        f.removed = beside ? next_removed(&f, &at) : UT_NO_UNIT;
        if (beside && f.removed == UT_NO_UNIT)
          break;
        uint32_t size = units_between(&f, cut->size);
        if (size >= cut->size)
          continue;
        status = note(&f, cut, size, e);
        name_pair(n, s, g, cut);
      } while (beside && !status);
    }
  }
  flow_free(&f);
  free(pairs);
  if (status)
    ut_path_cut_free(cut);
  return status;
}

int ut_path_cut_find(const struct ut_path_network *n, unsigned counted, struct ut_path_cut *cut, struct ut_error *e) {
  return find(n, counted, false, cut, e);
}

int ut_path_cut_beside(const struct ut_path_network *n, unsigned counted, struct ut_path_cut *cut, struct ut_error *e) {
  return find(n, counted, true, cut, e);
}

void ut_path_cut_free(struct ut_path_cut *cut) {
  free(cut->unit);
  *cut = (struct ut_path_cut){0};
}
