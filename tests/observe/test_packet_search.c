/* SPDX-License-Identifier: Apache-2.0 */
/* test_packet_search.c - a packet that turns is told from those with its tag, 256 and 512 numbers before. */
#include "packet_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_read.h"
#include "scenarios.h"

enum { MORE = 512, ROOM = 4096 };

/* The packets of a terminal get numbers that are larger by MORE, and the older ones with the same tags are still on its
 * in-flight table: off the network, to the same destination, or in it, to another one. */
static void renumber(struct ut_terminal *t, struct ut_record *record) {
  assert_true(t->end + MORE < ROOM);
  for (uint64_t i = t->base; i < t->end; i++) {
    const struct ut_record *r = &t->record[i & t->mask];
    for (unsigned older = 0; older <= MORE; older += 256) {
      struct ut_record *copy = &record[i + older];
      *copy = *r;
      copy->live = older == MORE ? r->live : older == 256;
      copy->dst = older == 256 ? r->dst ^ 1 : r->dst;
    }
  }
  t->record = record;
  t->mask = ROOM - 1;
  t->injected += MORE;
  t->end += MORE;
}

static void the_one_that_is_there(void **state) {
  (void)state;
  unsigned found = 0;
  struct ut_record(*records)[ROOM] = calloc(8, sizeof *records);
  assert_non_null(records);
  for (unsigned seed = 1; seed <= 12; seed++) {
    struct ut_network n;
    struct ut_packet_search search = {0}, same;
    struct ut_terminal kept[8];
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\n"
                                          "routing: {algorithm: reroute_adaptive_link}\n"
                                          "traffic: {pattern: uniform, load_flits_per_cycle: 0.5}\n"
                                          "faults: [{at: 50, random_links: 3}]\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 500, seed: %u}\n",
                                          seed);
    test_network(&n, s);
    do {
      same = search;
      ut_network_step(&n);
    } while (!ut_packet_search_observe(&search, &n) && !ut_network_done(&n));
    memcpy(kept, n.terminals.terminal, sizeof kept);
    memset(records, 0, 8 * sizeof *records);
    for (unsigned i = 0; i < 8; i++)
      renumber(&n.terminals.terminal[i], records[i]);
    ut_packet_search_observe(&same, &n);
    memcpy(n.terminals.terminal, kept, sizeof kept);
    assert_true(search.turned && same.candidates == search.candidates && same.sw == search.sw);
    for (unsigned i = 0; i < search.candidates; i++) {
      assert_int_equal(same.candidate[i].src, search.candidate[i].src);
      assert_int_equal(same.candidate[i].sequence, search.candidate[i].sequence + MORE);
      found++;
    }
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  free(records);
  assert_true(found > 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_one_that_is_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
