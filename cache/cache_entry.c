/* SPDX-License-Identifier: Apache-2.0 */
/* cache_entry.c - see cache_entry.h */
#include "cache_entry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cache_files.h"
#include "cache_log.h"
#include "ending.h"

static void hash_hex(XXH128_hash_t hash, char *out) {
  snprintf(out, UT_KEY_CHARS + 1, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}

int ut_entry_init(struct ut_entry *entry, const char *dir, XXH128_hash_t key, const char *artefact,
                  struct ut_error *e) {
  entry->dir = dir;
  entry->artefact = artefact;
  entry->lock_fd = -1;
  hash_hex(key, entry->key);
  return ut_path_set(e, entry->folder, "%s/%s", dir, entry->key) ||
                 ut_path_set(e, entry->tmp, "%s/%s.tmp", dir, entry->key) ||
                 ut_path_set(e, entry->path, "%s/%s", entry->folder, artefact)
             ? -1
             : 0;
}

/* ---- complete or not ---- */

/* The text of `complete` for the artefact at `path`.  Returns 0, an errno otherwise. */
static int seal(const char *path, char out[96]) {
  char *data, hex[UT_KEY_CHARS + 1];
  size_t size;
  int error = ut_file_read(path, &data, &size);
  if (error)
    return error;
  hash_hex(XXH3_128bits(data, size), hex);
  snprintf(out, 96, "size %zu\nxxh128 %s\n", size, hex);
  free(data);
  return 0;
}

bool ut_entry_is_ready(const struct ut_entry *entry) {
  char path[PATH_MAX + 16], *said = NULL, found[96];
  size_t size;
  snprintf(path, sizeof path, "%s/complete", entry->folder);
  if (ut_file_read(path, &said, &size))
    return false;
  const bool ready = !seal(entry->path, found) && !strcmp(said, found);
  free(said);
  return ready;
}

/* ---- locks ---- */

/* Opens the lock file of a key.  Returns the descriptor, or -1 with errno. */
static int open_lock(const char *dir, const char *key) {
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/%s.lock", dir, key);
  if (n < 0 || n >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EACCES) {
    fd = open(path, O_RDONLY | O_CLOEXEC); /* another user's, in a shared cache */
    if (fd < 0)
      errno = EACCES;
  }
  return fd;
}

static void unlock(struct ut_entry *entry) {
  if (entry->lock_fd >= 0) {
    flock(entry->lock_fd, LOCK_UN); /* what another thread has forked meanwhile holds it, too */
    close(entry->lock_fd);
  }
  entry->lock_fd = -1;
}

/* Takes the entry's lock, waiting for another builder.  Returns 0, or -1 after filling the error. */
static int lock(struct ut_entry *entry, const struct ut_caller *caller) {
  entry->lock_fd = open_lock(entry->dir, entry->key);
  if (entry->lock_fd < 0)
    return ut_fail_os(caller->e, errno, "create a lock file in", entry->dir);
  for (int waits = 0; flock(entry->lock_fd, LOCK_EX | LOCK_NB); waits++) {
    int status = errno == EWOULDBLOCK || errno == EINTR ? ut_caller_check(caller)
                                                        : ut_fail_os(caller->e, errno, "lock an entry of", entry->dir);
    if (status) {
      unlock(entry);
      return -1;
    }
    if (waits == 10)
      ut_caller_say(caller, "another process is building it; waiting");
    usleep(20000); /* a signal shortens it: that is wanted */
  }
  return 0;
}

void ut_entries_sweep(const char *dir) {
  DIR *d = opendir(dir);
  if (!d)
    return;
  for (struct dirent *dirent; (dirent = readdir(d));) {
    char key[UT_KEY_CHARS + 1], path[PATH_MAX + 300];
    if (strlen(dirent->d_name) != UT_KEY_CHARS + 4 || strspn(dirent->d_name, "0123456789abcdef") != UT_KEY_CHARS ||
        !ut_path_ends(dirent->d_name, ".tmp"))
      continue;
    snprintf(key, sizeof key, "%.*s", UT_KEY_CHARS, dirent->d_name);
    snprintf(path, sizeof path, "%s/%s", dir, dirent->d_name);
    int fd = open_lock(dir, key);
    if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
      ut_folder_remove(path);
    if (fd >= 0)
      close(fd);
  }
  closedir(d);
}

/* ---- building one ---- */

/* Seals tmp/entry/ and moves it into place.  Returns 0, or -1 after filling *e. */
static int publish(const struct ut_entry *entry, struct ut_error *e) {
  char from[PATH_MAX], path[PATH_MAX], text[96];
  if (ut_path_set(e, from, "%s/entry", entry->tmp) || ut_path_set(e, path, "%s/%s", from, entry->artefact))
    return -1;
  int error = seal(path, text);
  if (error == ENOENT)
    return ut_fail(e, UT_BAD_INPUT, "the tools have left no %s, and did not say why: reinstall them", entry->artefact);
  if (error)
    return ut_fail_os(e, error, "read back", path);
  if (ut_path_set(e, path, "%s/complete", from) || ut_file_write(path, text, strlen(text), e) ||
      ut_path_set(e, path, "%s/stale", entry->tmp))
    return -1;
  /* Whatever stands there is no complete entry. */
  if (rename(entry->folder, path) && errno != ENOENT)
    return ut_fail_os(e, errno, "replace the damaged entry", entry->folder);
  return rename(from, entry->folder) ? ut_fail_os(e, errno, "move the finished entry to", entry->folder) : 0;
}

/* Of an entry whose lock is held. */
static int build_locked(const struct ut_entry *entry, ut_entry_builder *build, void *of,
                        const struct ut_caller *caller) {
  char path[PATH_MAX];
  ut_folder_remove(entry->tmp);
  ut_temporary_add(entry->tmp);
  if (ut_path_set(caller->e, path, "%s/entry", entry->tmp) || ut_folders_make(path, 0777, caller->e) ||
      build(of, caller) || publish(entry, caller->e))
    return -1;
  ut_log_forget_failure(entry);
  return UT_BUILT;
}

int ut_entry_make(struct ut_entry *entry, ut_entry_builder *build, void *of, const struct ut_caller *caller) {
  if (ut_entry_is_ready(entry))
    return UT_READY;
  if (lock(entry, caller))
    return -1;
  int status = UT_READY; /* by whom we have waited for */
  if (!ut_entry_is_ready(entry)) {
    status = build_locked(entry, build, of, caller);
    ut_folder_remove(entry->tmp);
  }
  unlock(entry);
  return status;
}
