/* prove.h - the papers' theorems, checked on the routing code that runs: connectivity, livelock, deadlock, for every
 * fault set of a space (docs/prove.md).  Faults are permanent while a packet is on its way.
 */
#ifndef UT_PROVE_H
#define UT_PROVE_H

#include "dependency.h"
#include "dependency_rings.h"
#include "fault_sets.h"
#include "parallel.h"
#include "reach.h"
#include "reach_direct.h"
#include "up_down.h"

enum ut_failure {
  UT_FAILURE_DISCARD,   /* a packet is discarded although its terminals work */
  UT_FAILURE_WRONG,     /* a packet arrives at the wrong terminal */
  UT_FAILURE_LOOP,      /* a packet can go round for ever */
  UT_FAILURE_CYCLE,     /* channels can wait for each other */
  UT_FAILURE_NUMBERING, /* a hop to a channel that has no higher number in the paper's numbering */
  UT_FAILURE_ESCAPE,    /* tori and meshes: a packet is offered no escape channel */
  UT_FAILURE_BUBBLE,    /* tori: candidates are under the bubble rule that should not, or the other way round */
  UT_FAILURE_ROUTE,     /* tori and meshes: nothing could be planned for a pair of nodes that has a path */
  UT_FAILURES
};
extern const char *const ut_failure_name[UT_FAILURES];

/* What one fault set shows. */
struct ut_verdict {
  bool failure[UT_FAILURES];
  bool dependency_cycle; /* some cycle of dependencies, harmless or not */
  bool no_subfunction;   /* ... and the papers' routing subfunction does not break it */
  bool shallow; /* a failure that says less: there is no path to be had, or, for a cycle, packets fail anyway */
  unsigned longest, u_turns;
  /* tori and meshes */
  uint64_t pairs;                    /* ordered pairs of terminals that were walked */
  uint64_t separated, without_route; /* pairs of nodes for which nothing is planned: no path, no route */
  bool detours;                      /* some hop does not come nearer */
  bool extended_cycle;               /* the extended graph has a cycle: no failure under virtual cut-through */
  uint32_t nodes;                    /* escape rings, or channels */
  uint32_t direct;                   /* dependencies between them */
  uint64_t answers;                  /* bubble sets that were compared */
};

/* Sums over fault sets. */
struct ut_proof {
  uint64_t sets, connected, failing[UT_FAILURES];
  /* The fault set to show for each kind, UINT64_MAX: none.  The fewest faults; among those one that still has a
   * fault-free up-down path for each pair (for a cycle: in which no packet fails), if there is one; then the first. */
  uint64_t first[UT_FAILURES];
  uint64_t rank[UT_FAILURES];
  uint64_t dependency_cycles, no_subfunction;
  unsigned longest, u_turns;
  uint64_t route_calls;
  uint64_t detours, extended_cycles, answers; /* tori and meshes, as in a verdict */
  uint64_t pairs;                             /* of the fault set that has fewest */
  uint64_t nodes, direct;                     /* of the fault set that has most of them */
  uint64_t separated, without_route;          /* sets with such pairs of nodes */
};

/* Block of the fault set to show. */
unsigned ut_proof_block(const struct ut_proof *p, enum ut_failure kind);

/* Everything that is needed to look at fault sets of one scenario. */
struct ut_prover {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct ut_world world;
  struct ut_reach reach;
  struct ut_dependencies dependencies;
  struct ut_up_down up_down;
  /* tori and meshes: these instead of the last three */
  struct ut_walk walk;
  struct ut_rings rings;
  struct ut_packet_list packets;
};

int ut_prover_init(struct ut_prover *p, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e);
void ut_prover_free(struct ut_prover *p);
/* Looks at one fault set; p->reach then holds its states.  -1: out of memory. */
int ut_prover_examine(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v, struct ut_error *e);
/* The same for a torus or mesh (prove_direct.c); p->rings then holds its dependencies. */
int ut_prover_examine_direct(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v,
                             struct ut_error *e);
/* The arcs whose cycle is a failure: direct ones; under wormhole switching those of the extended graph where adaptive
 * VCs are given away only when they are empty, else all. */
const struct ut_arcs *ut_prover_deciding_arcs(const struct ut_prover *p);

/* The bits of re-route vectors that packets can set under some fault set of the space: [switches], the caller frees.
 * NULL and *e on failure.  parallel as below. */
ut_mask *ut_prove_stale_bits(const struct ut_scenario *s, const struct ut_topology *t,
                             const struct ut_fault_space *space, const struct ut_parallel *parallel,
                             struct ut_error *e);

/* All fault sets of the space.  stale: NULL, or bits that may have been set under faults that have been repaired since.
 * parallel: workers, stop, progress and its ctx are used. */
int ut_prove(const struct ut_scenario *s, const struct ut_topology *t, const struct ut_fault_space *space,
             const ut_mask *stale, const struct ut_parallel *parallel, struct ut_proof *proof, struct ut_error *e);

#endif
