/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - uturn: dispatches to the subcommands. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "ending.h"
#include "program_name.h"
#include "result.h"
#include "stack.h"
#include "standard.h"
#include "tool.h"

/* The commands, as `uturn --help` lists them. */
static void put_commands(FILE *f) {
  fprintf(f, "Usage: uturn COMMAND [OPTION...], uturn help COMMAND, uturn --version\n%s\n\n", ut_summary);
  for (size_t i = 0; i < ut_command_count; i++)
    fprintf(f, "  %-10s %s\n", ut_commands[i].name, ut_commands[i].summary);
  fprintf(f, "\nexit status:");
  for (const struct ut_named_text *text = ut_exit_statuses; text->name; text++)
    fprintf(f, "%s %s %s", text == ut_exit_statuses ? "" : ",", text->name, text->text);
  fprintf(f, "\ntry: ./uturn cosim scenarios/demo.yaml\n");
}

static void put_command(const struct ut_command_entry *command) {
  char name[32];
  snprintf(name, sizeof name, "uturn %s", command->name);
  ut_put_help(stdout, name, command->syntax);
}

/* `uturn help [COMMAND]`; `all`: every text behind one another, what cli/help.txt holds for those who have not built.
 */
static int help(int count, char **name) {
  const bool all = count == 1 && !strcmp(name[0], "all");
  if (!count || all)
    put_commands(stdout);
  for (size_t i = 0; all && i < ut_command_count; i++) {
    putchar('\n');
    put_command(&ut_commands[i]);
  }
  for (int i = 0; i < count && !all; i++) {
    const struct ut_command_entry *command = ut_command_find(name[i]);
    if (!command)
      return UT_BAD_INPUT;
    put_command(command);
  }
  return UT_OK;
}

static bool is_one_of(const char *word, const char *const *list) {
  while (*list && strcmp(word, *list))
    list++;
  return *list;
}

/* What is put into JSON is there or nothing is printed: without this a value would be missing, and nobody be told. */
static void *json_memory(size_t size) {
  void *memory = malloc(size);
  if (memory)
    return memory;
  fputs("uturn: out of memory\n", stderr);
  exit(UT_BAD_INPUT);
}

int main(int argc, char **argv) {
  struct ut_error e;
  ut_ending_start();
  ut_standard_start();
  ut_tool_clean_environment();
  ut_program_name_start(argv[0]);
  if (ut_stack_start(&e))
    return ut_print_error(&e);
  json_set_alloc_funcs(json_memory, free);
  if (argc < 2) {
    put_commands(stderr);
    return UT_BAD_INPUT;
  }
  if (is_one_of(argv[1], (const char *[]){"--help", "-h", "-?", "help", NULL}))
    return help(argc - 2, argv + 2);
  if (is_one_of(argv[1], (const char *[]){"--version", "-V", NULL})) {
    puts("uturn " UTURN_VERSION);
    return UT_OK;
  }
  const struct ut_command_entry *command = ut_command_find(argv[1]);
  if (!command)
    return UT_BAD_INPUT;
  char name[32];
  snprintf(name, sizeof name, "uturn %s", command->name);
  argv[1] = name;
  const int status = command->run(argc - 1, argv + 1);
  return status == UT_OK && ut_result_lacks() ? ut_print_no_memory() : status;
}
