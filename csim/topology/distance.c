/* SPDX-License-Identifier: Apache-2.0 */
/* distance.c - see distance.h */
#include "distance.h"

#include <stdlib.h>
#include <string.h>

void ut_distances_spread(const struct ut_topology *topo, const ut_mask *up, uint32_t *queue, uint16_t *distance) {
  uint32_t count = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (!distance[sw])
      queue[count++] = sw;
  for (uint32_t i = 0; i < count; i++)
    for (unsigned port = 0; port < topo->po; port++) {
      const struct ut_peer *peer = &topo->peer[(size_t)queue[i] * topo->po + port];
      if (peer->kind != UT_PEER_SWITCH || distance[peer->index] != UT_NO_WAY || (up && !(up[queue[i]] & ut_bit(port))))
        continue;
      distance[peer->index] = (uint16_t)(distance[queue[i]] + 1);
      queue[count++] = peer->index;
    }
}

bool ut_distances(const struct ut_topology *topo, const ut_mask *up, uint32_t from, uint16_t *distance) {
  uint32_t *queue = malloc(topo->switches * sizeof *queue);
  if (!queue)
    return false;
  memset(distance, 0xff, topo->switches * sizeof *distance); /* UT_NO_WAY */
  distance[from] = 0;
  ut_distances_spread(topo, up, queue, distance);
  free(queue);
  return true;
}
