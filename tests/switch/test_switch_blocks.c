/* test_switch_blocks.c - csim/switch block by block, with expectations worked out by hand (docs/cycle-contract.md,
 * docs/faults.md). */
#include "input_unit.h"
#include "output_unit.h"
#include "reroute_vector.h"
#include "route_unit.h"
#include "rr_arbiter.h"
#include "switch.h"
#include "vc_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One switch and what is on its wires; flits and credits stay there for one cycle, the rest until changed. */
struct bench {
  struct ut_group g;
  struct ut_switch *s;
  struct ut_switch_in in;
  ut_mask credit[UT_MAX_VCS];
  uint64_t flit[2 * UT_MAX_PORTS];
  unsigned discarded; /* calls of the discard hook */
};

static struct ut_shape shape_of(unsigned k, unsigned v, unsigned depth, unsigned max_packet, unsigned algorithm) {
  return (struct ut_shape){.pi = 2 * k,
                           .po = 2 * k,
                           .v = v,
                           .depth = depth,
                           .w = 64,
                           .max_packet = max_packet,
                           .min_packet = max_packet,
                           .route = UT_ROUTE_FATTREE,
                           .algorithm = algorithm,
                           .alloc_cycles = 1,
                           .escapes = 1};
}

static void count_discard(void *ctx, uint32_t id, uint64_t header, bool cut) {
  (void)id, (void)header, (void)cut;
  ++*(unsigned *)ctx;
}

static void start(struct bench *b, struct ut_shape shape, uint64_t straps) {
  memset(b, 0, sizeof *b);
  assert_null(ut_shape_rule(&shape));
  assert_true(ut_group_init(&b->g, &shape, 0, 1));
  b->g.on_discard = count_discard;
  b->g.ctx = &b->discarded;
  b->s = ut_switch_of(&b->g, 0);
  ut_switch_reset(&b->g, b->s, straps);
  b->in = (struct ut_switch_in){.in_up = b->g.all_in, .out_up = b->g.all_out, .credit = b->credit, .flit = b->flit};
}

static void stop(struct bench *b) {
  ut_group_fini(&b->g);
}

static void step(struct bench *b) {
  ut_switch_step(&b->g, b->s, &b->in);
  b->in.valid = 0;
  memset(b->credit, 0, sizeof b->credit);
}

/* Steps until all links are up, all free space is advertised, and every output VC has `credits` credits. */
static void warm_up(struct bench *b, unsigned credits) {
  step(b);
  for (unsigned i = 0; i < b->g.shape.depth + 1; i++) {
    for (unsigned v = 0; v < b->g.shape.v; v++)
      b->credit[v] = i < credits ? b->g.all_out : 0;
    step(b);
  }
  assert_int_equal(*ut_credits_at(&b->g, b->s, 0, 0), credits);
  assert_int_equal(ut_masks(&b->g, b->s, UT_M_CREDIT, b->g.shape.v)[0], 0);
}

static void arrive(struct bench *b, unsigned port, unsigned tag, uint64_t data) {
  b->in.valid |= ut_bit(port);
  b->flit[2 * port] = data;
  b->flit[2 * port + 1] = ut_flit_meta(tag, 0);
}

static uint64_t header_to(unsigned dst) {
  return ut_header_make((uint16_t)dst, 0, 0, 0);
}

/* A credit for input port `port`, VC 0, is on the wire. */
static bool credit_back(struct bench *b, unsigned port) {
  return ut_masks(&b->g, b->s, UT_M_CREDIT, b->g.shape.v)[0] >> port & 1;
}

static unsigned state_of(struct bench *b, unsigned port) {
  return *ut_vc_at(&b->g, b->s, UT_B_STATE, port, 0);
}

