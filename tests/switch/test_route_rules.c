/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_rules.c - what only the model says of routing: which step of the paper gave an answer, and which rule a
 * shape breaks.  All else that route units answer is compared with the spec (tests/spec/test_routes.c). */
#include "any_state.h"

/* ---- steps of DETOUR's algorithms, as csim/prove and `uturn route` name them */

/* A packet at node (2, 2) of a mesh of 6 x 6 nodes, or at node 5 of a hypercube, all of whose links are up. */
struct situation {
  unsigned dst, in_port, in_vc; /* a node; packets of terminals come in at the last port */
  ut_mask bad;                  /* neighbours, as ports */
  unsigned border;              /* sides on which a block reaches the right border */
  bool unsafe, disabled;
  const char *step;
  ut_mask vin1, vin2; /* candidates: of VC 0, and of VC 1 */
  bool all_escape;
};

static void check_situations(const struct ut_shape *shape, uint64_t straps, const struct situation *list,
                             unsigned count) {
  struct bench b;
  start(&b, *shape, straps);
  b.m.s->out_up = b.m.g.all_out;
  for (unsigned i = 0; i < count; i++) {
    const struct situation *is = &list[i];
    if (b.m.g.form.states) {
      struct ut_node_states *n = ut_node_states_of(&b.m.g, b.m.s);
      n->bad = is->bad, n->border = (uint8_t)is->border;
      n->unsafe = is->unsafe, n->disabled = is->disabled;
    }
    struct ut_route_result r = {.set = 0};
    b.m.g.route(&b.m.g, b.m.s, header_to(is->dst), is->in_port, is->in_vc, &r);
    if (!r.rule || strcmp(r.rule, is->step) || r.cand[0] != is->vin1 || r.cand[1] != is->vin2 ||
        (r.escape_vcs != 0) != is->all_escape)
      fail_msg("situation %u: step %s to ports %#x and %#x, escape %u; expected step %s to %#x and %#x, escape %u", i,
               r.rule ? r.rule : "(none)", (unsigned)r.cand[0], (unsigned)r.cand[1], r.escape_vcs != 0, is->step,
               (unsigned)is->vin1, (unsigned)is->vin2, is->all_escape);
  }
  stop(&b);
}
#define CHECK_SITUATIONS(shape, straps, list)                                                                          \
  check_situations(&(const struct ut_shape)shape, straps, list, sizeof(list) / sizeof *(list))

/* Algorithm 4.2.  Ports: 0 and 1 along x, 2 and 3 along y, 4 to the terminal. */
static void steps_in_a_mesh(void **state) {
  (void)state;
  enum { HERE = 14, EAST = 15, FAR_EAST = 16, NORTH_EAST = 28, FAR_NORTH = 26, NORTH_WEST = 24, FAR_WEST = 12 };
  static const struct situation list[] = {
      {.dst = HERE, .in_port = 0, .step = "2", .vin1 = 0x10, .vin2 = 0x10},
      {.dst = EAST, .in_port = 4, .step = "3.1", .vin1 = 0x1, .vin2 = 0x1},
      {.dst = NORTH_EAST, .in_port = 4, .bad = 0x3, .unsafe = true, .step = "3.2", .vin1 = 0xc, .vin2 = 0xc},
      {.dst = NORTH_EAST, .in_port = 4, .step = "3.3", .vin1 = 0x1, .vin2 = 0x5},
      {.dst = NORTH_EAST, .in_port = 4, .bad = 0x1, .step = "3.4", .vin2 = 0x4},
      {.dst = FAR_EAST, .in_port = 4, .bad = 0x1, .step = "3.5", .vin2 = 0xc},
      {.dst = FAR_NORTH, .in_port = 4, .bad = 0x4, .step = "3.6", .vin2 = 0x1},
      {.dst = FAR_NORTH, .in_port = 4, .bad = 0x4, .border = 1, .step = "3.7", .vin2 = 0x2},
      /* around a block: east beside it, until the way north is free; */
      {.dst = NORTH_WEST, .in_port = 1, .in_vc = 1, .bad = 0x4, .step = "3.6 away", .vin2 = 0x1},
      {.dst = NORTH_WEST, .in_port = 1, .in_vc = 1, .step = "3.6 away", .vin1 = 0x4},
      /* north, until the way back is free; */
      {.dst = NORTH_WEST, .in_port = 3, .bad = 0x2, .step = "3.6 climb", .vin1 = 0x4},
      {.dst = NORTH_WEST, .in_port = 3, .step = "3.6 climb", .vin2 = 0x2},
      /* and back behind it */
      {.dst = FAR_WEST, .in_port = 0, .in_vc = 1, .bad = 0x8, .step = "3.6 back", .vin2 = 0x2},
      {.dst = NORTH_EAST, .in_port = 4, .bad = 0x7, .unsafe = true, .disabled = true, .step = "disabled"},
  };
  static const struct situation ecube[] = {
      {.dst = NORTH_EAST, .in_port = 4, .step = "3.2", .vin1 = 0x1, .vin2 = 0x1},
      {.dst = HERE, .in_port = 0, .step = "3.2", .vin1 = 0x10, .vin2 = 0x10},
  };
  static const struct situation adaptive[] = {
      {.dst = NORTH_EAST, .in_port = 4, .step = "3.3", .vin1 = 0x1, .vin2 = 0x5}};
  const uint64_t here = ut_grid_strap_make(2, 2, 0, 0);
#define MESH(name) DIRECT(DETOUR_MESH, name, 5, 2, .size = {6, 6})
  CHECK_SITUATIONS(MESH(DETOUR), here, list);
  CHECK_SITUATIONS(MESH(ECUBE), here, ecube);
  CHECK_SITUATIONS(MESH(ADAPTIVE_VIN), here, adaptive);
}

