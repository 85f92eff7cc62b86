/* SPDX-License-Identifier: Apache-2.0 */
/* test_registers.c - csim/switch/registers.h: what is written into one register is read there, and nowhere else; and
 * the comparison of two switches sees each register. */
#include "registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "registers_equal.h"

/* What is written at a place: the same each time for the same place. */
static uint64_t value(unsigned what, unsigned a, unsigned b, unsigned c) {
  uint64_t x = ((((uint64_t)what << 8 | a) << 8 | b) << 8 | c) + 1;
  x *= UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 32;
}
enum {
  STATE,
  COUNT,
  RD,
  PORT,
  VC,
  CAND,
  BUBBLE,
  PREFERRED,
  OWNED,
  CREDITS,
  BIT,
  PLACE = BIT + 8,
  FLIT = PLACE + UT_MAX_FLIT_WORDS
};

static unsigned state_at(unsigned ip, unsigned i) {
  return (unsigned)(value(STATE, ip, i, 0) % (UT_VC_STATE_DRAIN + 1));
}
static ut_mask ports_at(const struct ut_group *g, unsigned what, unsigned ip, unsigned i, unsigned o) {
  return (ut_mask)value(what, ip, i, o) & g->all_out;
}

/* Registers of one bit that tests have no other way to write. */
static const struct {
  enum ut_register set;
  bool (*read)(const struct ut_group *, const struct ut_switch *, unsigned, unsigned);
} bit[] = {{UT_S_OPEN, ut_reg_open},       {UT_S_CUT, ut_reg_cut},           {UT_S_CREDIT, ut_reg_credit},
           {UT_S_DEPENDS, ut_reg_depends}, {UT_S_STRIPPED, ut_reg_stripped}, {UT_S_OLD, ut_reg_old},
           {UT_S_CROSS, ut_reg_cross}};

static void write_all(const struct ut_group *g, struct ut_switch *s) {
  const struct ut_shape *p = &g->shape;
  for (unsigned ip = 0; ip < p->pi; ip++)
    for (unsigned i = 0; i < p->v; i++) {
      ut_set_state(g, s, ip, i, state_at(ip, i));
      ut_set_buffer(g, s, ip, i, (unsigned)(value(RD, ip, i, 0) % p->depth),
                    (unsigned)(value(COUNT, ip, i, 0) % (p->depth + 1)));
      for (unsigned r = 0; r < sizeof bit / sizeof bit[0]; r++)
        ut_set_bit(g, s, bit[r].set, ip, i, value(BIT + r, ip, i, 0) & 1);
      if (state_at(ip, i) == UT_VC_STATE_ACTIVE)
        ut_set_out(g, s, ip, i, (unsigned)(value(PORT, ip, i, 0) % p->po), (unsigned)(value(VC, ip, i, 0) % p->v));
      for (unsigned o = 0; o < p->v; o++) {
        if (state_at(ip, i) != UT_VC_STATE_ACTIVE)
          ut_set_cand(g, s, ip, i, o, ports_at(g, CAND, ip, i, o));
        if (g->form.bubble)
          ut_set_bubble(g, s, ip, i, o, ports_at(g, BUBBLE, ip, i, o));
        if (g->form.preferred)
          ut_set_preferred(g, s, ip, i, o, ports_at(g, PREFERRED, ip, i, o));
      }
      for (unsigned d = 0; d < p->depth; d++) {
        uint64_t flit[UT_MAX_FLIT_WORDS + 1];
        for (unsigned w = 0; w < g->form.words; w++)
          flit[w] = value(PLACE + w, ip, i, d);
        flit[g->form.words] = ut_flit_meta((unsigned)(value(PLACE, ip, i, d) % 8), i);
        ut_set_place(g, s, ip, i, d, flit);
      }
    }
  for (unsigned op = 0; op < p->po; op++)
    for (unsigned o = 0; o < p->v; o++) {
      ut_set_owned(g, s, op, o, value(OWNED, op, o, 0) & 1);
      ut_set_credits(g, s, op, o, (unsigned)(value(CREDITS, op, o, 0) % (p->depth + 1)));
    }
  for (unsigned op = 0; op < p->po; op++)
    for (unsigned w = 0; w <= g->form.words; w++)
      ut_at_set_flit(ut_site_of(g, s), op, g->form)[w] = value(FLIT + w, op, 0, 0);
}

