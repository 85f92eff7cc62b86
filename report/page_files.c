/* SPDX-License-Identifier: Apache-2.0 */
/* page_files.c - see page_files.h.  The build writes page_files.inc, UT_FILE(number, name, path) for each file of
 * report/page. */
#include "page_files.h"

#include <stdlib.h>
#include <string.h>

#define UT_FILE(n, name, path)                                                                                         \
  __asm__(".pushsection .rodata\nut_page_" #n ": .incbin \"" path "\"\nut_page_end_" #n ":\n.popsection");             \
  extern const char ut_page_##n[], ut_page_end_##n[];
#include "page_files.inc"
#undef UT_FILE

#define UT_FILE(n, name, path) {name, ut_page_##n, ut_page_end_##n},
const struct ut_page_file ut_page_files[] = {
#include "page_files.inc"
};
#undef UT_FILE
const size_t ut_page_file_count = sizeof ut_page_files / sizeof *ut_page_files;

const struct ut_page_file *ut_page_file(const char *name) {
  for (size_t i = 0; i < ut_page_file_count; i++)
    if (!strcmp(ut_page_files[i].name, name))
      return &ut_page_files[i];
  abort();
}
