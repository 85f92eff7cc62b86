/* SPDX-License-Identifier: Apache-2.0 */
/* prove.h - the papers' theorems, checked on the routing code that runs: connectivity, livelock, deadlock, for every
 * fault set of a space (docs/reference/prove.md).  Faults are permanent while a packet is on its way.
 */
#ifndef UT_PROVE_H
#define UT_PROVE_H

#include "explorer.h"
#include "fault_sets.h"
#include "node_model.h"
#include "parallel.h"

enum ut_failure {
  UT_FAILURE_DISCARD,   /* a packet is discarded although its terminals work */
  UT_FAILURE_WRONG,     /* a packet arrives at the wrong terminal */
  UT_FAILURE_LOOP,      /* a packet can go round for ever */
  UT_FAILURE_CYCLE,     /* channels can wait for each other */
  UT_FAILURE_NUMBERING, /* a hop to a channel without a higher number in the paper's numbering */
  UT_FAILURE_ESCAPE,    /* a packet has no escape channel among its candidates */
  UT_FAILURE_BUBBLE,    /* the bubble set is wrong: candidates missing or too many */
  UT_FAILURE_ROUTE,     /* no route could be planned for a pair of switches that has a path */
  UT_FAILURES,          /* none of them */
  /* as the kind of a counter-example: no failure, but faults that leave a pair of terminals without a way */
  UT_SEPARATED = UT_FAILURES
};
extern const char *const ut_failure_name[UT_FAILURES + 1];

/* The findings under one fault set.  A method (method.h) leaves members that it does not know at zero. */
struct ut_verdict {
  bool failure[UT_FAILURES];
  bool dependency_cycle; /* there is a cycle of dependencies, harmless or not */
  bool shallow;          /* a failure of less weight: there is no path, or, for a cycle, packets fail anyway */
  unsigned longest;
  uint64_t pairs; /* ordered pairs of terminals that were examined */
  /* networks of levels */
  bool no_subfunction; /* the papers' routing subfunction does not break the cycle of dependencies */
  unsigned u_turns;
  /* escape channels */
  /* Pairs of switches for which no route is planned, or of terminals without a known route: because there is no path;
   * although there is one. */
  uint64_t separated, without_route;
  bool detours;        /* some hop leads no nearer to the destination */
  bool extended_cycle; /* the extended graph has a cycle: no failure under virtual cut-through */
  uint32_t nodes;      /* number of escape rings, or channels */
  uint32_t direct;     /* number of dependencies between them */
  uint64_t answers;    /* bubble sets that were compared */
  bool outside;        /* the fault set does not obey the fault model of the nodes */
};

/* Sums over fault sets. */
struct ut_proof {
  uint64_t sets, connected, failing[UT_FAILURES];
  /* The fault set to show for each kind, UINT64_MAX: none.  It has the fewest faults; among these, it leaves each pair
   * a fault-free path (for a cycle: no packet fails under it), if there is such a set; among these, it is the first. */
  uint64_t first[UT_FAILURES];
  uint64_t rank[UT_FAILURES];
  uint64_t dependency_cycles, no_subfunction;
  unsigned longest, u_turns;
  uint64_t detours, extended_cycles, answers; /* as in a verdict */
  uint64_t pairs;                             /* of the fault set with the fewest */
  uint64_t nodes, direct;                     /* of the fault set with the most */
  uint64_t separated, without_route;          /* sets with such pairs */
  uint64_t separated_pairs, most_separated;   /* of all sets; of the set with the most */
  uint64_t first_separated;                   /* the first set with such a pair, UINT64_MAX: none */
  uint64_t outside; /* sets that do not obey the fault model; examined unless the space is in_model */
  uint64_t skipped; /* sets that were not examined and are not in `sets` */
};

/* Returns whether every packet arrives, whatever the adversary chooses. */
bool ut_verdict_connected(const struct ut_verdict *verdict);

/* Returns the kind of counter-example to show: the one with the fewest faults, then the worst; UT_FAILURES: there is
 * none. */
enum ut_failure ut_proof_worst(const struct ut_proof *proof);

/* Everything needed to examine fault sets of one scenario. */
struct ut_prover {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const struct ut_proof_method *method;
  struct ut_explorer explorer;
  bool modelled;                     /* if switches keep node states: */
  struct ut_node_model model;        /* of the fault set that was examined last */
  const ut_mask *stale;              /* [switches]: bits that were set under faults repaired since; NULL: none */
  const volatile sig_atomic_t *stop; /* NULL, or: the examination of a fault set ends early when it becomes non-zero */
  void *own;                         /* of the method */
};

static inline bool ut_prover_stopped(const struct ut_prover *prover) {
  return prover->stop && *prover->stop;
}

int ut_prover_init(struct ut_prover *prover, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e);
void ut_prover_free(struct ut_prover *prover);
/* Computes the manager's view of a fault set; only if prover->modelled.  Link faults are not part of the model. */
bool ut_prover_obeys_model(struct ut_prover *prover, const struct ut_fault_set *set);
/* Examines one fault set; prover->own then holds its states and dependencies.  Returns -1 and fills *e when out of
 * memory, or UT_INTERRUPTED. */
int ut_prover_examine(struct ut_prover *prover, const struct ut_fault_set *set, struct ut_verdict *verdict,
                      struct ut_error *e);

/* Returns the bits of re-route vectors that packets can set under some fault set of the space: [switches], the caller
 * frees them.  NULL and *e on failure.  parallel: as below. */
ut_mask *ut_prove_stale_bits(const struct ut_scenario *scenario, const struct ut_topology *topo,
                             const struct ut_fault_space *space, const struct ut_parallel *parallel,
                             struct ut_error *e);

/* Examines all fault sets of the space.  stale: NULL, or bits that may have been set under faults repaired since.  Of
 * `parallel`, workers, stop, progress and its ctx are used. */
int ut_prove(const struct ut_scenario *scenario, const struct ut_topology *topo, const struct ut_fault_space *space,
             const ut_mask *stale, const struct ut_parallel *parallel, struct ut_proof *proof, struct ut_error *e);

#endif
