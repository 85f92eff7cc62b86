/* test_every_state.c - what the prover finds of fault sets of small networks, state by state, as it was recorded: rows
 * of answers, masks, walks, dependencies, numbers of channels, and counter-examples of every kind. */
#include <string.h>

#include "route_unit.h"
#include "states_recorded.h"

/* ---- routing code with a mistake in it, for what the right one never does */

static ut_route_function *real_route;

/* Switches that a terminal is attached to swap the lowest two ports. */
static void swapped(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                    unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->stage.level == 0 && r->cand[0] && r->cand[0] < 4)
    r->cand[0] ^= 3;
}

/* What the last VC is a candidate for, the first one is, too. */
static void upwards(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                    unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  r->cand[0] |= r->cand[g->shape.v - 1];
}

/* Now and then a switch sends packets anywhere, or may do so, where there is a link to another one: by its number, the
 * destination and where they come from.  Links of trees beyond the highest level are not there. */
static unsigned highest;
static void wild(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port, unsigned in_vc,
                 struct ut_route_result *r) {
  const uint64_t x = ut_hash_mix((uint64_t)s->id << 32 | in_port << 16 | ut_header_dst(header));
  real_route(g, s, header, in_port, in_vc, r);
  if (x % 20 >= 5 || !r->cand[0])
    return;
  unsigned first = 0, ports = 0;
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++)
    ports += g->shape.size[i] ? 2 : 0;
  if (g->k) {
    first = s->stage.level ? 0 : g->k;
    ports = s->stage.level == highest || !s->stage.level ? g->k : 2 * g->k;
  }
  const ut_mask anywhere = ut_bit(first + (unsigned)(x >> 20) % ports);
  r->cand[0] = x % 20 == 0 ? anywhere : r->cand[0] | anywhere;
}

static const struct {
  const char *scenario;
  unsigned links, switches; /* faults */
  unsigned samples;
  ut_route_function *mistake;
  uint64_t hash;
} recorded[] = {
    {"tests/scenarios/tree_2_3.yaml", 2, 0, 8, NULL, 0xbdc0343ee0e1c120},
    {"tests/scenarios/tree_2_3.yaml", 1, 0, 1, swapped, 0xc3ab403b467c068d},
    {"tests/scenarios/tree_switches.yaml", 1, 2, 4, NULL, 0x44483359752965ab},
    {"tests/scenarios/tree_one_layer.yaml", 2, 0, 8, NULL, 0xd8c733d809fb0bf8},
    {"tests/scenarios/tree_headers.yaml", 2, 0, 6, NULL, 0x22feac940eb7529d},
    {"tests/scenarios/tree_tables.yaml", 1, 0, 2, NULL, 0x1ce14d14db3c2833},
    {"tests/scenarios/tree_3_2.yaml", 2, 0, 2, NULL, 0x0287e05d4d43208c},
    {"tests/scenarios/tree_3_2.yaml", 4, 0, 60, NULL, 0x8796bc824da89195},
    {"tests/scenarios/tree_2_3.yaml", 3, 0, 60, NULL, 0xc3b535bb01730791},
    {"tests/scenarios/tree_one_layer.yaml", 3, 0, 40, NULL, 0xfbd5311b4fe61b24},
    {"tests/scenarios/tree_headers.yaml", 3, 0, 40, NULL, 0xe8940b6c2284cd8e},
    {"tests/scenarios/tree_adaptive_switch.yaml", 2, 1, 20, NULL, 0x0ea21d652a2250b3},
    {"tests/scenarios/tree_3_2.yaml", 3, 0, 4, NULL, 0xab57e43d50c378ba},
    {"tests/scenarios/tree_det.yaml", 1, 0, 2, NULL, 0xac6a6d6748823dd1},
    {"tests/scenarios/tree_det.yaml", 1, 0, 2, upwards, 0x788d1a5beaea412c},
    {"tests/scenarios/tree_det.yaml", 0, 1, 2, swapped, 0x74476dcfd3fc6f93},
    {"scenarios/switch_faults.yaml", 0, 1, 1, NULL, 0x49043619331a0c16},
    {"scenarios/deadlock_one_vc.yaml", 2, 0, 4, NULL, 0x834e82671a39d2a3},
    {"tests/scenarios/ring_4.yaml", 0, 0, 1, NULL, 0x7a4963c6307ae3c3},
    {"tests/scenarios/ring_4.yaml", 1, 0, 1, NULL, 0x94d0d24edf515e94},
    {"tests/scenarios/torus_3x3.yaml", 0, 0, 1, NULL, 0x1c3cbf3e75c67cac},
    {"tests/scenarios/torus_3x3.yaml", 1, 0, 1, upwards, 0x52280219f7c23cf6},
    {"tests/scenarios/torus_3x3.yaml", 0, 0, 1, swapped, 0xee2f1bd26b4dd808},
    {"tests/scenarios/mesh_4x3.yaml", 1, 0, 1, NULL, 0x805729a7bc1aa8d4},
    {"tests/scenarios/worm_3x3.yaml", 1, 0, 1, NULL, 0x8a8105aa9638a7f7},
    {"tests/scenarios/worm_ring.yaml", 0, 0, 1, NULL, 0x3110c94ed624331c},
    {"tests/scenarios/planned_misroute.yaml", 1, 0, 1, NULL, 0x720ab3934e0af3b2},
    {"tests/scenarios/torus_blocks.yaml", 0, 2, 4, NULL, 0x99b7eaf08def18bf},
    {"tests/scenarios/torus_block_2.yaml", 0, 3, 2, NULL, 0x8d87125ec8bce2f6},
    {"tests/scenarios/detour_mesh_3d.yaml", 0, 2, 6, NULL, 0x381eff3aeef14182},
    {"scenarios/detour_example_mesh.yaml", 0, 2, 40, NULL, 0x5d6c797163cb4282},
    {"scenarios/detour_example_mesh.yaml", 0, 2, 2, upwards, 0xdae4457efa283870},
    {"scenarios/detour_example_cube.yaml", 0, 2, 12, NULL, 0x3f98a6c7466b86d5},
    {"scenarios/detour_example_cube.yaml", 0, 2, 2, upwards, 0xb8c0053bbf333d6a},
    {"tests/scenarios/cube_literal.yaml", 0, 2, 4, NULL, 0x164f01e29ab3c8ea},
    {"scenarios/prove_ft_ruft.yaml", 1, 0, 2, NULL, 0xba6daff7b30d21b5},
    {"scenarios/prove_ft_ruft.yaml", 0, 1, 1, NULL, 0x5b88e0ce0636ef17},
    {"tests/scenarios/tree_2_3.yaml", 1, 0, 8, wild, 0x9327b6e9b5c89ac2},
    {"tests/scenarios/tree_3_2.yaml", 1, 0, 8, wild, 0x4634dbe5d58cea5f},
    {"tests/scenarios/tree_det.yaml", 1, 0, 8, wild, 0x8a409c4956489172},
    {"tests/scenarios/tree_one_layer.yaml", 1, 0, 8, wild, 0xfdff1ad69635f371},
    {"tests/scenarios/tree_headers.yaml", 1, 0, 8, wild, 0x0e5523b76f6ec842},
    {"tests/scenarios/tree_switches.yaml", 0, 1, 8, wild, 0xf7087aa9bafed4d2},
    {"tests/scenarios/tree_adaptive_switch.yaml", 0, 1, 8, wild, 0x4caa06269cc60c5f},
    {"scenarios/deadlock_one_vc.yaml", 1, 0, 8, wild, 0xb894ac5ba609bff0},
    {"tests/scenarios/torus_3x3.yaml", 1, 0, 8, wild, 0xe716e920b6207705},
    {"tests/scenarios/torus_4x4.yaml", 1, 0, 4, wild, 0xc0bd319caf92b52b},
    {"tests/scenarios/torus_adaptive.yaml", 1, 0, 4, wild, 0xb10a57b7209ff125},
};

