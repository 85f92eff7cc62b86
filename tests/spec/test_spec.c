/* SPDX-License-Identifier: Apache-2.0 */
/* test_spec.c - the model of csim/switch equals the plain switch of spec/ in every register, on every wire, in every
 * packet that is discarded or lost and in what is counted, in blocks of one to forty switches, whatever happens at
 * their links (hammer.h). */
#include <stdlib.h>

#include "hammer.h"
#include "share.h"
#include "spec_group.h"

static void print(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  (void)ctx;
  fprintf(stderr, "    %-34s model 0x%llx   spec 0x%llx\n", path, (unsigned long long)model, (unsigned long long)spec);
}

/* Of the shapes of a test. */
static struct {
  uint64_t compared;     /* register values */
  uint64_t hops;         /* flits that crossed a switch */
  uint64_t idle, timers; /* as in struct hammer */
} sum;

static int begin(void **state) {
  (void)state;
  memset(&sum, 0, sizeof sum);
  return 0;
}

static void print_sum(void) {
  printf(
      "%llu register values of model and spec compared, %llu flit-hops, %llu idle blocks, %llu in which timers run\n",
      (unsigned long long)sum.compared, (unsigned long long)sum.hops, (unsigned long long)sum.idle,
      (unsigned long long)sum.timers);
}

/* UTURN_HAMMER: that many times as long, with other seeds. */
static unsigned wanted_rounds(void) {
  const char *wanted = getenv("UTURN_HAMMER");
  return wanted ? (unsigned)strtoul(wanted, NULL, 10) : 1;
}

/* Ends at the first difference, which it prints.  changed: the case, or a variant of it; where that is not legal or the
 * model does not know it, the case itself. */
static void hammer(unsigned number, unsigned seed, unsigned cycles, const struct ut_case *changed) {
  static struct hammer h; /* too large for a stack */
  const bool takes = !ut_shape_rule(&changed->shape) && !ut_shape_unmodelled(&changed->shape);
  hammer_start(&h, takes ? changed : &cases[number], seed);
  assert_true(ut_spec_attach(&h.g, UT_SPEC_CHECKS));
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    sum.hops += hammer_step(&h, cycle);
    const uint32_t sw = ut_spec_differing(&h.g);
    if (sw == UINT32_MAX)
      continue;
    unsigned differ;
    fprintf(stderr, "case %u, output queues of %u flits, seed %u, cycle %u, switch %u of %u:\n", number,
            h.g.shape.output_depth, seed, cycle, sw - FIRST, h.g.count);
    ut_spec_compare(&h.g, sw, print, NULL, &differ);
    fail_msg("%u registers differ%s", differ, differ ? "" : ", but wires, packets discarded or lost, or counts do");
  }
  sum.compared += ut_spec_compared(&h.g);
  sum.idle += h.idle, sum.timers += h.timers;
  hammer_stop(&h);
}

/* Cycles that a case takes part in a test, as long as that of switches of one lane. */
static unsigned cycles_of(unsigned number, unsigned longest) {
  return longest / (cases[number].shape.pi * cases[number].shape.v + 4) + 80;
}

static void model_equals_spec(void **state) {
  (void)state;
  const unsigned rounds = wanted_rounds();
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < CASES; i++)
      hammer(i, round * CASES + i, cycles_of(i, 6000), &cases[i]);
  print_sum();
  assert_true(sum.hops > 10000);
  assert_true(sum.compared > UINT64_C(20000000));
  assert_true(sum.idle > 1000 && sum.timers > 20); /* the model skips blocks, and moves timers where nothing moves */
}

enum { POLICIES = UT_ARBITRATION_POLICIES * UT_SELECTION_POLICIES };
static void set_policies(struct ut_shape *shape, unsigned policies) {
  shape->arbitration = policies % UT_ARBITRATION_POLICIES;
  shape->selection = policies / UT_ARBITRATION_POLICIES % UT_SELECTION_POLICIES;
}

/* Each case with some of the policies, so that each policy meets cases of all kinds. */
static void model_equals_spec_with_policies(void **state) {
  (void)state;
  for (unsigned i = 0; i < CASES; i++)
    for (unsigned policies = 1 + i % 3; policies < POLICIES; policies += 3 * SHARE) {
      struct ut_case changed = cases[i];
      set_policies(&changed.shape, policies);
      hammer(i, i, cycles_of(i, 3000), &changed);
    }
}

/* Each case with output queues: as short as they may be, one flit more, 1 to 32 flits, and as its own policies are and
 * with others. */
static void model_equals_spec_with_output_queues(void **state) {
  (void)state;
  const unsigned rounds = wanted_rounds();
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < CASES; i++)
      for (unsigned variant = SHARE > 1 ? i % 4 : 0; variant < 4; variant += SHARE) {
        struct ut_case changed = cases[i];
        const unsigned drawn = 1 + (31 * i + 7 * round + variant) % 32;
        for (unsigned depth = 1; depth <= UT_MAX_DEPTH; depth++) { /* the shortest legal one that is wanted */
          changed.shape.output_depth = depth;
          if (!ut_shape_rule(&changed.shape) && (variant < 2 || depth >= drawn))
            break;
        }
        changed.shape.output_depth += variant == 1;
        if (variant % 2)
          set_policies(&changed.shape,
                       variant == 1 ? UT_SELECTION_OUTPUT_SPACE * UT_ARBITRATION_POLICIES + i + round : i + round);
        if (changed.shape.v < 2 && ut_shape_rule(&changed.shape)) /* a policy for several VCs */
          changed.shape.arbitration = 0;
        hammer(i, (round * CASES + i) * 4 + variant, cycles_of(i, 3000), &changed);
      }
  print_sum();
  assert_true(sum.hops > 10000 / SHARE);
  assert_true(sum.compared > UINT64_C(20000000) / SHARE);
  assert_true(sum.idle > 1000 / SHARE && sum.timers > 20 / SHARE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(model_equals_spec, begin),
                                     cmocka_unit_test_setup(model_equals_spec_with_policies, begin),
                                     cmocka_unit_test_setup(model_equals_spec_with_output_queues, begin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
