/* SPDX-License-Identifier: Apache-2.0 */
/* cost_output.h - what `uturn cost` prints. */
#ifndef UT_COST_OUTPUT_H
#define UT_COST_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cost_vary.h"
#include "shape.h"
#include "topology.h"

struct ut_cost_row { /* one switch */
  char label[UT_LABEL_SIZE];
  struct ut_scenario *scenario;
  struct ut_shape shape;
  struct ut_elaboration elaboration; /* which of the scenario's switches: several, where they differ */
  unsigned of, elaborations;
  size_t reference; /* the row that it is compared with */
  json_t *cost, *network;
};

struct ut_cost_table {
  struct ut_cost_row *row;
  size_t rows, measured;
  bool compare;
};

/* The rows that were measured; their networks only, if they have no cost. */
void ut_cost_print(const struct ut_cost_table *table, bool json);

#endif
