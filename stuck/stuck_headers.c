/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_headers.c - see stuck_headers.h */
#include "stuck_headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explorer.h"
#include "layout.h"
#include "route_unit.h"
#include "scenario.h"

#define NOBODY UINT32_MAX
enum { MOST_PORTS = 8, MOST_BITS = 32, CUBE = UT_STUCK_RULE_LITERALS - 1, NAME = 96 };

/* ---- where packets can be */

/* Destinations of the packets that a channel can hold: a bit each of [channels * words]. */
struct field {
  struct ut_explorer explorer;
  uint64_t *can;
  uint32_t *stack; /* channel * terminals + destination */
  size_t stacked;
};

static void arrive(struct field *f, uint32_t channel, uint32_t dst) {
  uint64_t *word = &f->can[(size_t)channel * f->explorer.words + dst / 64];
  if (channel == NOBODY || *word >> dst % 64 & 1)
    return;
  *word |= UINT64_C(1) << dst % 64;
  f->stack[f->stacked++] = channel * f->explorer.topology->terminals + dst;
}

/* Where a packet goes with these links up.  false: the answer hangs on something else. */
static bool go(struct field *f, uint32_t channel, uint32_t dst, ut_mask up) {
  struct ut_explorer *x = &f->explorer;
  struct ut_route_result r;
  const uint32_t sw = x->channel[channel].sw;
  x->up[sw] = up;
  ut_explorer_ask(x, channel, dst, 0, 0, &r);
  x->up[sw] = x->all_up[sw];
  for (unsigned vc = 0; vc < x->v; vc++)
    for (unsigned port = 0; port < x->topology->po; port++)
      if (r.cand[vc] >> port & 1)
        arrive(f, ut_channel_behind(x, sw, port, vc), dst);
  return !r.uses_state && !r.set && !r.strip && !r.rt;
}

/* false: there is no saying. */
static bool explore(struct field *f) {
  struct ut_explorer *x = &f->explorer;
  const struct ut_topology *t = x->topology;
  for (uint32_t src = 0; src < t->terminals; src++)
    for (unsigned link = 0; link < t->injections; link++)
      for (unsigned vc = 0; vc < x->v; vc++)
        for (uint32_t dst = 0; dst < t->terminals; dst++)
          arrive(f, ut_explorer_injection(x, src, link, vc), dst);
  while (f->stacked) {
    const uint32_t at = f->stack[--f->stacked], channel = at / t->terminals;
    const ut_mask all = x->all_up[x->channel[channel].sw];
    ut_mask up = all;
    do { /* each subset of the links */
      if (!go(f, channel, at % t->terminals, up))
        return false;
      up = (up - 1) & all;
    } while (up != all);
  }
  return true;
}

/* Whether a network is one that can be explored: answers hang on links alone, and there are not too many. */
static bool is_simple(const struct ut_stuck_network *n, const struct ut_shape *s) {
  return !n->scenario->routing.plane_bypass && s->escapes <= 1 && !s->deterministic && !s->misroute &&
         !s->destinations && s->po <= MOST_PORTS && n->topology->po <= MOST_PORTS &&
         n->topology->terminals <= UT_MAX_PROVED_TERMINALS;
}

static bool open_field(struct field *f, const struct ut_stuck_network *n) {
  struct ut_error e;
  *f = (struct field){0};
  if (ut_explorer_init(&f->explorer, n->scenario, n->topology, &e))
    return false;
  const size_t channels = f->explorer.channels;
  f->can = calloc(channels * f->explorer.words + 1, sizeof *f->can);
  f->stack = malloc((channels * n->topology->terminals + 1) * sizeof *f->stack);
  return f->can && f->stack && channels < NOBODY / n->topology->terminals && explore(f);
}

static void close_field(struct field *f) {
  ut_explorer_free(&f->explorer);
  free(f->can);
  free(f->stack);
}

/* ---- rules */

/* Cases: a switch and a destination.  What an input VC can hold is a set of cases, and so is a bit of straps or header.
 */
