/* SPDX-License-Identifier: Apache-2.0 */
/* test_policies.c - the laws of the policies, on the plain switch of spec/: who goes first of two packets that ask for
 * the same, and which output VC a packet with a choice bids for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "policies.h"
#include "steps.h"

enum { PORTS = 6, LOCAL = 4 /* the first port of a terminal */, FLITS = 4 };

/* The node at (1, 1) of a mesh of 3 x 3, two terminals a node: packets to its own terminals leave through port 4 or 5.
 * All links are up, and all output VCs have space. */
static void start(struct spec_switch *s, const struct ut_shape *policies) {
  struct ut_shape shape = {.pi = PORTS,
                           .po = PORTS,
                           .v = 2,
                           .depth = FLITS,
                           .w = 64,
                           .max_packet = 1,
                           .min_packet = 1,
                           .route = UT_ROUTE_MESH,
                           .algorithm = UT_MESH_DUATO,
                           .alloc_cycles = 1,
                           .size = {3, 3},
                           .escapes = 1,
                           .links = 1,
                           .vin1_vcs = 1,
                           .arbitration = policies->arbitration,
                           .selection = policies->selection,
                           .output_depth = policies->output_depth};
  assert_true(spec_init(s, &shape));
  spec_reset(s, 1 | 1 << 8);
  for (unsigned port = 0; port < PORTS; port++) {
    s->in[port].up = s->out[port].up = true;
    for (unsigned vc = 0; vc < 2; vc++)
      s->in[port].vc[vc].pending_credits = 0, s->out[port].vc[vc].credits = FLITS;
  }
}

/* A packet of one flit waits at the front of the input VC, for those output VCs of that port. */
static void wait(struct spec_switch *s, unsigned ip, unsigned ivc, uint32_t ports, uint32_t vcs) {
  struct spec_input_vc *vc = &s->in[ip].vc[ivc];
  vc->state = UT_VC_STATE_WAITING;
  vc->count = 1;
  vc->buffer[vc->read] = (struct spec_flit){.head = true, .tail = true};
  for (unsigned ovc = 0; ovc < 2; ovc++)
    vc->answer.cand[ovc] = vcs >> ovc & 1 ? ports : 0;
}

static void step(struct spec_switch *s) {
  struct spec_inputs in;
  memset(&in, 0, sizeof in);
  in.in_up = in.out_up = (1u << PORTS) - 1;
  spec_step(s, &in);
}

/* The input port whose packet has just left through an output port; PORTS: none. */
static unsigned sender(const struct spec_switch *s, unsigned op) {
  return s->out[op].crossed ? s->out[op].from : PORTS;
}

/* Of two packets that ask for output VC 0 of port 4, at input ports 1 and 3, who is served first; ages in cycles. */
static unsigned first_of(unsigned arbitration, unsigned age1, unsigned age3, unsigned pointer) {
  struct spec_switch s;
  start(&s, &(struct ut_shape){.arbitration = arbitration});
  wait(&s, 1, 0, 1u << LOCAL, 1);
  wait(&s, 3, 0, 1u << LOCAL, 1);
  s.in[1].vc[0].policy = age1, s.in[3].vc[0].policy = age3;
  s.out[LOCAL].vc[0].pointer = pointer;
  step(&s);
  const unsigned won = sender(&s, LOCAL);
  spec_fini(&s);
  return won;
}

static void the_oldest_goes_first(void **state) {
  (void)state;
  const unsigned oldest_first = UT_ARBITRATION_OLDEST_FIRST;
  for (unsigned a = 0; a < 256; a += 5)
    for (unsigned b = 0; b < 256; b += 3)
      for (unsigned pointer = 0; pointer < 4; pointer++) {
        const unsigned turn = pointer > 1 ? 3 : 1; /* round-robin among equals */
        const unsigned right = a == b ? turn : a > b ? 1 : 3;
        const unsigned won = first_of(oldest_first, a, b, pointer);
        if (won != right)
          fail_msg("ages %u at port 1 and %u at port 3, pointer %u: port %u goes first, expected %u", a, b, pointer,
                   won, right);
        assert_int_equal(first_of(UT_ARBITRATION_ROUND_ROBIN, a, b, pointer), turn);
      }
}

/* The age is 0 when a head comes to the front, counts while a flit is there, and ends at 255. */
static void age_counts_while_a_flit_is_there(void **state) {
  (void)state;
  struct spec_switch s;
  start(&s, &(struct ut_shape){.arbitration = UT_ARBITRATION_OLDEST_FIRST});
  struct spec_input_vc *vc = &s.in[0].vc[1];
  wait(&s, 0, 1, 1u << LOCAL, 3);
  s.out[LOCAL].vc[0].credits = s.out[LOCAL].vc[1].credits = 0; /* it cannot go */
  for (unsigned cycle = 0; cycle < 300; cycle++) {
    const unsigned right = cycle < 255 ? cycle : 255;
    if (vc->policy != right)
      fail_msg("after %u cycles at the front the age is %u, expected %u", cycle, vc->policy, right);
    step(&s);
  }
  s.out[LOCAL].vc[1].credits = 1;
  step(&s);
  assert_int_equal(sender(&s, LOCAL), 0);
  assert_int_equal(vc->policy, 0);
  step(&s);
  assert_int_equal(vc->policy, 0); /* nothing is there */
  spec_fini(&s);
}

/* Of VC 0 at port 3 and VC 1 at port 1 the former goes first, wherever the pointer stands: for an output VC, for an
 * output port, and of the two VCs of one port. */
