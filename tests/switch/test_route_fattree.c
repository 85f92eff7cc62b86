/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_fattree.c - fat trees: routes and re-route vectors of spec and model, with expectations worked out by
 * hand. */
#include "bench.h"

/* ---- routing */

struct expected_route {
  unsigned in_port, dst;
  ut_mask ports; /* 0: discarded */
};

static void check_routes(unsigned k, unsigned algorithm, uint64_t straps, ut_mask down, ut_mask vector,
                         const struct expected_route *e, unsigned n) {
  struct bench b;
  start(&b, shape_of(k, 2, 4, 2, algorithm), straps);
  b.m.s->out_up = b.m.g.all_out & ~down;
  b.m.s->vector = vector;
  for (unsigned i = 0; i < n; i++) {
    const struct spec_answer r = answer(&b, header_to(e[i].dst), e[i].in_port, 0);
    assert_int_equal(r.cand[0], e[i].ports);
    assert_int_equal(r.cand[1], e[i].ports);
    assert_int_equal(r.discard, e[i].ports == 0);
  }
  stop(&b);
}
#define ROUTES(k, algorithm, straps, down, vector, ...)                                                                \
  check_routes(k, algorithm, straps, down, vector, (const struct expected_route[]){__VA_ARGS__},                       \
               sizeof((const struct expected_route[]){__VA_ARGS__}) / sizeof(struct expected_route))

static void routes_in_a_2_ary_3_tree(void **state) {
  (void)state;
  const uint64_t leaf = ut_level_strap_make(0, 2, 1, 0, 0);   /* terminals 2, 3 */
  const uint64_t middle = ut_level_strap_make(1, 4, 2, 0, 0); /* terminals 4..7 */
  const uint64_t root = ut_level_strap_make(2, 0, 4, 0, 0);   /* all */
  ROUTES(2, UT_FATTREE_FTA, leaf, 0, 0, {0, 2, 0x1}, {0, 3, 0x2}, {1, 0, 0xc}, {0, 7, 0xc}, {2, 3, 0x2}, {3, 4, 0});
  ROUTES(2, UT_FATTREE_FTA, middle, 0, 0, {0, 4, 0x1}, {0, 5, 0x1}, {1, 6, 0x2}, {3, 7, 0x2}, {0, 3, 0xc});
  ROUTES(2, UT_FATTREE_FTA, root, 0, 0, {0, 3, 0x1}, {0, 4, 0x2}, {1, 0, 0x1}, {1, 7, 0x2});
  /* destro: up by digit `level` of the destination, 6 = 110, 5 = 101, 3 = 011 */
  ROUTES(2, UT_FATTREE_DESTRO, leaf, 0, 0, {0, 6, 0x4}, {0, 5, 0x8}, {1, 3, 0x2}, {2, 7, 0});
  ROUTES(2, UT_FATTREE_DESTRO, middle, 0, 0, {0, 3, 0x8}, {1, 1, 0x4}, {2, 6, 0x2});
  /* faults: fta takes what is left, destro has nothing left */
  ROUTES(2, UT_FATTREE_FTA, leaf, 0x9, 0, {1, 2, 0}, {1, 7, 0x4});
  ROUTES(2, UT_FATTREE_DESTRO, leaf, 0x8, 0, {1, 5, 0}, {1, 6, 0x4});
}

static void routes_in_a_3_ary_2_tree(void **state) {
  (void)state;
  const uint64_t leaf = ut_level_strap_make(0, 3, 1, 0, 0); /* terminals 3, 4, 5 */
  const uint64_t root = ut_level_strap_make(1, 0, 3, 0, 0); /* all 9 */
  ROUTES(3, UT_FATTREE_FTA, leaf, 0, 0, {0, 3, 0x1}, {0, 4, 0x2}, {0, 5, 0x4}, {0, 2, 0x38}, {0, 6, 0x38}, {4, 6, 0});
  ROUTES(3, UT_FATTREE_FTA, root, 0, 0, {0, 2, 0x1}, {0, 3, 0x2}, {0, 5, 0x2}, {1, 6, 0x4}, {2, 8, 0x4});
  /* destro: 8 = 22, 7 = 21, 6 = 20, 1 = 01 */
  ROUTES(3, UT_FATTREE_DESTRO, leaf, 0, 0, {0, 8, 0x20}, {0, 7, 0x10}, {0, 6, 0x08}, {2, 1, 0x10}, {2, 5, 0x4});
}

