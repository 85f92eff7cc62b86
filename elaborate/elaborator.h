/* SPDX-License-Identifier: Apache-2.0 */
/* elaborator.h - elaborates the golden switches of a scenario during the run.
 *
 * A run begins at once.  Elaborations in the cache are used from its first cycle.  Others are compiled by a thread, if
 * the run is long enough to gain by it, and used from some cycle on.  The results are the same in any case.
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

/* Switches times cycles from which on it saves as much processor time as the compiler takes
 * (docs/explanation/speed.md). */
enum { UT_ELABORATE_WORTH = 20000000 };

struct ut_elaborator {
  unsigned count; /* elaborations of the network */
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  void *library[UT_MAX_ELABORATIONS];
  const struct ut_terminal_steps *terminals[UT_MAX_ELABORATIONS]; /* there when `steps` are */
  _Atomic(ut_block_steps *) steps[UT_MAX_ELABORATIONS];           /* NULL: not ready yet */
  bool beside;                                                    /* the thread runs, or has ended and was not joined */
  pthread_t thread;
  volatile sig_atomic_t stop;
  struct ut_error error;  /* of the thread: why it has stopped; code UT_OK: it has finished */
  const char *unmodelled; /* feature of the switches that the model lacks, so that the spec runs; or NULL */
};

/* Looks into the cache, and starts to compile.  With UT_ELABORATE_ALWAYS it waits for the compiler, shows its progress
 * and obeys `interrupted`.  Returns 0; -1 after filling *e if the scenario is wrong, or if the wait was in vain.  To be
 * ended in both cases. */
int ut_elaborator_start(struct ut_elaborator *elaborator, const struct ut_scenario *scenario,
                        enum ut_elaborate_when when, ut_cache_progress *progress,
                        const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* To be called before a cycle: gives the golden switches of the scenario's network the elaborations that are ready. */
static inline void ut_elaborator_use(struct ut_elaborator *elaborator, struct ut_network *net) {
  for (unsigned i = 0; i < elaborator->count; i++) {
    ut_block_steps *steps = atomic_load_explicit(&elaborator->steps[i], memory_order_acquire);
    if (!steps || ut_group_model_steps(&net->group[i]) == steps)
      continue;
    ut_group_set_model_steps(&net->group[i], steps);
    net->terminals.steps = elaborator->terminals[i]; /* what terminals need is the same in all elaborations */
  }
}

/* Stops compiling and unloads all elaborations: no network may use them any more.  Returns 0; -1 after filling *e if
 * one could not be compiled, which the user should know: the run was slower than necessary. */
int ut_elaborator_end(struct ut_elaborator *elaborator, struct ut_error *e);

#endif
