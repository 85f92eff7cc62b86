/* SPDX-License-Identifier: Apache-2.0 */
/* fst_file.c - see fst_file.h */
#define _GNU_SOURCE
#include "fst_file.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "input.h"

/* Kinds of blocks, as GTKWave's fstapi.h numbers them. */
enum { HEADER, GEOMETRY = 3, NAMES_GZIP, NAMES_LZ4 = 6, NAMES_LZ4_TWICE, LAST_KIND, WHOLE_GZIP = 254 };
enum { LENGTH_BYTES = 8, HEADER_BYTES = 329 };

static bool read_length(FILE *f, uint64_t *length) {
  unsigned char byte[LENGTH_BYTES];
  *length = 0;
  if (fread(byte, 1, sizeof byte, f) != sizeof byte)
    return false;
  for (unsigned i = 0; i < sizeof byte; i++)
    *length = *length << 8 | byte[i];
  return true;
}

/* Walks along the blocks of a file of `size` bytes. */
static bool is_complete(FILE *f, uint64_t size) {
  bool places = false, names = false;
  uint64_t at = 0, length;
  while (at < size) {
    if (fseeko(f, (off_t)at, SEEK_SET))
      return false;
    const int kind = fgetc(f);
    if (!read_length(f, &length) || length < LENGTH_BYTES || length > size - at - 1)
      return false;
    if (kind > LAST_KIND && kind != WHOLE_GZIP)
      return false;
    places |= kind == GEOMETRY || kind == WHOLE_GZIP;
    names |= kind == NAMES_GZIP || kind == NAMES_LZ4 || kind == NAMES_LZ4_TWICE || kind == WHOLE_GZIP;
    at += 1 + length;
  }
  return places && names;
}

/* end: receives the end time in the header; 0 if it has none. */
static bool is_dump(FILE *f, uint64_t size, uint64_t *end) {
  uint64_t length, start;
  const int kind = fgetc(f);
  *end = 0;
  return kind == WHOLE_GZIP || (kind == HEADER && size > LENGTH_BYTES && read_length(f, &length) &&
                                length == HEADER_BYTES && read_length(f, &start) && read_length(f, end));
}

int ut_fst_check(const char *path, uint64_t *end, struct ut_error *e) {
  uint64_t last;
  FILE *f = ut_input_open(path, "wave dump (FST)", UT_INPUT_AGAIN, e);
  if (!f)
    return -1;
  const bool measured = fseeko(f, 0, SEEK_END) == 0;
  const off_t size = ftello(f);
  rewind(f);
  const bool dump = measured && size > 0 && is_dump(f, (uint64_t)size, &last),
             complete = dump && is_complete(f, (uint64_t)size);
  fclose(f);
  if (end)
    *end = complete ? last : 0;
  if (complete)
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 dump ? "%s: this wave dump is not complete; make it again" : "%s: not a wave dump (FST)", path);
}