static void routes_around_faults_by_u_turns(void **state) {
  (void)state;
  const uint64_t middle = ut_level_strap_make(1, 0, 3, 0, 0); /* of a 3-ary 3-tree: terminals 0..8 */
  const uint64_t leaf = ut_level_strap_make(0, 3, 1, 0, 0);
  const unsigned a = UT_FATTREE_REROUTE_ADAPTIVE_LINK;
  /* nothing wrong: as fta */
  ROUTES(3, a, middle, 0, 0, {0, 4, 0x2}, {0, 20, 0x38}, {3, 8, 0x4});
  /* link 1 down: from below back to where it came from; from above any other down port */
  ROUTES(3, a, middle, 0x2, 0, {0, 4, 0x1}, {2, 5, 0x4}, {3, 3, 0x5}, {4, 8, 0x4});
  /* the link it came through is down as well: any other down port */
  ROUTES(3, a, middle, 0x3, 0, {0, 4, 0x4});
  /* a packet from above that is not for here: another up port, but none that the vector knows */
  ROUTES(3, a, leaf, 0, 0, {3, 8, 0x30}, {4, 8, 0x28});
  ROUTES(3, a, leaf, 0, 0x10, {3, 8, 0x20}, {5, 8, 0x08});
  ROUTES(3, a, leaf, 0, 0x30, {3, 8, 0}); /* every one has been tried */
  /* links to terminals have no detour */
  ROUTES(3, a, leaf, 0x2, 0, {0, 4, 0}, {3, 4, 0});
}

/* One hop: what comes in, and what is expected; vcs: the VCs of the candidates. */
struct expected_hop {
  unsigned in_port, in_vc, dst, rt;
  ut_mask ports, vcs;
  unsigned new_rt;
};

static void check_hops(unsigned v, unsigned algorithm, uint64_t straps, ut_mask down, ut_mask vector, ut_mask neighbour,
                       const struct expected_hop *e, unsigned n) {
  struct bench b;
  start(&b, shape_of(3, v, 4, 2, algorithm), straps);
  b.m.s->out_up = b.m.g.all_out & ~down;
  b.m.s->vector = vector;
  b.m.s->neighbour = neighbour;
  for (unsigned i = 0; i < n; i++) {
    const struct spec_answer r = answer(&b, ut_header_set_rt(header_to(e[i].dst), e[i].rt), e[i].in_port, e[i].in_vc);
    for (unsigned o = 0; o < v; o++)
      assert_int_equal(r.cand[o], e[i].vcs >> o & 1 ? e[i].ports : 0);
    assert_int_equal(r.discard, e[i].ports == 0);
    if (b.m.g.form.rewrites)
      assert_int_equal(r.rt, e[i].new_rt);
    bool u_turn = b.m.g.form.vector && e[i].in_port >= 3 && r.uses_state;
    assert_int_equal(r.set, u_turn ? ut_bit(e[i].in_port) : 0);
  }
  stop(&b);
}
#define HOPS(v, algorithm, straps, down, vector, neighbour, ...)                                                       \
  check_hops(v, algorithm, straps, down, vector, neighbour, (const struct expected_hop[]){__VA_ARGS__},                \
             sizeof((const struct expected_hop[]){__VA_ARGS__}) / sizeof(struct expected_hop))

/* Switches of a 3-ary 3-tree.  Down ports 0x7, up ports 0x38; in base 3: 4 = 011, 8 = 022, 14 = 112, 20 = 202, 26 =
 * 222.
 */
static const uint64_t LEAF = (uint64_t)3 << UT_LEVEL_STRAP_BASE_LSB | (uint64_t)1 << UT_LEVEL_STRAP_STEP_LSB;
static const uint64_t MIDDLE = (uint64_t)1 << UT_LEVEL_STRAP_LEVEL_LSB | (uint64_t)3 << UT_LEVEL_STRAP_STEP_LSB;