static void check_input(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned i) {
  const struct ut_shape *p = &g->shape;
  const bool active = state_at(ip, i) == UT_VC_STATE_ACTIVE;
  const unsigned port = (unsigned)(value(PORT, ip, i, 0) % p->po), vc = (unsigned)(value(VC, ip, i, 0) % p->v);
  const unsigned rd = (unsigned)(value(RD, ip, i, 0) % p->depth);
  assert_int_equal(ut_reg_state(g, s, ip, i), state_at(ip, i));
  assert_int_equal(ut_reg_count(g, s, ip, i), value(COUNT, ip, i, 0) % (p->depth + 1));
  assert_int_equal(ut_reg_rd(g, s, ip, i), rd);
  assert_int_equal(ut_reg_wr(g, s, ip, i), (rd + value(COUNT, ip, i, 0) % (p->depth + 1)) % p->depth);
  for (unsigned r = 0; r < sizeof bit / sizeof bit[0]; r++)
    assert_int_equal(bit[r].read(g, s, ip, i), value(BIT + r, ip, i, 0) & 1);
  if (active) {
    assert_int_equal(ut_reg_out_port(g, s, ip, i), port);
    assert_int_equal(ut_reg_out_vc(g, s, ip, i), vc);
  }
  for (unsigned o = 0; o < p->v; o++) {
    const ut_mask own = o == vc ? ut_bit(port) : 0;
    assert_int_equal(ut_reg_cand(g, s, ip, i, o), active ? own : ports_at(g, CAND, ip, i, o));
    assert_int_equal(ut_reg_bubble(g, s, ip, i, o), g->form.bubble ? ports_at(g, BUBBLE, ip, i, o) : 0);
    assert_int_equal(ut_reg_preferred(g, s, ip, i, o), g->form.preferred ? ports_at(g, PREFERRED, ip, i, o) : 0);
  }
  for (unsigned d = 0; d < p->depth; d++) {
    const uint64_t *flit = ut_reg_place(g, s, ip, i, d);
    for (unsigned w = 0; w < g->form.words; w++)
      assert_int_equal(flit[w], value(PLACE + w, ip, i, d));
    assert_int_equal(ut_flit_tag(flit[g->form.words]), value(PLACE, ip, i, d) % 8);
    assert_int_equal(*ut_reg_peek(g, s, ip, i, d), value(PLACE, ip, i, (rd + d) % p->depth));
  }
  const uint64_t front = value(PLACE, ip, i, rd) % 8;
  assert_int_equal(ut_reg_front_is_head(g, s, ip, i),
                   front & UT_KIND_HEAD || (ut_reg_stripped(g, s, ip, i) && !(front & UT_BAD)));
}

/* Packets enter a ring through this output VC. */
static bool in_ring(const struct ut_group *g, unsigned op, unsigned ovc) {
  const struct ut_shape *p = &g->shape;
  return g->form.bubble && op / 2 < UT_MAX_DIMENSIONS && p->size[op / 2] &&
         (!g->form.preferred || ovc >= p->v - p->escapes);
}

static void check_all(const struct ut_group *g, const struct ut_switch *s) {
  const struct ut_shape *p = &g->shape;
  for (unsigned ip = 0; ip < p->pi; ip++)
    for (unsigned i = 0; i < p->v; i++)
      check_input(g, s, ip, i);
  for (unsigned op = 0; op < p->po; op++)
    for (unsigned o = 0; o < p->v; o++) {
      const unsigned credits = (unsigned)(value(CREDITS, op, o, 0) % (p->depth + 1));
      assert_int_equal(ut_reg_owned(g, s, op, o), value(OWNED, op, o, 0) & 1);
      assert_int_equal(ut_reg_credits(g, s, op, o), credits);
      assert_int_equal(ut_reg_space(g, s, op, o), credits >= g->need[o]);
      assert_int_equal(ut_reg_space2(g, s, op, o), in_ring(g, op, o) && credits >= g->need2[o]);
    }
  for (unsigned op = 0; op < p->po; op++)
    for (unsigned w = 0; w <= g->form.words; w++)
      assert_int_equal(ut_reg_flit(g, s, op)[w], value(FLIT + w, op, 0, 0));
}

