/* SPDX-License-Identifier: Apache-2.0 */
/* test_wires.c - csim/switch/wires: slots of all lengths of links, places of rings, and their memory, against what
 * wires.h says of them, worked out one cycle, one place and one lane at a time. */
#include "wires.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGE_PAGE = 1 << 21, LARGE_RINGS = 1 << 25 };

static struct ut_wires wires(unsigned words, unsigned depth, unsigned link, unsigned injection, unsigned ejection,
                             uint32_t lanes) {
  struct ut_wires w = {.terminals = lanes / 2,
                       .words = words,
                       .depth = depth,
                       .link_cycles = link,
                       .injection_cycles = injection,
                       .ejection_cycles = ejection};
  assert_true(ut_wires_init(&w, lanes));
  return w;
}

/* All 0, where a vector or a large page can begin, as much as is asked for, and hardly more. */
static void memory_of_any_size(void **state) {
  (void)state;
  const size_t size[] = {1, 63, 64, 65, 128, 1000, 4096, LARGE_PAGE - 1, LARGE_PAGE, LARGE_PAGE + 1};
  for (unsigned i = 0; i < sizeof size / sizeof size[0]; i++) {
    uint8_t *m = ut_memory(size[i]);
    assert_non_null(m);
    assert_int_equal((uintptr_t)m % (size[i] < LARGE_PAGE ? UT_LANES : LARGE_PAGE), 0);
    assert_true(malloc_usable_size(m) >= size[i]);
    if (size[i] <= 4096) /* some bytes are left between pieces */
      assert_true(malloc_usable_size(m) < (size[i] + 63) / 64 * 64 + 64);
    for (size_t byte = 0; byte < size[i]; byte++)
      if (m[byte])
        fail();
    memset(m, 0xff, size[i]); /* what the next one gets has been used */
    free(m);
  }
}

/* Positions are bytes as long as all of a ring fit into them. */
static void positions_have_room(void **state) {
  (void)state;
  enum { ALL = 1024 };
  for (unsigned depth = 1; depth <= UT_MAX_DEPTH; depth = depth == 3 ? 125 : depth == 130 ? 254 : depth + 1) {
    struct ut_wires w = wires(1, depth, 1, 1, 1, ALL);
    const bool wide = 2 * depth - 1 > 254; /* behind the last one, before it begins anew: 2 * depth */
    assert_int_equal(w.wide, wide);
    assert_int_equal(w.lanes, ALL);
    assert_int_equal(w.ring_words, 2 * depth * 2);
    assert_true(malloc_usable_size(w.ring) >= ALL * w.ring_words * sizeof *w.ring);
    assert_true(malloc_usable_size(w.to) >= ALL * sizeof *w.to);
    assert_true(malloc_usable_size(w.from) >= ALL * sizeof *w.from);
    assert_true(malloc_usable_size(w.write) >= ALL * (wide ? 2 : 1));
    assert_true(malloc_usable_size(w.send) >= ALL * (wide ? 2 : 1));
    ut_wires_fini(&w);
    assert_null(w.ring);
    assert_int_equal(w.depth, 0);
  }
}

/* What is sent in cycle t by switches lies in slot t + link cycles, by terminals in that of the cycle of its arrival;
 * terminals and switches look for it when it arrives. */
static void slots_of_links(void **state) {
  (void)state;
  enum { ALL = 128 };
  for (unsigned which = 0; which < 125; which++) {
    const unsigned link = 1 + which % 5, injection = 1 + which / 5 % 5, ejection = 1 + which / 25;
    struct ut_wires w = wires(1, 2, link, injection, ejection, ALL);
    unsigned longest = link > injection ? link : injection;
    longest = longest > ejection ? longest : ejection;
    assert_int_equal(w.slots, longest + 1);
    for (unsigned i = 0; i < w.slots; i++) {
      assert_true(malloc_usable_size(w.flits[i]) >= ALL && malloc_usable_size(w.credits[i]) >= ALL);
      for (unsigned lane = 0; lane < ALL; lane++)
        assert_true(w.flits[i][lane] == 0 && w.credits[i][lane] == 0);
    }
    for (unsigned t = 0; t < 20; t++)
      for (uint32_t lane = ALL / 2 - 2; lane < ALL / 2 + 2; lane++) {
        const bool terminal = lane >= ALL / 2;
        const unsigned from_switch = (t + link) % w.slots;
        assert_int_equal(ut_wires_slot(&w, t), t % w.slots);
        /* to switches: from switches, or from terminals */
        if (!terminal) {
          assert_ptr_equal(ut_wires_flits(&w, t + link, lane), w.flits[from_switch] + lane);
          assert_ptr_equal(ut_wires_credits(&w, t + link, lane), w.credits[from_switch] + lane);
          assert_ptr_equal(ut_wires_flits(&w, t + injection, lane), w.flits[(t + injection) % w.slots] + lane);
          assert_ptr_equal(ut_wires_credits(&w, t + ejection, lane), w.credits[(t + ejection) % w.slots] + lane);
        } else { /* to terminals: flits over the link of the ejection, credits over that of the injection */
          assert_ptr_equal(ut_wires_flits(&w, t + ejection, lane), w.flits[from_switch] + lane);
          assert_ptr_equal(ut_wires_credits(&w, t + injection, lane), w.credits[from_switch] + lane);
        }
      }
    for (unsigned t = 0; t < ejection; t++) /* what would have been sent before the first cycle */
      assert_ptr_equal(ut_wires_flits(&w, t, ALL / 2),
                       w.flits[(t + 10 * w.slots + link - ejection) % w.slots] + ALL / 2);
    for (unsigned t = 0; t < injection; t++)
      assert_ptr_equal(ut_wires_credits(&w, t, ALL / 2),
                       w.credits[(t + 10 * w.slots + link - injection) % w.slots] + ALL / 2);
    ut_wires_fini(&w);
  }
}

