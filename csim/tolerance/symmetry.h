/* SPDX-License-Identifier: Apache-2.0 */
/* symmetry.h - the ways to lay a torus or mesh onto itself that change nothing for a set of mechanisms: as many faults
 * there as here, and as many pairs whose best route has a given length and class.
 *
 * Translations of a torus keep everything.  Reflections and permutations of dimensions keep what adaptive routing does.
 * Deterministic paths in dimension order are kept by reflections of odd rings and of meshes (a tie of an even ring goes
 * plus, its mirror image minus), and by turning the order of the dimensions round if all paths are reversed, too.
 * Direction order, and with it misrouting, is kept by translations only.
 */
#ifndef UT_SYMMETRY_H
#define UT_SYMMETRY_H

#include "plan.h"

struct ut_symmetries {
  unsigned count;
  uint32_t *link; /* [count * links of the grid]: where each link goes; the first one keeps all in place */
};

/* fixed: only those that keep node 0, of a torus.  -1 and *e without memory. */
int ut_symmetries_find(struct ut_symmetries *symmetries, const struct ut_grid *grid,
                       const struct ut_mechanisms *mechanisms, bool fixed, struct ut_error *e);
void ut_symmetries_free(struct ut_symmetries *symmetries);

#endif
