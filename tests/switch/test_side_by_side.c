/* test_side_by_side.c - switches in the blocks of a group hold the same registers, drive the same wires and tell of the
 * same events as each of them alone, whatever happens to the others: lanes of a block are their own.  A switch alone
 * often is calm where its block is not, so both ways of a cycle must agree, too. */
#include "hammer.h"
#include "registers_equal.h"
#include "registers_recorded.h"

enum { MOST = 40, FIRST = 3 /* the id of the group's first switch */ };

static const struct {
  struct ut_shape shape;
  uint64_t straps[3]; /* taken in turn */
  unsigned count, destinations, cycles;
  uint32_t rt; /* bits of packets' rt that may be set, where nothing sets them */
  uint64_t hash;
} recorded[] = {
    {{SWITCH(RUFT, RUFT, 2, 1, 4, 64, 1, 3, 2, 1), .radix = 2},
     {STAGE(1, 0, 0, 1), STAGE(0, 1, 0, 0), STAGE(2, 0, 1, 1)},
     34,
     8,
     250,
     0xffffff,
     0x3ef5ed252dd083e7},
    {{SWITCH(DETOUR_CUBE, ECUBE, 2, 1, 3, 128, 1, 3, 1, 2), .cube = 1}, {0, 1, 0}, 33, 2, 250, 0, 0x54d1006ec54af841},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_LINK, 4, 1, 6, 128, 1, 6, 3, 1)},
     {LEVEL(1, 4, 2, 9), LEVEL(0, 6, 1, 0), LEVEL(1, 0, 2, 20)},
     18,
     16,
     400,
     0,
     0xc499f91220bd81c2},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_SWITCH, 4, 2, 3, 64, 1, 3, 2, 2)},
     {LEVEL(1, 0, 2, 7), LEVEL(0, 2, 1, 12), LEVEL(2, 0, 4, 5)},
     10,
     8,
     500,
     0,
     0x2f35887153d8d769},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_SWITCH, 4, 5, 5, 64, 1, 3, 0, 1), .xbar_cycles = 1},
     {LEVEL(1, 0, 2, 16), LEVEL(0, 2, 1, 30), LEVEL(2, 0, 4, 5)},
     3,
     8,
     600,
     0,
     0xefdaeeeb0b839999},
    {{SWITCH(FATTREE, REROUTE_DET_LINK, 8, 3, 3, 64, 1, 8, 0, 1), .switching = UT_WORMHOLE, .xbar = UT_XBAR_VC},
     {LEVEL(0, 24, 1, 0), LEVEL(1, 0, 4, 0), LEVEL(1, 16, 4, 0)},
     5,
     64,
     400,
     0,
     0xe668f7bd4f028d82},
    {{SWITCH(FATTREE, FTA, 6, 1, 130, 64, 1, 7, 4, 2)},
     {LEVEL(0, 6, 1, 0), LEVEL(1, 0, 3, 0), LEVEL(2, 0, 9, 0)},
     11,
     27,
     300,
     0,
     0x2f1a44077fe75794},
    {{SWITCH(FATTREE, FTA, 8, 2, 5, 64, 1, 5, 0, 1)},
     {LEVEL(0, 8, 1, 0), LEVEL(1, 0, 4, 0), LEVEL(2, 0, 16, 0)},
     7,
     64,
     300,
     0,
     0x0712725c266dcb4d},
    {{SUB_PATHS(2, TORUS, DUATO, 4, 4, 8, 64, 4, 4, 1, 1), .size = {4}},
     {GRID(2, 0, 0), GRID(0, 0, 0), GRID(3, 0, 0)},
     6,
     8,
     400,
     0xffffff,
     0x9b686e195947f71d},
    {{SWITCH(TORUS, DUATO, 5, 2, 8, 64, 4, 4, 0, 1), .size = {5, 4}, .deterministic = 1},
     {GRID(1, 2, 0), GRID(4, 3, 0), GRID(0, 0, 0)},
     6,
     20,
     400,
     0xffffff,
     0x7b702a2980c0c5e8},
    {{SWITCH(TORUS, DOR, 3, 1, 8, 64, 4, 4, 0, 1), .size = {5}},
     {GRID(1, 0, 0), GRID(4, 0, 0), GRID(0, 0, 0)},
     19,
     5,
     400,
     0xffffff,
     0x1811686dac15d2a9},
    {{SWITCH(MESH, DOR, 6, 1, 130, 64, 1, 7, 0, 1), .size = {4, 4}, .switching = UT_WORMHOLE, .local_first = 1},
     {GRID(2, 3, 0), GRID(0, 0, 0), GRID(1, 1, 0)},
     10,
     32,
     400,
     0xffffff,
     0x2d0ad88b0a32bdf1},
    {{SUB_PATHS(3, MESH, DUATO, 5, 4, 3, 64, 2, 7, 0, 1), .size = {3, 2}, .switching = UT_WORMHOLE, .misroute = 1},
     {GRID(1, 1, 0), GRID(0, 0, 0), GRID(2, 1, 0)},
     3,
     6,
     400,
     0xffffff,
     0xa0a04e508cce6d97},
    {{SWITCH(DETOUR_MESH, DETOUR, 5, 2, 4, 64, 1, 4, 1, 1), .size = {6, 5}},
     {GRID(2, 2, 0), GRID(0, 4, 0), GRID(5, 1, 0)},
     6,
     30,
     500,
     0,
     0x56731cd889019e52},
    {{SWITCH(DETOUR_CUBE, DETOUR, 4, 2, 4, 64, 1, 4, 0, 1), .cube = 3, .local_first = 1},
     {5, 0, 6},
     10,
     8,
     500,
     0,
     0x4221cf4c4aafa9b1},
    {{SWITCH(DETOUR_TORUS, DETOUR, 6, 4, 3, 64, 1, 3, 3, 1), .size = {5, 5}, .xbar = UT_XBAR_VC},
     {GRID(0, 4, 0), GRID(2, 2, 0), GRID(4, 0, 0)},
     4,
     50,
     400,
     0,
     0x2a9e60715fda72fe},
    {{SWITCH(RUFT, RUFT, 8, 1, 4, 64, 1, 4, 0, 1), .radix = 4, .parallel = UT_PARALLEL_DYNAMIC},
     {STAGE(2, 0, 0, 1), STAGE(0, 1, 0, 3), STAGE(4, 0, 1, 2)},
     9,
     64,
     300,
     0xffffff,
     0xb953f79cab2a7291},
    {{SWITCH(TABLE, TABLE_REROUTE_DET_LINK, 4, 2, 4, 64, 1, 4, 1, 2), .destinations = 8},
     {LEVEL(0, 0, 1, 0), LEVEL(1, 0, 2, 0), LEVEL(2, 0, 4, 0)},
     9,
     8,
     500,
     0xffffff,
     0x45b2418dfbbb8c56},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_LINK, 16, 8, 128, 64, 1, 9, 2, 1)},
     {LEVEL(0, 8, 1, 5), LEVEL(1, 0, 8, 9), LEVEL(1, 64, 8, 0)},
     3,
     64,
     200,
     0,
     0x2f0c52d5de844114},
    {{SWITCH(MESH, DUATO, 5, 8, 3, 64, 2, 7, 1, 1), .size = {3, 3}, .switching = UT_WORMHOLE},
     {GRID(1, 1, 0), GRID(0, 2, 0), GRID(2, 1, 0)},
     2,
     9,
     300,
     0xffffff,
     0x700cd3f63c807870},
    {{SWITCH(TORUS, DUATO, 6, 5, 12, 64, 3, 4, 0, 1), .size = {4, 3}},
     {GRID(1, 1, 0), GRID(3, 2, 0), GRID(0, 0, 0)},
     2,
     24,
     300,
     0xffffff,
     0x367e0a1144a46db0},
    {{SWITCH(MESH, DIRECTION_ORDER, 6, 2, 3, 64, 1, 5, 0, 1), .size = {4, 4}, .switching = UT_WORMHOLE,
      .xbar_cycles = 1, .local_first = 1},
     {GRID(1, 2, 0), GRID(3, 0, 0), GRID(2, 2, 0)},
     5,
     32,
     400,
     0xffffff,
     0x51a0f580cb05848b},
    {{SWITCH(FATTREE, FTA, 32, 8, 6, 64, 1, 3, 0, 1)},
     {LEVEL(0, 16, 1, 0), LEVEL(1, 0, 16, 0), LEVEL(1, 0, 16, 0)},
     2,
     256,
     150,
     0,
     0x3bc30f3d6160f57a},
    {{SWITCH(MESH, DUATO, 16, 8, 5, 64, 1, 4, 0, 1), .size = {3, 3}, .local_first = 1, .xbar = UT_XBAR_VC},
     {GRID(1, 1, 0), GRID(2, 0, 0), GRID(0, 1, 0)},
     2,
     108,
     200,
     0xffffff,
     0xc97988e2c1e31281},
    {{SWITCH(FATTREE, FTA, 16, 5, 4, 64, 1, 3, 0, 1), .xbar_cycles = 1, .switching = UT_WORMHOLE},
     {LEVEL(0, 16, 1, 0), LEVEL(1, 0, 8, 0), LEVEL(1, 0, 8, 0)},
     2,
     64,
     200,
     0,
     0x3302645c823ddd96},
};