static void det_link_takes_one_port_in_two_layers(void **state) {
  (void)state;
  const unsigned a = UT_FATTREE_REROUTE_DET_LINK;
  /* step 1: up port k + digit 1 in the normal layer; if it is down the next one, as a ring */
  HOPS(2, a, MIDDLE, 0, 0, 0, {0, 0, 20, 0, 0x08, 1, 0}, {2, 0, 14, 0, 0x10, 1, 0}, {1, 1, 26, 0, 0x20, 1, 0});
  HOPS(2, a, MIDDLE, 0x08, 0, 0, {0, 0, 20, 0, 0x10, 1, 0}, {0, 0, 14, 0, 0x10, 1, 0});
  HOPS(2, a, MIDDLE, 0x20, 0, 0, {0, 0, 26, 0, 0x08, 1, 0});
  HOPS(2, a, MIDDLE, 0x38, 0, 0, {0, 0, 26, 0, 0, 1, 0});
  /* step 2: from below in its layer, from above in the normal one */
  HOPS(2, a, MIDDLE, 0, 0, 0, {0, 0, 4, 0, 0x2, 1, 0}, {0, 1, 4, 0, 0x2, 2, 0}, {3, 0, 4, 0, 0x2, 1, 0},
       {3, 1, 4, 0, 0x2, 1, 0});
  /* steps 2b (reading 1: a packet in the normal layer stays there) and 2a (reading 2); link 1 is down */
  HOPS(2, a, MIDDLE, 0x2, 0, 0, {2, 0, 4, 0, 0x4, 1, 0}, {2, 1, 4, 0, 0x4, 2, 0}, {3, 0, 4, 0, 0x4, 1, 0},
       {4, 1, 4, 0, 0x4, 1, 0});
  /* the link back is down as well: another one, in the same layer */
  HOPS(2, a, MIDDLE, 0x6, 0, 0, {2, 0, 4, 0, 0x1, 1, 0}, {2, 1, 4, 0, 0x1, 2, 0});
  HOPS(2, a, LEAF, 0x2, 0, 0, {0, 0, 4, 0, 0, 1, 0}, {3, 1, 4, 0, 0, 1, 0});
  /* step 3a: the first port of 3, 4, 5 other than the arrival port (reading 3); 3b: the next one; 4: the last one */
  HOPS(2, a, LEAF, 0, 0, 0, {3, 0, 8, 0, 0x10, 2, 0}, {4, 0, 8, 0, 0x08, 2, 0}, {5, 0, 8, 0, 0x08, 2, 0});
  HOPS(2, a, LEAF, 0, 0, 0, {3, 1, 8, 0, 0x10, 2, 0}, {4, 1, 8, 0, 0x20, 2, 0}, {5, 1, 8, 0, 0, 2, 0});
  /* reading 4: a port that is down is skipped in order */
  HOPS(2, a, LEAF, 0x10, 0, 0, {3, 0, 8, 0, 0x20, 2, 0}, {3, 1, 8, 0, 0x20, 2, 0}, {5, 0, 8, 0, 0x08, 2, 0},
       {5, 1, 8, 0, 0, 2, 0});
  /* more VCs belong to the normal layer; with one VC every U-turn is the first */
  HOPS(4, a, LEAF, 0, 0, 0, {0, 2, 8, 0, 0x20, 7, 0}, {4, 2, 8, 0, 0x08, 8, 0}, {4, 3, 8, 0, 0x20, 8, 0});
  HOPS(1, a, LEAF, 0, 0, 0, {3, 0, 8, 0, 0x10, 1, 0}, {4, 0, 8, 0, 0x08, 1, 0}, {5, 0, 8, 0, 0x08, 1, 0});
}

/* One fault: a U-turn takes any up port but the arrival port, and nothing remembers it; a bit of the header (rt) is set
 * on the hop down the second tier only. */
