/* SPDX-License-Identifier: Apache-2.0 */
/* wave_dump.h - the dump of `cosim --wave`: options, and the run that makes it. */
#ifndef UT_WAVE_DUMP_H
#define UT_WAVE_DUMP_H

#include "excerpt.h"

/* Group of options; its struct: ut_excerpt_options. */
extern const struct ut_syntax ut_wave_syntax;

/* The run that is `done` once more up to the window's end, with a traced model, in a process of its own: what becomes
 * of Verilator's writer on a full disk ends that process only.  Returns the exit status. */
int ut_wave_dump(const struct ut_excerpt_options *options, const struct ut_device *device,
                 const struct ut_scenario *scenario, const struct ut_lockstep *done);

#endif
