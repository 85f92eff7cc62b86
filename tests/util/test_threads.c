/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
/* Items of work on several threads: each once, what they write is seen, however late a thread is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <unistd.h>

#include "threads.h"

enum { ITEMS = 64 };

struct sums {
  unsigned times[ITEMS], items, late; /* late: an item that takes long */
  uint64_t value[ITEMS];
};

static void work(void *ctx, unsigned item) {
  struct sums *s = ctx;
  s->times[item]++;
  s->value[item] += (uint64_t)item * item;
  if (item == s->late)
    usleep(200);
}

static void each_item_is_done_once(void **state) {
  (void)state;
  for (unsigned count = 1; count <= 9; count += count < 4 ? 1 : 5) {
    struct ut_threads *t = ut_threads_start(count);
    assert_non_null(t);
    assert_int_equal(ut_threads_count(t), count);
    struct sums s = {.late = ITEMS};
    unsigned expected[ITEMS] = {0};
    for (unsigned round = 0; round < 3000; round++) {
      s.items = round % (ITEMS + 1); /* none, too */
      s.late = round % 97 ? ITEMS : round % ITEMS;
      ut_threads_run(t, s.items, work, &s);
      for (unsigned i = 0; i < s.items; i++)
        expected[i]++;
      if (round % 500 == 0)
        usleep(2000); /* the others fall asleep */
      for (unsigned i = 0; i < ITEMS; i++)
        assert_int_equal(s.times[i], expected[i]);
    }
    for (unsigned i = 0; i < ITEMS; i++)
      assert_int_equal(s.value[i], (uint64_t)expected[i] * i * i);
    ut_threads_end(t);
  }
}

static void without_threads_the_caller_works(void **state) {
  (void)state;
  struct sums s = {.late = ITEMS};
  assert_int_equal(ut_threads_count(NULL), 1);
  ut_threads_run(NULL, ITEMS, work, &s);
  for (unsigned i = 0; i < ITEMS; i++)
    assert_int_equal(s.times[i], 1);
  ut_threads_end(NULL);
}

/* As many as the process may use, not as many as there are. */
static void there_is_a_core(void **state) {
  (void)state;
  assert_true(ut_threads_cores() >= 1 && ut_threads_cores() <= UT_MAX_THREADS);
  cpu_set_t before, one;
  if (sched_getaffinity(0, sizeof before, &before))
    return;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &before)) {
      CPU_SET(i, &one);
      break;
    }
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(ut_threads_cores(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_item_is_done_once),
      cmocka_unit_test(without_threads_the_caller_works),
      cmocka_unit_test(there_is_a_core),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
