/* SPDX-License-Identifier: Apache-2.0 */
/* booksim.h - BookSim 2, a program that the user has built, and a scenario of ours as a configuration of it: what
 * corresponds to what is said here alone (docs/reference/validate.md). */
#ifndef UT_BENCH_BOOKSIM_H
#define UT_BENCH_BOOKSIM_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

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

/* The file of its network (`network_file`), of one that BookSim reads; malloc'd.  *text NULL: it knows that network.
 * 0, or -1 and *e: out of memory, or a network that it cannot hold. */
int ut_booksim_network(const struct ut_scenario *scenario, char **text, struct ut_error *e);

/* What a run of BookSim reads: its configuration, and the file of its network; empty: there is none. */
struct ut_booksim_files {
  char configuration[PATH_MAX], network[PATH_MAX];
};

/* Writes both.  0, or -1 and *e, and nothing is left. */
int ut_booksim_write(const struct ut_scenario *scenario, const char *configuration, struct ut_booksim_files *files,
                     struct ut_error *e);
void ut_booksim_remove(const struct ut_booksim_files *files);

/* Our number of a terminal of BookSim's: it numbers those of a flattened butterfly row by row. */
uint32_t ut_booksim_terminal(const struct ut_scenario *scenario, uint32_t theirs);

/* Writes a text for that scenario into a new file that the caller removes.  0, or -1 and *e. */
int ut_booksim_file(const struct ut_scenario *scenario, const char *text, char file[PATH_MAX], struct ut_error *e);

#endif
