/* drawing.c - see drawing.h: calls Graphviz, and leaves either a whole picture or none. */
#define _GNU_SOURCE
#include "drawing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ending.h"
#include "output.h"
#include "places.h"

/* -q: the nodes of words are smaller than Graphviz would make them. */
static void call_graphviz(int input, int output) {
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  execlp("neato", "neato", "-q", "-n2", "-Tsvg", (char *)NULL);
  _exit(127);
}

/* A file in memory: what it is drawn from, and into, needs no room on a disk. */
static FILE *open_memory(const char *name) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
  if (fd >= 0 && !f)
    close(fd);
  return f;
}

/* Draws into a file in memory.  0 or the exit status of Graphviz. */
static int draw(const struct ut_drawing *d, FILE *dot, FILE *picture) {
  ut_drawing_dot(d, dot);
  if (fflush(dot) || ferror(dot) || fseek(dot, 0, SEEK_SET))
    return -1;
  fflush(stdout);
  pid_t pid = ut_child_fork();
  if (pid == 0)
    call_graphviz(fileno(dot), fileno(picture));
  const int status = pid > 0 ? ut_child_join(pid) : -1;
  return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Graphviz gives its background a border of colour `transparent`, which some viewers draw black. */
static void remove_border(char *text, size_t length) {
  static const char border[] = "stroke=\"transparent\"", none[] = "stroke=\"none\"       ";
  char *at = memmem(text, length, border, sizeof border - 1);
  if (at)
    memcpy(at, none, sizeof none - 1);
}

/* Copies the finished picture. */
static int save(FILE *picture, const char *path, struct ut_error *e) {
  char part[65536];
  size_t length;
  struct ut_output out;
  if (ut_output_open(&out, path, UT_OUTPUT_ANY, e))
    return -1;
  rewind(picture);
  while ((length = fread(part, 1, sizeof part, picture))) {
    remove_border(part, length); /* which is in the first part */
    fwrite(part, 1, length, out.file);
  }
  if (!ferror(picture))
    return ut_output_close(&out, e);
  ut_output_drop(&out);
  return ut_fail(e, UT_INTERNAL, "%s: Graphviz could not draw it: %s", path, strerror(errno));
}

int ut_drawing_check(const struct ut_topology *t, struct ut_error *e) {
  if (!ut_places_known(t))
    return ut_fail(e, UT_BAD_INPUT, "there are no drawings of a %s", t->kind);
  if (t->terminals <= UT_MAX_DRAWN_TERMINALS)
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "a network of %u terminals is too large for a drawing (at most %u)",
                 (unsigned)t->terminals, (unsigned)UT_MAX_DRAWN_TERMINALS);
}

int ut_drawing_svg(const struct ut_drawing *d, const char *path, struct ut_error *e) {
  if (ut_drawing_check(d->topology, e))
    return -1;
  FILE *dot = open_memory("dot"), *picture = open_memory("picture");
  int status = 0;
  if (!dot || !picture)
    status = ut_fail(e, UT_BAD_INPUT, "%s: no memory for the drawing: %s", path, strerror(errno));
  int graphviz = status ? 0 : draw(d, dot, picture);
  if (graphviz == 127)
    status = ut_fail(e, UT_BAD_INPUT, "%s: Graphviz is missing (program neato, Debian package graphviz)", path);
  else if (graphviz)
    status = ut_fail(e, UT_BAD_INPUT, "%s: Graphviz could not draw it; is there enough memory?", path);
  if (!status)
    status = save(picture, path, e);
  if (dot)
    fclose(dot);
  if (picture)
    fclose(picture);
  return status;
}
