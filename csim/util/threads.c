/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - see threads.h */
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A number that threads wait for. */
struct gate {
  _Alignas(64) atomic_uint value;
  atomic_uint sleepers;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

/* Items of one thread that no thread has begun: the number of the piece of work, the end of the items, the next item.
 * It is a single number, so that a late thread takes an item of the present piece, or none. */
struct queue {
  _Alignas(64) _Atomic uint64_t next;
};
enum { ITEM_BITS = 20 };
#define ITEMS ((UINT64_C(1) << ITEM_BITS) - 1)

struct helper {
  struct ut_threads *all;
  unsigned number;
  pthread_t thread;
};

struct ut_threads {
  struct gate begun; /* pieces of work so far */
  struct gate left;  /* unfinished items of the present piece */
  unsigned count;
  atomic_bool ends;
  ut_threads_work *work; /* these two are written by the thread that has an item */
  void *ctx;
  struct queue *queue;   /* [count] */
  struct helper *helper; /* [count], of which 0 is the caller */
};

/* ---- gates */

static void gate_init(struct gate *gate) {
  atomic_init(&gate->value, 0);
  atomic_init(&gate->sleepers, 0);
  pthread_mutex_init(&gate->mutex, NULL);
  pthread_cond_init(&gate->changed, NULL);
}

static void gate_fini(struct gate *gate) {
  pthread_cond_destroy(&gate->changed);
  pthread_mutex_destroy(&gate->mutex);
}

static inline void relax(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

/* Some 10 to 50 microseconds: longer than a network needs between two pieces of work, shorter than other programs would
 * notice.
 */
enum { LOOKS = 1000 };

/* Waits until the value is `value`, or no longer `other`. */
static void gate_wait(struct gate *gate, unsigned value, bool other) {
  for (unsigned i = 0; i < LOOKS; i++) {
    if ((atomic_load_explicit(&gate->value, memory_order_acquire) == value) != other)
      return;
    relax();
  }
  pthread_mutex_lock(&gate->mutex);
  atomic_fetch_add(&gate->sleepers, 1);
  while ((atomic_load(&gate->value) == value) == other)
    pthread_cond_wait(&gate->changed, &gate->mutex);
  atomic_fetch_sub(&gate->sleepers, 1);
  pthread_mutex_unlock(&gate->mutex);
}

/* After a change of the value. */
static void gate_wake(struct gate *gate) {
  if (atomic_load(&gate->sleepers) == 0)
    return;
  pthread_mutex_lock(&gate->mutex);
  pthread_cond_broadcast(&gate->changed);
  pthread_mutex_unlock(&gate->mutex);
}

/* ---- work */

/* Does the remaining items, its own first. */
static void help(struct ut_threads *threads, unsigned number) {
  unsigned done = 0;
  for (unsigned i = 0; i < threads->count; i++) {
    struct queue *queue = &threads->queue[(number + i) % threads->count];
    for (;;) {
      const uint64_t ticket = atomic_fetch_add_explicit(&queue->next, 1, memory_order_acq_rel);
      if ((ticket & ITEMS) >= (ticket >> ITEM_BITS & ITEMS))
        break;
      threads->work(threads->ctx, (unsigned)(ticket & ITEMS));
      done++;
    }
  }
  if (done && atomic_fetch_sub(&threads->left.value, done) == done)
    gate_wake(&threads->left);
}

static void *helper_main(void *p) {
  struct helper *helper = p;
  struct ut_threads *threads = helper->all;
  for (unsigned seen = 0;;) {
    gate_wait(&threads->begun, seen, true);
    seen = atomic_load(&threads->begun.value);
    if (atomic_load(&threads->ends))
      return NULL;
    help(threads, helper->number);
  }
}

void ut_threads_run(struct ut_threads *threads, unsigned items, ut_threads_work *work, void *ctx) {
  if (!threads || threads->count == 1 || items == 1) {
    for (unsigned i = 0; i < items; i++)
      work(ctx, i);
    return;
  }
  threads->work = work;
  threads->ctx = ctx;
  atomic_store(&threads->left.value, items);
  for (unsigned i = 0; i < threads->count; i++) {
    const uint64_t first = (uint64_t)items * i / threads->count, end = (uint64_t)items * (i + 1) / threads->count;
    atomic_store_explicit(&threads->queue[i].next, end << ITEM_BITS | first, memory_order_release);
  }
  atomic_fetch_add(&threads->begun.value, 1);
  gate_wake(&threads->begun);
  help(threads, 0);
  gate_wait(&threads->left, 0, false);
}

/* ---- start and end */

int ut_thread_start(pthread_t *thread, void *(*work)(void *), void *of) {
  enum { STACK_BYTES = 1 << 20 };
  pthread_attr_t attributes;
  sigset_t all, before;
  if (pthread_attr_init(&attributes))
    return -1;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed =
      pthread_attr_setstacksize(&attributes, STACK_BYTES) || pthread_create(thread, &attributes, work, of);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return failed ? -1 : 0;
}

unsigned ut_threads_cores(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int cores = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
  return cores < 1 ? 1 : cores < UT_MAX_THREADS ? (unsigned)cores : UT_MAX_THREADS;
}

unsigned ut_threads_count(const struct ut_threads *threads) {
  return threads ? threads->count : 1;
}

static void destroy(struct ut_threads *threads) {
  free(threads->queue);
  free(threads->helper);
  gate_fini(&threads->begun);
  gate_fini(&threads->left);
  free(threads);
}

static void *pass(void *of) {
  pthread_mutex_lock(of);
  pthread_mutex_unlock(of);
  return NULL;
}

bool ut_threads_possible(unsigned count) {
  enum { MOST = 64 };
  pthread_mutex_t all_there = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread[MOST];
  unsigned started = 0;
  pthread_mutex_lock(&all_there);
  while (started < count && started < MOST && !ut_thread_start(&thread[started], pass, &all_there))
    started++;
  pthread_mutex_unlock(&all_there);
  for (unsigned i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  return started == count;
}

struct ut_threads *ut_threads_start(unsigned count) {
  struct ut_threads *threads = aligned_alloc(64, sizeof *threads);
  if (!threads)
    return NULL;
  *threads = (struct ut_threads){.queue = aligned_alloc(64, count * sizeof *threads->queue),
                                 .helper = calloc(count, sizeof *threads->helper)};
  gate_init(&threads->begun);
  gate_init(&threads->left);
  if (!threads->queue || !threads->helper) {
    destroy(threads);
    return NULL;
  }
  for (unsigned i = 0; i < count; i++)
    atomic_init(&threads->queue[i].next, 0);
  unsigned started = 1;
  for (; started < count; started++) {
    threads->helper[started] = (struct helper){.all = threads, .number = started};
    if (ut_thread_start(&threads->helper[started].thread, helper_main, &threads->helper[started]))
      break;
  }
  threads->count = started;
  return threads;
}

void ut_threads_end(struct ut_threads *threads) {
  if (!threads)
    return;
  atomic_store(&threads->ends, true);
  atomic_fetch_add(&threads->begun.value, 1);
  gate_wake(&threads->begun);
  for (unsigned i = 1; i < threads->count; i++)
    pthread_join(threads->helper[i].thread, NULL);
  destroy(threads);
}
