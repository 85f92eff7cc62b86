/* test_every_lane.c - all registers of one golden switch in every cycle, as they were recorded, while anything that may
 * happen at its links happens at any of them: packets on all VCs, credits, links that fail and come back, neighbours'
 * reports.  Switches with as many ports and VCs as there may be, and odd numbers of them. */
#include "hammer.h"
#include "registers_recorded.h"

static const struct {
  struct ut_shape shape;
  uint64_t straps;
  unsigned destinations, cycles;
  uint32_t rt; /* bits of packets' rt that may be set, where nothing sets them */
  uint64_t hash;
} recorded[] = {
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_LINK, 32, 8, 4, 64, 1, 2, 0, 1)},
     LEVEL(0, 0, 1, 0),
     256,
     480,
     0,
     0x0949a246672bfcec},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_LINK, 32, 8, 2, 64, 1, 2, 0, 2), .xbar = UT_XBAR_VC},
     LEVEL(1, 0, 16, 0),
     256,
     240,
     0,
     0xbfa55c4ec9ad25aa},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_SWITCH, 32, 4, 4, 128, 1, 3, 1, 1), .xbar = UT_XBAR_VC},
     LEVEL(0, 16, 1, 5),
     256,
     320,
     0,
     0x638df0727f4ea477},
    {{SWITCH(FATTREE, REROUTE_DET_LINK, 24, 5, 3, 64, 1, 8, 0, 1), .switching = UT_WORMHOLE},
     LEVEL(0, 24, 1, 0),
     144,
     320,
     0,
     0x705d143f04da039b},
    {{SWITCH(FATTREE, REROUTE_DET_SWITCH, 16, 3, 130, 64, 1, 9, 2, 1)},
     LEVEL(1, 64, 8, 4),
     512,
     320,
     0,
     0xfd3b220b0f0e70bd},
    {{SWITCH(FATTREE, MISROUTE_HEADER, 8, 8, 5, 192, 1, 5, 0, 2)}, LEVEL(1, 16, 4, 0), 64, 480, 0, 0x9a420b294b8fda31},
    {{SWITCH(FATTREE, FTA, 8, 4, 4, 64, 1, 4, 0, 1), .xbar = UT_XBAR_VC},
     LEVEL(2, 0, 16, 0),
     64,
     600,
     0,
     0x31204595f40ff1f3},
    {{SWITCH(FATTREE, DESTRO, 6, 2, 3, 64, 1, 3, 4, 1)}, LEVEL(0, 6, 1, 0), 27, 600, 0, 0xdf1b69567fae7fa8},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_LINK, 4, 1, 6, 512, 1, 6, 0, 1)},
     LEVEL(1, 4, 2, 0),
     16,
     800,
     0,
     0x034c4ece2119fdb9},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_SWITCH, 4, 3, 1, 64, 1, 1, 0, 2)},
     LEVEL(1, 0, 2, 2),
     8,
     800,
     0,
     0x09c7bfc7765f5cdf},
    {{SWITCH(TORUS, DUATO, 9, 7, 8, 64, 4, 4, 0, 1), .size = {5, 4, 3, 3}},
     GRID(2, 1, 1),
     180,
     480,
     0xffffff,
     0xe8834242f0164366},
    {{SWITCH(TORUS, DUATO, 5, 4, 8, 64, 4, 4, 0, 1), .size = {5, 4}, .deterministic = 1},
     GRID(1, 2, 0),
     20,
     400,
     0xffffff,
     0xc8800f204cab13a2},
    {{SWITCH(TORUS, DOR, 6, 4, 12, 128, 4, 4, 0, 2), .size = {5, 4}, .xbar = UT_XBAR_VC, .local_first = 1},
     GRID(4, 3, 0),
     40,
     600,
     0xffffff,
     0x483308357e09a944},
    {{SWITCH(TORUS, DIRECTION_ORDER, 7, 1, 6, 64, 3, 3, 1, 1), .size = {4, 3, 3}},
     GRID(3, 0, 2),
     36,
     600,
     0xffffff,
     0xdd6da83efa7a7752},
    {{SWITCH(MESH, DOR, 32, 8, 3, 64, 1, 7, 0, 1), .size = {4, 4}, .switching = UT_WORMHOLE, .local_first = 1},
     GRID(2, 3, 0),
     448,
     200,
     0xffffff,
     0x258c4ee9c1f0d0ad},
    {{SWITCH(MESH, DUATO, 5, 6, 4, 64, 2, 2, 3, 2), .size = {6, 5}},
     GRID(5, 2, 0),
     30,
     600,
     0xffffff,
     0xb5f1d2382ec8e466},
    {{SWITCH(DETOUR_MESH, DETOUR, 5, 3, 4, 64, 1, 4, 1, 1), .size = {6, 5}},
     GRID(2, 2, 0),
     30,
     800,
     0,
     0xd422d56cbea01e72},
    {{SWITCH(DETOUR_TORUS, ADAPTIVE_VIN, 6, 8, 4, 64, 1, 3, 0, 1), .size = {5, 5}, .xbar = UT_XBAR_VC},
     GRID(0, 4, 0),
     25,
     480,
     0,
     0xd7726feccf77e3b0},
    {{SWITCH(DETOUR_MESH, DETOUR, 7, 4, 5, 64, 1, 5, 0, 2), .size = {4, 3, 3}},
     GRID(1, 1, 2),
     36,
     600,
     0,
     0xea90b8bbf827343e},
    {{SWITCH(DETOUR_CUBE, DETOUR, 5, 4, 4, 64, 1, 4, 0, 1), .cube = 4}, 9, 16, 800, 0, 0x51711933d384891b},
    {{SWITCH(DETOUR_CUBE, ECUBE, 5, 2, 4, 64, 1, 4, 0, 1), .cube = 4, .xbar_cycles = 1},
     6,
     16,
     400,
     0,
     0xe2ab1fa702cc3f83},
    {{SWITCH(DETOUR_CUBE, ADAPTIVE_VIN, 8, 3, 4, 64, 1, 4, 0, 1), .cube = 6}, 37, 64, 400, 0, 0x58b92a18aa8aa68a},
    {{SWITCH(DETOUR_MESH, ECUBE, 5, 2, 4, 64, 1, 4, 0, 1), .size = {6, 5}, .xbar_cycles = 1},
     GRID(3, 1, 0),
     30,
     400,
     0,
     0x915aeeebdf34451b},
    {{SWITCH(DETOUR_MESH, ADAPTIVE_VIN, 9, 3, 4, 64, 1, 4, 0, 1), .size = {4, 3, 2, 3}},
     GRID(1, 2, 1),
     72,
     400,
     0,
     0x3703f3b5f0c400a4},
    {{SWITCH(DETOUR_TORUS, ECUBE, 6, 4, 4, 64, 1, 3, 1, 1), .size = {5, 4}, .local_first = 1},
     GRID(4, 0, 0),
     40,
     400,
     0,
     0x8c796fff527a5bd3},
    {{SWITCH(DETOUR_TORUS, DETOUR, 7, 6, 4, 64, 1, 3, 0, 2), .size = {4, 4, 3}},
     GRID(3, 3, 1),
     48,
     400,
     0,
     0xcf2434aff3409388},
    {{SWITCH(RUFT, RUFT, 8, 2, 4, 64, 1, 4, 0, 1), .radix = 4, .parallel = UT_PARALLEL_DYNAMIC, .xbar_cycles = 1},
     STAGE(2, 0, 0, 1),
     64,
     400,
     0xffffff,
     0x1725432b6b97cd62},
    {{SWITCH(RUFT, RUFT, 8, 3, 4, 64, 1, 4, 0, 1), .radix = 4, .parallel = UT_PARALLEL_STATIC, .halves = 1, .apart = 1},
     STAGE(0, 1, 0, 3),
     64,
     400,
     0xffffff,
     0x21d925828d487f02},
    {{SWITCH(RUFT, RUFT, 16, 1, 6, 64, 1, 6, 0, 1), .radix = 16},
     STAGE(4, 0, 1, 5),
     256,
     400,
     0xffffff,
     0x5c177b7d41cf2bbb},
    {{SWITCH(FATTREE, REROUTE_ADAPTIVE_LINK, 8, 3, 4, 64, 1, 4, 1, 2), .xbar_cycles = 1, .xbar = UT_XBAR_VC},
     LEVEL(1, 0, 4, 0),
     64,
     400,
     0,
     0x5e2d33282bec5bd4},
    {{SWITCH(MESH, DOR, 5, 3, 8, 64, 4, 4, 0, 1), .size = {4, 4}, .switching = UT_WORMHOLE, .xbar_cycles = 1},
     GRID(1, 2, 0),
     16,
     400,
     0xffffff,
     0x69fb747b81c15273},
    {{SUB_PATHS(3, MESH, DUATO, 5, 5, 6, 64, 2, 4, 0, 1), .size = {2, 2}, .deterministic = 1, .misroute = 1},
     GRID(1, 0, 0),
     4,
     600,
     0xffffff,
     0xcee8709a048f96bc},
    {{SUB_PATHS(2, TORUS, DUATO, 4, 4, 8, 64, 4, 4, 1, 1), .size = {4}, .xbar = UT_XBAR_VC},
     GRID(2, 0, 0),
     8,
     600,
     0xffffff,
     0xea3b0d0afb4fdd3d},
    {{SUB_PATHS(2, MESH, DIRECTION_ORDER, 6, 2, 3, 128, 1, 3, 0, 2), .size = {2, 3}, .xbar_cycles = 1},
     GRID(0, 1, 0),
     12,
     600,
     0xffffff,
     0x3638bd01c449add9},
    {{SUB_PATHS(4, TORUS, DOR, 5, 4, 12, 64, 5, 6, 3, 1), .size = {3, 2}, .misroute = 1},
     GRID(2, 1, 0),
     6,
     600,
     0xffffff,
     0x8af4cfeb539a6c87},
    {{SUB_PATHS(3, MESH, DUATO, 5, 4, 3, 64, 2, 7, 0, 1), .size = {3, 2}, .switching = UT_WORMHOLE},
     GRID(1, 1, 0),
     6,
     600,
     0xffffff,
     0x93ff926235d397fb},
    {{SWITCH(TABLE, TABLE, 8, 2, 4, 64, 1, 4, 0, 1), .destinations = 16},
     LEVEL(1, 0, 4, 0),
     16,
     500,
     0xffffff,
     0x5154167a3ed78adb},
    {{SWITCH(TABLE, TABLE_REROUTE_DET_LINK, 8, 3, 4, 64, 1, 4, 1, 2), .destinations = 16},
     LEVEL(0, 0, 1, 0),
     16,
     500,
     0xffffff,
     0x83d1868a938cd58e},
    {{SWITCH(TABLE, TABLE_REROUTE_DET_LINK, 6, 4, 3, 128, 1, 3, 0, 1), .destinations = 27},
     LEVEL(1, 9, 3, 0),
     27,
     500,
     0xffffff,
     0x95f8fe8f6649588c},
    {{SWITCH(DETOUR_CUBE, DETOUR, 8, 4, 3, 64, 1, 3, 0, 1), .cube = 5, .local_first = 1},
     9,
     32,
     400,
     0,
     0x54c396e389846bdb},
};

