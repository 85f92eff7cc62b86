/* SPDX-License-Identifier: Apache-2.0 */
/* completion.c - `uturn completion`; see completion.h. */
#include "completion.h"

#include <stdio.h>
#include <string.h>

#include "cost_vary.h"
#include "templates.h"

static const struct shell {
  const char *name;
  void (*print)(void);
} shells[] = {{"bash", ut_completion_bash}, {"zsh", ut_completion_zsh}, {"fish", ut_completion_fish}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  const struct shell **shell = state->input;
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (!strcmp(arg, shells[i].name)) {
      *shell = &shells[i];
      return 0;
    }
  argp_error(state, "there is completion for bash, zsh and fish, not for '%s'", arg);
  return 0;
}
const struct argp ut_argp_completion = {
    NULL,
    parse,
    "[bash|zsh|fish]",
    "Prints a script for a shell, bash if none is named, that completes commands, options, their values, scenarios and "
    "algorithms.  For this shell: source <(./uturn completion bash), or zsh; in fish: ./uturn completion fish | source",
    0,
    0,
    0};

static void add(struct ut_values *v, const char *word, const char *behind) {
  const size_t used = strlen(v->words);
  snprintf(v->words + used, sizeof v->words - used, "%s%s ", word, behind);
}

/* What can stand in the place of a piece in capitals, and the files that can. */
static void read_placeholder(struct ut_values *v, const char *piece) {
  char list[UT_TEMPLATES_SIZE];
  if (!strncmp(piece, "FILE", 4))
    v->files = piece[4] == '.' ? (piece[5] == 'f' ? "*.fst" : "*.yaml") : "*";
  else if (!strcmp(piece, "DIR"))
    v->files = "/";
  else if (!strcmp(piece, "SCENARIO"))
    v->files = "*.yaml";
  else if (!strcmp(piece, "TEMPLATE"))
    add(v, ut_template_names(list), "");
  else if (!strcmp(piece, "COMMAND"))
    for (size_t i = 0; i < ut_command_count; i++)
      add(v, ut_commands[i].name, "");
  else if (!strncmp(piece, "KEY=", 4))
    for (size_t i = 0; ut_vary_key(i); i++)
      add(v, ut_vary_key(i), "=");
}

void ut_values_read(struct ut_values *v, const char *argument) {
  const bool words = strchr(argument, '|');
  char piece[128];
  *v = (struct ut_values){0};
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
      add(v, piece, "");
    else
      read_placeholder(v, piece);
  }
}

int ut_brief(const char *text) {
  return (int)strcspn(text, ":;");
}

int ut_cmd_completion(int argc, char **argv) {
  const struct shell *shell = &shells[0];
  int status;
  if (ut_parse(&ut_argp_completion, argc, argv, &shell, &status))
    return status;
  shell->print();
  return UT_OK;
}
