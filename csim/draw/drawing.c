/* SPDX-License-Identifier: Apache-2.0 */
/* drawing.c - see drawing.h: calls Graphviz. */
#define _GNU_SOURCE
#include "drawing.h"

#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "picture.h"
#include "places.h"

/* Graphviz gives its background a border of colour `transparent`, which some viewers draw black. */
static void remove_border(char *text, size_t length) {
  static const char border[] = "stroke=\"transparent\"", none[] = "stroke=\"none\"       ";
  char *at = memmem(text, length, border, sizeof border - 1);
  if (at)
    memcpy(at, none, sizeof none - 1);
}

/* -q: the nodes of words are smaller than Graphviz would make them. */
static const char *const options[] = {"-q", "-n2", "-Tsvg", NULL};
static const struct ut_painter graphviz = {"Graphviz", "neato", "graphviz", options, remove_border};

int ut_drawing_check(const struct ut_topology *topo, struct ut_error *e) {
  if (!ut_places_known(topo))
    return ut_fail(e, UT_BAD_INPUT, "there are no drawings of a %s", topo->kind);
  if (topo->terminals <= UT_MAX_DRAWN_TERMINALS)
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "a network of %u terminals is too large for a drawing (at most %u)",
                 (unsigned)topo->terminals, (unsigned)UT_MAX_DRAWN_TERMINALS);
}

int ut_drawing_svg(const struct ut_drawing *drawing, const char *path, struct ut_error *e) {
  char *dot = NULL;
  size_t size;
  if (ut_drawing_check(drawing->topology, e))
    return -1;
  FILE *f = ut_memory_open(&dot, &size);
  if (f)
    ut_drawing_dot(drawing, f);
  if (!f || ut_memory_close(f, &dot))
    return ut_fail(e, UT_BAD_INPUT, "%s: no memory for the drawing", path);
  const int status = ut_picture_draw(&graphviz, path, dot, size, NULL, e);
  free(dot);
  return status;
}
