/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_ranks.h - ranks of channels that show freedom from deadlock, for as many fault sets as possible at a
 * time.
 *
 * Under virtual cut-through: whatever packet is in a channel, one of its candidates is a terminal, or has a higher
 * rank, or goes on in the same ring.  Then of packets that wait for each other those in a channel of the highest rank
 * could go on (docs/reference/certificate.md).  Under wormhole switching every candidate must rise.
 *
 * Such ranks are found from the top: a channel gets its rank when each of its packets has a candidate that has one.
 * Clauses of fault sets are added as long as there are ranks for all; where there are none, new ranks are begun.
 */
#ifndef UT_CERTIFICATE_RANKS_H
#define UT_CERTIFICATE_RANKS_H

#include "certificate_walk.h"

struct ut_ranks {
  uint64_t key; /* fault sets with that key come here first */
  struct ut_hash clause_of;
  struct ut_clause *clause;
  uint32_t clauses, room;
  uint32_t *rank; /* [channels] */
  unsigned refused;
};

struct ut_rank_pool {
  struct ut_certificate_walk *walk;
  bool every; /* candidate rises */
  struct ut_ranks *ranks;
  uint32_t count, room;
  uint32_t *next;  /* [channels]: the next one in the ring, UINT32_MAX: none */
  uint32_t *node;  /* [channels]: the ring, as its lowest channel, or the channel */
  bool *open;      /* [channels]: by node: entered without the bubble rule, so no ring that always moves */
  uint32_t *given; /* [channels]: ranks in the making */
  uint8_t *held;   /* [channels] */
};

/* false: out of memory. */
bool ut_rank_pool_init(struct ut_rank_pool *pool, struct ut_certificate_walk *walk);
void ut_rank_pool_free(struct ut_rank_pool *pool);
/* Ranks for the fault set that was walked last: their number; UINT32_MAX: out of memory, or (*none) there are none. */
uint32_t ut_rank_pool_find(struct ut_rank_pool *pool, uint64_t key, bool *none);

#endif