static void one_fault_needs_no_vector_and_one_bit(void **state) {
  (void)state;
  const unsigned det = UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT, ada = UT_FATTREE_REROUTE_ADAPTIVE_LINK_ONE_FAULT;
  const unsigned det2 = UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT, ada2 = UT_FATTREE_REROUTE_ADAPTIVE_SWITCH_ONE_FAULT;
  /* VI.A, last paragraph: steps 1, 2, 2b, 2a as reroute_det_link, in all VCs */
  HOPS(2, det, MIDDLE, 0, 0, 0, {0, 0, 20, 0, 0x08, 3, 0}, {1, 1, 26, 0, 0x20, 3, 0}, {3, 1, 4, 0, 0x2, 3, 0});
  HOPS(2, det, MIDDLE, 0x2, 0, 0, {2, 1, 4, 0, 0x4, 3, 0}, {3, 0, 4, 0, 0x4, 3, 0});
  HOPS(2, det, LEAF, 0, 0, 0, {3, 0, 8, 0, 0x10, 3, 0}, {4, 1, 8, 0, 0x08, 3, 0}, {5, 1, 8, 0, 0x08, 3, 0});
  /* VII: any up port but the arrival port, whatever a vector or the neighbours say */
  HOPS(1, ada, MIDDLE, 0x2, 0, 0, {0, 0, 20, 0, 0x38, 1, 0}, {2, 0, 4, 0, 0x4, 1, 0}, {3, 0, 4, 0, 0x5, 1, 0});
  HOPS(1, ada, LEAF, 0, 0x38, 0x38, {3, 0, 8, 0, 0x30, 1, 0}, {5, 0, 8, 0, 0x18, 1, 0});
  HOPS(1, ada, LEAF, 0x18, 0, 0, {4, 0, 8, 0, 0x20, 1, 0}, {5, 0, 8, 0, 0, 1, 0});
  /* VI.B, last paragraph: from above and not for here, the bit is 0: down the second tier, with the bit; it is 1, or a
   * leaf switch: U-turn, and the bit is 0 again, as in every other case */
  HOPS(1, det2, MIDDLE, 0, 0, 0, {3, 0, 20, 0, 0x1, 1, 1}, {4, 0, 14, 0, 0x2, 1, 1}, {3, 0, 20, 1, 0x10, 1, 0},
       {4, 0, 20, 1, 0x08, 1, 0}, {0, 0, 20, 1, 0x08, 1, 0}, {3, 0, 4, 1, 0x2, 1, 0}, {0, 0, 4, 0, 0x2, 1, 0});
  HOPS(1, det2, LEAF, 0, 0, 0, {3, 0, 8, 0, 0x10, 1, 0}, {4, 0, 8, 1, 0x08, 1, 0});
  HOPS(1, det2, MIDDLE, 0x1, 0, 0, {3, 0, 20, 0, 0x2, 1, 1}, {2, 0, 1, 0, 0x4, 1, 0});
  HOPS(1, ada2, MIDDLE, 0x10, 0, 0, {3, 0, 20, 0, 0x7, 1, 1}, {3, 0, 20, 1, 0x20, 1, 0}, {1, 0, 20, 1, 0x28, 1, 0});
  HOPS(1, ada2, LEAF, 0, 0x38, 0x38, {3, 0, 8, 0, 0x30, 1, 0}, {4, 0, 8, 1, 0x28, 1, 0});
}

/* Port field in rt: 0 is the paper's -1, 1 is -2, 2 + j is port j. */
static void det_switch_turns_over_two_tiers_in_three_layers(void **state) {
  (void)state;
  const unsigned a = UT_FATTREE_REROUTE_DET_SWITCH;
  /* step 1; step 5: above the U-turn switch, the field takes the arrival port, layer ML2 */
  HOPS(3, a, MIDDLE, 0, 0, 0, {0, 0, 20, 0, 0x08, 1, 0}, {1, 1, 20, 1, 0x08, 4, 3}, {2, 1, 26, 1, 0x20, 4, 4});
  HOPS(3, a, MIDDLE, 0x08, 0, 0, {0, 0, 20, 0, 0x10, 1, 0}, {0, 1, 20, 1, 0x10, 4, 2});
  /* step 2: a from below in ML2, b from above in ML2, c from above in ML1, d; from below in ML1 (reading 7); the field
   * is reset (reading 8) */
  HOPS(3, a, MIDDLE, 0, 0, 0, {0, 2, 4, 3, 0x2, 4, 0}, {3, 2, 4, 0, 0x2, 2, 0}, {3, 1, 4, 0, 0x2, 1, 0},
       {3, 0, 4, 0, 0x2, 1, 0}, {0, 0, 4, 0, 0x2, 1, 0}, {0, 1, 4, 0, 0x2, 2, 0});
  /* step 3a: another down port; 3b: back, with the field; in the normal layer (reading 6), in ML1 (reading 7) */
  HOPS(3, a, MIDDLE, 0x2, 0, 0, {3, 2, 4, 0, 0x4, 2, 0}, {3, 1, 4, 0, 0x4, 1, 0}, {5, 0, 4, 0, 0x4, 1, 0},
       {0, 2, 4, 3, 0x1, 4, 3}, {2, 0, 4, 0, 0x4, 1, 0}, {2, 1, 4, 0, 0x4, 2, 0});
  /* step 4a: further down, to the down port of the digit, or the next one; field -2 */
  HOPS(3, a, MIDDLE, 0, 0, 0, {4, 0, 14, 0, 0x2, 1, 1}, {4, 1, 14, 0, 0x2, 1, 1});
  HOPS(3, a, MIDDLE, 0x2, 0, 0, {4, 0, 14, 0, 0x4, 1, 1});
  HOPS(3, a, MIDDLE, 0x7, 0, 0, {4, 0, 14, 0, 0, 1, 1});
  /* step 4b: U-turn, i first port other than the arrival port, ii next one, iii last one */
  HOPS(3, a, MIDDLE, 0, 0, 0, {4, 0, 14, 1, 0x08, 2, 1}, {3, 0, 14, 1, 0x10, 2, 1}, {4, 1, 14, 1, 0x20, 2, 1},
       {5, 1, 14, 1, 0, 2, 1});
  /* the same at a leaf switch, over one tier too: the field stays what it was */
  HOPS(3, a, LEAF, 0, 0, 0, {3, 0, 8, 0, 0x10, 2, 0}, {3, 1, 8, 0, 0x10, 2, 0}, {3, 1, 8, 1, 0x10, 2, 1},
       {5, 1, 8, 0, 0, 2, 0});
  /* step 4c: back to the U-turn switch through the port in the field, ML1 */
  HOPS(3, a, MIDDLE, 0, 0, 0, {4, 2, 14, 2, 0x1, 2, 1}, {5, 2, 14, 4, 0x4, 2, 1});
  HOPS(3, a, MIDDLE, 0x1, 0, 0, {4, 2, 14, 2, 0x2, 2, 1});
}

