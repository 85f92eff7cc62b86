/* SPDX-License-Identifier: Apache-2.0 */
/* nearest_file.h - the file that a user may have meant who has named one that is not there. */
#ifndef UT_NEAREST_FILE_H
#define UT_NEAREST_FILE_H

#include <limits.h>
#include <stdbool.h>

/* A file of the folder of `path` whose name is like the one of `path`, with the same ending (.yaml where it has none).
 * Of a scenario before that one of the same name in scenarios/ - of the current folder, else of $UTURN_ROOT -, and
 * after it one of a like name there.  Its path, written into near and returned; NULL: there is none. */
const char *ut_nearest_file(const char *path, bool scenario, char near[PATH_MAX]);

#endif
