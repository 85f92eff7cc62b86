/* SPDX-License-Identifier: Apache-2.0 */
/* replay.h - a counter-example as a scenario for `cosim`. */
#ifndef UT_REPLAY_H
#define UT_REPLAY_H

#include <signal.h>

#include "counter_example.h"

struct ut_replay_report {
  bool shown;     /* the golden model showed it */
  char text[512]; /* what happens when the file is run */
};

int ut_replay_write(struct ut_prover *prover, const struct ut_counter_example *example, const char *path,
                    const volatile sig_atomic_t *stop, struct ut_replay_report *report, struct ut_error *e);

#endif
