/* SPDX-License-Identifier: Apache-2.0 */
/* transitions.h - networks whose tables are being changed: what packets can meet between two plans, after a link or
 * switch has failed or come back (docs/explanation/routing_proofs.md, "Transitions").
 *
 * The manager writes in phases (rounds.h).  Walks of each packet show what can happen:
 *
 *   UT_WALK_BEFORE   the old tables and links: where packets can be when the event comes
 *   UT_WALK_OLD      the links behind the event, the old tables alone
 *   UT_WALK_BETWEEN  the same links in a phase, each word old or new; in the first one also packets that were on their
 *                    way
 *   UT_WALK_AFTER    the tables at the end of a phase, and what terminals are told then; in the end the new tables
 * alone
 *
 * Packets of `before` and of the first phase are in the network together, as are those of each other phase, so their
 * dependencies are of one graph.  Between two phases the network is drained.
 */
#ifndef UT_TRANSITIONS_H
#define UT_TRANSITIONS_H

#include "counter_example.h"
#include "packets.h"
#include "parallel.h"
#include "rings.h"
#include "rounds.h"
#include "walk.h"

enum ut_transition_walk { UT_WALK_BEFORE, UT_WALK_OLD, UT_WALK_BETWEEN, UT_WALK_AFTER, UT_TRANSITION_WALKS };

/* An event: the fault sets before it and after it. */
struct ut_transition {
  struct ut_fault_set before, after;
  bool repair;
};

/* Findings about a transition. */
struct ut_transition_verdict {
  bool failure[UT_FAILURES]; /* cycle, loop, wrong_terminal, escape; discard: of a pair that old and new tables connect
                              */
  bool whole_cycle;          /* a cycle even if no packet meets tables of both plans */
  uint64_t pairs;            /* ordered pairs of terminals */
  uint64_t lost;             /* those whose packets can be discarded, although old and new tables connect them */
  uint32_t words, switches;  /* that are written, in all phases; at most in one phase */
  unsigned phases;
};

enum { UT_MOST_CYCLES = 32 };

/* Sums, of faults and of repairs. */
struct ut_transition_sum {
  uint64_t transitions, safe, unchanged, failing[UT_FAILURES], whole_cycles;
  uint64_t lost, most_lost; /* pairs: of all; of the transition with the most */
  uint64_t pairs;           /* of the transition with the most */
  uint32_t most_words, most_switches;
  uint64_t in_phases; /* transitions of several phases */
};

struct ut_transition_proof {
  struct ut_transition_sum sum[2]; /* of faults, of repairs */
  uint64_t sets;                   /* fault sets that were examined */
  uint64_t first[UT_FAILURES];     /* the first transition with that failure (ut_transition_number()); UINT64_MAX: none
                                    */
  /* The first transitions with a cycle, ascending. */
  uint64_t cycle[UT_MOST_CYCLES];
  unsigned cycles;
};

/* A channel of a cycle, the next one, and the number of a walk that has the dependency. */
struct ut_cycle_arc {
  uint32_t from, to, walk;
};

/* Is told of the tables before a transition, in the switches; and of each phase, its words in `changes`, its
 * dependencies in `rings`. */
struct ut_transition_prover;
struct ut_transition_listener {
  void (*old)(struct ut_transition_prover *prover, void *ctx);
  void (*phase)(struct ut_transition_prover *prover, void *ctx);
  void *ctx;
};

struct ut_transition_prover {
  struct ut_transition_listener listener; /* members NULL: none */
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct ut_explorer explorer;
  struct ut_table_changes changes;
  struct ut_packet_list packets;
  struct ut_walk walk;
  struct ut_rounds rounds;
  struct ut_rings rings, whole; /* dependencies of a phase; of the transition without mixtures */
  unsigned phase;               /* of the transition that is examined */
  struct ut_cycle_arc *cycle;   /* the shortest cycle of the first phase that has one, NULL: none */
  size_t cycle_length;
  const volatile sig_atomic_t *stop;
  uint64_t numbers; /* walks of one kind, for which packets have numbers */
  struct ut_walk_seed **seed;
  uint32_t *seeds, *seed_room;             /* [numbers]: packets that are on their way when the event comes */
  uint64_t *down;                          /* bitmap over the topology's channels that do not work after it */
  uint64_t *discards[UT_TRANSITION_WALKS]; /* bitmaps over pairs, destination * terminals + source */
};

/* Refuses scenarios whose tables never change.  Returns -1 and fills *e. */
int ut_transition_prover_init(struct ut_transition_prover *prover, const struct ut_scenario *scenario,
                              const struct ut_topology *topo, struct ut_error *e);
void ut_transition_prover_free(struct ut_transition_prover *prover);

/* Returns the number of transitions of a fault set: from the network without faults to it and back; if it has several
 * faults, also from and to each set with one fault less.  Sets transition number i, faults and repairs in turn. */
unsigned ut_transitions_of(const struct ut_fault_set *set);
void ut_transition_get(const struct ut_fault_set *set, unsigned i, struct ut_transition *transition);
/* Number of a transition: 4096 times that of its fault set in the space, and i. */
enum { UT_TRANSITIONS_OF_A_SET = 4096 };

/* Lets the manager write the tables for a fault set. */
void ut_transition_settle(struct ut_transition_prover *prover, const struct ut_fault_set *set);

int ut_transition_examine(struct ut_transition_prover *prover, const struct ut_transition *transition,
                          struct ut_transition_verdict *verdict, struct ut_error *e);
/* Finds a failure of that kind, which the transition has; example->transition says which one it is. */
int ut_transition_example(struct ut_transition_prover *prover, const struct ut_transition *transition,
                          enum ut_failure kind, struct ut_counter_example *example, struct ut_error *e);

/* Examines all transitions of all fault sets of the space. */
int ut_prove_transitions(const struct ut_scenario *scenario, const struct ut_topology *topo,
                         const struct ut_fault_space *space, const struct ut_parallel *parallel,
                         struct ut_transition_proof *proof, struct ut_error *e);

#endif
