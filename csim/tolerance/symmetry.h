/* SPDX-License-Identifier: Apache-2.0 */
/* symmetry.h - the maps of a torus or mesh onto itself that change nothing for a set of mechanisms: image and original
 * have as many faults, and as many pairs whose best route has a given length and class.
 *
 * Translations of a torus preserve everything.  Reflections and permutations of dimensions preserve adaptive routing.
 * Deterministic paths in dimension order are preserved by reflections of odd rings and of meshes (a tie of an even ring
 * goes plus, its mirror image minus), and by reversing the order of the dimensions if all paths are reversed, too.
 * Direction order, and with it misrouting, is preserved by translations only.
 */
#ifndef UT_SYMMETRY_H
#define UT_SYMMETRY_H

#include "plan.h"

struct ut_symmetries {
  unsigned count;
  uint32_t *link; /* [count * links of the grid]: the image of each link; the first map is the identity */
};

/* fixed: only maps that keep node 0, of a torus.  Returns -1 and fills *e when out of memory. */
int ut_symmetries_find(struct ut_symmetries *symmetries, const struct ut_grid *grid,
                       const struct ut_mechanisms *mechanisms, bool fixed, struct ut_error *e);
void ut_symmetries_free(struct ut_symmetries *symmetries);

#endif
