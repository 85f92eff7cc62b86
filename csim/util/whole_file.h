/* whole_file.h - a file that appears under its name when it is complete: it is written beside it first.  Pipes and
 * devices are written directly. */
#ifndef UT_WHOLE_FILE_H
#define UT_WHOLE_FILE_H

#include <stdio.h>

#include "error.h"

struct ut_whole_file {
  FILE *file; /* to be written to; NULL: not open */
  /* private */
  const char *path;
  char *target, *part;
};

/* -1 and *e, and nothing to be closed, if it cannot be written; the path must outlive it. */
int ut_whole_file_open(struct ut_whole_file *f, const char *path, struct ut_error *e);
/* Nothing is left of it; what was there under its name stays. */
void ut_whole_file_drop(struct ut_whole_file *f);
/* Gives it its name.  -1 and *e when that, or anything written before, has failed; then it is dropped. */
int ut_whole_file_close(struct ut_whole_file *f, struct ut_error *e);

#endif
