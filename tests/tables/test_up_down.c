/* SPDX-License-Identifier: Apache-2.0 */
/* test_up_down.c - up_down: sets of leaf switches of one word, of a part, of several, against a search. */
#include "up_down.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topologies.h"
#include "up_down_search.h"

/* With ever fewer links: each set has what a search finds. */
static void sets_are_searched(struct ut_up_down *x, const struct ut_topology *t, ut_mask *up) {
  bool *below = malloc(t->switches * sizeof *below), *reach = malloc(t->switches * sizeof *reach);
  uint32_t draw = 1;
  assert_true(below && reach);
  for (unsigned round = 0; round < 5; round++) {
    bool connected = true;
    for (size_t i = 0; round && i < t->links; i++) {
      const struct ut_link *l = &t->link[i];
      draw = draw * 1664525 + 1013904223;
      if ((draw >> 16) % 10 == 0)
        up[l->lower] &= ~ut_bit(l->lower_port), up[l->upper] &= ~ut_bit(l->upper_port);
    }
    ut_up_down_survey(x, up);
    for (uint32_t leaf = 0; leaf < x->leaves; leaf++) {
      search(t, up, leaf, below, reach);
      for (uint32_t sw = 0; sw < t->switches; sw++) {
        assert_int_equal(ut_up_down_below(x, sw, leaf), below[sw]);
        assert_int_equal(ut_up_down_reaches(x, sw, leaf), reach[sw]);
        connected &= sw >= x->leaves || reach[sw];
      }
    }
    assert_int_equal(ut_up_down_connected(x), connected);
  }
  free(below), free(reach);
}

/* 64 leaf switches fill a word of a set, 27 a part of one, 81 one and a part: each is reached, or the set says so. */
static void leaves_are_connected(void **state) {
  (void)state;
  static const unsigned trees[][2] = {{4, 4}, {3, 4}, {3, 5}};
  for (unsigned i = 0; i < sizeof trees / sizeof *trees; i++) {
    struct ut_up_down x;
    struct ut_topology t;
    struct ut_error e;
    const unsigned k = trees[i][0];
    assert_int_equal(test_fat_tree(&t, k, trees[i][1], 0, false, &e), 0);
    ut_mask *up = calloc(t.switches, sizeof *up);
    assert_true(up && ut_up_down_init(&x, &t));
    for (uint32_t sw = 0; sw < t.switches; sw++)
      for (unsigned p = 0; p < t.po; p++)
        up[sw] |= t.peer[sw * t.po + p].kind == UT_PEER_NONE ? 0 : ut_bit(p);
    ut_up_down_survey(&x, up);
    assert_true(ut_up_down_connected(&x));
    for (uint32_t leaf = 0; leaf < x.leaves; leaf += x.leaves - 1) {
      const ut_mask all = up[leaf];
      up[leaf] &= ut_mask_all(k) | ut_bit(k); /* one link up is enough, */
      ut_up_down_survey(&x, up);
      assert_true(ut_up_down_connected(&x));
      up[leaf] &= ut_mask_all(k); /* and none is not: the leaf reaches no other one */
      ut_up_down_survey(&x, up);
      assert_false(ut_up_down_connected(&x));
      for (uint32_t other = 0; other < x.leaves; other++)
        assert_int_equal(ut_up_down_reaches(&x, leaf, other), other == leaf);
      up[leaf] = all;
    }
    sets_are_searched(&x, &t, up);
    free(up);
    ut_up_down_fini(&x);
    ut_topology_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_are_connected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
