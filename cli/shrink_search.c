/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_search.c - see shrink_search.h */
#include "shrink_search.h"

#include <stdio.h>

enum { SECONDS = 120 };

static int get_models(void *ctx, const struct ut_scenario *s, struct ut_models *models, struct ut_error *e) {
  return ut_models_get(s, ctx, models, e);
}

static void show_line(void *ctx, const char *line) {
  (void)ctx;
  fprintf(stderr, "%s\n", line);
}

int ut_shrink_search(const struct ut_shrink_search *q, struct ut_shrink_result *r, struct ut_error *e) {
  const struct ut_shrink_request request = {.scenario = q->scenario,
                                            .models = {get_models, q->device},
                                            .spec = q->spec,
                                            .budget_s = q->seconds ? (double)q->seconds : SECONDS,
                                            .stop = &ut_interrupted,
                                            .progress = show_line};
  *r = (struct ut_shrink_result){0};
  if (ut_shrink_check_files(q->prefix, e) || ut_shrink(&request, r, e))
    return -1;
  return r->fails ? ut_shrink_write(r, q->prefix, q->command, e) : 0;
}
