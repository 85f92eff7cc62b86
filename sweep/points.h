/* SPDX-License-Identifier: Apache-2.0 */
/* points.h - the points of a sweep: all combinations of the groups of axes, the last group changes fastest; and the
 * runs that are made of them. */
#ifndef UT_POINTS_H
#define UT_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "sweep_file.h"

enum { UT_RUN_KEY_CHARS = 32, UT_POINT_NAME_SIZE = 512 };

/* One run. */
struct ut_run {
  size_t point;
  unsigned repetition;
  bool probe;  /* of a search; its outcome is no result of the point */
  double load; /* of a probe */
  uint64_t seed;
  char key[UT_RUN_KEY_CHARS + 1]; /* hash of all that determines its results */
  char *scenario;                 /* what the command reads from its standard input */
  char **arguments;               /* of the program: uturn, command, options, --quiet, --json, /dev/stdin, NULL */
};

size_t ut_points_count(const struct ut_sweep *sweep);
/* The value of an axis at a point, as an index. */
size_t ut_points_step(const struct ut_sweep *sweep, size_t point, size_t axis);
static inline const char *ut_points_value(const struct ut_sweep *sweep, size_t point, size_t axis) {
  return sweep->axis[axis].text[ut_points_step(sweep, point, axis)];
}
/* "topology.k 4, routing.algorithm fta"; "" without axes. */
const char *ut_points_name(const struct ut_sweep *sweep, size_t point, char text[UT_POINT_NAME_SIZE]);

/* Every point is a scenario.  -1 and *e (UT_BAD_INPUT) names the first that is none, its values, and why. */
int ut_points_check(struct ut_sweep *sweep, struct ut_error *e);

/* The run of a point; probe: with that load.  To be freed.  -1 and *e on failure. */
int ut_run_make(struct ut_run *run, struct ut_sweep *sweep, size_t point, unsigned repetition, bool probe, double load,
                struct ut_error *e);
void ut_run_free(struct ut_run *run);

/* Computes the key of a search's result. */
void ut_found_key(const struct ut_run *probe, const struct ut_sweep *sweep, char key[UT_RUN_KEY_CHARS + 1]);
/* Returns a hash of all axes and points, and of the command that is run for them. */
int ut_points_hash(struct ut_sweep *sweep, char key[UT_RUN_KEY_CHARS + 1], struct ut_error *e);

/* Returns a hash of the sources, which changes whenever results may change. */
const char *ut_results_version(void);

#endif
