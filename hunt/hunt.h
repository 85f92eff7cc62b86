/* SPDX-License-Identifier: Apache-2.0 */
/* hunt.h - random lockstep: runs scenarios of all families, each in a process of its own, on all cores, until RTL and
 * golden switches differ or the budget is spent.
 *
 * Of changed RTL only switches that do not elaborate to the same hardware as ours are run.  If the golden switches are
 * the spec's, the hunt is steered: of three scenarios that are drawn, the one is run to which most cover points without
 * a hit apply. */
#ifndef UT_HUNT_H
#define UT_HUNT_H

#include <signal.h>

#include "error.h"
#include "hunt_plan.h"
#include "hunt_points.h"
#include "tally.h"

struct ut_hunt_request {
  const char *root_dir; /* of the repository */
  const char *rtl_dir;  /* folder of ut_switch.v; NULL: ours */
  bool spec;            /* the golden switches are the spec's, not the model's */
  unsigned jobs;
  unsigned families;    /* set of families, by their numbers */
  unsigned shapes;      /* number of shapes; 0: all */
  unsigned each;        /* scenarios of each shape, then the hunt ends; 0: it continues with other seeds */
  double seconds;       /* seconds after which no scenario begins and running ones are ended; 0: no limit */
  uint64_t scenarios;   /* 0: no limit */
  double switch_cycles; /* 0: no limit */
  uint64_t seed;
  const volatile sig_atomic_t *interrupted;
  void (*progress)(void *ctx, const struct ut_hunt_tally *t, double seconds); /* or NULL: after each scenario */
  void *ctx;
};

/* An unexpected end of a scenario. */
struct ut_hunt_find {
  int status; /* UT_MISMATCH; UT_DEADLOCK if the algorithm claims that there is none; UT_OK: nothing was found */
  unsigned shape;
  uint64_t seed;
  char *scenario, *json, *message; /* its YAML, its results, its output on standard error (may be NULL) */
};

struct ut_hunt_result {
  struct ut_hunt_tally tally;
  struct ut_hunt_points points; /* with golden switches of the spec, which count them */
  struct ut_hunt_find find;
  double seconds;
  unsigned same;    /* shapes that are the same hardware as ours */
  unsigned refused; /* shapes that could not be built, or not be run */
  char *reason;     /* of the first of them; or NULL */
};

/* Returns 0, or -1 and fills *e: processes cannot be started, no shape can be built, or it was interrupted.  The result
 * is to be freed in both cases. */
int ut_hunt(const struct ut_hunt_request *request, struct ut_hunt_result *result, struct ut_error *e);
void ut_hunt_free(struct ut_hunt_result *result);

/* Writes the scenarios of the first round, FOLDER/FAMILY-SHAPE-SEED.yaml, and runs none; the folder may exist.  Returns
 * -1 and fills *e on failure. */
int ut_hunt_write(const struct ut_hunt_request *request, const char *folder, struct ut_error *e);

#endif
