/* SPDX-License-Identifier: Apache-2.0 */
/* cache_gnuplot.c - see cache_gnuplot.h */
#define _GNU_SOURCE
#include "cache_gnuplot.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_files.h"
#include "memory_text.h"
#include "picture.h"
#include "tool.h"

/* -d: no ~/.gnuplot, which could change the picture. */
static const char *const options[] = {"-d", NULL};
static const struct ut_painter gnuplot = {"gnuplot", "gnuplot", "gnuplot-nox", options, NULL};

int ut_gnuplot_check(const char *file, const char *option, struct ut_error *e) {
  char folder[PATH_MAX], tool[PATH_MAX];
  if (!ut_path_ends(file, ".png") && !ut_path_ends(file, ".svg"))
    return ut_fail(e, UT_BAD_INPUT, "%s %.900s: the name must end in .png or .svg", option, file);
  if (ut_tool_need("gnuplot", "gnuplot-nox", option, tool, e))
    return -1;
  if (ut_path_set(e, folder, "%s", file))
    return -1;
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = '\0';
  if (access(slash ? folder : ".", W_OK | X_OK))
    return ut_fail(e, UT_BAD_INPUT, "%s %.900s: cannot write there: %s", option, file, strerror(errno));
  struct stat there;
  if (!stat(file, &there) && (!S_ISREG(there.st_mode) || access(file, W_OK)))
    return ut_fail(e, UT_BAD_INPUT, "%s %.900s: cannot write there: %s", option, file,
                   S_ISREG(there.st_mode) ? strerror(errno) : "it is no file");
  return 0;
}

/* The first bytes of a text, at most `most`, as ut_gnuplot_text() writes it; `more` behind them. */
static void put_quoted(FILE *f, const char *text, size_t most, const char *more) {
  char escaped[4096];
  char *part = strndup(text, most);
  ut_escape_controls(escaped, sizeof escaped, part ? part : "");
  free(part);
  fputc('\'', f);
  for (const char *c = escaped; *c; c++)
    fputs(*c == '\'' ? "\'\'" : *c == '\n' || *c == '\t' ? " " : (char[]){*c, '\0'}, f);
  fprintf(f, "%s'", more);
}

void ut_gnuplot_text(FILE *f, const char *text) {
  put_quoted(f, text, strlen(text), "");
}

void ut_gnuplot_label(FILE *f, const char *text, size_t most) {
  size_t size = strlen(text);
  const bool cut = size > most;
  if (cut)
    for (size = most; size && ((unsigned char)text[size] & 0xc0) == 0x80; size--)
      ; /* not within a character */
  put_quoted(f, text, size, cut ? "..." : "");
}

int ut_gnuplot_draw(const char *file, unsigned width, unsigned height, ut_gnuplot_script *write, const void *what,
                    const struct ut_caller *caller) {
  char *script = NULL;
  size_t size;
  const bool png = ut_path_ends(file, ".png");
  FILE *f = ut_memory_open(&script, &size);
  if (f) {
    fprintf(f, "set encoding utf8\nset terminal %s size %u,%u font '%s'\n",
            png ? "pngcairo" : "svg dynamic background 'white'", width, height,
            png ? "DejaVu Sans,11" : "sans-serif,12");
    write(f, what);
  }
  if (!f || ut_memory_close(f, &script))
    return ut_fail_memory(caller->e);
  const int status = ut_picture_draw(&gnuplot, file, script, size, caller->interrupted, caller->e);
  free(script);
  return status;
}
