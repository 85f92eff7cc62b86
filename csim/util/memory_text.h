/* SPDX-License-Identifier: Apache-2.0 */
/* memory_text.h - a text that is printed into memory, like open_memstream(), which silently drops text when it runs out
 * of memory. */
#ifndef UT_MEMORY_TEXT_H
#define UT_MEMORY_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* The printed text is in *text (malloc'd, with a NUL behind it) and *size after fflush() or ut_memory_close().  NULL:
 * out of memory. */
FILE *ut_memory_open(char **text, size_t *size);
/* Closes it.  -1: there was not enough memory; *text is then freed, and NULL. */
int ut_memory_close(FILE *f, char **text);

#endif
