/* completion.c - `uturn completion`: a script that teaches bash the commands, their options and the values of these. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "cost_vary.h"
#include "scenario_schema.h"
#include "templates.h"

const struct argp ut_argp_completion = {
    NULL,
    NULL,
    NULL,
    "Prints a script for bash that completes commands, options, their values, scenarios and algorithms.  For this "
    "shell: source <(./uturn completion)",
    0,
    0,
    0};

static const char head[] = "# bash completion of uturn, made by `uturn completion`\n"
                           "_uturn() {\n"
                           "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
                           "command=${COMP_WORDS[1]-} words='' files='' first='' file\n"
                           "  COMPREPLY=()\n"
                           "  # --option=value is three words\n"
                           "  [ \"$cur\" != = ] || cur=''\n"
                           "  [ \"$prev\" != = ] || prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                           "  [ \"$COMP_CWORD\" != 1 ] || command='' prev=''\n"
                           "  case \"$command $prev $cur\" in\n";
static const char tail[] = "  esac\n"
                           "  # of a list the last word\n"
                           "  case $cur in *,*) first=${cur%,*}, cur=${cur##*,} ;; esac\n"
                           "  while IFS= read -r file; do COMPREPLY+=(\"$first$file\"); done "
                           "< <(compgen -W \"$words\" -- \"$cur\")\n"
                           "  case ${COMPREPLY[*]} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
                           "  [ -n \"$files\" ] || return 0\n"
                           "  compopt -o filenames 2>/dev/null\n"
                           "  while IFS= read -r file; do\n"
                           "    [ -d \"${file/#\\~/$HOME}\" ] || [[ $file == $files ]] || continue\n"
                           "    COMPREPLY+=(\"$file\")\n"
                           "  done < <(compgen -f -- \"$cur\")\n"
                           "}\n"
                           "complete -F _uturn uturn\n";

/* What can stand in the place of a piece in capitals, and the files that can. */
static void put_placeholder(const char *piece, const char **files) {
  char list[UT_TEMPLATES_SIZE];
  if (!strncmp(piece, "FILE", 4))
    *files = piece[4] == '.' ? (piece[5] == 'f' ? "*.fst" : "*.yaml") : "*";
  else if (!strcmp(piece, "DIR"))
    *files = "/"; /* folders only: no file is called so */
  else if (!strcmp(piece, "SCENARIO"))
    *files = "*.yaml";
  else if (!strcmp(piece, "TEMPLATE"))
    fputs(ut_template_names(list), stdout);
  else if (!strcmp(piece, "COMMAND"))
    for (size_t i = 0; i < ut_command_count; i++)
      printf("%s ", ut_commands[i].name);
  else if (!strncmp(piece, "KEY=", 4))
    for (size_t i = 0; ut_vary_key(i); i++)
      printf("%s= ", ut_vary_key(i));
}

/* The words and files that an argument takes, as its text says: see commands.h. */
static void put_values(const char *argument) {
  const bool words = strchr(argument, '|');
  const char *files = NULL;
  char piece[128];
  printf("words='");
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
      printf("%s ", piece);
    else
      put_placeholder(piece, &files);
  }
  printf("'");
  if (files)
    printf(" files='%s'", files);
  printf(" ;;\n");
}

static void put_command(const struct ut_command_entry *c) {
  const struct argp_option *list[UT_MAX_OPTIONS];
  const size_t count = ut_options_of(c->argp, list, UT_MAX_OPTIONS, false);
  for (size_t i = 0; i < count; i++)
    if (list[i]->arg) {
      printf("  '%s --%s '*) ", c->name, list[i]->name);
      put_values(list[i]->arg);
    }
  printf("  '%s '*' -'*) words='", c->name);
  for (size_t i = 0; i < count; i++)
    printf("--%s ", list[i]->name);
  printf("--help' ;;\n");
}

/* What a key of --vary takes, after its =. */
static void put_vary(void) {
  const char *words[UT_MAX_WORDS];
  for (size_t i = 0; ut_vary_key(i); i++) {
    const size_t count = ut_vary_words(ut_vary_key(i), words);
    printf("  'cost %s '*) words='", ut_vary_key(i));
    for (size_t w = 0; w < count; w++)
      printf("%s ", words[w]);
    printf("' ;;\n");
  }
}

int ut_cmd_completion(int argc, char **argv) {
  int status;
  if (ut_parse(&ut_argp_completion, argc, argv, NULL, &status))
    return status;
  fputs(head, stdout);
  printf("  '  '*) words='--help --version ");
  for (size_t i = 0; i < ut_command_count; i++)
    printf("%s ", ut_commands[i].name);
  printf("' ;;\n");
  put_vary();
  for (size_t i = 0; i < ut_command_count; i++)
    put_command(&ut_commands[i]);
  for (size_t i = 0; i < ut_command_count; i++)
    if (ut_commands[i].argp->args_doc) {
      printf("  '%s '*) ", ut_commands[i].name);
      put_values(ut_commands[i].argp->args_doc);
    }
  fputs(tail, stdout);
  return UT_OK;
}
