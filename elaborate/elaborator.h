/* SPDX-License-Identifier: Apache-2.0 */
/* elaborator.h - elaborates the golden switches of a scenario, beside the run.
 *
 * A run begins at once.  What is in the cache it uses from its first cycle; what is not is compiled by a thread, if the
 * run is long enough to gain by it, and used from some cycle on: the results are the same in any case.
 */
#ifndef UT_ELABORATOR_H
#define UT_ELABORATOR_H

#include <pthread.h>
#include <stdatomic.h>

#include "cache_caller.h"
#include "network.h"

enum ut_elaborate_when {
  UT_ELABORATE_LONG, /* runs of UT_ELABORATE_WORTH and more */
  UT_ELABORATE_ALWAYS,
  UT_ELABORATE_NEVER,
};

/* Switches times cycles: from here on it saves as much processor time as the compiler takes
 * (docs/explanation/speed.md). */
enum { UT_ELABORATE_WORTH = 20000000 };

struct ut_elaborator {
  unsigned count; /* elaborations of the network */
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  void *library[UT_MAX_ELABORATIONS];
  const struct ut_terminal_steps *terminals[UT_MAX_ELABORATIONS]; /* there when `steps` are */
  _Atomic(ut_block_steps *) steps[UT_MAX_ELABORATIONS];           /* NULL: not there yet */
  bool beside;                                                    /* the thread runs, or has ended and was not joined */
  pthread_t thread;
  volatile sig_atomic_t stop;
  struct ut_error error;  /* of the thread: why it ended; code UT_OK: it has done all */
  const char *unmodelled; /* what the model does not know of the switches, so that the spec runs; or NULL */
};

/* Looks into the cache, and starts to compile; with UT_ELABORATE_ALWAYS it waits for that, shows its progress and obeys
 * `interrupted`.  Returns 0; -1 after filling *e, for a scenario that is wrong or when it should have waited in vain.
 * To be ended in both cases. */
int ut_elaborator_start(struct ut_elaborator *elaborator, const struct ut_scenario *scenario,
                        enum ut_elaborate_when when, ut_cache_progress *progress,
                        const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* Before a cycle: gives the golden switches of the scenario's network what is ready. */
static inline void ut_elaborator_use(struct ut_elaborator *elaborator, struct ut_network *net) {
  for (unsigned i = 0; i < elaborator->count; i++) {
    ut_block_steps *steps = atomic_load_explicit(&elaborator->steps[i], memory_order_acquire);
    if (!steps || ut_group_model_steps(&net->group[i]) == steps)
      continue;
    ut_group_set_model_steps(&net->group[i], steps);
    net->terminals.steps = elaborator->terminals[i]; /* what counts for terminals is the same in all elaborations */
  }
}

/* Stops compiling and unloads all: no network may use it any more.  Returns 0; -1 after filling *e when it could not be
 * compiled, which the user should hear of: the run was slower than it need be. */
int ut_elaborator_end(struct ut_elaborator *elaborator, struct ut_error *e);

#endif
