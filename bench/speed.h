/* SPDX-License-Identifier: Apache-2.0 */
/* speed.h - how fast golden model, RTL alone and lockstep are, by the clock.
 *
 * The best of several rounds counts: machines are shared, noise only adds.
 */
#ifndef UT_BENCH_SPEED_H
#define UT_BENCH_SPEED_H

#include <signal.h>

#include "elaborator.h"
#include "lockstep.h"

/* Switch-cycles per second, flit-hops of the golden model per second. */
struct ut_speed {
  double golden, hops, rtl, lockstep;
};

/* The three in turns; the golden switches as the elaborator has them, whose scenario it is.  Ends early once
 * *interrupted is set.  0, or -1 and *e. */
int ut_speed_measure(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                     const struct ut_models *models, const volatile sig_atomic_t *interrupted, struct ut_speed *out,
                     struct ut_error *e);

/* Switch-cycles per second of processor time in lockstep, of `count` kinds of models in turns; as above. */
int ut_speed_lockstep(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                      const struct ut_models *models, unsigned count, const volatile sig_atomic_t *interrupted,
                      double *out, struct ut_error *e);

/* Processor time of the golden model for a flit-hop, in ns.  0, or -1 and *e. */
int ut_speed_cpu(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                 const volatile sig_atomic_t *interrupted, double *ns, struct ut_error *e);

#endif
