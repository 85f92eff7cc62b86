/* SPDX-License-Identifier: Apache-2.0 */
/* tool.h - external programs: found, started, and their output read.  The one place for it.
 *
 * A program is named by an absolute path, from the absolute entries of PATH: a relative entry would run files of the
 * current folder.  It gets its arguments as they are, without a shell.  It speaks English (LC_ALL=C), because its
 * messages are searched for known texts, and has nothing on standard input unless it is given something.
 */
#ifndef UT_TOOL_H
#define UT_TOOL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"

/* ---- finding */

/* Finds `name` in the absolute entries of PATH, into `out` (PATH_MAX bytes).  Returns false when it is not there. */
bool ut_tool_find(const char *name, char *out);
/* Finds a program that `what` needs.  Returns 0, or -1 after filling *e with the Debian package to install.
 */
int ut_tool_need(const char *name, const char *package, const char *what, char *out, struct ut_error *e);
/* At the start of our own program: leaves the absolute entries in PATH, for all that it starts, and takes variables
 * away that change how options are read and help is printed (POSIXLY_CORRECT, ARGP_HELP_FMT). */
void ut_tool_clean_environment(void);

/* ---- running */

struct ut_tool {
  char *const *command; /* NULL-terminated; the first word is an absolute path */
  const char *folder;   /* where it runs; NULL: in the current folder */
  bool private_folder;  /* `folder` is ours: its temporary files are put there, whatever TMPDIR says */
  bool has_home;        /* it may read the user's home; else files there change nothing */
  int in, out, err;     /* its standard streams; in -1: nothing */
};

/* Starts it as the head of a process group of its own: when we die, for whatever reason, or kill the group, all
 * processes that it has started die, too.  Returns the process to wait for, or -1 with errno.  Its exit status is that
 * of the program, or 128 + signal; 126 and 127: it could not be started. */
pid_t ut_tool_start(const struct ut_tool *tool);
/* Kills it and all that it has started, and waits for its end. */
void ut_tool_stop(pid_t pid);

struct ut_tool_answer {
  int status;  /* exit status, as above */
  char *data;  /* its standard output, malloc'd, with a NUL behind it */
  size_t size; /* without that */
  char *said;  /* its standard error, malloc'd */
};
/* Runs it to its end, with `input` on its standard input; its streams are set here.  Returns 0 if it has run, whatever
 * its status; free the answer with ut_tool_answer_free().  Returns -1 and fills *e if it could not be started, or was
 * interrupted. interrupted: may be NULL; any signal that is caught ends it then. */
int ut_tool_ask(struct ut_tool *tool, const char *input, size_t size, const volatile sig_atomic_t *interrupted,
                struct ut_tool_answer *answer, struct ut_error *e);
void ut_tool_answer_free(struct ut_tool_answer *answer);

/* Runs command[0], an absolute path, on our terminal, with our environment, and `in` as its standard input, to its end.
 * Its exit status, or 128 + signal; -1 with errno: it could not be started. */
int ut_tool_show(char *const command[], int in);

/* Returns the first line of a program's output that names an error, otherwise its first line; empty: it has printed
 * nothing. */
enum { UT_TOOL_LINE = 240 };
void ut_tool_first_error(const char *said, char line[UT_TOOL_LINE + 1]);

#endif
