/* SPDX-License-Identifier: Apache-2.0 */
/* prove_fabric.h - `uturn prove --fabric`: tables of somebody else, without a scenario. */
#ifndef UT_PROVE_FABRIC_H
#define UT_PROVE_FABRIC_H

#include <stdbool.h>

#include "error.h"

struct ut_scenario;

struct ut_fabric_request {
  const char *network, *tables;
  const char *sl, *sl2vl;     /* NULL: one VL; the VL is the SL */
  const char *from, *compare; /* tables before these; tables of another manager; NULL: none */
  const char *compare_sl;     /* path SLs of the other manager; NULL: the same */
  const char *replay;         /* a scenario that shows the counter-example; NULL: none */
  bool switches, json;
};

/* Examines the routes of all pairs of terminals (fabric_routes.h) and prints what it finds.  Returns the exit status;
 * UT_DEADLOCK: a pair is not delivered, or channels wait for each other. */
int ut_prove_fabric(const struct ut_fabric_request *request);

/* The same network with tables planned here, up/down, which the planner makes anew after each fault; those of the
 * request are not looked at, and standard error says so.  NULL and *e. */
struct ut_scenario *ut_fabric_scenario(const struct ut_fabric_request *request, struct ut_error *e);

#endif
