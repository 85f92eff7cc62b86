/* SPDX-License-Identifier: Apache-2.0 */
/* fault_sets.h - the fault sets to be examined: all of one kind, or samples of them, numbered from 0.
 *
 * A link fault is all directions of a link, of the requested classes.  A switch fault is a switch above the leaf level
 * or, if links have one direction, any switch.  A space is a list of blocks, one for each (number of link faults,
 * number of switch faults); those with fewer faults come first.  A block with more sets than requested is sampled.
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
  uint64_t all;             /* sets in all; UINT64_MAX: that many or more */
  uint64_t first;           /* number of the block's first set in the space */
  bool exhaustive;
};

/* The request for a space. */
struct ut_fault_request {
  unsigned links[2], switches[2]; /* from, to */
  unsigned total[2];              /* links and switches together, from, to */
  unsigned classes;               /* which links fail (enum ut_link_class); 0: those between switches */
  uint64_t limit;                 /* blocks with more sets are sampled */
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
  /* For callers that iterate over the space: only sets that obey the fault model of the network's nodes (node_model.h);
   * blocks at the dateline keep no unsafe nodes. */
  bool in_model, dateline;
};

/* Returns -1 and fills *e (UT_BAD_INPUT) if there are fewer components than faults, or too many blocks. */
int ut_fault_space_init(struct ut_fault_space *space, const struct ut_topology *topo,
                        const struct ut_fault_request *request, struct ut_error *e);

/* Makes the space of one set: the faults of the scenario's list that are never repaired.  Returns -1 and fills *e
 * (UT_BAD_INPUT) if there are too many, or, in a bidirectional network, if one is of a leaf switch or a terminal's
 * link, around which there is no route. */
int ut_fault_space_of_scenario(struct ut_fault_space *space, const struct ut_topology *topo,
                               const struct ut_scenario *scenario, struct ut_error *e);

/* Sets *set to fault set number `index` < space->count; returns its block. */
const struct ut_fault_block *ut_fault_space_get(const struct ut_fault_space *space, uint64_t index,
                                                struct ut_fault_set *set);

#endif
