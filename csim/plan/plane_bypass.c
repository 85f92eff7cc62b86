/* SPDX-License-Identifier: Apache-2.0 */
/* plane_bypass.c - see plane_bypass.h */
#include "plane_bypass.h"

#include <stdlib.h>

#include "faults.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"

/* A faulty link, by the coordinates of its ends; a failed switch is represented by its links.  Both ends of a
 * terminal's link count as its node. */
struct broken {
  unsigned end[2][UT_MAX_DIMENSIONS];
  bool covered;
};

struct work {
  struct ut_faults faults;
  struct broken *link;
  size_t links;
};

static void coordinates(const struct ut_topology *topo, uint32_t node, unsigned at[UT_MAX_DIMENSIONS]) {
  for (unsigned d = 0; d < topo->dimensions; d++)
    at[d] = ut_topology_coordinate(topo, node, d);
}

/* Lists what is down in cycle 0. */
static int find_faults(struct work *work, const struct ut_scenario *scenario, struct ut_error *e) {
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  work->link = calloc(topo->links + (size_t)topo->terminals * topo->ejections, sizeof *work->link);
  if (!work->link)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", scenario->path);
  while (ut_faults_next(&work->faults, 0))
    ;
  for (size_t i = 0; i < topo->links; i++) {
    if (ut_faults_link_up(&work->faults, topo->link[i].lower, topo->link[i].lower_port))
      continue;
    coordinates(topo, topo->link[i].lower, work->link[work->links].end[0]);
    coordinates(topo, topo->link[i].upper, work->link[work->links++].end[1]);
  }
  for (uint32_t i = 0; i < topo->terminals * topo->ejections; i++) {
    const struct ut_peer at = ut_topology_sender(topo, topo->ejection[i]);
    if (ut_faults_link_up(&work->faults, at.index, at.port))
      continue;
    coordinates(topo, at.index, work->link[work->links].end[0]);
    coordinates(topo, at.index, work->link[work->links++].end[1]);
  }
  return 0;
}

/* Switches a plane off, with its own links, and bridges the links that lead to it. */
static bool covers(const struct broken *broken, unsigned dimension, unsigned coordinate) {
  return broken->end[0][dimension] == coordinate || broken->end[1][dimension] == coordinate;
}

static unsigned uncovered(const struct work *work, unsigned dimension, unsigned coordinate) {
  unsigned count = 0;
  for (size_t i = 0; i < work->links; i++)
    count += !work->link[i].covered && covers(&work->link[i], dimension, coordinate);
  return count;
}

/* Chooses one more plane: of those left, the one that covers most faults for each node that is lost; of equals the one
 * with the fewest nodes.  Returns false when all faults are covered. */
static bool choose(struct work *work, const struct ut_scenario *scenario, const unsigned *left, struct ut_plane *best) {
  unsigned most = 0, size = 1;
  for (unsigned d = 0; d < scenario->topology.sizes; d++) {
    unsigned nodes = 1;
    for (unsigned other = 0; other < scenario->topology.sizes; other++)
      nodes *= other == d ? 1 : left[other];
    for (unsigned c = 0; c < scenario->topology.size[d]; c++) {
      unsigned count = uncovered(work, d, c);
      uint64_t here = (uint64_t)count * size, there = (uint64_t)most * nodes;
      if (here > there || (count && here == there && nodes < size)) {
        most = count;
        size = nodes;
        *best = (struct ut_plane){(uint8_t)d, (uint8_t)c};
      }
    }
  }
  for (size_t i = 0; i < work->links; i++)
    work->link[i].covered |= most && covers(&work->link[i], best->dimension, best->coordinate);
  return most > 0;
}

static int bypass(struct work *work, struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_plane plane;
  if (ut_faults_init(&work->faults, scenario, ut_scenario_topology(scenario), e) || find_faults(work, scenario, e))
    return -1;
  unsigned left[UT_MAX_DIMENSIONS], nodes = ut_scenario_switches(scenario), remain = 1;
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS; d++)
    left[d] = scenario->topology.size[d];
  while (choose(work, scenario, left, &plane)) {
    if (--left[plane.dimension] < 2 || scenario->bypass.count == UT_MAX_PLANES)
      return ut_fail(e, UT_BAD_INPUT,
                     "%s: too many planes would be switched off, no torus is left: fewer faults, please",
                     scenario->path);
    scenario->bypass.plane[scenario->bypass.count++] = plane;
  }
  for (unsigned d = 0; d < scenario->topology.sizes; d++)
    remain *= scenario->topology.size[d] = left[d];
  scenario->bypass.nodes_off = nodes - remain;
  scenario->fault_count = 0; /* they are where no switch is any more */
  return ut_scenario_build(scenario, e);
}

int ut_bypass_planes(struct ut_scenario *scenario, struct ut_error *e) {
  struct work work = {0};
  if (!scenario->routing.plane_bypass)
    return 0;
  int result = bypass(&work, scenario, e);
  free(work.link);
  ut_faults_free(&work.faults);
  return result;
}
