/* SPDX-License-Identifier: Apache-2.0 */
/* drawn_ways.h - small networks of any form, drawn: switches whose ports lead on, to terminals, or nowhere; packets
 * that may go where there is no way on, or to another terminal; cables of any two channels. */
#ifndef UT_TEST_DRAWN_WAYS_H
#define UT_TEST_DRAWN_WAYS_H

#include <string.h>

#include "path_network.h"
#include "random.h"

enum { DRAWN_SWITCHES = 8, DRAWN_TERMINALS = 4, DRAWN_PORTS = 5, DRAWN_INPUTS = 3, DRAWN_CHANNELS = 64 };

struct drawn {
  struct ut_path_source source;
  struct ut_peer to[DRAWN_CHANNELS];
  uint32_t twin[DRAWN_CHANNELS];
  ut_mask answer[DRAWN_SWITCHES * DRAWN_INPUTS][DRAWN_TERMINALS];
};

static inline ut_mask drawn_next(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  const struct drawn *x = ctx;
  return x->answer[sw * DRAWN_INPUTS + in_port][dst];
}

static inline uint32_t drawn_twin(const void *ctx, uint32_t channel) {
  return ((const struct drawn *)ctx)->twin[channel];
}

/* Both are the same cable: of two links between switches, or of one to and one from the same terminal. */
static inline bool drawn_alike(const struct drawn *x, uint32_t a, uint32_t b) {
  const uint32_t inner = x->source.switches * DRAWN_PORTS;
  const struct ut_peer *to_a = &x->to[a], *to_b = &x->to[b];
  if (b >= inner)
    return a < inner && to_a->kind == UT_PEER_TERMINAL && to_a->index == (b - inner) / x->source.injections;
  return a < inner && to_a->kind == UT_PEER_SWITCH && to_b->kind == UT_PEER_SWITCH;
}

/* Switches only lead to later ones, so that no packet comes back; the last one leads to every terminal.  With odd seeds
 * packets go on alike from all input ports of a switch. */
static inline void drawn_init(struct drawn *x, uint64_t seed) {
  struct ut_random r;
  struct ut_path_source *s = &x->source;
  ut_random_init(&r, seed, UT_RANDOM_TEST, 0);
  memset(x, 0, sizeof *x);
  memset(x->twin, 0xff, sizeof x->twin);
  *s = (struct ut_path_source){.switches = 3 + ut_random_below(&r, DRAWN_SWITCHES - 2),
                               .terminals = 2 + ut_random_below(&r, DRAWN_TERMINALS - 1),
                               .pi = DRAWN_INPUTS,
                               .po = DRAWN_PORTS,
                               .injections = 1 + ut_random_below(&r, 2),
                               .twin = drawn_twin,
                               .next = drawn_next,
                               .to = x->to,
                               .ctx = x};
  s->failing[0] = ut_random_below(&r, s->switches);
  s->failing[1] = s->failing[0] + ut_random_below(&r, s->switches - s->failing[0] + 1);
  const uint32_t inner = s->switches * DRAWN_PORTS, channels = inner + s->terminals * s->injections;
  for (uint32_t c = 0; c < channels; c++) {
    const uint32_t from = c < inner ? c / DRAWN_PORTS + 1 : 0, port = c % DRAWN_PORTS;
    const uint32_t later = c < inner ? s->switches - from : 2, to = from + (later ? ut_random_below(&r, later) : 0);
    struct ut_peer *p = &x->to[c];
    *p = (struct ut_peer){to, (uint8_t)ut_random_below(&r, DRAWN_INPUTS), UT_PEER_SWITCH};
    if (c < inner && !later && port < s->terminals)
      *p = (struct ut_peer){port, 0, UT_PEER_TERMINAL};
    else if (c < inner && (!later || ut_random_below(&r, 8) == 0))
      *p = (struct ut_peer){0, 0, UT_PEER_NONE};
    else if (c < inner && ut_random_below(&r, 8) == 0)
      *p = (struct ut_peer){ut_random_below(&r, s->terminals), 0, UT_PEER_TERMINAL};
  }
  for (uint32_t c = 1; c < channels; c++) {
    const uint32_t other = ut_random_below(&r, c);
    if (x->twin[other] == UT_NO_TWIN && drawn_alike(x, other, c) && ut_random_below(&r, 4))
      x->twin[c] = other, x->twin[other] = c;
  }
  for (uint32_t row = 0; row < s->switches * DRAWN_INPUTS; row++)
    for (uint32_t dst = 0; dst < s->terminals; dst++) {
      const bool last = row / DRAWN_INPUTS + 1 == s->switches;
      const bool like = row % DRAWN_INPUTS && (seed % 2 || ut_random_below(&r, 2));
      const ut_mask any =
          ut_random_below(&r, 1 << DRAWN_PORTS) | (seed % 4 > 1 ? ut_random_below(&r, 1 << DRAWN_PORTS) : 0);
      x->answer[row][dst] = like ? x->answer[row - 1][dst] : last ? any | ut_bit(dst) : any;
    }
}

#endif
