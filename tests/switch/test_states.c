/* test_states.c - node_states.h, reroute_vector.h and output_unit.h: one end of a cycle from any state with anything
 * that neighbours may say, against a second computation, port by port and node by node. */
#include "bench.h"
#include "drawn.h"

static ut_mask some(ut_mask all) {
  const ut_mask a = any(1u << 16) | any(1u << 16) << 16, b = any(1u << 16) | any(1u << 16) << 16;
  const unsigned how = any(4);
  return all & (how == 0 ? 0 : how == 1 ? a & b : how == 2 ? a | b : ~(ut_mask)0);
}

/* ---- states of nodes */

/* Corners are counted plane by plane: by the higher dimension, the lower one, then the sides there. */
static unsigned corner_of(unsigned p, unsigned q) {
  unsigned n = 0;
  for (unsigned j = 1; j < UT_MAX_DIMENSIONS; j++)
    for (unsigned i = 0; i < j; i++)
      for (unsigned side = 0; side < 4; side++, n++)
        if ((p == 2 * j + side / 2 && q == 2 * i + side % 2) || (q == 2 * j + side / 2 && p == 2 * i + side % 2))
          return n;
  return 32;
}

static void corners_have_numbers(void **state) {
  (void)state;
  for (unsigned p = 0; p < 8; p++)
    for (unsigned q = 0; q < 8; q++)
      if (p / 2 != q / 2)
        assert_int_equal(ut_diagonal(p, q), corner_of(p, q));
}

/* The node at (x, y) in the plane of two dimensions, from -1 to 1 each, is bad. */
static bool is_bad(const struct ut_node_states *n, unsigned i, unsigned j, int x, int y) {
  const unsigned p = 2 * i + (x < 0), q = 2 * j + (y < 0);
  if (x && y)
    return n->diagonal >> corner_of(p, q) & 1;
  return x ? n->bad >> p & 1 : y ? n->bad >> q & 1 : false;
}

/* Definitions 1 and 1'. */
static bool becomes_unsafe(const struct ut_group *g, const struct ut_node_states *n) {
  if (g->shape.cube)
    return __builtin_popcount(n->bad) > 1;
  for (unsigned i = 0; i < g->dimensions; i++)
    for (unsigned j = i + 1; j < g->dimensions; j++) {
      unsigned bad = 0, on[4] = {0}; /* edges: left, right, lower, upper */
      for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
          if (is_bad(n, i, j, x, y))
            bad++, on[0] += x<0, on[1] += x> 0, on[2] += y<0, on[3] += y> 0;
      if (on[0] < bad && on[1] < bad && on[2] < bad && on[3] < bad)
        return true;
    }
  return false;
}

/* Definition 2. */
static bool becomes_disabled(const struct ut_group *g, const struct ut_node_states *n) {
  for (unsigned i = 0; i < g->dimensions; i++)
    for (unsigned j = i + 1; j < g->dimensions; j++) {
      unsigned safe = 0;
      for (unsigned port = 0; port < 2 * g->dimensions; port++)
        safe += (port / 2 == i || port / 2 == j) && n->exists >> port & 1 && !(n->bad >> port & 1);
      if (n->unsafe && safe < 2)
        return true;
    }
  return false;
}

/* What the neighbour behind a port says, if its link is up. */
static bool says(const struct ut_switch_in *in, unsigned port, unsigned bit) {
  return in->out_up >> port & 1 && in->report[bit] >> port & 1;
}

static void expect_heard(const struct ut_group *g, const struct ut_node_states *old, const struct ut_switch_in *in,
                         struct ut_node_states *e) {
  const unsigned ports = 2 * g->dimensions;
  e->diagonal = 0;
  for (unsigned p = 0; p < ports; p++)
    for (unsigned q = 0; q < ports; q++)
      if (p / 2 != q / 2 && says(in, p, 1 + q))
        e->diagonal |= 1u << corner_of(p, q);
  if (!g->routing->borders)
    return;
  e->border = e->corner = 0;
  for (unsigned side = 0; side < 2; side++) {
    const bool reaches = old->edge || old->corner >> side & 1;
    e->border |= (uint8_t)((reaches && old->bad >> (ports - 2 + side) & 1) << side);
    for (unsigned port = 0; port < 2; port++)
      e->corner |= (uint8_t)(says(in, port, 1 + ports + side) << (2 * port + side));
  }
}

static void expect_order(uint64_t word, struct ut_node_states *e) {
  const unsigned kind = word >> UT_ORDER_KIND_LSB & 7;
  e->purge = kind == UT_ORDER_KIND_PURGE;
  switch (kind) {
  case UT_ORDER_KIND_REFUSE: e->refuses = true, e->refused = (uint16_t)word; break;
  case UT_ORDER_KIND_ACCEPT: e->refuses = false; break;
  case UT_ORDER_KIND_RESTART: e->restart = true; break;
  case UT_ORDER_KIND_RESUME: e->restart = false; break;
  default: break;
  }
}

