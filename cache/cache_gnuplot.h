/* SPDX-License-Identifier: Apache-2.0 */
/* cache_gnuplot.h - pictures drawn by gnuplot: a script in, a .png or .svg out.  Pictures are not kept in the cache. */
#ifndef UT_CACHE_GNUPLOT_H
#define UT_CACHE_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

#include "cache_caller.h"

/* A picture can be made of that name: .png or .svg, gnuplot, a folder that can be written to.  option: who asks, for
 * messages.  0, or -1 and *e. */
int ut_gnuplot_check(const char *file, const char *option, struct ut_error *e);

/* Writes what comes behind `set terminal`. */
typedef void ut_gnuplot_script(FILE *f, const void *what);

/* Draws a picture of so many pixels.  Nothing is left behind on failure.  0, or -1 after filling the error. */
int ut_gnuplot_draw(const char *file, unsigned width, unsigned height, ut_gnuplot_script *script, const void *what,
                    const struct ut_caller *caller);

/* A text as a string of gnuplot's, which shows it and does nothing else: between single quotes, where only these have a
 * meaning.  No string has two lines: line breaks become spaces; what else no picture can show is escaped.  Not for
 * datablocks, where there are no such strings. */
void ut_gnuplot_text(FILE *f, const char *text);
/* The same; a text longer than `most` bytes is cut. */
void ut_gnuplot_label(FILE *f, const char *text, size_t most);

#endif
