/* SPDX-License-Identifier: Apache-2.0 */
/* standard.h - the three standard streams of the program: open, free of terminal control sequences, and written without
 * silent losses. */
#ifndef UT_STANDARD_H
#define UT_STANDARD_H

/* To be called once, at the start of the program.
 *
 * A closed stream is opened onto /dev/null in the wrong direction, so that no other file gets its number and using it
 * fails. Printed text goes through ut_escape_controls(), because it contains names of files and output of tools;
 * progress lines, which move the cursor, are written to the descriptor (dprintf).  A file that exceeds a limit (ulimit
 * -f) is a write error, and does not end the program.
 *
 * At the exit standard output is closed: if something could not be written, standard error says so, and success becomes
 * UT_BAD_INPUT.  Not for processes that end with _exit or exec. */
void ut_standard_start(void);

#endif
