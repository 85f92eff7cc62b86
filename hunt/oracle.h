/* SPDX-License-Identifier: Apache-2.0 */
/* oracle.h - decides whether a case fails in lockstep, and where.
 *
 * Each run is a process of its own: RTL of others may end its program (an assertion, $finish) or run for ever, and
 * every run finds the models as they were loaded.  The models of an elaboration are requested only once.
 */
#ifndef UT_ORACLE_H
#define UT_ORACLE_H

#include "case.h"
#include "shrink.h"

enum ut_answer {
  UT_ANSWER_PASSES,
  UT_ANSWER_FAILS,
  UT_ANSWER_DIED,    /* the process of the run */
  UT_ANSWER_UNKNOWN, /* the case cannot be run, or there was no time */
};

/* The model of an elaboration. */
struct ut_built {
  struct ut_shape shape;
  char *path;    /* NULL: there is none */
  void *library; /* loaded once for all runs; NULL: not yet */
};

struct ut_oracle {
  struct ut_model_source models;
  bool spec;
  const volatile sig_atomic_t *stop; /* or NULL */
  double deadline;                   /* ut_seconds() at which the time ends; 0: no limit */
  double longest_build;              /* seconds */
  struct ut_built *built;
  size_t builts;
  unsigned runs;
  bool short_of_time; /* a run, or a build, was skipped for lack of time */
};

void ut_oracle_free(struct ut_oracle *oracle);
/* Returns whether the time is over, or the search was interrupted. */
bool ut_oracle_is_over(struct ut_oracle *oracle);
/* Returns how many models the scenario needs that have not been requested yet; UINT_MAX: the switch is impossible, or
 * has no model. */
unsigned ut_oracle_missing(const struct ut_oracle *oracle, const struct ut_scenario *scenario);
/* Returns whether there is time to build that many models. */
bool ut_oracle_has_time_for(struct ut_oracle *oracle, unsigned models);
/* Runs a case.  Fills *failure if it fails, *e if the answer is unknown. */
enum ut_answer ut_oracle_ask(struct ut_oracle *oracle, const struct ut_case *repro, struct ut_failure *failure,
                             struct ut_error *e);

#endif
