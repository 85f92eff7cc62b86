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
#include "cache_tools.h"
#include "output.h"

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

void ut_gnuplot_text(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

void ut_gnuplot_label(FILE *f, const char *text, size_t most) {
  const size_t size = strnlen(text, most + 1);
  fputc('"', f);
  for (size_t i = 0; i < size && i < most; i++)
    fputc(strchr("\"\\", text[i]) ? '\'' : text[i], f);
  fputs(size > most ? "...\"" : "\"", f);
}

/* Runs gnuplot on a script in a folder of its own, and moves the picture's bytes to `file`. */
static int draw_in(const char *folder, const char *file, unsigned width, unsigned height, ut_gnuplot_script *write,
                   const void *what, const struct ut_caller *c) {
  char output[PATH_MAX], script[PATH_MAX], gnuplot[PATH_MAX], *data = NULL;
  struct ut_job j = {.does = "drawing", .log_fd = -1};
  struct ut_text t;
  size_t size;
  int tool_status = 0;
  const bool png = ut_path_ends(file, ".png");
  if (!ut_tool_find("gnuplot", gnuplot) || ut_path_set(c->e, output, "%s/picture%s", folder, png ? ".png" : ".svg") ||
      ut_path_set(c->e, script, "%s/script.gp", folder))
    return -1;
  FILE *f = ut_text_open(&t, c->e);
  if (!f)
    return -1;
  fprintf(f, "set terminal %s size %u,%u font \"%s\"\nset output ",
          png ? "pngcairo" : "svg dynamic background \"white\"", width, height,
          png ? "DejaVu Sans,11" : "sans-serif,12");
  ut_gnuplot_text(f, output);
  fputc('\n', f);
  write(f, what);
  if (ut_text_write(&t, f, script, c->e))
    return -1;
  ut_args_add(&j.command, "%s", gnuplot);
  ut_args_add(&j.command, "%s", script);
  int result = ut_jobs_run(c, &j, 1, folder, &tool_status);
  char said[512] = "";
  if (result >= 0 && pread(j.log_fd, said, sizeof said - 1, 0) < 0)
    said[0] = '\0';
  ut_jobs_free(&j, 1);
  if (result >= 0)
    return ut_fail(c->e, tool_status > 128 ? UT_BAD_INPUT : UT_INTERNAL, "%s: gnuplot fails with status %d%s: %s", file,
                   tool_status, tool_status > 128 ? ", is there enough memory?" : "", said);
  if (result == UT_JOBS_ERROR)
    return -1;
  int error = ut_file_read(output, &data, &size);
  if (error)
    return ut_fail(c->e, error == ENOMEM ? UT_BAD_INPUT : UT_INTERNAL, "%s: gnuplot made no picture: %s", file,
                   strerror(error));
  struct ut_output out;
  int status = ut_output_open(&out, file, UT_OUTPUT_ANY, c->e);
  if (!status) {
    fwrite(data, 1, size, out.file);
    status = ut_output_close(&out, c->e);
  }
  free(data);
  return status;
}

int ut_gnuplot_draw(const char *file, unsigned width, unsigned height, ut_gnuplot_script *script, const void *what,
                    const struct ut_caller *c) {
  char folder[PATH_MAX];
  if (ut_path_temporary(c->e, folder, "picture.XXXXXX"))
    return -1;
  if (ut_folder_temporary(folder))
    return ut_fail(c->e, UT_BAD_INPUT, "%s: no folder to draw in can be made in TMPDIR, or /tmp: %s", file,
                   strerror(errno));
  int status = draw_in(folder, file, width, height, script, what, c);
  ut_folder_remove(folder);
  return status;
}
