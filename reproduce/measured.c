/* SPDX-License-Identifier: Apache-2.0 */
/* measured.c - see measured.h */
#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"
#include "estimate.h"
#include "measure.h"

static const double CONFIDENCE = 0.95;

const char *ut_verdict_text(enum ut_verdict v) {
  static const char *const texts[] = {[UT_EQUAL] = "equal",
                                      [UT_WITHIN] = "within tolerance",
                                      [UT_NOT_SIGNIFICANT] = "not significant",
                                      [UT_DIFFERS] = "differs",
                                      [UT_NOT_MEASURED] = "not measured"};
  return texts[v];
}

int ut_measured_path(const char *results, const struct ut_experiment *experiment, const char *sweep, char *path,
                     struct ut_error *e) {
  return ut_path_set(e, path, "%s/%s.%s.sqlite", results, experiment->name, sweep);
}

/* What queries see. */
static int add_sweeps(sqlite3 *db, const char *results, const struct ut_experiment *experiment, bool unfinished,
                      struct ut_error *e) {
  char path[PATH_MAX];
  for (size_t i = 0; i < experiment->sweeps; i++) {
    if (ut_measured_path(results, experiment, experiment->sweep[i].name, path, e))
      return -1;
    if ((!unfinished || !access(path, F_OK)) && ut_measure_add(db, experiment->sweep[i].name, path, e))
      return -1;
  }
  return ut_measure_finish(db, e);
}

/* From the runs of a sweep that the query names; of any, if it names none. */
static bool is_simulated(const struct ut_experiment *experiment, const char *query) {
  bool named = false, any = false, simulated = false;
  for (size_t i = 0; i < experiment->sweeps; i++) {
    char quoted[NAME_MAX];
    const struct ut_experiment_sweep *sweep = &experiment->sweep[i];
    snprintf(quoted, sizeof quoted, "'%s'", sweep->name);
    any |= sweep->simulated;
    if (strstr(query, quoted)) {
      named = true;
      simulated |= sweep->simulated;
    }
  }
  return named ? simulated : any;
}

/* The half width of the interval of a value, from what it is without each of the repetitions; those that change nothing
 * belong to other sweeps. */
static double jackknife(double value, const double *without, size_t count) {
  double *pseudo = malloc((count + 1) * sizeof *pseudo), half = INFINITY;
  size_t n = 0;
  bool single = false;
  for (size_t i = 0; i < count && pseudo; i++) {
    single |= isnan(without[i]); /* some sweep has this repetition only */
    pseudo[n] = without[i];
    n += without[i] != value;
  }
  for (size_t i = 0; i < n && pseudo; i++)
    pseudo[i] = (double)n * value - (double)(n - 1) * pseudo[i];
  if (pseudo && !single && n != 1)
    half = n ? ut_estimate_of(pseudo, n, CONFIDENCE).half_width : 0;
  free(pseudo);
  return half;
}

/* Fills the intervals of all values. */
static int read_intervals(sqlite3 *db, const struct ut_experiment *experiment, struct ut_measured *measured,
                          struct ut_error *e) {
  size_t count;
  int64_t *repetition = ut_measure_repetitions(db, &count, e);
  if (!repetition)
    return -1;
  double *without = malloc((count + 1) * experiment->printed.values * sizeof *without);
  int status = without ? 0 : ut_fail_memory(e);
  for (size_t r = 0; r < count && !status; r++) {
    status = ut_measure_leave_out(db, repetition[r], e);
    for (size_t i = 0; i < experiment->printed.values && !status; i++) {
      struct ut_error why;
      ut_measure_query(db, measured[i].printed->query, &without[i * count + r], &why);
    }
  }
  for (size_t i = 0; i < experiment->printed.values && !status; i++)
    if (measured[i].simulated && !isnan(measured[i].value))
      measured[i].half_width = jackknife(measured[i].value, &without[i * count], count);
  free(without);
  free(repetition);
  return status;
}

static int read_values(sqlite3 *db, const struct ut_experiment *experiment, bool unfinished,
                       struct ut_measured *measured, struct ut_error *e) {
  for (size_t i = 0; i < experiment->printed.values; i++) {
    const struct ut_printed *printed = &experiment->printed.value[i];
    struct ut_error why;
    measured[i] = (struct ut_measured){.printed = printed,
                                       .reason = ut_experiment_reason(experiment, printed->name),
                                       .simulated = is_simulated(experiment, printed->query)};
    if (ut_measure_query(db, printed->query, &measured[i].value, &why)) {
      if (!unfinished)
        return ut_fail(e, UT_BAD_INPUT, "%s, %s: %s", experiment->name, printed->name, why.text);
      measured[i].value = NAN;
    }
  }
  if (read_intervals(db, experiment, measured, e))
    return -1;
  for (size_t i = 0; i < experiment->printed.values; i++)
    measured[i].verdict = ut_printed_verdict(measured[i].printed, measured[i].value, measured[i].half_width);
  return 0;
}

int ut_measured_read(const char *results, const struct ut_experiment *experiment, bool unfinished,
                     struct ut_measured *measured, struct ut_error *e) {
  sqlite3 *db = NULL;
  const int status = ut_measure_open(&db, e) || add_sweeps(db, results, experiment, unfinished, e) ||
                             read_values(db, experiment, unfinished, measured, e)
                         ? -1
                         : 0;
  sqlite3_close(db);
  return status;
}

int ut_measured_sources(const char *results, const struct ut_experiment *experiment,
                        const struct ut_experiment_picture *picture, struct ut_measured_sources *sources,
                        struct ut_error *e) {
  *sources = (struct ut_measured_sources){.source = calloc(picture->sweeps + 1, sizeof *sources->source),
                                          .path = calloc(picture->sweeps + 1, sizeof *sources->path)};
  if (!sources->source || !sources->path)
    return ut_fail_memory(e);
  for (; sources->sources < picture->sweeps; sources->sources++) {
    const char *name = experiment->sweep[picture->sweep[sources->sources]].name;
    sources->source[sources->sources] =
        (struct ut_plot_source){sources->path[sources->sources], picture->sweeps > 1 ? name : NULL};
    if (ut_measured_path(results, experiment, name, sources->path[sources->sources], e))
      return -1;
  }
  return 0;
}

void ut_measured_sources_free(struct ut_measured_sources *sources) {
  free(sources->source);
  free(sources->path);
  *sources = (struct ut_measured_sources){0};
}
