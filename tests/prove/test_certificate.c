/* SPDX-License-Identifier: Apache-2.0 */
/* test_certificate.c - csim/prove/certificate*: whole files, which tools/check_certificate accepts, and walks that
 * follow others. */
#include <string.h>
#include <unistd.h>

#include "certificate.h"
#include "certificate_walk.h"
#include "prover_bench.h"

static const struct ut_fault_set none;

/* ---- files */

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches; /* all sets of so many faults */
  unsigned ranks;           /* different ones: sets with other planes need others */
} written[] = {
    {"kind: fat_tree, k: 2, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 1, 0, 5},
    {"kind: fat_tree, k: 3, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 1, 0, 3},
    {"kind: fat_tree, k: 3, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2, 0, 7},
    {"kind: fat_tree, k: 3, n: 3", "vcs: 2", "algorithm: reroute_adaptive_switch, reroute_clear: repair", 0, 1, 2},
    {"kind: fat_tree, k: 2, n: 4", "vcs: 2", "algorithm: reroute_det_link", 1, 0, 1},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 1},
};

/* Links of the longest walk under any of those sets, each walked by itself. */
static unsigned longest(struct bench *b, const struct ut_fault_space *space) {
  unsigned hops = 0;
  for (uint64_t i = 0; i < space->count; i++) {
    struct ut_certificate_walk w;
    struct ut_fault_set set;
    ut_fault_space_get(space, i, &set);
    ut_explorer_set_faults(&b->prover.explorer, &set);
    ut_certificate_walk_init(&w, &b->prover.explorer);
    assert_true(ut_certificate_walk_run(&w));
    assert_null(w.failure);
    hops = w.hops > hops ? w.hops : hops;
    ut_certificate_walk_free(&w);
  }
  return hops;
}

/* The checker shares no code with what wrote the file. */
static void files_are_accepted(void **state) {
  (void)state;
  static const struct ut_parallel alone;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  char path[] = "/tmp/uturn-certificate-XXXXXX", check[128];
  const int file = mkstemp(path);
  assert_true(space && file >= 0);
  close(file);
  snprintf(check, sizeof check, "tools/check_certificate %s >/dev/null", path);
  for (unsigned i = 0; i < sizeof written / sizeof written[0]; i++) {
    const unsigned links = written[i].links, switches = written[i].switches;
    const struct ut_fault_request request = {
        .links = {links, links}, .switches = {switches, switches}, .total = {0, links + switches}, .limit = UINT64_MAX};
    struct ut_certificate_report report;
    struct ut_error e;
    struct bench b;
    open_bench(&b, written[i].topology, written[i].sw, written[i].routing);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    if (ut_certificate_write(&b.prover, space, path, &alone, &report, &e))
      fail_msg("%s", e.text);
    assert_int_equal(system(check), 0);
    assert_int_equal(report.sets, space->count);
    assert_int_equal(report.ranks, written[i].ranks);
    assert_int_equal(report.hops, longest(&b, space));
    close_bench(&b);
  }
  remove(path);
  free(space);
}

/* ---- walks */

/* Sets of destinations have two words, and packets come to a channel at several times. */
static void round_a_torus(void **state) {
  (void)state;
  struct bench b;
  struct ut_certificate_walk w;
  open_bench(&b, "kind: torus, sizes: [11, 9]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor");
  assert_int_equal(b.prover.explorer.words, 2);
  ut_explorer_set_faults(&b.prover.explorer, &none);
  ut_certificate_walk_init(&w, &b.prover.explorer);
  assert_true(ut_certificate_walk_run(&w));
  assert_int_equal(w.hops, 5 + 4);
  const uint32_t clauses = w.clauses, states = w.states;
  struct ut_clause *first = malloc(clauses * sizeof *first);
  assert_non_null(first);
  memcpy(first, w.clause, clauses * sizeof *first);
  assert_true(ut_certificate_walk_run(&w)); /* nothing is left of the first one */
  assert_null(w.failure);
  assert_int_equal(w.hops, 5 + 4);
  assert_int_equal(w.states, states);
  assert_int_equal(w.clauses, clauses);
  assert_memory_equal(w.clause, first, clauses * sizeof *first);
  free(first);
  ut_certificate_walk_free(&w);
  close_bench(&b);
}

/* ---- rows */

/* The field of the header has 24 bits: a row belongs to all of them, and to its input VC. */
static void rows_of_all_bits(void **state) {
  (void)state;
  struct bench b;
  struct ut_view_rows r;
  open_bench(&b, "kind: torus, sizes: [3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor");
  ut_view_rows_init(&r, &b.prover.explorer);
  for (unsigned bit = 0; bit <= UT_HEADER_RT_WIDTH; bit++)
    for (unsigned vc = 0; vc < 2; vc++) {
      const uint32_t rt = bit ? 1u << (bit - 1) : 0, channel = ut_explorer_channel(&b.prover.explorer, 4, 0, vc);
      assert_int_equal(ut_view_rows_get(&r, channel, rt, 0), 2 * bit + vc);
      assert_true(r.row[2 * bit + vc].rt == rt && r.row[2 * bit + vc].lane == vc);
      assert_int_equal(ut_view_rows_get(&r, channel, rt, 0), 2 * bit + vc);
    }
  ut_view_rows_free(&r);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_accepted), cmocka_unit_test(round_a_torus),
                                     cmocka_unit_test(rows_of_all_bits)};
  return cmocka_run_group_tests_name("certificates", tests, NULL, NULL);
}
