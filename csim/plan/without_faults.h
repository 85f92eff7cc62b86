/* SPDX-License-Identifier: Apache-2.0 */
/* without_faults.h - the workload of a run once more, where nothing fails: what its faults have cost. */
#ifndef UT_WITHOUT_FAULTS_H
#define UT_WITHOUT_FAULTS_H

#include "network.h"

/* Makes a run of that scenario, which has no faults: *completion is the cycle in which its workload was complete,
 * UINT64_MAX: it was not.  -1 and *e. */
typedef int ut_run_to_completion(void *ctx, const struct ut_scenario *scenario, uint64_t *completion,
                                 struct ut_error *e);

/* net: after its run, of a workload.  Without a failure until its end it is the same run, and `run` is not called. */
int ut_without_faults(const struct ut_network *net, ut_run_to_completion *run, void *ctx, uint64_t *completion,
                      struct ut_error *e);

#endif
