/* SPDX-License-Identifier: Apache-2.0 */
/* dump_variables.h - our own variables in a wave dump that Verilator writes: numbers and texts, each written when it
 * changes. */
#ifndef UT_DUMP_VARIABLES_H
#define UT_DUMP_VARIABLES_H

#include "shim.h"

/* A dump that is open. */
struct ut_dump_file {
  const struct ut_model_api *api; /* of the class that writes the dump */
  void *trace;
};

struct ut_dump_number {
  uint32_t variable;
  uint8_t bits; /* 1 to 64 */
  bool known;   /* has been written before */
  uint64_t value;
};

enum { UT_DUMP_TEXT_SIZE = 128 };
struct ut_dump_text {
  uint32_t variable;
  bool known;
  char text[UT_DUMP_TEXT_SIZE];
};

/* Opens a scope within the present one; NULL closes the present one. */
void ut_dump_scope(const struct ut_dump_file *file, const char *name);
/* Changes from the scopes of one path, which ends with its last dot ("in0.vc0." or ""), to those of another one. */
void ut_dump_change_scope(const struct ut_dump_file *file, const char *from, const char *to);

/* Declare variables of the present scope; before the first cycle is dumped. */
struct ut_dump_number ut_dump_number(const struct ut_dump_file *file, const char *name, unsigned bits);
struct ut_dump_text ut_dump_text(const struct ut_dump_file *file, const char *name);

/* Set their values from the cycle on that was dumped last. */
void ut_dump_write_number(const struct ut_dump_file *file, struct ut_dump_number *number, uint64_t value);
void ut_dump_write_text(const struct ut_dump_file *file, struct ut_dump_text *dump_text, const char *text);

#endif
