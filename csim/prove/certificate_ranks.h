/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_ranks.h - ranks of channels that show freedom from deadlock, for as many fault sets as possible at a
 * time.
 *
 * Under virtual cut-through: whatever packet is in a channel, one of its candidates is a terminal, or has a higher
 * rank, or continues in the same ring.  Then among packets that wait for each other, those in a channel of the highest
 * rank could continue (docs/reference/certificate.md).  Under wormhole switching every candidate must have a higher
 * rank.
 *
 * Ranks are computed from the top: a channel gets its rank when each of its packets has a candidate that has one.
 * Clauses of further fault sets are added as long as there are ranks for all of them; otherwise new ranks are begun.
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
  bool *open;      /* [channels]: by node: entered without the bubble rule, so the ring may fill */
  uint32_t *given; /* [channels]: ranks under construction */
  uint8_t *held;   /* [channels] */
};

/* false: out of memory. */
bool ut_rank_pool_init(struct ut_rank_pool *pool, struct ut_certificate_walk *walk);
void ut_rank_pool_free(struct ut_rank_pool *pool);
/* Returns the number of the ranks for the fault set that was walked last; UINT32_MAX: out of memory, or (*none) there
 * are none. */
uint32_t ut_rank_pool_find(struct ut_rank_pool *pool, uint64_t key, bool *none);

#endif