/* After a reset, whatever stood there (rtl/ut_input_vc.v, ut_output_unit.v, ut_rr_arbiter.v). */
static void check_reset(const struct ut_group *g, const struct ut_switch *s) {
  const struct ut_shape *p = &g->shape;
  assert_int_equal(ut_reg_valid(g, s), 0);
  for (unsigned ip = 0; ip < p->pi; ip++) {
    assert_int_equal(ut_reg_route_pointer(g, s, ip), p->v > 1 ? ut_mask_all(p->v) : 0);
    assert_int_equal(ut_reg_switch_pointer(g, s, ip), p->v > 1 ? ut_mask_all(p->v) : 0);
    for (unsigned i = 0; i < p->v; i++) {
      assert_int_equal(ut_reg_state(g, s, ip, i), UT_VC_STATE_IDLE);
      assert_int_equal(ut_reg_count(g, s, ip, i) + ut_reg_rd(g, s, ip, i) + ut_reg_wr(g, s, ip, i), 0);
      assert_int_equal(ut_reg_pending_credits(g, s, ip, i), p->depth);
      assert_false(ut_reg_open(g, s, ip, i) || ut_reg_cut(g, s, ip, i) || ut_reg_credit(g, s, ip, i));
      assert_false(ut_reg_stripped(g, s, ip, i) || ut_reg_wait(g, s, ip, i));
    }
  }
  for (unsigned op = 0; op < p->po; op++)
    for (unsigned o = 0; o < p->v; o++) {
      assert_false(ut_reg_owned(g, s, op, o) || ut_reg_credits(g, s, op, o) || ut_reg_space(g, s, op, o));
      assert_int_equal(ut_reg_sa(g, s, op, o), p->v > 1 ? g->all_in : 0);
      for (unsigned i = 0; i < p->v; i++)
        assert_int_equal(ut_reg_va(g, s, op, o, i), g->all_in);
    }
}

static struct ut_shape shape_of(unsigned ports, unsigned v, unsigned depth, unsigned words) {
  const bool both = v > 1; /* bubble candidates and a preferred class */
  return (struct ut_shape){.pi = ports,
                           .po = ports,
                           .v = v,
                           .depth = depth,
                           .w = 64 * words,
                           .max_packet = 1,
                           .min_packet = 1,
                           .route = both ? UT_ROUTE_TORUS : UT_ROUTE_FATTREE,
                           .algorithm = both ? UT_TORUS_DUATO : UT_FATTREE_FTA,
                           .size = {both ? 3 : 0},
                           .alloc_cycles = 1,
                           .escapes = 1,
                           .links = 1,
                           .vin1_vcs = 1};
}

/* The wires of a group of so many switches, which end nowhere. */
static void join(struct ut_group *g, struct ut_wires *w, uint32_t count) {
  const struct ut_shape *p = &g->shape;
  const uint32_t lanes = ut_shape_lanes(p, count);
  *w = (struct ut_wires){.terminals = UT_LANES + 2 * lanes,
                         .words = p->w / 64,
                         .depth = p->depth,
                         .link_cycles = 1,
                         .injection_cycles = 1,
                         .ejection_cycles = 1};
  assert_true(ut_wires_init(w, UT_LANES + 2 * lanes));
  ut_group_join(g, w, UT_LANES);
  for (uint32_t n = UT_LANES; n < UT_LANES + lanes; n++)
    ut_wires_join(w, n, n + lanes, ut_lane_vc(n, g->form));
}

static void every_register_has_a_place_of_its_own(void **state) {
  (void)state;
  const struct {
    unsigned ports, v, depth, words;
  } shape[] = {{4, 1, 1, 1}, {8, 1, 4, 8},  {10, 1, 255, 1}, {18, 1, 5, 2}, {32, 1, 3, 1}, {3, 2, 2, 1},
               {7, 4, 9, 1}, {9, 3, 16, 2}, {16, 8, 2, 1},   {32, 2, 4, 1}, {32, 8, 2, 8}};
  for (unsigned n = 0; n < sizeof shape / sizeof shape[0]; n++) {
    struct ut_shape p = shape_of(shape[n].ports, shape[n].v, shape[n].depth, shape[n].words);
    struct ut_group g;
    struct ut_wires w;
    assert_null(ut_shape_rule(&p));
    assert_true(ut_group_init(&g, &p, 7, 11)); /* and of its switch */
    join(&g, &w, 11);
    for (uint32_t id = 7; id < 18; id += 2)
      write_all(&g, ut_switch_of(&g, id));
    for (uint32_t id = 7; id < 18; id++)
      if (id % 2) {
        check_all(&g, ut_switch_of(&g, id));
        ut_switch_reset(&g, ut_switch_of(&g, id), 0);
      }
    for (uint32_t id = 7; id < 18; id++)
      check_reset(&g, ut_switch_of(&g, id));
    ut_group_fini(&g);
    ut_wires_fini(&w);
  }
}

