/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_file.h - a sweep: a base scenario, the values that change, and how often each point is run
 * (docs/reference/sweep.md).
 *
 * It is read from YAML like scenarios: unknown keys, wrong types and impossible values are errors with file, line,
 * column and the nearest known name.  The keys: sweep_keys.h.
 */
#ifndef UT_SWEEP_FILE_H
#define UT_SWEEP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "find.h"
#include "scenario_document.h"
#include "stopping.h"

/* One key of an entry of `axes`, with a value for each step. */
struct ut_axis {
  char *key;       /* path in the scenario, an option ("--faults"), or one of the two names below */
  char **text;     /* [values]: the value as text, for tables: "0.25", "[4, 4]" */
  const int *node; /* [values]: its node in the sweep's document; NULL: text is all there is */
  size_t values;
  int *nodes; /* what node points to */
};
/* A database has a column for each. */
enum { UT_MOST_AXES = 64 };
#define UT_AXIS_FAULTY_LINKS "faults.links"
#define UT_AXIS_FAULTY_SWITCHES "faults.switches"

/* Axes that step together. */
struct ut_axis_group {
  size_t first, count; /* of axes */
  size_t values;
};

/* Faults that are drawn for each repetition. */
struct ut_drawn_faults {
  bool links, switches; /* axes with those names are there */
  uint64_t at, until;   /* until 0: for ever */
  const char *model;    /* an algorithm that must accept them; NULL: none */
};

struct ut_sweep {
  char *path; /* as given */
  char *text; /* of the file */
  size_t length;
  struct ut_document document; /* of it */
  const char *base_name;       /* in place of the one in the text; NULL */
  char *base_path;             /* of the scenario; the sweep's own if it stands there */
  char *base;                  /* its text */
  size_t base_length;
  char *command;
  char **options; /* NULL-terminated */
  struct ut_axis *axis;
  size_t axes;
  struct ut_axis_group *group;
  size_t groups;
  struct ut_drawn_faults faults;
  struct ut_stopping stopping;
  struct ut_find find;
  uint64_t seed; /* of the first repetition */
};

/* Reads and checks `path`, and the base scenario.  NULL and *e on failure. */
struct ut_sweep *ut_sweep_load(const char *path, struct ut_error *e);
/* The same of a text; path: in messages, and what a relative path of the base begins at. */
struct ut_sweep *ut_sweep_read(const char *path, const char *text, size_t length, struct ut_error *e);
/* The same over the scenario of the file `base`, whatever name the text gives it: not every name can be written there.
 * NULL: as in the text.  It must outlive the sweep. */
struct ut_sweep *ut_sweep_read_over(const char *path, const char *text, size_t length, const char *base,
                                    struct ut_error *e);
void ut_sweep_free(struct ut_sweep *sweep);

/* The axis with that key; NULL: there is none. */
const struct ut_axis *ut_sweep_axis(const struct ut_sweep *sweep, const char *key);

#endif