/* A link's receiver has its VC in all places of its ring, and nothing else in them; other rings have nothing. */
static void places_have_their_vc(void **state) {
  (void)state;
  for (unsigned depth = 1; depth <= 9; depth++)
    for (unsigned words = 1; words <= 8; words = words * 2)
      for (unsigned vc = 0; vc < UT_MAX_VCS; vc++) {
        struct ut_wires w = wires(words, depth, 1, 1, 1, 64);
        ut_wires_join(&w, 40, 50, vc);
        assert_int_equal(w.to[40], 50);
        assert_int_equal(w.from[50], 40);
        assert_int_equal(w.joined, 1);
        for (unsigned lane = 0; lane < 64; lane++) {
          assert_true(w.to[lane] == (lane == 40 ? 50 : UT_NO_LANE) && w.from[lane] == (lane == 50 ? 40 : UT_NO_LANE));
          for (unsigned i = 0; i < 2 * depth; i++) {
            const uint64_t *flit = ut_wires_flit(&w, lane, i);
            assert_ptr_equal(flit, w.ring + (lane * 2 * depth + i) * (words + 1));
            for (unsigned word = 0; word <= words; word++)
              assert_int_equal(flit[word], lane == 50 && word == words ? vc << 8 : 0);
          }
        }
        ut_wires_fini(&w);
      }
}

static void the_word_behind_a_flit(void **state) {
  (void)state;
  for (unsigned tag = 0; tag < 8; tag++)
    for (unsigned vc = 0; vc < 256; vc++) {
      const uint64_t meta = ut_flit_meta(tag, vc);
      assert_int_equal(meta, tag + 0x80 + 256 * vc);
      assert_int_equal(ut_flit_wire(meta), tag + 0x80);
      assert_int_equal(ut_flit_tag(meta), tag);
      assert_int_equal(ut_flit_vc(meta), vc);
      uint64_t from[3] = {1, 2, ut_flit_meta(7 - tag, 9)}, to[4] = {3, 4, meta, 5};
      ut_flit_move(to, from, 2, ut_flit_wire(meta) ^ 1); /* its VC stays that of the place */
      assert_true(to[0] == 1 && to[1] == 2 && to[2] == (meta ^ 1) && to[3] == 5);
      ut_flit_copy(to, from, 2);
      assert_true(!memcmp(to, from, sizeof from) && to[3] == 5);
    }
}

/* Rings in use: those that links lead to. */
static void large_networks(void **state) {
  (void)state;
  const unsigned depth[] = {1, 3, 16, 255};
  for (unsigned i = 0; i < 4; i++)
    for (unsigned words = 1; words <= 8; words = 2 * words + 1) {
      struct ut_wires w = wires(words, depth[i], 1, 1, 1, 64);
      const uint64_t ring = 2 * depth[i] * (words + 1) * 8;
      uint32_t joined = (uint32_t)(LARGE_RINGS / ring) - 3;
      w.joined = joined; /* as if so many had been joined */
      for (unsigned more = 0; more < 6; more++) {
        ut_wires_join(&w, 33, 34, 0);
        assert_int_equal(w.joined, ++joined);
        assert_int_equal(w.large, joined * ring >= LARGE_RINGS);
      }
      ut_wires_fini(&w);
    }
}

