/* SPDX-License-Identifier: Apache-2.0 */
/* test_cache_tools.c - cache/cache_tools: a tool that takes long says for how long, and in which step it is. */
#include "cache_tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct said {
  char line[8][160];
  unsigned count;
};

static void keep(void *ctx, const char *message) {
  struct said *s = ctx;
  assert_true(s->count < 8);
  snprintf(s->line[s->count++], sizeof s->line[0], "%s", message);
}

/* What a shell script that runs as a tool makes the caller say. */
static void run(const char *script, struct said *said) {
  struct ut_error e = {.text = ""};
  struct ut_caller c = {.progress = keep, .ctx = said, .e = &e, .what = "cost"};
  struct ut_job job = {.does = "a script", .log_fd = -1};
  int status = 0;
  *said = (struct said){.count = 0};
  ut_args_add(&job.command, "/bin/sh");
  ut_args_add(&job.command, "-c");
  ut_args_add(&job.command, "%s", script);
  assert_int_equal(ut_jobs_run(&c, &job, 1, "/", &status), UT_JOBS_DONE);
  ut_jobs_free(&job, 1);
}

static void long_tools_say_where_they_are(void **state) {
  (void)state;
  struct said said;
  run("echo '1. Executing HIERARCHY pass'; echo; echo '2.13. Executing ABC pass (technology mapping).'; echo 'ABC: 3. "
      "x'; sleep 2.5",
      &said);
  assert_int_equal(said.count, 1);
  assert_string_equal(said.line[0], "cost: 2 s so far: 2.13. Executing ABC pass (technology mapping).");
  run("echo 'no step'; sleep 2.5", &said);
  assert_int_equal(said.count, 1);
  assert_string_equal(said.line[0], "cost: 2 s so far");
  run("echo '1. Executing HIERARCHY pass'; sleep 0.5", &said); /* nobody waits for that */
  assert_int_equal(said.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_tools_say_where_they_are)};
  return cmocka_run_group_tests_name("cache_tools", tests, NULL, NULL);
}