static uint32_t expected_report(const struct ut_group *g, const struct ut_node_states *n) {
  uint32_t report = n->unsafe;
  for (unsigned port = 0; port < 2 * g->dimensions; port++)
    report |= (uint32_t)(n->bad >> port & 1) << (1 + port);
  for (unsigned side = 0; side < 2 && g->dimensions; side++)
    report |= (uint32_t)(n->border >> side & 1) << (1 + 2 * g->dimensions + side);
  return report;
}

static void check_node(struct bench *b, const struct ut_switch_in *in) {
  const struct ut_group *g = &b->m.g;
  struct ut_node_states *n = ut_node_states_of(g, b->m.s), e = *n;
  const struct ut_node_states old = *n;
  assert_ptr_equal(n, (unsigned char *)b->m.s + g->form.at_node);
  assert_int_equal(ut_node_is_unsafe(g, n), becomes_unsafe(g, n));
  assert_int_equal(ut_node_is_disabled(g, n), becomes_disabled(g, n));
  const bool again = ut_node_states_update(g, b->m.s, in);
  e.bad = 0;
  for (unsigned port = 0; port < 32; port++)
    if (old.exists >> port & 1 && (!(in->out_up >> port & 1) || in->report[0] >> port & 1))
      e.bad |= ut_bit(port);
  if (!g->shape.cube)
    expect_heard(g, &old, in, &e);
  e.unsafe = !old.restart && (old.unsafe || becomes_unsafe(g, &old));
  e.disabled = becomes_disabled(g, &old);
  expect_order(in->config, &e);
  e.changed = e.bad != old.bad || e.diagonal != old.diagonal || e.border != old.border || e.corner != old.corner ||
              e.unsafe != old.unsafe || e.disabled != old.disabled;
  const unsigned kind = ut_order_kind(in->config);
  const bool stale = e.changed || (kind != UT_ORDER_KIND_NONE && kind != UT_ORDER_KIND_PURGE);
  assert_int_equal(n->bad, e.bad);
  assert_int_equal(n->diagonal, e.diagonal);
  assert_int_equal(n->border, e.border);
  assert_int_equal(n->corner, e.corner);
  assert_int_equal(n->unsafe, e.unsafe);
  assert_int_equal(n->disabled, e.disabled);
  assert_int_equal(n->changed, e.changed);
  assert_int_equal(n->purge, e.purge);
  assert_int_equal(n->refuses, e.refuses);
  assert_int_equal(n->refused, e.refused);
  assert_int_equal(n->restart, e.restart);
  assert_int_equal(b->m.s->stale_state, stale);
  assert_int_equal(again, stale || e.purge);
  assert_int_equal(ut_switch_report(g, b->m.s), expected_report(g, n));
  const uint64_t header = header_to(any(2) ? n->refused : any(16));
  assert_int_equal(ut_node_refuses(g, b->m.s, header), n->refuses && (uint16_t)header == n->refused);
}

/* Sometimes the end of a cycle in which nothing changes. */
static void any_node(struct bench *b) {
  const struct ut_group *g = &b->m.g;
  struct ut_node_states *n = ut_node_states_of(g, b->m.s);
  const ut_mask network = g->shape.cube ? ut_mask_all(g->shape.cube) : ut_mask_all(2 * g->dimensions);
  ut_mask report[UT_MAX_REPORTS];
  struct ut_switch_in in = {.out_up = some(g->all_out), .report = report};
  n->bad = n->exists & some(network);
  n->diagonal = some(g->shape.cube ? 0 : ut_mask_all(2 * g->dimensions * (g->dimensions - 1)));
  n->border = g->routing->borders ? (uint8_t)any(4) : 0, n->corner = g->routing->borders ? (uint8_t)any(16) : 0;
  n->unsafe = any(2), n->disabled = any(2), n->restart = any(4) == 0;
  n->refuses = any(2), n->refused = (uint16_t)any(16), n->purge = any(2);
  for (unsigned i = 0; i < UT_MAX_REPORTS; i++)
    report[i] = some(network);
  for (unsigned again = 0; again < 3; again++) {
    in.config = any(2) ? (uint64_t)any(7) << UT_ORDER_KIND_LSB | any(16) : 0;
    check_node(b, &in);
  }
}