static unsigned count_of(struct bench *b, unsigned port) {
  return *ut_vc_at(&b->g, b->s, UT_B_COUNT, port, 0);
}

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
  const uint8_t *const write = ut_vc_at(&b.g, b.s, UT_B_WR, 1, 0), *const read = ut_vc_at(&b.g, b.s, UT_B_RD, 1, 0);
  const unsigned wr[7] = {1, 2, 0, 1, 2, 0, 1}, rd[5] = {1, 2, 0, 1, 2};
  unsigned pushed = 0, popped = 0;
  for (; pushed < 3; pushed++) {
    ut_fifo_push(&b.g, b.s, 1, 0, (uint64_t[]){100 + pushed, pushed}, b.g.traits);
    assert_int_equal(*write, wr[pushed]);
  }
  assert_int_equal(count_of(&b, 1), 3);
  for (; popped < 4; popped++, pushed++) {
    assert_int_equal(*ut_fifo_peek(&b.g, b.s, 1, 0, 0), 100 + popped);
    assert_int_equal(ut_input_tag(&b.g, b.s, 1, 0, *read, b.g.traits), popped);
    ut_input_drop(&b.g, b.s, 1, 0, &ch, b.g.traits);
    assert_int_equal(*read, rd[popped]);
    ut_fifo_push(&b.g, b.s, 1, 0, (uint64_t[]){100 + pushed, pushed}, b.g.traits);
    assert_int_equal(*write, wr[pushed]);
    assert_int_equal(count_of(&b, 1), 3);
  }
  assert_int_equal(ch.popped[0], 0x2);
  stop(&b);
}

/* ---- selection */

static void give_credits(struct bench *b, const unsigned *credits) {
  for (unsigned op = 0; op < b->g.shape.po; op++)
    for (unsigned i = 0; i < credits[op]; i++) {
      struct ut_switch_in in = b->in;
      in.credit = (ut_mask[]){ut_bit(op)};
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
  ut_cand_at(&b.g, b.s, 0, 0)[0] = 0xf;
  /* ports 1 and 2 have most; input 0 begins at the opposite port, 2 */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 2);
  /* input 3 begins at port 1 */
  ut_cand_at(&b.g, b.s, 3, 0)[0] = 0xf;
  assert_true(ut_vc_select(&b.g, b.s, 3, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 1);
  /* a port without room does not count, however many credits it has */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0x9}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 0);
  ut_cand_at(&b.g, b.s, 0, 0)[0] = 0x8;
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
    ut_cand_at(&b.g, b.s, 0, 0)[0] = 0xf;
    ut_vc_allocate(&b.g, b.s, (ut_mask[]){0x1}, &granted, b.g.traits);
    assert_int_equal(granted, 0x1);
    assert_int_equal(*ut_vc_at(&b.g, b.s, UT_B_OUT, 0, 0), order[i]);
    assert_int_equal(ut_port_at(&b.g, b.s, 0)->select, after[i]);
    assert_int_equal(ut_masks(&b.g, b.s, UT_M_OWNED, 1)[0], ut_bit(order[i]));
    ut_masks(&b.g, b.s, UT_M_OWNED, 1)[0] = 0;
  }
  stop(&b);
}

static void selection_prefers_a_class_and_obeys_the_bubble_rule(void **state) {
  (void)state;
  struct bench b;
  unsigned op, ovc;
  start(&b, shape_of(2, 1, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  /* no algorithm of the table has these sets yet: put them behind the switch */
  size_t old = b.g.stride, size = sizeof(ut_mask) * 4;
  unsigned char *memory = aligned_alloc(64, old + 64);
  assert_non_null(memory);
  memcpy(memory, b.g.memory, old);
  memset(memory + old, 0, 64);
  free(b.g.memory);
  b.g.memory = memory;
  b.g.at.bubble = old;
  b.g.at.preferred = old + size;
  b.g.traits.bubble = b.g.traits.preferred = true;
  b.s = ut_switch_of(&b.g, 0);
  step(&b);
  give_credits(&b, (unsigned[]){2, 3, 4, 4});
  ut_mask *bubble = UT_AT(ut_mask, &b.g, b.s, bubble), *preferred = UT_AT(ut_mask, &b.g, b.s, preferred);
  ut_cand_at(&b.g, b.s, 0, 0)[0] = 0xf;

  preferred[0] = 0x3; /* the preferred ports, although others have more credits */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 1);
  /* none of the preferred class has room: the others */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0xc}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 2);
  bubble[0] = 0x3; /* 2 and 3 credits are no room for two packets of 2 */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0xf}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 2);
  bubble[0] = 0xf; /* 4 credits are */
  assert_true(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0x8}, &op, &ovc, b.g.traits));
  assert_int_equal(op, 3);
  assert_false(ut_vc_select(&b.g, b.s, 0, 0, (ut_mask[]){0x3}, &op, &ovc, b.g.traits));
  stop(&b);
}

