/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h - a few threads that share the items of one piece of work after another: the cycles of a network.
 *
 * A thread begins with items of its own, the same ones in each piece of work, whose data its cache may still hold, then
 * helps others.  The result must not depend on which thread does an item.  Between two pieces threads wait: for some
 * microseconds by polling, then asleep, because cores are shared with other programs.
 */
#ifndef UT_THREADS_H
#define UT_THREADS_H

#include <pthread.h>

#include <stdbool.h>

struct ut_threads;

/* Returns whether that many more threads, or processes of one thread, could be started now; the system counts them
 * alike. */
bool ut_threads_possible(unsigned count);

/* A thread that no signal interrupts - they are for the main thread - with a stack of 1 MiB, whatever `ulimit -s` says.
 * 0, or -1: there can be no more. */
int ut_thread_start(pthread_t *thread, void *(*work)(void *), void *of);

/* Cores that this process may use, at least 1. */
unsigned ut_threads_cores(void);

enum { UT_MAX_THREADS = 256 };

/* Starts that many threads, the caller included, or fewer if the system gives no more.  NULL: out of memory. */
struct ut_threads *ut_threads_start(unsigned count);
void ut_threads_end(struct ut_threads *threads); /* NULL: nothing to do */

/* NULL: 1, the caller alone. */
unsigned ut_threads_count(const struct ut_threads *threads);

/* Does items 0..items-1, each once, below 2^20 of them; returns when all are done.  All threads see what the caller
 * wrote before; the caller sees what they wrote afterwards. */
typedef void ut_threads_work(void *ctx, unsigned item);
void ut_threads_run(struct ut_threads *threads, unsigned items, ut_threads_work *work, void *ctx);

#endif
