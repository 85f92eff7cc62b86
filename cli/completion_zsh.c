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
  struct ut_values v;
  ut_values_read(&v, argument);
  putchar(':');
  put_quoted(argument, (int)strlen(argument), ":");
  printf(":{%s%s", v.words[0] ? "compadd -- " : "", v.words);
  if (v.files[0])
    printf("%s_files%s", v.words[0] ? "; " : "", !strcmp(v.files, "/") ? " -/" : "");
  if (v.files[0] == '*' && v.files[1])
    printf(" -g \"%s\"", v.files);
  printf("%s}", v.files[0] || v.words[0] ? "" : ":");
}

static void put_option(const struct ut_option *o) {
  printf(" \\\n      '");
  printf(o->argument ? "--%s=[" : "--%s[", o->name);
  put_quoted(o->help, ut_brief(o->help), "[]");
  putchar(']');
  if (o->argument)
    put_values(o->argument);
  putchar('\'');
}

static void put_command(const struct ut_command_entry *c) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  size_t count = ut_options_of(c->syntax, list, UT_MAX_OPTIONS, false);
  count += ut_options_of(&ut_common_syntax, list + count, UT_MAX_OPTIONS - count, false);
  printf("  %s)\n    _arguments", c->name);
  for (size_t i = 0; i < count; i++)
    put_option(list[i]);
  if (c->syntax->arguments && *c->syntax->arguments) {
    printf(" \\\n      '*");
    put_values(c->syntax->arguments);
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
