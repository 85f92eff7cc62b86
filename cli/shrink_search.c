/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_search.c - see shrink_search.h */
#include "shrink_search.h"

#include <stdio.h>

enum { SECONDS = 120 };

static int get_models(void *ctx, const struct ut_scenario *scenario, struct ut_models *models, struct ut_error *e) {
  return ut_models_get(scenario, ctx, models, e);
}

static void show_line(void *ctx, const char *line) {
  (void)ctx;
  fprintf(stderr, "%s\n", line);
}

int ut_shrink_search(const struct ut_shrink_search *search, struct ut_shrink_result *result, struct ut_error *e) {
  const struct ut_shrink_request request = {.scenario = search->scenario,
                                            .models = {get_models, search->device},
                                            .spec = search->spec,
                                            .budget_s = search->seconds ? (double)search->seconds : SECONDS,
                                            .stop = &ut_interrupted,
                                            .progress = show_line};
  *result = (struct ut_shrink_result){0};
  if (ut_shrink_check_files(search->prefix, e) || ut_shrink(&request, result, e))
    return -1;
  return result->fails ? ut_shrink_write(result, search->prefix, search->command, e) : 0;
}