static void adaptive_switch_turns_over_two_tiers_with_the_vector(void **state) {
  (void)state;
  const unsigned a = UT_FATTREE_REROUTE_ADAPTIVE_SWITCH;
  const uint64_t repair = (uint64_t)1 << UT_LEVEL_STRAP_REPAIR_LSB;
  /* steps 1 and 6 */
  HOPS(1, a, MIDDLE, 0x10, 0, 0, {0, 0, 20, 0, 0x28, 1, 0}, {2, 0, 20, 1, 0x28, 1, 4});
  /* step 2, step 3: the field is reset */
  HOPS(1, a, MIDDLE, 0, 0, 0, {3, 0, 4, 0, 0x2, 1, 0}, {0, 0, 4, 3, 0x2, 1, 0});
  /* step 2a: any other down port; 2b: back, with the field */
  HOPS(1, a, MIDDLE, 0x2, 0, 0, {3, 0, 4, 0, 0x5, 1, 0}, {0, 0, 4, 4, 0x1, 1, 4}, {2, 0, 4, 0, 0x4, 1, 0});
  /* step 4a, step 4d */
  HOPS(1, a, MIDDLE, 0x1, 0, 0, {4, 0, 14, 0, 0x6, 1, 1}, {4, 0, 14, 3, 0x2, 1, 1}, {4, 0, 14, 2, 0x6, 1, 1});
  /* steps 4b, 5, 7: a U-turn after two tiers */
  HOPS(1, a, MIDDLE, 0, 0x08, 0, {4, 0, 14, 1, 0x20, 1, 1}, {3, 0, 14, 1, 0x30, 1, 1});
  HOPS(1, a, MIDDLE, 0, 0x28, 0, {4, 0, 14, 1, 0, 1, 1});
  /* step 4c (reading 9): over one tier at a leaf switch, only if the field is -1 */
  HOPS(1, a, LEAF, 0, 0x08, 0, {4, 0, 8, 0, 0x20, 1, 0}, {4, 0, 8, 1, 0x20, 1, 1});
  HOPS(1, a, LEAF, 0, 0x30, 0, {3, 0, 8, 0, 0, 1, 0});
  /* with `repair` only ports whose switch reports a fault are avoided */
  HOPS(1, a, LEAF | repair, 0, 0x18, 0x10, {3, 0, 8, 0, 0x28, 1, 0}, {4, 0, 8, 1, 0x28, 1, 1});
}

