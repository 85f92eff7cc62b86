/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_vector.c - see stuck_vector.h */
#include "stuck_vector.h"

#include <stdlib.h>
#include <string.h>

ut_stuck_vector *ut_stuck_vectors(size_t count) {
  return aligned_alloc(sizeof(ut_stuck_vector), (count + 1) * sizeof(ut_stuck_vector));
}

void ut_stuck_find_readers(const struct ut_circuit *c, uint32_t *reader, uint32_t *readers) {
  for (size_t i = 0; i < c->ops; i++)
    for (unsigned j = 0; j < ut_stuck_operands(&c->op[i]); j++)
      readers[(j ? c->op[i].b : c->op[i].a) + 1]++;
  for (size_t i = 0; i < c->ops; i++)
    readers[i + 1] += readers[i];
  const uint32_t all = readers[c->ops];
  for (size_t i = c->ops; i-- > 0;) /* readers[i + 1]: from the end of i's readers down to their begin */
    for (unsigned j = 0; j < ut_stuck_operands(&c->op[i]); j++)
      reader[--readers[(j ? c->op[i].b : c->op[i].a) + 1]] = (uint32_t)i;
  memmove(readers, readers + 1, c->ops * sizeof *readers);
  readers[c->ops] = all;
}
