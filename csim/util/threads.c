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

/* Items of one thread that nobody has begun: which piece of work, where they end, the next one.  One number, so that
 * who comes late takes an item of the piece that is being done, or none. */
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
  struct gate left;  /* items of this one that are not done */
  unsigned count;
  atomic_bool ends;
  ut_threads_work *work; /* these two belong to who has an item */
  void *ctx;
  struct queue *queue;   /* [count] */
  struct helper *helper; /* [count], of which 0 is the caller */
};

/* ---- gates */

static void gate_init(struct gate *g) {
  atomic_init(&g->value, 0);
  atomic_init(&g->sleepers, 0);
  pthread_mutex_init(&g->mutex, NULL);
  pthread_cond_init(&g->changed, NULL);
}

static void gate_fini(struct gate *g) {
  pthread_cond_destroy(&g->changed);
  pthread_mutex_destroy(&g->mutex);
}

static inline void relax(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

/* Some 10 to 50 microseconds: more than what a network does between two pieces of work, less than others would notice.
 */
enum { LOOKS = 1000 };

/* Waits until the value is `value`, or (`other`) is not. */
static void gate_wait(struct gate *g, unsigned value, bool other) {
  for (unsigned i = 0; i < LOOKS; i++) {
    if ((atomic_load_explicit(&g->value, memory_order_acquire) == value) != other)
      return;
    relax();
  }
  pthread_mutex_lock(&g->mutex);
  atomic_fetch_add(&g->sleepers, 1);
  while ((atomic_load(&g->value) == value) == other)
    pthread_cond_wait(&g->changed, &g->mutex);
  atomic_fetch_sub(&g->sleepers, 1);
  pthread_mutex_unlock(&g->mutex);
}

/* After a change of the value. */
static void gate_wake(struct gate *g) {
  if (atomic_load(&g->sleepers) == 0)
    return;
  pthread_mutex_lock(&g->mutex);
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->mutex);
}

/* ---- work */

/* Does what is left, its own items first. */
static void help(struct ut_threads *t, unsigned number) {
  unsigned done = 0;
  for (unsigned i = 0; i < t->count; i++) {
    struct queue *q = &t->queue[(number + i) % t->count];
    for (;;) {
      const uint64_t ticket = atomic_fetch_add_explicit(&q->next, 1, memory_order_acq_rel);
      if ((ticket & ITEMS) >= (ticket >> ITEM_BITS & ITEMS))
        break;
      t->work(t->ctx, (unsigned)(ticket & ITEMS));
      done++;
    }
  }
  if (done && atomic_fetch_sub(&t->left.value, done) == done)
    gate_wake(&t->left);
}

static void *helper_main(void *p) {
  struct helper *h = p;
  struct ut_threads *t = h->all;
  for (unsigned seen = 0;;) {
    gate_wait(&t->begun, seen, true);
    seen = atomic_load(&t->begun.value);
    if (atomic_load(&t->ends))
      return NULL;
    help(t, h->number);
  }
}

void ut_threads_run(struct ut_threads *t, unsigned items, ut_threads_work *work, void *ctx) {
  if (!t || t->count == 1 || items == 1) {
    for (unsigned i = 0; i < items; i++)
      work(ctx, i);
    return;
  }
  t->work = work;
  t->ctx = ctx;
  atomic_store(&t->left.value, items);
  for (unsigned i = 0; i < t->count; i++) {
    const uint64_t first = (uint64_t)items * i / t->count, end = (uint64_t)items * (i + 1) / t->count;
    atomic_store_explicit(&t->queue[i].next, end << ITEM_BITS | first, memory_order_release);
  }
  atomic_fetch_add(&t->begun.value, 1);
  gate_wake(&t->begun);
  help(t, 0);
  gate_wait(&t->left, 0, false);
}

/* ---- life and death */

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

unsigned ut_threads_count(const struct ut_threads *t) {
  return t ? t->count : 1;
}

static void destroy(struct ut_threads *t) {
  free(t->queue);
  free(t->helper);
  gate_fini(&t->begun);
  gate_fini(&t->left);
  free(t);
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
  struct ut_threads *t = aligned_alloc(64, sizeof *t);
  if (!t)
    return NULL;
  *t = (struct ut_threads){.queue = aligned_alloc(64, count * sizeof *t->queue),
                           .helper = calloc(count, sizeof *t->helper)};
  gate_init(&t->begun);
  gate_init(&t->left);
  if (!t->queue || !t->helper) {
    destroy(t);
    return NULL;
  }
  for (unsigned i = 0; i < count; i++)
    atomic_init(&t->queue[i].next, 0);
  unsigned started = 1;
  for (; started < count; started++) {
    t->helper[started] = (struct helper){.all = t, .number = started};
    if (ut_thread_start(&t->helper[started].thread, helper_main, &t->helper[started]))
      break;
  }
  t->count = started;
  return t;
}

void ut_threads_end(struct ut_threads *t) {
  if (!t)
    return;
  atomic_store(&t->ends, true);
  atomic_fetch_add(&t->begun.value, 1);
  gate_wake(&t->begun);
  for (unsigned i = 1; i < t->count; i++)
    pthread_join(t->helper[i].thread, NULL);
  destroy(t);
}
