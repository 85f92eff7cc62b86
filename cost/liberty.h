/* SPDX-License-Identifier: Apache-2.0 */
/* liberty.h - the contents of a Liberty file that the cost report needs: cells, their areas, pins and functions, and
 * which cells play the roles that synthesis and the report need.  Reads groups, attributes and boolean functions;
 * timing tables are left to Yosys and OpenSTA.
 */
#ifndef UT_LIBERTY_H
#define UT_LIBERTY_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct ut_cell_pin {
  char *name, *function; /* function: of an output, or NULL */
  bool input, output;
};

struct ut_cell {
  char *name;
  double area;
  bool flip_flop, latch, memory, timed; /* memory: has a memory group; timed: has timing groups */
  struct ut_cell_pin *pin;
  size_t pins;
  /* of a flip-flop: what functions call its state, and the inverse of it; its functions next_state and clocked_on; it
   * has a clear or a preset */
  char *state[2], *next, *clock;
  bool asynchronous;
};

struct ut_liberty {
  char *path, *library; /* library: its own name */
  char *text;           /* the file as it was read */
  size_t size;
  struct ut_cell *cell;
  size_t cells;
  double time_ns, capacitance_pf;           /* one unit of the file */
  const struct ut_cell *nand2, *inverter;   /* the smallest ones */
  const struct ut_cell *buffer, *flip_flop; /* a buffer of middle size, or the inverter; some flip-flop */
};

/* `name`: osu018 or osu035 (where Debian puts them), or a file.  Reads, parses and checks it: a library without a
 * flip-flop, a two-input NAND or an inverter is bad input.  Returns 0, or -1 after filling *e; free in both cases. */
int ut_liberty_read(struct ut_liberty *liberty, const char *name, struct ut_error *e);
/* The same of a text, which is copied; `path` is for messages. */
int ut_liberty_parse(struct ut_liberty *liberty, const char *text, size_t size, const char *path, struct ut_error *e);
void ut_liberty_free(struct ut_liberty *liberty);

/* NULL: there is no such cell. */
const struct ut_cell *ut_liberty_cell(const struct ut_liberty *liberty, const char *name);
const struct ut_cell_pin *ut_cell_pin(const struct ut_cell *cell, const char *name);

/* Truth table of a cell with one output and at most four inputs: bit i is the output when input pin n has bit n of i.
 * -1: no such cell, or a function that cannot be read. */
int ut_cell_truth(const struct ut_cell *cell, unsigned inputs);

#endif
