/* stuck_vector.c - see stuck_vector.h */
#include "stuck_vector.h"

#include <stdlib.h>

ut_stuck_vector *ut_stuck_vectors(size_t count) {
  return aligned_alloc(sizeof(ut_stuck_vector), (count + 1) * sizeof(ut_stuck_vector));
}