/* Flits that are sent and taken, through the whole ring, and lie where they were written until half a ring later. */
static void flits_come_as_they_were_sent(void **state) {
  (void)state;
  const unsigned depth[] = {1, 2, 3, 4, 5, 7, 127, 128, 129, 255};
  for (unsigned i = 0; i < sizeof depth / sizeof depth[0]; i++) {
    struct ut_wires w = wires(2, depth[i], 1, 1, 1, 64);
    uint8_t flits[64] = {0};
    unsigned sent = 0, taken = 0;
    ut_wires_join(&w, 40, 50, 5), ut_wires_join(&w, 41, 51, 5), ut_wires_join(&w, 39, 49, 5);
    while (taken < 5 * depth[i]) {
      if (sent - taken < 2 * depth[i]) {
        const uint64_t flit[3] = {sent, ~(uint64_t)sent, ut_flit_meta(sent % 4, 5)};
        ut_wires_send(&w, 40, flit, flits);
        assert_int_equal(flits[50], sent % 4 + UT_COMES);
        sent++;
        if (sent % 3)
          continue;
      }
      flits[50] = UT_COMES;
      const uint64_t *flit = ut_wires_take(&w, 50, flits);
      assert_int_equal(flits[50], 0);
      assert_ptr_equal(flit, ut_wires_flit(&w, 50, taken % (2 * depth[i])));
      assert_true(flit[0] == taken && flit[1] == ~(uint64_t)taken && flit[2] == ut_flit_meta(taken % 4, 5));
      taken++;
    }
    for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(ut_position_at(w.send, lane, w.wide), lane == 40 ? sent % (2 * depth[i]) : 0);
      assert_int_equal(ut_position_at(w.write, lane, w.wide), lane == 50 ? taken % (2 * depth[i]) : 0);
      assert_true(lane == 50 || flits[lane] == 0);
    }
    ut_wires_fini(&w);
  }
}

/* A position is written alone, and read as it was written. */
static void positions_of_both_widths(void **state) {
  (void)state;
  for (unsigned wide = 0; wide < 2; wide++)
    for (unsigned n = 0; n < 5; n++)
      for (unsigned value = 0; value < (wide ? 2 * UT_MAX_DEPTH : 256); value++) {
        uint16_t memory[5] = {0x0a0b, 0x0a0b, 0x0a0b, 0x0a0b, 0x0a0b};
        uint8_t expected[sizeof memory];
        memcpy(expected, memory, sizeof memory);
        expected[n << wide] = value & 0xff;
        if (wide)
          expected[2 * n + 1] = (uint8_t)(value >> 8);
        ut_position_set(memory, n, value, wide);
        assert_memory_equal(memory, expected, sizeof memory);
        assert_int_equal(ut_position_at(memory, n, wide), value);
      }
}

/* Steps in rings of all depths, forwards and back, one lane and many; counts between two positions. */
static void steps_in_rings(void **state) {
  (void)state;
  for (unsigned depth = 1; depth <= UT_MAX_DEPTH; depth++) {
    const unsigned ring = 2 * depth;
    for (unsigned at = 0; at < ring; at++) {
      const unsigned next = (at + 1) % ring;
      assert_int_equal(ut_position_next(at, depth), next);
      for (unsigned places = 0; places <= ring; places += depth < 20 ? 1 : depth / 4) {
        const unsigned before = ut_position_before(at, places, depth);
        if (before != (at + ring - places) % ring)
          fail_msg("%u before %u, depth %u: %u", places, at, depth, before);
        if (ut_position_count(before, at, depth) != places % ring)
          fail_msg("from %u to %u, depth %u", before, at, depth);
      }
      const uint32_t moved = UINT32_C(0x9e3779b9) * (at + 1) ^ depth; /* some lanes */
      if (depth <= 127) {
        ut_vector v, m;
        for (unsigned i = 0; i < UT_LANES; i++)
          v[i] = (uint8_t)((at + i) % ring), m[i] = moved >> i & 1 ? 0xff : 0;
        v = ut_positions_move(v, m, depth);
        for (unsigned i = 0; i < UT_LANES; i++)
          if (v[i] != (at + i + (moved >> i & 1)) % ring)
            fail_msg("lane %u at %u of depth %u: %u", i, (at + i) % ring, depth, v[i]);
      }
      uint16_t wide[UT_LANES];
      for (unsigned i = 0; i < UT_LANES; i++)
        wide[i] = (uint16_t)((at + i) % ring);
      ut_positions_move_wide(wide, moved, depth);
      for (unsigned i = 0; i < UT_LANES; i++)
        if (wide[i] != (at + i + (moved >> i & 1)) % ring)
          fail_msg("wide lane %u at %u of depth %u: %u", i, (at + i) % ring, depth, wide[i]);
    }
  }
}

/* The flit that was written `back` ones ago lies in the place of the buffer that its number has modulo the depth. */
static void places_of_a_buffer(void **state) {
  (void)state;
  for (unsigned depth = 1; depth <= 40; depth++)
    for (unsigned written = depth; written < 4 * depth; written++)
      for (unsigned flit = written - depth; flit < written; flit++)
        assert_int_equal(ut_position_of_place(flit % depth, written % (2 * depth), depth), flit % (2 * depth));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_any_size),
      cmocka_unit_test(positions_have_room),
      cmocka_unit_test(slots_of_links),
      cmocka_unit_test(places_have_their_vc),
      cmocka_unit_test(the_word_behind_a_flit),
      cmocka_unit_test(large_networks),
      cmocka_unit_test(flits_come_as_they_were_sent),
      cmocka_unit_test(positions_of_both_widths),
      cmocka_unit_test(steps_in_rings),
      cmocka_unit_test(places_of_a_buffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
