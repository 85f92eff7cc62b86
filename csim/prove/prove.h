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
  UT_FAILURE_NUMBERING, /* a hop to a channel that has no higher number in the paper's numbering */
  UT_FAILURE_ESCAPE,    /* a packet is offered no escape channel */
  UT_FAILURE_BUBBLE,    /* candidates are under the bubble rule that should not, or the other way round */
  UT_FAILURE_ROUTE,     /* nothing could be planned for a pair of switches that has a path */
  UT_FAILURES,          /* none of them */
  /* as the kind of a counter-example: no failure, but faults that leave a pair of terminals without a way */
  UT_SEPARATED = UT_FAILURES
};
extern const char *const ut_failure_name[UT_FAILURES + 1];

/* What one fault set shows.  A method (method.h) leaves at zero what it knows nothing of. */
struct ut_verdict {
  bool failure[UT_FAILURES];
  bool dependency_cycle; /* some cycle of dependencies, harmless or not */
  bool shallow; /* a failure that says less: there is no path to be had, or, for a cycle, packets fail anyway */
  unsigned longest;
  uint64_t pairs; /* ordered pairs of terminals that were looked at */
  /* networks of levels */
  bool no_subfunction; /* the papers' routing subfunction does not break the cycle of dependencies */
  unsigned u_turns;
  /* escape channels */
  /* Pairs of switches for which nothing is planned, or of terminals that are told of no way: there is none, or there
   * is one all the same. */
  uint64_t separated, without_route;
  bool detours;        /* some hop does not come nearer */
  bool extended_cycle; /* the extended graph has a cycle: no failure under virtual cut-through */
  uint32_t nodes;      /* escape rings, or channels */
  uint32_t direct;     /* dependencies between them */
  uint64_t answers;    /* bubble sets that were compared */
  bool outside;        /* the set does not obey the fault model of nodes */
};

/* Sums over fault sets. */
struct ut_proof {
  uint64_t sets, connected, failing[UT_FAILURES];
  /* The fault set to show for each kind, UINT64_MAX: none.  The fewest faults; among those one that still has a
   * fault-free way for each pair (for a cycle: in which no packet fails), if there is one; then the first. */
  uint64_t first[UT_FAILURES];
  uint64_t rank[UT_FAILURES];
  uint64_t dependency_cycles, no_subfunction;
  unsigned longest, u_turns;
  uint64_t detours, extended_cycles, answers; /* as in a verdict */
  uint64_t pairs;                             /* of the fault set that has fewest */
  uint64_t nodes, direct;                     /* of the fault set that has most of them */
  uint64_t separated, without_route;          /* sets with such pairs */
  uint64_t separated_pairs, most_separated;   /* of all sets; of the set that has most */
  uint64_t first_separated;                   /* the first set with such a pair, UINT64_MAX: none */
  uint64_t outside; /* sets that do not obey the fault model; looked at unless the space is in_model */
  uint64_t skipped; /* those that were not looked at, not in `sets` */
};

/* Every packet arrived, whatever the adversary chose. */
bool ut_verdict_connected(const struct ut_verdict *verdict);

/* Kind of the counter-example to show: the fewest faults first, then the worst; UT_FAILURES: there is none. */
enum ut_failure ut_proof_worst(const struct ut_proof *proof);

/* Everything that is needed to look at fault sets of one scenario. */
struct ut_prover {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const struct ut_proof_method *method;
  struct ut_explorer explorer;
  bool modelled;              /* switches keep states of nodes: */
  struct ut_node_model model; /* of the fault set that was examined last */
  const ut_mask *stale; /* [switches]: bits that were set under faults that have been repaired since; NULL: none */
  const volatile sig_atomic_t *stop; /* NULL, or: a fault set is not looked at to its end when it becomes non-zero */
  void *own;                         /* of the method */
};

static inline bool ut_prover_stopped(const struct ut_prover *prover) {
  return prover->stop && *prover->stop;
}

int ut_prover_init(struct ut_prover *prover, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e);
void ut_prover_free(struct ut_prover *prover);
/* The manager's view of a fault set; only where prover->modelled.  Link faults are no part of the model. */
bool ut_prover_obeys_model(struct ut_prover *prover, const struct ut_fault_set *set);
/* Looks at one fault set; prover->own then holds its states and dependencies.  -1 and *e: out of memory, or
 * UT_INTERRUPTED. */
int ut_prover_examine(struct ut_prover *prover, const struct ut_fault_set *set, struct ut_verdict *verdict,
                      struct ut_error *e);

/* The bits of re-route vectors that packets can set under some fault set of the space: [switches], the caller frees.
 * NULL and *e on failure.  parallel as below. */
ut_mask *ut_prove_stale_bits(const struct ut_scenario *scenario, const struct ut_topology *topo,
                             const struct ut_fault_space *space, const struct ut_parallel *parallel,
                             struct ut_error *e);

/* All fault sets of the space.  stale: NULL, or bits that may have been set under faults that have been repaired since.
 * parallel: workers, stop, progress and its ctx are used. */
int ut_prove(const struct ut_scenario *scenario, const struct ut_topology *topo, const struct ut_fault_space *space,
             const ut_mask *stale, const struct ut_parallel *parallel, struct ut_proof *proof, struct ut_error *e);

#endif
