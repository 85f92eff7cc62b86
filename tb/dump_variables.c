/* SPDX-License-Identifier: Apache-2.0 */
/* dump_variables.c - see dump_variables.h */
#include "dump_variables.h"

#include <stdio.h>
#include <string.h>

void ut_dump_scope(const struct ut_dump_file *file, const char *name) {
  file->api->trace_scope(file->trace, name);
}

void ut_dump_change_scope(const struct ut_dump_file *file, const char *from, const char *to) {
  size_t shared = 0; /* characters of the scopes that both have */
  for (size_t i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '.')
      shared = i + 1;
  for (from += shared; (from = strchr(from, '.')); from++)
    ut_dump_scope(file, NULL);
  for (const char *dot; (dot = strchr(to += shared, '.')); shared = (size_t)(dot + 1 - to)) {
    char scope[64];
    snprintf(scope, sizeof scope, "%.*s", (int)(dot - to), to);
    ut_dump_scope(file, scope);
  }
}

struct ut_dump_number ut_dump_number(const struct ut_dump_file *file, const char *name, unsigned bits) {
  char ranged[64]; /* as Verilator writes it */
  snprintf(ranged, sizeof ranged, bits > 1 ? "%s [%u:0]" : "%s", name, bits - 1);
  return (struct ut_dump_number){.variable = file->api->trace_variable(file->trace, ranged, bits),
                                 .bits = (uint8_t)bits};
}

struct ut_dump_text ut_dump_text(const struct ut_dump_file *file, const char *name) {
  return (struct ut_dump_text){.variable = file->api->trace_variable(file->trace, name, 0)};
}

void ut_dump_write_number(const struct ut_dump_file *file, struct ut_dump_number *number, uint64_t value) {
  char digits[65] = "";
  if (number->known && number->value == value)
    return;
  number->known = true;
  number->value = value;
  for (unsigned i = 0; i < number->bits; i++)
    digits[i] = (char)('0' + (value >> (number->bits - 1 - i) & 1));
  file->api->trace_digits(file->trace, number->variable, digits);
}

void ut_dump_write_text(const struct ut_dump_file *file, struct ut_dump_text *dump_text, const char *text) {
  if (dump_text->known && !strcmp(dump_text->text, text))
    return;
  dump_text->known = true;
  snprintf(dump_text->text, sizeof dump_text->text, "%s", text);
  file->api->trace_text(file->trace, dump_text->variable, dump_text->text);
}
