/* SPDX-License-Identifier: Apache-2.0 */
/* test_detour.c - DETOUR in csim/prove: which corrections of the printed text are needed (docs/results/claims.md,
 * table), and that nothing fails inside the fault model.  Run with UTURN_SHOW=1 it prints the counter-examples; with
 * UTURN_SEARCH=1 it looks for the smallest one of each correction instead, which takes minutes. */
#include "method_walks.h"
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prover_bench.h"
#include "route_unit.h"
#include "scenario.h"

/* VIN1 has so many of the VCs, in tori of each of two classes; hops: misrouted ones in each dimension. */
static void open_divided(struct bench *b, const char *topology, const char *algorithm, unsigned vcs, unsigned vin1,
                         unsigned hops) {
  char keys[128], routing[64];
  snprintf(routing, sizeof routing, "algorithm: %s", algorithm);
  snprintf(keys, sizeof keys,
           "vcs: %u, vin1_vcs: %u, misroute_hops: %u, depth_flits: 4, packet_flits: 4, switching: wormhole", vcs, vin1,
           hops);
  open_bench(b, topology, keys, routing);
}

/* With the VCs that the algorithm needs. */
static void open_algorithm(struct bench *b, const char *topology, const char *algorithm, unsigned hops) {
  open_divided(b, topology, algorithm,
               strstr(topology, "torus")              ? 4
               : strcmp(algorithm, "detour_low_high") ? 2
                                                      : 3,
               1, hops);
}

static void open_detour(struct bench *b, const char *topology) {
  open_algorithm(b, topology, "detour", 0);
}

static void show(const struct ut_explorer *x, const struct ut_counter_example *c) {
  const struct ut_topology *t = x->topology;
  char tuple[UT_SWITCH_TUPLE_SIZE];
  printf("    %s: faults", ut_failure_name[c->kind]);
  for (unsigned i = 0; i < c->set.switches; i++)
    printf(" %s", ut_topology_switch_tuple(t, c->set.sw[i], tuple));
  if (c->kind != UT_FAILURE_CYCLE)
    printf("; %s", ut_topology_switch_tuple(t, c->src, tuple)),
        printf(" to %s", ut_topology_switch_tuple(t, c->dst, tuple));
  printf(":");
  for (size_t i = 0; i < c->steps; i++) {
    const struct ut_step *s = &c->step[i];
    printf(" %s", ut_topology_switch_tuple(t, s->sw, tuple));
    if (s->leaves)
      printf(" -%u/%u->", s->out_port, s->out_vc);
    if (c->kind == UT_FAILURE_CYCLE)
      printf(" (to %u)", (unsigned)s->dst);
  }
  if (c->kind == UT_FAILURE_LOOP)
    printf(" back to %zu", c->back_to + 1);
  printf("\n");
}

/* What fails inside the model with that many faults. */
struct outcome {
  uint64_t sets, outside, failing[UT_FAILURES], first[UT_FAILURES];
  unsigned longest;
};

static void examine(struct bench *b, unsigned faults, struct outcome *o, bool print) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_fault_request request = {.switches = {faults, faults}, .total = {faults, faults}, .limit = UINT64_MAX};
  struct ut_error e;
  *o = (struct outcome){0};
  assert_int_equal(ut_fault_space_init(space, &b->topology, &request, &e), 0);
  for (uint64_t i = 0; i < space->count; i++) {
    struct ut_fault_set set;
    struct ut_verdict v;
    ut_fault_space_get(space, i, &set);
    if (!ut_prover_obeys_model(&b->prover, &set)) {
      o->outside++;
      continue;
    }
    assert_int_equal(ut_prover_examine(&b->prover, &set, &v, &e), 0);
    o->sets++;
    if (v.longest > o->longest)
      o->longest = v.longest;
    for (unsigned f = 0; f < UT_FAILURES; f++)
      if (v.failure[f] && !o->failing[f]++)
        o->first[f] = i;
  }
  for (unsigned f = 0; f < UT_FAILURES && print; f++) {
    struct ut_counter_example c;
    if (!o->failing[f])
      continue;
    printf("    %llu of %llu sets\n", (unsigned long long)o->failing[f], (unsigned long long)o->sets);
    assert_int_equal(ut_counter_example_find(&c, &b->prover, space, o->first[f], (enum ut_failure)f, &e), 0);
    show(&b->prover.explorer, &c);
    ut_counter_example_free(&c);
  }
  free(space);
}