/* Algorithm 4.1.  Ports: 0 to 3 change that bit of the node's number, 4 leads to the terminal. */
static void steps_in_a_hypercube(void **state) {
  (void)state;
  enum { HERE = 5, BIT_0 = 4, BITS_1_2 = 3 };
  static const struct situation list[] = {
      {.dst = HERE, .in_port = 0, .step = "2", .vin1 = 0x10, .vin2 = 0x10},
      {.dst = BIT_0, .in_port = 4, .bad = 0x1, .step = "3.1", .vin1 = 0x1, .vin2 = 0x1},
      {.dst = BITS_1_2,
       .in_port = 4,
       .bad = 0x3,
       .unsafe = true,
       .step = "3.2",
       .vin1 = 0xc,
       .vin2 = 0xc,
       .all_escape = true},
      {.dst = BITS_1_2, .in_port = 4, .step = "3.3", .vin1 = 0x2, .vin2 = 0x6},
      {.dst = BITS_1_2, .in_port = 4, .bad = 0x2, .step = "3.4", .vin2 = 0x4},
  };
  static const struct situation ecube[] = {{.dst = BITS_1_2, .in_port = 4, .step = "3.2", .vin1 = 0x2, .vin2 = 0x2}};
  static const struct situation adaptive[] = {{.dst = BITS_1_2, .in_port = 4, .step = "3.3", .vin1 = 0x2, .vin2 = 0x6}};
#define CUBE(name) DIRECT(DETOUR_CUBE, name, 5, 2, .cube = 4)
  CHECK_SITUATIONS(CUBE(DETOUR), ut_cube_strap_make(HERE), list);
  CHECK_SITUATIONS(CUBE(ECUBE), ut_cube_strap_make(HERE), ecube);
  CHECK_SITUATIONS(CUBE(ADAPTIVE_VIN), ut_cube_strap_make(HERE), adaptive);
}

/* ---- rules of shapes */

