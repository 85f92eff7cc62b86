/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - the subcommands and their options: one table, read by main, --help, `man`, `completion` and the messages
 * about what is misspelt.
 */
#ifndef UT_COMMANDS_H
#define UT_COMMANDS_H

#include <stdio.h>

#include "cli.h"

struct ut_command_entry {
  const char *name, *summary;
  ut_command *run;
  const struct ut_syntax *syntax;
};
extern const struct ut_command_entry ut_commands[];
extern const size_t ut_command_count;
/* NULL, and a message on stderr: there is none of that name. */
const struct ut_command_entry *ut_command_find(const char *name);

/* What uturn is, in a line. */
extern const char ut_summary[];

/* Exit statuses and environment variables: the name and what it means. */
struct ut_named_text {
  const char *name, *text;
};
extern const struct ut_named_text ut_exit_statuses[], ut_variables[]; /* ended by a name NULL */

/* The options with a long name of a command and of what it shares with others, up to `most`; returns their number. */
enum { UT_MAX_OPTIONS = 64 };
size_t ut_options_of(const struct ut_syntax *syntax, const struct ut_option *list[], size_t most, bool hidden);
/* The options of every command, in the same form: --help, --quiet and others (options.c). */
extern const struct ut_syntax ut_common_syntax;
/* What `NAME --help` prints. */
void ut_put_help(FILE *f, const char *name, const struct ut_syntax *syntax);

#endif
