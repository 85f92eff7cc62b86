/* test_spec.c - the model of csim/switch equals the plain switch of spec/ in every register, on every wire, in every
 * packet that is discarded or lost and in what is counted, in blocks of one to forty switches, whatever happens at
 * their links (hammer.h). */
#include <stdlib.h>

#include "hammer.h"
#include "spec_group.h"

static void print(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  (void)ctx;
  fprintf(stderr, "    %-34s model 0x%llx   spec 0x%llx\n", path, (unsigned long long)model, (unsigned long long)spec);
}

/* Of all shapes. */
static struct {
  uint64_t compared;     /* register values */
  uint64_t hops;         /* flits that left a switch */
  uint64_t idle, timers; /* as in struct hammer */
  unsigned changed;      /* cases with other policies than their own */
} sum;

/* Ends at the first difference, which it prints.  policies: the case has others, those with these numbers, if they are
 * for its VCs and the model knows them. */
static void hammer(unsigned number, unsigned seed, unsigned cycles, unsigned policies) {
  static struct hammer h; /* too large for a stack */
  struct ut_case changed = cases[number];
  changed.shape.arbitration = policies % UT_ARBITRATION_POLICIES;
  changed.shape.selection = policies / UT_ARBITRATION_POLICIES % UT_SELECTION_POLICIES;
  const bool takes = !ut_shape_rule(&changed.shape) && !ut_shape_unmodelled(&changed.shape);
  hammer_start(&h, takes ? &changed : &cases[number], seed);
  sum.changed += takes && policies;
  assert_true(ut_spec_attach(&h.g, UT_SPEC_CHECKS));
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    sum.hops += hammer_step(&h, cycle);
    const uint32_t sw = ut_spec_differing(&h.g);
    if (sw == UINT32_MAX)
      continue;
    unsigned differ;
    fprintf(stderr, "case %u, seed %u, cycle %u, switch %u of %u:\n", number, seed, cycle, sw - FIRST, h.g.count);
    ut_spec_compare(&h.g, sw, print, NULL, &differ);
    fail_msg("%u registers differ%s", differ, differ ? "" : ", but wires, packets discarded or lost, or counts do");
  }
  sum.compared += ut_spec_compared(&h.g);
  sum.idle += h.idle, sum.timers += h.timers;
  hammer_stop(&h);
}

/* UTURN_HAMMER: that many times as long, with other seeds. */
static void model_equals_spec(void **state) {
  (void)state;
  const char *wanted = getenv("UTURN_HAMMER");
  const unsigned rounds = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 1;
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < CASES; i++)
      hammer(i, round * CASES + i, 6000 / (cases[i].shape.pi * cases[i].shape.v + 4) + 80, 0);
  printf(
      "%llu register values of model and spec compared, %llu flit-hops, %llu idle blocks, %llu in which timers run\n",
      (unsigned long long)sum.compared, (unsigned long long)sum.hops, (unsigned long long)sum.idle,
      (unsigned long long)sum.timers);
  assert_true(sum.hops > 10000);
  assert_true(sum.compared > UINT64_C(20000000));
  assert_true(sum.idle > 1000 && sum.timers > 20); /* the model skips blocks, and moves timers where nothing moves */
}

/* Each case with some of the policies, so that each policy meets cases of all kinds. */
static void model_equals_spec_with_policies(void **state) {
  (void)state;
  enum { ALL = UT_ARBITRATION_POLICIES * UT_SELECTION_POLICIES };
  for (unsigned i = 0; i < CASES; i++)
    for (unsigned policies = 1 + i % 3; policies < ALL; policies += 3)
      hammer(i, i, 3000 / (cases[i].shape.pi * cases[i].shape.v + 4) + 80, policies);
  assert_true(sum.changed > 2 * CASES); /* of three for each, where there are VCs enough */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(model_equals_spec),
                                     cmocka_unit_test(model_equals_spec_with_policies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
