/* test_certificate.c - csim/prove/certificate*: whole files, as they were recorded, and walks that follow others. */
#include <string.h>
#include <unistd.h>

#include "certificate.h"
#include "certificate_walk.h"
#include "prover_bench.h"
#include "states_recorded.h"

static const struct ut_fault_set none;

/* ---- files */

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches, samples;
  unsigned ranks; /* different ones: sets with other planes need others */
  uint64_t hash;
} written[] = {
    {"kind: fat_tree, k: 2, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 1, 0, 99, 6,
     0x4a1f49ab2750613c},
    {"kind: fat_tree, k: 3, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 1, 0, 99, 4,
     0x5154e6ec107a1d27},
    {"kind: fat_tree, k: 3, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2, 0, 60, 8,
     0xdbc1d5ae145b1a67},
    {"kind: fat_tree, k: 3, n: 3", "vcs: 2", "algorithm: reroute_adaptive_switch, reroute_clear: repair", 0, 1, 60, 2,
     0x5d9d14b00a84b8e5},
    {"kind: fat_tree, k: 2, n: 4", "vcs: 2", "algorithm: reroute_det_link", 1, 0, 99, 1, 0xbd521dfd81139ff3},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 1, 1,
     0xb6034a6f5c388550},
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

static void record_file(uint64_t *hash, const char *path) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  for (int c; (c = getc(f)) != EOF;)
    record(hash, (unsigned char)c);
  fclose(f);
}

static void files_are_as_recorded(void **state) {
  (void)state;
  static const struct ut_parallel alone;
  unsigned differences = 0;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  char path[] = "/tmp/uturn-certificate-XXXXXX";
  const int file = mkstemp(path);
  assert_true(space && file >= 0);
  close(file);
  for (unsigned i = 0; i < sizeof written / sizeof written[0]; i++) {
    const struct ut_fault_request request = drawn_sets(written[i].links, written[i].switches, written[i].samples);
    struct ut_certificate_report report;
    struct ut_error e;
    struct bench b;
    uint64_t hash = 0;
    open_bench(&b, written[i].topology, written[i].sw, written[i].routing);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    if (ut_certificate_write(&b.prover, space, path, &alone, &report, &e))
      fail_msg("%s", e.text);
    record_file(&hash, path);
    recorded_is(written[i].topology, hash, written[i].hash, &differences);
    assert_int_equal(report.sets, space->count);
    assert_int_equal(report.ranks, written[i].ranks);
    assert_int_equal(report.hops, longest(&b, space));
    close_bench(&b);
  }
  remove(path);
  free(space);
  assert_int_equal(differences, 0);
}

/* ---- walks */

/* All that the last walk has found. */
static uint64_t walked(const struct ut_certificate_walk *w) {
  uint64_t hash = 0;
  assert_null(w->failure);
  record(&hash, w->hops), record(&hash, w->states), record(&hash, w->owns), record(&hash, w->clauses);
  for (uint32_t i = 0; i < w->clauses; i++) {
    const struct ut_candidates *c = &w->rows.candidates[w->clause[i].candidates];
    record(&hash, w->clause[i].channel);
    for (unsigned v = 0; v < w->explorer->v; v++)
      record(&hash, (uint64_t)c->cand[v] << 32 | c->bubble[v]);
  }
  return hash;
}

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
  const uint64_t first = walked(&w);
  assert_true(ut_certificate_walk_run(&w)); /* nothing is left of the first one */
  assert_int_equal(walked(&w), first);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_as_recorded), cmocka_unit_test(round_a_torus),
                                     cmocka_unit_test(rows_of_all_bits)};
  return cmocka_run_group_tests_name("certificates", tests, NULL, NULL);
}
