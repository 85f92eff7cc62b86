/* SPDX-License-Identifier: Apache-2.0 */
/* test_exclusions.c - csim/control/exclusions: which up ports exclude which destinations, against the ways that a
 * search finds, in trees with ever fewer links of one direction. */
#include "exclusions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout.h"
#include "topologies.h"

struct tree {
  struct ut_topology t;
  struct ut_exclusions x;
  unsigned k;
  ut_mask *up;
};

static bool owns(const struct tree *n, uint32_t sw, uint32_t dst) {
  const uint64_t straps = n->t.straps[sw];
  return dst - ut_level_strap_base(straps) < n->k * ut_level_strap_step(straps);
}

static uint32_t behind(const struct tree *n, uint32_t sw, unsigned port) {
  return n->t.peer[(size_t)sw * n->t.po + port].index;
}

static bool is_excluded(const struct tree *n, uint32_t sw, unsigned port, uint32_t dst) {
  for (unsigned i = 0; i < n->x.count; i++) {
    const uint64_t word = ut_exclusions_word(&n->x, sw, (port - n->k) * n->x.count + i);
    assert_int_equal(ut_exclusion_port(word), port - n->k);
    assert_int_equal(ut_exclusion_number(word), i);
    assert_true(ut_exclusion_write(word));
    if (dst >= ut_exclusion_first(word) && dst <= ut_exclusion_last(word))
      return true;
  }
  return false;
}

/* A packet at that switch can arrive: down by the only way, else up through some port, if so wanted a planned one. */
static bool arrives(const struct tree *n, uint32_t sw, uint32_t dst, bool planned) {
  if (owns(n, sw, dst)) {
    const unsigned port = (dst - ut_level_strap_base(n->t.straps[sw])) / ut_level_strap_step(n->t.straps[sw]);
    const struct ut_peer *peer = &n->t.peer[(size_t)sw * n->t.po + port];
    return n->up[sw] >> port & 1 && (peer->kind == UT_PEER_TERMINAL || arrives(n, peer->index, dst, planned));
  }
  for (unsigned port = n->k; port < 2 * n->k; port++)
    if (n->up[sw] >> port & 1 && !(planned && is_excluded(n, sw, port, dst)) &&
        arrives(n, behind(n, sw, port), dst, planned))
      return true;
  return false;
}

/* With enough intervals a port excludes what it does not lead to, and nothing else; with few of them others, too, but
 * who had a way has one still. */
static void check(const struct tree *n, bool enough) {
  for (uint32_t sw = 0; sw < n->t.switches; sw++)
    for (uint32_t dst = 0; dst < n->t.terminals; dst++) {
      if (owns(n, sw, dst))
        continue;
      const bool expected = arrives(n, sw, dst, false), found = arrives(n, sw, dst, true);
      if (expected != found)
        fail_msg("switch %u, destination %u: %d, a search says %d", sw, dst, found, expected);
      for (unsigned port = n->k; enough && port < 2 * n->k; port++)
        if (n->up[sw] >> port & 1 && is_excluded(n, sw, port, dst) == arrives(n, behind(n, sw, port), dst, false))
          fail_msg("switch %u port %u, destination %u: excluded %d", sw, port, dst, is_excluded(n, sw, port, dst));
    }
}

static void in_tree(unsigned k, unsigned levels, unsigned count, bool enough) {
  struct tree n = {.k = k};
  struct ut_error e;
  uint32_t draw = 7 * k + count;
  assert_int_equal(test_fat_tree(&n.t, k, levels, 0, false, &e), 0);
  const struct ut_shape shape = {.po = 2 * k, .exclusions = count};
  assert_true(ut_exclusions_init(&n.x, &n.t, &shape));
  n.up = calloc(n.t.switches, sizeof *n.up);
  assert_non_null(n.up);
  for (uint32_t sw = 0; sw < n.t.switches; sw++)
    for (unsigned port = 0; port < 2 * k; port++)
      n.up[sw] |= n.t.peer[(size_t)sw * n.t.po + port].kind == UT_PEER_NONE ? 0 : ut_bit(port);
  for (unsigned round = 0; round < 6; round++) {
    ut_exclusions_survey(&n.x, n.up);
    check(&n, enough);
    for (size_t i = 0; i < n.t.links; i++) {
      const struct ut_link *l = &n.t.link[i];
      draw = draw * 1664525 + 1013904223;
      if ((draw >> 16) % 16 == 0)
        n.up[l->lower] &= ~ut_bit(l->lower_port);
      if ((draw >> 16) % 16 == 1)
        n.up[l->upper] &= ~ut_bit(l->upper_port);
    }
  }
  free(n.up);
  ut_exclusions_fini(&n.x);
  ut_topology_free(&n.t);
}

static void enough_intervals(void **state) {
  (void)state;
  in_tree(2, 3, 16, true), in_tree(3, 3, 16, true), in_tree(4, 3, 16, true), in_tree(2, 5, 16, true);
}

static void few_intervals(void **state) {
  (void)state;
  for (unsigned count = 1; count <= 3; count++)
    in_tree(2, 4, count, false), in_tree(3, 3, count, false), in_tree(4, 3, count, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(enough_intervals), cmocka_unit_test(few_intervals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
