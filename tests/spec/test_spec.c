/* test_spec.c - the model of csim/switch equals the plain switch of spec/ in every register, on every wire and in every
 * discarded packet, in blocks of one to forty switches, whatever happens at their links (hammer.h). */
#include <stdlib.h>

#include "hammer.h"
#include "spec_group.h"

static void print(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  (void)ctx;
  fprintf(stderr, "    %-34s model 0x%llx   spec 0x%llx\n", path, (unsigned long long)model, (unsigned long long)spec);
}

/* Ends at the first difference, which it prints.  Returns the values compared; *hops: flits that left a switch. */
static uint64_t hammered(unsigned number, unsigned seed, unsigned cycles, uint64_t *hops) {
  static struct hammer h; /* too large for a stack */
  hammer_start(&h, &cases[number], seed);
  assert_true(ut_spec_attach(&h.g, UT_SPEC_CHECKS));
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    *hops += hammer_step(&h, cycle);
    const uint32_t sw = ut_spec_differing(&h.g);
    if (sw == UINT32_MAX)
      continue;
    unsigned differ;
    fprintf(stderr, "case %u, seed %u, cycle %u, switch %u of %u:\n", number, seed, cycle, sw - FIRST, h.g.count);
    ut_spec_compare(&h.g, sw, print, NULL, &differ);
    fail_msg("%u registers differ%s", differ, differ ? "" : ", but wires or discarded packets do");
  }
  const uint64_t compared = ut_spec_compared(&h.g);
  hammer_stop(&h);
  return compared;
}

/* UTURN_HAMMER: that many times as long, with other seeds. */
static void model_equals_spec(void **state) {
  (void)state;
  const char *wanted = getenv("UTURN_HAMMER");
  const unsigned rounds = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 1;
  uint64_t compared = 0, hops = 0;
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < CASES; i++)
      compared += hammered(i, round * CASES + i, 6000 / (cases[i].shape.pi * cases[i].shape.v + 4) + 80, &hops);
  printf("%llu register values of model and spec compared, %llu flit-hops\n", (unsigned long long)compared,
         (unsigned long long)hops);
  assert_true(hops > 10000);
  assert_true(compared > UINT64_C(20000000));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(model_equals_spec)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
