/* test_every_plan.c - the routes of all pairs, their counts and the sizes of tables, for all sets of mechanisms, as
 * they were recorded.  test_plan.c says what is right, of networks of these kinds. */
#include "plan.h"

#include "recorded.h"
#include "topologies.h"

enum { ROUNDS = 3, MOST_FAULTS = 40 };

static const struct {
  const char *name;
  unsigned dimensions, size[UT_MAX_DIMENSIONS];
  bool wrap;
  unsigned faults; /* of the last round; before that a half, and a third */
  unsigned sets;   /* mask of ut_mechanism_sets */
  uint64_t hash;
} recorded[] = {
    {"a ring of two", 1, {2}, true, 1, 1023, 0x902ea72da57318f6},
    {"a ring", 1, {11}, true, 2, 1023, 0x3b06bef8f59c45a8},
    {"parallel links", 2, {2, 4}, true, 7, 1023, 0x868cf1e600ed928f},
    {"torus, a tie in each dimension", 2, {4, 4}, true, 9, 1023, 0x05faedf8c91723b7},
    {"torus of three dimensions", 3, {3, 3, 3}, true, 18, 1023, 0xd3a0379a96a5b919},
    {"32 nodes", 2, {4, 8}, true, 12, 1023, 0x25145244be0b7a84},
    {"36 nodes", 2, {6, 6}, true, 14, 1023, 0xd10de650456167de},
    {"mesh", 2, {5, 4}, false, 8, 1023, 0x1a5982fe591f210d},
    {"mesh of 32 nodes", 3, {4, 4, 2}, false, 14, 1023, 0xde8a4131cd6febd8},
    {"mesh of 35 nodes", 2, {7, 5}, false, 9, 1023, 0x4fe83d02927ce11f},
    {"a ring too long for misrouting", 1, {19}, true, 2, 1023, 0x942de926035a6391},
    {"without tables of links", 2, {15, 15}, true, 2, 1 << 0 | 1 << 1 | 1 << 3, 0xfe24d6885c35d5f3},
};

static void record_route(uint64_t *hash, struct ut_plan *p, uint32_t from, uint32_t to) {
  struct ut_plan_route r;
  unsigned length;
  assert_int_equal(ut_plan_classify(p, from, to, &length), (ut_plan_route(p, from, to, &r), r.class));
  record(hash, (uint64_t)r.class << 32 | r.length << 16 | r.subpaths), record(hash, length);
  for (unsigned i = 0; i < r.subpaths; i++) {
    const struct ut_subpath *s = &r.subpath[i];
    record(hash, (uint64_t)s->target << 32 | s->misroutes << 8 | s->deterministic);
    for (unsigned m = 0; m < s->misroutes; m++)
      record(hash, s->misroute[m].direction << 8 | s->misroute[m].hops);
  }
}

/* The faults are drawn anew in each round, each link at most once. */
static unsigned draw_faults(const struct ut_grid *g, uint64_t *random, unsigned count, uint32_t *link) {
  for (unsigned i = 0; i < count;) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    link[i] = (uint32_t)((*random >> 33) % g->links);
    bool again = false;
    for (unsigned j = 0; j < i; j++)
      again |= link[j] == link[i];
    i += !again;
  }
  return count;
}

static void plans_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof *recorded; i++) {
    struct ut_topology t;
    struct ut_grid g;
    struct ut_error e;
    uint64_t hash = 0, random = i;
    assert_int_equal(test_grid(&t, recorded[i].size, recorded[i].dimensions, 1, recorded[i].wrap, &e), 0);
    assert_int_equal(ut_grid_init(&g, &t, &e), 0);
    for (unsigned set = 0; set < UT_MECHANISM_SETS; set++) {
      if (!(recorded[i].sets >> set & 1))
        continue;
      const struct ut_mechanisms *m = &ut_mechanism_sets[set];
      struct ut_plan *p = ut_plan_new(&g, m, &e);
      assert_non_null(p);
      record(&hash, ut_plan_entry_bits(&g, m));
      for (unsigned round = ROUNDS; round > 0; round--) {
        uint32_t link[MOST_FAULTS];
        struct ut_plan_counts counts;
        ut_plan_set_faults(p, link, draw_faults(&g, &random, recorded[i].faults / round, link));
        if (ut_plan_count(p, &counts))
          record_words(&hash, counts.pairs, UT_PLAN_CLASSES);
        for (uint32_t from = 0; from < g.nodes; from++) {
          record(&hash, ut_plan_table_bits(p, from));
          for (uint32_t to = 0; to < g.nodes; to++)
            record_route(&hash, p, from, to);
        }
      }
      ut_plan_free(p);
    }
    ut_grid_free(&g);
    ut_topology_free(&t);
    recorded_is(recorded[i].name, hash, recorded[i].hash, &differences);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plans_are_as_recorded)};
  return cmocka_run_group_tests_name("every_plan", tests, NULL, NULL);
}
