/* SPDX-License-Identifier: Apache-2.0 */
/* links_up.h - the output ports of switches whose links are up, for tests of planners. */
#ifndef UT_TEST_LINKS_UP_H
#define UT_TEST_LINKS_UP_H

#include "mask.h"
#include "topology.h"

/* up: [switches]. */
static inline void all_up(const struct ut_topology *topo, ut_mask *up) {
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    up[sw] = 0;
    for (unsigned port = 0; port < topo->po; port++)
      up[sw] |= topo->peer[sw * topo->po + port].kind != UT_PEER_NONE ? ut_bit(port) : 0;
  }
}

#endif
