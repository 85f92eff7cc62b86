/* SPDX-License-Identifier: Apache-2.0 */
/* result.c - the tree of a result, and JSON of it; text: result_text.c.  See result.h */
#define _GNU_SOURCE
#include "result.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

json_t *ut_int(uint64_t value) {
  return json_integer((json_int_t)value);
}

json_t *ut_int_if(bool known, uint64_t value) {
  return known ? ut_int(value) : json_null();
}

json_t *ut_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *ut_string(const char *text) {
  return text ? ut_json_text(text) : json_null();
}

json_t *ut_format(const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  const int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0) {
    ut_result_lack();
    return NULL;
  }
  json_t *string = ut_json_text(text);
  free(text);
  return string;
}

json_t *ut_object_add(json_t *object, const struct ut_member *member) {
  for (; member->key; member++)
    if (member->value)
      json_object_set_new(object, member->key, member->value);
  return object;
}

void ut_result_strip(json_t *tree) {
  const char *key;
  json_t *value;
  void *next;
  size_t i;
  json_object_foreach_safe(tree, next, key, value) {
    if (key[0] == '_')
      json_object_del(tree, key);
    else
      ut_result_strip(value);
  }
  json_array_foreach(tree, i, value) {
    ut_result_strip(value);
  }
}

void ut_result_print(json_t *result, bool json, int digits, const char *layout) {
  if (json) {
    ut_result_strip(result);
    json_dumpf(result, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION((size_t)digits));
    putchar('\n');
  } else {
    ut_result_put(result, layout, stdout);
  }
  json_decref(result);
}

void ut_result_print_rows(json_t *result, bool json, bool one, int digits, const char *layout) {
  json_t *rows = json_object_get(result, "rows");
  if (!json) {
    ut_result_print(result, false, digits, layout);
    return;
  }
  ut_result_print(json_incref(one ? json_array_get(rows, 0) : rows), true, digits, layout);
  json_decref(result);
}
