/* SPDX-License-Identifier: Apache-2.0 */
/* cache_sources.h - a snapshot of the files of ours that an entry is made from: each is read once. */
#ifndef UT_CACHE_SOURCES_H
#define UT_CACHE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct ut_source {
  char *name; /* below the folder of the build: rtl/..., src/tb/..., src/csim/... */
  char *data;
  size_t size;
};

struct ut_sources { /* all zero: empty */
  struct ut_source *item;
  size_t n;
};

bool ut_sources_have(const struct ut_sources *sources, const char *name);
/* Reads `path` into the snapshot as `name`.  Returns 0; 1 when it does not exist or is no file and `optional`; -1 after
 * filling the error. */
int ut_sources_add(struct ut_sources *sources, const char *path, const char *name, bool optional, struct ut_error *e);
/* Copies a text into the snapshot.  Returns 0, or -1 after filling *e. */
int ut_sources_put(struct ut_sources *sources, const char *name, const char *data, size_t size, struct ut_error *e);
/* Reads all *.v and *.vh of the folder of ut_switch.v, as rtl/...  Returns 0, or -1 after filling *e. */
int ut_sources_add_rtl(struct ut_sources *sources, const char *rtl, struct ut_error *e);
/* Sorts them by name: folders are read in any order. */
void ut_sources_sort(struct ut_sources *sources);
/* Writes them below `folder`.  Returns 0, or -1 after filling *e. */
int ut_sources_write(const struct ut_sources *sources, const char *folder, struct ut_error *e);
void ut_sources_free(struct ut_sources *sources);

/* The RTL folder in `out` (PATH_MAX bytes), absolute: `rtl`, or root/rtl when that is NULL.  Returns 0, or -1 after
 * filling *e. */
int ut_sources_rtl_folder(const char *root, const char *rtl, char *out, struct ut_error *e);

#endif
