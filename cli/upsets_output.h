/* SPDX-License-Identifier: Apache-2.0 */
/* upsets_output.h - what `uturn upsets` prints, and the list it writes. */
#ifndef UT_UPSETS_OUTPUT_H
#define UT_UPSETS_OUTPUT_H

#include "cli.h"
#include "flip_flops.h"
#include "upsets.h"

struct ut_upset_results {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const char *library;                                       /* its own name */
  const struct ut_flip_flop *flip_flop[UT_MAX_ELABORATIONS]; /* of their netlists */
  size_t flip_flops[UT_MAX_ELABORATIONS];
  const struct ut_upset *upset; /* [count] */
  const uint8_t *outcome;       /* [count] */
  size_t count;
  double run_s;
};

void ut_upsets_print(const struct ut_upset_results *results, bool json);
/* Every injection, a row each.  Returns 0, or -1 after filling *e. */
int ut_upsets_list(const struct ut_upset_results *results, const char *path, struct ut_error *e);

#endif
