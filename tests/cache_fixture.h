/* SPDX-License-Identifier: Apache-2.0 */
/* cache_fixture.h - a cache folder of a test's own, and compilers in front of the real ones in PATH that can be told to
 * hang or to fail. */
#ifndef UT_TEST_CACHE_FIXTURE_H
#define UT_TEST_CACHE_FIXTURE_H

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cache_files.h"
#include "tool.h"

/* The folder of the test; the cache in it; files there: the compiler does not end while the first exists, and then
 * writes the second; it fails while the third exists. */
static char base[PATH_MAX / 4], cache[PATH_MAX / 2], hang[PATH_MAX / 2], hangs[PATH_MAX / 2], fail_now[PATH_MAX / 2];

static inline int cache_fixture_start(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(base, sizeof base, "%s/uturn-test.XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(base) || chmod(base, 0755))
    return -1;
  snprintf(cache, sizeof cache, "%s/cache", base);
  snprintf(hang, sizeof hang, "%s/hang", base);
  snprintf(hangs, sizeof hangs, "%s/hangs", base);
  snprintf(fail_now, sizeof fail_now, "%s/fail", base);
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/bin:%s", base, getenv("PATH"));
  return setenv("PATH", path, 1);
}

/* Puts one into a folder of ours, for a compiler of that name in PATH; `bin` is the first folder of PATH.  false: there
 * is none. */
static inline bool compiler_stand_in(const char *folder, const char *name) {
  char real[PATH_MAX], path[PATH_MAX];
  if (!ut_tool_find(name, real))
    return false;
  snprintf(path, sizeof path, "%s/%s", base, folder);
  mkdir(path, 0755);
  snprintf(path, sizeof path, "%s/%s/%s", base, folder, name);
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  fprintf(f,
          "#!/bin/sh\n"
          "PATH='%s'\n"
          "if [ \"$1\" != --version ] && [ -e '%s' ]; then\n"
          "  : >'%s'\n"
          "  sleep 1000\n"
          "fi\n"
          "[ ! -e '%s' ] || { echo 'error: the stand-in fails'; exit 1; }\n"
          "exec '%s' \"$@\"\n",
          getenv("PATH"), hang, hangs, fail_now, real);
  return !fclose(f) && !chmod(path, 0755);
}

/* Before each test. */
static inline void cache_fixture_fresh(void) {
  setenv("UTURN_CACHE", cache, 1);
  chmod(cache, 0755);
  unlink(hang), unlink(hangs), unlink(fail_now);
}

static inline int cache_fixture_finish(void **state) {
  (void)state;
  ut_folder_remove(base);
  return 0;
}

static inline void touch(const char *path) {
  const int fd = open(path, O_WRONLY | O_CREAT, 0644);
  assert_true(fd >= 0);
  close(fd);
}

/* Waits for what must come; the limit only ends a hang. */
static inline bool in_the_end(bool (*holds)(void)) {
  for (const time_t limit = time(NULL) + 60; !holds() && time(NULL) < limit;)
    usleep(10000);
  return holds();
}

static inline bool compiler_hangs(void) {
  return !access(hangs, F_OK);
}

/* Has every process ended whose current folder is a temporary one of the cache? */
static inline bool nobody_builds(void) {
  DIR *d = opendir("/proc");
  assert_non_null(d);
  bool nobody = true;
  for (struct dirent *f; (f = readdir(d));) {
    char path[300], cwd[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/cwd", f->d_name);
    const ssize_t n = readlink(path, cwd, sizeof cwd - 1); /* fails for what is no process, or no longer one */
    cwd[n > 0 ? n : 0] = '\0';
    nobody &= strncmp(cwd, cache, strlen(cache)) || !strstr(cwd, ".tmp");
  }
  closedir(d);
  return nobody;
}

/* Number of names in the cache that end like this. */
static inline int count_names(const char *end) {
  DIR *d = opendir(cache);
  assert_non_null(d);
  int n = 0;
  for (struct dirent *f; (f = readdir(d));)
    n += ut_path_ends(f->d_name, end);
  closedir(d);
  return n;
}

#endif
