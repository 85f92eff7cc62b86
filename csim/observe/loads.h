/* SPDX-License-Identifier: Apache-2.0 */
/* loads.h - the loads of a network's links: flits per cycle at each output port over a window of a run.
 *
 * The caller that steps the network calls ut_network_count_links() at the first cycle of the window.
 */
#ifndef UT_LOADS_H
#define UT_LOADS_H

#include "network.h"

struct ut_loads {
  uint64_t from, until; /* cycles from..until-1 */
  double *load;         /* [switches * po], flits per cycle; NULL before ut_loads_take() */
};

/* The measurement window; with `at`, the cycles around it in which the faults do not change, within the measurement
 * window if *at is.  NULL: there is no such cycle. */
void ut_loads_window(struct ut_loads *loads, const struct ut_network *net, const uint64_t *at);

/* Computes the loads of the counted cycles.  A window that has not ended ends with the network's present cycle.
 * Returns false when out of memory. */
bool ut_loads_take(struct ut_loads *loads, const struct ut_network *net);

/* Links that leave the switches of a level at some ports: all of them, or those that lead up, or down. */
enum ut_load_side { UT_LOADS_ALL, UT_LOADS_UP, UT_LOADS_DOWN };
struct ut_load_summary {
  uint32_t switches, links;
  double mean, most; /* flits per cycle */
};
struct ut_load_summary ut_loads_summarize(const struct ut_loads *loads, const struct ut_topology *topo, unsigned level,
                                          enum ut_load_side side, uint64_t ports);

/* Lists the busiest output ports between switches, [switches * po], busiest first, ties in the order of their numbers,
 * without idle ones; returns how many, at most `most`, which is at least 1. */
unsigned ut_loads_busiest(const struct ut_loads *loads, const struct ut_topology *topo, size_t *port, unsigned most);

#endif
