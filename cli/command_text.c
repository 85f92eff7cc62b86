/* SPDX-License-Identifier: Apache-2.0 */
/* command_text.c - see command_text.h */
#include "command_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"

/* A word of a command, as a shell wants it. */
static void put_word(FILE *f, const char *word) {
  const bool plain = *word && !word[strcspn(word, " \t'\"$`\\*?[]{}&;<>|()#~!\n")];
  fputs(plain ? " " : " '", f);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", f);
    else
      fputc(*word, f);
  if (!plain)
    fputc('\'', f);
}

char *ut_command_text(const char *name, int argc, char **argv, struct ut_error *e) {
  struct ut_text text = {0};
  FILE *f = ut_text_open(&text, e);
  if (!f)
    return NULL;
  fprintf(f, "./uturn %s", name);
  for (int i = 1; i < argc; i++)
    put_word(f, argv[i]);
  if (!fclose(f))
    return text.data;
  ut_fail_memory(e);
  free(text.data);
  return NULL;
}