/* ---- routing */

struct expected_route {
  unsigned in_port, dst;
  ut_mask ports; /* 0: discarded */
};

static void check_routes(unsigned k, unsigned algorithm, uint64_t straps, ut_mask down, ut_mask vector,
                         const struct expected_route *e, unsigned n) {
  struct bench b;
  start(&b, shape_of(k, 2, 4, 2, algorithm), straps);
  b.s->out_up = b.g.all_out & ~down;
  b.s->vector = vector;
  for (unsigned i = 0; i < n; i++) {
    struct ut_route_result r;
    ut_routing_find(UT_ROUTE_FATTREE)->route (&b.g.shape)(&b.g, b.s, header_to(e[i].dst), e[i].in_port, 0, &r);
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
  b.s->out_up = b.g.all_out & ~down;
  b.s->vector = vector;
  b.s->neighbour = neighbour;
  for (unsigned i = 0; i < n; i++) {
    struct ut_route_result r = {.rt = 0};
    b.g.route(&b.g, b.s, ut_header_set_rt(header_to(e[i].dst), e[i].rt), e[i].in_port, e[i].in_vc, &r);
    for (unsigned o = 0; o < v; o++)
      assert_int_equal(r.cand[o], e[i].vcs >> o & 1 ? e[i].ports : 0);
    assert_int_equal(r.discard, e[i].ports == 0);
    if (b.g.traits.rewrites)
      assert_int_equal(r.rt, e[i].new_rt);
    bool u_turn = b.g.traits.vector && e[i].in_port >= 3 && r.uses_state;
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
    b.in.neighbour = 0x10;
    step(&b);
    assert_true(b.s->far);
    assert_false(b.s->fault);
    assert_int_equal(b.s->neighbour, level ? 0 : 0x10);
    b.in.neighbour = 0x1; /* a switch below: of no interest */
    b.in.far = 0x20;
    step(&b);
    assert_false(b.s->far);
    assert_int_equal(b.s->neighbour, 0x20);
    b.in.out_up &= ~(ut_mask)0x21; /* a link that is down hears nothing; an own fault is reported */
    step(&b);
    assert_true(b.s->fault);
    assert_int_equal(b.s->neighbour, 0);
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
  unsigned port = ut_first(b.s->out_valid);
  assert_int_equal(b.s->out_valid & 0x28, b.s->out_valid);
  assert_int_equal(*ut_out_at(&b.g, b.s, port), ut_header_set_rt(header_to(8), 2));
  step(&b);
  assert_int_equal(b.s->out_valid, ut_bit(port));
  assert_int_equal(*ut_out_at(&b.g, b.s, port), 77);
  stop(&b);
}

/* ---- re-route vector */

/* Brings a packet from above that is not for this switch; it turns in the second step. */
static void u_turn(struct bench *b, unsigned port) {
  arrive(b, port, UT_KIND_SINGLE, header_to(8));
  step(b);
  b->credit[0] = b->g.all_out & ~ut_mask_all(b->g.k); /* what the last one took; never more than it took */
  for (unsigned op = 0; op < b->g.shape.po; op++)
    if (*ut_credits_at(&b->g, b->s, op, 0) == b->g.shape.depth)
      b->credit[0] &= ~ut_bit(op);
  step(b);
}

static void vector_is_set_by_a_u_turn_and_expires_at_exactly_timeout_cycles(void **state) {
  (void)state;
  enum { TIMEOUT = 7 };
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, TIMEOUT, 0));
  warm_up(&b, 4);
  u_turn(&b, 4);
  assert_int_equal(b.s->vector, 0x10);
  assert_true(b.s->stale_state);
  assert_int_equal(b.s->u_turns, 1);
  assert_int_equal(b.s->out_valid & 0x28, b.s->out_valid); /* up, not through port 4 */
  assert_int_not_equal(b.s->out_valid, 0);
  for (unsigned i = 1; i < TIMEOUT; i++) {
    step(&b);
    assert_int_equal(b.s->vector, 0x10);
    assert_false(b.s->stale_state);
  }
  step(&b);
  assert_int_equal(b.s->vector, 0);
  assert_true(b.s->stale_state);
  assert_int_equal(b.s->timer, 0);
  step(&b);
  assert_false(b.s->stale_state);

  /* another U-turn begins the count anew, for all bits */
  u_turn(&b, 4);
  for (unsigned i = 0; i < TIMEOUT - 3; i++)
    step(&b);
  u_turn(&b, 5); /* sets in the last cycle before the expiry */
  assert_int_equal(b.s->vector, 0x30);
  for (unsigned i = 1; i < TIMEOUT; i++) {
    step(&b);
    assert_int_equal(b.s->vector, 0x30);
  }
  step(&b);
  assert_int_equal(b.s->vector, 0);
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
  assert_int_equal(b.s->vector, 0x08);
  stop(&b);
}

