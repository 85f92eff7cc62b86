/* SPDX-License-Identifier: Apache-2.0 */
/* without_faults.h - runs a workload again without faults, to measure what its faults have cost. */
#ifndef UT_WITHOUT_FAULTS_H
#define UT_WITHOUT_FAULTS_H

#include "network.h"

/* Runs that scenario, which has no faults: *completion is the cycle in which its workload was complete, UINT64_MAX: it
 * was not.  Returns -1 and fills *e on failure. */
typedef int ut_run_to_completion(void *ctx, const struct ut_scenario *scenario, uint64_t *completion,
                                 struct ut_error *e);

/* net: the network of a workload, after its run.  If nothing failed before its end, the result is that of this run, and
 * `run` is not called. */
int ut_without_faults(const struct ut_network *net, ut_run_to_completion *run, void *ctx, uint64_t *completion,
                      struct ut_error *e);

#endif
