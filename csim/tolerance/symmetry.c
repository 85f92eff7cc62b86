/* SPDX-License-Identifier: Apache-2.0 */
/* symmetry.c - see symmetry.h */
#include "symmetry.h"

#include <stdlib.h>

/* Dimension d goes to to[d], backwards where that bit of `mirrored` is set; then node 0 goes to `origin`. */
struct symmetry {
  unsigned to[UT_MAX_DIMENSIONS], mirrored;
  uint32_t origin;
};

static uint32_t node_of(const struct ut_grid *grid, const struct symmetry *symmetry, uint32_t node) {
  unsigned x[UT_MAX_DIMENSIONS], y[UT_MAX_DIMENSIONS], shift[UT_MAX_DIMENSIONS];
  ut_grid_coordinates(grid, node, x);
  ut_grid_coordinates(grid, symmetry->origin, shift);
  for (unsigned d = 0; d < grid->dimensions; d++) {
    unsigned k = grid->size[d], there = x[d];
    if (symmetry->mirrored >> d & 1)
      there = grid->wrap ? (k - there) % k : k - 1 - there;
    y[symmetry->to[d]] = (there + shift[symmetry->to[d]]) % k; /* node 0 of a mesh stays */
  }
  return ut_grid_node(grid, y);
}

static uint32_t link_of(const struct ut_grid *grid, const struct symmetry *symmetry, uint32_t link) {
  uint32_t node = grid->end[link][0] / grid->directions, direction = grid->end[link][0] % grid->directions,
           d = direction / 2;
  return grid->link[node_of(grid, symmetry, node) * grid->directions + 2 * symmetry->to[d] +
                    (direction % 2 ^ (symmetry->mirrored >> d & 1))];
}

static bool permutation_allowed(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms,
                                const struct symmetry *symmetry) {
  bool same = true, reversed = true, even = false;
  unsigned seen = 0;
  for (unsigned d = 0; d < grid->dimensions; d++) {
    if (grid->size[d] != grid->size[symmetry->to[d]])
      return false;
    seen |= 1u << symmetry->to[d];
    same &= symmetry->to[d] == d;
    reversed &= symmetry->to[d] == grid->dimensions - 1 - d;
    even |= grid->wrap && grid->size[d] % 2 == 0;
  }
  if (seen != (1u << grid->dimensions) - 1)
    return false;
  if (mechanisms->misroute || mechanisms->direction_order)
    return same;
  return !mechanisms->deterministic || same || (reversed && !even);
}

static bool mirror_allowed(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms, unsigned mirrored) {
  for (unsigned d = 0; d < grid->dimensions; d++)
    if (mirrored >> d & 1 && (mechanisms->misroute || mechanisms->direction_order ||
                              (mechanisms->deterministic && grid->wrap && grid->size[d] % 2 == 0)))
      return false;
  return true;
}

static bool append(struct ut_symmetries *symmetries, const struct ut_grid *grid, const struct symmetry *symmetry) {
  uint32_t *grown = realloc(symmetries->link, (size_t)(symmetries->count + 1) * grid->links * sizeof *grown);
  if (!grown)
    return false;
  symmetries->link = grown;
  for (uint32_t l = 0; l < grid->links; l++)
    symmetries->link[(size_t)symmetries->count * grid->links + l] = link_of(grid, symmetry, l);
  symmetries->count++;
  return true;
}

/* All with that permutation. */
static bool append_all(struct ut_symmetries *symmetries, const struct ut_grid *grid,
                       const struct ut_mechanisms *mechanisms, bool fixed, struct symmetry *symmetry) {
  uint32_t origins = grid->wrap && !fixed ? grid->nodes : 1;
  for (symmetry->mirrored = 0; symmetry->mirrored < 1u << grid->dimensions; symmetry->mirrored++)
    for (symmetry->origin = 0; symmetry->origin < origins && mirror_allowed(grid, mechanisms, symmetry->mirrored);
         symmetry->origin++)
      if (!append(symmetries, grid, symmetry))
        return false;
  return true;
}

int ut_symmetries_find(struct ut_symmetries *symmetries, const struct ut_grid *grid,
                       const struct ut_mechanisms *mechanisms, bool fixed, struct ut_error *e) {
  unsigned candidates = 1;
  *symmetries = (struct ut_symmetries){0};
  for (unsigned d = 0; d < grid->dimensions; d++)
    candidates *= grid->dimensions;
  for (unsigned number = 0; number < candidates; number++) {
    struct symmetry symmetry = {0};
    unsigned rest = number; /* its digits, the first dimension's the highest: dimensions in place come first */
    for (unsigned d = grid->dimensions; d-- > 0; rest /= grid->dimensions)
      symmetry.to[d] = rest % grid->dimensions;
    if (permutation_allowed(grid, mechanisms, &symmetry) &&
        !append_all(symmetries, grid, mechanisms, fixed, &symmetry)) {
      ut_symmetries_free(symmetries);
      return ut_fail(e, UT_BAD_INPUT, "out of memory for symmetries");
    }
  }
  return 0;
}

void ut_symmetries_free(struct ut_symmetries *symmetries) {
  free(symmetries->link);
  *symmetries = (struct ut_symmetries){0};
}
