/* SPDX-License-Identifier: Apache-2.0 */
/* cache_folder.c - see cache_folder.h */
#include "cache_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_entry.h"
#include "cache_files.h"

/* The name of the cache folder.  *of_tmp: it is the one below /tmp. */
static int name_cache(struct ut_error *e, char *out, bool *of_tmp) {
  const char *own = getenv("UTURN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char here[PATH_MAX];
  *of_tmp = false;
  if (own && own[0] == '/')
    return ut_path_set(e, out, "%s", own);
  if (own && own[0])
    return getcwd(here, sizeof here) ? ut_path_set(e, out, "%s/%s", here, own)
                                     : ut_fail_os(e, errno, "find", "the current folder");
  if (xdg && xdg[0] == '/')
    return ut_path_set(e, out, "%s/uturn", xdg);
  if (home && home[0] == '/' && home[1])
    return ut_path_set(e, out, "%s/.cache/uturn", home);
  *of_tmp = true;
  return ut_path_set(e, out, "/tmp/uturn-%lu", (unsigned long)getuid());
}

int ut_cache_open(char *dir, struct ut_error *e) {
  bool of_tmp;
  struct stat st;
  if (name_cache(e, dir, &of_tmp) || ut_folders_make(dir, of_tmp ? 0700 : 0777, e))
    return -1;
  /* Anybody can create names below /tmp, and what lies here is executed. */
  if (of_tmp && (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 022)))
    return ut_fail(e, UT_BAD_INPUT,
                   "the cache folder %s is not yours alone: remove it, or set UTURN_CACHE to another folder", dir);
  if (access(dir, R_OK | X_OK))
    return ut_fail_os(e, errno, "read the cache folder", dir);
  ut_entries_sweep(dir);
  return 0;
}

char *ut_cache_name(void) {
  char path[PATH_MAX];
  bool of_tmp;
  return name_cache(NULL, path, &of_tmp) ? NULL : strdup(path);
}
