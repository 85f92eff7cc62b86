/* SPDX-License-Identifier: Apache-2.0 */
/* plane_bypass.c - see plane_bypass.h */
#include "plane_bypass.h"

#include <stdlib.h>

#include "faults.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"

/* A faulty link by the coordinates of its ends, which a failed switch's links have too.  Both ends of a terminal's link
 * count as its node. */
struct broken {
  unsigned end[2][UT_MAX_DIMENSIONS];
  bool covered;
};

struct work {
  struct ut_topology topology;
  struct ut_faults faults;
  struct broken *link;
  size_t links;
};

static void coordinates(const struct ut_topology *t, uint32_t node, unsigned at[UT_MAX_DIMENSIONS]) {
  for (unsigned d = 0; d < t->dimensions; d++)
    at[d] = ut_topology_coordinate(t, node, d);
}

/* What is down in cycle 0. */
static int find_faults(struct work *w, const struct ut_scenario *s, struct ut_error *e) {
  const struct ut_topology *t = &w->topology;
  w->link = calloc(t->links + (size_t)t->terminals * t->ejections, sizeof *w->link);
  if (!w->link)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", s->path);
  while (ut_faults_next(&w->faults, 0))
    ;
  for (size_t i = 0; i < t->links; i++) {
    if (ut_faults_link_up(&w->faults, t->link[i].lower, t->link[i].lower_port))
      continue;
    coordinates(t, t->link[i].lower, w->link[w->links].end[0]);
    coordinates(t, t->link[i].upper, w->link[w->links++].end[1]);
  }
  for (uint32_t i = 0; i < t->terminals * t->ejections; i++) {
    const struct ut_peer at = ut_topology_sender(t, t->ejection[i]);
    if (ut_faults_link_up(&w->faults, at.index, at.port))
      continue;
    coordinates(t, at.index, w->link[w->links].end[0]);
    coordinates(t, at.index, w->link[w->links++].end[1]);
  }
  return 0;
}

/* A plane that is switched off takes its own links with it and bridges those that lead to it. */
static bool covers(const struct broken *l, unsigned dimension, unsigned coordinate) {
  return l->end[0][dimension] == coordinate || l->end[1][dimension] == coordinate;
}

static unsigned uncovered(const struct work *w, unsigned dimension, unsigned coordinate) {
  unsigned count = 0;
  for (size_t i = 0; i < w->links; i++)
    count += !w->link[i].covered && covers(&w->link[i], dimension, coordinate);
  return count;
}

/* Chooses one more plane, of `left` coordinates in each dimension the one that covers most faults for each node that
 * goes off; of equals the one with fewest nodes.  false: all faults are covered. */
static bool choose(struct work *w, const struct ut_scenario *s, const unsigned *left, struct ut_plane *best) {
  unsigned most = 0, size = 1;
  for (unsigned d = 0; d < s->topology.sizes; d++) {
    unsigned nodes = 1;
    for (unsigned other = 0; other < s->topology.sizes; other++)
      nodes *= other == d ? 1 : left[other];
    for (unsigned c = 0; c < s->topology.size[d]; c++) {
      unsigned count = uncovered(w, d, c);
      uint64_t here = (uint64_t)count * size, there = (uint64_t)most * nodes;
      if (here > there || (count && here == there && nodes < size)) {
        most = count;
        size = nodes;
        *best = (struct ut_plane){(uint8_t)d, (uint8_t)c};
      }
    }
  }
  for (size_t i = 0; i < w->links; i++)
    w->link[i].covered |= most && covers(&w->link[i], best->dimension, best->coordinate);
  return most > 0;
}

static int bypass(struct work *w, struct ut_scenario *s, struct ut_error *e) {
  struct ut_plane plane;
  if (ut_topology_init(&w->topology, s, e) || ut_faults_init(&w->faults, s, &w->topology, e) || find_faults(w, s, e))
    return -1;
  unsigned left[UT_MAX_DIMENSIONS], nodes = ut_scenario_switches(s), remain = 1;
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS; d++)
    left[d] = s->topology.size[d];
  while (choose(w, s, left, &plane)) {
    if (--left[plane.dimension] < 2 || s->bypass.count == UT_MAX_PLANES)
      return ut_fail(e, UT_BAD_INPUT,
                     "%s: too many planes would be switched off, no torus is left: fewer faults, please", s->path);
    s->bypass.plane[s->bypass.count++] = plane;
  }
  for (unsigned d = 0; d < s->topology.sizes; d++)
    remain *= s->topology.size[d] = left[d];
  s->bypass.nodes_off = nodes - remain;
  s->fault_count = 0; /* they are where no switch is any more */
  return 0;
}

int ut_bypass_planes(struct ut_scenario *s, struct ut_error *e) {
  struct work w = {0};
  if (!s->routing.plane_bypass)
    return 0;
  int result = bypass(&w, s, e);
  free(w.link);
  ut_faults_free(&w.faults);
  ut_topology_free(&w.topology);
  return result;
}
