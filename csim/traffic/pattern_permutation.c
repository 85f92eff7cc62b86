/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_permutation.c - a destination for each terminal, from a file: one a line for terminal 0, 1, ..., or pairs of
 * source and destination; every terminal once.  Several may have the same destination: then it is a map, and no
 * permutation. */
#include <stdlib.h>

#include "number_file.h"
#include "pattern.h"
#include "traffic.h"

/* line_of: [terminals], zero: the line that gave each terminal its destination. */
static int read_permutation(struct ut_traffic *t, struct ut_number_file *f, unsigned *line_of, struct ut_error *e) {
  unsigned columns = 0;
  uint32_t given = 0;
  int more;
  while ((more = ut_number_file_next(f, e)) > 0) {
    if (!columns)
      columns = f->count;
    if (f->count != columns || columns > 2)
      return ut_lines_fail(&f->file, 1, e, "expected %s",
                           columns == 1 ? "one number, a destination" : "two numbers, source and destination");
    uint16_t src = (uint16_t)given;
    if (columns == 2 && ut_number_file_terminal(f, 0, t->terminals, &src, e))
      return -1;
    if (given == t->terminals)
      return ut_lines_fail(&f->file, 1, e, "more lines than the %u terminals of this network", (unsigned)t->terminals);
    if (line_of[src])
      return ut_lines_fail(&f->file, 1, e, "terminal %u has a destination from line %u", (unsigned)src, line_of[src]);
    if (ut_number_file_terminal(f, columns - 1, t->terminals, &t->map[src], e))
      return -1;
    line_of[src] = f->file.line;
    given++;
  }
  for (uint32_t src = 0; more == 0 && src < t->terminals; src++)
    if (!line_of[src])
      return ut_fail(e, UT_BAD_INPUT, "%s: terminal %u has no destination; all %u need one", f->file.path,
                     (unsigned)src, (unsigned)t->terminals);
  return more;
}

static int load_permutation(struct ut_traffic *t, const char *path, struct ut_error *e) {
  struct ut_number_file f;
  if (ut_number_file_open(&f, path, "permutation", e))
    return -1;
  unsigned *line_of = calloc(t->terminals, sizeof *line_of);
  int result = line_of ? read_permutation(t, &f, line_of, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  free(line_of);
  ut_number_file_close(&f);
  return result;
}

const struct ut_pattern ut_pattern_permutation = {
    .name = "permutation",
    .summary = "from a file: one destination a line, or `src dst` pairs",
    .keys = {"traffic.permutation_file"},
    .read = load_permutation,
};
