/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h - pictures drawn by other programs: a script in, a .png or .svg out. */
#ifndef UT_PICTURE_H
#define UT_PICTURE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* The drawing program.  It reads the script from its standard input and writes the picture to its standard output:
 * neither contains a file name.
 */
struct ut_painter {
  const char *name, *program, *package; /* in words; to be found in PATH; of Debian */
  const char *const *options;           /* NULL-terminated */
  /* Changes the picture before it is written; NULL: does not.  */
  void (*mend)(char *data, size_t size);
};

/* Draws, and writes the picture to `file`, or leaves the old file there.  The result must be SVG or PNG, as the name
 * says (SVG if it does not say), whatever the program's exit status.  Returns 0, or -1 after filling *e (UT_BAD_INPUT):
 * the program is missing, has failed - with its first words -, or has drawn no picture. */
int ut_picture_draw(const struct ut_painter *painter, const char *file, const char *script, size_t size,
                    const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* Whether those bytes are a whole PNG or SVG. */
bool ut_picture_is_png(const char *data, size_t size);
bool ut_picture_is_svg(const char *data, size_t size);

#endif
