/* SPDX-License-Identifier: Apache-2.0 */
/* results.h - measured figures as one JSON object: what `bench --json` prints, what is compared and put into pages.
 * docs/reference/bench.md lists its keys.
 */
#ifndef UT_BENCH_RESULTS_H
#define UT_BENCH_RESULTS_H

#include <jansson.h>
#include <stdbool.h>

#include "error.h"

/* A figure of a case, by the names of its object and key there. */
struct ut_figure {
  const char *of, *key;
  bool more_is_better;
};
enum ut_figure_index {
  UT_INSTRUCTIONS, /* for a flit-hop; the others: switch-cycles or flit-hops a second, ns */
  UT_GOLDEN_RATE,
  UT_HOP_RATE,
  UT_RTL_RATE,
  UT_LOCKSTEP_RATE,
  UT_LOCKSTEP_RATIO,
  UT_CPU_NS,
  UT_RTL_IN_VERILATOR, /* lockstep, by processor time */
  UT_RTL_IN_LANES,
  UT_RTL_LANES_RATIO,
  UT_GATES_IN_VERILATOR,
  UT_GATES_IN_LANES,
  UT_GATES_LANES_RATIO,
  UT_BOOKSIM_INSTRUCTIONS,
  UT_BOOKSIM_RATIO,
  UT_FIGURES
};
extern const struct ut_figure ut_figures[UT_FIGURES];

/* No cases yet; machine, date, version: what `git describe` says of the repository, else `version`. */
json_t *ut_results_new(const char *root_dir, const char *version);
/* A new case of the results, without figures; borrowed. */
json_t *ut_results_add(json_t *results, const char *group, const char *scenario, double load);

void ut_figure_set(json_t *c, enum ut_figure_index f, double value);
/* NAN: not measured. */
double ut_figure_get(const json_t *c, enum ut_figure_index f);

/* Results from a file; to be freed with json_decref().  NULL and *e (UT_BAD_INPUT) on failure. */
json_t *ut_results_load(const char *path, struct ut_error *e);

/* Figures that both have, as a list of {scenario, load, figure, old, new, ratio, slower}.  ratio: new / old; slower:
 * worse by more than so many per cent. */
json_t *ut_results_compare(const json_t *old, const json_t *new, double percent);

#endif
