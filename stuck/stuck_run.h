/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_run.h - which stuck-at faults a stimulus shows: a difference at an output, or in what a flip-flop takes over.
 *
 * A faulty copy that has never differed holds in its flip-flops what the switch holds.  So each cycle of each switch is
 * a pattern of its own, state and inputs, whatever came before; and the 512 bits of a vector are 512 patterns, under
 * which one fault after the other is followed to where its difference ends (parallel-pattern single-fault propagation).
 */
#ifndef UT_STUCK_RUN_H
#define UT_STUCK_RUN_H

#include "stuck_reach.h"

struct ut_stuck_run;

/* Looks for the open faults.  NULL after filling *e. */
struct ut_stuck_run *ut_stuck_run_open(struct ut_stuck_faults *faults, struct ut_error *e);
void ut_stuck_run_close(struct ut_stuck_run *run);
/* Shows it all patterns of the run. */
void ut_stuck_run_show(struct ut_stuck_run *run, struct ut_stuck_reach *to);

/* Patterns: lanes of vectors of so many words, as in tb/shim.h: inputs by their bits in the image (slice/image.h),
 * flip-flops by their numbers; only those lanes. */
void ut_stuck_run_add(struct ut_stuck_run *run, unsigned words, const uint64_t *inputs, const uint64_t *flip_flops,
                      const uint64_t *lanes);
/* Looks at those that are still waiting for 512 to be there. */
void ut_stuck_run_end(struct ut_stuck_run *run);

/* Beyond the run: 512 patterns by chance, half of the bits of some of them those of the last patterns of the run, of
 * others more, up to 255 of 256; value NULL, or these values of operations instead.  What they show is testable. */
void ut_stuck_run_guess(struct ut_stuck_run *run, const bool *value);
/* Classes of faults that nothing has shown so far. */
size_t ut_stuck_run_left(const struct ut_stuck_run *run);

uint64_t ut_stuck_run_patterns(const struct ut_stuck_run *run);

#endif
