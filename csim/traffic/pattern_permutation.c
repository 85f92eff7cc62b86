/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_permutation.c - a destination for each terminal, from a file: one a line for terminal 0, 1, ..., or pairs of
 * source and destination; every terminal once.  Several may have the same destination: then it is a map, and no
 * permutation.  With traffic.over it is one of groups or switches. */
#include <stdlib.h>
#include <string.h>

#include "number_file.h"
#include "pattern.h"
#include "traffic.h"

/* line_of: [units], zero: the line that gave each its destination. */
static int read_permutation(struct ut_traffic *traffic, struct ut_number_file *file, unsigned *line_of,
                            struct ut_error *e) {
  const struct ut_pattern_units *units = &traffic->units;
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
    if (columns == 2 && ut_number_file_unit(file, 0, units->count, units->name, &src, e))
      return -1;
    if (given == units->count)
      return ut_lines_fail(&file->file, 1, e, "more lines than the %u %s%s of this network", (unsigned)units->count,
                           units->name, units->name[strlen(units->name) - 1] == 'h' ? "es" : "s");
    if (line_of[src])
      return ut_lines_fail(&file->file, 1, e, "%s %u has a destination from line %u", units->name, (unsigned)src,
                           line_of[src]);
    if (ut_number_file_unit(file, columns - 1, units->count, units->name, &traffic->map[src], e))
      return -1;
    line_of[src] = file->file.line;
    given++;
  }
  for (uint32_t src = 0; more == 0 && src < units->count; src++)
    if (!line_of[src])
      return ut_fail(e, UT_BAD_INPUT, "%s: %s %u has no destination; all %u need one", file->file.path, units->name,
                     (unsigned)src, (unsigned)units->count);
  return more;
}

static int load_permutation(struct ut_traffic *traffic, const char *path, struct ut_error *e) {
  struct ut_number_file file;
  if (ut_number_file_open(&file, path, "permutation", e))
    return -1;
  unsigned *line_of = calloc(traffic->units.count, sizeof *line_of);
  int result =
      line_of ? read_permutation(traffic, &file, line_of, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  free(line_of);
  ut_number_file_close(&file);
  return result;
}

const struct ut_pattern ut_pattern_permutation = {
    .name = "permutation",
    .summary = "from a file: one destination a line, or `src dst` pairs",
    .keys = {"traffic.permutation_file", "traffic.over", "traffic.member"},
    .read = load_permutation,
};
