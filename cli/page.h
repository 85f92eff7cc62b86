/* SPDX-License-Identifier: Apache-2.0 */
/* page.h - pages some of whose tables a command writes: those between the lines <!-- COMMAND: NAME --> and
 * <!-- COMMAND: end -->. */
#ifndef UT_PAGE_H
#define UT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

struct ut_page_tables {
  const char *command, *const *name; /* the tables that there are, ended by NULL */
  /* Writes table number i of `name`; false: it has nothing to say, and the table stays as it is. */
  bool (*put)(void *ctx, FILE *out, unsigned i);
  void *ctx;
};

/* Whether the page can be read and written, and has such lines.  0, or -1 and *e. */
int ut_page_check(const char *path, const struct ut_page_tables *tables, struct ut_error *e);
/* Replaces the tables.  Nothing is half-written.  0, or -1 and *e. */
int ut_page_write(const char *path, const struct ut_page_tables *tables, struct ut_error *e);

#endif
