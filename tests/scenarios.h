/* SPDX-License-Identifier: Apache-2.0 */
/* scenarios.h - scenarios of the tests from a text, and their networks; a mistake in the text fails the test. */
#ifndef UT_TEST_SCENARIOS_H
#define UT_TEST_SCENARIOS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "network.h"
#include "scenario_read.h"

/* The caller frees. */
static inline struct ut_scenario *__attribute__((format(printf, 1, 2))) test_scenario(const char *format, ...) {
  char text[4096];
  struct ut_error e;
  va_list args;
  va_start(args, format);
  assert_in_range(vsnprintf(text, sizeof text, format, args), 1, sizeof text - 1);
  va_end(args);
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  if (!s)
    fail_msg("%s\n%s", text, e.text);
  return s;
}

static inline void test_network(struct ut_network *n, const struct ut_scenario *s) {
  struct ut_error e;
  if (ut_network_init(n, s, NULL, &e))
    fail_msg("%s", e.text);
}

enum { UT_TEST_TRACE_PATH = 32 };

/* A trace on disk, in a file that the caller removes. */
static inline void test_write_trace(char path[UT_TEST_TRACE_PATH], const char *text) {
  snprintf(path, UT_TEST_TRACE_PATH, "/tmp/uturn-trace-XXXXXX");
  int file = mkstemp(path);
  assert_true(file >= 0);
  dprintf(file, "%s", text);
  close(file);
}

#endif
