/* up_down.h - which leaf switches have a fault-free path to each other that goes up, then down: what tables computed
 * for the surviving network (DDRC) can use. */
#ifndef UT_UP_DOWN_H
#define UT_UP_DOWN_H

#include "explorer.h"

struct ut_up_down {
  const struct ut_explorer *explorer;
  uint32_t leaves;
  unsigned words;         /* of a set of leaf switches */
  uint64_t *below, *from; /* [switches * words]: leaves that climb to the switch; those with an up-down path to it */
};

int ut_up_down_init(struct ut_up_down *x, const struct ut_explorer *w, struct ut_error *e);
void ut_up_down_free(struct ut_up_down *x);
/* Every leaf switch has such a path to every other one, with the explorer's faults. */
bool ut_up_down_connected(struct ut_up_down *x);

#endif