static void repair_clears_what_the_neighbour_no_longer_reports(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 1));
  warm_up(&b, 4);
  u_turn(&b, 4); /* nobody reports a fault: nothing to remember */
  assert_int_equal(b.s->vector, 0);
  b.in.neighbour = 0x31; /* port 0 leads down: nobody listens there */
  step(&b);
  assert_int_equal(b.s->neighbour, 0x30);
  assert_true(b.s->stale_state);
  u_turn(&b, 4);
  u_turn(&b, 5);
  assert_int_equal(b.s->vector, 0x30);
  b.in.neighbour = 0x20; /* the switch behind port 4 is whole again */
  step(&b);
  assert_int_equal(b.s->neighbour, 0x20);
  assert_int_equal(b.s->vector, 0x30);
  step(&b);
  assert_int_equal(b.s->vector, 0x20);
  b.in.out_up &= ~(ut_mask)0x20; /* a dead link reports nothing */
  step(&b);
  step(&b);
  assert_int_equal(b.s->neighbour, 0);
  assert_int_equal(b.s->vector, 0);
  stop(&b);
}

static void a_faulty_down_link_is_reported(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 0));
  warm_up(&b, 4);
  assert_false(b.s->fault);
  b.in.out_up = b.g.all_out & ~(ut_mask)0x08; /* an up link */
  step(&b);
  assert_false(b.s->fault);
  b.in.out_up = b.g.all_out & ~(ut_mask)0x04;
  step(&b);
  assert_true(b.s->fault);
  b.in.out_up = b.g.all_out;
  step(&b);
  assert_false(b.s->fault);
  stop(&b);
}

/* As rtl/ut_reroute_vector.v: fault_q is 1 one cycle after the reset of a switch all of whose links are down. */
static void a_switch_without_links_reports_a_fault_after_reset(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(3, 1, 4, 1, UT_FATTREE_REROUTE_ADAPTIVE_LINK), ut_level_strap_make(0, 3, 1, 0, 0));
  b.in.in_up = b.in.out_up = 0;
  step(&b);
  assert_true(b.s->fault);
  stop(&b);
}

/* ---- credits and faults of links */

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
  b.in.in_up &= ~(ut_mask)1;
  assert_int_equal(pulses(&b, 0, 10), 0);
  assert_int_equal(count_of(&b, 0), 2);
  b.in.in_up |= 1;
  assert_int_equal(pulses(&b, 0, 10), 2);
  assert_int_equal(count_of(&b, 0), 2);
  b.credit[0] = 0x2;
  assert_int_equal(pulses(&b, 0, 1), 0);
  b.credit[0] = 0x2; /* room for the packet */
  assert_int_equal(pulses(&b, 0, 10), 2);
  assert_int_equal(count_of(&b, 0), 0);

  /* an empty buffer, and a link that is down for one cycle only */
  b.in.in_up &= ~(ut_mask)1;
  step(&b);
  b.in.in_up |= 1;
  assert_int_equal(pulses(&b, 0, 10), 4);
  stop(&b);
}

