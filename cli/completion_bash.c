/* SPDX-License-Identifier: Apache-2.0 */
/* completion_bash.c - see completion.h */
#include <stdio.h>

#include "completion.h"
#include "cost_vary.h"
#include "scenario_schema.h"

static const char head[] = "# bash completion of uturn, made by `uturn completion bash`\n"
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

static void put_values(const char *argument) {
  struct ut_values values;
  ut_values_read(&values, argument);
  printf("words='%s'", values.words);
  if (values.files[0])
    printf(" files='%s'", values.files); /* folders only: no file is called / */
  printf(" ;;\n");
}

static void put_command(const struct ut_command_entry *entry) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  size_t count = ut_options_of(entry->syntax, list, UT_MAX_OPTIONS, false);
  for (size_t i = 0; i < count; i++)
    if (list[i]->argument) {
      printf("  '%s --%s '*) ", entry->name, list[i]->name);
      put_values(list[i]->argument);
    }
  count += ut_options_of(&ut_common_syntax, list + count, UT_MAX_OPTIONS - count, false);
  printf("  '%s '*' -'*) words='", entry->name);
  for (size_t i = 0; i < count; i++)
    printf("--%s ", list[i]->name);
  printf("' ;;\n");
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

void ut_completion_bash(void) {
  fputs(head, stdout);
  printf("  '  '*) words='--help --version help ");
  for (size_t i = 0; i < ut_command_count; i++)
    printf("%s ", ut_commands[i].name);
  printf("' ;;\n  'help '*) ");
  put_values("COMMAND");
  put_vary();
  for (size_t i = 0; i < ut_command_count; i++)
    put_command(&ut_commands[i]);
  for (size_t i = 0; i < ut_command_count; i++)
    if (ut_commands[i].syntax->arguments) {
      printf("  '%s '*) ", ut_commands[i].name);
      put_values(ut_commands[i].syntax->arguments);
    }
  fputs(tail, stdout);
}
