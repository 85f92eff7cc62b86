/* SPDX-License-Identifier: Apache-2.0 */
/* error.h - how library functions of csim/, tb/ and cli/ report what went wrong.
 *
 * A library function never prints and never exits: it fills a ut_error and returns -1 (or NULL).  The text is one clear
 * message that names the place and the remedy; the code is the exit status of the command line.
 */
#ifndef UT_ERROR_H
#define UT_ERROR_H

#include <stddef.h>

enum ut_exit {
  UT_OK = 0,
  UT_INTERNAL = 1,   /* a bug of uturn */
  UT_BAD_INPUT = 2,  /* the user's input: a file, a key, an option; too little memory or disk space; a tool that is
                        missing or fails */
  UT_MISMATCH = 3,   /* RTL and golden model differ */
  UT_DEADLOCK = 4,   /* deadlock, or a counter-example */
  UT_INCOMPLETE = 5, /* a workload did not complete */
  UT_INTERRUPTED = 130
};

struct ut_error {
  enum ut_exit code;
  char text[2048];
};

/* Fills *e (unless NULL) with code and a printf-formatted text.  Always returns -1, so that callers can `return
 * ut_fail(...)`. Control characters in the text are escaped here for all messages, because names and values come from
 * files of others. */
int ut_fail(struct ut_error *e, enum ut_exit code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* There is not enough memory: UT_BAD_INPUT.  Always -1. */
int ut_fail_memory(struct ut_error *e);

/* Copies text; control characters other than line breaks and tabs, and bytes that are no UTF-8, become \xNN, beyond
 * ASCII \uNNNN.  What does not fit is left out. */
void ut_escape_controls(char *out, size_t size, const char *text);

#endif
