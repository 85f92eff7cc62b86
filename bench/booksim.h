/* booksim.h - the same work on BookSim 2, for scenarios that it can do: a program that the user has built, run with a
 * configuration that we write. */
#ifndef UT_BENCH_BOOKSIM_H
#define UT_BENCH_BOOKSIM_H

#include <jansson.h>

#include "callgrind.h"
#include "scenario.h"

struct ut_booksim {
  char program[PATH_MAX];
  json_t *known; /* results by configuration: several scenarios lead to the same one */
};

/* dir: BookSim's folder, or its src/.  0, or -1 and *e: there is no program. */
int ut_booksim_open(struct ut_booksim *b, const char *dir, struct ut_error *e);
void ut_booksim_close(struct ut_booksim *b);

/* Whether BookSim has that network, switching and traffic. */
bool ut_booksim_can(const struct ut_scenario *s);

/* Instructions of BookSim for a flit-hop, counted as those of the golden model.  0, or -1 and *e. */
int ut_booksim_per_hop(struct ut_booksim *b, const struct ut_callgrind *c, const struct ut_scenario *s, double *out,
                       struct ut_error *e);

#endif
