/* SPDX-License-Identifier: Apache-2.0 */
/* cache_folder.h - a content-addressed cache of what tools make from our sources: where it is.
 *
 * $UTURN_CACHE, else $XDG_CACHE_HOME/uturn, else $HOME/.cache/uturn, else uturn-<uid> below /tmp.
 * An entry is the folder <key>/ with the files that belong together and, written last, `complete` (size and hash of its
 * main file).  The key is a hash of everything that the entry is made from.  What was hashed is what is built: files
 * are read once, and the build works on that snapshot, so that editing a file during a build cannot put a wrong result
 * under a right key.
 *
 * An entry is built in <key>.tmp/ under the lock <key>.lock and renamed into place.  Whoever holds the lock owns the
 * temporary folder; one whose lock is free belongs to a dead process and is removed by the next call.
 */
#ifndef UT_CACHE_FOLDER_H
#define UT_CACHE_FOLDER_H

#include "error.h"

/* Names the folder in `dir` (PATH_MAX bytes), creates it, makes sure that it can be used, and clears away what dead
 * processes left.  Returns 0, or -1 after filling *e. */
int ut_cache_open(char *dir, struct ut_error *e);
/* Its name (malloc'd), not created; NULL: out of memory or no usable name. */
char *ut_cache_name(void);

#endif