static void lower_vcs_go_first(void **state) {
  (void)state;
  for (unsigned pointer = 0; pointer < 2 * PORTS; pointer++)
    for (unsigned same = 0; same < 2; same++) {
      struct spec_switch s;
      start(&s, &(struct ut_shape){.arbitration = UT_ARBITRATION_PRIORITY});
      const unsigned other = same ? 3 : 1;
      wait(&s, 3, 0, 1u << LOCAL, 1);
      wait(&s, other, 1, 1u << LOCAL, same ? 2 : 1 + pointer % 2); /* for the same output VC, or the same port */
      s.out[LOCAL].vc[0].pointer = pointer;
      s.out[LOCAL].pointer = pointer % PORTS;
      s.in[3].switch_pointer = pointer % 3;
      step(&s);
      if (sender(&s, LOCAL) != 3 || s.in[3].vc[0].count)
        fail_msg("pointer %u: VC 0 of port 3 against VC 1 of port %u: port %u goes first, and VC 0 has %u flits left",
                 pointer, other, sender(&s, LOCAL), s.in[3].vc[0].count);
      spec_fini(&s);
    }
}

/* Packets from other switches go first: of one at each pair of ports, and wherever the pointer stands. */
static void transit_goes_before_terminals(void **state) {
  (void)state;
  for (unsigned terminal = LOCAL; terminal < PORTS; terminal++)
    for (unsigned other = 0; other < LOCAL; other++)
      for (unsigned pointer = 0; pointer < PORTS; pointer++) {
        struct spec_switch s;
        start(&s, &(struct ut_shape){.arbitration = UT_ARBITRATION_TRANSIT_FIRST});
        wait(&s, terminal, 0, 1u << LOCAL, 1);
        wait(&s, other, 0, 1u << LOCAL, 1);
        s.out[LOCAL].vc[0].pointer = pointer;
        step(&s);
        if (sender(&s, LOCAL) != other)
          fail_msg("pointer %u: port %u goes first, expected %u, before terminal port %u", pointer, sender(&s, LOCAL),
                   other, terminal);
        spec_fini(&s);
      }
}

/* The output port that a packet at input port 0 with a choice of all leaves through; port 2 has most credits, and port
 * 4 the shortest output queue, if there are such. */
static unsigned chosen(const struct ut_shape *policies, unsigned policy, unsigned pointer) {
  const unsigned selection = policies->selection;
  struct spec_switch s;
  start(&s, policies);
  wait(&s, 0, 0, (1u << PORTS) - 1, 1);
  for (unsigned op = 0; op < PORTS; op++) {
    s.out[op].vc[0].credits = op == 2 ? FLITS : 1;
    s.out[op].vc[0].count = !policies->output_depth ? 0 : op == 4 ? 1 : 2;
  }
  s.in[0].select_pointer = pointer;
  s.in[0].policy = policy;
  step(&s);
  unsigned port = 0;
  while (port < PORTS && !s.out[port].crossed)
    port++;
  const unsigned moved = s.in[0].policy;
  spec_fini(&s);
  if ((moved != policy) != (selection == UT_SELECTION_RANDOM))
    fail_msg("selection %u: its register was 0x%x and is 0x%x after a choice", selection, policy, moved);
  return port;
}

static void selection_looks_at_what_it_says(void **state) {
  (void)state;
  for (unsigned pointer = 0; pointer < PORTS; pointer++) {
    assert_int_equal(chosen(&(struct ut_shape){.selection = UT_SELECTION_CREDITS}, 0, pointer), 2);
    assert_int_equal(chosen(&(struct ut_shape){.selection = UT_SELECTION_CREDITS, .output_depth = 3}, 0, pointer), 2);
    assert_int_equal(chosen(&(struct ut_shape){.selection = UT_SELECTION_OUTPUT_SPACE, .output_depth = 3}, 0, pointer),
                     4);
    assert_int_equal(chosen(&(struct ut_shape){.selection = UT_SELECTION_ROTATING}, 0, pointer), pointer);
    for (unsigned low = 0; low < 256; low += 7) {
      const unsigned right = low * PORTS / 256,
                     port = chosen(&(struct ut_shape){.selection = UT_SELECTION_RANDOM}, 0x5a00 | low, pointer);
      if (port != right)
        fail_msg("random, low byte %u of 256: output port %u of %u, expected %u", low, port, PORTS, right);
    }
  }
}

/* The register of 16 bits takes all values but 0 (its eight steps at once, too: 8 and 65535 have no common divisor),
 * and each port comes first as often as the others, but for the rounding of 256 / PORTS. */
static void random_comes_to_all_ports(void **state) {
  (void)state;
  static struct spec_switch s;
  unsigned count[PORTS] = {0}, steps = 0;
  s.shape.po = PORTS;
  s.straps = 0;
  const unsigned seed = s.in[0].policy = spec_random_seed(&s, 0);
  do {
    count[spec_random_start(&s, 0)]++;
    s.in[0].policy = spec_random_next(&s, 0, 0);
    steps++;
  } while (s.in[0].policy != seed && steps <= 65535);
  assert_int_equal(steps, 65535);
  for (unsigned op = 0; op < PORTS; op++)
    if (count[op] < 42 * 256 - 1 || count[op] > 43 * 256)
      fail_msg("port %u comes first %u times of 65535, expected %u to %u", op, count[op], 42 * 256 - 1, 43 * 256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_oldest_goes_first),
      cmocka_unit_test(age_counts_while_a_flit_is_there),
      cmocka_unit_test(lower_vcs_go_first),
      cmocka_unit_test(transit_goes_before_terminals),
      cmocka_unit_test(selection_looks_at_what_it_says),
      cmocka_unit_test(random_comes_to_all_ports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
