/* SPDX-License-Identifier: Apache-2.0 */
/* pair_ways.h - the ways of each pair of terminals in the network without faults: how many there are, how many of them
 * have no link in common, and whether faults leave one.  Not the guide says what a way is, but the answers of the route
 * function, collected once by walk.h: a way is a chain of links that a packet can take while everything works.
 *
 * For networks whose terminals are told of ways (reachability.h).  VCs of one link are one link here.
 */
#ifndef UT_PAIR_WAYS_H
#define UT_PAIR_WAYS_H

#include "reachability.h"
#include "walk.h"

struct ut_way_on {
  uint32_t node;    /* behind that link; UT_NO_NODE: the terminal */
  uint32_t channel; /* of the topology */
};
enum { UT_NO_NODE = UINT32_MAX };

/* Of one destination.  Node i has the ways way[first[i]]..way[first[i+1]-1], which lead to nodes before it. */
struct ut_way_graph {
  uint32_t nodes, *first;
  struct ut_way_on *way;
  uint32_t *entry; /* [terminals * injections]: where packets through that injection link begin; UT_NO_NODE: nowhere */
};

/* Smallest and largest number over all pairs. */
struct ut_way_range {
  uint64_t least, most;
};

struct ut_pair_ways {
  const struct ut_topology *topology;
  struct ut_way_graph *graph; /* [terminals] */
  uint32_t most_nodes;        /* of a graph */
  bool *works;                /* [most_nodes]: a way is left from there */
};

/* What a fault set leaves. */
struct ut_ways_left {
  uint64_t separated;                         /* pairs without a way */
  uint64_t untold;                            /* pairs with one, of which the source is told none */
  uint64_t told;                              /* pairs that send */
  uint32_t separated_pair[2], untold_pair[2]; /* the first one of each: source, destination */
};

/* Without any way yet.  -1 and *e: out of memory. */
int ut_pair_ways_init(struct ut_pair_ways *ways, const struct ut_topology *topo, struct ut_error *e);
void ut_pair_ways_free(struct ut_pair_ways *ways);
/* The packets of that walk add their ways; they have one header.  false: out of memory. */
bool ut_pair_ways_add(struct ut_pair_ways *ways, const struct ut_walk *walk);

/* Compares what is left with those channels up (a bitmap) with what the terminals are told.  false: out of memory. */
bool ut_pair_ways_check(struct ut_pair_ways *ways, const struct ut_reachability *told, const uint64_t *up,
                        struct ut_ways_left *left);

/* Ways of a pair; those without a common link between switches; those without any common link. */
struct ut_way_counts {
  struct ut_way_range all, apart_between_switches, apart;
};
/* false: out of memory. */
bool ut_pair_ways_count(const struct ut_pair_ways *ways, struct ut_way_counts *counts);

#endif
