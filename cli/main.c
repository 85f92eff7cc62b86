/* main.c - uturn: dispatches to the subcommands. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "ending.h"
#include "stack.h"
#include "standard.h"
#include "tool.h"

static void help(FILE *f) {
  fprintf(f, "uturn - %s\n\nusage: uturn COMMAND [OPTIONS], uturn COMMAND --help, uturn --version\n\n", ut_summary);
  for (size_t i = 0; i < ut_command_count; i++)
    fprintf(f, "  %-10s %s\n", ut_commands[i].name, ut_commands[i].summary);
  fprintf(f, "\nexit status:");
  for (const struct ut_named_text *s = ut_exit_statuses; s->name; s++)
    fprintf(f, "%s %s %s", s == ut_exit_statuses ? "" : ",", s->name, s->text);
  fprintf(f, "\ntry: uturn cosim scenarios/demo.yaml\n");
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
  if (ut_stack_start(&e))
    return ut_print_error(&e);
  json_set_alloc_funcs(json_memory, free);
  if (argc < 2) {
    help(stderr);
    return UT_BAD_INPUT;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    help(stdout);
    return UT_OK;
  }
  if (!strcmp(argv[1], "--version")) {
    puts("uturn " UTURN_VERSION);
    return UT_OK;
  }
  const struct ut_command_entry *command = ut_command_find(argv[1]);
  if (!command)
    return UT_BAD_INPUT;
  char name[32];
  snprintf(name, sizeof name, "uturn %s", command->name);
  argv[1] = name;
  return command->run(argc - 1, argv + 1);
}
