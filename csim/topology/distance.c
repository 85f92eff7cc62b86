/* SPDX-License-Identifier: Apache-2.0 */
/* distance.c - see distance.h */
#include "distance.h"

#include <stdlib.h>
#include <string.h>

bool ut_distances(const struct ut_topology *topo, const ut_mask *up, uint32_t from, uint16_t *distance) {
  uint32_t *queue = malloc(topo->switches * sizeof *queue), count = 1;
  if (!queue)
    return false;
  memset(distance, 0xff, topo->switches * sizeof *distance); /* UT_NO_WAY */
  distance[from] = 0;
  queue[0] = from;
  for (uint32_t i = 0; i < count; i++)
    for (unsigned port = 0; port < topo->po; port++) {
      const struct ut_peer *peer = &topo->peer[(size_t)queue[i] * topo->po + port];
      if (peer->kind != UT_PEER_SWITCH || distance[peer->index] != UT_NO_WAY || (up && !(up[queue[i]] & ut_bit(port))))
        continue;
      distance[peer->index] = (uint16_t)(distance[queue[i]] + 1);
      queue[count++] = peer->index;
    }
  free(queue);
  return true;
}
