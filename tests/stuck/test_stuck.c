/* SPDX-License-Identifier: Apache-2.0 */
/* test_stuck.c - stuck/: stuck-at faults of random netlists, against faulty copies of them that are evaluated cell by
 * cell; what is proven, against all states and inputs there are. */
#include <stdlib.h>
#include <string.h>

#include "stuck_cover.h"
#include "stuck_prove.h"

#include "image.h"

enum { IN = 5, FLIPS = 6, GATES = 90, SHOWN = 4, CYCLES = 12, ROUNDS = 20 };

#include "../slice/random_netlist.h"

static struct ut_error error;

struct fixture {
  struct ut_liberty library;
  struct ut_circuit circuit;
  struct ut_stuck_faults faults;
  struct ut_stuck_run *run;
  unsigned first_input; /* its bit in the image */
};

static void open_netlist(struct fixture *f) {
  char *text = random_netlist();
  struct ut_image image;
  assert_int_equal(ut_liberty_parse(&f->library, small_library, strlen(small_library), "small.lib", &error), 0);
  if (ut_circuit_read_nets(&f->circuit, text, "net.v", &f->library, &error) ||
      ut_stuck_faults_make(&f->faults, &f->circuit, &f->library, &error) ||
      !(f->run = ut_stuck_run_open(&f->faults, &error)))
    fail_msg("%s", error.text);
  assert_int_equal(ut_image_make(&image, &f->circuit, &error), 0);
  for (size_t i = 0; i < image.fields; i++)
    if (!strncmp(image.field[i].name->name, "in_i", 4))
      f->first_input = 8 * image.field[i].at;
  ut_image_free(&image);
  free(text);
}
static void close_netlist(struct fixture *f) {
  ut_stuck_run_close(f->run);
  ut_stuck_faults_free(&f->faults);
  ut_circuit_free(&f->circuit);
  ut_liberty_free(&f->library);
}

/* Lanes in which something that is seen differs. */
static uint64_t difference(const uint64_t *good, const uint64_t *bad, unsigned stuck) {
  uint64_t seen = stuck >= IN && stuck < FIRST_GATE ? good[stuck] ^ bad[stuck] : 0;
  for (unsigned i = 0; i < FLIPS; i++)
    seen |= good[next[i]] ^ bad[next[i]];
  for (unsigned i = 0; i < SHOWN; i++)
    seen |= good[shown[i]] ^ bad[shown[i]];
  return seen;
}

/* One clock of 64 copies: what flip-flops hold then stands in v. */
static void step(uint64_t *v) {
  uint64_t after[FLIPS];
  for (unsigned i = 0; i < FLIPS; i++)
    after[i] = v[next[i]];
  memcpy(v + IN, after, sizeof after);
}

static uint64_t start[NODES], stimulus[CYCLES][IN], clocked[CYCLES];

/* Whether a copy with that fault, whose flip-flops go their own way, is ever seen to differ. */
static bool is_seen(unsigned stuck, uint64_t value) {
  uint64_t good[NODES], bad[NODES], seen = 0;
  memcpy(good, start, sizeof good);
  memcpy(bad, start, sizeof bad);
  for (unsigned c = 0; c < CYCLES; c++) {
    uint64_t held[2][FLIPS];
    memcpy(good, stimulus[c], sizeof stimulus[c]);
    memcpy(bad, stimulus[c], sizeof stimulus[c]);
    memcpy(held[0], good + IN, sizeof held[0]);
    memcpy(held[1], bad + IN, sizeof held[1]);
    evaluate(good, NODES, 0);
    evaluate(bad, stuck, value);
    seen |= difference(good, bad, stuck) & clocked[c];
    step(good);
    step(bad);
    for (unsigned i = 0; i < FLIPS; i++) { /* lanes that are not clocked keep what they have */
      good[IN + i] = (good[IN + i] & clocked[c]) | (held[0][i] & ~clocked[c]);
      bad[IN + i] = (bad[IN + i] & clocked[c]) | (held[1][i] & ~clocked[c]);
    }
  }
  return seen;
}

/* A run of 64 copies; few: of which two patterns are all there is. */
static void run(struct fixture *f, bool few) {
  static uint64_t inputs[512], flip_flops[FLIPS];
  uint64_t v[NODES];
  for (unsigned i = 0; i < FLIPS; i++)
    start[IN + i] = chance();
  memcpy(v, start, sizeof v);
  for (unsigned c = 0; c < CYCLES; c++) {
    clocked[c] = !few ? chance() | chance() : c < 2 ? UINT64_C(1) << 7 * c : 0;
    for (unsigned i = 0; i < IN; i++)
      stimulus[c][i] = inputs[f->first_input + i] = chance() & chance() & chance();
    memcpy(v, stimulus[c], sizeof stimulus[c]);
    memcpy(flip_flops, v + IN, sizeof flip_flops);
    ut_stuck_run_add(f->run, 1, inputs, flip_flops, &clocked[c]);
    evaluate(v, NODES, 0);
    step(v);
    for (unsigned i = 0; i < FLIPS; i++)
      v[IN + i] = (v[IN + i] & clocked[c]) | (flip_flops[i] & ~clocked[c]);
  }
  ut_stuck_run_end(f->run);
}

