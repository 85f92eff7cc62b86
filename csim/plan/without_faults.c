/* SPDX-License-Identifier: Apache-2.0 */
/* without_faults.c - see without_faults.h */
#include "without_faults.h"

#include "paths.h"
#include "planned_routes.h"
#include "scenario.h"

int ut_without_faults(const struct ut_network *net, ut_run_to_completion *run, void *ctx, uint64_t *completion,
                      struct ut_error *e) {
  struct ut_scenario scenario = *net->scenario; /* what it points to belongs to the scenario */
  if (!net->faults.failures) {
    *completion = net->workload->completion;
    return 0;
  }
  scenario.fault_count = 0;
  scenario.paths = NULL;
  const int status = ut_plan_scenario(&scenario, e) ? -1 : run(ctx, &scenario, completion, e);
  ut_paths_free(scenario.paths);
  return status;
}
