/* SPDX-License-Identifier: Apache-2.0 */
/* test_link_faults.c - what spec and model do when links go down and return: credits, cut packets
 * (docs/explanation/faults.md). */
#include "bench.h"

static unsigned pulses(struct bench *b, unsigned port, unsigned cycles) {
  unsigned n = 0;
  for (unsigned i = 0; i < cycles; i++) {
    step(b);
    n += credit_back(b, port);
  }
  return n;
}

static void free_space_is_advertised_anew_when_a_link_returns(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  step(&b); /* up_q rises */
  assert_false(credit_back(&b, 0));
  for (unsigned i = 0; i < 4; i++) { /* one a cycle */
    step(&b);
    assert_true(credit_back(&b, 0));
  }
  assert_int_equal(pulses(&b, 0, 10), 0);

  arrive(&b, 0, UT_KIND_HEAD, header_to(1)); /* stays: the outputs have no credits */
  assert_int_equal(pulses(&b, 0, 1), 0);
  arrive(&b, 0, UT_KIND_TAIL, 0);
  assert_int_equal(pulses(&b, 0, 5), 0);
  b.in_up &= ~(ut_mask)1;
  assert_int_equal(pulses(&b, 0, 10), 0);
  assert_int_equal(count_of(&b, 0), 2);
  b.in_up |= 1;
  assert_int_equal(pulses(&b, 0, 10), 2);
  assert_int_equal(count_of(&b, 0), 2);
  credits(&b, 0x2);
  assert_int_equal(pulses(&b, 0, 1), 0);
  credits(&b, 0x2); /* space for the packet */
  assert_int_equal(pulses(&b, 0, 10), 2);
  assert_int_equal(count_of(&b, 0), 0);

  /* an empty buffer, and a link that is down for one cycle only */
  b.in_up &= ~(ut_mask)1;
  step(&b);
  b.in_up |= 1;
  assert_int_equal(pulses(&b, 0, 10), 4);
  stop(&b);
}

static void an_output_starts_from_zero_credits_when_its_link_returns(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 3);
  b.out_up &= ~(ut_mask)2;
  step(&b);
  assert_int_equal(ut_reg_credits(&b.m.g, b.m.s, 1, 0), 3); /* up_q falls first */
  step(&b);
  assert_int_equal(ut_reg_credits(&b.m.g, b.m.s, 1, 0), 0);
  ut_switch_disturb(&b.m.g, b.m.s); /* a network takes it off the wire: see flush_wires() */
  credits(&b, 0x3);                 /* the pulse of a dead link does not count */
  step(&b);
  assert_int_equal(ut_reg_credits(&b.m.g, b.m.s, 1, 0), 0);
  assert_int_equal(ut_reg_credits(&b.m.g, b.m.s, 0, 0), 4);
  b.out_up |= 2;
  step(&b);
  credits(&b, 0x2);
  step(&b);
  assert_int_equal(ut_reg_credits(&b.m.g, b.m.s, 1, 0), 1);
  stop(&b);
}

static void a_packet_cut_on_its_way_in_gets_a_bad_tail(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 3, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 0);
  arrive(&b, 0, UT_KIND_HEAD, header_to(1));
  step(&b);
  arrive(&b, 0, UT_KIND_BODY, 77);
  b.in_up &= ~(ut_mask)1; /* refuses flits from the first cycle on */
  step(&b);
  assert_int_equal(count_of(&b, 0), 1);
  step(&b);
  assert_int_equal(count_of(&b, 0), 2);
  assert_int_equal(ut_flit_tag(ut_reg_place(&b.m.g, b.m.s, 0, 0, 0)[1]), UT_KIND_HEAD);
  assert_int_equal(ut_flit_tag(ut_reg_place(&b.m.g, b.m.s, 0, 0, 1)[1]), UT_KIND_TAIL | UT_BAD);
  assert_int_equal(*ut_reg_place(&b.m.g, b.m.s, 0, 0, 1), 0);
  step(&b);
  assert_int_equal(count_of(&b, 0), 2); /* one tail only */

  for (unsigned i = 0; i < 3; i++) { /* space for a packet of three */
    credits(&b, 0x2);
    step(&b);
  }
  step(&b);
  assert_int_equal(sent(&b), 0x2);
  assert_int_equal(tag_sent(&b, 1), UT_KIND_HEAD);
  step(&b);
  assert_int_equal(sent(&b), 0x2);
  assert_int_equal(tag_sent(&b, 1), UT_KIND_TAIL | UT_BAD);
  step(&b);
  assert_int_equal(sent(&b), 0);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_IDLE);
  assert_int_equal(owned(&b), 0);
  stop(&b);
}

