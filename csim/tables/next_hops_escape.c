/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops_escape.c - the planner of next hops with an escape VC: see next_hops.h.  Rows 0 and 1 lead packets on the
 * escape VC, up*-down*, by the bank of their input port; row 2 leads the others, by every shortest way (Duato). */
#include <stdlib.h>

#include "next_hops.h"
#include "planning.h"

struct by_escape {
  struct ut_planning minimal; /* of the adaptive VCs */
  void *adaptive, *escape;    /* planners by search */
};

static void close_planner(void *planner) {
  struct by_escape *by = planner;
  if (by->adaptive)
    ut_next_hops_by_search.close(by->adaptive);
  if (by->escape)
    ut_next_hops_by_search.close(by->escape);
  free(by);
}

static void *open_planner(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs) {
  struct by_escape *by = calloc(1, sizeof *by);
  if (!by)
    return NULL;
  by->minimal.planner = UT_PLANNER_MINIMAL;
  by->adaptive = ut_next_hops_by_search.open(topo, &by->minimal, vcs);
  by->escape = ut_next_hops_by_search.open(topo, planning, vcs);
  if (by->adaptive && by->escape)
    return by;
  close_planner(by);
  return NULL;
}

static void survey(void *planner, const ut_mask *link_up) {
  struct by_escape *by = planner;
  ut_next_hops_by_search.survey(by->adaptive, link_up);
  ut_next_hops_by_search.survey(by->escape, link_up);
}

static ut_mask next_hops(const void *planner, uint32_t sw, unsigned row, uint32_t dst) {
  const struct by_escape *by = planner;
  return row < 2 ? ut_next_hops_by_search.next_hops(by->escape, sw, row, dst)
                 : ut_next_hops_by_search.next_hops(by->adaptive, sw, 0, dst);
}

static unsigned bank(const void *planner, uint32_t sw, unsigned in_port) {
  const struct by_escape *by = planner;
  return ut_next_hops_by_search.bank(by->escape, sw, in_port);
}

const struct ut_next_hop_planner ut_next_hops_by_escape = {
    .open = open_planner, .close = close_planner, .survey = survey, .next_hops = next_hops, .bank = bank};
