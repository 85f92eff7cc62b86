/* bench.h - one golden switch with its wires, for the tests of its blocks. */
#ifndef UT_TEST_BENCH_H
#define UT_TEST_BENCH_H

#include "input_unit.h"
#include "output_unit.h"
#include "registers.h"
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
  ut_mask report[UT_MAX_REPORTS];
  ut_mask credit[UT_MAX_VCS];
  uint64_t flit[2 * UT_MAX_PORTS];
  unsigned discarded; /* calls of the discard hook */
};

static inline struct ut_shape shape_of(unsigned k, unsigned v, unsigned depth, unsigned max_packet,
                                       unsigned algorithm) {
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
                           .escapes = 1,
                           .links = 1};
}

static inline void count_discard(void *ctx, uint32_t id, uint64_t header, enum ut_dropped why) {
  (void)id, (void)header, (void)why;
  ++*(unsigned *)ctx;
}

static inline void start(struct bench *b, struct ut_shape shape, uint64_t straps) {
  memset(b, 0, sizeof *b);
  assert_null(ut_shape_rule(&shape));
  assert_true(ut_group_init(&b->g, &shape, 0, 1));
  b->g.on_discard = count_discard;
  b->g.ctx = &b->discarded;
  b->s = ut_switch_of(&b->g, 0);
  ut_switch_reset(&b->g, b->s, straps);
  b->in = (struct ut_switch_in){
      .in_up = b->g.all_in, .out_up = b->g.all_out, .report = b->report, .credit = b->credit, .flit = b->flit};
}

static inline void stop(struct bench *b) {
  ut_group_fini(&b->g);
}

static inline void step(struct bench *b) {
  ut_switch_step(&b->g, b->s, &b->in);
  b->in.valid = 0;
  memset(b->credit, 0, sizeof b->credit);
}

/* A credit for input port `port`, VC 0, is on the wire. */
static inline bool credit_back(struct bench *b, unsigned port) {
  return ut_reg_credit(&b->g, b->s, port, 0);
}

/* Steps until all links are up, all free space is advertised, and every output VC has `credits` credits. */
static inline void warm_up(struct bench *b, unsigned credits) {
  step(b);
  for (unsigned i = 0; i < b->g.shape.depth + 1; i++) {
    for (unsigned v = 0; v < b->g.shape.v; v++)
      b->credit[v] = i < credits ? b->g.all_out : 0;
    step(b);
  }
  assert_int_equal(ut_reg_credits(&b->g, b->s, 0, 0), credits);
  for (unsigned port = 0; port < b->g.shape.pi; port++)
    assert_false(credit_back(b, port));
}

static inline void arrive(struct bench *b, unsigned port, unsigned tag, uint64_t data) {
  b->in.valid |= ut_bit(port);
  b->flit[2 * port] = data;
  b->flit[2 * port + 1] = ut_flit_meta(tag, 0);
}

static inline uint64_t header_to(unsigned dst) {
  return ut_header_make((uint16_t)dst, 0, 0, 0);
}

static inline unsigned state_of(struct bench *b, unsigned port) {
  return ut_reg_state(&b->g, b->s, port, 0);
}

static inline unsigned count_of(struct bench *b, unsigned port) {
  return ut_reg_count(&b->g, b->s, port, 0);
}

/* Output ports whose VC 0 has an owner. */
static inline ut_mask owned(struct bench *b) {
  ut_mask ports = 0;
  for (unsigned op = 0; op < b->g.shape.po; op++)
    ports |= ut_reg_owned(&b->g, b->s, op, 0) ? ut_bit(op) : 0;
  return ports;
}

/* Output ports with a flit on the wire, and the tag and the first word of such a flit. */
static inline ut_mask sent(struct bench *b) {
  return ut_reg_valid(&b->g, b->s);
}

static inline unsigned tag_sent(struct bench *b, unsigned port) {
  return ut_flit_tag(ut_reg_flit(&b->g, b->s, port)[b->g.traits.words]);
}

static inline uint64_t word_sent(struct bench *b, unsigned port) {
  return ut_reg_flit(&b->g, b->s, port)[0];
}

#endif
