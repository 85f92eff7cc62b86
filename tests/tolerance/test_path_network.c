/* SPDX-License-Identifier: Apache-2.0 */
/* test_path_network.c - csim/tolerance/path_network: which destinations share a graph, in a network made for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "path_tolerance.h"

enum { Z, X, Y, P, Q, R, SWITCHES, PORTS = 3, TERMINALS = 3 };

static uint32_t no_twin(const void *ctx, uint32_t channel) {
  (void)ctx, (void)channel;
  return UT_NO_TWIN;
}

/* P, Q and R lead to every terminal.  To terminal 1 packets may go from X by P and Q, from Y by all three; to the
 * others from X by all three, from Y by P and Q. */
static ut_mask next(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  (void)ctx, (void)in_port;
  switch (sw) {
  case Z: return 7;
  case X: return dst == 1 ? 3 : 7;
  case Y: return dst == 1 ? 7 : 6;
  default: return ut_bit(dst);
  }
}

/* Terminals 0, 1 and 2 enter at Z, X and Y.  Y has R at its first port: one after the other the ways of X and Y are P,
 * Q, R, P, Q to every terminal, but R is one of X, or of Y. */
static void ways_of_other_nodes(void **state) {
  (void)state;
  static const struct ut_peer to[SWITCHES * PORTS + TERMINALS] = {
      [Z * PORTS] = {P, 0, UT_PEER_SWITCH},
      [Z * PORTS + 1] = {Q, 0, UT_PEER_SWITCH},
      [Z * PORTS + 2] = {R, 0, UT_PEER_SWITCH},
      [X * PORTS] = {P, 0, UT_PEER_SWITCH},
      [X * PORTS + 1] = {Q, 0, UT_PEER_SWITCH},
      [X * PORTS + 2] = {R, 0, UT_PEER_SWITCH},
      [Y * PORTS] = {R, 0, UT_PEER_SWITCH},
      [Y * PORTS + 1] = {P, 0, UT_PEER_SWITCH},
      [Y * PORTS + 2] = {Q, 0, UT_PEER_SWITCH},
      [P * PORTS] = {0, 0, UT_PEER_TERMINAL},
      [P * PORTS + 1] = {1, 0, UT_PEER_TERMINAL},
      [P * PORTS + 2] = {2, 0, UT_PEER_TERMINAL},
      [Q * PORTS] = {0, 0, UT_PEER_TERMINAL},
      [Q * PORTS + 1] = {1, 0, UT_PEER_TERMINAL},
      [Q * PORTS + 2] = {2, 0, UT_PEER_TERMINAL},
      [R * PORTS] = {0, 0, UT_PEER_TERMINAL},
      [R * PORTS + 1] = {1, 0, UT_PEER_TERMINAL},
      [R * PORTS + 2] = {2, 0, UT_PEER_TERMINAL},
      [SWITCHES * PORTS] = {Z, 0, UT_PEER_SWITCH},
      [SWITCHES * PORTS + 1] = {X, 0, UT_PEER_SWITCH},
      [SWITCHES * PORTS + 2] = {Y, 0, UT_PEER_SWITCH},
  };
  const struct ut_path_source source = {.switches = SWITCHES,
                                        .terminals = TERMINALS,
                                        .pi = 1,
                                        .po = PORTS,
                                        .injections = 1,
                                        .to = to,
                                        .twin = no_twin,
                                        .next = next,
                                        .failing = {P, R + 1}};
  const struct ut_path_request request = {.switches = {0, 3}, .limit = UINT64_MAX};
  struct ut_path_network n;
  struct ut_path_point point[4];
  struct ut_error e;
  if (ut_path_network_init(&n, &source, 0, true, &e))
    fail_msg("%s", e.text);
  const struct ut_ways *a = &n.ways[0], *b = &n.ways[1];
  assert_int_equal(n.groups, 2);
  assert_true(n.group_of[0] == 0 && n.group_of[1] == 1 && n.group_of[2] == 0);
  assert_true(a->nodes == b->nodes && a->first[a->nodes] == b->first[b->nodes]); /* or this shows nothing */
  assert_memory_equal(a->way, b->way, a->first[a->nodes] * sizeof *a->way);
  assert_memory_equal(a->entry, b->entry, n.entries * sizeof *a->entry);
  assert_int_equal(ut_path_tolerance_run(&n, &request, &(struct ut_parallel){.workers = 1}, point, &e), 0);
  static const unsigned lost[] = {0, 0, 1, 6}; /* without P and Q from terminal 2 to terminal 0; without all, all */
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(point[i].lost, lost[i]);
  ut_path_network_free(&n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ways_of_other_nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
