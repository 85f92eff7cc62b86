/* SPDX-License-Identifier: Apache-2.0 */
/* standard.h - the three standard streams of the program: open, without what a terminal would obey, and written without
 * a loss that nobody hears of. */
#ifndef UT_STANDARD_H
#define UT_STANDARD_H

/* At the start of the program, once.
 *
 * What is closed is opened onto /dev/null the wrong way round, so that no other file gets its number and using it
 * fails.  What is printed goes through ut_escape_controls(), for names of files and words of tools are in it; lines of
 * progress, which move the cursor, are written to the descriptor (dprintf).  A file that outgrows a limit (ulimit -f)
 * is an error of writing, and no end of the program. At the exit standard output is closed: when something could not be
 * written, that is said on standard error, and what would have been success becomes UT_BAD_INPUT.  Not for processes
 * that end with _exit or exec. */
void ut_standard_start(void);

#endif