struct row {
  struct ut_group g;
  struct ut_wires wires;
  struct ut_cycle c;
  struct ut_events events;
  ut_mask in_up[FIRST + MOST], out_up[FIRST + MOST], report[(FIRST + MOST) * UT_MAX_REPORTS];
  uint64_t word[FIRST + MOST]; /* for tables */
};

static void row_start(struct row *r, const struct ut_shape *shape, unsigned count) {
  memset(r, 0, sizeof *r);
  assert_true(count <= MOST && ut_group_init(&r->g, shape, FIRST, count));
  const unsigned all = ut_shape_lanes(shape, count);
  r->wires.terminals = UT_LANES + 2 * all;
  r->wires.words = shape->w / 64, r->wires.depth = shape->depth;
  r->wires.link_cycles = r->wires.injection_cycles = r->wires.ejection_cycles = 1;
  assert_true(ut_wires_init(&r->wires, r->wires.terminals));
  ut_group_join(&r->g, &r->wires, UT_LANES);
  for (unsigned n = 0; n < all; n++) {
    ut_wires_join(&r->wires, UT_LANES + n, UT_LANES + all + n, ut_lane_vc(n, r->g.form));
    ut_wires_join(&r->wires, UT_LANES + all + n, UT_LANES + n, ut_lane_vc(n, r->g.form));
  }
  r->c.wires = &r->wires;
  r->c.flits = r->wires.flits[0], r->c.flits_later = r->wires.flits[1];
  r->c.credits = r->wires.credits[0], r->c.credits_later = r->wires.credits[1];
  r->c.in_up = r->in_up, r->c.out_up = r->out_up, r->c.report = r->report;
  r->c.reports = ut_shape_reports(shape);
  r->c.config = shape->destinations ? r->word : NULL;
}

