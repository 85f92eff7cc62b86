/* SPDX-License-Identifier: Apache-2.0 */
/* completion.h - scripts that teach shells the commands, their options and the values of these: one reader of what the
 * table says (commands.h), a printer for each shell. */
#ifndef UT_COMPLETION_H
#define UT_COMPLETION_H

#include "commands.h"

/* What an argument of an option or a command can be. */
struct ut_values {
  char words[4096]; /* a space behind each; "": none */
  char files[16];   /* the files that can, as a pattern: "*", "*.yaml"; "/": folders only; "": none */
};
void ut_values_read(struct ut_values *values, const char *argument);

/* A text without its explanations: up to the first : or ; */
int ut_brief(const char *text);

void ut_completion_bash(void);
void ut_completion_zsh(void);
void ut_completion_fish(void);

#endif
