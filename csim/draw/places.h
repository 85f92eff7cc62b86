/* SPDX-License-Identifier: Apache-2.0 */
/* places.h - the place of everything in a drawing, in points of 1/72 inch, y upwards.
 *
 * A family of networks has one line in places.c and a file with its function.  drawing_dot.c writes what is here; it
 * computes no place of the network itself and does not ask which family it is.
 */
#ifndef UT_PLACES_H
#define UT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "topology.h"

/* Heights of a switch and of a terminal, distance of terminals. */
enum { UT_BOX_HEIGHT = 24, UT_TERMINAL_SIZE = 11, UT_TERMINAL_PITCH = 13 };

struct ut_spot {
  double x, y;
};

/* A link leaves the box of its switch at `at` and ends at `end`: at the other switch, at the terminal, or in the open.
 * In the latter case it is a stub, and so is its other end: a link that would cross the drawing is two short pieces. */
struct ut_port_place {
  struct ut_spot at, end;
  bool stub;
};

/* Left-aligned words in grey. */
struct ut_words {
  struct ut_spot left;
  double width, size; /* size: of the font */
  char text[40];
};

struct ut_places {
  double box;                      /* width of a switch */
  double left, top, bottom;        /* the caption stands above top, the legend below bottom */
  struct ut_spot *sw;              /* [switches]: centres */
  struct ut_spot *terminal;        /* [terminals]: centres */
  struct ut_port_place *port;      /* [switches * po] */
  struct ut_port_place *injection; /* [terminals * injections]: from the terminal into its switch */
  bool crowded; /* a number on a terminal's link has only one place: numbers of other links keep away from it */
  struct ut_words *words;
  size_t word_count;
};

/* The family has a function. */
bool ut_places_known(const struct ut_topology *topo);
/* Of a known family.  hops: room for their numbers.  false: out of memory. */
bool ut_places_init(struct ut_places *places, const struct ut_topology *topo, bool hops);
void ut_places_free(struct ut_places *places);

/* The name of a switch as its box has room for it: of a long one both ends.  Bytes that are no text are '?'. */
const char *ut_places_name(const struct ut_places *places, const struct ut_topology *topo, uint32_t sw,
                           char text[UT_SWITCH_NAME_SIZE]);

/* Of a family: fills in everything; the arrays are there.  false: out of memory. */
typedef bool ut_places_function(struct ut_places *p, const struct ut_topology *t, bool hops);
ut_places_function ut_places_fat_tree, ut_places_torus, ut_places_ruft, ut_places_hypercube;
ut_places_function ut_places_graph, ut_places_tree, ut_places_dragonfly, ut_places_hyperx, ut_places_slim_fly;

/* For the families.  Terminals inject through the cable that they receive from: the same line, the other way. */
void ut_places_inject_back(struct ut_places *places, const struct ut_topology *topo);
void ut_places_say(struct ut_places *places, struct ut_spot left, double width, double size, const char *text);

#endif
