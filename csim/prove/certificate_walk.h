/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_walk.h - all packets of a network with faults, hop by hop, by the rows that a certificate lists.
 *
 * After h hops a packet is in a state: a channel, the rt field of its header, and the bits that it has set itself in
 * the re-route vectors on its way.  At each hop an adversary chooses a candidate, and the vector: any set between the
 * packet's own bits and all bits of up ports that report a fault.  (This allows more vectors than reach.h, which knows
 * which bits some packet can set; so a checker need not compute that.)  Packets with different destinations move
 * together.
 */
#ifndef UT_CERTIFICATE_WALK_H
#define UT_CERTIFICATE_WALK_H

#include "certificate_rows.h"

enum { UT_OWN_ITEMS = 16 };

/* Bits that a packet has set: switches and their bits, in the order of the switches. */
struct ut_own_set {
  struct {
    uint32_t sw;
    ut_mask bits;
  } item[UT_OWN_ITEMS];
  uint32_t items;
};

struct ut_walked_state {
  uint32_t channel, rt, own;
};

/* A packet in `channel` has the candidates of set number `candidates` (struct ut_view_rows). */
struct ut_clause {
  uint32_t channel, candidates;
};

struct ut_certificate_walk {
  struct ut_explorer *explorer;
  struct ut_view_rows rows;
  bool bad_memory;
  struct ut_walked_state *state;
  uint64_t *now, *then; /* [states * words]: destinations of the packets that are there after this many hops */
  uint32_t *here, *there, heres, theres; /* states that have packets */
  uint32_t states, state_room, now_room, then_room, here_room, there_room;
  struct ut_own_set *own;
  uint32_t owns, own_space;
  struct ut_hash state_of, own_of, clause_of;
  struct ut_clause *clause; /* of the faults that were walked last */
  uint32_t clauses, clause_room;
  const char *failure; /* why the fault set cannot be certified; NULL: it can */
  unsigned hops;       /* links between switches on the longest walk */
};

void ut_certificate_walk_init(struct ut_certificate_walk *walk, struct ut_explorer *explorer);
void ut_certificate_walk_free(struct ut_certificate_walk *walk);
/* Walks all packets under the explorer's faults and fills clause, hops and failure.  Returns false when out of
 * memory. */
bool ut_certificate_walk_run(struct ut_certificate_walk *walk);

#endif