static void under_wormhole_the_bad_tail_waits_for_room(void **state) {
  (void)state;
  struct bench b;
  struct ut_shape shape = shape_of(2, 1, 2, 8, UT_FATTREE_FTA);
  shape.switching = UT_WORMHOLE;
  start(&b, shape, ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 0);
  arrive(&b, 0, UT_KIND_HEAD, header_to(1));
  step(&b);
  arrive(&b, 0, UT_KIND_BODY, 77);
  step(&b);
  b.in_up &= ~(ut_mask)1;
  step(&b);
  step(&b);
  assert_int_equal(count_of(&b, 0), 2);
  assert_true(ut_reg_cut(&b.m.g, b.m.s, 0, 0));
  b.in_up |= 1; /* back, but nothing is advertised before the tail is in */
  assert_int_equal(pulses(&b, 0, 5), 0);
  credits(&b, 0x2);
  assert_int_equal(pulses(&b, 0, 2), 0); /* the credit arrives; the head leaves */
  assert_int_equal(count_of(&b, 0), 1);
  assert_int_equal(pulses(&b, 0, 1), 0); /* the tail comes in */
  assert_int_equal(count_of(&b, 0), 2);
  assert_false(ut_reg_cut(&b.m.g, b.m.s, 0, 0));
  assert_int_equal(ut_flit_tag(ut_reg_place(&b.m.g, b.m.s, 0, 0, 0)[1]), UT_KIND_TAIL | UT_BAD);
  assert_int_equal(pulses(&b, 0, 5), 0); /* full */
  credits(&b, 0x2);
  assert_int_equal(pulses(&b, 0, 5), 1);
  stop(&b);
}

static void a_begun_packet_is_drained_when_its_output_link_goes_down(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 4, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 4);
  arrive(&b, 0, UT_KIND_HEAD, header_to(1));
  step(&b);
  assert_false(credit_back(&b, 0));
  arrive(&b, 0, UT_KIND_BODY, 1);
  step(&b); /* the head leaves */
  assert_int_equal(sent(&b), 0x2);
  assert_true(credit_back(&b, 0));
  arrive(&b, 0, UT_KIND_BODY, 2);
  b.out_up &= ~(ut_mask)2;
  step(&b); /* first cycle of the fault: the flit that wins now is lost on the wire */
  assert_int_equal(sent(&b), 0x2);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
  arrive(&b, 0, UT_KIND_TAIL, 3);
  step(&b); /* truncated */
  assert_int_equal(sent(&b), 0);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_DRAIN);
  assert_int_equal(count_of(&b, 0), 2);
  assert_false(credit_back(&b, 0));
  step(&b); /* one flit a cycle, with its credit */
  assert_int_equal(count_of(&b, 0), 1);
  assert_true(credit_back(&b, 0));
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_DRAIN);
  step(&b);
  assert_int_equal(count_of(&b, 0), 0);
  assert_true(credit_back(&b, 0));
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_IDLE);
  assert_int_equal(sent(&b), 0);
  assert_int_equal(b.discarded, 0); /* silent */
  assert_int_equal(ut_reg_discard(&b.m.g, b.m.s), 0);
  step(&b);
  assert_true(golden_is_idle(&b.m));
  stop(&b);
}

static void a_packet_not_begun_is_routed_again_when_its_output_link_goes_down(void **state) {
  (void)state;
  struct bench b;
  struct ut_shape shape = shape_of(2, 1, 4, 2, UT_FATTREE_FTA);
  shape.alloc_cycles = 2;
  start(&b, shape, ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 4);
  arrive(&b, 0, UT_KIND_HEAD, header_to(6)); /* upwards: ports 2 and 3, input 0 begins at 2 */
  step(&b);
  arrive(&b, 0, UT_KIND_TAIL, 5);
  b.out_up &= ~(ut_mask)4;
  step(&b); /* granted in the first cycle of the fault */
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
  assert_int_equal(ut_reg_out_port(&b.m.g, b.m.s, 0, 0), 2);
  step(&b);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_IDLE);
  assert_int_equal(count_of(&b, 0), 2);
  step(&b);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
  assert_int_equal(ut_reg_out_port(&b.m.g, b.m.s, 0, 0), 3);
  step(&b);
  assert_int_equal(sent(&b), 0x8);
  assert_int_equal(tag_sent(&b, 3), UT_KIND_HEAD);
  step(&b);
  assert_int_equal(sent(&b), 0x8);
  assert_int_equal(tag_sent(&b, 3), UT_KIND_TAIL);
  assert_int_equal(owned(&b), 0); /* the dead output has no owner left */
  stop(&b);
}