static void detection(void **state) {
  (void)state;
  unsigned with[2] = {0};
  size_t equivalent = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct fixture f;
    uint64_t patterns = 0;
    open_netlist(&f);
    run(&f, round % 4 == 3);
    for (unsigned c = 0; c < CYCLES; c++)
      patterns += (unsigned)__builtin_popcountll(clocked[c]);
    assert_int_equal(ut_stuck_run_patterns(f.run), patterns);
    equivalent += f.faults.faults - f.faults.classes;
    for (unsigned n = 0; n < NODES; n++)
      for (unsigned value = 0; value < 2; value++) {
        const uint32_t net = net_of(&f.circuit.gates, n);
        if (net == UINT32_MAX)
          continue;
        const bool seen = is_seen(n, value ? UINT64_MAX : 0);
        with[seen]++;
        if (seen != (ut_stuck_verdict_of(&f.faults, 2 * net + value) == UT_STUCK_DETECTED))
          fail_msg("round %u: %s stuck at %u should be %s", round, f.circuit.gates.net[net].name, value,
                   seen ? "seen" : "hidden");
      }
    close_netlist(&f);
  }
  assert_true(with[0] > 100 && with[1] > 1000 && equivalent > 100);
}

/* Whether any state and any inputs show a fault. */
static bool is_testable(unsigned stuck, uint64_t value) {
  uint64_t good[NODES], bad[NODES];
  for (unsigned block = 0; block < 1u << (FIRST_GATE - 6); block++) {
    for (unsigned n = 0; n < FIRST_GATE; n++) {
      uint64_t bits = 0;
      for (unsigned lane = 0; lane < 64; lane++)
        bits |= (uint64_t)((64 * block + lane) >> n & 1) << lane;
      good[n] = bad[n] = bits;
    }
    evaluate(good, NODES, 0);
    evaluate(bad, stuck, value);
    if (difference(good, bad, stuck))
      return true;
  }
  return false;
}

static void proofs(void **state) {
  (void)state;
  unsigned with[2] = {0};
  for (unsigned round = 0; round < ROUNDS / 4; round++) {
    struct fixture f;
    open_netlist(&f);
    assert_int_equal(ut_stuck_prove(&f.faults, f.run, NULL, &error), 0);
    for (unsigned n = 0; n < NODES; n++)
      for (unsigned value = 0; value < 2; value++) {
        const uint32_t net = net_of(&f.circuit.gates, n);
        if (net == UINT32_MAX)
          continue;
        const bool testable = is_testable(n, value ? UINT64_MAX : 0);
        with[testable]++;
        assert_int_equal(ut_stuck_verdict_of(&f.faults, 2 * net + value),
                         testable ? UT_STUCK_TESTABLE : UT_STUCK_UNTESTABLE);
      }
    close_netlist(&f);
  }
  assert_true(with[0] > 20 && with[1] > 200);
}

/* Without patterns by chance the solver decides on all. */
static void solver(void **state) {
  (void)state;
  struct fixture f;
  open_netlist(&f);
  struct ut_stuck_count part[UT_STUCK_PARTS];
  assert_int_equal(ut_stuck_prove(&f.faults, f.run, NULL, &error), 0);
  ut_stuck_faults_count(&f.faults, part);
  const uint64_t testable = part[UT_BLOCKS].of[UT_STUCK_TESTABLE] + part[UT_STUCK_INPUTS].of[UT_STUCK_TESTABLE];
  assert_int_equal(part[UT_BLOCKS].faults + part[UT_STUCK_INPUTS].faults, f.faults.faults);
  memset(f.faults.verdict, UT_STUCK_OPEN, 2 * f.circuit.gates.nets);
  assert_int_equal(ut_stuck_prove(&f.faults, f.run, NULL, &error), 0); /* the run has no open faults left to look at */
  ut_stuck_faults_count(&f.faults, part);
  assert_int_equal(part[UT_BLOCKS].of[UT_STUCK_TESTABLE] + part[UT_STUCK_INPUTS].of[UT_STUCK_TESTABLE], testable);
  close_netlist(&f);
}

