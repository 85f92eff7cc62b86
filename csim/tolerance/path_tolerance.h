/* SPDX-License-Identifier: Apache-2.0 */
/* path_tolerance.h - how many sets of failed links and switches leave some pair without a fault-free way, and how many
 * pairs they leave one.
 *
 * 256 fault sets at a time: a bit for each of them in every unit, node and pair (path_network.h).
 */
#ifndef UT_PATH_TOLERANCE_H
#define UT_PATH_TOLERANCE_H

#include "parallel.h"
#include "path_network.h"

__extension__ typedef unsigned __int128 ut_square_sum __attribute__((aligned(8)));

enum { UT_PATH_BATCH = 256 };

struct ut_path_request {
  unsigned faults[2];   /* of links: from, to */
  unsigned switches[2]; /* of switches, beside them */
  uint64_t limit;       /* where there are more sets than that, random ones are taken */
  uint64_t samples;     /* so many */
  uint64_t seed;        /* sample i of numbers of faults is a pure function of it */
};

/* So many links and switches failed. */
struct ut_path_point {
  unsigned faults, switches;
  bool exhaustive; /* all sets were wanted */
  uint64_t wanted; /* sets; fewer are looked at when the run is stopped */
  uint64_t sets, not_tolerated;
  uint64_t lost; /* pairs without a way, all sets together */
  /* Over full batches, for the confidence interval of `lost`. */
  uint64_t batches, lost_in_batches;
  ut_square_sum squares;
};

/* Starts the random numbers of sample number `index` of a point: a pure function of seed, numbers of faults and index.
 */
struct ut_random;
void ut_path_sample(struct ut_random *random, uint64_t seed, const struct ut_path_point *point, uint64_t index);

/* How many points a request has: each number of link faults with each number of switch faults. */
unsigned ut_path_points(const struct ut_path_request *request);

/* points: those, by switch faults and then link faults; room is the caller's.  workers, stop, progress and ctx of
 * `parallel` are used.  -1 and *e (UT_BAD_INPUT) for what cannot be asked. */
int ut_path_tolerance_run(const struct ut_path_network *paths, const struct ut_path_request *request,
                          const struct ut_parallel *parallel, struct ut_path_point *points, struct ut_error *e);

/* Percent of the pairs that have a way, on the average; its confidence interval, from the spread of the batches. */
double ut_path_connected(const struct ut_path_network *paths, const struct ut_path_point *point);
void ut_path_connected_interval(const struct ut_path_network *paths, const struct ut_path_point *point, double level,
                                double *low, double *high);

/* A smallest set of units that, failed together, leave some pair without a way; counted: the classes whose units fail.
 * Exact, by augmenting paths.  -1 and *e without memory, or where n->repeated. */
struct ut_path_cut {
  uint32_t size;     /* UINT32_MAX: there is no such set */
  uint32_t *unit;    /* [size] */
  uint32_t from, to; /* a pair that it separates */
};
int ut_path_cut_find(const struct ut_path_network *paths, unsigned counted, struct ut_path_cut *cut,
                     struct ut_error *e);
/* The same where one unit of the other classes has failed already: the one that makes the set smallest, unit[size].
 * Without such units there is no set. */
int ut_path_cut_beside(const struct ut_path_network *paths, unsigned counted, struct ut_path_cut *cut,
                       struct ut_error *e);
void ut_path_cut_free(struct ut_path_cut *cut);

#endif
