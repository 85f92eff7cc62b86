/* SPDX-License-Identifier: Apache-2.0 */
/* measured.h - what has come of an experiment: each printed value beside the measured one.
 *
 * A results folder has <paper>/<name>.<sweep>.sqlite for each sweep of an experiment.
 */
#ifndef UT_MEASURED_H
#define UT_MEASURED_H

#include <limits.h>

#include "experiment.h"

struct ut_measured {
  const struct ut_printed *printed;
  double value;      /* NaN: not measured */
  double half_width; /* of its 95 % interval, by the jackknife over repetitions; 0: the same in all of them; INFINITY:
                        one */
  bool simulated;    /* from runs; else counted, proved or synthesized */
  enum ut_verdict verdict;
  const char *reason; /* that the experiment gives if it differs; NULL: none */
};

/* The database of a sweep.  -1 and *e: the path is too long. */
int ut_measured_path(const char *results, const struct ut_experiment *experiment, const char *sweep, char *path,
                     struct ut_error *e);
/* Fills m[experiment->printed.values].  unfinished: what lacks a database, or the results that its query asks for, is
 * not measured; else that is an error.  -1 and *e on failure. */
int ut_measured_read(const char *results, const struct ut_experiment *experiment, bool unfinished,
                     struct ut_measured *measured, struct ut_error *e);
/* The databases that a picture is drawn from.  -1 and *e on failure.  To be freed in both cases. */
struct ut_measured_sources {
  struct ut_plot_source *source;
  size_t sources;
  char (*path)[PATH_MAX];
};
int ut_measured_sources(const char *results, const struct ut_experiment *experiment,
                        const struct ut_experiment_picture *picture, struct ut_measured_sources *sources,
                        struct ut_error *e);
void ut_measured_sources_free(struct ut_measured_sources *sources);

/* "within tolerance" */
const char *ut_verdict_text(enum ut_verdict v);

#endif
