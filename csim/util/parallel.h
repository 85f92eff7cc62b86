/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.h - the same work on many numbered items, on all cores: processes that share nothing but a counter and their
 * results. (Processes, because igraph is not thread-safe in Debian.)
 *
 * The result of an item must not depend on the process that works on it, and results must be merged without regard to
 * order; then the number of processes changes nothing. */
#ifndef UT_PARALLEL_H
#define UT_PARALLEL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct ut_parallel {
  unsigned workers; /* 0: as many as there are cores */
  uint64_t items, chunk;
  uint64_t units; /* what progress counts instead of items: workers say what they have done; 0: items */
  size_t result_size;
  const volatile sig_atomic_t *stop;                          /* or NULL: ends early when it becomes non-zero */
  void (*progress)(void *ctx, uint64_t done, uint64_t items); /* or NULL: called twice a second, or before each chunk */
  void *ctx;
};

/* Hands out the items. */
struct ut_item_source {
  _Atomic uint64_t next, did; /* did: units */
  uint64_t items, chunk;
  const volatile sig_atomic_t *stop;
  _Atomic bool stopped;            /* called by the process that waits */
  const struct ut_parallel *alone; /* where a single worker is that process; else NULL */
};

/* Returns the next chunk, *from included, *to excluded; false: there is none. */
bool ut_item_source_take(struct ut_item_source *source, uint64_t *from, uint64_t *to);
/* So many units more are done (struct ut_parallel). */
void ut_item_source_did(struct ut_item_source *source, uint64_t units);
/* Whether the rest of a chunk is not wanted any more: to be asked before each item that may take long. */
bool ut_item_source_stopped(const struct ut_item_source *source);

/* Works on items until there are none; `result` is zero at first.  -1 and *e on failure. */
typedef int ut_parallel_work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e);

/* results: room for ut_parallel_workers(p) results, zero for a worker that had nothing to do. */
unsigned ut_parallel_workers(const struct ut_parallel *parallel);
int ut_parallel_run(const struct ut_parallel *parallel, ut_parallel_work *work, void *results, struct ut_error *e);

#endif
