/* SPDX-License-Identifier: Apache-2.0 */
/* test_toggles.c - tb/toggles.h beside counters that count one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "toggles.h"

enum { WORDS = 3, BITS = 64 * WORDS };

static uint64_t next(uint64_t *seed) { /* splitmix64, with its published constants */
  uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Word 0 changes in half of its bits, word 1 always in all of them, word 2 hardly ever. */
static void step(uint64_t now[WORDS], uint64_t *seed) {
  now[0] = next(seed);
  now[1] = ~now[1];
  now[2] ^= next(seed) & next(seed) & next(seed) & next(seed);
}

static void counts_are_exact(void **state) {
  (void)state;
  static uint64_t room[UT_TOGGLE_CAPACITY(WORDS)];
  struct ut_toggles t;
  uint64_t now[WORDS] = {0}, before[WORDS], wanted[BITS] = {0}, seed = 1;
  const unsigned cycles = UT_TOGGLE_FULL + 1000, anew = 500; /* more than the planes hold */
  ut_toggles_init(&t, room, WORDS);
  for (unsigned i = 0; i <= cycles; i++) {
    memcpy(before, now, sizeof now);
    step(now, &seed);
    if (i == anew)
      t.known = false;
    ut_toggles_sample(&t, now);
    for (unsigned b = 0; i && i != anew && b < BITS; b++)
      wanted[b] += ((now[b / 64] ^ before[b / 64]) >> b % 64) & 1;
  }
  ut_toggles_empty(&t);
  assert_int_equal(t.cycles, cycles - 1);
  assert_memory_equal(t.sum, wanted, sizeof wanted);
  assert_int_equal(t.sum[64], cycles - 1);
}

static void a_new_count_goes_on_from_the_last_cycle(void **state) {
  (void)state;
  static uint64_t room[UT_TOGGLE_CAPACITY(1)];
  struct ut_toggles t;
  ut_toggles_init(&t, room, 1);
  for (uint64_t i = 0; i < 4; i++)
    ut_toggles_sample(&t, &(uint64_t){i});
  ut_toggles_forget(&t);
  ut_toggles_sample(&t, &(uint64_t){2}); /* after 3 */
  ut_toggles_empty(&t);
  assert_int_equal(t.cycles, 1);
  assert_int_equal(t.sum[0], 1);
  assert_int_equal(t.sum[1], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_exact),
                                     cmocka_unit_test(a_new_count_goes_on_from_the_last_cycle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
