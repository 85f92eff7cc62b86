/* SPDX-License-Identifier: Apache-2.0 */
/* places_levels.c - places of a network of any form whose links lead from level to level: levels as rows, the switches
 * with terminals at the bottom.  Links leave a box in the order in which they arrive, up ones along its upper side.
 */
#include <igraph/igraph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places_graph.h"

static const double margin = -54, per_port = 6;

/* ---- which levels */

unsigned ut_places_find_levels(const struct ut_topology *topo, unsigned *level) {
  unsigned highest = 0;
  bool moved = true;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    level[sw] = UINT32_MAX - 1;
  for (uint32_t i = 0; i < topo->terminals; i++)
    level[topo->peer[ut_topology_injection(topo, i, 0)].index] = 0;
  while (moved) {
    moved = false;
    for (size_t i = 0; i < topo->links; i++) {
      unsigned *a = &level[topo->link[i].lower], *b = &level[topo->link[i].upper];
      moved |= *a > *b + 1 || *b > *a + 1;
      *a = *a > *b + 1 ? *b + 1 : *a;
      *b = *b > *a + 1 ? *a + 1 : *b;
    }
  }
  for (size_t i = 0; i < topo->links; i++)
    if (level[topo->link[i].lower] == level[topo->link[i].upper])
      return 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    if (level[sw] >= topo->switches) /* no way from a terminal */
      return 0;
    highest = level[sw] > highest ? level[sw] : highest;
  }
  return highest ? highest + 1 : 0;
}

/* ---- the order of the switches of a level */

struct layout {
  const struct ut_topology *topo;
  const unsigned *level;
  unsigned levels;
  uint32_t *rank;  /* [switches]: place in its level */
  uint32_t *count; /* [levels] */
};

/* Pairs of links between the same two levels that cross. */
static uint64_t crossings(const struct layout *layout, const uint32_t *rank) {
  const struct ut_topology *topo = layout->topo;
  uint64_t count = 0;
  for (size_t i = 0; i < topo->links; i++)
    for (size_t j = i + 1; j < topo->links; j++) {
      uint32_t end[2][2]; /* of each link: below, above */
      unsigned below[2];
      for (unsigned which = 0; which < 2; which++) {
        const struct ut_link *link = &topo->link[which ? j : i];
        const bool up = layout->level[link->lower] < layout->level[link->upper];
        end[which][0] = rank[up ? link->lower : link->upper];
        end[which][1] = rank[up ? link->upper : link->lower];
        below[which] = layout->level[up ? link->lower : link->upper];
      }
      count += below[0] == below[1] &&
               ((end[0][0] < end[1][0] && end[0][1] > end[1][1]) || (end[0][0] > end[1][0] && end[0][1] < end[1][1]));
    }
  return count;
}

/* The place of a switch among those of its level by x, which is [switches]; equal ones by number. */
static void rank_by(const struct layout *layout, const double *x, uint32_t *rank) {
  for (uint32_t a = 0; a < layout->topo->switches; a++) {
    rank[a] = 0;
    for (uint32_t b = 0; b < layout->topo->switches; b++)
      rank[a] += layout->level[a] == layout->level[b] && (x[b] < x[a] || (x[b] == x[a] && b < a));
  }
}

/* Sugiyama's method, by igraph.  x: [switches].  false: out of memory. */
static bool seek_order(const struct layout *layout, double *x) {
  const struct ut_topology *topo = layout->topo;
  igraph_t graph;
  igraph_vector_int_t edges, layers;
  igraph_matrix_t at;
  bool ok = false;
  igraph_vector_int_init(&edges, 0);
  igraph_vector_int_init(&layers, topo->switches);
  igraph_matrix_init(&at, 0, 0);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    VECTOR(layers)[sw] = layout->level[sw];
  for (size_t i = 0; i < topo->links; i++) {
    igraph_vector_int_push_back(&edges, topo->link[i].lower);
    igraph_vector_int_push_back(&edges, topo->link[i].upper);
  }
  if (!igraph_create(&graph, &edges, topo->switches, IGRAPH_DIRECTED)) {
    ok = !igraph_layout_sugiyama(&graph, &at, NULL, NULL, &layers, 1, 1, 100, NULL);
    for (uint32_t sw = 0; ok && sw < topo->switches; sw++)
      x[sw] = MATRIX(at, sw, 0);
    igraph_destroy(&graph);
  }
  igraph_vector_int_destroy(&edges);
  igraph_vector_int_destroy(&layers);
  igraph_matrix_destroy(&at);
  return ok;
}

enum { MOST_ORDERED = 4000 }; /* links of a network whose order is sought: crossings are counted in pairs */

/* The order of the network's own numbers, or another one that has fewer crossings. */
static bool find_ranks(struct layout *layout, bool order) {
  const struct ut_topology *topo = layout->topo;
  double *x = calloc(topo->switches, sizeof *x);
  uint32_t *other = malloc(topo->switches * sizeof *other);
  bool ok = x && other;
  if (ok)
    rank_by(layout, x, layout->rank);
  if (ok && order && topo->links <= MOST_ORDERED && (ok = seek_order(layout, x))) {
    rank_by(layout, x, other);
    if (crossings(layout, other) < crossings(layout, layout->rank))
      memcpy(layout->rank, other, topo->switches * sizeof *other);
  }
  free(x);
  free(other);
  return ok;
}

