/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_output.h - what `uturn faults` prints, and the list it writes. */
#ifndef UT_STUCK_OUTPUT_H
#define UT_STUCK_OUTPUT_H

#include "cli.h"
#include "stuck_cover.h"

/* What one scenario has of the switches of one elaboration. */
struct ut_stuck_stimulus {
  uint32_t switches; /* that were looked at; 0: it has no such switches */
  uint64_t patterns;
};
/* What was found out of the switches of one elaboration. */
struct ut_stuck_result {
  const struct ut_shape *shape;
  const struct ut_stuck_faults *faults;
  struct ut_stuck_stimulus stimulus[UT_STUCK_SCENARIOS];
};
struct ut_stuck_scenario {
  const struct ut_scenario *scenario;
  uint64_t cycles;
};
struct ut_stuck_results {
  struct ut_stuck_scenario scenario[UT_STUCK_SCENARIOS];
  unsigned scenarios;
  const char *library; /* its own name */
  bool proven;         /* what the runs do not show was proven untestable or not */
  double run_s, prove_s;
  struct ut_stuck_result *of; /* [count], by netlist */
  unsigned count;
  struct ut_stuck_choice smallest; /* set of scenarios that shows all that any shows */
};

void ut_stuck_print(const struct ut_stuck_results *results, bool json);
/* All faults that no run shows, a row each.  Returns 0, or -1 after filling *e. */
int ut_stuck_list(const struct ut_stuck_results *results, const char *path, struct ut_error *e);

#endif
