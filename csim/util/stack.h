/* SPDX-License-Identifier: Apache-2.0 */
/* stack.h - the room on the stack of the main thread. */
#ifndef UT_STACK_H
#define UT_STACK_H

#include "error.h"

/* At the start of the program: a small limit (`ulimit -s`) is raised to 8 MiB, or as far as it may be, for us and for
 * the programs that we start.  Returns 0; -1 and *e (UT_BAD_INPUT) when less than 512 KiB are left, with which we would
 * end in the middle of something.  Threads have a size of their own (threads.h). */
int ut_stack_start(struct ut_error *e);

#endif
