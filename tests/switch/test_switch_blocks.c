/* test_switch_blocks.c - arbiter, buffer, selection and latency of csim/switch, with expectations worked out by hand
 * (docs/cycle-contract.md). */
#include "bench.h"

/* ---- arbiter */

static void arbiter_takes_turns(void **state) {
  (void)state;
  const ut_mask all = 0xf, req = 0xb; /* requests 0, 1, 3 */
  const unsigned order[6] = {0, 1, 3, 0, 1, 3};
  const ut_mask after[6] = {0xe, 0xc, 0x0, 0xe, 0xc, 0x0};
  ut_mask mask = all;
  for (unsigned i = 0; i < 6; i++) {
    unsigned grant = ut_rr_pick(req, mask);
    assert_int_equal(grant, order[i]);
    mask = ut_rr_after(grant, all);
    assert_int_equal(mask, after[i]);
  }
  assert_int_equal(ut_rr_pick(0x2, 0xc), 1); /* alone, although behind */
  assert_int_equal(ut_rr_after(31, ~(ut_mask)0), 0);
}

static void arbiter_over_words_is_one_ring(void **state) {
  (void)state;
  /* three words of four lines; the word is the slow index */
  const ut_mask req[3] = {0x8, 0x0, 0x5};
  const unsigned order[4][2] = {{0, 3}, {2, 0}, {2, 2}, {0, 3}};
  const ut_mask after[4][3] = {{0x0, 0xf, 0xf}, {0x0, 0x0, 0xe}, {0x0, 0x0, 0x8}, {0x0, 0xf, 0xf}};
  ut_mask mask[3] = {0xf, 0xf, 0xf};
  for (unsigned i = 0; i < 4; i++) {
    unsigned word, line = ut_rr_grant_words(req, mask, 3, 0xf, &word);
    assert_int_equal(word, order[i][0]);
    assert_int_equal(line, order[i][1]);
    assert_memory_equal(mask, after[i], sizeof mask);
  }
}

/* ---- buffer */

static void buffer_wraps_at_a_depth_that_is_no_power_of_two(void **state) {
  (void)state;
  struct bench b;
  struct ut_input_changes ch = {0};
  start(&b, shape_of(2, 1, 3, 3, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  const unsigned wr[7] = {1, 2, 0, 1, 2, 0, 1}, rd[5] = {1, 2, 0, 1, 2};
  unsigned pushed = 0, popped = 0;
  for (; pushed < 3; pushed++) {
    ut_fifo_push(&b.g, b.s, 1, 0, (uint64_t[]){100 + pushed, pushed}, b.g.traits);
    assert_int_equal(ut_reg_wr(&b.g, b.s, 1, 0), wr[pushed]);
  }
  assert_int_equal(count_of(&b, 1), 3);
  for (; popped < 4; popped++, pushed++) {
    assert_int_equal(*ut_reg_peek(&b.g, b.s, 1, 0, 0), 100 + popped);
    assert_int_equal(ut_input_tag(&b.g, b.s, 1, 0, ut_reg_rd(&b.g, b.s, 1, 0), b.g.traits), popped);
    ut_input_drop(&b.g, b.s, 1, 0, &ch, b.g.traits);
    assert_int_equal(ut_reg_rd(&b.g, b.s, 1, 0), rd[popped]);
    ut_fifo_push(&b.g, b.s, 1, 0, (uint64_t[]){100 + pushed, pushed}, b.g.traits);
    assert_int_equal(ut_reg_wr(&b.g, b.s, 1, 0), wr[pushed]);
    assert_int_equal(count_of(&b, 1), 3);
  }
  assert_int_equal(ch.popped[0], 0x2);
  stop(&b);
}

/* ---- selection */

/* To VC 0 of each port. */
static void give_credits(struct bench *b, const unsigned *credits) {
  for (unsigned op = 0; op < b->g.shape.po; op++)
    for (unsigned i = 0; i < credits[op]; i++) {
      struct ut_switch_in in = b->in;
      in.credit = (ut_mask[UT_MAX_VCS]){ut_bit(op)};
      ut_output_update(&b->g, b->s, &in, b->g.traits);
    }
}

static void selection_most_credits_then_rotating_priority(void **state) {
  (void)state;
  struct bench b;
  unsigned op, ovc;
  start(&b, shape_of(2, 1, 4, 1, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  step(&b);
  give_credits(&b, (unsigned[]){2, 3, 3, 1});
  ut_set_cand(&b.g, b.s, 0, 0, 0, 0xf);
  /* ports 1 and 2 have most; input 0 begins at the opposite port, 2 */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 2);
  /* input 3 begins at port 1 */
  ut_set_cand(&b.g, b.s, 3, 0, 0, 0xf);
  assert_true(ut_vc_select(&b.g, b.s, 3, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 1);
  /* a port without room does not count, however many credits it has */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0x9}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 0);
  ut_set_cand(&b.g, b.s, 0, 0, 0, 0x8);
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 3);
  assert_false(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0x7}, &op, &ovc, b.g.traits));
  stop(&b);
}

