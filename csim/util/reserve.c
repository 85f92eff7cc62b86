/* SPDX-License-Identifier: Apache-2.0 */
/* reserve.c - see reserve.h */
#include "reserve.h"

#include <stdlib.h>

bool ut_reserve_one(void *array, size_t size, uint32_t used, uint32_t *room) {
  void **pointer = array;
  if (used < *room)
    return true;
  const uint32_t more = *room ? 2 * *room : 256;
  void *larger = realloc(*pointer, more * size);
  if (!larger)
    return false;
  *pointer = larger;
  *room = more;
  return true;
}
