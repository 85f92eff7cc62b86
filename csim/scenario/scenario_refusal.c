/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_refusal.c - see scenario_refusal.h */
#include "scenario_refusal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenario.h"
#include "scenario_document.h"

enum { PATH_SIZE = 64 };

bool ut_check_given(const struct ut_check *check, const char *path) {
  return check->d && ut_document_find(check->d, NULL, path);
}

const char *ut_check_blamed(const struct ut_check *check, const char *path, const char *other) {
  return ut_check_given(check, path) ? path : other;
}

int ut_impossible(const struct ut_check *check, const char *path, const char *hint, const char *format, ...) {
  char what[512], place[PATH_SIZE + 8];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (!check->d)
    return ut_fail(check->e, UT_BAD_INPUT, "%s: %s%s%s", check->s->path ? check->s->path : "scenario", what,
                   hint ? "\n" : "", hint ? hint : "");
  snprintf(place, sizeof place, "%s", path);
  yaml_node_t *node;
  while (!(node = ut_document_find(check->d, NULL, place))) {
    char *dot = strrchr(place, '.');
    *(dot ? dot : place) = '\0';
  }
  return ut_document_fail(check->d, node, check->e, hint, "%s", what);
}
