/* SPDX-License-Identifier: Apache-2.0 */
/* pair_plan.h - the planner of plan.h for networks too large for matrices of all pairs: it plans one pair at a time.
 *
 * Whether a faulty link is on a minimal path, or on the deterministic one, is a condition on each dimension by itself.
 * So a table for each dimension says for two coordinates which faults meet it, a bit each, and the AND over the
 * dimensions is the set of faults that a pair can meet.  Intermediate nodes are searched for among those that make the
 * route no longer than wanted.  Routes are those of plan.h.  Mechanism M is not supported.
 *
 * Nothing is written after ut_pair_plan_set_faults(): several threads may ask at once.
 */
#ifndef UT_PAIR_PLAN_H
#define UT_PAIR_PLAN_H

#include "plan.h"

enum { UT_PAIR_PLAN_FAULTS = 64 }; /* 32 where deterministic paths take direction order: a bit for each direction */

/* Makes a planner; g must stay valid until ut_pair_plan_free().  Returns NULL and fills *e (UT_BAD_INPUT) with
 * mechanism M, or when out of memory. */
struct ut_pair_plan;
struct ut_pair_plan *ut_pair_plan_new(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms,
                                      struct ut_error *e);
void ut_pair_plan_free(struct ut_pair_plan *plan);

/* Sets the faults: numbers of links, each at most once.  -1 and *e (UT_BAD_INPUT): more than are supported. */
int ut_pair_plan_set_faults(struct ut_pair_plan *plan, const uint32_t *link, unsigned count, struct ut_error *e);

/* As ut_plan_classify(), ut_plan_one_way_works() and ut_plan_route(). */
enum ut_plan_class ut_pair_plan_classify(const struct ut_pair_plan *plan, uint32_t from, uint32_t to, unsigned *length);
bool ut_pair_plan_one_way_works(const struct ut_pair_plan *plan, uint32_t from, uint32_t to);
void ut_pair_plan_route(const struct ut_pair_plan *plan, uint32_t from, uint32_t to, struct ut_plan_route *route);

/* Returns whether a terminal needs an entry for the pair.  one_way: the algorithm uses deterministic paths only. */
bool ut_pair_plan_affected(const struct ut_pair_plan *plan, bool one_way, uint32_t from, uint32_t to);

/* What the faults ask of all pairs. */
struct ut_pair_plan_tally {
  struct ut_plan_counts counts; /* of affected pairs; the others count as ADAPTIVE */
  uint32_t most_entries;        /* of one node */
  uint32_t lost[2];             /* the first pair of class UT_PLAN_NONE, if there is one */
};

/* Classifies all pairs, on all cores.  -1 and *e: a worker has failed. */
int ut_pair_plan_tally(const struct ut_pair_plan *plan, bool one_way, struct ut_pair_plan_tally *tally,
                       struct ut_error *e);

#endif
