/* SPDX-License-Identifier: Apache-2.0 */
/* test_switch_blocks.c - arbiter, buffer, selection and latency of model and spec, with expectations worked out by hand
 * (docs/reference/cycle-contract.md). */
#include "bench.h"
#include "layers.h"
#include "steps.h"

/* ---- arbiter */

static void arbiter_takes_turns(void **state) {
  (void)state;
  const ut_mask all = 0xf, req = 0xb; /* requests 0, 1, 3 */
  const unsigned order[6] = {0, 1, 3, 0, 1, 3};
  const ut_mask after[6] = {0xe, 0xc, 0x0, 0xe, 0xc, 0x0};
  ut_mask mask = all;
  unsigned pointer = 0;
  for (unsigned i = 0; i < 6; i++) {
    unsigned grant = ut_rr_pick(req, mask);
    assert_int_equal(grant, order[i]);
    assert_int_equal(spec_round_robin((const bool[]){true, true, false, true}, 4, pointer), order[i]);
    pointer = order[i] + 1;
    mask = ut_rr_after(grant, all);
    assert_int_equal(mask, after[i]);
  }
  assert_int_equal(ut_rr_pick(0x2, 0xc), 1); /* alone, although behind */
  assert_int_equal(ut_rr_after(63, ~(ut_mask)0), 0);
}

/* ---- sets, and bytes of lanes */

static void bits_and_bytes_are_the_same_sets(void **state) {
  (void)state;
  uint32_t x = 1;
  for (unsigned i = 0; i < 1000; i++) {
    x = x * 1664525 + 1013904223; /* any bits */
    const uint32_t bits = i < 32 ? UINT32_C(1) << i : x ^ x >> 15;
    const ut_vector bytes = ut_spread(bits);
    for (unsigned n = 0; n < UT_LANES; n++)
      assert_int_equal(bytes[n], bits >> n & 1 ? 0xff : 0);
    assert_int_equal(ut_gather(bytes), bits);
    const uint64_t all = (uint64_t)x << 32 | bits, mask = all * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t side_by_side = 0;
    for (unsigned n = 0, at = 0; n < 64; n++)
      if (mask >> n & 1)
        side_by_side |= (all >> n & 1) << at++;
    assert_true(ut_extract(all, mask) == side_by_side);
  }
}

/* Several switches in a block, one that fills it, and one of several words: what is written of one switch leaves the
 * others alone. */
static void sets_of_a_switch_in_those_of_its_block(void **state) {
  (void)state;
  const struct { unsigned ports, v; } shape[] = {{2, 1}, {3, 2}, {8, 1}, {8, 4}, {32, 1}, {12, 5}, {32, 8}};
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    struct ut_shape p = shape_of(1, shape[i].v, 4, 1, UT_FATTREE_FTA);
    p.pi = p.po = shape[i].ports;
    const struct ut_form x = ut_form_of(p);
    const unsigned lanes = 1u << x.each_bits;
    for (unsigned base = 0; base < x.all; base += lanes) {
      uint64_t block[UT_SET_WORDS];
      for (unsigned w = 0; w < UT_SET_WORDS; w++)
        block[w] = ~UINT64_C(0) / 3;
      ut_mask masks[UT_MAX_VCS];
      for (unsigned v = 0; v < p.v; v++)
        masks[v] = (ut_mask)(0x9e3779b9u * (v + 1 + base)) & ut_mask_all(p.pi);
      const ut_set set = ut_set_join(masks, x);
      ut_block_put(block, base, set, x);
      for (unsigned n = 0; n < x.all; n++) {
        const bool mine = n - n % lanes == base;
        const unsigned port = ut_lane_port(n, x), vc = ut_lane_vc(n, x);
        const bool member = mine ? vc < p.v && masks[vc] >> port & 1 : n % 2 == 0;
        assert_int_equal(ut_has(block, n, x.sets), member);
      }
      const ut_set back = ut_set_of(block, base, x);
      ut_mask ports = 0;
      unsigned members = 0;
      for (unsigned v = 0; v < p.v; v++) {
        assert_int_equal(ut_set_mask(back, v, x), masks[v]);
        ports |= masks[v];
        members += (unsigned)__builtin_popcountll(masks[v]);
      }
      assert_int_equal(ut_set_ports(back, x), ports);
      assert_int_equal(ut_set_any(back, x), members > 0);
      assert_int_equal(ut_set_several(back, x), members > 1);
      for (unsigned port = 0; port < p.pi; port++)
        for (unsigned v = 0; v < p.v; v++)
          assert_int_equal(ut_set_vcs(back, port, x) >> v & 1, masks[v] >> port & 1);
      uint64_t array[4 * UT_SET_WORDS] = {0};
      ut_set_store(array, 2, set, x);
      const ut_set loaded = ut_set_load(array, 2, x), none = ut_set_load(array, 1, x);
      assert_memory_equal(loaded.w, set.w, x.locals * sizeof(uint64_t));
      assert_false(ut_set_any(none, x));
    }
  }
}

