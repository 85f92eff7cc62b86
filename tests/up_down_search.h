/* SPDX-License-Identifier: Apache-2.0 */
/* up_down_search.h - fault-free paths up and down, found without the sets of csim/tables/up_down. */
#ifndef UT_TEST_UP_DOWN_SEARCH_H
#define UT_TEST_UP_DOWN_SEARCH_H

#include <string.h>

#include "switch.h"
#include "topology.h"

/* Fault-free up*-down* paths between switches, by plain search: from the leaf switch of dst, down links backwards, then
 * up links backwards. */
static inline void search(const struct ut_topology *t, const ut_mask *up, uint32_t leaf, bool *below, bool *reach) {
  memset(below, 0, t->switches * sizeof *below);
  below[leaf] = true;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < t->links; i++) {
      const struct ut_link *l = &t->link[i];
      if (up[l->lower] >> l->lower_port & 1 && below[l->lower] && !below[l->upper])
        below[l->upper] = more = true;
    }
  }
  memcpy(reach, below, t->switches * sizeof *reach);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < t->links; i++) {
      const struct ut_link *l = &t->link[i];
      if (up[l->lower] >> l->lower_port & 1 && reach[l->upper] && !reach[l->lower])
        reach[l->lower] = more = true;
    }
  }
}

#endif
