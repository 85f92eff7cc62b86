/* SPDX-License-Identifier: Apache-2.0 */
/* path_tolerance.h - counts the sets of failed links and switches that leave some pair without a fault-free path, and
 * the pairs to which they leave one.  256 fault sets are handled at a time: a bit for each of them in every unit, node
 * and pair (path_network.h).
 */
#ifndef UT_PATH_TOLERANCE_H
#define UT_PATH_TOLERANCE_H

#include "parallel.h"
#include "path_network.h"

__extension__ typedef unsigned __int128 ut_square_sum __attribute__((aligned(8)));

enum { UT_PATH_BATCH = 256 };

struct ut_path_request {
  unsigned faults[2];   /* numbers of failed links: from, to */
  unsigned switches[2]; /* numbers of failed switches in addition */
  uint64_t limit;       /* if there are more sets than that, random ones are taken */
  uint64_t samples;     /* so many */
  uint64_t seed;        /* sample i of a number of faults is a pure function of it */
};

/* A number of failed links and switches. */
struct ut_path_point {
  unsigned faults, switches;
  bool exhaustive; /* all sets were wanted */
  uint64_t wanted; /* sets examined; fewer if the run is stopped */
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

/* Returns the number of points of a request: each number of link faults with each number of switch faults. */
unsigned ut_path_points(const struct ut_path_request *request);

/* points: in the order of switch faults, then link faults; allocated by the caller.  Of `parallel`, workers, stop,
 * progress and ctx are used.  Returns -1 and fills *e (UT_BAD_INPUT) for an impossible request. */
int ut_path_tolerance_run(const struct ut_path_network *paths, const struct ut_path_request *request,
                          const struct ut_parallel *parallel, struct ut_path_point *points, struct ut_error *e);

/* Returns the mean percentage of pairs that have a path; its confidence interval follows from the spread of the
 * batches. */
double ut_path_connected(const struct ut_path_network *paths, const struct ut_path_point *point);
void ut_path_connected_interval(const struct ut_path_network *paths, const struct ut_path_point *point, double level,
                                double *low, double *high);

/* A smallest set of units that, failed together, leave some pair without a path; counted: the classes whose units fail.
 * Exact, by augmenting paths.  Returns -1 and fills *e when out of memory, or if n->repeated. */
struct ut_path_cut {
  uint32_t size;     /* UINT32_MAX: there is no such set */
  uint32_t *unit;    /* [size] */
  uint32_t from, to; /* a pair that it separates */
};
int ut_path_cut_find(const struct ut_path_network *paths, unsigned counted, struct ut_path_cut *cut,
                     struct ut_error *e);
/* Does the same if one unit of the other classes has failed already: the one that makes the set smallest, unit[size].
 * Without such units there is no set. */
int ut_path_cut_beside(const struct ut_path_network *paths, unsigned counted, struct ut_path_cut *cut,
                       struct ut_error *e);
void ut_path_cut_free(struct ut_path_cut *cut);

#endif