struct cases {
  uint64_t *straps;
  uint32_t *dst;
  uint64_t *can; /* [(port * v + vc) * words] */
  size_t count, words, room;
};

static void collect(struct cases *k, const struct field *f, const struct ut_stuck_network *n,
                    const struct ut_shape *s) {
  const struct ut_explorer *x = &f->explorer;
  const struct ut_topology *t = n->topology;
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    if (!(n->elaborations >> ut_topology_elaboration(t, sw) & 1))
      continue;
    for (uint32_t dst = 0; dst < t->terminals; dst++, k->count++) {
      k->straps[k->count] = t->straps[sw];
      k->dst[k->count] = dst;
      for (unsigned i = 0; i < s->pi * s->v; i++) {
        const uint32_t channel = ut_explorer_channel(x, sw, i / s->v, i % s->v);
        const uint64_t bit = f->can[(size_t)channel * x->words + dst / 64] >> dst % 64 & 1;
        k->can[i * k->words + k->count / 64] |= bit << k->count % 64;
      }
    }
  }
}

/* Values of a few bits that no case of an input VC has are rules. */
struct miner {
  struct ut_stuck_rules *rules;
  const uint64_t *can; /* the cases of the input VC */
  size_t words;
  unsigned bits;
  bool of_header[MOST_BITS];
  uint32_t op[MOST_BITS];
  uint64_t *has[MOST_BITS]; /* cases */
  uint64_t *with[CUBE];     /* cases that have all that is chosen */
  uint32_t routed;          /* literal: the input VC is not routed */
  unsigned chosen[CUBE];    /* 2 * bit + value */
  size_t first;             /* rule of this input VC */
  bool room;
};

/* A rule says already that this cannot be. */
static bool is_said(const struct miner *m, unsigned depth) {
  for (size_t i = m->first; i < m->rules->count; i++) {
    const struct ut_stuck_rule *r = &m->rules->rule[i];
    unsigned found = 0;
    for (unsigned n = 1; n < r->count; n++)
      for (unsigned k = 0; k < depth; k++)
        found += r->literal[n] == (2 * m->op[m->chosen[k] / 2] + !(m->chosen[k] % 2));
    if (found + 1 == r->count)
      return true;
  }
  return false;
}

static void say(struct miner *m, unsigned count) {
  struct ut_stuck_rule rule = {.count = count + 1,
                               .running = true,
                               .text = "a header that is routed has come on a way that routing gives it",
                               .literal = {m->routed}};
  bool header = false;
  for (unsigned i = 0; i < count; i++) {
    rule.literal[i + 1] = 2 * m->op[m->chosen[i] / 2] + !(m->chosen[i] % 2);
    header = header || m->of_header[m->chosen[i] / 2];
  }
  if (header)
    m->room = m->room && ut_stuck_rules_add(m->rules, &rule);
}

/* Whether any case has what is chosen; m->with[depth]: which. */
static bool narrow(struct miner *m, unsigned depth) {
  const uint64_t *from = depth ? m->with[depth - 1] : m->can, *has = m->has[m->chosen[depth] / 2];
  const uint64_t flip = m->chosen[depth] % 2 ? 0 : UINT64_MAX;
  uint64_t any = 0;
  for (size_t w = 0; w < m->words; w++)
    any |= m->with[depth][w] = from[w] & (has[w] ^ flip);
  return any;
}

static void mine(struct miner *m, unsigned size, unsigned depth, unsigned from) {
  for (unsigned i = from; i < 2 * m->bits; i++) {
    m->chosen[depth] = i;
    if (is_said(m, depth + 1))
      continue;
    const bool any = narrow(m, depth);
    if (depth + 1 == size && !any)
      say(m, size);
    else if (depth + 1 < size && any)
      mine(m, size, depth + 1, (i | 1) + 1);
  }
}

