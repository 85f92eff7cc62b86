/* SPDX-License-Identifier: Apache-2.0 */
/* command_text.h - the command that was typed, as a shell would take it again. */
#ifndef UT_COMMAND_TEXT_H
#define UT_COMMAND_TEXT_H

#include "error.h"

/* "./uturn NAME" and the words behind argv[0]; malloc'd.  NULL and *e: out of memory. */
char *ut_command_text(const char *name, int argc, char **argv, struct ut_error *e);

#endif
