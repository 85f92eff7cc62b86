/* SPDX-License-Identifier: Apache-2.0 */
/* balanced.h - one next hop for each switch, bank and destination, so that the busiest channel is as idle as it can be.
 *
 * The plan is that of the network without faults, where the entries still lead to the destination, and others in the
 * place of those that do not: it follows from the faults of today alone, and a repair brings the first plan back.  The
 * order of up*-down* is also that without faults, unless it loses a pair of terminals that is connected; while the
 * order stays, entries before and after a fault are safe beside each other.
 *
 * An entry is chosen among the shortest allowed next hops (hop_search.h): the one whose channel fewest pairs of
 * terminals use so far; in the place of
 * a lost one, of equals the one behind which the way is the least busy.
 */
#ifndef UT_BALANCED_H
#define UT_BALANCED_H

#include <stdbool.h>
#include <stdint.h>

#include "hop_search.h"

enum { UT_NO_PORT = 0xff };

struct ut_balanced {
  const struct ut_topology *topology;
  struct ut_hop_search hops;
  uint32_t states;      /* switches * UT_BANKS */
  uint32_t *local;      /* [switches]: terminals that inject there */
  uint8_t *first, *now; /* [terminals * states]: ports without faults, and at the last survey */
  ut_mask *up;          /* [switches]: links of the last survey */
  uint32_t *load;       /* [switches * po]: pairs of terminals whose path leads through the channel */
  uint32_t *flow;       /* [states] */
  uint8_t *idlest;      /* [states]: the port through which least goes */
  uint8_t *fresh;       /* [states]: whether the port was chosen in this survey */
};

/* false: out of memory. */
bool ut_balanced_init(struct ut_balanced *balanced, const struct ut_topology *topo, const struct ut_planning *planning);
void ut_balanced_fini(struct ut_balanced *balanced);

/* Plans all entries for the output links that are up, by switch. */
void ut_balanced_survey(struct ut_balanced *balanced, const ut_mask *link_up);

/* The output port for packets of a bank; UT_NO_PORT: the destination cannot be reached. */
unsigned ut_balanced_port(const struct ut_balanced *balanced, uint32_t sw, unsigned bank, uint32_t terminal);

/* Pairs of terminals over the busiest channel between switches. */
uint32_t ut_balanced_busiest(const struct ut_balanced *balanced);

#endif
