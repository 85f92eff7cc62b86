/* SPDX-License-Identifier: Apache-2.0 */
/* man.c - `uturn man`: the manual page, made of the texts that --help shows. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli.h"
#include "commands.h"
#include "tool.h"

struct man_options {
  const char *command;
};

#define UT_INPUT struct man_options
static const struct ut_option options[] = {
    {.argument = "COMMAND", .wants = "command", UT_TEXT(command)},
    {0},
};
const struct ut_syntax ut_syntax_man = {
    "[COMMAND]",
    "Shows the manual page of uturn, or of one COMMAND: on a terminal with man, else as a source for it, as in "
    "uturn man >uturn.1.",
    options, NULL};

/* A text of ours, as roff reads it. */
static void put(FILE *f, const char *text) {
  static const struct {
    char c;
    const char *roff;
  } special[] = {{'\\', "\\(rs"}, {'-', "\\-"}, {'`', "\\(ga"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  for (; *text; text++) {
    const char *roff = NULL;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
      roff = special[i].c == *text ? special[i].roff : roff;
    if (roff)
      fputs(roff, f);
    else
      fputc(*text, f);
  }
}

/* A font and a text in it. */
static void put_font(FILE *f, char font, const char *text) {
  fprintf(f, "\\f%c", font);
  put(f, text);
  fputs("\\fR", f);
}

static void put_item(FILE *f, const char *name, const char *text) {
  fputs(".TP\n", f);
  put_font(f, 'B', name);
  fputc('\n', f);
  put(f, text);
  fputc('\n', f);
}

static void put_usage(FILE *f, const struct ut_command_entry *entry) {
  fputs("\\fButurn ", f);
  put_font(f, 'B', entry->name);
  fputs(" [\\fIOPTIONS\\fR]", f);
  if (entry->syntax->arguments)
    fputc(' ', f), put_font(f, 'I', entry->syntax->arguments);
  fputc('\n', f);
}

static void put_options(FILE *f, const struct ut_syntax *syntax) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  const size_t count = ut_options_of(syntax, list, UT_MAX_OPTIONS, false);
  for (size_t i = 0; i < count; i++) {
    fputs(".TP\n", f);
    if (list[i]->letter)
      fprintf(f, "\\fB\\-%c\\fR, ", list[i]->letter);
    fputs("\\fB\\-\\-", f);
    put_font(f, 'B', list[i]->name);
    if (list[i]->argument)
      fputc('=', f), put_font(f, 'I', list[i]->argument);
    fputc('\n', f);
    put(f, list[i]->help);
    fputc('\n', f);
  }
}

static void put_list(FILE *f, const char *title, const struct ut_named_text *list) {
  fprintf(f, ".SH %s\n", title);
  for (; list->name; list++)
    put_item(f, list->name, list->text);
}

static void put_title(FILE *f, const char *name, const char *summary) {
  fputs(".TH ", f);
  for (const char *c = name; *c; c++)
    fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, f);
  fputs(" 1 \"\" \"uturn " UTURN_VERSION "\" \"User Commands\"\n.SH NAME\n", f);
  put(f, name);
  fputs(" \\- ", f);
  put(f, summary);
  fputs("\n.SH SYNOPSIS\n", f);
}

static void put_command(FILE *f, const struct ut_command_entry *entry) {
  char name[32];
  snprintf(name, sizeof name, "uturn-%s", entry->name);
  put_title(f, name, entry->summary);
  put_usage(f, entry);
  fputs(".SH DESCRIPTION\n", f);
  put(f, entry->syntax->about);
  fputs("\n.SH OPTIONS\n", f);
  put_options(f, entry->syntax);
  put_options(f, &ut_common_syntax);
}

static void put_all(FILE *f) {
  put_title(f, "uturn", ut_summary);
  fputs("\\fButurn\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n"
        "\\fButurn help\\fR \\fICOMMAND\\fR\n.br\n\\fButurn \\-\\-version\\fR\n"
        ".SH DESCRIPTION\nEvery command says with \\fB\\-\\-help\\fR what it takes; what they print, and what a "
        "scenario can say, is in docs/ of the repository.\n.SH COMMANDS\n",
        f);
  for (size_t i = 0; i < ut_command_count; i++) {
    fprintf(f, ".SS uturn %s\n", ut_commands[i].name);
    put_usage(f, &ut_commands[i]);
    fputs(".PP\n", f);
    put(f, ut_commands[i].syntax->about);
    fputc('\n', f);
    put_options(f, ut_commands[i].syntax);
  }
  fputs(".SS every command\n", f);
  put_options(f, &ut_common_syntax);
}

static void put_page(FILE *f, const struct ut_command_entry *command) {
  if (command)
    put_command(f, command);
  else
    put_all(f);
  put_list(f, "EXIT STATUS", ut_exit_statuses);
  put_list(f, "ENVIRONMENT", ut_variables);
}

/* In man, which gets the page on its standard input. */
static int show(const struct ut_command_entry *command) {
  char man[PATH_MAX];
  struct ut_error e;
  if (ut_tool_need("man", "man-db", "showing the page", man, &e))
    return ut_print_error(&e);
  const int fd = memfd_create("page", MFD_CLOEXEC), copy = fd < 0 ? -1 : dup(fd);
  FILE *f = copy < 0 ? NULL : fdopen(copy, "w");
  if (!f)
    return ut_print_no_memory();
  put_page(f, command);
  if (fclose(f) || lseek(fd, 0, SEEK_SET))
    return ut_print_no_memory();
  const int status = ut_tool_show((char *[]){man, "-l", "-", NULL}, fd);
  if (!status)
    return UT_OK;
  ut_fail(&e, UT_BAD_INPUT,
          "%s has failed with status %d; reinstall it (Debian: man-db); the source of the page: uturn man | cat", man,
          status);
  return ut_print_error(&e);
}

int ut_cmd_man(int argc, char **argv) {
  struct man_options options = {0};
  int status;
  if (ut_parse(&ut_syntax_man, argc, argv, &options, &status))
    return status;
  const struct ut_command_entry *command = options.command ? ut_command_find(options.command) : NULL;
  if (options.command && !command)
    return UT_BAD_INPUT;
  if (isatty(STDOUT_FILENO))
    return show(command);
  put_page(stdout, command);
  return UT_OK;
}
