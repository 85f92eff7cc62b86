/* typed_command.h - what the user has typed, for a page. */
#ifndef UT_TYPED_COMMAND_H
#define UT_TYPED_COMMAND_H

#include "error.h"

/* "./uturn report a.html 'it'\''s.yaml'", as a shell wants it: that subcommand of the script, and its arguments;
 * malloc'd. NULL and *e: out of memory. */
char *ut_typed_command(const char *name, int argc, char **argv, struct ut_error *e);

#endif
