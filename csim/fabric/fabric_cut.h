/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_cut.h - the part of a fabric in which a cycle is: the switches and terminals of the packets that make its
 * channels wait, and of the tables only what leads these. */
#ifndef UT_FABRIC_CUT_H
#define UT_FABRIC_CUT_H

#include "fabric_routes.h"

struct ut_fabric_cut {
  struct ut_graph *graph;          /* nodes keep their names; ports are numbered anew, one after the other */
  struct ut_switch_tables *tables; /* in a transition a mixture of old and new entries */
};

/* Cuts a cycle out; to be freed.  0, or -1 and *e: out of memory; UT_BAD_INPUT: its packets change VLs, or, in a
 * transition, need the old and the new entry of one switch, which no tables show that stay as they are. */
int ut_fabric_cut_make(struct ut_fabric_cut *cut, const struct ut_fabric *fabric, const struct ut_fabric_cycles *cycles,
                       struct ut_error *e);
void ut_fabric_cut_free(struct ut_fabric_cut *cut);

#endif