/* Numbers may fall where nothing else fails. */
static void kinds_of(const struct outcome *o, char kinds[64]) {
  kinds[0] = '\0';
  for (unsigned f = 0; f < UT_FAILURES; f++)
    if (o->failing[f] && f != UT_FAILURE_NUMBERING)
      snprintf(kinds + strlen(kinds), 64 - strlen(kinds), "%s%s", kinds[0] ? " " : "", ut_failure_name[f]);
}

/* ---- one correction taken back */

/* Bits of enum ut_detour_reading, of hypercubes bit 0; of enum ut_misroute_reading. */
enum { SAFE = 1, NO_RETURN = 2, EXIT = 4, CORNER = 8, AHEAD = 16, ESCAPE = 32 };
enum { ABOVE = 1 << 16, COUNT = 1 << 17, ONCE = 1 << 18 };

/* The smallest network and number of faults in which something fails, and what; "": nothing does. */
#define DETOUR .algorithm = NULL
#define LOW_HIGH .algorithm = "detour_low_high"
#define RESERVED .algorithm = "detour_reserved"
#define MISROUTES(most) .algorithm = "detour", .hops = (most)
static const struct literal {
  const char *name;
  unsigned readings; /* taken back */
  const char *topology;
  unsigned faults;
  const char *expected;
  uint64_t failing;      /* sets with the first kind of them */
  const char *algorithm; /* NULL: detour */
  unsigned hops;         /* misrouted ones, in each dimension */
} literals[] = {
    {"safe", SAFE, "kind: mesh, sizes: [4, 3]", 1, "", 0, DETOUR},
    {"safe", SAFE, "kind: mesh, sizes: [4, 3]", 2, "loop", 26, DETOUR},
    {"safe", SAFE, "kind: mesh, sizes: [3, 3, 3]", 2, "loop cycle", 72, DETOUR},
    /* EXIT leaves nothing to it: a packet that comes from a detour may take its first dimension only */
    {"no return", NO_RETURN, "kind: mesh, sizes: [5, 4]", 3, "", 0, DETOUR},
    {"no return", NO_RETURN, "kind: mesh, sizes: [3, 3, 3]", 2, "", 0, DETOUR},
    {"exit", EXIT, "kind: mesh, sizes: [4, 3]", 3, "", 0, DETOUR},
    {"exit", EXIT, "kind: mesh, sizes: [3, 4]", 2, "cycle", 1, DETOUR},
    {"exit, no return", EXIT | NO_RETURN, "kind: mesh, sizes: [4, 3]", 1, "loop", 6, DETOUR},
    {"corner", CORNER, "kind: mesh, sizes: [4, 3]", 1, "cycle", 4, DETOUR},
    {"ahead", AHEAD, "kind: mesh, sizes: [4, 3]", 1, "", 0, DETOUR},
    {"ahead", AHEAD, "kind: mesh, sizes: [4, 3]", 2, "loop", 8, DETOUR},
    {"ahead", AHEAD, "kind: mesh, sizes: [3, 4]", 2, "loop cycle", 4, DETOUR},
    {"escape", ESCAPE, "kind: mesh, sizes: [4, 3]", 1, "cycle", 4, DETOUR},
    {"cube, safe", SAFE, "kind: hypercube, n: 3", 1, "", 0, DETOUR},
    {"cube, safe", SAFE, "kind: hypercube, n: 3", 2, "loop", 8, DETOUR},
    {"all", SAFE | NO_RETURN | EXIT | CORNER | AHEAD | ESCAPE, "kind: mesh, sizes: [4, 3]", 1, "loop cycle", 6, DETOUR},
    {"low and high, corner", CORNER, "kind: mesh, sizes: [4, 3]", 1, "cycle", 4, LOW_HIGH},
    {"low and high, escape", ESCAPE, "kind: mesh, sizes: [4, 3]", 1, "cycle", 4, LOW_HIGH},
    {"low and high, exit", EXIT, "kind: mesh, sizes: [3, 4]", 2, "cycle", 1, LOW_HIGH},
    {"reserved, corner", CORNER, "kind: mesh, sizes: [4, 3]", 2, "", 0, RESERVED},
    {"reserved, corner", CORNER, "kind: mesh, sizes: [3, 3, 3]", 2, "", 0, RESERVED},
    {"reserved, escape", ESCAPE, "kind: mesh, sizes: [4, 3]", 1, "cycle", 4, RESERVED},
    {"reserved, exit", EXIT, "kind: mesh, sizes: [3, 4]", 2, "cycle", 1, RESERVED},
    /* misrouted hops (section 3); as none leads back, in two dimensions they are bounded without a count */
    {"misroutes, count", COUNT, "kind: mesh, sizes: [4, 3]", 0, "", 0, MISROUTES(1)},
    {"misroutes, count", COUNT, "kind: mesh, sizes: [3, 3, 3]", 0, "loop", 1, MISROUTES(1)},
    {"misroutes, count", COUNT, "kind: hypercube, n: 4", 0, "loop", 1, MISROUTES(1)},
    {"misroutes, above", ABOVE, "kind: mesh, sizes: [3, 3, 3]", 0, "cycle", 1, MISROUTES(1)},
    {"misroutes, above", ABOVE, "kind: hypercube, n: 5", 0, "cycle", 1, MISROUTES(1)},
    {"misroutes, once", ONCE, "kind: mesh, sizes: [4, 3]", 2, "", 0, MISROUTES(1)},
    {"misroutes, once", ONCE, "kind: mesh, sizes: [3, 3, 3]", 1, "cycle", 27, MISROUTES(1)},
    {"misroutes, once", ONCE, "kind: hypercube, n: 3", 2, "", 0, MISROUTES(3)},
    {"misroutes, once", ONCE, "kind: hypercube, n: 4", 1, "cycle", 16, MISROUTES(1)},
};

