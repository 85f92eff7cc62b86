/* SPDX-License-Identifier: Apache-2.0 */
/* experiment.h - a published table or figure: the sweeps that measure it, pictures of them, the values that are printed
 * (docs/reference/reproduce.md).
 *
 * experiments/<paper>/<name>.yaml, and <name>.tsv beside it.
 */
#ifndef UT_EXPERIMENT_H
#define UT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "printed.h"
#include "results_plot.h"

/* One sweep, as the text of a sweep file. */
struct ut_experiment_sweep {
  char *name, *text;
  size_t length;
  bool simulated; /* its runs simulate a network, in C or in lockstep; else they count, prove or synthesize */
};

struct ut_experiment_picture {
  size_t *sweep; /* [sweeps]: whose results are drawn, by number */
  size_t sweeps;
  struct ut_results_plot plot; /* strings are the experiment's */
};

/* Why a measured value differs. */
struct ut_experiment_reason {
  char *name, *text;
};

struct ut_experiment {
  char *path, *name; /* "reroute/figure_8" */
  char *title, *source, *notes;
  struct ut_experiment_sweep *sweep;
  size_t sweeps;
  struct ut_experiment_picture *picture;
  size_t pictures;
  struct ut_experiment_reason *reason;
  size_t reasons;
  struct ut_printed_table printed;
};

/* Reads <folder>/<name>.yaml and .tsv.  quick: the keys of each sweep's `quick` replace its own.  -1 and *e on failure;
 * nothing is to be freed then. */
int ut_experiment_load(struct ut_experiment *experiment, const char *folder, const char *name, bool quick,
                       struct ut_error *e);
void ut_experiment_free(struct ut_experiment *experiment);

/* The reason that is given for a value; NULL: none. */
const char *ut_experiment_reason(const struct ut_experiment *experiment, const char *value);

/* The names of all experiments below a folder, in the order of papers and numbers; NULL and *e on failure. */
char **ut_experiment_list(const char *folder, size_t *count, struct ut_error *e);
void ut_experiment_list_free(char **names, size_t count);

#endif
