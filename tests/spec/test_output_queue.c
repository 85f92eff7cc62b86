/* SPDX-License-Identifier: Apache-2.0 */
/* test_output_queue.c - the laws of output queues ("Output queues" in docs/reference/cycle-contract.md), on the plain
 * switch of spec/: when a flit is where, who waits for whom, and what is lost with a link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "steps.h"

enum { PORTS = 6, LOCAL = 4, DEPTH = 4, QUEUE = 4, LENGTH = 2, ALL_UP = (1 << PORTS) - 1 };

/* The node at (1, 1) of a mesh of 3 x 3, two terminals a node, idle, with all credits; packets of two flits. */
static void start(struct spec_switch *s, unsigned switching) {
  const struct ut_shape shape = {.pi = PORTS,
                                 .po = PORTS,
                                 .v = 2,
                                 .depth = DEPTH,
                                 .output_depth = QUEUE,
                                 .w = 64,
                                 .max_packet = LENGTH,
                                 .min_packet = LENGTH,
                                 .switching = switching,
                                 .route = UT_ROUTE_MESH,
                                 .algorithm = UT_MESH_DOR,
                                 .alloc_cycles = 1,
                                 .size = {3, 3},
                                 .escapes = 1,
                                 .links = 1};
  assert_true(spec_init(s, &shape));
  spec_reset(s, 1 | 1 << 8);
  for (unsigned port = 0; port < PORTS; port++) {
    s->in[port].up = s->out[port].up = true;
    for (unsigned vc = 0; vc < 2; vc++)
      s->in[port].vc[vc].pending_credits = 0, s->out[port].vc[vc].credits = DEPTH;
  }
}

/* A packet waits at the front of the input VC, for output VC (op, ovc); `word` stands for its header. */
static void wait(struct spec_switch *s, unsigned ip, unsigned ivc, unsigned op, unsigned ovc, uint64_t word) {
  struct spec_input_vc *vc = &s->in[ip].vc[ivc];
  vc->state = UT_VC_STATE_WAITING;
  vc->buffer[vc->read] = (struct spec_flit){.word = {word}, .head = true};
  vc->buffer[(vc->read + 1) % DEPTH] = (struct spec_flit){.word = {word}, .tail = true};
  vc->count = LENGTH;
  memset(&vc->answer, 0, sizeof vc->answer);
  vc->answer.cand[ovc] = 1u << op;
}

static void step(struct spec_switch *s, uint32_t out_up) {
  struct spec_inputs in;
  memset(&in, 0, sizeof in);
  in.in_up = ALL_UP;
  in.out_up = out_up;
  spec_step(s, &in);
}

/* Crosses in t, in the queue in t+1, on the wire in t+2; the credit is spent when it is sent. */
static void a_flit_takes_a_cycle_more(void **state) {
  (void)state;
  struct spec_switch s;
  start(&s, UT_VCT);
  const struct spec_output_port *out = &s.out[LOCAL];
  wait(&s, 0, 0, LOCAL, 1, 7);
  step(&s, ALL_UP);
  assert_true(out->crossed && !out->valid && out->vc[1].count == 1 && out->vc[1].credits == DEPTH);
  step(&s, ALL_UP);
  assert_true(out->valid && out->flit.head && out->flit.word[0] == 7 && out->flit_vc == 1);
  assert_true(out->vc[1].count == 1 && out->vc[1].credits == DEPTH - 1 && !out->vc[1].owned);
  step(&s, ALL_UP);
  assert_true(out->valid && out->flit.tail && out->vc[1].count == 0 && out->vc[1].credits == DEPTH - LENGTH);
  step(&s, ALL_UP);
  assert_false(out->valid);
  spec_fini(&s);
}

