/* SPDX-License-Identifier: Apache-2.0 */
/* number.c - see number.h */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ut_number_read(const char **text, uint64_t most, uint64_t *number) {
  const char *c = *text;
  uint64_t n = 0;
  if (*c < '0' || *c > '9')
    return false;
  for (; *c >= '0' && *c <= '9'; c++) {
    const uint64_t digit = (uint64_t)(*c - '0');
    if (n > (most - digit) / 10 || digit > most)
      return false;
    n = 10 * n + digit;
  }
  *text = c;
  *number = n;
  return true;
}

bool ut_number_is(const char *text, uint64_t most, uint64_t *number) {
  return ut_number_read(&text, most, number) && !*text;
}

bool ut_real_is(const char *text, double *number) {
  char *end;
  if (!*text || strspn(text, "0123456789.eE+-") != strlen(text) || strchr("eE+-", *text))
    return false;
  errno = 0;
  const double x = strtod(text, &end);
  if (*end || errno == ERANGE) /* infinite, or too near to zero */
    return false;
  *number = x;
  return true;
}
