/* SPDX-License-Identifier: Apache-2.0 */
/* up_down.c - see up_down.h */
#include "up_down.h"

#include <stdlib.h>
#include <string.h>

bool ut_up_down_init(struct ut_up_down *down, const struct ut_topology *topo) {
  *down = (struct ut_up_down){.topology = topo};
  while (down->leaves < topo->switches && topo->level[down->leaves] == 0)
    down->leaves++;
  down->words = (down->leaves + 63) / 64;
  down->below = calloc((size_t)topo->switches * down->words, sizeof *down->below);
  down->reach = calloc((size_t)topo->switches * down->words, sizeof *down->reach);
  if (down->below && down->reach)
    return true;
  ut_up_down_fini(down);
  return false;
}

void ut_up_down_fini(struct ut_up_down *down) {
  free(down->below);
  free(down->reach);
  *down = (struct ut_up_down){0};
}

/* Adds the sets of the switches behind those ports. */
static void gather(const struct ut_up_down *down, uint64_t *sets, uint32_t sw, ut_mask ports) {
  UT_FOR_EACH (port, ports) {
    const struct ut_peer *peer = &down->topology->peer[(size_t)sw * down->topology->po + port];
    for (unsigned i = 0; i < down->words && peer->kind == UT_PEER_SWITCH; i++)
      sets[(size_t)sw * down->words + i] |= sets[(size_t)peer->index * down->words + i];
  }
}

void ut_up_down_survey(struct ut_up_down *down, const ut_mask *up) {
  const uint32_t switches = down->topology->switches;
  memset(down->below, 0, (size_t)switches * down->words * sizeof *down->below);
  for (uint32_t sw = 0; sw < switches; sw++) { /* level by level */
    if (sw < down->leaves)
      down->below[(size_t)sw * down->words + sw / 64] |= UINT64_C(1) << sw % 64;
    gather(down, down->below, sw, up[sw] & ~(ut_mask)ut_topology_up_ports(down->topology, sw));
  }
  memcpy(down->reach, down->below, (size_t)switches * down->words * sizeof *down->reach);
  for (uint32_t sw = switches; sw-- > 0;)
    gather(down, down->reach, sw, up[sw] & (ut_mask)ut_topology_up_ports(down->topology, sw));
}

bool ut_up_down_connected(const struct ut_up_down *down) {
  const unsigned last = down->words - 1;
  const uint64_t rest = down->leaves % 64 ? (UINT64_C(1) << down->leaves % 64) - 1 : ~UINT64_C(0);
  for (uint32_t sw = 0; sw < down->leaves; sw++)
    for (unsigned i = 0; i < down->words; i++)
      if (down->reach[(size_t)sw * down->words + i] != (i == last ? rest : ~UINT64_C(0)))
        return false;
  return true;
}
