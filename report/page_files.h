/* SPDX-License-Identifier: Apache-2.0 */
/* page_files.h - report/page/ as this program was built from it, in the program. */
#ifndef UT_PAGE_FILES_H
#define UT_PAGE_FILES_H

#include <stddef.h>

struct ut_page_file {
  const char *name, *begin, *end;
};
/* core.js and style.css first, others by name. */
extern const struct ut_page_file ut_page_files[];
extern const size_t ut_page_file_count;
/* Of a file that is there. */
const struct ut_page_file *ut_page_file(const char *name);

#endif