static void selection_priority_moves_behind_the_granted_port(void **state) {
  (void)state;
  struct bench b;
  const unsigned order[5] = {2, 3, 0, 1, 2};
  const ut_mask after[5] = {0x8, 0x0, 0xe, 0xc, 0x8};
  start(&b, shape_of(2, 1, 4, 1, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  step(&b);
  give_credits(&b, (unsigned[]){2, 2, 2, 2});
  for (unsigned i = 0; i < 5; i++) {
    ut_mask granted = 0;
    ut_set_cand(&b.g, b.s, 0, 0, 0, 0xf);
    ut_vc_allocate(&b.g, b.s, (ut_mask[]){0x1}, &granted, b.g.traits);
    assert_int_equal(granted, 0x1);
    assert_int_equal(ut_reg_out_port(&b.g, b.s, 0, 0), order[i]);
    assert_int_equal(ut_reg_select(&b.g, b.s, 0), after[i]);
    assert_int_equal(owned(&b), ut_bit(order[i]));
    ut_set_owned(&b.g, b.s, order[i], 0, false);
  }
  stop(&b);
}

static void selection_prefers_a_class_and_obeys_the_bubble_rule(void **state) {
  (void)state;
  struct bench b;
  unsigned op, ovc;
  struct ut_shape shape = shape_of(2, 2, 4, 2, UT_TORUS_DUATO);
  shape.route = UT_ROUTE_TORUS;
  shape.size[0] = 4;
  start(&b, shape, ut_grid_strap_make(0, 0, 0, 0));
  step(&b);
  give_credits(&b, (unsigned[]){2, 3, 4, 4});
  ut_set_cand(&b.g, b.s, 0, 0, 0, 0xf);

  ut_set_preferred(&b.g, b.s, 0, 0, 0, 0x3); /* the preferred ports, although others have more credits */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[2]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 1);
  /* none of the preferred class has room: the others */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[2]){0xc}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 2);
  ut_set_bubble(&b.g, b.s, 0, 0, 0, 0x3); /* 2 and 3 credits are no room for two packets of 2 */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[2]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 2);
  ut_set_bubble(&b.g, b.s, 0, 0, 0, 0xf); /* 4 credits are */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[2]){0x8}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 3);
  assert_false(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[2]){0x3}, &op, &ovc, b.g.traits));
  stop(&b);
}

/* ---- latency */

static void a_hop_takes_2_plus_route_cycles_plus_alloc_cycles_minus_1(void **state) {
  (void)state;
  for (unsigned v = 1; v <= 2; v++)
    for (unsigned r = 0; r <= UT_MAX_ROUTE_CYCLES; r++)
      for (unsigned a = 1; a <= 2; a++) {
        struct bench b;
        struct ut_shape shape = shape_of(2, v, 4, 2, UT_FATTREE_FTA);
        shape.route_cycles = r;
        shape.alloc_cycles = a;
        start(&b, shape, ut_level_strap_make(0, 0, 1, 0, 0));
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
      cmocka_unit_test(arbiter_over_words_is_one_ring),
      cmocka_unit_test(buffer_wraps_at_a_depth_that_is_no_power_of_two),
      cmocka_unit_test(selection_most_credits_then_rotating_priority),
      cmocka_unit_test(selection_priority_moves_behind_the_granted_port),
      cmocka_unit_test(selection_prefers_a_class_and_obeys_the_bubble_rule),
      cmocka_unit_test(a_hop_takes_2_plus_route_cycles_plus_alloc_cycles_minus_1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