static void nodes_know_what_they_hear(void **state) {
  (void)state;
#define NODE(family, ports, ...)                                                                                       \
  {                                                                                                                    \
    .pi = (ports), .po = (ports), .v = 4, .depth = 4, .w = 64, .min_packet = 1, .max_packet = 4, .alloc_cycles = 1,    \
    .escapes = 1, .links = 1, .route = UT_ROUTE_##family, .algorithm = UT_##family##_DETOUR, __VA_ARGS__               \
  }
  static const struct ut_shape shape[] = {
      NODE(DETOUR_MESH, 5, .size = {4, 3}),
      NODE(DETOUR_MESH, 7, .size = {3, 3, 3}),
      NODE(DETOUR_MESH, 9, .size = {3, 2, 2, 3}),
      NODE(DETOUR_TORUS, 5, .size = {4, 3}),
      NODE(DETOUR_TORUS, 8, .size = {3, 4, 3}),
      NODE(DETOUR_TORUS, 9, .size = {3, 2, 2, 3}),
      NODE(DETOUR_CUBE, 5, .cube = 4),
      NODE(DETOUR_CUBE, 9, .cube = 6),
  };
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    struct bench b;
    drawn = i;
    start(&b, shape[i], 0);
    for (unsigned round = 0; round < 1000; round++) {
      uint64_t straps = shape[i].cube ? any(1u << shape[i].cube) : 0;
      for (unsigned d = 0; d < UT_MAX_DIMENSIONS && shape[i].size[d]; d++)
        straps |= (uint64_t)any(shape[i].size[d]) << 8 * d;
      golden_reset(&b.m, straps);
      any_node(&b);
    }
    stop(&b);
  }
}

/* ---- the re-route vector */

static bool has(ut_mask m, unsigned port) {
  return m >> port & 1;
}

static void check_vector(struct bench *b, const struct ut_switch_in *in, ut_mask set) {
  const struct ut_group *g = &b->m.g;
  struct ut_switch *s = b->m.s;
  const struct ut_switch old = *s;
  const struct ut_stage *f = &s->stage;
  const unsigned k = g->shape.po / 2;
  const bool far = g->shape.algorithm == UT_FATTREE_REROUTE_ADAPTIVE_SWITCH, runs = old.vector && f->timeout;
  const bool expires = runs && !set && f->timeout == old.timer + 1;
  ut_mask vector = 0, neighbour = 0;
  bool fault = false, above = false;
  for (unsigned port = 0; port < 2 * k; port++) {
    const bool up = has(in->out_up, port), lives = port >= k && up && has(old.out_up, port);
    const bool near = lives && has(in->report[0], port), other = lives && far && has(in->report[1], port);
    const bool stays = (has(old.vector, port) && !expires) || has(set, port);
    fault |= port < k && !up;
    above |= near;
    if (far ? other || (near && f->level == 0) : near)
      neighbour |= ut_bit(port);
    if (stays && (!f->repair || has(old.neighbour, port)))
      vector |= ut_bit(port);
  }
  const bool stale = vector != old.vector || (f->repair && neighbour != old.neighbour);
  const bool changed = stale || neighbour != old.neighbour || fault != old.fault || (far && above) != old.far;
  const bool again = ut_reroute_vector_update(g, s, in, set);
  assert_int_equal(s->vector, vector);
  assert_int_equal(s->neighbour, neighbour);
  assert_int_equal(s->fault, fault);
  assert_int_equal(s->far, far && above);
  assert_int_equal(s->stale_state, stale);
  assert_int_equal(again, changed);
  assert_int_equal(s->timer, runs && !set && !expires ? (uint16_t)(old.timer + 1) : 0);
  assert_int_equal(ut_reroute_vector_is_timed(s), vector != 0 && f->timeout != 0);
  assert_int_equal(ut_switch_report(g, s), (unsigned)fault | (unsigned)(far && above) << 1);
}

/* Waits as the end of a cycle does, until the timer expires. */
static void wait_for_time(struct bench *b, const struct ut_switch_in *in) {
  struct ut_switch old = *b->m.s;
  if (!ut_reroute_vector_is_timed(&old))
    return;
  const bool waits = ut_reroute_vector_wait(b->m.s);
  const uint16_t timer = b->m.s->timer;
  *b->m.s = old;
  assert_int_equal(waits, old.timer + 1 != old.stage.timeout);
  check_vector(b, in, 0);
  if (waits)
    assert_int_equal(timer, b->m.s->timer);
  else
    assert_int_equal(timer, old.timer);
}

