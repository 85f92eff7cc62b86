/* SPDX-License-Identifier: Apache-2.0 */
/* up_down.c - see up_down.h */
#include "up_down.h"

#include <stdlib.h>
#include <string.h>

bool ut_up_down_init(struct ut_up_down *x, const struct ut_topology *t) {
  *x = (struct ut_up_down){.topology = t};
  while (x->leaves < t->switches && t->level[x->leaves] == 0)
    x->leaves++;
  x->words = (x->leaves + 63) / 64;
  x->below = calloc((size_t)t->switches * x->words, sizeof *x->below);
  x->reach = calloc((size_t)t->switches * x->words, sizeof *x->reach);
  if (x->below && x->reach)
    return true;
  ut_up_down_fini(x);
  return false;
}

void ut_up_down_fini(struct ut_up_down *x) {
  free(x->below);
  free(x->reach);
  *x = (struct ut_up_down){0};
}

/* Adds the sets of the switches behind those ports. */
static void gather(const struct ut_up_down *x, uint64_t *sets, uint32_t sw, ut_mask ports) {
  UT_FOR_EACH (port, ports) {
    const struct ut_peer *peer = &x->topology->peer[(size_t)sw * x->topology->po + port];
    for (unsigned i = 0; i < x->words && peer->kind == UT_PEER_SWITCH; i++)
      sets[(size_t)sw * x->words + i] |= sets[(size_t)peer->index * x->words + i];
  }
}

void ut_up_down_survey(struct ut_up_down *x, const ut_mask *up) {
  const uint32_t switches = x->topology->switches;
  const ut_mask up_ports = (ut_mask)x->topology->up_ports;
  memset(x->below, 0, (size_t)switches * x->words * sizeof *x->below);
  for (uint32_t sw = 0; sw < switches; sw++) { /* level by level */
    if (sw < x->leaves)
      x->below[(size_t)sw * x->words + sw / 64] |= UINT64_C(1) << sw % 64;
    gather(x, x->below, sw, up[sw] & ~up_ports);
  }
  memcpy(x->reach, x->below, (size_t)switches * x->words * sizeof *x->reach);
  for (uint32_t sw = switches; sw-- > 0;)
    gather(x, x->reach, sw, up[sw] & up_ports);
}

bool ut_up_down_connected(const struct ut_up_down *x) {
  const unsigned last = x->words - 1;
  const uint64_t rest = x->leaves % 64 ? (UINT64_C(1) << x->leaves % 64) - 1 : ~UINT64_C(0);
  for (uint32_t sw = 0; sw < x->leaves; sw++)
    for (unsigned i = 0; i < x->words; i++)
      if (x->reach[(size_t)sw * x->words + i] != (i == last ? rest : ~UINT64_C(0)))
        return false;
  return true;
}