/* Misroute vector in rt: bit j is up port 3 + j. */
static void misroute_header_remembers_its_attempts(void **state) {
  (void)state;
  const unsigned a = UT_FATTREE_MISROUTE_HEADER;
  /* steps 1, 2; step 5: the vector is reset on a way down */
  HOPS(1, a, MIDDLE, 0x08, 0, 0, {0, 0, 20, 0, 0x30, 1, 0}, {0, 0, 4, 0, 0x2, 1, 0}, {2, 0, 4, 5, 0x2, 1, 0});
  /* step 2: any other down port, whichever side the packet came from */
  HOPS(1, a, MIDDLE, 0x2, 0, 0, {0, 0, 4, 0, 0x5, 1, 0}, {4, 0, 4, 0, 0x5, 1, 0});
  /* step 5: back to the U-turn switch, with the vector; if that link has just failed step 2 again */
  HOPS(1, a, MIDDLE, 0x2, 0, 0, {2, 0, 4, 5, 0x4, 1, 5});
  HOPS(1, a, MIDDLE, 0x6, 0, 0, {2, 0, 4, 5, 0x1, 1, 0});
  /* steps 3, 4, 6 */
  HOPS(1, a, LEAF, 0, 0, 0, {3, 0, 8, 0, 0x30, 1, 1}, {4, 0, 8, 1, 0x20, 1, 3}, {5, 0, 8, 3, 0, 1, 7});
  HOPS(1, a, LEAF, 0x10, 0, 0, {3, 0, 8, 0, 0x20, 1, 1}, {5, 0, 8, 1, 0, 1, 5});
  HOPS(1, a, LEAF, 0x2, 0, 0, {0, 0, 4, 0, 0, 1, 0});
}

static void reports_of_faults_two_levels_up(void **state) {
  (void)state;
  struct bench b;
  /* a switch passes on what a switch above it reports; only a leaf switch believes in faults one level up */
  for (unsigned level = 0; level < 2; level++) {
    start(&b, shape_of(3, 1, 4, 2, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH), level ? MIDDLE : LEAF);
    warm_up(&b, 0);
    b.report[UT_REPORT_FAULT] = 0x10;
    step(&b);
    assert_true(b.m.s->far);
    assert_false(b.m.s->fault);
    assert_int_equal(b.m.s->neighbour, level ? 0 : 0x10);
    b.report[UT_REPORT_FAULT] = 0x1; /* a switch below: of no interest */
    b.report[UT_REPORT_FAR] = 0x20;
    step(&b);
    assert_false(b.m.s->far);
    assert_int_equal(b.m.s->neighbour, 0x20);
    b.out_up &= ~(ut_mask)0x21; /* a link that is down hears nothing; an own fault is reported */
    step(&b);
    assert_true(b.m.s->fault);
    assert_int_equal(b.m.s->neighbour, 0);
    stop(&b);
  }
}

/* The new rt leaves with the head, and only with it. */
static void rewritten_header_leaves_with_the_head(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 2, UT_FATTREE_MISROUTE_HEADER), LEAF);
  warm_up(&b, 4);
  arrive(&b, 4, UT_KIND_HEAD, header_to(8));
  step(&b);
  arrive(&b, 4, UT_KIND_TAIL, 77);
  step(&b);
  unsigned port = ut_first(sent(&b));
  assert_int_equal(sent(&b) & 0x28, sent(&b));
  assert_int_equal(word_sent(&b, port), ut_header_set_rt(header_to(8), 2));
  step(&b);
  assert_int_equal(sent(&b), ut_bit(port));
  assert_int_equal(word_sent(&b, port), 77);
  stop(&b);
}

/* ---- re-route vector */

/* Brings a packet from above that is not for this switch; it turns in the second step. */
static void u_turn(struct bench *b, unsigned port) {
  arrive(b, port, UT_KIND_SINGLE, header_to(8));
  step(b);
  for (unsigned op = b->m.g.k; op < b->m.g.shape.po; op++) /* what the last one took; never more than it took */
    if (ut_reg_credits(&b->m.g, b->m.s, op, 0) != b->m.g.shape.depth)
      credits(b, ut_bit(op));
  step(b);
}

