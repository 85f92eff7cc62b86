/* SPDX-License-Identifier: Apache-2.0 */
/* liberty_power.h - the power data of a Liberty file: capacitances of pins, internal power, leakage; and the slews at
 * which its tables are read.  Units: pF, ns, V; energies pJ (capacitance unit times voltage squared), leakage uW.
 */
#ifndef UT_LIBERTY_POWER_H
#define UT_LIBERTY_POWER_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum { UT_FALL, UT_RISE, UT_EDGES };

/* A table over the slew at an input and the load at an output, or over one of them, or a single value. */
enum ut_table_axis { UT_TABLE_AXIS_NONE, UT_TABLE_AXIS_SLEW, UT_TABLE_AXIS_LOAD };
struct ut_power_table {
  enum ut_table_axis axis[2];
  double *index[2], *value; /* value[row * points[1] + column] */
  unsigned points[2], values;
};

/* Between the points the value is interpolated; beyond them it goes on as between the last two, as in OpenSTA. */
double ut_power_table_at(const struct ut_power_table *table, double slew_ns, double load_pf);

/* Energy of a transition of the pin; of an output by the input that causes it. */
struct ut_power_group {
  char *related; /* NULL: none */
  struct ut_power_table table[UT_EDGES];
  bool has[UT_EDGES];
};

/* The slew of an output. */
struct ut_slew_arc {
  char *related;
  bool positive, negative; /* sense; neither: any edge makes any */
  bool clocked, falls;     /* an edge of the clock makes it: which one */
  struct ut_power_table table[UT_EDGES];
  bool has[UT_EDGES];
};

struct ut_power_pin {
  char *name;
  bool input, output;
  double capacitance[UT_EDGES];
  bool edge_given[UT_EDGES];
  struct ut_power_group *group;
  struct ut_slew_arc *arc;
  size_t groups, arcs;
};

struct ut_power_cell {
  char *name;
  bool flip_flop;
  double leakage_uw;
  struct ut_power_pin *pin;
  size_t pins;
};

struct ut_power_template {
  char *name;
  struct ut_power_table table;
};

struct ut_liberty_power {
  double voltage;                                   /* nominal */
  double volt, time_ns, capacitance_pf, leakage_uw; /* one unit of the file */
  struct ut_power_cell *cell;
  size_t cells;
  struct ut_power_template *template;
  size_t templates;
};

/* Reads a text that ends with a NUL; `path` is for messages.  A library without power tables is bad input.  Returns 0,
 * or -1 after filling *e; free in both cases. */
int ut_liberty_power_parse(struct ut_liberty_power *power, const char *text, size_t size, const char *path,
                           struct ut_error *e);
void ut_liberty_power_free(struct ut_liberty_power *power);

/* NULL: there is none. */
const struct ut_power_cell *ut_power_cell(const struct ut_liberty_power *power, const char *name);
const struct ut_power_pin *ut_power_pin(const struct ut_power_cell *cell, const char *name);

#endif
