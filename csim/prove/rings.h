/* SPDX-License-Identifier: Apache-2.0 */
/* rings.h - deadlock freedom by escape channels: the channels for which those of all walks (walk.h) wait.
 *
 * Where the bubble rule holds, the escape channels of one direction of one line of switches, in one VC, are ONE
 * resource: a ring.  It never fills, so a packet in it can always continue: a packet that waits in the ring for the
 * ring itself is no dependency, a packet that leaves the ring is one.  Otherwise every channel is a node by itself.
 * Rings and channels are called nodes.
 *
 *   direct     a packet in an escape channel waits for the escape channels that the subfunction chooses.  Without a
 *              cycle there is no deadlock under virtual cut-through: a packet lies in one buffer, and what it passed
 *              before, adaptive channels too, is free again (Duato's condition for cut-through).
 *   extended   also those that it can wait for after some adaptive hops: Duato's condition for wormhole switching,
 *              stronger than need be here.  Only between channels: a ring that is left and entered again waits for
 *              nothing of its own.
 *   all        every channel and all its candidates.  Without a cycle nothing else has to be asked; the only argument
 *              used for wormhole switching, whose buffers hold flits of more than one packet.
 */
#ifndef UT_RINGS_H
#define UT_RINGS_H

#include "digraph.h"
#include "walk.h"

/* Arcs, each once, with the number of a walk that has it. */
struct ut_arcs {
  struct ut_hash hash;
};

struct ut_rings {
  struct ut_explorer *explorer;
  bool merged;    /* the nodes are rings */
  uint32_t *node; /* [channels] */
  uint32_t nodes;
  bool *escape; /* [channels]: chosen somewhere by the subfunction */
  struct ut_arcs direct, extended, all;
  struct ut_digraph graph; /* of nodes or channels, as large as the channels */
  uint64_t *set;           /* of one walk: escape nodes that a state can come to wait for */
  size_t set_room;
  uint32_t *local, *local_node, locals; /* [channels]: nodes of one walk, numbered */
};

int ut_rings_init(struct ut_rings *rings, struct ut_explorer *explorer, struct ut_error *e);
void ut_rings_free(struct ut_rings *rings);
/* Forgets all walks. */
void ut_rings_clear(struct ut_rings *rings);
/* Adds the escape channels of a walk; of all walks, before ut_rings_add(). */
void ut_rings_mark(struct ut_rings *rings, const struct ut_walk *walk);
/* Adds the dependencies of a walk; `number` is returned as an example of them. */
void ut_rings_add(struct ut_rings *rings, const struct ut_walk *walk, uint32_t number);
/* Returns the arcs whose cycle is a failure: direct ones; under wormhole switching those of the extended graph if
 * adaptive VCs are allocated only when they are empty, otherwise all. */
const struct ut_arcs *ut_rings_deciding(const struct ut_rings *rings, const struct ut_group *group);
/* Returns whether these arcs have a cycle; rings->graph then holds them. */
bool ut_rings_cyclic(struct ut_rings *rings, const struct ut_arcs *arcs);
/* Returns whether a packet in channel `from` that waits for `to`, behind the next link, stays in its ring and so waits
 * for nothing. */
bool ut_rings_excused(const struct ut_rings *rings, uint32_t from, uint32_t to);
/* Returns whether some line of channels comes back to where it began. */
bool ut_rings_closed(const struct ut_rings *rings);
/* Escape rings, or channels. */
uint32_t ut_rings_count(const struct ut_rings *rings);
static inline uint32_t ut_arcs_count(const struct ut_arcs *arcs) {
  return arcs->hash.used;
}
/* Returns a walk that has the arc; UINT32_MAX: none. */
uint32_t ut_arcs_walk(const struct ut_arcs *arcs, uint32_t from, uint32_t to);

#endif