static void row_stop(struct row *r) {
  ut_group_fini(&r->g);
  ut_wires_fini(&r->wires);
  free(r->events.event);
}

/* What arrives at a switch that is alone arrives at that one of the row. */
static void arrive_too(struct row *r, unsigned i, const struct golden *m) {
  const unsigned lanes = 1u << r->g.form.each_bits;
  for (unsigned n = 0; n < lanes; n++) {
    const uint32_t from = UT_LANES + n, to = UT_LANES + i * lanes + n;
    r->c.credits[to] = m->c.credits[from];
    r->c.flits[to] = m->c.flits[from];
    if (m->c.flits[from])
      ut_flit_copy(ut_wires_flit(&r->wires, to, ut_position_at(r->wires.write, to, r->wires.wide)),
                   ut_wires_flit(&m->wires, from, ut_position_at(m->wires.write, from, m->wires.wide)), r->wires.words);
  }
}

/* It sees the same links, reports and words. */
static void see_too(struct row *r, unsigned i, struct hammer *h) {
  const unsigned id = FIRST + i, bits = r->c.reports;
  ut_mask *report = r->report + (size_t)id * bits;
  struct ut_switch *s = ut_switch_of(&r->g, id);
  if (r->in_up[id] != h->b.in_up || r->out_up[id] != h->b.out_up || memcmp(report, h->b.report, bits * sizeof *report))
    ut_switch_disturb(&r->g, s);
  r->in_up[id] = h->b.in_up, r->out_up[id] = h->b.out_up;
  memcpy(report, h->b.report, bits * sizeof *report);
  if (r->g.shape.destinations && h->word) {
    r->word[id] = h->word;
    ut_switch_disturb(&r->g, s);
  }
}