static void vector_is_set_by_a_u_turn_and_expires_at_exactly_timeout_cycles(void **state) {
  (void)state;
  enum { TIMEOUT = 7 };
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, TIMEOUT, 0));
  warm_up(&b, 4);
  u_turn(&b, 4);
  assert_int_equal(b.m.s->vector, 0x10);
  assert_true(b.m.s->stale_state);
  assert_int_equal(b.m.s->u_turns, 1);
  assert_int_equal(sent(&b) & 0x28, sent(&b)); /* up, not through port 4 */
  assert_int_not_equal(sent(&b), 0);
  for (unsigned i = 1; i < TIMEOUT; i++) {
    step(&b);
    assert_int_equal(b.m.s->vector, 0x10);
    assert_false(b.m.s->stale_state);
  }
  step(&b);
  assert_int_equal(b.m.s->vector, 0);
  assert_true(b.m.s->stale_state);
  assert_int_equal(b.m.s->timer, 0);
  step(&b);
  assert_false(b.m.s->stale_state);

  /* another U-turn begins the count anew, for all bits */
  u_turn(&b, 4);
  for (unsigned i = 0; i < TIMEOUT - 3; i++)
    step(&b);
  u_turn(&b, 5); /* sets in the last cycle before the expiry */
  assert_int_equal(b.m.s->vector, 0x30);
  for (unsigned i = 1; i < TIMEOUT; i++) {
    step(&b);
    assert_int_equal(b.m.s->vector, 0x30);
  }
  step(&b);
  assert_int_equal(b.m.s->vector, 0);
  stop(&b);
}

static void vector_without_timeout_stays(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 0));
  warm_up(&b, 4);
  u_turn(&b, 3);
  for (unsigned i = 0; i < 1000; i++)
    step(&b);
  assert_int_equal(b.m.s->vector, 0x08);
  stop(&b);
}

static void repair_clears_what_the_neighbour_no_longer_reports(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 1));
  warm_up(&b, 4);
  u_turn(&b, 4); /* nobody reports a fault: nothing to remember */
  assert_int_equal(b.m.s->vector, 0);
  b.report[UT_REPORT_FAULT] = 0x31; /* port 0 leads down: nobody listens there */
  step(&b);
  assert_int_equal(b.m.s->neighbour, 0x30);
  assert_true(b.m.s->stale_state);
  u_turn(&b, 4);
  u_turn(&b, 5);
  assert_int_equal(b.m.s->vector, 0x30);
  b.report[UT_REPORT_FAULT] = 0x20; /* the switch behind port 4 is whole again */
  step(&b);
  assert_int_equal(b.m.s->neighbour, 0x20);
  assert_int_equal(b.m.s->vector, 0x30);
  step(&b);
  assert_int_equal(b.m.s->vector, 0x20);
  b.out_up &= ~(ut_mask)0x20; /* a dead link reports nothing */
  step(&b);
  step(&b);
  assert_int_equal(b.m.s->neighbour, 0);
  assert_int_equal(b.m.s->vector, 0);
  stop(&b);
}

static void a_faulty_down_link_is_reported(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 0));
  warm_up(&b, 4);
  assert_false(b.m.s->fault);
  b.out_up = b.m.g.all_out & ~(ut_mask)0x08; /* an up link */
  step(&b);
  assert_false(b.m.s->fault);
  b.out_up = b.m.g.all_out & ~(ut_mask)0x04;
  step(&b);
  assert_true(b.m.s->fault);
  b.out_up = b.m.g.all_out;
  step(&b);
  assert_false(b.m.s->fault);
  stop(&b);
}

/* As rtl/ut_reroute_vector.v: fault_q is 1 one cycle after the reset of a switch all of whose links are down. */
static void a_switch_without_links_reports_a_fault_after_reset(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 0));
  b.in_up = b.out_up = 0;
  step(&b);
  assert_true(b.m.s->fault);
  stop(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_in_a_2_ary_3_tree),
      cmocka_unit_test(routes_in_a_3_ary_2_tree),
      cmocka_unit_test(routes_around_faults_by_u_turns),
      cmocka_unit_test(one_fault_needs_no_vector_and_one_bit),
      cmocka_unit_test(det_link_takes_one_port_in_two_layers),
      cmocka_unit_test(det_switch_turns_over_two_tiers_in_three_layers),
      cmocka_unit_test(adaptive_switch_turns_over_two_tiers_with_the_vector),
      cmocka_unit_test(misroute_header_remembers_its_attempts),
      cmocka_unit_test(reports_of_faults_two_levels_up),
      cmocka_unit_test(rewritten_header_leaves_with_the_head),
      cmocka_unit_test(vector_is_set_by_a_u_turn_and_expires_at_exactly_timeout_cycles),
      cmocka_unit_test(vector_without_timeout_stays),
      cmocka_unit_test(repair_clears_what_the_neighbour_no_longer_reports),
      cmocka_unit_test(a_faulty_down_link_is_reported),
      cmocka_unit_test(a_switch_without_links_reports_a_fault_after_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
