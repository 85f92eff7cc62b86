/* rr_arbiter.c - who is served among several that ask.  Twins: rtl/ut_rr_arbiter.v, rtl/ut_local_first.v */
#include "steps.h"

int spec_round_robin(const bool *request, unsigned lines, unsigned pointer) {
  for (unsigned line = pointer; line < lines; line++)
    if (request[line])
      return (int)line;
  for (unsigned line = 0; line < lines; line++)
    if (request[line])
      return (int)line;
  return -1;
}

void spec_local_first(const struct ut_shape *shape, bool *request, unsigned lines) {
  const unsigned first_local = shape->cube + 2 * spec_dimensions(shape); /* ports to other switches come first */
  bool terminal_asks = false;
  for (unsigned line = 0; line < lines; line++)
    terminal_asks |= request[line] && line % shape->pi >= first_local;
  for (unsigned line = 0; shape->local_first && terminal_asks && line < lines; line++)
    request[line] &= line % shape->pi >= first_local;
}
