/* SPDX-License-Identifier: Apache-2.0 */
/* test_departures.c - what several ranges of terminals have listed comes in one order, and is forgotten there. */
#include "departures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANGES = 3, MOST = 40 };

static bool before(const struct ut_departure *a, const struct ut_departure *b) {
  return a->src != b->src ? a->src < b->src : a->sequence < b->sequence;
}

/* Lists of all lengths, in any order; a record goes along with its packet. */
static void by_source_and_number(void **state) {
  (void)state;
  struct ut_terminal_range range[RANGES] = {0};
  struct ut_network n = {.terminals = {.range = range, .ranges = RANGES}};
  struct ut_departures all = {0};
  uint64_t random = 5;
  ut_departures_watch(&n);
  assert_true(n.terminals.watched && n.terminals.shared);
  for (unsigned count = 0; count < MOST; count++) {
    bool there[4][MOST] = {0};
    for (unsigned i = 0; i < count;) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      const unsigned src = random >> 33 & 3, number = (unsigned)((random >> 40) % MOST);
      if (there[src][number])
        continue;
      there[src][number] = true;
      const struct ut_departure d = {.src = (uint16_t)(src * 257), /* numbers are not of 32 bits */
                                     .sequence = (uint64_t)(number + 1) << 31,
                                     .reason = (uint8_t)(src + number),
                                     .record = {.dst = (uint16_t)(100 * src + number)}};
      assert_true(ut_departures_add(&range[i % RANGES].departures, &d));
      i++;
    }
    assert_true(ut_departures_take(&all, &n));
    assert_int_equal(all.count, count);
    for (unsigned i = 0; i < RANGES; i++)
      assert_int_equal(range[i].departures.count, 0);
    for (size_t i = 0; i < all.count; i++) {
      const struct ut_departure *d = &all.list[i];
      const unsigned src = d->src / 257u, number = (unsigned)(d->sequence >> 31) - 1;
      assert_true(!i || before(d - 1, d));
      assert_true(there[src][number] && d->record.dst == 100 * src + number && d->reason == src + number);
    }
  }
  for (unsigned i = 0; i < RANGES; i++)
    free(range[i].departures.list);
  free(all.list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_source_and_number)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
