/* SPDX-License-Identifier: Apache-2.0 */
/* folder.h - a folder of a test's own, for cmocka_run_group_tests(): made before its tests, and gone after them. */
#ifndef UT_TEST_FOLDER_H
#define UT_TEST_FOLDER_H

#include <stdlib.h>

#include "cache_files.h"

static char folder[] = "/tmp/uturn-test.XXXXXX";

static inline int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}
static inline int remove_folder(void **state) {
  (void)state;
  ut_folder_remove(folder);
  return 0;
}

#endif