static void an_output_starts_from_zero_credits_when_its_link_returns(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 3);
  b.in.out_up &= ~(ut_mask)2;
  step(&b);
  assert_int_equal(*ut_credits_at(&b.g, b.s, 1, 0), 3); /* up_q falls first */
  step(&b);
  assert_int_equal(*ut_credits_at(&b.g, b.s, 1, 0), 0);
  b.credit[0] = 0x3; /* the pulse of a dead link does not count */
  step(&b);
  assert_int_equal(*ut_credits_at(&b.g, b.s, 1, 0), 0);
  assert_int_equal(*ut_credits_at(&b.g, b.s, 0, 0), 4);
  b.in.out_up |= 2;
  step(&b);
  b.credit[0] = 0x2;
  step(&b);
  assert_int_equal(*ut_credits_at(&b.g, b.s, 1, 0), 1);
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
  b.in.in_up &= ~(ut_mask)1; /* refuses flits from the first cycle on */
  step(&b);
  assert_int_equal(count_of(&b, 0), 1);
  step(&b);
  assert_int_equal(count_of(&b, 0), 2);
  assert_int_equal(ut_flit_tag(ut_fifo_at(&b.g, b.s, 0, 0, 0)[1]), UT_KIND_HEAD);
  assert_int_equal(ut_flit_tag(ut_fifo_at(&b.g, b.s, 0, 0, 1)[1]), UT_KIND_TAIL | UT_BAD);
  assert_int_equal(*ut_fifo_at(&b.g, b.s, 0, 0, 1), 0);
  step(&b);
  assert_int_equal(count_of(&b, 0), 2); /* one tail only */

  for (unsigned i = 0; i < 3; i++) { /* room for a packet of three */
    b.credit[0] = 0x2;
    step(&b);
  }
  step(&b);
  assert_int_equal(b.s->out_valid, 0x2);
  assert_int_equal(ut_flit_tag(ut_out_at(&b.g, b.s, 1)[1]), UT_KIND_HEAD);
  step(&b);
  assert_int_equal(b.s->out_valid, 0x2);
  assert_int_equal(ut_flit_tag(ut_out_at(&b.g, b.s, 1)[1]), UT_KIND_TAIL | UT_BAD);
  step(&b);
  assert_int_equal(b.s->out_valid, 0);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_IDLE);
  assert_int_equal(ut_masks(&b.g, b.s, UT_M_OWNED, 1)[0], 0);
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
  b.in.in_up &= ~(ut_mask)1;
  step(&b);
  step(&b);
  assert_int_equal(count_of(&b, 0), 2);
  assert_int_equal(ut_masks(&b.g, b.s, UT_M_CUT, 1)[0], 0x1);
  b.in.in_up |= 1; /* back, but nothing is advertised before the tail is in */
  assert_int_equal(pulses(&b, 0, 5), 0);
  b.credit[0] = 0x2;
  assert_int_equal(pulses(&b, 0, 2), 0); /* the credit arrives; the head leaves */
  assert_int_equal(count_of(&b, 0), 1);
  assert_int_equal(pulses(&b, 0, 1), 0); /* the tail comes in */
  assert_int_equal(count_of(&b, 0), 2);
  assert_int_equal(ut_masks(&b.g, b.s, UT_M_CUT, 1)[0], 0);
  assert_int_equal(ut_flit_tag(ut_fifo_at(&b.g, b.s, 0, 0, 0)[1]), UT_KIND_TAIL | UT_BAD);
  assert_int_equal(pulses(&b, 0, 5), 0); /* full */
  b.credit[0] = 0x2;
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
  assert_int_equal(b.s->out_valid, 0x2);
  assert_true(credit_back(&b, 0));
  arrive(&b, 0, UT_KIND_BODY, 2);
  b.in.out_up &= ~(ut_mask)2;
  step(&b); /* first cycle of the fault: the flit that wins now is lost on the wire */
  assert_int_equal(b.s->out_valid, 0x2);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
  arrive(&b, 0, UT_KIND_TAIL, 3);
  step(&b); /* truncated */
  assert_int_equal(b.s->out_valid, 0);
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
  assert_int_equal(b.s->out_valid, 0);
  assert_int_equal(b.discarded, 0); /* silent */
  assert_int_equal(b.s->discard, 0);
  step(&b);
  assert_false(b.s->busy);
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
  b.in.out_up &= ~(ut_mask)4;
  step(&b); /* granted in the first cycle of the fault */
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
  assert_int_equal(*ut_vc_at(&b.g, b.s, UT_B_OUT, 0, 0), 2);
  step(&b);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_IDLE);
  assert_int_equal(count_of(&b, 0), 2);
  step(&b);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_ACTIVE);
  assert_int_equal(*ut_vc_at(&b.g, b.s, UT_B_OUT, 0, 0), 3);
  step(&b);
  assert_int_equal(b.s->out_valid, 0x8);
  assert_int_equal(ut_flit_tag(ut_out_at(&b.g, b.s, 3)[1]), UT_KIND_HEAD);
  step(&b);
  assert_int_equal(b.s->out_valid, 0x8);
  assert_int_equal(ut_flit_tag(ut_out_at(&b.g, b.s, 3)[1]), UT_KIND_TAIL);
  assert_int_equal(ut_masks(&b.g, b.s, UT_M_OWNED, 1)[0], 0); /* the dead output has no owner left */
  stop(&b);
}