/* ---- places */

/* One end of a link. */
struct end {
  uint32_t sw;
  bool up;  /* it leaves the upper side */
  double x; /* of the other end */
  size_t link;
};

static int by_side(const void *a, const void *b) {
  const struct end *p = a, *q = b;
  if (p->sw != q->sw)
    return p->sw < q->sw ? -1 : 1;
  if (p->up != q->up)
    return p->up - q->up;
  return p->x != q->x ? (p->x < q->x ? -1 : 1) : (p->link > q->link) - (p->link < q->link);
}

static void put_end(struct ut_places *places, const struct ut_topology *topo, const struct end *end, double part) {
  const struct ut_link *link = &topo->link[end->link];
  const bool lower = end->sw == link->lower;
  const struct ut_spot at = {places->sw[end->sw].x + part * (places->box - 8),
                             places->sw[end->sw].y + (end->up ? 1 : -1) * UT_BOX_HEIGHT / 2.0};
  struct ut_port_place *own = &places->port[(size_t)link->lower * topo->po + link->lower_port],
                       *other = &places->port[(size_t)link->upper * topo->po + link->upper_port];
  if (lower)
    own->at = at;
  else
    own->end = at;
  if (!topo->bidirectional)
    return;
  if (lower)
    other->end = at;
  else
    other->at = at;
}

/* Spreads the links of each side of a box in the order of their other ends. */
static bool join(struct ut_places *places, const struct layout *layout) {
  const struct ut_topology *topo = layout->topo;
  struct end *end = malloc((2 * topo->links + 1) * sizeof *end);
  if (!end)
    return false;
  for (size_t i = 0; i < topo->links; i++) {
    const struct ut_link *link = &topo->link[i];
    const bool up = layout->level[link->lower] < layout->level[link->upper];
    end[2 * i] = (struct end){link->lower, up, places->sw[link->upper].x, i};
    end[2 * i + 1] = (struct end){link->upper, !up, places->sw[link->lower].x, i};
  }
  qsort(end, 2 * topo->links, sizeof *end, by_side);
  for (size_t first = 0, next; first < 2 * topo->links; first = next) {
    for (next = first; next < 2 * topo->links && end[next].sw == end[first].sw && end[next].up == end[first].up;)
      next++;
    for (size_t i = first; i < next; i++)
      put_end(places, topo, &end[i], ((double)(i - first) + 0.5) / (double)(next - first) - 0.5);
  }
  free(end);
  return true;
}

/* The most links on one side of a box. */
static unsigned most_links(const struct layout *layout) {
  const struct ut_topology *topo = layout->topo;
  unsigned most = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    unsigned count[2] = {0};
    for (unsigned port = 0; port < topo->po; port++) {
      const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
      if (peer->kind == UT_PEER_SWITCH)
        count[layout->level[peer->index] > layout->level[sw]]++;
    }
    most = count[0] > most ? count[0] : most;
    most = count[1] > most ? count[1] : most;
  }
  return most;
}

static bool place(struct ut_places *places, const struct layout *layout, bool hops) {
  const struct ut_topology *topo = layout->topo;
  struct ut_cells cells;
  uint32_t widest = 0;
  if (!ut_cells_measure(&cells, places, topo, hops))
    return false;
  cells.above = UT_BOX_HEIGHT / 2.0; /* all terminals below */
  cells.width = places->box = fmax(places->box, fmin(160, per_port * most_links(layout)));
  for (unsigned i = 0; i < layout->levels; i++)
    widest = layout->count[i] > widest ? layout->count[i] : widest;
  const bool roomy = hops && widest <= 9;
  const double column = cells.width + (roomy ? 34 : 16), all = column * widest;
  const double row = fmin(fmax(all / 7, roomy ? 130 : 92), fmax(190, all / 14)) + cells.below - 27;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    places->sw[sw] =
        (struct ut_spot){(layout->rank[sw] + 0.5) * all / layout->count[layout->level[sw]], layout->level[sw] * row};
  for (unsigned level = 0; level < layout->levels; level++) {
    char text[40];
    snprintf(text, sizeof text, "level %u", level);
    ut_places_say(places, (struct ut_spot){margin, level * row}, 48, 8, text);
  }
  ut_cells_hang(&cells, places, topo);
  const bool ok = join(places, layout);
  ut_cells_bound(&cells, places, topo);
  ut_cells_free(&cells);
  return ok;
}

bool ut_places_levels(struct ut_places *places, const struct ut_topology *topo, bool hops, const unsigned *level,
                      unsigned levels, bool order) {
  struct layout layout = {.topo = topo,
                          .level = level,
                          .levels = levels,
                          .rank = malloc(topo->switches * sizeof *layout.rank),
                          .count = calloc(levels, sizeof *layout.count)};
  bool ok = layout.rank && layout.count && find_ranks(&layout, order);
  for (uint32_t sw = 0; ok && sw < topo->switches; sw++)
    layout.count[level[sw]]++;
  ok = ok && place(places, &layout, hops);
  free(layout.rank);
  free(layout.count);
  return ok;
}
