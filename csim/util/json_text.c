/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.c - see json_text.h */
#include "json_text.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

json_t *ut_json_text(const char *text) {
  json_t *string = json_string(text);
  if (string)
    return string;
  const size_t size = 4 * strlen(text) + 5;
  char *escaped = malloc(size);
  if (escaped) {
    ut_escape_controls(escaped, size, text);
    string = json_string(escaped);
  }
  free(escaped);
  return string;
}