/* The switch fails, or comes back. */
static void fail_or_mend(struct row *r, unsigned i, struct hammer *h, uint64_t straps) {
  struct ut_switch *both[] = {ut_switch_of(&r->g, FIRST + i), h->b.m.s};
  const bool held = !h->b.m.s->held;
  ut_switch_reset(&r->g, both[0], straps);
  ut_switch_reset(&h->b.m.g, both[1], straps);
  both[0]->held = both[1]->held = held;
  h->b.in_up = held ? 0 : h->b.m.g.all_in;
  h->b.out_up = held ? 0 : h->b.m.g.all_out;
}

/* What the switch has driven, and told of, as it does alone. */
static void is_the_same(const struct row *r, unsigned i, const struct golden *m) {
  const unsigned lanes = 1u << r->g.form.each_bits, all = ut_shape_lanes(&r->g.shape, r->g.count);
  const uint32_t here = UT_LANES + all + i * lanes, there = UT_LANES + m->g.form.all;
  assert_memory_equal(r->c.flits_later + here, m->c.flits_later + there, lanes);
  assert_memory_equal(r->c.credits_later + here, m->c.credits_later + there, lanes);
  for (unsigned port = 0; port < r->g.shape.pi; port++)
    for (unsigned vc = 0; vc < r->g.shape.v; vc++) {
      assert_int_equal(m->c.credits_later[golden_far(m, port, vc)], ut_reg_credit(&m->g, m->s, port, vc) ? 0xff : 0);
      assert_true(m->g.form.xbar_cycles || !ut_reg_cross(&m->g, m->s, port, vc)); /* has no such register */
    }
  assert_int_equal(ut_switch_report(&r->g, ut_switch_of(&r->g, FIRST + i)), ut_switch_report(&m->g, m->s));
  size_t of_it = 0;
  for (size_t e = 0; e < r->events.count; e++) {
    const struct ut_event *event = &r->events.event[e];
    if (event->sw != FIRST + i)
      continue;
    assert_true(of_it < m->events.count);
    const struct ut_event *alone = &m->events.event[of_it++];
    assert_int_equal(event->kind, alone->kind);
    assert_int_equal(event->why, alone->why);
    assert_true(event->header == alone->header);
  }
  assert_int_equal(of_it, m->events.count);
  if (r->g.form.states)
    assert_memory_equal(ut_node_states_of(&r->g, ut_switch_of(&r->g, FIRST + i))->purged,
                        ut_node_states_of(&m->g, m->s)->purged, r->g.form.v * sizeof(ut_mask));
  const char *differs = differing_register(&r->g, ut_switch_of(&r->g, FIRST + i), &m->g, m->s);
  if (differs)
    fail_msg("switch %u of %u, %u ports, %u VCs: %s", i, r->g.count, r->g.shape.pi, r->g.shape.v, differs);
}

