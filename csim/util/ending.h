/* SPDX-License-Identifier: Apache-2.0 */
/* ending.h - the end of the program by a signal: its children and its temporary files end with it.  One place for all
 * commands.
 *
 * Every signal that ends a program is caught.  The children of this process are ended, the temporary files that it has
 * noted are removed, and the program ends by that same signal, as if it had not been caught (status 128 + N for a
 * shell; SIGQUIT dumps core if enabled).  A signal that the parent process has set to be ignored stays ignored (nohup:
 * SIGHUP), except SIGINT and SIGQUIT, which a shell lets background jobs ignore.  When the program is killed by
 * SIGKILL, the kernel ends its children; its temporary files stay.
 */
#ifndef UT_ENDING_H
#define UT_ENDING_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "error.h"

/* To be called at the start of the program, before other code registers functions for the exit. */
void ut_ending_start(void);

/* From now on SIGINT, SIGTERM and SIGHUP only set *interrupted.  The command must end soon, report what it knows, and
 * return UT_INTERRUPTED; at the exit the program ends by that signal. */
void ut_ending_catch(volatile sig_atomic_t *interrupted);

/* ---- children */

/* Forks a child that is killed when this process ends, for whatever reason.  It begins without children and temporary
 * files of its own; its signals are caught like ours, or have their default actions when it calls exec. */
pid_t ut_child_fork(void);
/* Fills *e (UT_BAD_INPUT) with the reason of the failure, from errno, and the remedy; what: "the run".  Always -1. */
int ut_child_fail(const char *what, struct ut_error *e);
/* wait4() for such a child. */
pid_t ut_child_wait(pid_t child, int *status, int options, struct rusage *usage);
/* Ends the child, and its process group if it leads one; the child has half a second to end by itself.  A caller with
 * several children signals all of them first. */
void ut_child_tell(pid_t child);
void ut_child_end(pid_t child);
/* Waits for its end, and sends it SIGINT when this program is interrupted.  Returns its status like waitpid(). */
int ut_child_join(pid_t child);

/* ---- temporary files */

/* A file or folder to be removed with all that is in it when the program ends, by a signal or by exit(), unless it is
 * forgotten before.  There need not be one yet.  Only the first 64 at a time are noted. */
void ut_temporary_add(const char *path);
void ut_temporary_forget(const char *path);

#endif