static void record_set(uint64_t *hash, struct ut_prover *p, const struct ut_fault_space *space, uint64_t index) {
  struct ut_fault_set set;
  struct ut_verdict v;
  struct ut_error e;
  ut_fault_space_get(space, index, &set);
  for (unsigned i = 0; i < set.links; i++)
    record(hash, set.link[i]);
  for (unsigned i = 0; i < set.switches; i++)
    record(hash, set.sw[i]);
  if (ut_prover_examine(p, &set, &v, &e))
    fail_msg("%s", e.text);
  record_found(hash, p, &set, &v);
  for (unsigned kind = 0; kind < UT_FAILURES; kind++)
    if (v.failure[kind]) {
      struct ut_counter_example c;
      if (ut_counter_example_find(&c, p, space, index, kind, &e))
        fail_msg("%s", e.text);
      record_example(hash, &c, &p->explorer);
      ut_counter_example_free(&c);
    }
}

static void states_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    const struct ut_fault_request request = drawn_sets(recorded[i].links, recorded[i].switches, recorded[i].samples);
    struct ut_error e;
    struct ut_topology t;
    struct ut_prover p;
    uint64_t hash = 0;
    struct ut_scenario *s = ut_scenario_load(recorded[i].scenario, &e);
    if (!s || ut_topology_init(&t, s, &e) || ut_prover_init(&p, s, &t, &e) ||
        ut_fault_space_init(space, &t, &request, &e))
      fail_msg("%s: %s", recorded[i].scenario, e.text);
    real_route = p.explorer.group[0].route, highest = t.levels - 1;
    for (unsigned j = 0; j < t.elaborations && recorded[i].mistake; j++)
      p.explorer.group[j].route = recorded[i].mistake;
    for (uint64_t index = 0; index < space->count; index++)
      record_set(&hash, &p, space, index);
    recorded_is(recorded[i].scenario, hash, recorded[i].hash, &differences);
    ut_prover_free(&p);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  free(space);
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
