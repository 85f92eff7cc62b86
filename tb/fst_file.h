/* SPDX-License-Identifier: Apache-2.0 */
/* fst_file.h - whether a wave dump (FST) is complete.
 *
 * GTKWave's writer tells nobody of a full disk, and its readers wait for ever on what was cut off.  A dump is a chain
 * of blocks: a byte of kind, 8 bytes of length, contents.  Complete are those that end with the file, where no block is
 * still marked as being written, and where the places of the signals and their names are there.
 */
#ifndef UT_FST_FILE_H
#define UT_FST_FILE_H

#include <stdint.h>

#include "error.h"

/* 0, or -1 and *e (UT_BAD_INPUT): it cannot be read, is no dump, or not complete.  end: NULL, or the last time in it,
 * in its unit; 0 where it does not say. */
int ut_fst_check(const char *path, uint64_t *end, struct ut_error *e);

#endif
