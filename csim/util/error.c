/* error.c - see error.h */
#include "error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at c; 0: there is none. */
static unsigned character(const unsigned char *c) {
  const unsigned length = *c < 0x80 ? 1 : *c >> 5 == 6 ? 2 : *c >> 4 == 14 ? 3 : *c >> 3 == 30 ? 4 : 0;
  for (unsigned i = 1; i < length; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  const bool longer = (length == 2 && c[0] < 0xc2) || (length == 3 && c[0] == 0xe0 && c[1] < 0xa0) ||
                      (length == 4 && c[0] == 0xf0 && c[1] < 0x90); /* than the character need be */
  const bool surrogate = length == 3 && c[0] == 0xed && c[1] > 0x9f;
  const bool beyond = length == 4 && (c[0] > 0xf4 || (c[0] == 0xf4 && c[1] > 0x8f));
  return longer || surrogate || beyond ? 0 : length;
}

/* Whether a terminal obeys it; line breaks and tabs are ours. */
static bool is_control(const unsigned char *c) {
  return (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
}

void ut_escape_controls(char *out, size_t size, const char *text) {
  size_t used = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    const unsigned length = character(c);
    if (!length || is_control(c)) {
      const unsigned bytes = length ? length : 1;
      if (used + 4 * bytes >= size)
        break;
      for (unsigned i = 0; i < bytes; i++)
        used += (size_t)snprintf(out + used, size - used, "\\x%02x", *c++);
    } else {
      if (used + length >= size)
        break;
      memcpy(out + used, c, length);
      used += length;
      c += length;
    }
  }
  out[used] = '\0';
}

int ut_fail(struct ut_error *e, enum ut_exit code, const char *format, ...) {
  if (!e)
    return -1;
  char text[sizeof e->text]; /* e->text may be among the arguments */
  va_list args;
  va_start(args, format);
  e->code = code;
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  ut_escape_controls(e->text, sizeof e->text, text);
  return -1;
}

int ut_fail_memory(struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "out of memory");
}
