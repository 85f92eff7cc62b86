/* SPDX-License-Identifier: Apache-2.0 */
/* cost_vary.h - `uturn cost --vary KEY=V1,V2,...`: one scenario, several switches. */
#ifndef UT_COST_VARY_H
#define UT_COST_VARY_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct ut_scenario;

enum { UT_VARY_OPTIONS = 4, UT_VARY_VALUES = 32, UT_LABEL_SIZE = 160 };

struct ut_vary { /* one option */
  const char *key;
  char *text; /* owns what value[] points to */
  const char *value[UT_VARY_VALUES];
  size_t values;
  bool all; /* algorithms of the scenario's topology */
};

/* Reads "KEY=V1,V2,...".  algorithm=all stands for all algorithms of the scenario's topology.  Returns 0, or -1 after
 * filling *e; free in both cases. */
int ut_vary_parse(struct ut_vary *vary, const char *text, struct ut_error *e);
void ut_vary_free(struct ut_vary *vary);

/* Puts the algorithms of the scenario's topology where `all` is asked for. */
void ut_vary_expand(struct ut_vary *vary, const struct ut_scenario *scenario);
/* Sets value i of the key.  Returns 0, or -1 after filling *e. */
int ut_vary_apply(const struct ut_vary *vary, size_t i, struct ut_scenario *scenario, struct ut_error *e);
/* After all are set: VCs that the algorithm needs are added unless VCs themselves are varied, and the result is
 * checked.  run: the scenario is to be run; else it is only about its switch, and its traffic and faults do not matter.
 * Returns 0, or -1 after filling *e. */
int ut_vary_finish(const struct ut_vary *vary, size_t n, struct ut_scenario *scenario, bool run, struct ut_error *e);
/* A key that says something of the traffic, not of switches. */
bool ut_vary_of_traffic(const struct ut_vary *vary);

/* Key number i; NULL: there are no more. */
const char *ut_vary_key(size_t i);
/* The words that a key takes, up to UT_MAX_WORDS (scenario_schema.h); returns their number, 0: it takes numbers. */
size_t ut_vary_words(const char *key, const char **words);

#endif