/* One lane, and two, of a switch with any number of them. */
static void sets_of_few_lanes(void **state) {
  (void)state;
  const struct { unsigned ports, v; } shape[] = {{2, 1}, {8, 4}, {16, 4}, {12, 5}, {32, 8}};
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    struct ut_shape p = shape_of(1, shape[i].v, 4, 1, UT_FATTREE_FTA);
    p.pi = p.po = shape[i].ports;
    const struct ut_form x = ut_form_of(p);
    const unsigned lanes = 1u << x.each_bits;
    for (unsigned a = 0; a < lanes; a++) {
      uint64_t one[UT_SET_WORDS] = {0};
      ut_put(one, a, x.sets);
      const ut_set of_one = ut_set_of(one, 0, x), above = ut_set_above(a, x);
      assert_false(ut_set_several(of_one, x));
      assert_int_equal(ut_set_first(of_one, x), a);
      for (unsigned b = 0; b < lanes; b++) {
        uint64_t two[UT_SET_WORDS] = {0};
        ut_put(two, a, x.sets), ut_put(two, b, x.sets);
        const ut_set of_two = ut_set_of(two, 0, x);
        assert_int_equal(ut_set_several(of_two, x), a != b);
        assert_int_equal(ut_set_first(of_two, x), a < b ? a : b);
        assert_int_equal(above.w[b / 64] >> b % 64 & 1, b > a);
        ut_take(two, b, x.sets);
        assert_int_equal(ut_has(two, a, x.sets), a != b);
        ut_assign(two, b, true, x.sets);
        assert_true(ut_has(two, b, x.sets) && ut_has(two, a, x.sets));
        ut_assign(two, b, false, x.sets);
        assert_false(ut_has(two, b, x.sets));
        assert_int_equal(ut_has(two, a, x.sets), a != b);
      }
    }
    unsigned all = 0; /* the lanes that there are, of every word */
    for (unsigned w = 0; w < x.locals; w++)
      all += (unsigned)__builtin_popcountll(ut_set_all().w[w]);
    assert_int_equal(all, 64 * x.locals);
  }
}

/* The arbiter over a switch's lanes is the arbiter over words of ports. */
static void arbiter_over_lanes_is_the_same(void **state) {
  (void)state;
  const unsigned vcs[] = {1, 2, 4, 8};
  for (unsigned i = 0; i < 4; i++) {
    struct ut_shape p = shape_of(16, vcs[i], 4, 1, UT_FATTREE_FTA);
    const struct ut_form x = ut_form_of(p);
    ut_mask request[UT_MAX_VCS];
    bool asks[UT_MAX_LANES];
    ut_set first = ut_set_all();
    unsigned pointer = 0;
    uint32_t r = 1;
    for (unsigned turn = 0; turn < 2000; turn++) {
      ut_mask any = 0;
      for (unsigned v = 0; v < p.v; v++) {
        r = r * 1664525 + 1013904223;
        request[v] = r >> 3 & (r ^ r >> 11) & (turn % 3 ? ~(ut_mask)0 : r >> 7);
        any |= request[v];
        for (unsigned port = 0; port < p.pi; port++)
          asks[v * p.pi + port] = request[v] >> port & 1;
      }
      if (!any)
        continue;
      const int line = spec_round_robin(asks, p.v * p.pi, pointer);
      const unsigned lane = ut_set_pick(ut_set_join(request, x), first, x);
      first = ut_set_above(lane, x);
      pointer = (unsigned)line + 1;
      assert_int_equal(ut_lane_vc(lane, x) * p.pi + ut_lane_port(lane, x), line);
    }
  }
}

/* ---- layers */

