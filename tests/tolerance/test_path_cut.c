/* SPDX-License-Identifier: Apache-2.0 */
/* test_path_cut.c - csim/tolerance/path_cut: flows that turn others round, in a network made for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "path_tolerance.h"

enum { W, U, V, T, R, X, Y, SWITCHES, PORTS = 2 };

static uint32_t no_twin(const void *ctx, uint32_t channel) {
  (void)ctx, (void)channel;
  return UT_NO_TWIN;
}

static ut_mask all_ports(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  (void)ctx, (void)in_port;
  return dst == 1 && sw == R ? 0 : 3;
}

/* Only X and Y fail.  Terminal 0 enters at W, which leads to U, and at X, which leads to V; V to T and U; U to Y; T and
 * Y to terminal 1.  The first flow goes by X, V, U, Y; the second one by W and U has to turn it back from U to V, and
 * on its own way forwards it passes nothing that fails. */
static void turns_a_flow_back(void **state) {
  (void)state;
  static const struct ut_peer to[SWITCHES * PORTS + 4] = {
      [W * PORTS] = {U, 0, UT_PEER_SWITCH},
      [U * PORTS] = {Y, 0, UT_PEER_SWITCH},
      [V * PORTS] = {T, 0, UT_PEER_SWITCH},
      [V * PORTS + 1] = {U, 0, UT_PEER_SWITCH},
      [T * PORTS] = {1, 0, UT_PEER_TERMINAL},
      [X * PORTS] = {V, 0, UT_PEER_SWITCH},
      [Y * PORTS] = {1, 0, UT_PEER_TERMINAL},
      [R * PORTS] = {0, 0, UT_PEER_TERMINAL},
      [SWITCHES * PORTS] = {W, 0, UT_PEER_SWITCH},
      [SWITCHES * PORTS + 1] = {X, 0, UT_PEER_SWITCH},
      [SWITCHES * PORTS + 2] = {R, 0, UT_PEER_SWITCH},
      [SWITCHES * PORTS + 3] = {R, 0, UT_PEER_SWITCH},
  };
  const struct ut_path_source source = {.switches = SWITCHES,
                                        .terminals = 2,
                                        .pi = 1,
                                        .po = PORTS,
                                        .injections = 2,
                                        .to = to,
                                        .twin = no_twin,
                                        .next = all_ports,
                                        .failing = {X, Y + 1}};
  struct ut_path_network n;
  struct ut_path_cut cut;
  struct ut_error e;
  if (ut_path_network_init(&n, &source, UT_CLASS_NETWORK | UT_CLASS_EJECTION, true, &e))
    fail_msg("%s", e.text);
  assert_int_equal(ut_path_cut_find(&n, UT_CLASS_SWITCH, &cut, &e), 0);
  assert_int_equal(cut.size, 2);
  assert_int_equal(ut_path_network_switch(&n, cut.unit[0]) + ut_path_network_switch(&n, cut.unit[1]), X + Y);
  assert_true(cut.from == 0 && cut.to == 1);
  ut_path_cut_free(&cut);
  ut_path_network_free(&n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns_a_flow_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
