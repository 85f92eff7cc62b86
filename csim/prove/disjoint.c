/* disjoint.c - see disjoint.h */
#include "disjoint.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE, SINK, FIRST_LINK }; /* vertices in pairs: 2 * i and 2 * i + 1 */
enum { NONE = UINT32_MAX, MANY = UINT16_MAX };

bool ut_disjoint_init(struct ut_disjoint *d, const struct ut_pair_ways *w) {
  const uint32_t channels = w->topology->channels;
  *d = (struct ut_disjoint){.ways = w, .room = channels + FIRST_LINK};
  d->vertex = calloc(channels, sizeof *d->vertex);
  d->channel = malloc(d->room * sizeof *d->channel);
  d->node = malloc(d->room * sizeof *d->node);
  d->last = malloc(2 * (size_t)d->room * sizeof *d->last);
  d->from = malloc(2 * (size_t)d->room * sizeof *d->from);
  d->queue = malloc(2 * (size_t)d->room * sizeof *d->queue);
  return d->vertex && d->channel && d->node && d->last && d->from && d->queue;
}

void ut_disjoint_free(struct ut_disjoint *d) {
  free(d->vertex), free(d->channel), free(d->node), free(d->last), free(d->from), free(d->queue), free(d->arc);
  *d = (struct ut_disjoint){.bad_memory = d->bad_memory};
}

static void add_half(struct ut_disjoint *d, uint32_t from, uint32_t to, uint32_t room) {
  d->arc[d->arcs] = (struct ut_flow_arc){to, d->last[from], room};
  d->last[from] = d->arcs++;
}

static void add_arc(struct ut_disjoint *d, uint32_t from, uint32_t to, uint32_t room) {
  if (d->arcs + 2 > d->arc_room) {
    const uint32_t more = 2 * d->arc_room + 64;
    struct ut_flow_arc *larger = realloc(d->arc, more * sizeof *larger);
    if (!larger) {
      d->bad_memory = true;
      return;
    }
    d->arc = larger;
    d->arc_room = more;
  }
  add_half(d, from, to, room);
  add_half(d, to, from, 0);
}

/* The vertices of a link, which leads to that node. */
static uint32_t link_of(struct ut_disjoint *d, uint32_t channel, uint32_t node, uint32_t room) {
  if (d->vertex[channel])
    return d->vertex[channel];
  const uint32_t i = d->links++;
  d->vertex[channel] = i;
  d->channel[i] = channel;
  d->node[i] = node;
  d->last[2 * i] = d->last[2 * i + 1] = NONE;
  add_arc(d, 2 * i, 2 * i + 1, room);
  return i;
}

/* All links that packets of the pair can take; links with the same channel are one. */
static void make_graph(struct ut_disjoint *d, uint32_t src, uint32_t dst, uint32_t of_terminal) {
  const struct ut_topology *t = d->ways->topology;
  const struct ut_way_graph *g = &d->ways->graph[dst];
  for (uint32_t i = FIRST_LINK; i < d->links; i++)
    d->vertex[d->channel[i]] = 0;
  d->links = FIRST_LINK;
  d->arcs = 0;
  for (uint32_t i = 0; i < 2 * FIRST_LINK; i++)
    d->last[i] = NONE;
  for (unsigned link = 0; link < t->injections && !d->bad_memory; link++) {
    const uint32_t entry = g->entry[src * t->injections + link];
    if (entry != UT_NO_NODE)
      add_arc(d, 2 * SOURCE, 2 * link_of(d, ut_topology_injection(t, src, link), entry, of_terminal), MANY);
  }
  for (uint32_t i = FIRST_LINK; i < d->links && !d->bad_memory; i++) {
    const uint32_t node = d->node[i];
    if (node == UT_NO_NODE) {
      add_arc(d, 2 * i + 1, 2 * SINK, MANY);
      continue;
    }
    for (uint32_t j = g->first[node]; j < g->first[node + 1]; j++) {
      const struct ut_way_on *way = &g->way[j];
      const uint32_t to = link_of(d, way->channel, way->node, way->node == UT_NO_NODE ? of_terminal : 1);
      add_arc(d, 2 * i + 1, 2 * to, MANY);
    }
  }
}

/* One more way, along which there is room for it. */
static bool augment(struct ut_disjoint *d) {
  uint32_t count = 1;
  memset(d->from, 0xff, 2 * (size_t)d->links * sizeof *d->from); /* NONE */
  d->queue[0] = 2 * SOURCE;
  for (uint32_t i = 0; i < count && d->from[2 * SINK] == NONE; i++)
    for (uint32_t a = d->last[d->queue[i]]; a != NONE; a = d->arc[a].next) {
      const uint32_t to = d->arc[a].to;
      if (!d->arc[a].room || to == 2 * SOURCE || d->from[to] != NONE)
        continue;
      d->from[to] = a;
      d->queue[count++] = to;
    }
  if (d->from[2 * SINK] == NONE)
    return false;
  for (uint32_t at = 2 * SINK; at != 2 * SOURCE; at = d->arc[d->from[at] ^ 1].to) {
    d->arc[d->from[at]].room--;
    d->arc[d->from[at] ^ 1].room++;
  }
  return true;
}

uint32_t ut_disjoint_ways(struct ut_disjoint *d, uint32_t src, uint32_t dst, bool terminals) {
  uint32_t ways = 0;
  make_graph(d, src, dst, terminals ? 1 : MANY);
  while (!d->bad_memory && ways < MANY && augment(d))
    ways++;
  return ways;
}
