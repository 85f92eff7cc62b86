/* SPDX-License-Identifier: Apache-2.0 */
/* fst_file.h - checks whether a wave dump (FST) is complete.
 *
 * GTKWave's writer does not report a full disk, and its readers wait for ever on a truncated file.  A dump is a chain
 * of blocks: a byte of kind, 8 bytes of length, contents.  A dump is complete if its last block ends with the file, no
 * block is still marked as being written, and the signals' geometry and names are there.
 */
#ifndef UT_FST_FILE_H
#define UT_FST_FILE_H

#include <stdint.h>

#include "error.h"

/* Returns 0, or -1 and fills *e (UT_BAD_INPUT): the file cannot be read, is no dump, or is not complete.  end: NULL, or
 * receives the last time in the dump, in its unit; 0 if the dump does not say it. */
int ut_fst_check(const char *path, uint64_t *end, struct ut_error *e);

#endif