static void layers_take_vcs_from_the_top(void **state) {
  (void)state;
  for (unsigned layers = 1; layers <= 4; layers++)
    for (unsigned v = layers; v <= UT_MAX_VCS; v++) {
      unsigned vcs[4] = {0};
      for (unsigned vc = 0; vc < v; vc++) {
        const unsigned layer = ut_layer_of(v, layers, vc);
        assert_in_range(layer, vc ? ut_layer_of(v, layers, vc - 1) : 0, layers - 1); /* in their order */
        vcs[layer]++;
      }
      assert_int_equal(ut_first_layer_vcs(v, layers), vcs[0]);
      for (unsigned layer = 1; layer < layers; layer++)
        assert_int_equal(vcs[layer], 1);
    }
  struct ut_shape p = shape_of(2, 3, 4, 1, UT_FATTREE_REROUTE_DET_SWITCH);
  assert_int_equal(ut_layers(&p), 3);
  p.v = 2; /* not for that algorithm */
  assert_int_equal(ut_layers(&p), 2);
  p.v = 8;
  assert_int_equal(ut_layers(&p), 3);
  p.algorithm = UT_FATTREE_FTA;
  assert_int_equal(ut_layers(&p), 1);
}

/* ---- buffer */

/* A buffer of any depth in a ring of twice as many places; positions of bytes and of 16 bits. */
static void buffer_wraps_at_any_depth(void **state) {
  (void)state;
  const unsigned depths[] = {1, 3, 4, 100, 127, 128, 200, 255};
  for (unsigned i = 0; i < sizeof depths / sizeof depths[0]; i++) {
    const unsigned depth = depths[i];
    struct bench b;
    start(&b, shape_of(2, 1, depth, 1, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
    unsigned pushed = 0, popped = 0;
    while (popped < 5 * depth + 3) {
      struct ut_work w;
      const unsigned held = pushed - popped;
      const bool push = held < depth, pop = held == depth || (held > 0 && pushed > depth && pushed % 3 == 0);
      golden_begin(&b.m, &w, false);
      if (push)
        golden_arrive(&b.m, 1, 0, (uint64_t[]){100 + pushed, ut_flit_meta(pushed % 8, 0)});
      if (pop) {
        const size_t n = golden_in_block(&b.m, 1, 0);
        assert_int_equal(*ut_reg_peek(&b.m.g, b.m.s, 1, 0, 0), 100 + popped);
        assert_int_equal(*ut_front_flit(&w, n, b.m.g.form), 100 + popped);
        assert_int_equal(ut_input_tag(&w, n, ut_front_flit(&w, n, b.m.g.form), b.m.g.form), popped % 8);
        ut_input_drop(&w, n, b.m.g.form);
        assert_int_equal(golden_ports(&b.m, w.popped, 0), 0x2);
      }
      golden_end(&b.m, &w);
      pushed += push, popped += pop;
      assert_int_equal(count_of(&b, 1), pushed - popped);
      assert_int_equal(ut_reg_wr(&b.m.g, b.m.s, 1, 0), pushed % depth);
      assert_int_equal(ut_reg_rd(&b.m.g, b.m.s, 1, 0), popped % depth);
      assert_int_equal(ut_has(golden_set(&b.m, UT_S_OCCUPIED), 1, b.m.g.form.sets), pushed > popped);
      /* what the memory of the RTL holds: also flits that have left */
      for (unsigned at = pushed < depth ? 0 : pushed - depth; at < pushed; at++)
        assert_int_equal(*ut_reg_place(&b.m.g, b.m.s, 1, 0, at % depth), 100 + at);
    }
    stop(&b);
  }
}

/* ---- selection */

/* The same of the spec; registers are as in the model, but output VCs without room have an owner. */
static bool spec_selects(struct bench *b, unsigned ip, unsigned vc, ut_mask ports, unsigned *op) {
  static const struct spec_inputs nothing;
  struct spec_switch *spec = b->m.g.spec->sw;
  struct spec_cycle c;
  ut_spec_load(&b->m.g, b->m.s, spec);
  memset(&c, 0, sizeof c);
  c.in = &nothing;
  spec->in[ip].vc[0].state = UT_VC_STATE_WAITING;
  for (unsigned port = 0; port < spec->shape.po; port++)
    for (unsigned ovc = 0; ovc < spec->shape.v; ovc++)
      spec->out[port].vc[ovc].owned = ovc != vc || !(ports >> port & 1);
  spec_allocate_vcs(spec, &c);
  *op = c.vc[ip][0].port;
  return c.vc[ip][0].bids;
}

/* The output port that VC 0 of an input port selects among its candidates on a VC; ports: those with room. */
static bool selects(struct bench *b, unsigned ip, unsigned vc, ut_mask ports, unsigned *op) {
  struct ut_work w;
  uint64_t room[UT_SET_WORDS] = {0}, full[UT_SET_WORDS];
  unsigned out = 0;
  golden_begin(&b->m, &w, false);
  golden_set_ports(&b->m, room, vc, ports);
  ut_vc_full(&w, full, b->m.g.form);
  unsigned of_spec;
  const bool any = spec_selects(b, ip, vc, ports, &of_spec);
  assert_int_equal(ut_vc_select(&w, golden_in_block(&b->m, ip, 0), room, full, NULL, NULL, &out, b->m.g.form), any);
  if (!any)
    return false;
  *op = ut_lane_port(out, b->m.g.form);
  assert_int_equal(of_spec, *op);
  assert_int_equal(ut_lane_vc(out, b->m.g.form), vc);
  return true;
}

/* To a VC of each port. */
static void give_credits(struct bench *b, unsigned vc, const unsigned *count) {
  for (unsigned op = 0; op < b->m.g.shape.po; op++)
    for (unsigned i = 0; i < count[op]; i++) {
      struct ut_work w;
      golden_begin(&b->m, &w, false);
      golden_credit(&b->m, op, vc);
      golden_end(&b->m, &w);
    }
}

static void selection_most_credits_then_rotating_priority(void **state) {
  (void)state;
  struct bench b;
  unsigned op;
  start(&b, shape_of(2, 1, 4, 1, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  step(&b);
  give_credits(&b, 0, (unsigned[]){2, 3, 3, 1});
  ut_set_cand(&b.m.g, b.m.s, 0, 0, 0, 0xf);
  /* ports 1 and 2 have most; input 0 begins at the opposite port, 2 */
  assert_true(selects(&b, 0, 0, 0xf, &op));
  assert_int_equal(op, 2);
  /* input 3 begins at port 1 */
  ut_set_cand(&b.m.g, b.m.s, 3, 0, 0, 0xf);
  assert_true(selects(&b, 3, 0, 0xf, &op));
  assert_int_equal(op, 1);
  /* a port without room does not count, however many credits it has */
  assert_true(selects(&b, 0, 0, 0x9, &op));
  assert_int_equal(op, 0);
  ut_set_cand(&b.m.g, b.m.s, 0, 0, 0, 0x8);
  assert_true(selects(&b, 0, 0, 0xf, &op));
  assert_int_equal(op, 3);
  assert_false(selects(&b, 0, 0, 0x7, &op));
  /* all credits are most, too, however many ports have them */
  give_credits(&b, 0, (unsigned[]){2, 0, 0, 3});
  ut_set_cand(&b.m.g, b.m.s, 0, 0, 0, 0xf);
  assert_true(selects(&b, 0, 0, 0xf, &op));
  assert_int_equal(op, 3);
  stop(&b);
}

static void selection_priority_moves_behind_the_granted_port(void **state) {
  (void)state;
  struct bench b;
  const unsigned order[5] = {2, 3, 0, 1, 2};
  const ut_mask after[5] = {0x8, 0x0, 0xe, 0xc, 0x8};
  start(&b, shape_of(2, 1, 4, 1, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  step(&b);
  give_credits(&b, 0, (unsigned[]){2, 2, 2, 2});
  for (unsigned i = 0; i < 5; i++) {
    struct ut_work w;
    ut_set_cand(&b.m.g, b.m.s, 0, 0, 0, 0xf);
    ut_set_state(&b.m.g, b.m.s, 0, 0, UT_VC_STATE_WAITING);
    golden_begin(&b.m, &w, false);
    golden_set_ports(&b.m, w.bid, 0, 0x1);
    ut_vc_allocate(&w, b.m.g.form);
    assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
    assert_int_equal(golden_ports(&b.m, w.send, 0), 0x1);
    assert_int_equal(ut_reg_out_port(&b.m.g, b.m.s, 0, 0), order[i]);
    assert_int_equal(ut_reg_select(&b.m.g, b.m.s, 0), after[i]);
    assert_int_equal(owned(&b), ut_bit(order[i]));
    ut_set_owned(&b.m.g, b.m.s, order[i], 0, false);
  }
  stop(&b);
}

static void selection_prefers_a_class_and_obeys_the_bubble_rule(void **state) {
  (void)state;
  struct bench b;
  unsigned op;
  struct ut_shape shape = shape_of(2, 2, 4, 2, UT_TORUS_DUATO);
  shape.route = UT_ROUTE_TORUS;
  shape.pi = shape.po = 6;
  shape.size[0] = shape.size[1] = 4; /* ports 0 to 3 are in rings, of the VCs the escape VC */
  start(&b, shape, ut_grid_strap_make(0, 0, 0, 0));
  step(&b);
  give_credits(&b, 1, (unsigned[]){2, 3, 4, 3, 4, 4});
  ut_set_cand(&b.m.g, b.m.s, 0, 0, 1, 0xf);

  ut_set_preferred(&b.m.g, b.m.s, 0, 0, 1, 0x3); /* the preferred ports, although others have more credits */
  assert_true(selects(&b, 0, 1, 0xf, &op));
  assert_int_equal(op, 1);
  /* none of the preferred class has room: the others */
  assert_true(selects(&b, 0, 1, 0xc, &op));
  assert_int_equal(op, 2);
  ut_set_bubble(&b.m.g, b.m.s, 0, 0, 1, 0x3); /* 2 and 3 credits are no space for two packets of 2 */
  assert_true(selects(&b, 0, 1, 0xf, &op));
  assert_int_equal(op, 2);
  ut_set_bubble(&b.m.g, b.m.s, 0, 0, 1, 0xf); /* 4 credits are */
  assert_true(selects(&b, 0, 1, 0x4, &op));
  assert_int_equal(op, 2);
  assert_false(selects(&b, 0, 1, 0x3, &op));
  stop(&b);
}

/* ---- latency */

static void a_hop_takes_its_cycles_and_flits_follow_one_another(void **state) {
  (void)state;
  for (unsigned v = 1; v <= 2; v++)
    for (unsigned r = 0; r <= UT_MAX_ROUTE_CYCLES; r++)
      for (unsigned a = 1; a <= 3; a++) { /* 3: alloc_cycles 2, xbar_cycles 1 */
        struct bench b;
        struct ut_shape shape = shape_of(2, v, 4, 2, UT_FATTREE_FTA);
        shape.route_cycles = r;
        shape.alloc_cycles = a < 3 ? a : 2;
        shape.xbar_cycles = a == 3;
        start(&b, shape, ut_level_strap_make(0, 0, 1, 0, 0));
        assert_int_equal(ut_shape_hop(&shape), 2 + r + (a - 1));
        warm_up(&b, 4);
        arrive(&b, 0, UT_KIND_HEAD, header_to(1)); /* valid in cycle 0 */
        step(&b);
        arrive(&b, 0, UT_KIND_TAIL, 9);
        for (unsigned cycle = 1; cycle < 2 + r + (a - 1); cycle++) {
          assert_int_equal(sent(&b), 0);
          step(&b);
        }
        assert_int_equal(sent(&b), 0x2);
        assert_int_equal(tag_sent(&b, 1), UT_KIND_HEAD);
        step(&b); /* and a flit in each cycle */
        assert_int_equal(sent(&b), 0x2);
        assert_int_equal(tag_sent(&b, 1), UT_KIND_TAIL);
        assert_int_equal(word_sent(&b, 1), 9);
        step(&b);
        assert_int_equal(sent(&b), 0);
        stop(&b);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arbiter_takes_turns),
      cmocka_unit_test(bits_and_bytes_are_the_same_sets),
      cmocka_unit_test(sets_of_a_switch_in_those_of_its_block),
      cmocka_unit_test(sets_of_few_lanes),
      cmocka_unit_test(arbiter_over_lanes_is_the_same),
      cmocka_unit_test(layers_take_vcs_from_the_top),
      cmocka_unit_test(buffer_wraps_at_any_depth),
      cmocka_unit_test(selection_most_credits_then_rotating_priority),
      cmocka_unit_test(selection_priority_moves_behind_the_granted_port),
      cmocka_unit_test(selection_prefers_a_class_and_obeys_the_bubble_rule),
      cmocka_unit_test(a_hop_takes_its_cycles_and_flits_follow_one_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
