/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_waits.c - see fabric_waits.h.  Components by Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion.
 */
#include "fabric_waits.h"

#include <stdlib.h>
#include <string.h>

/* Breadth-first searches for a shortest cycle of a component: one from each of its channels, at most so many. */
enum { MOST_SEARCHES = 4096 };
#define NONE UINT32_MAX

int ut_fabric_waits_make(struct ut_fabric_waits *waits, const struct ut_fabric_map *map, unsigned vls) {
  size_t cells = 0;
  *waits = (struct ut_fabric_waits){.map = map, .vls = vls, .cell = calloc(map->switches + 1, sizeof *waits->cell)};
  for (uint32_t sw = 0; waits->cell && sw < map->switches; sw++) {
    waits->cell[sw] = cells;
    cells += (size_t)ut_fabric_ports(map, sw) * ut_fabric_ports(map, sw);
  }
  if (waits->cell)
    waits->cell[map->switches] = cells;
  waits->words = cells * vls * vls / 64 + 1;
  waits->bit = calloc(waits->words, sizeof *waits->bit);
  waits->used = calloc(map->first[map->switches] + 1, sizeof *waits->used);
  return waits->cell && waits->bit && waits->used ? 0 : -1;
}

void ut_fabric_waits_free(struct ut_fabric_waits *waits) {
  free(waits->cell);
  free(waits->bit);
  free(waits->used);
}

/* ---- a graph of channels: slot * vls + VL */

struct search {
  const struct ut_fabric_waits *waits;
  uint32_t vertices;
  uint32_t *into;                    /* [slots]: for an input port of a switch, the slot that leads there; NONE */
  uint32_t *first;                   /* [vertices + 1]: of its arcs */
  uint32_t *arc;                     /* [dependencies] */
  uint32_t *component, *low, *place; /* [vertices] */
  uint32_t *stack, *path;            /* [vertices] */
  uint32_t *size;                    /* [components] */
  uint32_t components;
};

static void find_into(const struct search *search) {
  const struct ut_fabric_map *map = search->waits->map;
  for (uint32_t i = 0; i < map->first[map->switches]; i++)
    search->into[i] = NONE;
  for (uint32_t i = 0; i < map->first[map->switches]; i++)
    if (map->slot[i].sw != UT_NO_SWITCH)
      search->into[map->first[map->slot[i].sw] + map->slot[i].in_port] = i;
}

/* Calls `each` for every dependency, in an order that stays the same. */
static void visit_arcs(struct search *search, void (*each)(struct search *search, uint32_t from, uint32_t to)) {
  const struct ut_fabric_waits *waits = search->waits;
  const struct ut_fabric_map *map = waits->map;
  const unsigned vls = waits->vls;
  uint32_t sw = 0;
  for (size_t word = 0; word < waits->words; word++)
    for (uint64_t bits = waits->bit[word]; bits; bits &= bits - 1) {
      const size_t bit = 64 * word + (unsigned)__builtin_ctzll(bits), cell = bit / vls / vls;
      while (cell >= waits->cell[sw + 1])
        sw++;
      const uint32_t ports = ut_fabric_ports(map, sw), first = map->first[sw];
      const size_t ports_of = cell - waits->cell[sw];
      each(search, search->into[first + ports_of / ports] * vls + (uint32_t)(bit / vls % vls),
           (first + (uint32_t)(ports_of % ports)) * vls + (uint32_t)(bit % vls));
    }
}

static void count_arc(struct search *search, uint32_t from, uint32_t to) {
  (void)to;
  search->first[from + 1]++;
}

static void enter_arc(struct search *search, uint32_t from, uint32_t to) {
  search->arc[search->first[from]++] = to; /* put back by make_arcs() */
}

/* false: out of memory. */
static bool make_arcs(struct search *search) {
  visit_arcs(search, count_arc);
  for (uint32_t i = 0; i < search->vertices; i++)
    search->first[i + 1] += search->first[i];
  search->arc = malloc((search->first[search->vertices] + 1) * sizeof *search->arc);
  if (!search->arc)
    return false;
  visit_arcs(search, enter_arc);
  for (uint32_t i = search->vertices; i > 0; i--)
    search->first[i] = search->first[i - 1];
  search->first[0] = 0;
  return true;
}

static void search_free(struct search *search) {
  free(search->into);
  free(search->first);
  free(search->arc);
  free(search->component);
  free(search->low);
  free(search->place);
  free(search->stack);
  free(search->path);
  free(search->size);
}

static uint32_t *make(uint32_t count) {
  return calloc((size_t)count + 2, sizeof(uint32_t));
}

static bool search_make(struct search *search, const struct ut_fabric_waits *waits) {
  const uint32_t slots = waits->map->first[waits->map->switches], vertices = slots * waits->vls;
  *search = (struct search){.waits = waits,
                            .vertices = vertices,
                            .into = make(slots),
                            .first = make(vertices),
                            .component = make(vertices),
                            .low = make(vertices),
                            .place = make(vertices),
                            .stack = make(vertices),
                            .path = make(vertices),
                            .size = make(vertices)};
  if (!search->into || !search->first || !search->component || !search->low || !search->place || !search->stack ||
      !search->path || !search->size)
    return false;
  find_into(search);
  return make_arcs(search);
}

/* ---- components */

