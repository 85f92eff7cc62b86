/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_vector.c - see stuck_vector.h */
#include "stuck_vector.h"

#include <stdlib.h>
#include <string.h>

ut_stuck_vector *ut_stuck_vectors(size_t count) {
  return aligned_alloc(sizeof(ut_stuck_vector), (count + 1) * sizeof(ut_stuck_vector));
}

void ut_stuck_find_readers(const struct ut_circuit *circuit, uint32_t *reader, uint32_t *readers) {
  for (size_t i = 0; i < circuit->ops; i++)
    for (unsigned j = 0; j < ut_stuck_operands(&circuit->op[i]); j++)
      readers[(j ? circuit->op[i].b : circuit->op[i].a) + 1]++;
  for (size_t i = 0; i < circuit->ops; i++)
    readers[i + 1] += readers[i];
  const uint32_t all = readers[circuit->ops];
  for (size_t i = circuit->ops; i-- > 0;) /* readers[i + 1]: from the end of i's readers down to their begin */
    for (unsigned j = 0; j < ut_stuck_operands(&circuit->op[i]); j++)
      reader[--readers[(j ? circuit->op[i].b : circuit->op[i].a) + 1]] = (uint32_t)i;
  memmove(readers, readers + 1, circuit->ops * sizeof *readers);
  readers[circuit->ops] = all;
}