/* Without credits packets fill the queue and leave their input VC to others; a packet that finds no space waits. */
static void who_waits_is_out_of_the_way(void **state) {
  (void)state;
  struct spec_switch s;
  start(&s, UT_VCT);
  s.out[LOCAL].vc[0].credits = LENGTH - 1; /* not enough for a packet */
  for (unsigned packet = 0; packet < QUEUE / LENGTH + 1; packet++) {
    wait(&s, 0, 0, LOCAL, 0, packet);
    for (unsigned cycle = 0; cycle < 4; cycle++)
      step(&s, ALL_UP);
    assert_int_equal(s.in[0].vc[0].count, packet < QUEUE / LENGTH ? 0 : LENGTH);
    assert_false(s.out[LOCAL].valid);
  }
  assert_int_equal(s.out[LOCAL].vc[0].count, QUEUE);
  wait(&s, 1, 1, LOCAL, 1, 9); /* the other VC of the link is not held up */
  step(&s, ALL_UP), step(&s, ALL_UP);
  assert_true(s.out[LOCAL].valid && s.out[LOCAL].flit.word[0] == 9);
  s.out[LOCAL].vc[0].credits = LENGTH;
  for (unsigned cycle = 0; cycle < 3; cycle++) /* the VCs send in turn; there is space when a whole packet has left */
    step(&s, ALL_UP);
  assert_true(s.out[LOCAL].vc[0].count == QUEUE - LENGTH && s.in[0].vc[0].count == LENGTH);
  step(&s, ALL_UP);
  assert_true(s.out[LOCAL].vc[0].count == QUEUE - LENGTH + 1 && s.in[0].vc[0].count == LENGTH - 1);
  spec_fini(&s);
}

/* Two queues of a port with much to send take turns. */
static void queues_take_turns(void **state) {
  (void)state;
  struct spec_switch s;
  unsigned sent[2] = {0}, before = 2;
  start(&s, UT_WORMHOLE);
  for (unsigned cycle = 0; cycle < 40; cycle++) {
    for (unsigned vc = 0; vc < 2; vc++) {
      s.out[LOCAL].vc[vc].credits = DEPTH;
      s.out[LOCAL].vc[vc].count = QUEUE; /* what they hold does not matter */
    }
    step(&s, ALL_UP);
    assert_true(s.out[LOCAL].valid && s.out[LOCAL].flit_vc != before);
    before = s.out[LOCAL].flit_vc;
    sent[before]++;
  }
  assert_true(sent[0] == 20 && sent[1] == 20);
  spec_fini(&s);
}

/* The link fails in t: a queue still sends in t; in t+1 it is cleared, and each head that it holds is told of.  A
 * packet that was entering is drained. */
static void a_queue_is_lost_with_its_link(void **state) {
  (void)state;
  struct spec_switch s;
  start(&s, UT_VCT);
  struct spec_output_vc *vc = &s.out[LOCAL].vc[0];
  vc->credits = 0;
  wait(&s, 0, 0, LOCAL, 0, 20);
  step(&s, ALL_UP), step(&s, ALL_UP);
  wait(&s, 0, 0, LOCAL, 0, 21);
  vc->credits = LENGTH;
  step(&s, ALL_UP & ~(1u << LOCAL)); /* t: the first packet's head goes, the second one's enters */
  assert_true(s.out[LOCAL].valid && s.out[LOCAL].flit.word[0] == 20 && vc->count == 2 && !s.discards);
  step(&s, ALL_UP & ~(1u << LOCAL));
  assert_false(s.out[LOCAL].valid);
  assert_true(vc->count == 0 && vc->read == 0 && vc->credits == 0 && !vc->owned);
  assert_int_equal(s.discards, 1);
  assert_true(s.discard[0].reason == SPEC_QUEUED && s.discard[0].header == 21 && s.discard[0].port == LOCAL);
  assert_int_equal(s.in[0].vc[0].state, UT_VC_STATE_DRAIN);
  step(&s, ALL_UP & ~(1u << LOCAL));
  assert_true(s.in[0].vc[0].state == UT_VC_STATE_IDLE && s.in[0].vc[0].count == 0 && !s.discards);
  spec_fini(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_flit_takes_a_cycle_more),
      cmocka_unit_test(who_waits_is_out_of_the_way),
      cmocka_unit_test(queues_take_turns),
      cmocka_unit_test(a_queue_is_lost_with_its_link),
  };
  return cmocka_run_group_tests_name("output_queue", tests, NULL, NULL);
}
