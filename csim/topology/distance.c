/* SPDX-License-Identifier: Apache-2.0 */
/* distance.c - see distance.h */
#include "distance.h"

#include <stdlib.h>
#include <string.h>

bool ut_distances(const struct ut_topology *t, const ut_mask *up, uint32_t from, uint16_t *distance) {
  uint32_t *queue = malloc(t->switches * sizeof *queue), count = 1;
  if (!queue)
    return false;
  memset(distance, 0xff, t->switches * sizeof *distance); /* UT_NO_WAY */
  distance[from] = 0;
  queue[0] = from;
  for (uint32_t i = 0; i < count; i++)
    for (unsigned port = 0; port < t->po; port++) {
      const struct ut_peer *p = &t->peer[(size_t)queue[i] * t->po + port];
      if (p->kind != UT_PEER_SWITCH || distance[p->index] != UT_NO_WAY || (up && !(up[queue[i]] & ut_bit(port))))
        continue;
      distance[p->index] = (uint16_t)(distance[queue[i]] + 1);
      queue[count++] = p->index;
    }
  free(queue);
  return true;
}
