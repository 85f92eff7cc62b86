/* SPDX-License-Identifier: Apache-2.0 */
/* completion.c - `uturn completion`; see completion.h. */
#include "completion.h"

#include <stdio.h>
#include <string.h>

#include "cost_vary.h"
#include "templates.h"

static void (*const print[])(void) = {ut_completion_bash, ut_completion_zsh, ut_completion_fish};

struct completion_options {
  unsigned shell; /* of `print` */
};

#define UT_INPUT struct completion_options
static const struct ut_option options[] = {
    {.argument = "bash|zsh|fish", .wants = "shell", UT_CHOICE(shell)},
    {0},
};
const struct ut_syntax ut_syntax_completion = {
    "[bash|zsh|fish]",
    "Prints a script for a shell, bash if none is named, that completes commands, options, their values, scenarios and "
    "algorithms.  For this shell: source <(./uturn completion bash), or zsh; in fish: ./uturn completion fish | source",
    options, NULL};

static void add(struct ut_values *values, const char *word, const char *behind) {
  const size_t used = strlen(values->words);
  snprintf(values->words + used, sizeof values->words - used, "%s%s ", word, behind);
}

/* What can stand in the place of a piece in capitals, and the files that can. */
static void read_placeholder(struct ut_values *values, const char *piece) {
  char list[UT_TEMPLATES_SIZE];
  if (!strncmp(piece, "FILE", 4)) /* of several endings any file */
    snprintf(values->files, sizeof values->files, "*%s", values->files[0] ? "" : piece + 4);
  else if (!strcmp(piece, "DIR"))
    strcpy(values->files, "/");
  else if (!strcmp(piece, "SCENARIO"))
    strcpy(values->files, "*.yaml");
  else if (!strcmp(piece, "TEMPLATE"))
    add(values, ut_template_names(list), "");
  else if (!strcmp(piece, "COMMAND"))
    for (size_t i = 0; i < ut_command_count; i++)
      add(values, ut_commands[i].name, "");
  else if (!strncmp(piece, "KEY=", 4))
    for (size_t i = 0; ut_vary_key(i); i++)
      add(values, ut_vary_key(i), "=");
}

void ut_values_read(struct ut_values *values, const char *argument) {
  const bool words = strchr(argument, '|');
  char piece[128];
  *values = (struct ut_values){0};
  for (size_t length; *argument; argument += length + !!argument[length]) {
    length = strcspn(argument, "| []");
    snprintf(piece, sizeof piece, "%.*s", (int)length, argument);
    if (piece[0] == '-') /* an option: completed as such */
      continue;
    char *dots = strstr(piece, "...");
    if (dots && piece[0] != 'K')
      *dots = '\0';
    const bool capitals = piece[strcspn(piece, "abcdefghijklmnopqrstuvwxyz")] == '\0' || strpbrk(piece, "=.");
    if (!capitals || (words && !strpbrk(piece, ".:,") && strcmp(piece, "N") && strcmp(piece, "FILE")))
      add(values, piece, "");
    else
      read_placeholder(values, piece);
  }
}

int ut_brief(const char *text) {
  return (int)strcspn(text, ":;");
}

int ut_cmd_completion(int argc, char **argv) {
  struct completion_options options = {0};
  int status;
  if (ut_parse(&ut_syntax_completion, argc, argv, &options, &status))
    return status;
  print[options.shell]();
  return UT_OK;
}
