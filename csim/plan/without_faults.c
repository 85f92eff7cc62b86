/* SPDX-License-Identifier: Apache-2.0 */
/* without_faults.c - see without_faults.h */
#include "without_faults.h"

#include "paths.h"
#include "planned_routes.h"
#include "scenario.h"

int ut_without_faults(const struct ut_network *n, ut_run_to_completion *run, void *ctx, uint64_t *completion,
                      struct ut_error *e) {
  struct ut_scenario s = *n->scenario; /* what it points to belongs to the scenario */
  if (!n->faults.failures) {
    *completion = n->workload->completion;
    return 0;
  }
  s.fault_count = 0;
  s.paths = NULL;
  const int status = ut_plan_scenario(&s, e) ? -1 : run(ctx, &s, completion, e);
  ut_paths_free(s.paths);
  return status;
}
