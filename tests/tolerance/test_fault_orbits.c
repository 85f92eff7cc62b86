/* SPDX-License-Identifier: Apache-2.0 */
/* test_fault_orbits.c - csim/tolerance/fault_orbits over links in a ring, whose orbits are counted set by set: links
 * that can all be told apart, those that turn together, and those that are all alike. */
#include "fault_orbits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum symmetry { NONE, TURNS, ALL, SYMMETRIES };
struct ring {
  enum symmetry symmetry;
  uint32_t links;
};

static uint32_t bits_of(const uint32_t *set, unsigned count) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < count; i++) {
    assert_true(set[i] < 32 && !(bits >> set[i] & 1));
    bits |= UINT32_C(1) << set[i];
  }
  return bits;
}

/* The smallest number, as bits of a set, that a symmetry makes of it. */
static uint32_t least(const struct ring *r, uint32_t bits) {
  const uint32_t all = (UINT32_C(1) << r->links) - 1;
  uint32_t best = bits;
  if (r->symmetry == ALL)
    return (UINT32_C(1) << __builtin_popcount(bits)) - 1;
  for (uint32_t i = 0; i < r->links && r->symmetry == TURNS; i++) {
    bits = (bits << 1 | bits >> (r->links - 1)) & all;
    best = bits < best ? bits : best;
  }
  return best;
}

static void representative(const void *ctx, const uint32_t *in, unsigned count, uint32_t *out) {
  uint32_t bits = least(ctx, bits_of(in, count));
  for (unsigned i = 0; i < count; i++, bits &= bits - 1)
    out[i] = (uint32_t)__builtin_ctz(bits);
}

static uint64_t factorial(unsigned n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/* Sets of an orbit, by its least one; returns how many orbits of so many faults there are. */
static uint32_t count_orbits(const struct ring *r, unsigned faults, uint32_t *sets) {
  uint32_t orbits = 0;
  memset(sets, 0, sizeof *sets << r->links);
  for (uint32_t bits = 0; bits < UINT32_C(1) << r->links; bits++)
    if ((unsigned)__builtin_popcount(bits) == faults)
      orbits += !sets[least(r, bits)]++;
  return orbits;
}

/* The orbits are those that were counted, each once. */
static void check(const struct ut_fault_orbits *o, const struct ring *r, unsigned faults, uint32_t *sets) {
  assert_int_equal(o->faults, faults);
  assert_int_equal(o->count, count_orbits(r, faults, sets));
  assert_true(ut_fault_orbits_unit(faults) == factorial(faults));
  for (uint32_t i = 0; i < o->count; i++) {
    const uint32_t *link = o->link + (size_t)i * faults, bits = bits_of(link, faults);
    for (unsigned j = 1; j < faults; j++)
      assert_true(link[j - 1] < link[j]);
    assert_true(sets[bits] > 0 && o->weight[i] == sets[bits] * factorial(faults));
    sets[bits] = 0;
  }
}

static void orbits_of_rings(void **state) {
  (void)state;
  uint32_t *sets = malloc(sizeof *sets << 12);
  assert_non_null(sets);
  for (enum symmetry symmetry = NONE; symmetry < SYMMETRIES; symmetry++)
    for (uint32_t links = 1; links <= 12; links += links < 8 ? 1 : 2) {
      const struct ring r = {symmetry, links};
      struct ut_fault_orbits o;
      struct ut_error e;
      assert_int_equal(ut_fault_orbits_init(&o, &e), 0);
      check(&o, &r, 0, sets);
      for (unsigned faults = 1; faults <= links && faults <= UT_MAX_FAULTS; faults++) {
        const uint32_t orbits = count_orbits(&r, faults, sets);
        volatile sig_atomic_t stop = 1;
        /* one too many, or told to stop: nothing is done */
        assert_int_equal(ut_fault_orbits_grow(&o, links, orbits - 1, representative, &r, NULL, &e), 1);
        check(&o, &r, faults - 1, sets);
        assert_int_equal(ut_fault_orbits_grow(&o, links, orbits, representative, &r, &stop, &e), 1);
        check(&o, &r, faults - 1, sets);
        stop = 0; /* as many as there may be */
        assert_int_equal(ut_fault_orbits_grow(&o, links, orbits, representative, &r, faults % 2 ? &stop : NULL, &e), 0);
        check(&o, &r, faults, sets);
      }
      ut_fault_orbits_free(&o);
      assert_true(!o.link && !o.weight && !o.count && !o.faults);
    }
  free(sets);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orbits_of_rings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
