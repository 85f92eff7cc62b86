/* SPDX-License-Identifier: Apache-2.0 */
/* places_part.c - see places_graph.h: moves switches of a picture apart. */
#include <math.h>
#include <stdlib.h>

#include "places_graph.h"

enum { MOST_ROUNDS = 400 };
static const double gap_x = 14, gap_y = 16, most_work = 6e7, clear = 5;

/* Moves two cells that overlap apart, each by half, where that takes least. */
static bool part_cells(const struct ut_cells *cells, struct ut_spot *a, struct ut_spot *b) {
  const double wide = cells->width + gap_x, high = cells->above + cells->below + gap_y;
  const double over_x = wide - fabs(a->x - b->x), over_y = high - fabs(a->y - b->y);
  if (over_x <= 0.01 || over_y <= 0.01)
    return false;
  if (over_x / wide < over_y / high) {
    const double move = copysign(over_x / 2, a->x - b->x);
    a->x += move;
    b->x -= move;
  } else {
    const double move = copysign(over_y / 2, a->y - b->y);
    a->y += move;
    b->y -= move;
  }
  return true;
}

static bool part_all(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo) {
  bool moved = false;
  for (uint32_t i = 0; i < topo->switches; i++)
    for (uint32_t j = i + 1; j < topo->switches; j++)
      moved |= part_cells(cells, &places->sw[i], &places->sw[j]);
  return moved;
}

/* How far a link and a box overlap that is not at its ends, and to which side of the link the box is to go. */
static double overlap(const struct ut_places *places, struct ut_spot at, struct ut_spot a, struct ut_spot b, double gap,
                      struct ut_spot *side) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
  if (length < 1)
    return 0;
  const double along = ((at.x - a.x) * dx + (at.y - a.y) * dy) / length;
  const double beside = ((at.x - a.x) * -dy + (at.y - a.y) * dx) / length; /* to the left of the link */
  const double reach = (places->box / 2 * fabs(dy) + UT_BOX_HEIGHT / 2.0 * fabs(dx)) / length + gap;
  *side = (struct ut_spot){copysign(1, beside) * -dy / length, copysign(1, beside) * dx / length};
  return along <= 0 || along >= length ? 0 : fmax(0, reach - fabs(beside) - 0.01);
}

size_t ut_cells_hits(const struct ut_places *places, const struct ut_topology *topo) {
  size_t hits = 0;
  struct ut_spot side;
  for (size_t i = 0; i < topo->links; i++)
    for (uint32_t sw = 0; sw < topo->switches; sw++)
      hits += sw != topo->link[i].lower && sw != topo->link[i].upper &&
              overlap(places, places->sw[sw], places->sw[topo->link[i].lower], places->sw[topo->link[i].upper], 1,
                      &side) > 0;
  return hits;
}

/* Moves a switch away from a link that lies on its box. */
static bool clear_link(const struct ut_places *places, struct ut_spot *at, struct ut_spot a, struct ut_spot b) {
  struct ut_spot side;
  const double over = fmin(overlap(places, *at, a, b, clear, &side), 6);
  if (over > 0)
    *at = (struct ut_spot){at->x + over * side.x, at->y + over * side.y};
  return over > 0;
}

static bool clear_all(struct ut_places *places, const struct ut_topology *topo) {
  bool moved = false;
  for (size_t i = 0; i < topo->links; i++)
    for (uint32_t sw = 0; sw < topo->switches; sw++)
      if (sw != topo->link[i].lower && sw != topo->link[i].upper)
        moved |= clear_link(places, &places->sw[sw], places->sw[topo->link[i].lower], places->sw[topo->link[i].upper]);
  return moved;
}

void ut_cells_part(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo) {
  const double work = (double)topo->switches * ((double)topo->switches + (double)topo->links);
  const unsigned rounds = (unsigned)fmin(MOST_ROUNDS, most_work / work + 1);
  bool moved = true;
  for (unsigned i = 0; i < rounds && moved; i++) {
    moved = i < rounds * 3 / 4 && clear_all(places, topo);
    moved |= part_all(cells, places, topo);
  }
}