static void an_unreachable_packet_is_discarded_with_its_credits(void **state) {
  (void)state;
  struct bench b;
  start(&b, shape_of(2, 1, 4, 2, UT_FATTREE_FTA), ut_level_strap_make(0, 0, 1, 0, 0));
  warm_up(&b, 4);
  b.in.out_up &= ~(ut_mask)2;
  step(&b);
  arrive(&b, 0, UT_KIND_HEAD, header_to(1));
  assert_int_equal(pulses(&b, 0, 1), 0);
  arrive(&b, 0, UT_KIND_TAIL, 0);
  assert_int_equal(pulses(&b, 0, 1), 0);
  assert_int_equal(b.discarded, 1);
  assert_int_equal(b.s->discard, 0x1);
  assert_int_equal(state_of(&b, 0), UT_VC_STATE_DRAIN);
  assert_int_equal(pulses(&b, 0, 10), 2);
  assert_int_equal(b.s->discard, 0);
  assert_int_equal(b.discarded, 1);
  assert_int_equal(count_of(&b, 0), 0);
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
          assert_int_equal(b.s->out_valid, 0);
          step(&b);
        }
        assert_int_equal(b.s->out_valid, 0x2);
        assert_int_equal(ut_flit_tag(ut_out_at(&b.g, b.s, 1)[1]), UT_KIND_HEAD);
        step(&b); /* and a flit in each cycle */
        assert_int_equal(b.s->out_valid, 0x2);
        assert_int_equal(ut_flit_tag(ut_out_at(&b.g, b.s, 1)[1]), UT_KIND_TAIL);
        assert_int_equal(*ut_out_at(&b.g, b.s, 1), 9);
        step(&b);
        assert_int_equal(b.s->out_valid, 0);
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
      cmocka_unit_test(routes_in_a_2_ary_3_tree),
      cmocka_unit_test(routes_in_a_3_ary_2_tree),
      cmocka_unit_test(routes_around_faults_by_u_turns),
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
      cmocka_unit_test(free_space_is_advertised_anew_when_a_link_returns),
      cmocka_unit_test(an_output_starts_from_zero_credits_when_its_link_returns),
      cmocka_unit_test(a_packet_cut_on_its_way_in_gets_a_bad_tail),
      cmocka_unit_test(under_wormhole_the_bad_tail_waits_for_room),
      cmocka_unit_test(a_begun_packet_is_drained_when_its_output_link_goes_down),
      cmocka_unit_test(a_packet_not_begun_is_routed_again_when_its_output_link_goes_down),
      cmocka_unit_test(an_unreachable_packet_is_discarded_with_its_credits),
      cmocka_unit_test(a_hop_takes_2_plus_route_cycles_plus_alloc_cycles_minus_1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
