/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_replay.h - a cycle of a fabric as a scenario that `cosim` runs into a deadlock. */
#ifndef UT_FABRIC_REPLAY_H
#define UT_FABRIC_REPLAY_H

#include "fabric_routes.h"

/* Cuts the cycle out (fabric_cut.h) and writes FILE.yaml, with its network FILE.net, its tables FILE.csv and its
 * traffic beside it; says on standard error what will be seen.  0, or -1 and *e. */
int ut_fabric_replay(const struct ut_fabric *fabric, const struct ut_fabric_cycles *cycles, const char *path,
                     struct ut_error *e);

#endif