/* What the route unit answers to packets of any kind at any of its inputs. */
static void record_answers(uint64_t *hash, struct hammer *h) {
  const struct ut_group *g = &h->b.m.g;
  const struct ut_form x = g->form;
  for (unsigned i = 0; i < 4; i++) {
    struct ut_route_result r;
    const unsigned port = any(h, g->shape.pi), vc = any(h, g->shape.v);
    const uint16_t dst = (uint16_t)any(h, h->destinations), src = (uint16_t)any(h, h->destinations);
    memset(&r, 0, sizeof r);
    g->route(g, h->b.m.s, ut_header_make(dst, src, 0, any(h, 1u << 24) & h->rt), port, vc, &r);
    for (unsigned v = 0; v < g->shape.v; v++) {
      record(hash, (uint64_t)r.cand[v] << 32 | (x.bubble ? r.bubble[v] : 0));
      record(hash, x.preferred ? r.preferred[v] : 0);
    }
    record(hash, (uint64_t)(x.vector ? r.set : 0) << 32 | (x.rewrites ? r.rt : 0));
    record(hash, (x.strips && r.strip) << 3 | r.discard << 2 | (x.vector && r.uses_state) << 1 | r.all_escape);
    for (const char *c = r.rule; c && *c; c++)
      record(hash, (unsigned char)*c);
  }
}

