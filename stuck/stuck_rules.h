/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_rules.h - the properties of a switch's inputs, in each of its states: clauses over operations of its circuit.
 * They are assumptions of proofs; a user of these assumptions checks them in every pattern of every run.
 */
#ifndef UT_STUCK_RULES_H
#define UT_STUCK_RULES_H

#include "circuit.h"
#include "shape.h"

enum { UT_STUCK_RULE_LITERALS = 5 };
/* One of the literals is true: 2 * operation + value. */
struct ut_stuck_rule {
  uint32_t literal[UT_STUCK_RULE_LITERALS];
  unsigned count;
  bool in_reset, running; /* when */
  const char *text;       /* the rule in words, for messages */
};
struct ut_stuck_rules {
  struct ut_stuck_rule *rule;
  size_t count, room;
};

/* false: out of memory.  Free in both cases; begins with zeroes. */
bool ut_stuck_rules_add(struct ut_stuck_rules *rules, const struct ut_stuck_rule *rule);
void ut_stuck_rules_free(struct ut_stuck_rules *rules);

/* Makes the rules of a switch whose neighbours obey docs/reference/cycle-contract.md, in networks whose switches have
 * these straps and at most that many terminals. */
bool ut_stuck_rules_of_switch(struct ut_stuck_rules *rules, const struct ut_circuit *circuit,
                              const struct ut_shape *shape, const uint64_t *straps, size_t count, uint32_t terminals);

#endif
