/* SPDX-License-Identifier: Apache-2.0 */
/* mixable.h - which entries of forwarding tables may be changed while packets go by old ones, and which must be
 * withheld, because packets could be in a deadlock if both stood in the switches.
 *
 * Two sets of tables that are each free of deadlock may have a cycle of channel dependencies together.  A channel
 * depends on another one if a packet can hold the first and wait for the second.  Here these are found destination by
 * destination: from each switch where packets begin, along the entries that the switches hold, along those that are
 * planned, or along both, where each switch may have either, with the bank of each input port, the next-hop groups and
 * the layers in headers of either.  Entries that lead into links that are down count: the links may come back.
 *
 * If there is no cycle with both at all switches for all destinations, all may be mixed.  Otherwise entries are
 * admitted in turn, as many at a time as cause no cycle with those before and with all that the switches hold; the
 * others are withheld.
 */
#ifndef UT_MIXABLE_H
#define UT_MIXABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mask.h"
#include "shape.h"
#include "topology.h"

struct ut_forwarding;
struct ut_held_words;

/* The tables by which packets go, as a set. */
enum ut_tables_used { UT_TABLES_HELD = 1, UT_TABLES_PLANNED = 2, UT_TABLES_BOTH = 3 };

/* What packets of some banks can wait for at a switch. */
struct ut_mixable_answer {
  uint32_t search; /* in which it was read */
  ut_mask ways[UT_MAX_VCS];
};

struct ut_mixable {
  const struct ut_topology *topology;
  struct ut_forwarding *forwarding;
  const struct ut_held_words *held;
  unsigned v, via;  /* via: VCs of packets to an intermediate terminal, the first ones */
  uint32_t nodes;   /* VCs of all output ports */
  ut_mask *next;    /* [nodes * v]: output ports of the switch behind, with that VC, for which packets there can wait */
  ut_mask *before;  /* the same before destinations were added */
  uint32_t *met;    /* [nodes]: the last search that has been there */
  uint32_t *queue;  /* [nodes] */
  uint32_t *degree; /* [nodes]: VCs that depend on it */
  uint32_t search;  /* number of the search */
  uint8_t *banks[3];                /* [switches * pi]: of input ports by the tables used, less 1; a set of two bits */
  struct ut_mixable_answer *answer; /* [switches * 4 * v]: by switch, banks, VC */
  size_t bytes;                     /* of next */
  uint64_t *withheld;               /* bitmap over (destination, switch): the answer */
  size_t withheld_bytes;
  bool withholds; /* something */
};

/* v, via: of the switches.  false: out of memory. */
bool ut_mixable_init(struct ut_mixable *mixable, struct ut_forwarding *forwarding, const struct ut_held_words *held,
                     unsigned v, unsigned via);
void ut_mixable_fini(struct ut_mixable *mixable);

/* Finds which entries must be withheld between what the switches hold and what has been planned: none if one of
 * the two has a cycle by itself, all if the dependencies are not known (with intermediate terminals where VCs alone do
 * not exclude a cycle). */
void ut_mixable_find(struct ut_mixable *mixable);

/* Whether packets by these tables can be in a deadlock. */
bool ut_mixable_has_cycle(struct ut_mixable *mixable, enum ut_tables_used tables);
/* Whether the entries of a switch to a destination are withheld. */
static inline bool ut_mixable_withholds(const struct ut_mixable *mixable, uint32_t sw, uint32_t dst) {
  const size_t i = (size_t)dst * mixable->topology->switches + sw;
  return mixable->withheld[i / 64] >> i % 64 & 1;
}

#endif