static void vectors_hold_until_time_or_repair(void **state) {
  (void)state;
  static const struct {
    unsigned k, algorithm;
  } tree[] = {{2, UT_FATTREE_REROUTE_ADAPTIVE_LINK},
              {3, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH},
              {5, UT_FATTREE_REROUTE_ADAPTIVE_LINK},
              {4, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH}};
  for (unsigned i = 0; i < sizeof tree / sizeof tree[0]; i++) {
    struct bench b;
    drawn = i;
    start(&b, shape_of(tree[i].k, 2, 4, 2, tree[i].algorithm), 0);
    for (unsigned round = 0; round < 3000; round++) {
      const ut_mask up = b.m.g.up_ports;
      const unsigned level = any(3), timeout = any(4), repair = any(2);
      const ut_mask report[2] = {some(b.m.g.all_out), some(b.m.g.all_out)};
      golden_reset(&b.m, ut_level_strap_make((uint8_t)level, 0, 1, (uint16_t)timeout, (uint8_t)repair));
      b.m.s->out_up = some(b.m.g.all_out), b.m.s->vector = some(up), b.m.s->neighbour = some(up);
      b.m.s->timer = (uint16_t)(b.m.s->vector && timeout ? any(timeout) : 0);
      b.m.s->fault = any(2), b.m.s->far = b.m.g.form.far && any(2), b.m.s->stale_state = any(2);
      const struct ut_switch_in in = {.out_up = some(b.m.g.all_out), .report = report};
      check_vector(&b, &in, any(2) ? some(up) : 0);
      for (unsigned again = 0; again < 4; again++)
        wait_for_time(&b, &in);
    }
    stop(&b);
  }
}

/* ---- output registers */

/* The output register of a port of any switch of the block: of all VCs the one that sent last, the flit before the
 * place of its next one; from then on it stays, whatever becomes of the ring and of the positions. */
static void check_saved(struct golden *m, struct ut_work *w, unsigned i, unsigned port) {
  const struct ut_form x = m->g.form;
  const size_t gate = (size_t)i << x.port_bits | port, lane = (size_t)i << x.each_bits | port, words = x.words + 1;
  const unsigned vc = any(x.v);
  uint64_t *saved = ut_register(w->b, UT_S_SAVED, x), flit[UT_MAX_FLIT_WORDS + 1];
  if (x.v > 1)
    UT_IN_BLOCK(uint8_t, w->b, x.at_last)[gate] = (uint8_t)(vc << x.port_bits);
  const uint32_t o = w->b->lane + (uint32_t)lane + (vc << x.port_bits);
  const unsigned next = any(4) ? any(2 * x.depth) : 0, last = (next + 2 * x.depth - 1) % (2 * x.depth);
  ut_position_set(m->wires.send, o, next, x.wide);
  uint64_t *place = ut_wires_flit(&m->wires, m->wires.to[o], last);
  for (unsigned n = 0; n < words; n++)
    place[n] = flit[n] = (uint64_t)any(1u << 31) << 32 | any(1u << 31);
  for (unsigned v = 0; v < x.v; v++)
    ut_take(saved, lane | (size_t)v << x.port_bits, x.sets);
  for (unsigned again = 0; again < 2; again++) {
    ut_output_save(w, gate, lane, x);
    assert_memory_equal(UT_IN_BLOCK(uint64_t, w->b, x.at_saved) + gate * words, flit, words * sizeof *flit);
    for (size_t n = 0; n < x.all; n++)
      assert_int_equal(ut_has(saved, n, x.sets),
                       ut_lane_vc(n, x) < x.v && n - ((size_t)ut_lane_vc(n, x) << x.port_bits) == lane);
    memset(place, (int)any(256), words * sizeof *flit);
    ut_position_set(m->wires.send, o, any(2 * x.depth), x.wide);
  }
  for (size_t n = 0; n < x.all; n++) /* other ports' have not been saved, in this test */
    ut_take(saved, n, x.sets);
}

static void output_registers_are_saved(void **state) {
  (void)state;
  static const unsigned vcs[] = {1, 2, 3, 8}, depths[] = {2, 5, 130}, bits[] = {64, 192};
  for (unsigned i = 0; i < 24; i++) {
    struct ut_shape shape = shape_of(i % 3 + 2, vcs[i % 4], depths[i / 4 % 3], 1, UT_FATTREE_FTA);
    struct golden m;
    struct ut_work w;
    shape.w = bits[i / 12];
    drawn = i;
    assert_true(golden_start(&m, &shape));
    golden_begin(&m, &w, false);
    memset(ut_register(w.b, UT_S_SAVED, m.g.form), 0, m.g.form.sets * sizeof(uint64_t));
    for (unsigned round = 0; round < 60; round++)
      check_saved(&m, &w, any(1u << m.g.form.block_bits), any(shape.po));
    golden_stop(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_have_numbers), cmocka_unit_test(nodes_know_what_they_hear),
      cmocka_unit_test(vectors_hold_until_time_or_repair), cmocka_unit_test(output_registers_are_saved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
