/* SPDX-License-Identifier: Apache-2.0 */
/* switch_sources.c - see switch_sources.h.  The build writes switch_files.inc, UT_FILE(number, name, path) for each
 * file. */
#include "switch_sources.h"

#include <limits.h>

#include "cache_files.h"

#define UT_FILE(n, name, path)                                                                                         \
  __asm__(".pushsection .rodata\nut_file_" #n ": .incbin \"" path "\"\nut_file_end_" #n ":\n.popsection");             \
  extern const char ut_file_##n[], ut_file_end_##n[];
#include "switch_files.inc"
#undef UT_FILE

int ut_switch_sources_put(struct ut_sources *sources, const char *folder, struct ut_error *e) {
#define UT_FILE(n, name, path) {name, ut_file_##n, ut_file_end_##n},
  const struct {
    const char *name, *begin, *end;
  } file[] = {
#include "switch_files.inc"
  };
#undef UT_FILE
  char name[PATH_MAX];
  for (size_t i = 0; i < sizeof file / sizeof *file; i++)
    if (ut_path_set(e, name, "%s/%s", folder, file[i].name) ||
        ut_sources_put(sources, name, file[i].begin, (size_t)(file[i].end - file[i].begin), e))
      return -1;
  return 0;
}
