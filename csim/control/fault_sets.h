/* SPDX-License-Identifier: Apache-2.0 */
/* fault_sets.h - the fault sets that are examined: all of one kind, or samples of them, numbered from 0.
 *
 * A link fault is all directions of a link, of the classes that are asked for; a switch fault is a switch above the
 * leaf level or, where links have one direction, any switch.  A space is a list of blocks, one for each (number of link
 * faults, number of switch faults), those with fewer faults first.  A block with more sets than are wanted is sampled.
 * Sample i is a pure function of seed, block and i.
 */
#ifndef UT_FAULT_SETS_H
#define UT_FAULT_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "combinations.h"
#include "error.h"
#include "link_classes.h"
#include "topology.h"

struct ut_scenario;

enum { UT_MAX_FAULTS = 128, UT_MAX_BLOCKS = 256 };

struct ut_fault_set {
  unsigned links, switches;
  uint32_t link[UT_MAX_FAULTS]; /* numbers of links (link_classes.h), ascending */
  uint32_t sw[UT_MAX_FAULTS];   /* switch numbers, ascending */
};

struct ut_fault_block {
  unsigned links, switches; /* faults of each kind */
  uint64_t count;           /* sets that are examined */
  uint64_t all;             /* sets that there are; UINT64_MAX: that many or more */
  uint64_t first;           /* number of the block's first set in the space */
  bool exhaustive;
};

/* What is asked for. */
struct ut_fault_request {
  unsigned links[2], switches[2]; /* from, to */
  unsigned total[2];              /* links and switches together, from, to */
  unsigned classes;               /* which links fail (enum ut_link_class); 0: those between switches */
  uint64_t limit;                 /* blocks with more sets than that are sampled */
  uint64_t samples;               /* so often */
  uint64_t seed;
};

struct ut_fault_space {
  const struct ut_topology *topology;
  uint64_t seed, count; /* count: of all blocks */
  struct ut_link_range links;
  uint32_t first_switch, switches;
  unsigned blocks;
  struct ut_fault_block block[UT_MAX_BLOCKS];
  struct ut_fault_set fixed; /* the only set, if is_fixed */
  bool is_fixed;
  /* For those who go through the space: only sets that obey the fault model of the network's nodes (node_model.h);
   * blocks at the dateline keep no unsafe nodes. */
  bool in_model, dateline;
};

/* -1 and *e (UT_BAD_INPUT) when there are fewer components than faults, or too many blocks. */
int ut_fault_space_init(struct ut_fault_space *space, const struct ut_topology *topo,
                        const struct ut_fault_request *request, struct ut_error *e);

/* The one set of faults that the scenario's own list leaves in the end: those that are never repaired.  -1 and *e
 * (UT_BAD_INPUT) when there are too many, or, in a bidirectional network, one of a leaf switch or a terminal's link,
 * which nothing can go round. */
int ut_fault_space_of_scenario(struct ut_fault_space *space, const struct ut_topology *topo,
                               const struct ut_scenario *scenario, struct ut_error *e);

/* Fault set number `index` < space->count; its block. */
const struct ut_fault_block *ut_fault_space_get(const struct ut_fault_space *space, uint64_t index,
                                                struct ut_fault_set *set);

#endif
