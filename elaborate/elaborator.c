/* SPDX-License-Identifier: Apache-2.0 */
/* elaborator.c - see elaborator.h */
#include "elaborator.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "elaborate.h"
#include "threads.h"
#include "topology_build.h"

/* Compiles one elaboration of the network.  Returns 0, or -1 after filling *e. */
static int elaborate(struct ut_elaborator *elaborator, unsigned i, bool ready_only, ut_cache_progress *progress,
                     const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  char *path = ut_elaborate(&elaborator->shape[i], ready_only, progress, NULL, interrupted, e);
  ut_block_steps *steps = path ? ut_elaborated_load(path, &elaborator->library[i], &elaborator->terminals[i], e) : NULL;
  free(path);
  atomic_store_explicit(&elaborator->steps[i], steps, memory_order_release);
  return steps ? 0 : -1;
}

static void *work(void *of) {
  struct ut_elaborator *elaborator = of;
  for (unsigned i = 0; i < elaborator->count && elaborator->error.code == UT_OK; i++)
    if (!atomic_load_explicit(&elaborator->steps[i], memory_order_relaxed))
      elaborate(elaborator, i, false, NULL, &elaborator->stop, &elaborator->error);
  return NULL;
}

int ut_elaborator_start(struct ut_elaborator *elaborator, const struct ut_scenario *scenario,
                        enum ut_elaborate_when when, ut_cache_progress *progress,
                        const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  memset(elaborator, 0, sizeof *elaborator);
  const int count = ut_scenario_elaborations(scenario, elaboration, elaborator->shape, e);
  if (count < 0)
    return -1;
  elaborator->unmodelled = ut_shape_unmodelled(elaborator->shape);
  if (when == UT_ELABORATE_NEVER || elaborator->unmodelled)
    return 0;
  uint64_t switches = 0;
  bool ready = true;
  elaborator->count = (unsigned)count;
  for (unsigned i = 0; i < elaborator->count; i++) {
    struct ut_error why;
    switches += elaboration[i].count;
    if (when == UT_ELABORATE_ALWAYS && elaborate(elaborator, i, false, progress, interrupted, e))
      return -1;
    if (when == UT_ELABORATE_LONG)
      ready &= elaborate(elaborator, i, true, NULL, NULL, &why) == 0;
  }
  if (!ready && switches * ut_network_planned(scenario) >= UT_ELABORATE_WORTH)
    elaborator->beside = ut_thread_start(&elaborator->thread, work, elaborator) == 0;
  return 0;
}

int ut_elaborator_end(struct ut_elaborator *elaborator, struct ut_error *e) {
  if (elaborator->beside) {
    __atomic_store_n(&elaborator->stop, 1, __ATOMIC_RELAXED);
    pthread_join(elaborator->thread, NULL);
  }
  for (unsigned i = 0; i < elaborator->count; i++)
    if (elaborator->library[i])
      dlclose(elaborator->library[i]);
  const bool failed = elaborator->error.code != UT_OK && elaborator->error.code != UT_INTERRUPTED; /* which is us */
  if (failed)
    *e = elaborator->error;
  memset(elaborator, 0, sizeof *elaborator);
  return failed ? -1 : 0;
}
