/* SPDX-License-Identifier: Apache-2.0 */
/* test_paths.c - csim/topology/paths: header words of planned packets, bit by bit, and which packets have entries. */
#include "paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What rt says, by the bits of rtl/header.tsv. */
static uint32_t rt_by_hand(const struct ut_leg *leg) {
  uint32_t rt = leg->sub_path | (uint32_t)leg->more << 2 | (uint32_t)leg->deterministic << 3 | leg->misroutes << 4;
  for (unsigned i = 0; i < leg->misroutes; i++)
    rt |= (uint32_t)leg->misroute[i].port << (6 + 6 * i) | (leg->misroute[i].hops - 1u) << (9 + 6 * i);
  return rt;
}

static void same_leg(const struct ut_leg *a, const struct ut_leg *b) {
  assert_true(a->sub_path == b->sub_path && a->more == b->more && a->deterministic == b->deterministic);
  assert_int_equal(a->misroutes, b->misroutes);
  for (unsigned i = 0; i < UT_LEG_MISROUTES; i++)
    assert_true(a->misroute[i].port == b->misroute[i].port && a->misroute[i].hops == b->misroute[i].hops);
}

/* Every leg has a word, and the word that leg. */
static void legs_are_words(void **state) {
  (void)state;
  for (unsigned head = 0; head < 64; head++) {
    struct ut_leg leg = {
        .sub_path = head & 3, .more = head >> 2 & 1, .deterministic = head >> 3 & 1, .misroutes = head >> 4};
    const unsigned ways = 1u << 6 * leg.misroutes;
    for (unsigned way = 0; way < ways; way += 1 + way % 31) {
      for (unsigned i = 0; i < leg.misroutes; i++) {
        leg.misroute[i].port = way >> 6 * i & 7;
        leg.misroute[i].hops = (uint8_t)((way >> (6 * i + 3) & 7) + 1);
      }
      const uint32_t rt = ut_leg_rt(&leg);
      assert_int_equal(rt, rt_by_hand(&leg));
      const struct ut_leg again = ut_leg_of(rt);
      same_leg(&again, &leg);
      assert_int_equal(ut_leg_ends(rt), leg.more && leg.misroutes == 0);
    }
  }
}

/* A header word of a packet: its last one, or that of an earlier sub-path, which names the node where that one ends. */
static void words_of_a_packet(void **state) {
  (void)state;
  const struct ut_path two = {3,
                              {4, 6, 0},
                              {(uint32_t)ut_rt_path_make(0, 1, 0, 0, 0, 0, 0),
                               (uint32_t)ut_rt_path_make(1, 1, 0, 0, 0, 0, 0),
                               (uint32_t)ut_rt_path_make(2, 0, 0, 0, 0, 0, 0)}};
  struct ut_paths *p = ut_paths_new(9, 1);
  assert_true(p && ut_paths_add(p, 1, 8, &two));
  for (uint16_t stop = 0; stop < 9; stop++)
    for (uint8_t sub_path = 0; sub_path < 4; sub_path++) {
      const uint64_t more = ut_header_make(stop, 1, 5, (uint32_t)ut_rt_path_make(sub_path, 1, 0, 0, 0, 0, 0)),
                     last = ut_header_make(stop, 1, 5, (uint32_t)ut_rt_path_make(sub_path, 0, 0, 0, 0, 0, 0));
      assert_int_equal(ut_paths_header_is_of(p, 8, more), (sub_path == 0 && stop == 4) || (sub_path == 1 && stop == 6));
      assert_int_equal(ut_paths_header_is_of(p, 8, last), stop == 8);
      assert_false(ut_paths_header_is_of(p, 7, more)); /* no such path is planned */
      assert_int_equal(ut_paths_header_is_of(NULL, 8, more), stop == 8);
    }
  ut_paths_free(p);
}

/* Each pair has the path that was added for it, or none; terminals of one node share it. */
static void pairs_have_paths(void **state) {
  (void)state;
  enum { NODES = 13, LOCAL = 3 };
  struct ut_paths *p = ut_paths_new(NODES, LOCAL);
  assert_non_null(p);
  for (unsigned i = 0; i < NODES * NODES; i++)
    if (i % 3 != 1) {
      const struct ut_path path = {1, {0}, {i}};
      assert_true(ut_paths_add(p, i / NODES, i % NODES, &path));
    }
  assert_int_equal(p->count, NODES * NODES - (NODES * NODES + 1) / 3);
  for (uint32_t src = 0; src < NODES * LOCAL; src++)
    for (uint32_t dst = 0; dst < NODES * LOCAL; dst++) {
      const struct ut_path *path = ut_paths_find(p, src, dst);
      const unsigned i = src / LOCAL * NODES + dst / LOCAL;
      assert_int_equal(path != NULL, i % 3 != 1);
      assert_true(!path || (path->headers == 1 && path->rt[0] == i));
    }
  ut_paths_free(p);
  ut_paths_free(NULL);
}

/* The table is as large as the node with most entries needs, whichever that is; in whole bytes. */
static void tables_have_bytes(void **state) {
  (void)state;
  enum { NODES = 5 };
  const struct ut_path path = {0};
  for (unsigned largest = 0; largest < NODES; largest++)
    for (unsigned entries = 1; entries <= NODES; entries++) {
      struct ut_paths *p = ut_paths_new(NODES, 1);
      assert_non_null(p);
      assert_int_equal(ut_paths_table_bytes(p), 0);
      for (uint32_t from = 0; from < NODES; from++)
        for (uint32_t i = 0; i < entries - (from != largest); i++)
          assert_true(ut_paths_add(p, from, NODES - 1 - i, &path));
      for (p->entry_bits = 1; p->entry_bits < 40; p->entry_bits++) {
        const size_t bits = (size_t)entries * p->entry_bits;
        assert_int_equal(ut_paths_table_bytes(p), bits / 8 + (bits % 8 != 0));
      }
      ut_paths_free(p);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(legs_are_words), cmocka_unit_test(words_of_a_packet),
                                     cmocka_unit_test(pairs_have_paths), cmocka_unit_test(tables_have_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
