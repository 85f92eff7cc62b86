/* error.c - see error.h */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

int ut_fail(struct ut_error *e, enum ut_exit code, const char *format, ...) {
  if (!e)
    return -1;
  va_list args;
  va_start(args, format);
  e->code = code;
  vsnprintf(e->text, sizeof e->text, format, args);
  va_end(args);
  return -1;
}
