/* SPDX-License-Identifier: Apache-2.0 */
/* places_graph.c - places of a network of any form: by its levels, if all links lead from one to the next; else where
 * the method of Kamada and Kawai (igraph) puts the switches: far apart in the network is far apart in the picture.
 */
#include "places_graph.h"

#include <igraph/igraph.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_BY_SPRINGS = 1500 };      /* switches; it takes time with the square of them */
static const double hop_length = 1.5; /* of a link, in widths of a cell */

/* On a circle, in the order of their numbers. */
static void start(igraph_matrix_t *at, uint32_t switches) {
  for (uint32_t sw = 0; sw < switches; sw++) {
    const double angle = 2 * M_PI * sw / switches;
    MATRIX(*at, sw, 0) = cos(angle);
    MATRIX(*at, sw, 1) = sin(angle);
  }
}

/* at: [switches] x 2.  false: out of memory. */
static bool spread(const struct ut_topology *topo, igraph_matrix_t *at) {
  igraph_t graph;
  igraph_vector_int_t edges;
  const igraph_integer_t switches = topo->switches;
  bool ok = false;
  igraph_vector_int_init(&edges, 0);
  for (size_t i = 0; i < topo->links; i++) {
    igraph_vector_int_push_back(&edges, topo->link[i].lower);
    igraph_vector_int_push_back(&edges, topo->link[i].upper);
  }
  if (!igraph_create(&graph, &edges, switches, IGRAPH_UNDIRECTED)) {
    start(at, topo->switches);
    ok = topo->switches > MOST_BY_SPRINGS ||
         !igraph_layout_kamada_kawai(&graph, at, true, 50 * switches, 0, switches, NULL, NULL, NULL, NULL, NULL);
    igraph_destroy(&graph);
  }
  igraph_vector_int_destroy(&edges);
  return ok;
}

/* The mean length of a link, 1 if there are none. */
static double mean_length(const struct ut_topology *topo, const igraph_matrix_t *at) {
  double sum = 0;
  for (size_t i = 0; i < topo->links; i++) {
    const struct ut_link *link = &topo->link[i];
    sum += hypot(MATRIX(*at, link->lower, 0) - MATRIX(*at, link->upper, 0),
                 MATRIX(*at, link->lower, 1) - MATRIX(*at, link->upper, 1));
  }
  return sum > 0 ? sum / (double)topo->links : 1;
}

static bool place_by_springs(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  struct ut_cells cells;
  igraph_matrix_t at;
  if (!ut_cells_measure(&cells, places, topo, hops))
    return false;
  igraph_matrix_init(&at, topo->switches, 2);
  bool ok = spread(topo, &at);
  const double high = cells.above + cells.below, each = hop_length * fmax(cells.width, high) / mean_length(topo, &at);
  for (uint32_t sw = 0; ok && sw < topo->switches; sw++)
    places->sw[sw] = (struct ut_spot){each * MATRIX(at, sw, 0), each * MATRIX(at, sw, 1)};
  igraph_matrix_destroy(&at);
  if (ok) {
    ut_cells_part(&cells, places, topo);
    ok = ut_places_cells(&cells, places, topo);
  }
  ut_cells_free(&cells);
  return ok;
}

static bool place_graph(struct ut_places *places, const struct ut_topology *topo, bool hops, bool order) {
  unsigned *level = malloc(topo->switches * sizeof *level);
  const unsigned levels = level ? ut_places_find_levels(topo, level) : 0;
  const bool ok = level && (levels ? ut_places_levels(places, topo, hops, level, levels, order)
                                   : place_by_springs(places, topo, hops));
  free(level);
  return ok;
}

bool ut_places_graph(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  return place_graph(places, topo, hops, true);
}

bool ut_places_tree(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  return place_graph(places, topo, hops, false);
}
