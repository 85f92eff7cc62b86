/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_run.h - finds the stuck-at faults that a stimulus shows: a difference at an output, or in the next value of a
 * flip-flop.
 *
 * A faulty copy that has never differed holds the same state as the switch.  So each cycle of each switch is a pattern
 * of its own, state and inputs, whatever came before; and the 512 bits of a vector are 512 patterns, in which one fault
 * after the other is followed to where its difference ends (parallel-pattern single-fault propagation).
 */
#ifndef UT_STUCK_RUN_H
#define UT_STUCK_RUN_H

#include "stuck_reach.h"

struct ut_stuck_run;

/* Examines the open faults.  Returns NULL after filling *e. */
struct ut_stuck_run *ut_stuck_run_open(struct ut_stuck_faults *faults, struct ut_error *e);
void ut_stuck_run_close(struct ut_stuck_run *run);
/* Shows it all patterns of the run. */
void ut_stuck_run_show(struct ut_stuck_run *run, struct ut_stuck_reach *to);

/* Adds patterns: lanes of vectors of `words` words, as in tb/shim.h: inputs by their bits in the image (slice/image.h),
 * flip-flops by their numbers; only the given lanes. */
void ut_stuck_run_add(struct ut_stuck_run *run, unsigned words, const uint64_t *inputs, const uint64_t *flip_flops,
                      const uint64_t *lanes);
/* Examines the patterns that are still waiting for a full vector of 512. */
void ut_stuck_run_end(struct ut_stuck_run *run);

/* Adds, after the run, 512 random patterns.  Some share half of their bits with the last patterns of the run, others
 * more, up to 255 of 256; value NULL, or these values of operations instead.  The faults that they show are
 * testable. */
void ut_stuck_run_guess(struct ut_stuck_run *run, const bool *value);
/* Returns the classes of faults that no pattern has shown so far. */
size_t ut_stuck_run_left(const struct ut_stuck_run *run);

uint64_t ut_stuck_run_patterns(const struct ut_stuck_run *run);

#endif