static void add_bit(struct miner *m, const struct cases *k, const struct ut_circuit *c, const char *name, unsigned bit,
                    bool of_header) {
  const struct ut_gate_name *n = ut_gates_name(&c->gates, name);
  if (!n || bit >= n->width || m->bits == MOST_BITS)
    return;
  const uint32_t op = c->bit[n->bit + bit];
  uint32_t inverse;
  const bool is_constant = c->op[ut_circuit_source(c, op, &inverse)].kind <= UT_OP_ONE;
  uint64_t *has = calloc(k->words, sizeof *has), ones = 0;
  m->room = m->room && has;
  for (size_t i = 0; i < k->count && has; i++) {
    const uint64_t value = (of_header ? k->dst[i] : k->straps[i]) >> (of_header ? bit - UT_HEADER_DST_LSB : bit) & 1;
    has[i / 64] |= value << i % 64;
    ones += value;
  }
  if (is_constant || !ones || ones == k->count) {
    free(has);
    return;
  }
  m->of_header[m->bits] = of_header;
  m->op[m->bits] = op;
  m->has[m->bits++] = has;
}

/* Rules of all input VCs of a port. */
static bool mine_port(struct ut_stuck_rules *r, const struct ut_circuit *c, const struct ut_shape *s,
                      const struct cases *k, unsigned port) {
  struct miner m = {.rules = r, .words = k->words, .room = true};
  char header[NAME], routed[NAME];
  snprintf(header, NAME, "\\g_in[%u].u_input.header", port);
  for (unsigned bit = 0; bit < 64; bit++)
    add_bit(&m, k, c, "straps_q", bit, false);
  for (unsigned bit = 0; bit < UT_HEADER_DST_WIDTH; bit++)
    add_bit(&m, k, c, header, UT_HEADER_DST_LSB + bit, true);
  for (unsigned i = 0; i < CUBE; i++) {
    m.with[i] = calloc(k->words, sizeof *m.with[i]);
    m.room = m.room && m.with[i];
  }
  for (unsigned vc = 0; vc < s->v; vc++) {
    snprintf(routed, NAME, "\\g_in[%u].u_input.g_vc[%u].u_vc.routed_i", port, vc);
    const struct ut_gate_name *n = ut_gates_name(&c->gates, routed);
    if (!n)
      continue;
    m.routed = 2 * c->bit[n->bit];
    m.can = k->can + (port * s->v + vc) * k->words;
    m.first = r->count;
    for (unsigned size = 1; size <= CUBE && m.room; size++)
      mine(&m, size, 0, 0);
  }
  for (unsigned i = 0; i < m.bits; i++)
    free(m.has[i]);
  for (unsigned i = 0; i < CUBE; i++)
    free(m.with[i]);
  return m.room;
}

bool ut_stuck_headers_add(struct ut_stuck_rules *r, const struct ut_circuit *c, const struct ut_shape *s,
                          const struct ut_stuck_network *network, unsigned count) {
  struct cases k = {0};
  bool room = true, simple = true;
  for (unsigned i = 0; i < count; i++) {
    simple = simple && (!network[i].elaborations || is_simple(&network[i], s));
    k.room += (size_t)network[i].topology->switches * network[i].topology->terminals;
  }
  if (!simple)
    return true;
  k.words = k.room / 64 + 1;
  k.straps = calloc(k.room + 1, sizeof *k.straps);
  k.dst = calloc(k.room + 1, sizeof *k.dst);
  k.can = calloc(s->pi * s->v * k.words, sizeof *k.can);
  room = k.straps && k.dst && k.can;
  for (unsigned i = 0; i < count && simple && room; i++) {
    struct field f;
    if (!network[i].elaborations)
      continue;
    simple = open_field(&f, &network[i]);
    if (simple)
      collect(&k, &f, &network[i], s);
    close_field(&f);
  }
  for (unsigned port = 0; port < s->pi && simple && room; port++)
    room = mine_port(r, c, s, &k, port);
  free(k.straps);
  free(k.dst);
  free(k.can);
  return room;
}
