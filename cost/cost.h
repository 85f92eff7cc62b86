/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - the cost of a scenario's switch: cells, area, registers, longest path, blocks.  It is computed once and kept
 * in the cache (cache_folder.h) as cost.json.
 */
#ifndef UT_COST_H
#define UT_COST_H

#include <jansson.h>

#include "synthesis.h"

struct ut_scenario;

/* The report as a JSON object (docs/reference/cost.md lists its keys); json_decref() it.  Synthesizes what is not in
 * the cache; `progress` may be NULL.  NULL after filling *e, as ut_netlist_get(). */
json_t *ut_cost_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                    struct ut_error *e);

/* Returns whether it is a report of an FPGA part, not of standard cells. */
bool ut_cost_of_fpga(const json_t *cost);
/* Returns a number of a report; 0 if there is none. */
double ut_cost_number(const json_t *o, const char *key);
/* Returns the key of the number by which switches are compared, and which is summed over a network. */
const char *ut_cost_price(const json_t *cost);

/* The network of the scenario; cost: the report of each of its elaborations, in their order; NULL: only what can be
 * counted without netlists.  NULL after filling *e. */
json_t *ut_cost_network(const struct ut_scenario *scenario, json_t *const *cost, struct ut_error *e);

/* RUFT tables 3 and 4: unidirectional links, those of terminals included, and switching elements of the topologies that
 * connect k^n terminals with switches of arity k. */
struct ut_analytic {
  const char *topology;
  uint64_t links, switching_elements;
};
enum { UT_ANALYTIC = 5 };
void ut_cost_analytic(unsigned k, unsigned n, struct ut_analytic out[UT_ANALYTIC]);

#endif