static void samples(void **state) {
  (void)state;
  struct fixture f;
  struct ut_stuck_count part[UT_STUCK_PARTS];
  uint32_t list[4 * NODES];
  open_netlist(&f);
  ut_stuck_faults_sample(&f.faults, 37, 5);
  ut_stuck_faults_count(&f.faults, part);
  assert_int_equal(part[UT_BLOCKS].faults + part[UT_STUCK_INPUTS].faults, 37);
  const size_t open = ut_stuck_faults_open(&f.faults, list);
  assert_in_range(open, 20, 37);
  for (size_t i = 0; i < open; i++)
    assert_true(f.faults.class[list[i]] == list[i] && f.faults.verdict[list[i]] == UT_STUCK_OPEN);
  close_netlist(&f);
}

/* Two runs of one netlist: each shows what it shows alone, and together what either does. */
static void scenarios(void **state) {
  (void)state;
  struct fixture f;
  uint64_t expected[2 * NODES] = {0}, together = 0;
  struct ut_stuck_share want[2] = {{0}};
  open_netlist(&f);
  for (unsigned i = 0; i < 2; i++) {
    ut_stuck_run_close(f.run);
    f.run = ut_stuck_run_open(&f.faults, &error);
    assert_non_null(f.run);
    run(&f, i == 0);
    for (unsigned n = 0; n < 2 * NODES; n++)
      if (net_of(&f.circuit.gates, n / 2) != UINT32_MAX && is_seen(n / 2, n % 2 ? UINT64_MAX : 0))
        expected[n] |= UINT64_C(1) << i;
    ut_stuck_faults_note(&f.faults, i);
  }
  ut_stuck_faults_conclude(&f.faults);
  for (unsigned n = 0; n < 2 * NODES; n++) {
    const uint32_t net = net_of(&f.circuit.gates, n / 2);
    if (net == UINT32_MAX)
      continue;
    assert_int_equal(f.faults.by[f.faults.class[2 * net + n % 2]], expected[n]);
    assert_int_equal(ut_stuck_verdict_of(&f.faults, 2 * net + n % 2), expected[n] ? UT_STUCK_DETECTED : UT_STUCK_OPEN);
    together += expected[n] != 0;
    for (unsigned i = 0; i < 2; i++) {
      want[i].detected += expected[n] >> i & 1;
      want[i].only += expected[n] == 1u << i;
    }
  }
  for (unsigned i = 0; i < 2; i++) {
    const struct ut_stuck_share share = ut_stuck_faults_share(&f.faults, i);
    assert_int_equal(share.detected, want[i].detected);
    assert_int_equal(share.only, want[i].only);
    assert_int_equal(share.adds, i ? want[1].only : want[0].detected);
  }
  assert_true(want[0].detected > 20 && want[1].only > 20 && together == want[0].detected + want[1].only);
  close_netlist(&f);
}

/* The size of the smallest set, by trying all of them. */
static unsigned smallest(const uint64_t *set, unsigned sets, unsigned members) {
  unsigned best = members;
  for (uint64_t chosen = 0; chosen < UINT64_C(1) << members; chosen++) {
    bool all = true;
    for (unsigned i = 0; i < sets; i++)
      all = all && set[i] & chosen;
    const unsigned count = (unsigned)__builtin_popcountll(chosen);
    best = all && count < best ? count : best;
  }
  return best;
}

static void covers(void **state) {
  (void)state;
  enum { MEMBERS = 11, MOST = 30 };
  unsigned larger = 0;
  for (unsigned round = 0; round < 300; round++) {
    struct ut_stuck_cover c = {0};
    uint64_t set[MOST];
    const unsigned sets = (unsigned)(chance() % (MOST + 1));
    for (unsigned i = 0; i < sets; i++) {
      set[i] = chance() & chance() & ((1u << MEMBERS) - 1);
      set[i] |= UINT64_C(1) << chance() % MEMBERS;
      assert_true(ut_stuck_cover_add(&c, set[i]));
    }
    const struct ut_stuck_choice found = ut_stuck_cover_solve(&c, UINT64_MAX), early = ut_stuck_cover_solve(&c, 1);
    const unsigned best = smallest(set, sets, MEMBERS);
    for (unsigned i = 0; i < sets; i++)
      assert_true(set[i] & found.scenarios && set[i] & early.scenarios);
    assert_int_equal(found.count, __builtin_popcountll(found.scenarios));
    assert_int_equal(found.count, best);
    assert_int_equal(found.least, best);
    assert_true(early.least <= best && early.count >= best);
    larger += early.count > best;
    ut_stuck_cover_free(&c);
  }
  assert_true(larger > 5); /* what is taken first is not always right */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(detection), cmocka_unit_test(proofs),    cmocka_unit_test(solver),
      cmocka_unit_test(samples),   cmocka_unit_test(scenarios), cmocka_unit_test(covers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
