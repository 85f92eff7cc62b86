/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_permutation.c - a destination for each terminal, from a file: one a line for terminal 0, 1, ..., or pairs of
 * source and destination; every terminal once.  Several may have the same destination: then it is a map, and no
 * permutation. */
#include <stdlib.h>

#include "number_file.h"
#include "pattern.h"
#include "traffic.h"

/* line_of: [terminals], zero: the line that gave each terminal its destination. */
static int read_permutation(struct ut_traffic *traffic, struct ut_number_file *file, unsigned *line_of,
                            struct ut_error *e) {
  unsigned columns = 0;
  uint32_t given = 0;
  int more;
  while ((more = ut_number_file_next(file, e)) > 0) {
    if (!columns)
      columns = file->count;
    if (file->count != columns || columns > 2)
      return ut_lines_fail(&file->file, 1, e, "expected %s",
                           columns == 1 ? "one number, a destination" : "two numbers, source and destination");
    uint16_t src = (uint16_t)given;
    if (columns == 2 && ut_number_file_terminal(file, 0, traffic->terminals, &src, e))
      return -1;
    if (given == traffic->terminals)
      return ut_lines_fail(&file->file, 1, e, "more lines than the %u terminals of this network",
                           (unsigned)traffic->terminals);
    if (line_of[src])
      return ut_lines_fail(&file->file, 1, e, "terminal %u has a destination from line %u", (unsigned)src,
                           line_of[src]);
    if (ut_number_file_terminal(file, columns - 1, traffic->terminals, &traffic->map[src], e))
      return -1;
    line_of[src] = file->file.line;
    given++;
  }
  for (uint32_t src = 0; more == 0 && src < traffic->terminals; src++)
    if (!line_of[src])
      return ut_fail(e, UT_BAD_INPUT, "%s: terminal %u has no destination; all %u need one", file->file.path,
                     (unsigned)src, (unsigned)traffic->terminals);
  return more;
}

static int load_permutation(struct ut_traffic *traffic, const char *path, struct ut_error *e) {
  struct ut_number_file file;
  if (ut_number_file_open(&file, path, "permutation", e))
    return -1;
  unsigned *line_of = calloc(traffic->terminals, sizeof *line_of);
  int result =
      line_of ? read_permutation(traffic, &file, line_of, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  free(line_of);
  ut_number_file_close(&file);
  return result;
}

const struct ut_pattern ut_pattern_permutation = {
    .name = "permutation",
    .summary = "from a file: one destination a line, or `src dst` pairs",
    .keys = {"traffic.permutation_file"},
    .read = load_permutation,
};
