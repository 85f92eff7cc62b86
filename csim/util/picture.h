/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h - pictures that programs of others draw: a script in, a .png or .svg out. */
#ifndef UT_PICTURE_H
#define UT_PICTURE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* Who draws.  The script is on its standard input, the picture on its standard output: no name of a file is in either.
 */
struct ut_painter {
  const char *name, *program, *package; /* in words; to be found in PATH; of Debian */
  const char *const *options;           /* NULL-terminated */
  /* Changes the picture before it is written; NULL: does not.  */
  void (*mend)(char *data, size_t size);
};

/* Draws, and writes the picture to `file`: whole, or what stood there stays.  What is neither SVG nor PNG, as the name
 * says (SVG where it says nothing), is no picture, whatever the program's exit status.  0, or -1 after filling *e
 * (UT_BAD_INPUT): the program is missing, has failed - with its first words -, or has made no picture. */
int ut_picture_draw(const struct ut_painter *painter, const char *file, const char *script, size_t size,
                    const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* Whether those bytes are a whole PNG or SVG. */
bool ut_picture_is_png(const char *data, size_t size);
bool ut_picture_is_svg(const char *data, size_t size);

#endif