static void corrections_taken_back(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (unsigned i = 0; i < sizeof literals / sizeof literals[0]; i++) {
    const struct literal *l = &literals[i];
    struct bench b;
    struct outcome o;
    char kinds[64];
    uint64_t failing = 0;
    open_algorithm(&b, l->topology, l->algorithm ? l->algorithm : "detour", l->hops);
    b.prover.explorer.group[0].readings &= ~l->readings;
    if (getenv("UTURN_SHOW"))
      printf("%s, %s, %u faults\n", l->name, l->topology, l->faults);
    examine(&b, l->faults, &o, getenv("UTURN_SHOW") != NULL);
    kinds_of(&o, kinds);
    for (unsigned f = UT_FAILURES; f-- > 0;)
      failing = o.failing[f] ? o.failing[f] : failing;
    if (strcmp(kinds, l->expected) || failing != l->failing) {
      wrong++;
      print_error("%s, %s, %u faults: '%s' in %u sets, expected '%s' in %u\n", l->name, l->topology, l->faults, kinds,
                  (unsigned)failing, l->expected, (unsigned)l->failing);
    }
    close_bench(&b);
  }
  assert_int_equal(wrong, 0);
}

/* ---- inside the model nothing fails */

static const struct claim {
  const char *topology;
  unsigned faults;
  uint64_t sets, outside;
  unsigned longest;
  const char *algorithm; /* NULL: detour */
  unsigned hops;         /* misrouted ones, in each dimension */
} claims[] = {
    {"kind: mesh, sizes: [4, 3]", 1, 12, 0, 7, DETOUR},
    {"kind: mesh, sizes: [4, 3]", 2, 52, 14, 11, DETOUR},
    {"kind: mesh, sizes: [4, 4]", 3, 352, 208, 13, DETOUR},
    {"kind: mesh, sizes: [5, 4]", 3, 904, 236, 16, DETOUR},
    {"kind: mesh, sizes: [5, 5]", 2, 300, 0, 18, DETOUR},
    {"kind: mesh, sizes: [3, 3, 3]", 2, 234, 117, 11, DETOUR},
    {"kind: hypercube, n: 3", 2, 28, 0, 4, DETOUR},
    {"kind: hypercube, n: 4", 3, 416, 144, 5, DETOUR},
    {"kind: hypercube, n: 4", 4, 552, 1268, 5, DETOUR},
    {"kind: torus, sizes: [5, 5]", 1, 25, 0, 6, DETOUR},
    {"kind: torus, sizes: [5, 5]", 2, 175, 125, 14, DETOUR},
    {"kind: mesh, sizes: [4, 3]", 1, 12, 0, 7, LOW_HIGH},
    {"kind: mesh, sizes: [4, 3]", 2, 52, 14, 11, LOW_HIGH},
    {"kind: mesh, sizes: [5, 4]", 3, 904, 236, 16, LOW_HIGH},
    {"kind: mesh, sizes: [3, 3, 3]", 2, 234, 117, 11, LOW_HIGH},
    {"kind: mesh, sizes: [4, 3]", 2, 52, 14, 11, RESERVED},
    {"kind: mesh, sizes: [5, 4]", 3, 904, 236, 16, RESERVED},
    {"kind: mesh, sizes: [3, 3, 3]", 2, 234, 117, 11, RESERVED},
    {"kind: hypercube, n: 4", 3, 416, 144, 5, RESERVED},
    {"kind: mesh, sizes: [4, 3]", 2, 52, 14, 13, MISROUTES(1)},
    {"kind: mesh, sizes: [3, 3, 3]", 1, 27, 0, 12, MISROUTES(1)},
    {"kind: hypercube, n: 3", 2, 28, 0, 4, MISROUTES(3)},
    {"kind: hypercube, n: 4", 1, 16, 0, 10, MISROUTES(1)},
};

