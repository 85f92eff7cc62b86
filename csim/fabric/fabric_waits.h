/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_waits.h - which channels of a fabric wait for which: a bit for each two ports of a switch and two VLs. */
#ifndef UT_FABRIC_WAITS_H
#define UT_FABRIC_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fabric_map.h"
#include "fabric_routes.h"

struct ut_fabric_waits {
  const struct ut_fabric_map *map;
  unsigned vls;  /* VLs are below this */
  size_t *cell;  /* [switches]: the first of a switch; one for each input and output port */
  uint64_t *bit; /* of vls * vls for a cell: VL held, VL asked for */
  size_t words;
  uint16_t *used; /* [slots]: VLs that routes use, of links between switches */
};

/* No dependencies yet.  0, or -1 when out of memory; to be freed in both cases. */
int ut_fabric_waits_make(struct ut_fabric_waits *waits, const struct ut_fabric_map *map, unsigned vls);
void ut_fabric_waits_free(struct ut_fabric_waits *waits);

/* A packet comes into a switch by one port and VL, and goes on by others. */
static inline void ut_fabric_wait(struct ut_fabric_waits *waits, uint32_t sw, unsigned in_port, unsigned out_port,
                                  unsigned vl, unsigned next_vl) {
  const size_t cell = waits->cell[sw] + (size_t)in_port * ut_fabric_ports(waits->map, sw) + out_port,
               bit = (cell * waits->vls + vl) * waits->vls + next_vl;
  waits->bit[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* Counts channels and dependencies, and finds the cycles: hop has channels and VLs only.  0, or -1 when out of
 * memory. */
int ut_fabric_waits_count(const struct ut_fabric_waits *waits, struct ut_fabric_cycles *cycles);

#endif
