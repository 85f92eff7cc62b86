/* SPDX-License-Identifier: Apache-2.0 */
/* instructions.h - instructions of the golden model for a flit-hop, and of BookSim: those of a longer run less those of
 * a shorter one, by the flits that left a switch meanwhile.  Terminals, traffic and statistics are in it. */
#ifndef UT_BENCH_INSTRUCTIONS_H
#define UT_BENCH_INSTRUCTIONS_H

#include "booksim.h"
#include "callgrind.h"

struct ut_scenario;

/* program: the `uturn` that is measured.  scenario: the scenario of that file, with the load.  elaborated: its golden
 * switches are in the cache, compiled for their parameters, and it is to use them.  0, or -1 and *e. */
int ut_instructions_per_hop(const struct ut_callgrind *callgrind, const char *program, const char *path,
                            const struct ut_scenario *scenario, bool elaborated, double *out, struct ut_error *e);

/* The same of BookSim, for a scenario that it can do. */
int ut_booksim_per_hop(struct ut_booksim *booksim, const struct ut_callgrind *callgrind,
                       const struct ut_scenario *scenario, double *out, struct ut_error *e);

#endif
