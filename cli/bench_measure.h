/* SPDX-License-Identifier: Apache-2.0 */
/* bench_measure.h - measures the cases of `bench` one by one and prints them as they come. */
#ifndef UT_BENCH_MEASURE_H
#define UT_BENCH_MEASURE_H

#include <jansson.h>
#include <stdbool.h>

#include "cases.h"

struct ut_bench_request {
  struct ut_bench_cases cases; /* of the user's; if there are none, ours are found */
  const char *only;            /* pattern for ours, or NULL */
  const char *booksim;         /* folder, or NULL */
  bool json;                   /* no table on standard output */
  bool quick, all;
  bool lanes, gates; /* lockstep in lanes beside Verilator: of the RTL, of the gates, too */
};

/* Adds what has been measured to the results, whatever the exit status, which it returns after printing the error. */
int ut_bench_measure(struct ut_bench_request *request, json_t *results);

#endif
