/* SPDX-License-Identifier: Apache-2.0 */
/* test_output_unit.c - output registers of csim/switch/output_unit.h: where they lie in rings and in the block. */
#include "bench.h"
#include "drawn.h"

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(output_registers_are_saved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
