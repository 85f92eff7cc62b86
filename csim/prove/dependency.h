/* SPDX-License-Identifier: Apache-2.0 */
/* dependency.h - deadlock freedom: what packets in one channel wait for, from the states that ut_reach_run has found.
 *
 * A channel is an input VC of a switch (explorer.h); a packet at its front waits for the channels of its candidates.
 * Links from and to terminals cannot be in a cycle.  Four questions, from simple to exact: cycle      is there a cycle
 * of dependencies at all (strongly connected components, igraph)?  Without one there is no deadlock, also under
 * wormhole switching. numbering  does every dependency go to a channel of a higher number of the paper (REROUTE section
 * VI.C, appendix E)?  Then there is no cycle, for these faults and any mixture of them over time. extended   Duato's
 * theorem (REROUTE theorem 4): has the papers' routing subfunction a cycle in its extended dependency graph?  Without
 * one there is no deadlock under virtual cut-through. waiting    the largest set of channels in each of which a packet
 * can be whose candidates are all in the set (REROUTE definition 17).  If it is empty there is no deadlock under
 * virtual cut-through; if it is not, the set is a deadlock, provided that packets can get into it together.
 */
#ifndef UT_DEPENDENCY_H
#define UT_DEPENDENCY_H

#include "digraph.h"
#include "reach.h"

struct ut_dependencies {
  struct ut_reach *reach;
  ut_mask *wants;          /* [channels * v]: by output VC, output ports that packets in the channel may take */
  bool *waiting;           /* [channels]: the waiting set */
  struct ut_digraph graph; /* of the channels */
};

int ut_dependencies_init(struct ut_dependencies *dependencies, struct ut_reach *reach, struct ut_error *e);
void ut_dependencies_free(struct ut_dependencies *dependencies);

/* Collects the dependencies; returns whether they have a cycle. */
bool ut_dependencies_cycle(struct ut_dependencies *dependencies);
/* Returns why the papers' subfunction does not show freedom from deadlock; afterwards `graph` is the extended graph. */
bool ut_dependencies_extended_cycle(struct ut_dependencies *dependencies, const struct ut_fault_set *set);
/* Returns the digits of that subfunction: for each level the digit of the planes with the fewest faults. */
enum { UT_MAX_LEVELS = 64 };
void ut_choose_planes(const struct ut_explorer *explorer, const struct ut_fault_set *set,
                      unsigned digit[UT_MAX_LEVELS]);
/* Computes the waiting set; returns whether it has members. */
bool ut_dependencies_waiting(struct ut_dependencies *dependencies);

/* Finds a dependency that does not lead to a higher number; false: there is none.  To be called after
 * ut_dependencies_cycle(). */
bool ut_dependencies_falling(const struct ut_dependencies *dependencies, uint32_t *from, uint32_t *to);

/* Finds the shortest cycle in the arcs (with `among`: between the channels marked there); returns its length, 0: none.
 * The caller frees *cycle. */
size_t ut_dependencies_shortest_cycle(struct ut_dependencies *dependencies, const bool *among, uint32_t **cycle);
/* Builds the plain graph between channels marked in `among`, of packets all of whose candidates are marked. */
void ut_dependencies_waiting_arcs(struct ut_dependencies *dependencies, const bool *among);

#endif
