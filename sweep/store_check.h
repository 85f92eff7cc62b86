/* SPDX-License-Identifier: Apache-2.0 */
/* store_check.h - checks whether a file is a database of results, as this program writes them. */
#ifndef UT_STORE_CHECK_H
#define UT_STORE_CHECK_H

#include <stdbool.h>

#include "store.h"

enum {
  UT_STORE_ID = 0x75747372, /* application_id: "utsr" */
  UT_STORE_FORMAT = 1,      /* user_version */
};

/* Reads the file for the first time.  *empty: there is nothing in it, and it can become one.  Else its tables are our
 * tables, with our columns - no views, which may have no end - and hold finite numbers.  -1 and *e: it cannot be used,
 * and was not changed. */
int ut_store_check(const struct ut_store *store, bool *empty, struct ut_error *e);

#endif
