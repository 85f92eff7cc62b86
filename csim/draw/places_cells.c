/* SPDX-License-Identifier: Apache-2.0 */
/* places_cells.c - see places_graph.h: terminals, links and bounds of a picture whose switches have their places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places_graph.h"

enum { MOST_NAME = 18 }; /* characters of a name that a box has room for */
static const double letter = 5.5, most_aside = 5, exit_rise = 20, number_size = 5.5;

/* ---- measures */

static unsigned longest_name(const struct ut_topology *topo) {
  char name[UT_SWITCH_NAME_SIZE];
  size_t longest = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    const size_t length = strlen(ut_topology_switch_name(topo, sw, name));
    longest = length > longest ? length : longest;
  }
  return (unsigned)longest;
}

bool ut_cells_measure(struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo, bool hops) {
  uint32_t *count = calloc(topo->switches, sizeof *count), most = 0;
  *cells = (struct ut_cells){.drop = hops ? 30 : 15,
                             .number = malloc(topo->terminals * sizeof *cells->number),
                             .home = malloc(topo->terminals * sizeof *cells->home),
                             .up = calloc(topo->switches, sizeof *cells->up)};
  if (!count || !cells->number || !cells->home || !cells->up) {
    free(count);
    ut_cells_free(cells);
    return false;
  }
  for (uint32_t i = 0; i < topo->terminals; i++) {
    cells->home[i] = topo->peer[ut_topology_injection(topo, i, 0)].index;
    cells->number[i] = count[cells->home[i]]++;
    most = count[cells->home[i]] > most ? count[cells->home[i]] : most;
  }
  free(count);
  const unsigned name = longest_name(topo);
  /* wide cells rather than high ones */
  const double row = most > 24 ? 8 : most > 9 ? 6 : most > 4 ? (most + 1) / 2 : fmax(3, most);
  places->box =
      fmax(fmax(hops ? 50 : 42, row * UT_TERMINAL_PITCH + 4), 12 + letter * (name < MOST_NAME ? name : MOST_NAME));
  cells->row = (unsigned)(places->box / UT_TERMINAL_PITCH);
  const unsigned rows = (most + cells->row - 1) / cells->row;
  cells->width = places->box;
  cells->above = cells->below = UT_BOX_HEIGHT / 2.0 + (rows ? cells->drop + (rows - 0.5) * UT_TERMINAL_PITCH : 0);
  return true;
}

void ut_cells_free(struct ut_cells *cells) {
  free(cells->number);
  free(cells->home);
  free(cells->up);
}

/* ---- terminals */

void ut_cells_turn(const struct ut_cells *cells, const struct ut_places *places, const struct ut_topology *topo) {
  double *rise = calloc(topo->switches, sizeof *rise); /* of the links' directions, summed */
  for (size_t i = 0; rise && i < topo->links; i++) {
    const struct ut_spot a = places->sw[topo->link[i].lower], b = places->sw[topo->link[i].upper];
    const double part = (b.y - a.y) / fmax(1, hypot(b.x - a.x, b.y - a.y));
    rise[topo->link[i].lower] += part;
    rise[topo->link[i].upper] -= part;
  }
  for (uint32_t sw = 0; rise && sw < topo->switches; sw++)
    cells->up[sw] = rise[sw] < -0.3;
  free(rise);
}

/* How many terminals are in the row of this one. */
static unsigned in_row(const struct ut_cells *cells, const struct ut_topology *topo, uint32_t terminal) {
  unsigned count = 0;
  for (uint32_t i = 0; i < topo->terminals; i++)
    count += cells->home[i] == cells->home[terminal] &&
             cells->number[i] / cells->row == cells->number[terminal] / cells->row;
  return count;
}

/* A link to a terminal that hangs below another switch ends in the open, with the terminal's number. */
static void end_in_open(struct ut_places *places, uint32_t sw, struct ut_port_place *place, uint32_t terminal,
                        unsigned port) {
  char text[16];
  place->at =
      (struct ut_spot){places->sw[sw].x + (port % 3 - 1.0) * places->box / 3, places->sw[sw].y + UT_BOX_HEIGHT / 2.0};
  place->end = (struct ut_spot){place->at.x, place->at.y + exit_rise};
  snprintf(text, sizeof text, "%u", (unsigned)terminal);
  ut_places_say(places, (struct ut_spot){place->end.x - 5, place->end.y + 5}, 14, number_size, text);
}

void ut_cells_hang(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo) {
  for (uint32_t i = 0; i < topo->terminals; i++) {
    const struct ut_spot sw = places->sw[cells->home[i]];
    const double side = cells->up[cells->home[i]] ? 1 : -1;
    const unsigned column = cells->number[i] % cells->row, row = cells->number[i] / cells->row;
    const struct ut_spot at = {sw.x + (column - (in_row(cells, topo, i) - 1) / 2.0) * UT_TERMINAL_PITCH,
                               sw.y + side * (UT_BOX_HEIGHT / 2.0 + cells->drop + row * UT_TERMINAL_PITCH)};
    places->terminal[i] = at;
    for (unsigned link = 0; link < topo->injections; link++)
      places->injection[i * topo->injections + link] = (struct ut_port_place){
          .at = {at.x, at.y - side * UT_TERMINAL_SIZE / 2.0}, .end = {at.x, sw.y + side * UT_BOX_HEIGHT / 2.0}};
  }
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++) {
    const struct ut_peer *peer = &topo->peer[i];
    const uint32_t sw = (uint32_t)(i / topo->po);
    if (peer->kind != UT_PEER_TERMINAL)
      continue;
    const struct ut_port_place *in = &places->injection[peer->index * topo->injections];
    if (cells->home[peer->index] == sw)
      places->port[i] = (struct ut_port_place){.at = in->end, .end = in->at};
    else
      end_in_open(places, sw, &places->port[i], peer->index, (unsigned)(i % topo->po));
  }
}

