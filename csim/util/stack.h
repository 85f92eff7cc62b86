/* SPDX-License-Identifier: Apache-2.0 */
/* stack.h - ensures space on the stack of the main thread. */
#ifndef UT_STACK_H
#define UT_STACK_H

#include "error.h"

/* To be called at the start of the program: raises a small limit (`ulimit -s`) to 8 MiB, or as far as possible, for
 * this program and those that it starts.  Returns 0; -1 and *e (UT_BAD_INPUT) if less than 512 KiB are left, with which
 * it would crash later. Threads have their own size (threads.h). */
int ut_stack_start(struct ut_error *e);

#endif
