/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_reach_parts.h - what the files of stuck_reach.h share: states that were seen (stuck_seen.c), candidates
 * (stuck_candidates.c, stuck_kinds.c), induction (stuck_induction.c), faults (stuck_reach.c). */
#ifndef UT_STUCK_REACH_PARTS_H
#define UT_STUCK_REACH_PARTS_H

#include "stuck_query.h"
#include "stuck_reach.h"

typedef ut_stuck_vector vector;
enum { WORDS = UT_STUCK_WORDS, PATTERNS = UT_STUCK_PATTERNS };
enum {
  UT_REACH_BLOCKS = 96,     /* of 512 states each that are kept from runs, and as many from walks */
  UT_REACH_LITERALS = 6,    /* of a clause */
  UT_REACH_CLAUSES = 400000 /* at most */
};

/* Literals are 2 * flip-flop + value.  Sorted; 0 behind them. */
struct ut_reach_clause {
  uint32_t literal[UT_REACH_LITERALS];
  uint8_t count;
  bool live;   /* not refuted */
  bool wanted; /* a clause that would show that a fault cannot be observed */
  uint8_t revived;
  int assumption; /* literal that makes the solver obey it; 0: it does anyway */
};

struct ut_stuck_reach {
  const struct ut_stuck_faults *faults;
  const struct ut_circuit *circuit;
  const struct ut_stuck_rules *rules;
  uint32_t *input, *state; /* operations: of inputs, of flip-flops by their numbers; UT_OP_ZERO: it has no reader */
  size_t inputs, states;
  vector *op, *bad, *next; /* [ops], [ops], [states]: under 512 patterns; next or other values of flip-flops */
  /* states that were seen, with their inputs: [blocks][inputs + states]; which of the 512 are some */
  vector *block[2 * UT_REACH_BLOCKS], valid[2 * UT_REACH_BLOCKS];
  unsigned blocks, stride, skip;
  struct ut_reach_clause *clause;
  size_t clauses;
  uint32_t *place; /* of clauses by what they say; UINT32_MAX: none */
  size_t places;
  uint64_t chance;
  const char *broken;
  bool proven; /* live clauses are the invariant */
  struct ut_stuck_query query;
  bool *chosen; /* [rules]: matters */
  uint32_t *cone,
      *cone_begin;   /* flip-flops on which rule i hangs: cone[cone_begin[i]] to cone[cone_begin[i + 1] - 1] */
  bool *model;       /* [ops]: inputs and flip-flops that the solver has found */
  unsigned patience; /* 0: a clause that does not hold is dropped */
  bool *moves;       /* [states]: has changed without a reset */
  bool *in_vain;     /* [faults]: no clause excludes the states that show it */
  bool *sampled;     /* [ops]: values that the solver tries first */
  size_t settled;    /* clauses before this one have been looked at by ut_reach_settle() */
  struct ut_reach_names *names;
  const struct ut_stuck_caller *caller;
};

/* The question that a state answers: it shows a fault, or a clause does not hold after the clock. */
struct ut_reach_target {
  uint32_t fault;
  const struct ut_reach_clause *clause; /* NULL: the fault */
};

static const vector none,
    all = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

static inline bool ut_reach_bit(const vector *v, unsigned lane) {
  return (*v)[lane / 64] >> lane % 64 & 1;
}
static inline bool ut_reach_is_interrupted(const struct ut_stuck_reach *reach) {
  return !ut_stuck_caller_waits(reach->caller, "candidates for the invariant", reach->clauses, 0);
}

/* ---- stuck_seen.c ---- */

/* Patterns that break a rule; text: which one, or NULL. */
void ut_reach_broken_rules(const struct ut_stuck_reach *reach, const vector *op, vector *any, const char **text);
/* States, by the numbers of flip-flops, in which a clause does not hold. */
void ut_reach_broken(const struct ut_reach_clause *clause, const vector *state, vector *v);
/* Refutes clauses that do not hold in some states; returns how many. */
size_t ut_reach_refute(struct ut_stuck_reach *reach, const vector *state, const vector *valid);
/* Flip-flops of all operations into reach->next, and the other way. */
void ut_reach_take_states(struct ut_stuck_reach *reach, const vector *op);
void ut_reach_put_states(struct ut_stuck_reach *reach, const vector *state);
/* Chooses bits of which few are 1: in each word half as many as in the one before. */
void ut_reach_choose_few(struct ut_stuck_reach *reach, unsigned halves, vector *v);
/* Walks from states that were seen, with other inputs that obey the rules: the resulting states can occur, too. */
void ut_reach_walk(struct ut_stuck_reach *reach, unsigned from, unsigned kept);

/* ---- stuck_candidates.c ---- */

/* A new candidate; false: it is there already, or there are too many. */
bool ut_reach_propose(struct ut_stuck_reach *reach, const uint32_t *literal, unsigned count, bool wanted);
/* Whether the clause is a candidate. */
bool ut_reach_is_proposed(struct ut_stuck_reach *reach, const uint32_t *literal, unsigned count);
/* Flip-flops with one value, pairs and triples of values that have not been seen together, and values and pairs of a
 * part that have not been seen in one of its states. */
void ut_reach_propose_seen(struct ut_stuck_reach *reach);
/* Adds candidates that the model violates, and others of their kind; returns how many. */
size_t ut_reach_propose_against(struct ut_stuck_reach *reach, const struct ut_reach_target *target);

/* ---- stuck_kinds.c ---- */

bool ut_reach_find_names(struct ut_stuck_reach *reach);
void ut_reach_free_names(struct ut_stuck_reach *reach);
/* Whether two flip-flops are of the same numbered part of the switch, such as an input VC, or of its rest. */
bool ut_reach_belong_together(const struct ut_stuck_reach *reach, uint32_t a, uint32_t b);
/* A numbered part of the switch, such as an input VC, that is in a state: flip-flops of its register state_q, and those
 * of its other registers that are not too wide. */
enum { UT_REACH_CODE = 3, UT_REACH_MEMBERS = 512 };
struct ut_reach_part {
  uint32_t code[UT_REACH_CODE], member[UT_REACH_MEMBERS];
  unsigned codes, members;
};
/* The part whose first flip-flop of state_q this is; false: there is none, or it is too large. */
bool ut_reach_find_part(const struct ut_stuck_reach *reach, uint32_t first, struct ut_reach_part *part);
/* Makes candidates that exclude a cube, and the same at all other places; returns how many. */
size_t ut_reach_propose_kind(struct ut_stuck_reach *reach, const uint32_t *cube, unsigned count);
/* Whether no state has been seen that breaks the clause. */
bool ut_reach_is_unseen(const struct ut_stuck_reach *reach, const struct ut_reach_clause *clause);

/* ---- stuck_induction.c ---- */

/* Finds the greatest set of candidates that holds by induction.  Returns false when out of memory. */
bool ut_reach_settle(struct ut_stuck_reach *reach);
/* Makes the solver first try the values of a state that was seen. */
void ut_reach_try_sample(struct ut_stuck_reach *reach);
void ut_reach_add_rule(const struct ut_stuck_reach *reach, struct ut_stuck_logic *logic,
                       const struct ut_stuck_rule *rule);
/* Asserts a clause outside of reset; assumption: 0, or the literal under which it is asserted. */
void ut_reach_add_clause(const struct ut_stuck_reach *reach, struct ut_stuck_logic *logic,
                         const struct ut_reach_clause *clause, int assumption);

#endif
