/* SPDX-License-Identifier: Apache-2.0 */
/* picture.c - see picture.h */
#define _GNU_SOURCE
#include "picture.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "tool.h"

enum { OPTIONS = 8 };

bool ut_picture_is_png(const char *data, size_t size) {
  static const char begin[8] = "\x89PNG\r\n\x1a\n", end[12] = "\0\0\0\0IEND\xae\x42\x60\x82";
  return size > sizeof begin + sizeof end && !memcmp(data, begin, sizeof begin) &&
         !memcmp(data + size - sizeof end, end, sizeof end);
}

bool ut_picture_is_svg(const char *data, size_t size) {
  static const char end[] = "</svg>";
  while (size && strchr(" \t\r\n", data[size - 1]))
    size--;
  return size > sizeof end && (!strncmp(data, "<?xml", 5) || !strncmp(data, "<svg", 4)) &&
         memmem(data, size, "<svg", 4) && !memcmp(data + size - (sizeof end - 1), end, sizeof end - 1) &&
         !memchr(data, '\0', size);
}

/* The program has failed, or what it has made is no picture. */
static int fail(const struct ut_painter *painter, const char *file, const struct ut_tool_answer *answer,
                struct ut_error *e) {
  char line[UT_TOOL_LINE + 1], why[64] = "has made no picture", remedy[256] = "is there enough memory?";
  ut_tool_first_error(*answer->said ? answer->said : answer->data, line);
  if (answer->status > 128)
    snprintf(why, sizeof why, "was ended by '%s'", strsignal(answer->status - 128));
  else
    snprintf(remedy, sizeof remedy, "try `%s` by hand, or reinstall it (Debian: apt-get install --reinstall %s)",
             painter->program, painter->package);
  if (answer->status && answer->status <= 128)
    snprintf(why, sizeof why, "has failed with status %d", answer->status);
  return ut_fail(e, UT_BAD_INPUT, "%.900s: %s %s%s%s; %s", file, painter->name, why, *line ? ": " : "", line, remedy);
}

static int save(const struct ut_painter *painter, const char *file, const struct ut_tool_answer *answer,
                struct ut_error *e) {
  struct ut_output out;
  if (painter->mend)
    painter->mend(answer->data, answer->size);
  if (ut_output_open(&out, file, UT_OUTPUT_ANY, e))
    return -1;
  fwrite(answer->data, 1, answer->size, out.file);
  return ut_output_close(&out, e);
}

int ut_picture_draw(const struct ut_painter *painter, const char *file, const char *script, size_t size,
                    const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  char program[PATH_MAX], *command[OPTIONS + 2] = {program};
  struct ut_tool tool = {.command = command, .folder = "/"};
  struct ut_tool_answer answer;
  const size_t length = strlen(file);
  const bool png = length > 4 && !strcmp(file + length - 4, ".png");
  if (ut_tool_need(painter->program, painter->package, file, program, e))
    return -1;
  for (size_t i = 0; i < OPTIONS && painter->options[i]; i++)
    command[i + 1] = (char *)painter->options[i];
  if (ut_tool_ask(&tool, script, size, interrupted, &answer, e))
    return -1;
  const bool whole = png ? ut_picture_is_png(answer.data, answer.size) : ut_picture_is_svg(answer.data, answer.size);
  const int status = answer.status || !whole ? fail(painter, file, &answer, e) : save(painter, file, &answer, e);
  ut_tool_answer_free(&answer);
  return status;
}