static void an_unreachable_packet_is_discarded_with_its_credits(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 4);
  b.out_up &= ~(ut_mask)2;
  step(&b);
  arrive(&b, 0, UT_KIND_HEAD, header_to(1));
  assert_int_equal(pulses(&b, 0, 1), 0);
  arrive(&b, 0, UT_KIND_TAIL, 0);
  assert_int_equal(pulses(&b, 0, 1), 0);
  assert_int_equal(b.discarded, 1);
  assert_int_equal(ut_reg_discard(&b.m.g, b.m.s), 0x1);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_DRAIN);
  assert_int_equal(pulses(&b, 0, 10), 2);
  assert_int_equal(ut_reg_discard(&b.m.g, b.m.s), 0);
  assert_int_equal(b.discarded, 1);
  assert_int_equal(count_of(&b, 0), 0);
  stop(&b);
}

/* Of each lane, in switches whose lanes fill one word and several, under ports that are down; those of others arrive.
 */
static void flits_on_dead_wires_are_lost(void **state) {
  (void)state;
  const struct { unsigned ports, v; } shape[] = {{4, 1}, {8, 3}, {16, 8}, {32, 8}};
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    struct bench b;
    const unsigned v = shape[i].v, all = shape[i].ports * v;
    start(&b, shape_of(shape[i].ports / 2, v, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
    warm_up(&b, 0);
    b.in_up = 0xaaaaaaaa & b.m.g.all_in;
    for (unsigned n = 0; n < all; n++)
      golden_arrive(&b.m, n / v, n % v, (const uint64_t[]){header_to(n), ut_flit_meta(UT_KIND_HEAD, n % v)});
    ut_spec_detach(&b.m.g); /* no link carries flits of several VCs at once; lanes may be looked at so */
    golden_see(&b.m, b.in_up, b.out_up, b.report);
    golden_step(&b.m);
    for (unsigned n = 0; n < all; n++)
      assert_int_equal(ut_reg_count(&b.m.g, b.m.s, n / v, n % v), n / v % 2);
    assert_int_equal(b.m.events.count, all / 2);
    for (size_t e = 0; e < all / 2; e++) { /* by VC, then port */
      const unsigned port = e % (shape[i].ports / 2) * 2, vc = (unsigned)e / (shape[i].ports / 2);
      assert_int_equal(b.m.events.event[e].kind, UT_EVENT_LOST);
      assert_true(b.m.events.event[e].header == header_to(port * v + vc));
    }
    stop(&b);
  }
}

/* When its link fails: whoever receives may use the ring otherwise, where the flit stood. */
static void an_output_register_keeps_its_flit(void **state) {
  (void)state;
  for (unsigned v = 1; v <= 2; v++) {
    struct bench b;
    start(&b, shape_of(2, v, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
    warm_up(&b, 4);
    arrive(&b, 0, UT_KIND_HEAD, header_to(1));
    step(&b);
    b.out_up &= ~(ut_mask)2;
    step(&b);
    assert_int_equal(sent(&b), 0x2);
    for (unsigned vc = 0; vc < v; vc++)
      memset(ut_wires_flit(&b.m.wires, golden_far(&b.m, 1, vc), 0), 0xff, b.m.wires.ring_words * sizeof(uint64_t));
    assert_true(word_sent(&b, 1) == header_to(1));
    assert_int_equal(tag_sent(&b, 1), UT_KIND_HEAD);
    stop(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_space_is_advertised_anew_when_a_link_returns),
      cmocka_unit_test(an_output_starts_from_zero_credits_when_its_link_returns),
      cmocka_unit_test(a_packet_cut_on_its_way_in_gets_a_bad_tail),
      cmocka_unit_test(under_wormhole_the_bad_tail_waits_for_room),
      cmocka_unit_test(a_begun_packet_is_drained_when_its_output_link_goes_down),
      cmocka_unit_test(a_packet_not_begun_is_routed_again_when_its_output_link_goes_down),
      cmocka_unit_test(an_output_register_keeps_its_flit),
      cmocka_unit_test(flits_on_dead_wires_are_lost),
      cmocka_unit_test(an_unreachable_packet_is_discarded_with_its_credits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
