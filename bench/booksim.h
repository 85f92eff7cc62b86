/* SPDX-License-Identifier: Apache-2.0 */
/* booksim.h - BookSim 2, a program that the user has built, and a scenario of ours as a configuration of it: what
 * corresponds to what is said here alone (docs/reference/validate.md). */
#ifndef UT_BENCH_BOOKSIM_H
#define UT_BENCH_BOOKSIM_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "error.h"

struct ut_scenario;

struct ut_booksim {
  char program[PATH_MAX];
  json_t *known; /* instructions by configuration: several scenarios lead to the same one */
};

/* dir: BookSim's folder, or its src/.  0, or -1 and *e: there is no program. */
int ut_booksim_open(struct ut_booksim *booksim, const char *dir, struct ut_error *e);
void ut_booksim_close(struct ut_booksim *booksim);

/* Whether BookSim has that network, switching and traffic. */
bool ut_booksim_can(const struct ut_scenario *scenario);
/* The same; -1 and *e (UT_BAD_INPUT), which says what it can do. */
int ut_booksim_check(const struct ut_scenario *scenario, struct ut_error *e);

/* The configuration of a scenario that BookSim can do, without the length of the run (`sample_period`); malloc'd.
 * BookSim simulates two sample periods, the first one to warm up.  NULL and *e: out of memory. */
char *ut_booksim_configuration(const struct ut_scenario *scenario, struct ut_error *e);

/* Writes a text for that scenario into a new file that the caller removes.  0, or -1 and *e. */
int ut_booksim_file(const struct ut_scenario *scenario, const char *text, char file[PATH_MAX], struct ut_error *e);

#endif
