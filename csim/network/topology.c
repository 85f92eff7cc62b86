/* topology.c - see topology.h */
#include "topology.h"

#include <stdio.h>
#include <stdlib.h>

#include "fat_tree.h"
#include "torus.h"

int ut_topology_init(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e) {
  switch (s->topology.kind) {
  case UT_FAT_TREE:
    return ut_fat_tree_init(t, s->topology.k, s->topology.n, s->routing.reroute_timeout_cycles,
                            s->routing.reroute_clear == UT_CLEAR_REPAIR, e);
  case UT_TORUS:
  case UT_MESH:
    return ut_torus_init(t, s->topology.size, s->topology.dimensions, s->topology.local_ports,
                         s->topology.kind == UT_TORUS, e);
  }
  *t = (struct ut_topology){0};
  return ut_fail(e, UT_INTERNAL, "topology kind %d is not implemented", (int)s->topology.kind);
}

void ut_topology_free(struct ut_topology *t) {
  if (t->source != t->peer)
    free(t->source);
  free(t->peer);
  free(t->attachment);
  free(t->link);
  free(t->level);
  free(t->position);
  free(t->straps);
  *t = (struct ut_topology){0};
}

int ut_topology_allocate(struct ut_topology *t, const char *kind, uint32_t switches, uint32_t terminals, unsigned pi,
                         unsigned po, size_t links, bool bidirectional, struct ut_error *e) {
  *t = (struct ut_topology){
      .kind = kind, .switches = switches, .terminals = terminals, .pi = pi, .po = po, .links = links};
  t->peer = calloc((size_t)switches * po, sizeof *t->peer);
  t->source = bidirectional ? t->peer : calloc((size_t)switches * pi, sizeof *t->source);
  t->attachment = calloc(terminals, sizeof *t->attachment);
  t->link = calloc(links ? links : 1, sizeof *t->link);
  t->level = calloc(switches, sizeof *t->level);
  t->position = calloc(switches, sizeof *t->position);
  t->straps = calloc(switches, sizeof *t->straps);
  if (t->peer && t->source && t->attachment && t->link && t->level && t->position && t->straps)
    return 0;
  ut_topology_free(t);
  return ut_fail(e, UT_INTERNAL, "out of memory for a %s of %u switches and %u terminals", kind, (unsigned)switches,
                 (unsigned)terminals);
}

uint32_t ut_topology_switch(const struct ut_topology *t, unsigned level, unsigned index) {
  uint32_t from = 0, to = t->switches; /* the searched one is in from..to-1 */
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (t->level[middle] == level && t->position[middle] == index)
      return middle;
    if (t->level[middle] < level || (t->level[middle] == level && t->position[middle] < index))
      from = middle + 1;
    else
      to = middle;
  }
  return UINT32_MAX;
}

const char *ut_topology_switch_name(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_NAME_SIZE]) {
  snprintf(text, UT_SWITCH_NAME_SIZE, "%u.%u", (unsigned)t->level[sw], (unsigned)t->position[sw]);
  return text;
}

unsigned ut_topology_coordinate(const struct ut_topology *t, uint32_t node, unsigned d) {
  for (unsigned i = 0; i < d; i++)
    node /= t->size[i];
  return node % t->size[d];
}

unsigned ut_topology_distance(const struct ut_topology *t, uint32_t from, uint32_t to) {
  unsigned links = 0;
  for (unsigned d = 0; d < t->dimensions; d++) {
    const unsigned a = ut_topology_coordinate(t, from, d), b = ut_topology_coordinate(t, to, d);
    const unsigned direct = a < b ? b - a : a - b, around = t->size[d] - direct;
    links += t->wrap && around < direct ? around : direct;
  }
  return links;
}

const char *ut_topology_direction(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (port < 2 * t->dimensions)
    snprintf(text, UT_DIRECTION_SIZE, "%c%c", port % 2 ? '-' : '+', "xyzt"[port / 2 % UT_MAX_DIMENSIONS]);
  else
    snprintf(text, UT_DIRECTION_SIZE, "local %u", port - 2 * t->dimensions);
  return text;
}

/* "(x,y,z)" */
static const char *coordinates(const struct ut_topology *t, uint32_t node, char text[UT_SWITCH_TUPLE_SIZE]) {
  int end = 0;
  for (unsigned d = 0; d < t->dimensions; d++)
    end += snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), "%c%u", d ? ',' : '(',
                    ut_topology_coordinate(t, node, d));
  snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), ")");
  return text;
}

const char *ut_topology_switch_tuple(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  if (t->dimensions)
    return coordinates(t, sw, text);
  const unsigned k = (unsigned)__builtin_popcountll(t->up_ports);
  uint32_t step = 1;
  for (unsigned i = 2; i < t->levels; i++)
    step *= k;
  int end = snprintf(text, UT_SWITCH_TUPLE_SIZE, "<%u", (unsigned)t->level[sw]);
  for (unsigned i = 1; i < t->levels; i++, step /= k)
    end += snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), "%s%u",
                    i == 1   ? ","
                    : k > 10 ? "."
                             : "",
                    (unsigned)(t->position[sw] / step % k));
  snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), ">");
  return text;
}