/* Shapes that a family refuses, and one that it takes for each. */
static void rules_are_named(void **state) {
  (void)state;
  static const struct {
    struct ut_shape shape;
    const char *rule;
  } shape[] = {
      {TREE(FTA, 4, 1), NULL},
      {TREE(FTA, 32, 1), NULL},
      {TREE(FTA, 64, 1), NULL},
      {TREE(MISROUTE_HEADER, 48, 1), NULL},
      {TREE(MISROUTE_HEADER, 50, 1), "misroute_vector_has_24_bits"},
      {TREE(FTA, 2, 1), "fat_tree_needs_2k_ports_both_ways"},
      {TREE(FTA, 5, 1), "fat_tree_needs_2k_ports_both_ways"},
      {TREE(FTA, 66, 1), "fat_tree_needs_2k_ports_both_ways"},
      {SHAPE(FATTREE, FTA, 6, 4, 1, .escapes = 1, .links = 1, .vin1_vcs = 1), "fat_tree_needs_2k_ports_both_ways"},
      {SHAPE(FATTREE, FTA, 4, 6, 1, .escapes = 1, .links = 1, .vin1_vcs = 1), "fat_tree_needs_2k_ports_both_ways"},
      {STAGES(2, 2, 1, .radix = 2), NULL},
      {STAGES(32, 16, 1, .radix = 16), NULL},
      {STAGES(64, 32, 1, .radix = 32), NULL},
      {STAGES(1, 1, 1, .radix = 1), "ruft_needs_a_radix_of_2_4_8_16_or_32"},
      {STAGES(6, 6, 1, .radix = 6), "ruft_needs_a_radix_of_2_4_8_16_or_32"},
      {STAGES(3, 3, 1, .radix = 3), "ruft_needs_a_radix_of_2_4_8_16_or_32"},
      {STAGES(64, 64, 1, .radix = 64), "ruft_needs_a_radix_of_2_4_8_16_or_32"},
      {STAGES(6, 4, 1, .radix = 4), "ruft_needs_k_or_2k_ports_each_way"},
      {STAGES(8, 6, 1, .radix = 4), "ruft_needs_k_or_2k_ports_each_way"},
      {STAGES(8, 4, 1, .radix = 4, .parallel = UT_PARALLEL_STATIC), "links_side_by_side_need_2k_ports_both_ways"},
      {STAGES(4, 8, 1, .radix = 4, .parallel = UT_PARALLEL_STATIC), "links_side_by_side_need_2k_ports_both_ways"},
      {STAGES(8, 8, 1, .radix = 4, .parallel = 3), "half_crossbar_is_for_static_selection"},
      {STAGES(8, 8, 1, .radix = 4, .half_crossbar = 1), "half_crossbar_is_for_static_selection"},
      {STAGES(8, 8, 1, .radix = 4, .parallel = UT_PARALLEL_DYNAMIC, .half_crossbar = 1),
       "half_crossbar_is_for_static_selection"},
      {DIRECT(DETOUR_CUBE, ECUBE, 2, 1, .cube = 1), NULL},
      {DIRECT(DETOUR_CUBE, ECUBE, 13, 1, .cube = 12), NULL},
      {DIRECT(DETOUR_CUBE, ECUBE, 2, 1, .cube = 0), "cube_must_be_1_to_12"},
      {DIRECT(DETOUR_CUBE, ECUBE, 14, 1, .cube = 13), "cube_must_be_1_to_12"},
      {DIRECT(DETOUR_CUBE, ECUBE, 4, 1, .cube = 4), "cube_needs_a_port_a_dimension_and_local_ones"},
      {DIRECT(DETOUR_CUBE, ECUBE, 65, 1, .cube = 4), "cube_needs_a_port_a_dimension_and_local_ones"},
      {SHAPE(DETOUR_CUBE, ECUBE, 6, 5, 1, .escapes = 1, .links = 1, .vin1_vcs = 1, .cube = 4),
       "cube_needs_a_port_a_dimension_and_local_ones"},
      {LINKED(DETOUR_CUBE, ECUBE, 7, 1, .cube = 4, .links = 2), "local_ports_must_be_all_links_of_terminals"},
      {DIRECT(DETOUR_MESH, ECUBE, 3, 1, .size = {4}), NULL},
      {DIRECT(DETOUR_MESH, DETOUR, 3, 2, .size = {4}), "detours_need_two_dimensions"},
      {DIRECT(DETOUR_TORUS, DETOUR_LITERAL, 3, 4, .size = {4}), "detours_need_two_dimensions"},
      {DIRECT(DETOUR_TORUS, DETOUR, 4, 4, .size = {4, 4}), "torus_needs_two_ports_a_dimension_and_local_ones"},
  };
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    const char *rule = ut_shape_rule(&shape[i].shape);
    if (shape[i].rule ? !rule || strcmp(rule, shape[i].rule) : rule != NULL)
      fail_msg("shape %u: %s, expected %s", i, rule ? rule : "legal", shape[i].rule ? shape[i].rule : "legal");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_in_a_mesh), cmocka_unit_test(steps_in_a_hypercube),
                                     cmocka_unit_test(rules_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