/* One register at a time is written in one of two switches. */
static void the_comparison_sees_each_register(void **state) {
  (void)state;
  const struct ut_shape p = shape_of(6, 3, 4, 2);
  const uint64_t flit[3] = {0, 0, UT_KIND_HEAD};
  struct ut_group g;
  struct ut_wires w;
  assert_true(ut_group_init(&g, &p, 0, 2));
  join(&g, &w, 2);
  struct ut_switch *a = ut_switch_of(&g, 0), *b = ut_switch_of(&g, 1);
#define SEEN(name, ...)                                                                                                \
  do {                                                                                                                 \
    assert_null(differing_register(&g, a, &g, b));                                                                     \
    ut_set_##name(&g, a, __VA_ARGS__);                                                                                 \
    assert_string_equal(differing_register(&g, a, &g, b), #name);                                                      \
    ut_set_##name(&g, b, __VA_ARGS__);                                                                                 \
  } while (0)
  SEEN(state, 5, 2, UT_VC_STATE_WAITING);
  SEEN(cand, 5, 2, 1, 0x20);
  SEEN(bubble, 5, 2, 2, 0x20);
  SEEN(preferred, 5, 2, 0, 0x01);
  SEEN(place, 5, 2, 3, flit);
  SEEN(owned, 5, 2, true);
  SEEN(credits, 5, 2, 1);
#undef SEEN
#define SEEN(name, set, ...)                                                                                           \
  do {                                                                                                                 \
    assert_null(differing_register(&g, a, &g, b));                                                                     \
    set(&g, a, __VA_ARGS__);                                                                                           \
    assert_string_equal(differing_register(&g, a, &g, b), name);                                                       \
    set(&g, b, __VA_ARGS__);                                                                                           \
  } while (0)
  SEEN("count", ut_set_buffer, 5, 2, 0, 4);
  SEEN("rd", ut_set_buffer, 5, 2, 3, 4);
  SEEN("open", ut_set_bit, UT_S_OPEN, 5, 2, true);
  SEEN("cut", ut_set_bit, UT_S_CUT, 5, 2, true);
  SEEN("credit", ut_set_bit, UT_S_CREDIT, 5, 2, true);
  SEEN("depends", ut_set_bit, UT_S_DEPENDS, 5, 2, true);
  SEEN("stripped", ut_set_bit, UT_S_STRIPPED, 5, 2, true);
  SEEN("old", ut_set_bit, UT_S_OLD, 5, 2, true);
  SEEN("cross", ut_set_bit, UT_S_CROSS, 5, 2, true);
  SEEN("in_up", ut_set_bit, UT_S_IN_UP, 5, 2, true);
  SEEN("discard", ut_set_bit, UT_S_DISCARD, 5, 2, true);
  SEEN("stale_link", ut_set_bit, UT_S_STALE_LINK, 5, 2, true);
  SEEN("valid", ut_set_bit, UT_S_VALID, 5, 2, true);
#undef SEEN
  assert_null(differing_register(&g, a, &g, b));
  ut_at_set_flit(ut_site_of(&g, a), 5, g.form)[1] = 7;
  assert_string_equal(differing_register(&g, a, &g, b), "flit");
  ut_at_set_flit(ut_site_of(&g, b), 5, g.form)[1] = 7;
  assert_null(differing_register(&g, a, &g, b));
  ut_switch_reset(&g, a, 0); /* arbiters, what is pending */
  assert_non_null(differing_register(&g, a, &g, b));
  ut_switch_reset(&g, b, 0);
  assert_null(differing_register(&g, a, &g, b));
  ut_group_fini(&g);
  ut_wires_fini(&w);
}

static void limits_of_the_depth(void **state) {
  (void)state;
  struct ut_shape p = shape_of(4, 1, UT_MAX_DEPTH, 1);
  assert_null(ut_shape_rule(&p));
  p.depth++;
  assert_string_equal(ut_shape_rule(&p), "depth_must_be_1_to_255");
  p.depth = 0;
  p.switching = UT_WORMHOLE; /* else it must hold a packet */
  assert_string_equal(ut_shape_rule(&p), "depth_must_be_1_to_255");
  p = shape_of(3, 4, 2, 1); /* a flit that is stripped waits for the next one */
  p.escapes = 2;
  p.route = UT_ROUTE_MESH; /* has no bubble rule, which asks for more */
  p.algorithm = UT_MESH_DUATO;
  assert_null(ut_shape_rule(&p));
  p.depth = 1;
  assert_string_equal(ut_shape_rule(&p), "stripping_needs_a_buffer_of_two_flits");
  p.escapes = 1;
  assert_null(ut_shape_rule(&p));
}

/* A line has no way around a fault; what does not try to go around one is at home there. */
static void only_detours_need_two_dimensions(void **state) {
  (void)state;
  struct ut_shape p = shape_of(3, 2, 4, 1);
  p.route = UT_ROUTE_DETOUR_MESH;
  p.algorithm = UT_DETOUR_MESH_ECUBE;
  p.size[0] = 4;
  assert_null(ut_shape_rule(&p));
  p.algorithm = UT_DETOUR_MESH_DETOUR;
  p.v = 4;
  assert_string_equal(ut_shape_rule(&p), "detours_need_two_dimensions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_register_has_a_place_of_its_own),
      cmocka_unit_test(the_comparison_sees_each_register),
      cmocka_unit_test(limits_of_the_depth),
      cmocka_unit_test(only_detours_need_two_dimensions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
