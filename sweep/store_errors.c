/* SPDX-License-Identifier: Apache-2.0 */
/* store_errors.c - SQLite's errors in words, with a remedy: see store.h */
#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

int ut_store_damaged(const struct ut_store *store, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: the database is damaged; nothing was changed\nmove it away and run the sweep again, or save "
                 "what can be read with: sqlite3 '%s' .recover | sqlite3 saved.sqlite",
                 store->path, store->path);
}

int ut_store_fail(const struct ut_store *store, const char *doing, struct ut_error *e) {
  const int code = store->db ? sqlite3_errcode(store->db) & 0xff : SQLITE_NOMEM,
            os = store->db ? sqlite3_system_errno(store->db) : 0;
  struct rlimit limit; /* SQLite does not say that a write met it */
  const bool limited = code == SQLITE_IOERR && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY;
  if (code == SQLITE_FULL || limited)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: cannot %s: %s\nfree some space and give the same command again; what is stored is kept",
                   store->path, doing, limited ? "the file may not grow any more (ulimit -f)" : "the disk is full");
  if (code == SQLITE_NOTADB)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: this is no database of results; nothing was changed\nmove it away, or choose another file with "
                   "--results",
                   store->path);
  if (code == SQLITE_CORRUPT)
    return ut_store_damaged(store, e);
  if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: cannot %s: %s\nthe file and its folder must be readable and writable, and their disk must have "
                   "room",
                   store->path, doing, os && os != ENOENT ? strerror(os) : sqlite3_errmsg(store->db));
  const bool ours = code != SQLITE_IOERR && code != SQLITE_BUSY && code != SQLITE_NOMEM;
  return ut_fail(e, ours ? UT_INTERNAL : UT_BAD_INPUT, "%s: cannot %s: %s%s%s%s", store->path, doing,
                 store->db ? sqlite3_errmsg(store->db) : "out of memory", os ? ": " : "", os ? strerror(os) : "",
                 code == SQLITE_IOERR ? "\nis there room on its disk? what is stored is kept" : "");
}

sqlite3_stmt *ut_store_prepare(const struct ut_store *store, const char *sql, struct ut_error *e) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK)
    return statement;
  ut_store_fail(store, "read or write it", e);
  return NULL;
}