/* Credits on links that are down, in cycles in which links change: later ones the network takes off the wires. */
static void stray(struct hammer *h) {
  const struct ut_shape *p = &h->b.m.g.shape;
  for (unsigned port = 0; port < p->po && h->b.out_up != h->b.m.out_up; port++)
    if (!(h->b.m.s->out_up >> port & 1) && any(h, 2))
      golden_credit(&h->b.m, port, any(h, p->v));
}

static void switches_of_a_block_are_as_they_are_alone(void **state) {
  (void)state;
  static struct hammer alone[MOST]; /* too large for a stack */
  static struct row r;
  unsigned differences = 0;
  for (unsigned n = 0; n < sizeof recorded / sizeof recorded[0]; n++) {
    const struct ut_shape *shape = &recorded[n].shape;
    const unsigned count = recorded[n].count;
    uint64_t left = 0, left_alone = 0, hash = 0;
    char what[32];
    row_start(&r, shape, count);
    for (unsigned i = 0; i < count; i++) {
      struct hammer *h = &alone[i];
      memset(h, 0, sizeof *h);
      start(&h->b, *shape, recorded[n].straps[i % 3]);
      ut_switch_reset(&r.g, ut_switch_of(&r.g, FIRST + i), recorded[n].straps[i % 3]);
      h->destinations = recorded[n].destinations, h->rt = recorded[n].rt, h->random = 100 * n + i;
      for (unsigned port = 0; port < shape->po; port++)
        for (unsigned vc = 0; vc < shape->v; vc++)
          h->out[port][vc].room = shape->depth;
    }
    for (unsigned cycle = 0; cycle < recorded[n].cycles; cycle++) {
      r.c.order = r.g.form.states && cycle / 16 % 2 == 0 ? order(&alone[0]) : 0;
      memset(r.c.flits_later, 0, r.wires.lanes);
      memset(r.c.credits_later, 0, r.wires.lanes);
      r.events.count = 0;
      const unsigned stretch = cycle / 16 % 4; /* trouble anywhere, none, at a third of the switches, none */
      for (unsigned i = 0; i < count; i++) {
        struct hammer *h = &alone[i];
        h->word = 0;
        if (cycle % 64 == i % 16 && cycle >= 64 && any(h, 2))
          fail_or_mend(&r, i, h, recorded[n].straps[i % 3]);
        drive(h);
        if (cycle > 20 && !h->b.m.s->held && (stretch == 0 || (stretch == 2 && (cycle / 64 + i) % 3 == 0))) {
          disturb(h);
          if (shape->destinations)
            configure(h);
        }
        stray(h);
        h->b.m.c.order = r.c.order;
        if (!h->word)
          h->b.m.c.config = NULL;
        r.word[FIRST + i] = 0;
        arrive_too(&r, i, &h->b.m);
        see_too(&r, i, h);
        golden_see(&h->b.m, h->b.in_up, h->b.out_up, h->b.report);
        golden_take(&h->b.m);
        left_alone += ut_group_step(&h->b.m.g, &h->b.m.c, 0, h->b.m.g.blocks, &h->b.m.events);
        receive(h);
      }
      left += ut_group_step(&r.g, &r.c, 0, r.g.blocks, &r.events);
      for (unsigned i = 0; i < count; i++)
        is_the_same(&r, i, &alone[i].b.m);
      record_events(&hash, &r.events);
      const struct golden *m = &alone[cycle % count].b.m;
      record_registers(&hash, &m->g, m->s);
      if (m->g.form.states)
        for (unsigned vc = 0; vc < shape->v; vc++)
          record(&hash, ut_node_states_of(&m->g, m->s)->purged[vc]);
    }
    assert_true(left == left_alone && left > 0);
    for (unsigned i = 0; i < count; i++)
      stop(&alone[i].b);
    row_stop(&r);
    snprintf(what, sizeof what, "group %u", n);
    recorded_is(what, hash, recorded[n].hash, &differences);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(switches_of_a_block_are_as_they_are_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
