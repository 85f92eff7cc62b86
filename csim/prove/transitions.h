/* SPDX-License-Identifier: Apache-2.0 */
/* transitions.h - networks whose tables are being changed: what packets can meet between two plans, after a link or
 * switch has failed or come back (docs/explanation/routing_proofs.md, "Transitions").
 *
 * Four walks of each packet show it.  `Old` and `new` are plans, the event is between them.
 *
 *   UT_WALK_BEFORE   the old tables and links: where packets can be when the event comes
 *   UT_WALK_BETWEEN  the links behind the event, each word old or new; also packets that were on their way
 *   UT_WALK_OLD      the same links, the old tables alone
 *   UT_WALK_AFTER    the same links, the new tables alone, and what terminals are told at the end
 *
 * Packets of the first two and the last are in the network together, so their dependencies are of one graph.
 */
#ifndef UT_TRANSITIONS_H
#define UT_TRANSITIONS_H

#include "counter_example.h"
#include "packets.h"
#include "parallel.h"
#include "rings.h"
#include "walk.h"

enum ut_transition_walk { UT_WALK_BEFORE, UT_WALK_BETWEEN, UT_WALK_OLD, UT_WALK_AFTER, UT_TRANSITION_WALKS };

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
  uint32_t words, switches;  /* that change */
};

enum { UT_MOST_CYCLES = 32 };

/* Sums, of faults and of repairs. */
struct ut_transition_sum {
  uint64_t transitions, safe, unchanged, failing[UT_FAILURES], whole_cycles;
  uint64_t lost, most_lost; /* pairs: of all; of the transition with the most */
  uint64_t pairs;           /* of the transition with the most */
  uint32_t most_words, most_switches;
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

struct ut_transition_prover {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct ut_explorer explorer;
  struct ut_table_changes changes;
  struct ut_packet_list packets;
  struct ut_walk walk;
  struct ut_rings rings, whole; /* dependencies of the transition that was examined last; whole: without mixtures */
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
