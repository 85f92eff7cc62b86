/* SPDX-License-Identifier: Apache-2.0 */
/* elaborator.c - see elaborator.h */
#include "elaborator.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "elaborate.h"
#include "threads.h"
#include "topology_build.h"

/* One elaboration of the network.  Returns 0, or -1 after filling *e. */
static int elaborate(struct ut_elaborator *a, unsigned i, bool ready_only, ut_cache_progress *progress,
                     const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  char *path = ut_elaborate(&a->shape[i], ready_only, progress, NULL, interrupted, e);
  ut_block_steps *steps = path ? ut_elaborated_load(path, &a->library[i], &a->terminals[i], e) : NULL;
  free(path);
  atomic_store_explicit(&a->steps[i], steps, memory_order_release);
  return steps ? 0 : -1;
}

static void *work(void *of) {
  struct ut_elaborator *a = of;
  for (unsigned i = 0; i < a->count && a->error.code == UT_OK; i++)
    if (!atomic_load_explicit(&a->steps[i], memory_order_relaxed))
      elaborate(a, i, false, NULL, &a->stop, &a->error);
  return NULL;
}

int ut_elaborator_start(struct ut_elaborator *a, const struct ut_scenario *s, enum ut_elaborate_when when,
                        ut_cache_progress *progress, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  memset(a, 0, sizeof *a);
  const int count = ut_scenario_elaborations(s, elaboration, a->shape, e);
  if (count < 0)
    return -1;
  a->unmodelled = ut_shape_unmodelled(a->shape);
  if (when == UT_ELABORATE_NEVER || a->unmodelled)
    return 0;
  uint64_t switches = 0;
  bool ready = true;
  a->count = (unsigned)count;
  for (unsigned i = 0; i < a->count; i++) {
    struct ut_error why;
    switches += elaboration[i].count;
    if (when == UT_ELABORATE_ALWAYS && elaborate(a, i, false, progress, interrupted, e))
      return -1;
    if (when == UT_ELABORATE_LONG)
      ready &= elaborate(a, i, true, NULL, NULL, &why) == 0;
  }
  if (!ready && switches * ut_network_planned(s) >= UT_ELABORATE_WORTH)
    a->beside = ut_thread_start(&a->thread, work, a) == 0;
  return 0;
}

int ut_elaborator_end(struct ut_elaborator *a, struct ut_error *e) {
  if (a->beside) {
    __atomic_store_n(&a->stop, 1, __ATOMIC_RELAXED);
    pthread_join(a->thread, NULL);
  }
  for (unsigned i = 0; i < a->count; i++)
    if (a->library[i])
      dlclose(a->library[i]);
  const bool failed = a->error.code != UT_OK && a->error.code != UT_INTERRUPTED; /* which is us */
  if (failed)
    *e = a->error;
  memset(a, 0, sizeof *a);
  return failed ? -1 : 0;
}
