/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_rows.h - the answers of switches as a certificate lists them; the route function is asked when an answer
 * is needed.
 *
 * A view is everything on which the answer of a switch depends, apart from the packet: which of its output ports work,
 * which up ports lead to a switch that reports a fault, and its re-route vector.  A row is the answer to all packets in
 * one input VC of a switch with one value of the header's rt field: groups of destinations, each with its candidates.
 */
#ifndef UT_CERTIFICATE_ROWS_H
#define UT_CERTIFICATE_ROWS_H

#include "explorer.h"
#include "reserve.h"

struct ut_view {
  uint32_t sw;
  ut_mask up, reports, vector;
};

/* Candidates, by output VC, over output ports; and those that obey the bubble rule. */
struct ut_candidates {
  ut_mask cand[UT_MAX_VCS], bubble[UT_MAX_VCS];
};

struct ut_row_group {
  uint32_t candidates; /* number of the set */
  uint32_t rt;         /* rt field of the header afterwards */
  ut_mask set;         /* bits of the re-route vector that the packet sets */
};

struct ut_view_row {
  uint32_t view, rt, first, groups; /* first: group */
  uint16_t lane;                    /* in_port * v + in_vc */
};

struct ut_view_rows {
  struct ut_explorer *explorer;
  bool bad_memory;
  struct ut_view *view;
  struct ut_view_row *row;
  struct ut_row_group *group;
  uint64_t *mask; /* [groups * words]: destinations of a group */
  struct ut_candidates *candidates;
  uint32_t views, rows, groups, sets;
  uint32_t view_room, row_room, group_room, mask_room, set_room;
  struct ut_hash view_of, row_of, set_of;
};

void ut_view_rows_init(struct ut_view_rows *rows, struct ut_explorer *explorer);
void ut_view_rows_free(struct ut_view_rows *rows);
/* Returns the row of packets in a channel with that rt field, under the explorer's faults and re-route vector `vector`.
 * UINT32_MAX: out of memory. */
uint32_t ut_view_rows_get(struct ut_view_rows *rows, uint32_t channel, uint32_t rt, ut_mask vector);

static inline const uint64_t *ut_group_mask(const struct ut_view_rows *rows, uint32_t group) {
  return rows->mask + (size_t)group * rows->explorer->words;
}

#endif
