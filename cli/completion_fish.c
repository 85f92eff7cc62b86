/* SPDX-License-Identifier: Apache-2.0 */
/* completion_fish.c - see completion.h */
#include <stdio.h>
#include <string.h>

#include "completion.h"

static const char head[] = "# fish completion of uturn, made by `uturn completion fish`\n"
                           "function __uturn_is\n"
                           "  set -l words (commandline -opc)\n"
                           "  test \"$words[2]\" = $argv[1]\n"
                           "end\n"
                           "complete -c uturn -f\n";

/* A text within single quotes, up to its explanations. */
static void put_brief(const char *text) {
  printf(" -d '");
  for (int i = 0; i < ut_brief(text); i++)
    printf("%s%c", strchr("'\\", text[i]) ? "\\" : "", text[i]);
  putchar('\'');
}

static void put_values(const char *argument) {
  struct ut_values values;
  ut_values_read(&values, argument);
  printf(" -a '%s", values.words);
  if (!strcmp(values.files, "/"))
    printf("(__fish_complete_directories)");
  else if (values.files[0])
    printf("(__fish_complete_%s%s)", values.files[1] ? "suffix " : "path", values.files + 1);
  putchar('\'');
}

static void put_options(const char *command, const struct ut_syntax *syntax) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  const size_t count = ut_options_of(syntax, list, UT_MAX_OPTIONS, false);
  for (size_t i = 0; i < count; i++) {
    printf("complete -c uturn -n '__uturn_is %s' -l %s", command, list[i]->name);
    if (list[i]->letter)
      printf(" -s %c", list[i]->letter);
    if (list[i]->argument) {
      printf(" -x");
      put_values(list[i]->argument);
    }
    put_brief(list[i]->help);
    putchar('\n');
  }
}

static void put_arguments(const char *command, const char *argument) {
  printf("complete -c uturn -n '__uturn_is %s'", command);
  put_values(argument);
  putchar('\n');
}

void ut_completion_fish(void) {
  fputs(head, stdout);
  put_arguments("help", "COMMAND");
  for (size_t i = 0; i < ut_command_count; i++) {
    const struct ut_command_entry *entry = &ut_commands[i];
    printf("complete -c uturn -n __fish_use_subcommand -a %s", entry->name);
    put_brief(entry->summary);
    putchar('\n');
    put_options(entry->name, entry->syntax);
    put_options(entry->name, &ut_common_syntax);
    if (entry->syntax->arguments && *entry->syntax->arguments)
      put_arguments(entry->name, entry->syntax->arguments);
  }
}
