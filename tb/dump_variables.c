/* SPDX-License-Identifier: Apache-2.0 */
/* dump_variables.c - see dump_variables.h */
#include "dump_variables.h"

#include <stdio.h>
#include <string.h>

void ut_dump_scope(const struct ut_dump_file *f, const char *name) {
  f->api->trace_scope(f->trace, name);
}

void ut_dump_change_scope(const struct ut_dump_file *f, const char *from, const char *to) {
  size_t shared = 0; /* characters of the scopes that both have */
  for (size_t i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '.')
      shared = i + 1;
  for (from += shared; (from = strchr(from, '.')); from++)
    ut_dump_scope(f, NULL);
  for (const char *dot; (dot = strchr(to += shared, '.')); shared = (size_t)(dot + 1 - to)) {
    char scope[64];
    snprintf(scope, sizeof scope, "%.*s", (int)(dot - to), to);
    ut_dump_scope(f, scope);
  }
}

struct ut_dump_number ut_dump_number(const struct ut_dump_file *f, const char *name, unsigned bits) {
  char ranged[64]; /* as Verilator writes it */
  snprintf(ranged, sizeof ranged, bits > 1 ? "%s [%u:0]" : "%s", name, bits - 1);
  return (struct ut_dump_number){.variable = f->api->trace_variable(f->trace, ranged, bits), .bits = (uint8_t)bits};
}

struct ut_dump_text ut_dump_text(const struct ut_dump_file *f, const char *name) {
  return (struct ut_dump_text){.variable = f->api->trace_variable(f->trace, name, 0)};
}

void ut_dump_write_number(const struct ut_dump_file *f, struct ut_dump_number *x, uint64_t value) {
  char digits[65] = "";
  if (x->known && x->value == value)
    return;
  x->known = true;
  x->value = value;
  for (unsigned i = 0; i < x->bits; i++)
    digits[i] = (char)('0' + (value >> (x->bits - 1 - i) & 1));
  f->api->trace_digits(f->trace, x->variable, digits);
}

void ut_dump_write_text(const struct ut_dump_file *f, struct ut_dump_text *x, const char *text) {
  if (x->known && !strcmp(x->text, text))
    return;
  x->known = true;
  snprintf(x->text, sizeof x->text, "%s", text);
  f->api->trace_text(f->trace, x->variable, x->text);
}