static void holds(struct bench *b, const struct claim *claim) {
  struct outcome o;
  char kinds[64];
  examine(b, claim->faults, &o, false);
  kinds_of(&o, kinds);
  if (kinds[0])
    fail_msg("%s, %s, %u faults, VIN1 of %u of %u VCs: %s", claim->topology, b->scenario->routing.algorithm,
             claim->faults, b->scenario->sw.vin1_vcs, b->scenario->sw.vcs, kinds);
  assert_int_equal(o.failing[UT_FAILURE_NUMBERING], 0);
  assert_int_equal(o.sets, claim->sets);
  assert_int_equal(o.outside, claim->outside);
  assert_int_equal(o.longest, claim->longest);
}

static void model_holds(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof claims / sizeof claims[0]; i += SHARE) {
    struct bench b;
    open_algorithm(&b, claims[i].topology, claims[i].algorithm ? claims[i].algorithm : "detour", claims[i].hops);
    holds(&b, &claims[i]);
    close_bench(&b);
  }
}

/* How the VCs are divided between the virtual networks makes no difference: no cycle, numbers rise, the same ways. */
static void every_division_holds(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof claims / sizeof claims[0]; i++) {
    const bool torus = strstr(claims[i].topology, "torus");
    if (claims[i].sets > 60) /* the smaller ones */
      continue;
    for (unsigned vin1 = 1; vin1 <= 3; vin1++) {
      struct bench b;
      open_divided(&b, claims[i].topology, claims[i].algorithm ? claims[i].algorithm : "detour", torus ? 8 : 5, vin1,
                   claims[i].hops);
      holds(&b, &claims[i]);
      close_bench(&b);
    }
  }
}

/* ---- the paper's numbers */

static ut_route_function *real_route;

/* The escape channel is that of the highest dimension, so the numbers fall; there is still no cycle. */
static void highest_first(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                          unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  const ut_mask left = ut_header_dst(header) ^ s->node;
  if (r->rule && !strcmp(r->rule, "3.3"))
    r->cand[0] = ut_bit(63 - (unsigned)__builtin_clzll(left));
}

static void numbers_rise(void **state) {
  (void)state;
  struct bench b;
  struct outcome o;
  open_detour(&b, "kind: hypercube, n: 3");
  real_route = b.prover.explorer.group[0].route;
  examine(&b, 0, &o, false);
  assert_int_equal(o.failing[UT_FAILURE_NUMBERING], 0);
  b.prover.explorer.group[0].route = highest_first;
  examine(&b, 0, &o, getenv("UTURN_SHOW") != NULL);
  assert_int_equal(o.failing[UT_FAILURE_NUMBERING], 1);
  assert_int_equal(o.failing[UT_FAILURE_CYCLE], 0);
  examine(&b, 0, &o, true); /* the counter-example can be found */
  close_bench(&b);
}

