/* SPDX-License-Identifier: Apache-2.0 */
/* bench.h - one switch with its wires, whose other ends are the test's: model and spec beside each other.  What a test
 * expects it looks up in the model; after each step the spec must hold the same. */
#ifndef UT_TEST_BENCH_H
#define UT_TEST_BENCH_H

#include "golden.h"
#include "spec_group.h"
#include "steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One switch and what it sees; flits and credits are on the wires for one cycle, the rest until changed. */
struct bench {
  struct golden m;
  ut_mask in_up, out_up, report[UT_MAX_REPORTS];
  unsigned discarded; /* packets */
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
                           .links = 1,
                           .vin1_vcs = 1};
}

static inline void start(struct bench *b, struct ut_shape shape, uint64_t straps) {
  memset(b, 0, sizeof *b);
  assert_null(ut_shape_rule(&shape));
  assert_true(golden_start(&b->m, &shape));
  assert_true(ut_spec_attach(&b->m.g, UT_SPEC_CHECKS));
  golden_reset(&b->m, straps);
  b->in_up = b->m.g.all_in;
  b->out_up = b->m.g.all_out;
}

static inline void stop(struct bench *b) {
  golden_stop(&b->m);
}

static inline void print_register(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  (void)ctx;
  print_error("%s: model 0x%llx, spec 0x%llx\n", path, (unsigned long long)model, (unsigned long long)spec);
}

static inline void step(struct bench *b) {
  golden_see(&b->m, b->in_up, b->out_up, b->report);
  golden_step(&b->m);
  if (ut_spec_differing(&b->m.g) != UINT32_MAX) {
    unsigned differ;
    ut_spec_compare(&b->m.g, 0, print_register, NULL, &differ);
    fail_msg("model and spec differ in %u registers, or in what they drive", differ);
  }
  for (size_t i = 0; i < b->m.events.count; i++)
    b->discarded += b->m.events.event[i].kind == UT_EVENT_DROPPED;
}

/* Credits come back to VC 0 of these output ports. */
static inline void credits(struct bench *b, ut_mask ports) {
  UT_FOR_EACH (port, ports)
    golden_credit(&b->m, port, 0);
}

/* A credit for input port `port`, VC 0, is on the wire. */
static inline bool credit_back(struct bench *b, unsigned port) {
  return ut_reg_credit(&b->m.g, b->m.s, port, 0);
}

/* Steps until all links are up, all free space is advertised, and every output VC has `credits` credits. */
static inline void warm_up(struct bench *b, unsigned count) {
  step(b);
  for (unsigned i = 0; i < b->m.g.shape.depth + 1; i++) {
    for (unsigned v = 0; v < b->m.g.shape.v && i < count; v++)
      UT_FOR_EACH (port, b->m.g.all_out)
        golden_credit(&b->m, port, v);
    step(b);
  }
  assert_int_equal(ut_reg_credits(&b->m.g, b->m.s, 0, 0), count);
  for (unsigned port = 0; port < b->m.g.shape.pi; port++)
    assert_false(credit_back(b, port));
}

static inline void arrive(struct bench *b, unsigned port, unsigned tag, uint64_t data) {
  golden_arrive(&b->m, port, 0, (const uint64_t[]){data, ut_flit_meta(tag, 0)});
}

/* What the spec answers to a head, from the registers as the test has set them in the model; so does the model. */
static inline struct spec_answer answer(struct bench *b, uint64_t header, unsigned ip, unsigned ivc) {
  const struct ut_group *g = &b->m.g;
  struct ut_route_result model;
  struct spec_answer spec;
  ut_spec_load(g, b->m.s, &g->spec->sw[0]);
  spec_route(&g->spec->sw[0], header, ip, ivc, &spec);
  g->route(g, b->m.s, header, ip, ivc, &model);
  for (unsigned ovc = 0; ovc < g->shape.v; ovc++)
    assert_int_equal(model.cand[ovc], spec.cand[ovc]);
  assert_int_equal(model.discard, spec.discard);
  assert_int_equal(model.set, spec.set);
  if (g->form.rewrites)
    assert_int_equal(model.rt, spec.rt);
  return spec;
}

static inline uint64_t header_to(unsigned dst) {
  return ut_header_make((uint16_t)dst, 0, 0, 0);
}

static inline unsigned state_of(struct bench *b, unsigned port) {
  return ut_reg_state(&b->m.g, b->m.s, port, 0);
}

static inline unsigned count_of(struct bench *b, unsigned port) {
  return ut_reg_count(&b->m.g, b->m.s, port, 0);
}

/* Output ports whose VC 0 has an owner. */
static inline ut_mask owned(struct bench *b) {
  ut_mask ports = 0;
  for (unsigned op = 0; op < b->m.g.shape.po; op++)
    ports |= ut_reg_owned(&b->m.g, b->m.s, op, 0) ? ut_bit(op) : 0;
  return ports;
}

/* Output ports with a flit on the wire, and the tag and the first word of such a flit. */
static inline ut_mask sent(struct bench *b) {
  return ut_reg_valid(&b->m.g, b->m.s);
}

static inline unsigned tag_sent(struct bench *b, unsigned port) {
  return ut_flit_tag(ut_reg_flit(&b->m.g, b->m.s, port)[b->m.g.form.words]);
}

static inline uint64_t word_sent(struct bench *b, unsigned port) {
  return ut_reg_flit(&b->m.g, b->m.s, port)[0];
}

#endif
