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
  struct ut_values v;
  ut_values_read(&v, argument);
  printf(" -a '%s", v.words);
  if (v.files && !strcmp(v.files, "/"))
    printf("(__fish_complete_directories)");
  else if (v.files)
    printf("(__fish_complete_%s%s)", v.files[1] ? "suffix " : "path", v.files + 1);
  putchar('\'');
}

static void put_options(const char *command, const struct argp *argp) {
  const struct argp_option *list[UT_MAX_OPTIONS];
  const size_t count = ut_options_of(argp, list, UT_MAX_OPTIONS, false);
  for (size_t i = 0; i < count; i++) {
    printf("complete -c uturn -n '__uturn_is %s' -l %s", command, list[i]->name);
    if (list[i]->key > ' ' && list[i]->key < 0x7f)
      printf(" -s %c", list[i]->key);
    if (list[i]->arg) {
      printf(" -x");
      put_values(list[i]->arg);
    }
    put_brief(list[i]->doc);
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
    const struct ut_command_entry *c = &ut_commands[i];
    printf("complete -c uturn -n __fish_use_subcommand -a %s", c->name);
    put_brief(c->summary);
    putchar('\n');
    put_options(c->name, c->argp);
    put_options(c->name, &ut_common_argp);
    if (c->argp->args_doc && *c->argp->args_doc)
      put_arguments(c->name, c->argp->args_doc);
  }
}
