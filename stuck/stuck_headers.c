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

static void arrive(struct field *field, uint32_t channel, uint32_t dst) {
  uint64_t *word = &field->can[(size_t)channel * field->explorer.words + dst / 64];
  if (channel == NOBODY || *word >> dst % 64 & 1)
    return;
  *word |= UINT64_C(1) << dst % 64;
  field->stack[field->stacked++] = channel * field->explorer.topology->terminals + dst;
}

/* Computes where a packet goes with these links up.  Returns false if the answer depends on anything else. */
static bool go(struct field *field, uint32_t channel, uint32_t dst, ut_mask up) {
  struct ut_explorer *explorer = &field->explorer;
  struct ut_route_result route;
  const uint32_t sw = explorer->channel[channel].sw;
  explorer->up[sw] = up;
  ut_explorer_ask(explorer, channel, dst, 0, 0, &route);
  explorer->up[sw] = explorer->all_up[sw];
  for (unsigned vc = 0; vc < explorer->v; vc++)
    for (unsigned port = 0; port < explorer->topology->po; port++)
      if (route.cand[vc] >> port & 1)
        arrive(field, ut_channel_behind(explorer, sw, port, vc), dst);
  return !route.uses_state && !route.set && !route.strip && !route.rt;
}

/* Returns false if that cannot be determined. */
static bool explore(struct field *field) {
  struct ut_explorer *explorer = &field->explorer;
  const struct ut_topology *topo = explorer->topology;
  for (uint32_t src = 0; src < topo->terminals; src++)
    for (unsigned link = 0; link < topo->injections; link++)
      for (unsigned vc = 0; vc < explorer->v; vc++)
        for (uint32_t dst = 0; dst < topo->terminals; dst++)
          arrive(field, ut_explorer_injection(explorer, src, link, vc), dst);
  while (field->stacked) {
    const uint32_t at = field->stack[--field->stacked], channel = at / topo->terminals;
    const ut_mask all = explorer->all_up[explorer->channel[channel].sw];
    ut_mask up = all;
    do { /* each subset of the links */
      if (!go(field, channel, at % topo->terminals, up))
        return false;
      up = (up - 1) & all;
    } while (up != all);
  }
  return true;
}

/* Returns whether a network can be explored: its answers depend on links alone, and there are not too many. */
static bool is_simple(const struct ut_stuck_network *network, const struct ut_shape *shape) {
  return !network->scenario->routing.plane_bypass && shape->escapes <= 1 && !shape->deterministic && !shape->misroute &&
         !shape->destinations && shape->po <= MOST_PORTS && network->topology->po <= MOST_PORTS &&
         network->topology->terminals <= UT_MAX_PROVED_TERMINALS;
}

static bool open_field(struct field *field, const struct ut_stuck_network *network) {
  struct ut_error e;
  *field = (struct field){0};
  if (ut_explorer_init(&field->explorer, network->scenario, network->topology, &e))
    return false;
  const size_t channels = field->explorer.channels;
  field->can = calloc(channels * field->explorer.words + 1, sizeof *field->can);
  field->stack = malloc((channels * network->topology->terminals + 1) * sizeof *field->stack);
  return field->can && field->stack && channels < NOBODY / network->topology->terminals && explore(field);
}

static void close_field(struct field *field) {
  ut_explorer_free(&field->explorer);
  free(field->can);
  free(field->stack);
}

/* ---- rules */

/* Cases: a switch and a destination.  The possible contents of an input VC are a set of cases, and so is a bit of
 * straps or header.
 */
struct cases {
  uint64_t *straps;
  uint32_t *dst;
  uint64_t *can; /* [(port * v + vc) * words] */
  size_t count, words, room;
};

static void collect(struct cases *cases, const struct field *field, const struct ut_stuck_network *network,
                    const struct ut_shape *shape) {
  const struct ut_explorer *explorer = &field->explorer;
  const struct ut_topology *topo = network->topology;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    if (!(network->elaborations >> ut_topology_elaboration(topo, sw) & 1))
      continue;
    for (uint32_t dst = 0; dst < topo->terminals; dst++, cases->count++) {
      cases->straps[cases->count] = topo->straps[sw];
      cases->dst[cases->count] = dst;
      for (unsigned i = 0; i < shape->pi * shape->v; i++) {
        const uint32_t channel = ut_explorer_channel(explorer, sw, i / shape->v, i % shape->v);
        const uint64_t bit = field->can[(size_t)channel * explorer->words + dst / 64] >> dst % 64 & 1;
        cases->can[i * cases->words + cases->count / 64] |= bit << cases->count % 64;
      }
    }
  }
}

/* Values of a few bits that no case of an input VC has become rules. */
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

/* Whether an existing rule excludes this. */
static bool is_said(const struct miner *miner, unsigned depth) {
  for (size_t i = miner->first; i < miner->rules->count; i++) {
    const struct ut_stuck_rule *rule = &miner->rules->rule[i];
    unsigned found = 0;
    for (unsigned n = 1; n < rule->count; n++)
      for (unsigned k = 0; k < depth; k++)
        found += rule->literal[n] == (2 * miner->op[miner->chosen[k] / 2] + !(miner->chosen[k] % 2));
    if (found + 1 == rule->count)
      return true;
  }
  return false;
}

static void say(struct miner *miner, unsigned count) {
  struct ut_stuck_rule rule = {.count = count + 1,
                               .running = true,
                               .text = "a header that is routed has come on a way that routing gives it",
                               .literal = {miner->routed}};
  bool header = false;
  for (unsigned i = 0; i < count; i++) {
    rule.literal[i + 1] = 2 * miner->op[miner->chosen[i] / 2] + !(miner->chosen[i] % 2);
    header = header || miner->of_header[miner->chosen[i] / 2];
  }
  if (header)
    miner->room = miner->room && ut_stuck_rules_add(miner->rules, &rule);
}

