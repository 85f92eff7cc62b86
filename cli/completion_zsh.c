/* SPDX-License-Identifier: Apache-2.0 */
/* completion_zsh.c - see completion.h */
#include <stdio.h>
#include <string.h>

#include "completion.h"

static const char head[] = "#compdef uturn\n"
                           "# zsh completion of uturn, made by `uturn completion zsh`\n"
                           "_uturn() {\n"
                           "  local command=$words[2]\n"
                           "  local -a commands\n"
                           "  commands=(\n";
static const char middle[] = "  )\n"
                             "  if ((CURRENT == 2)); then\n"
                             "    _describe -t commands command commands\n"
                             "    return\n"
                             "  fi\n"
                             "  shift words\n"
                             "  ((CURRENT--))\n"
                             "  case $command in\n";
static const char tail[] = "  esac\n"
                           "}\n"
                           "# from a file _uturn of $fpath, or read with source\n"
                           "if [[ $funcstack[1] == _uturn ]]; then _uturn \"$@\"; else compdef _uturn uturn; fi\n";

/* `length` characters of a text within single quotes; those of `special` behind a backslash. */
static void put_quoted(const char *text, int length, const char *special) {
  for (int i = 0; i < length; i++)
    if (text[i] == '\'')
      fputs("'\\''", stdout);
    else
      printf("%s%c", strchr(special, text[i]) ? "\\" : "", text[i]);
}

/* Message and action of _arguments. */
static void put_values(const char *argument) {
  struct ut_values values;
  ut_values_read(&values, argument);
  putchar(':');
  put_quoted(argument, (int)strlen(argument), ":");
  printf(":{%s%s", values.words[0] ? "compadd -- " : "", values.words);
  if (values.files[0])
    printf("%s_files%s", values.words[0] ? "; " : "", !strcmp(values.files, "/") ? " -/" : "");
  if (values.files[0] == '*' && values.files[1])
    printf(" -g \"%s\"", values.files);
  printf("%s}", values.files[0] || values.words[0] ? "" : ":");
}

static void put_option(const struct ut_option *option) {
  printf(" \\\n      '");
  printf(option->argument ? "--%s=[" : "--%s[", option->name);
  put_quoted(option->help, ut_brief(option->help), "[]");
  putchar(']');
  if (option->argument)
    put_values(option->argument);
  putchar('\'');
}

static void put_command(const struct ut_command_entry *entry) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  size_t count = ut_options_of(entry->syntax, list, UT_MAX_OPTIONS, false);
  count += ut_options_of(&ut_common_syntax, list + count, UT_MAX_OPTIONS - count, false);
  printf("  %s)\n    _arguments", entry->name);
  for (size_t i = 0; i < count; i++)
    put_option(list[i]);
  if (entry->syntax->arguments && *entry->syntax->arguments) {
    printf(" \\\n      '*");
    put_values(entry->syntax->arguments);
    putchar('\'');
  }
  printf(" ;;\n");
}

void ut_completion_zsh(void) {
  fputs(head, stdout);
  for (size_t i = 0; i < ut_command_count; i++) {
    printf("    '%s:", ut_commands[i].name);
    put_quoted(ut_commands[i].summary, ut_brief(ut_commands[i].summary), ":");
    printf("'\n");
  }
  fputs(middle, stdout);
  printf("  help)\n    _arguments '*");
  put_values("COMMAND");
  printf("' ;;\n");
  for (size_t i = 0; i < ut_command_count; i++)
    put_command(&ut_commands[i]);
  fputs(tail, stdout);
}