static uint64_t hammered(unsigned number) {
  static struct hammer h; /* too large for a stack */
  const struct ut_shape *shape = &recorded[number].shape;
  uint64_t hash = 0;
  memset(&h, 0, sizeof h);
  start(&h.b, *shape, recorded[number].straps);
  h.destinations = recorded[number].destinations, h.rt = recorded[number].rt, h.random = number;
  for (unsigned port = 0; port < shape->po; port++)
    for (unsigned vc = 0; vc < shape->v; vc++)
      h.out[port][vc].room = shape->depth;
  for (unsigned cycle = 0; cycle < recorded[number].cycles; cycle++) {
    drive(&h);
    if (cycle > shape->depth)
      disturb(&h);
    if (shape->destinations)
      configure(&h);
    step(&h.b);
    receive(&h);
    record_events(&hash, &h.b.m.events);
    record_answers(&hash, &h);
    record_registers(&hash, &h.b.m.g, h.b.m.s);
    for (unsigned lane = 0; lane < shape->pi * shape->v && h.b.m.g.form.strips; lane++)
      if (ut_reg_count(&h.b.m.g, h.b.m.s, lane / shape->v, lane % shape->v))
        record(&hash, ut_reg_front_is_head(&h.b.m.g, h.b.m.s, lane / shape->v, lane % shape->v));
  }
  stop(&h.b);
  return hash;
}

static void lanes_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    char what[32];
    snprintf(what, sizeof what, "switch %u", i);
    recorded_is(what, hammered(i), recorded[i].hash, &differences);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
