/* cache_entry.h - one entry of the cache: whole or absent, built by one process at a time (see model_cache.h). */
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
int ut_entry_init(struct ut_entry *n, const char *dir, XXH128_hash_t key, const char *artefact, struct ut_error *e);

/* Waits while another process builds the entry.  Returns UT_READY; UT_CLAIMED when the entry must be built: it is
 * locked, tmp/ and tmp/entry/ are empty, release it; -1 after filling the error. */
enum { UT_READY, UT_CLAIMED };
int ut_entry_claim(struct ut_entry *n, const struct ut_caller *c);
/* Seals tmp/entry/ of a claimed entry and moves it into place.  Returns 0, or -1 after filling *e. */
int ut_entry_publish(const struct ut_entry *n, struct ut_error *e);
/* Removes tmp/ of a claimed entry and unlocks it, whether it was published or not. */
void ut_entry_release(struct ut_entry *n);

/* Removes the temporary folders of processes that died: those whose lock is free. */
void ut_entries_sweep(const char *dir);

#endif
