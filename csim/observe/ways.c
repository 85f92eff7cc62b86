/* ways.c - see ways.h */
#include "ways.h"

#include <stdio.h>

const char *ut_way_text(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (!ut_levelled(t))
    return ut_topology_direction(t, port, text);
  snprintf(text, UT_DIRECTION_SIZE, "%s", t->up_ports >> port & 1 ? "up" : "down");
  return text;
}