/* Whether any case has what is chosen; miner->with[depth]: which. */
static bool narrow(struct miner *miner, unsigned depth) {
  const uint64_t *from = depth ? miner->with[depth - 1] : miner->can, *has = miner->has[miner->chosen[depth] / 2];
  const uint64_t flip = miner->chosen[depth] % 2 ? 0 : UINT64_MAX;
  uint64_t any = 0;
  for (size_t w = 0; w < miner->words; w++)
    any |= miner->with[depth][w] = from[w] & (has[w] ^ flip);
  return any;
}

static void mine(struct miner *miner, unsigned size, unsigned depth, unsigned from) {
  for (unsigned i = from; i < 2 * miner->bits; i++) {
    miner->chosen[depth] = i;
    if (is_said(miner, depth + 1))
      continue;
    const bool any = narrow(miner, depth);
    if (depth + 1 == size && !any)
      say(miner, size);
    else if (depth + 1 < size && any)
      mine(miner, size, depth + 1, (i | 1) + 1);
  }
}

static void add_bit(struct miner *miner, const struct cases *cases, const struct ut_circuit *circuit, const char *name,
                    unsigned bit, bool of_header) {
  const struct ut_gate_name *gate_name = ut_gates_name(&circuit->gates, name);
  if (!gate_name || bit >= gate_name->width || miner->bits == MOST_BITS)
    return;
  const uint32_t op = circuit->bit[gate_name->bit + bit];
  uint32_t inverse;
  const bool is_constant = circuit->op[ut_circuit_source(circuit, op, &inverse)].kind <= UT_OP_ONE;
  uint64_t *has = calloc(cases->words, sizeof *has), ones = 0;
  miner->room = miner->room && has;
  for (size_t i = 0; i < cases->count && has; i++) {
    const uint64_t value =
        (of_header ? cases->dst[i] : cases->straps[i]) >> (of_header ? bit - UT_HEADER_DST_LSB : bit) & 1;
    has[i / 64] |= value << i % 64;
    ones += value;
  }
  if (is_constant || !ones || ones == cases->count) {
    free(has);
    return;
  }
  miner->of_header[miner->bits] = of_header;
  miner->op[miner->bits] = op;
  miner->has[miner->bits++] = has;
}

/* Rules of all input VCs of a port. */
static bool mine_port(struct ut_stuck_rules *rules, const struct ut_circuit *circuit, const struct ut_shape *shape,
                      const struct cases *cases, unsigned port) {
  struct miner miner = {.rules = rules, .words = cases->words, .room = true};
  char header[NAME], routed[NAME];
  snprintf(header, NAME, "\\g_in[%u].u_input.header", port);
  for (unsigned bit = 0; bit < 64; bit++)
    add_bit(&miner, cases, circuit, "straps_q", bit, false);
  for (unsigned bit = 0; bit < UT_HEADER_DST_WIDTH; bit++)
    add_bit(&miner, cases, circuit, header, UT_HEADER_DST_LSB + bit, true);
  for (unsigned i = 0; i < CUBE; i++) {
    miner.with[i] = calloc(cases->words, sizeof *miner.with[i]);
    miner.room = miner.room && miner.with[i];
  }
  for (unsigned vc = 0; vc < shape->v; vc++) {
    snprintf(routed, NAME, "\\g_in[%u].u_input.g_vc[%u].u_vc.routed_i", port, vc);
    const struct ut_gate_name *gate_name = ut_gates_name(&circuit->gates, routed);
    if (!gate_name)
      continue;
    miner.routed = 2 * circuit->bit[gate_name->bit];
    miner.can = cases->can + (port * shape->v + vc) * cases->words;
    miner.first = rules->count;
    for (unsigned size = 1; size <= CUBE && miner.room; size++)
      mine(&miner, size, 0, 0);
  }
  for (unsigned i = 0; i < miner.bits; i++)
    free(miner.has[i]);
  for (unsigned i = 0; i < CUBE; i++)
    free(miner.with[i]);
  return miner.room;
}

bool ut_stuck_headers_add(struct ut_stuck_rules *rules, const struct ut_circuit *circuit, const struct ut_shape *shape,
                          const struct ut_stuck_network *network, unsigned count) {
  struct cases cases = {0};
  bool room = true, simple = true;
  for (unsigned i = 0; i < count; i++) {
    simple = simple && (!network[i].elaborations || is_simple(&network[i], shape));
    cases.room += (size_t)network[i].topology->switches * network[i].topology->terminals;
  }
  if (!simple)
    return true;
  cases.words = cases.room / 64 + 1;
  cases.straps = calloc(cases.room + 1, sizeof *cases.straps);
  cases.dst = calloc(cases.room + 1, sizeof *cases.dst);
  cases.can = calloc(shape->pi * shape->v * cases.words, sizeof *cases.can);
  room = cases.straps && cases.dst && cases.can;
  for (unsigned i = 0; i < count && simple && room; i++) {
    struct field field;
    if (!network[i].elaborations)
      continue;
    simple = open_field(&field, &network[i]);
    if (simple)
      collect(&cases, &field, &network[i], shape);
    close_field(&field);
  }
  for (unsigned port = 0; port < shape->pi && simple && room; port++)
    room = mine_port(rules, circuit, shape, &cases, port);
  free(cases.straps);
  free(cases.dst);
  free(cases.can);
  return room;
}
