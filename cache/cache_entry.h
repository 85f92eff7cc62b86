/* SPDX-License-Identifier: Apache-2.0 */
/* cache_entry.h - one entry of the cache: whole or absent, built by one process at a time (cache_folder.h). */
#ifndef UT_CACHE_ENTRY_H
#define UT_CACHE_ENTRY_H

#include <limits.h>
#include <stdbool.h>

#include <xxhash.h>

#include "cache_caller.h"

enum { UT_KEY_CHARS = 32 };

struct ut_entry {
  char key[UT_KEY_CHARS + 1];
  const char *dir;       /* the cache folder, borrowed */
  const char *artefact;  /* file name in the entry: model.so, support.o */
  char path[PATH_MAX];   /* of the artefact in the cache */
  char folder[PATH_MAX]; /* dir/key */
  char tmp[PATH_MAX];    /* dir/key.tmp */
  int lock_fd;           /* -1: not held */
};

/* Returns 0, or -1 after filling *e. */
int ut_entry_init(struct ut_entry *entry, const char *dir, XXH128_hash_t key, const char *artefact, struct ut_error *e);

/* It is there, complete, and its artefact is what was built. */
bool ut_entry_is_ready(const struct ut_entry *entry);
/* Fills tmp/entry/ of an entry; tmp/ is empty but for that.  Returns 0, or -1 after filling the error. */
typedef int ut_entry_builder(void *of, const struct ut_caller *c);
/* Makes sure that the entry is there.  Waits while another process builds it; calls `build`, with `of`, when nobody has
 * built it, and then seals it and moves it into place.  Returns UT_READY: it was there; UT_BUILT; -1 after filling the
 * error. */
enum { UT_READY, UT_BUILT };
int ut_entry_make(struct ut_entry *entry, ut_entry_builder *build, void *of, const struct ut_caller *caller);

/* Removes the temporary folders of processes that died: those whose lock is free. */
void ut_entries_sweep(const char *dir);

#endif
