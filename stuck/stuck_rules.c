/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_rules.c - see stuck_rules.h */
#include "stuck_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

#define NOBODY UINT32_MAX
enum { NAME = 96 };

bool ut_stuck_rules_add(struct ut_stuck_rules *rules, const struct ut_stuck_rule *rule) {
  if (rules->count == rules->room) {
    const size_t room = rules->room ? 2 * rules->room : 64;
    struct ut_stuck_rule *more = realloc(rules->rule, room * sizeof *more);
    if (!more)
      return false;
    rules->rule = more;
    rules->room = room;
  }
  rules->rule[rules->count++] = *rule;
  return true;
}

void ut_stuck_rules_free(struct ut_stuck_rules *rules) {
  free(rules->rule);
  *rules = (struct ut_stuck_rules){0};
}

/* ---- of a switch ---- */

struct maker {
  struct ut_stuck_rules *rules;
  const struct ut_circuit *circuit;
  bool room;
};

/* Returns the operation of a bit of a port, as a literal of that value; NOBODY if there is no such bit. */
static uint32_t literal(const struct maker *maker, const char *name, unsigned bit, unsigned value) {
  const struct ut_gate_name *gate_name = ut_gates_name(&maker->circuit->gates, name);
  return gate_name && bit < gate_name->width ? 2 * maker->circuit->bit[gate_name->bit + bit] + value : NOBODY;
}

static void add(struct maker *maker, const char *text, bool in_reset, bool running, unsigned count,
                const uint32_t literals[]) {
  struct ut_stuck_rule rule = {.count = count, .in_reset = in_reset, .running = running, .text = text};
  for (unsigned i = 0; i < count; i++) {
    rule.literal[i] = literals[i];
    if (literals[i] == NOBODY)
      return;
  }
  maker->room = maker->room && ut_stuck_rules_add(maker->rules, &rule);
}

/* Bits of straps that all have, and pairs of them that none has. */
static void add_straps(struct maker *maker, const uint64_t *straps, size_t count) {
  static const char text[] = "a switch has straps of the networks that were given";
  uint64_t both[2][2][64] = {{{0}}}; /* [value][other value][bit]: other bits that have been seen so */
  for (size_t i = 0; i < count; i++)
    for (unsigned a = 0; a < 64; a++) {
      uint64_t(*seen)[64] = both[straps[i] >> a & 1];
      seen[0][a] |= ~straps[i];
      seen[1][a] |= straps[i];
    }
  for (unsigned a = 0; a < 64; a++)
    for (unsigned value = 0; value < 2; value++) {
      const bool never = !(both[value][value][a] >> a & 1);
      if (never)
        add(maker, text, true, false, 1, (const uint32_t[]){literal(maker, "straps_i", a, !value)});
      for (unsigned b = 0; b < a && !never; b++)
        for (unsigned other = 0; other < 2; other++)
          if (!(both[value][other][a] >> b & 1) && both[other][other][b] >> b & 1)
            add(maker, text, true, false, 2,
                (const uint32_t[]){literal(maker, "straps_i", a, !value), literal(maker, "straps_i", b, !other)});
    }
}

/* Rules for flits that arrive over an input link. */
static void add_link(struct maker *maker, const struct ut_shape *shape, unsigned port) {
  const uint32_t valid = literal(maker, "in_valid_i", port, 0), bad = literal(maker, "in_bad_i", port, 0);
  const unsigned low = 2 * port, high = 2 * port + 1; /* of the kind */
  add(maker, "a bad flit is a tail", false, true, 3,
      (const uint32_t[]){valid, bad, literal(maker, "in_kind_i", low, 0)});
  add(maker, "a bad flit is a tail", false, true, 3,
      (const uint32_t[]){valid, bad, literal(maker, "in_kind_i", high, 1)});
  if (shape->switching == UT_VCT && shape->max_packet <= 2)
    add(maker, "a packet of two flits has no body", false, true, 3,
        (const uint32_t[]){valid, literal(maker, "in_kind_i", low, 1), literal(maker, "in_kind_i", high, 1)});
  if (shape->v == 1)
    add(maker, "a flit names a VC of its port", false, true, 2,
        (const uint32_t[]){valid, literal(maker, "in_vc_i", port, 0)});
  add(maker, "nothing arrives in a reset", true, false, 1, &valid);
  add(maker, "links are down in a reset", true, false, 1, (const uint32_t[]){literal(maker, "in_up_i", port, 0)});
}

/* Adds the rule that an operation has a value outside of reset: part by part, if it has the value only if all parts
 * have it. */
static void add_parts(struct maker *maker, const char *text, uint32_t op, unsigned value) {
  const struct ut_op *operation = &maker->circuit->op[op];
  if (operation->kind == UT_OP_NET || operation->kind == UT_OP_NOT) {
    add_parts(maker, text, operation->a, operation->kind == UT_OP_NOT ? !value : value);
  } else if ((operation->kind == UT_OP_OR && !value) || (operation->kind == UT_OP_AND && value)) {
    add_parts(maker, text, operation->a, value);
    add_parts(maker, text, operation->b, value);
  } else if (operation->kind == UT_OP_OR || operation->kind == UT_OP_AND) {
    add(maker, text, false, true, 2, (const uint32_t[]){2 * operation->a + value, 2 * operation->b + value});
  } else {
    add(maker, text, false, true, 1, (const uint32_t[]){2 * op + value});
  }
}

/* The front of a buffer holds what a terminal has sent. */
static void add_headers(struct maker *maker, const struct ut_shape *shape, unsigned port, uint32_t terminals) {
  char routed[NAME], header[NAME];
  snprintf(header, NAME, "\\g_in[%u].u_input.header", port);
  for (unsigned vc = 0; vc < shape->v; vc++) {
    snprintf(routed, NAME, "\\g_in[%u].u_input.g_vc[%u].u_vc.routed_i", port, vc);
    for (unsigned bit = 0; bit < UT_HEADER_DST_WIDTH; bit++)
      if (terminals - 1 < UINT32_C(1) << bit)
        add(maker, "a header that is routed names a terminal of the network", false, true, 2,
            (const uint32_t[]){literal(maker, routed, 0, 0), literal(maker, header, UT_HEADER_DST_LSB + bit, 0)});
  }
}

bool ut_stuck_rules_of_switch(struct ut_stuck_rules *rules, const struct ut_circuit *circuit,
                              const struct ut_shape *shape, const uint64_t *straps, size_t count, uint32_t terminals) {
  struct maker maker = {rules, circuit, true};
  const struct ut_gate_name *error = ut_gates_name(&circuit->gates, "error_q");
  add_straps(&maker, straps, count);
  for (unsigned port = 0; port < shape->pi; port++) {
    add_link(&maker, shape, port);
    add_headers(&maker, shape, port, terminals);
  }
  for (unsigned port = 0; port < shape->po; port++)
    add(&maker, "links are down in a reset", true, false, 1, (const uint32_t[]){literal(&maker, "out_up_i", port, 0)});
  uint32_t inverse, op = ut_circuit_source(circuit, error ? circuit->bit[error->bit] : UT_OP_ZERO, &inverse);
  if (circuit->op[op].kind == UT_OP_STATE)
    add_parts(&maker, "no rule of the protocol is broken (error_o)", circuit->next[circuit->op[op].a], inverse);
  return maker.room;
}
