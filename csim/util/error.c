/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - see error.h */
#include "error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at c, and the character; 0: there is none.  No longer form than needed, no surrogates.
 */
static unsigned character(const unsigned char *c, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned length = *c < 0x80 ? 1 : *c >> 5 == 6 ? 2 : *c >> 4 == 14 ? 3 : *c >> 3 == 30 ? 4 : 0;
  *code = length == 1 ? *c : *c & (0x7fu >> length);
  for (unsigned i = 1; i < length; i++) {
    if ((c[i] & 0xc0) != 0x80)
      return 0;
    *code = *code << 6 | (c[i] & 0x3f);
  }
  return *code < least[length] || (*code >> 11) == 0x1b || *code > 0x10ffff ? 0 : length;
}

/* Returns whether a terminal would obey the character; line breaks and tabs are ours.  The last ones reverse the
 * direction of writing. */
static bool is_control(uint32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

void ut_escape_controls(char *out, size_t size, const char *text) {
  size_t used = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    uint32_t code;
    char escaped[8];
    const unsigned length = character(c, &code);
    const char *piece = escaped;
    size_t bytes;
    if (!length || code < 0x20)
      bytes = (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", *c);
    else
      bytes = (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(code & 0xffff));
    if (length && !is_control(code)) {
      piece = (const char *)c;
      bytes = length;
    }
    if (used + bytes >= size)
      break;
    memcpy(out + used, piece, bytes);
    used += bytes;
    c += length ? length : 1;
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
