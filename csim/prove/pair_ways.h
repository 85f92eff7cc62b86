/* SPDX-License-Identifier: Apache-2.0 */
/* pair_ways.h - the paths of each pair of terminals in the fault-free network: how many there are, how many of them
 * have no link in common, and whether faults leave one.
 *
 * The paths come from the answers of the route function, collected once by walk.h, not from the source route tables: a
 * path is a chain of links that a packet can take while everything works.  For networks whose terminals choose among
 * routes (reachability.h).  VCs of one link count as one link here.
 */
#ifndef UT_PAIR_WAYS_H
#define UT_PAIR_WAYS_H

#include "reachability.h"
#include "walk.h"

struct ut_way_on {
  uint32_t node;    /* node behind that link; UT_NO_NODE: the terminal */
  uint32_t channel; /* of the topology */
};
enum { UT_NO_NODE = UINT32_MAX };

/* The paths to one destination.  Node i has the links way[first[i]]..way[first[i+1]-1], which lead to nodes before
 * it. */
struct ut_way_graph {
  uint32_t nodes, *first;
  struct ut_way_on *way;
  uint32_t *entry; /* [terminals * injections]: node where packets begin; UT_NO_NODE: none */
};

/* Smallest and largest number over all pairs. */
struct ut_way_range {
  uint64_t least, most;
};

struct ut_pair_ways {
  const struct ut_topology *topology;
  struct ut_way_graph *graph; /* [terminals] */
  uint32_t most_nodes;        /* of a graph */
  bool *works;                /* [most_nodes]: a path is left from there */
};

/* What is left under a fault set. */
struct ut_ways_left {
  uint64_t separated;                         /* pairs without a path */
  uint64_t untold;                            /* pairs with a path whose source knows none */
  uint64_t told;                              /* pairs that send */
  uint32_t separated_pair[2], untold_pair[2]; /* the first pair of each: source, destination */
};

/* Makes it without any paths.  Returns -1 and fills *e when out of memory. */
int ut_pair_ways_init(struct ut_pair_ways *ways, const struct ut_topology *topo, struct ut_error *e);
void ut_pair_ways_free(struct ut_pair_ways *ways);
/* Adds the paths of the packets of that walk; the packets have one header.  Returns false when out of memory. */
bool ut_pair_ways_add(struct ut_pair_ways *ways, const struct ut_walk *walk);

/* Compares the paths that are left with those channels up (a bitmap) with the routes that the terminals know.  Returns
 * false when out of memory. */
bool ut_pair_ways_check(struct ut_pair_ways *ways, const struct ut_reachability *told, const uint64_t *up,
                        struct ut_ways_left *left);

/* Numbers of paths of a pair: of all; of those without a common link between switches; of those without any common
 * link. */
struct ut_way_counts {
  struct ut_way_range all, apart_between_switches, apart;
};
/* false: out of memory. */
bool ut_pair_ways_count(const struct ut_pair_ways *ways, struct ut_way_counts *counts);

#endif