/* ---- links */

/* Where the line from the middle of a box, `aside` beside it, in direction `way` of length 1, leaves the box. */
static struct ut_spot leave(const struct ut_places *places, struct ut_spot middle, struct ut_spot way, double aside) {
  const double x = -way.y * aside, y = way.x * aside;
  const double across = way.x == 0 ? INFINITY : (copysign(places->box / 2, way.x) - x) / way.x,
               along = way.y == 0 ? INFINITY : (copysign(UT_BOX_HEIGHT / 2.0, way.y) - y) / way.y;
  const double far = fmax(0, fmin(across, along));
  return (struct ut_spot){middle.x + x + far * way.x, middle.y + y + far * way.y};
}

static void join(struct ut_places *places, const struct ut_topology *topo, const struct ut_link *link, double aside) {
  const struct ut_spot from = places->sw[link->lower], to = places->sw[link->upper];
  const double length = fmax(hypot(to.x - from.x, to.y - from.y), 1e-9);
  const struct ut_spot way = {(to.x - from.x) / length, (to.y - from.y) / length}, back = {-way.x, -way.y};
  const struct ut_spot a = leave(places, from, way, aside), b = leave(places, to, back, -aside);
  places->port[(size_t)link->lower * topo->po + link->lower_port] = (struct ut_port_place){.at = a, .end = b};
  if (topo->bidirectional)
    places->port[(size_t)link->upper * topo->po + link->upper_port] = (struct ut_port_place){.at = b, .end = a};
}

/* A link by the switches at its ends, the lower number first. */
struct pair {
  uint32_t low, high;
  size_t link;
};

static int by_ends(const void *a, const void *b) {
  const struct pair *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  return (x->link > y->link) - (x->link < y->link);
}

bool ut_cells_join(struct ut_places *places, const struct ut_topology *topo) {
  struct pair *pair = malloc((topo->links + 1) * sizeof *pair);
  if (!pair)
    return false;
  for (size_t i = 0; i < topo->links; i++) {
    const struct ut_link *link = &topo->link[i];
    pair[i] = link->lower < link->upper ? (struct pair){link->lower, link->upper, i}
                                        : (struct pair){link->upper, link->lower, i};
  }
  qsort(pair, topo->links, sizeof *pair, by_ends);
  for (size_t first = 0, next; first < topo->links; first = next) {
    for (next = first; next < topo->links && pair[next].low == pair[first].low && pair[next].high == pair[first].high;)
      next++;
    const double each = fmin(most_aside, (UT_BOX_HEIGHT - 6.0) / (double)(next - first));
    for (size_t i = first; i < next; i++) {
      const double aside = ((double)(i - first) - (double)(next - first - 1) / 2) * each;
      const struct ut_link *link = &topo->link[pair[i].link];
      join(places, topo, link, link->lower < link->upper ? aside : -aside);
    }
  }
  free(pair);
  return true;
}

/* ---- bounds */

void ut_cells_bound(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo) {
  places->left = places->top = -INFINITY;
  places->bottom = INFINITY;
  double left = INFINITY;
  for (uint32_t i = 0; i < topo->switches; i++) {
    left = fmin(left, places->sw[i].x - cells->width / 2);
    places->top = fmax(places->top, places->sw[i].y + cells->above);
    places->bottom = fmin(places->bottom, places->sw[i].y - cells->below);
  }
  for (size_t i = 0; i < places->word_count; i++) {
    places->top = fmax(places->top, places->words[i].left.y + places->words[i].size);
    left = fmin(left, places->words[i].left.x);
  }
  places->left = left;
  places->crowded = true;
}

bool ut_places_cells(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo) {
  ut_cells_turn(cells, places, topo);
  ut_cells_hang(cells, places, topo);
  if (!ut_cells_join(places, topo))
    return false;
  ut_cells_bound(cells, places, topo);
  return true;
}

/* ---- names */

/* The start of the character of UTF-8 that this byte belongs to. */
static size_t start_of(const char *text, size_t at) {
  while (at && ((unsigned char)text[at] & 0xc0) == 0x80)
    at--;
  return at;
}

const char *ut_places_name(const struct ut_places *places, const struct ut_topology *topo, uint32_t sw,
                           char text[UT_SWITCH_NAME_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE];
  ut_escape_controls(name, sizeof name, ut_topology_switch_name(topo, sw, text));
  const size_t length = strlen(name), room = (size_t)fmax(5, (places->box - 6) / letter);
  if (length <= room) {
    strcpy(text, name);
    return text;
  }
  const size_t last = start_of(name, length - room / 2), first = start_of(name, room - room / 2 - 1);
  snprintf(text, UT_SWITCH_NAME_SIZE, "%.*s…%s", (int)first, name, name + last);
  return text;
}
