/* SPDX-License-Identifier: Apache-2.0 */
/* terminal_loads.h - terminals that want to send more or less than others: how often each of them makes a packet. */
#ifndef UT_TERMINAL_LOADS_H
#define UT_TERMINAL_LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

struct ut_scenario;
struct ut_traffic;

/* What a terminal wants to send, in relation to the others: in the mean over time, and while all that it does at times
 * is on. */
struct ut_terminal_load {
  double mean, most;
};

/* Reads the load of each terminal from lines "terminal load"; a terminal without a line has 1.  load: [terminals].
 * Returns 0, or -1 and fills *e. */
int ut_terminal_loads_read(struct ut_terminal_load *load, uint32_t terminals, const char *path, struct ut_error *e);

/* Sets traffic->mean_gaps so that the mean over all terminals is the scenario's load.  path: the file, for messages.
 * Returns 0, or -1 and fills *e: a terminal has to send more than its links or its process can. */
int ut_terminal_loads_apply(struct ut_traffic *traffic, const struct ut_scenario *scenario,
                            const struct ut_terminal_load *load, const char *path, struct ut_error *e);

/* Returns the factor from an exponential of mean 1 to a gap in cycles; negative: no packets.
 * Both processes draw one exponential per packet.  A geometric gap with success probability p is its floor after
 * scaling with 1 / -ln(1-p): P(gap >= g) = (1-p)^g. */
double ut_mean_gap(double packets_per_cycle, bool poisson);

#endif