/* Detours of meshes have numbers between those of VIN1: every dependency inside the model rises. */
static void numbers_rise_in_meshes(void **state) {
  static const char *const topologies[] = {"kind: mesh, sizes: [4, 3]", "kind: mesh, sizes: [3, 5]",
                                           "kind: mesh, sizes: [3, 3, 3]"};
  (void)state;
  struct bench b;
  struct outcome o;
  for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++) {
    open_detour(&b, topologies[i]);
    for (unsigned faults = 0; faults <= 2; faults++) {
      examine(&b, faults, &o, false);
      assert_int_equal(o.failing[UT_FAILURE_NUMBERING], 0);
    }
    b.prover.explorer.group[0].readings &= ~(unsigned)ESCAPE; /* the last hop waits for VIN1, whose number is lower */
    examine(&b, 1, &o, false);
    assert_true(o.failing[UT_FAILURE_NUMBERING] > 0);
    close_bench(&b);
  }
}

/* In a torus a block of half a ring of dimension 0 makes packets circle: faults (0,0) and (2,0) of 5x5.  They are
 * outside the model for this alone. */
static void half_a_ring(void **state) {
  (void)state;
  struct bench b;
  struct ut_verdict v;
  struct ut_error e;
  const struct ut_fault_set set = {.switches = 2, .sw = {0, 2}};
  open_detour(&b, "kind: torus, sizes: [5, 5]");
  assert_int_equal(ut_prover_examine(&b.prover, &set, &v, &e), 0);
  assert_true(v.failure[UT_FAILURE_LOOP]);
  assert_true(v.outside);
  assert_int_equal(b.prover.model.reasons, 1);
  assert_int_equal(b.prover.model.reason[0].kind, UT_REASON_HALF);
  close_bench(&b);
}

/* ---- the search */

static const char *const correction_name[] = {"safe", "no return", "exit", "corner", "ahead", "escape"};

static void search(void **state) {
  (void)state;
  static const char *const meshes[] = {"kind: mesh, sizes: [4, 3]",    "kind: mesh, sizes: [3, 4]",
                                       "kind: mesh, sizes: [4, 4]",    "kind: mesh, sizes: [5, 4]",
                                       "kind: mesh, sizes: [4, 5]",    "kind: mesh, sizes: [5, 5]",
                                       "kind: mesh, sizes: [3, 3, 3]", "kind: mesh, sizes: [4, 3, 3]",
                                       "kind: mesh, sizes: [3, 4, 3]", "kind: mesh, sizes: [3, 3, 4]"};
  if (!getenv("UTURN_SEARCH"))
    skip();
  for (unsigned bit = 0; bit < 6; bit++)
    for (unsigned m = 0; m < sizeof meshes / sizeof meshes[0]; m++) {
      struct bench b;
      bool found = false;
      open_detour(&b, meshes[m]);
      b.prover.explorer.group[0].readings &= ~(1u << bit);
      for (unsigned faults = 1; faults <= (m < 6 ? 3 : 2) && !found; faults++) {
        struct outcome o;
        char kinds[64];
        examine(&b, faults, &o, false);
        kinds_of(&o, kinds);
        if (!kinds[0])
          continue;
        printf("%s: %s, %u faults: %s\n", correction_name[bit], meshes[m], faults, kinds);
        examine(&b, faults, &o, true);
        found = true;
      }
      if (!found)
        printf("%s: %s: never\n", correction_name[bit], meshes[m]);
      fflush(stdout);
      close_bench(&b);
    }
  for (unsigned n = 3; n <= 5; n++) {
    struct bench b;
    char topology[64];
    snprintf(topology, sizeof topology, "kind: hypercube, n: %u", n);
    open_detour(&b, topology);
    b.prover.explorer.group[0].readings = 0;
    for (unsigned faults = 1; faults <= 3; faults++) {
      struct outcome o;
      char kinds[64];
      examine(&b, faults, &o, true);
      kinds_of(&o, kinds);
      printf("cube: %s, %u faults: '%s'\n", topology, faults, kinds);
    }
    close_bench(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corrections_taken_back),
      cmocka_unit_test(model_holds),
      cmocka_unit_test(every_division_holds),
      cmocka_unit_test(half_a_ring),
      cmocka_unit_test(numbers_rise),
      cmocka_unit_test(numbers_rise_in_meshes),
      cmocka_unit_test(search),
  };
  return cmocka_run_group_tests_name("detour", tests, NULL, NULL);
}