/* Takes a component from the stack, down to its root. */
static void close_component(struct search *search, uint32_t root, uint32_t *stacked) {
  uint32_t vertex;
  do {
    vertex = search->stack[--*stacked];
    search->component[vertex] = search->components;
    search->size[search->components]++;
  } while (vertex != root);
  search->components++;
}

/* Visits all that can be reached from a vertex.  place: 1 + the order of visits, 0 before; next: of each
 * vertex, its first arc that has not been followed. */
static void visit(struct search *search, uint32_t start, uint32_t *visits, uint32_t *next) {
  uint32_t depth = 0, stacked = 0;
  search->path[depth++] = start;
  search->stack[stacked++] = start;
  search->place[start] = search->low[start] = ++*visits;
  while (depth) {
    const uint32_t vertex = search->path[depth - 1];
    if (next[vertex] < search->first[vertex + 1]) {
      const uint32_t to = search->arc[next[vertex]++];
      if (!search->place[to]) {
        search->path[depth++] = to;
        search->stack[stacked++] = to;
        search->place[to] = search->low[to] = ++*visits;
      } else if (search->component[to] == NONE && search->place[to] < search->low[vertex]) {
        search->low[vertex] = search->place[to];
      }
      continue;
    }
    if (search->low[vertex] == search->place[vertex])
      close_component(search, vertex, &stacked);
    if (--depth && search->low[vertex] < search->low[search->path[depth - 1]])
      search->low[search->path[depth - 1]] = search->low[vertex];
  }
}

/* false: out of memory. */
static bool find_components(struct search *search) {
  uint32_t visits = 0, *next = make(search->vertices);
  if (!next)
    return false;
  memcpy(next, search->first, search->vertices * sizeof *next);
  memset(search->component, 0xff, search->vertices * sizeof *search->component); /* NONE */
  for (uint32_t i = 0; i < search->vertices; i++)
    if (!search->place[i] && search->first[i] < search->first[i + 1])
      visit(search, i, &visits, next);
  free(next);
  return true;
}

/* ---- a shortest cycle */

/* The shortest way from a vertex of a component back to it, in search->path; returns its length, or `most` if it is
 * not shorter.  place: 1 + the distance, 0 everywhere before and after; low: where from. */
static uint32_t search_back(struct search *search, uint32_t start, uint32_t most) {
  uint32_t reached = 0, found = most;
  search->stack[reached++] = start;
  search->place[start] = 1;
  for (uint32_t i = 0; i < reached && found == most && search->place[search->stack[i]] < most; i++) {
    const uint32_t vertex = search->stack[i];
    for (uint32_t arc = search->first[vertex]; arc < search->first[vertex + 1]; arc++) {
      const uint32_t to = search->arc[arc];
      if (to == start) {
        found = search->place[vertex];
        for (uint32_t j = found, at = vertex; j-- > 0; at = search->low[at])
          search->path[j] = at;
        break;
      }
      if (search->component[to] != search->component[start] || search->place[to])
        continue;
      search->place[to] = search->place[vertex] + 1;
      search->low[to] = vertex;
      search->stack[reached++] = to;
    }
  }
  for (uint32_t i = 0; i < reached; i++)
    search->place[search->stack[i]] = 0;
  return found;
}

/* false: out of memory. */
static bool find_cycle(struct search *search, uint32_t component, struct ut_fabric_cycles *cycles) {
  const struct ut_fabric_waits *waits = search->waits;
  uint32_t searches = 0, length = search->vertices;
  cycles->hop = calloc((size_t)search->size[component] + 1, sizeof *cycles->hop);
  if (!cycles->hop)
    return false;
  memset(search->place, 0, search->vertices * sizeof *search->place);
  for (uint32_t i = 0; i < search->vertices && searches < MOST_SEARCHES && length > 2; i++) {
    if (search->component[i] != component)
      continue;
    searches++;
    const uint32_t found = search_back(search, i, length);
    if (found == length)
      continue;
    length = found;
    for (uint32_t j = 0; j < length; j++)
      cycles->hop[j] = (struct ut_fabric_hop){
          .channel = waits->map->slot[search->path[j] / waits->vls].channel,
          .vl = (uint8_t)(search->path[j] % waits->vls),
          .next_vl = (uint8_t)(search->path[(j + 1) % length] % waits->vls),
          .source = UT_NO_NODE,
          .destination = UT_NO_NODE,
      };
    cycles->hops = length;
  }
  return true;
}

int ut_fabric_waits_count(const struct ut_fabric_waits *waits, struct ut_fabric_cycles *cycles) {
  struct search search;
  uint32_t smallest = NONE;
  *cycles = (struct ut_fabric_cycles){0};
  for (uint32_t i = 0; i < waits->map->first[waits->map->switches]; i++)
    cycles->channels += (unsigned)__builtin_popcount(waits->used[i]);
  bool enough = search_make(&search, waits) && find_components(&search);
  if (enough)
    cycles->dependencies = search.first[search.vertices];
  for (uint32_t i = 0; enough && i < search.components; i++)
    if (search.size[i] > 1) {
      cycles->cycles++;
      cycles->channels_in_cycles += search.size[i];
      smallest = smallest == NONE || search.size[i] < search.size[smallest] ? i : smallest;
    }
  if (enough && smallest != NONE)
    enough = find_cycle(&search, smallest, cycles);
  search_free(&search);
  return enough ? 0 : -1;
}
