/* random_scenario.h - a random scenario: a network of a switch of shapes.h, traffic, and faults that come and go.
 *
 * A pure function of (shape, style, seed): the same on every machine. */
#ifndef UT_HUNT_RANDOM_SCENARIO_H
#define UT_HUNT_RANDOM_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

/* What a scenario is to bring about that is rare among those that are drawn without it. */
enum ut_hunt_style {
  UT_HUNT_ANY,
  UT_HUNT_CROWDED,      /* as many packets as links can take, or all to one terminal: full buffers, few credits */
  UT_HUNT_SHORT_FAULTS, /* of one to a few cycles, again and again */
  UT_HUNT_SHORT_TIMERS, /* of the re-route vector and of the manager; few packets, so that nothing starts them anew */
  UT_HUNT_MANY_FAULTS,  /* beyond what the algorithm tolerates */
  UT_HUNT_STYLES
};
extern const char *const ut_hunt_style_names[UT_HUNT_STYLES]; /* "any", "crowded", ... */

struct ut_hunt_scenario {
  char *text;        /* YAML, to be freed */
  bool may_deadlock; /* its faults, its VCs or its switching are beyond what its algorithm claims */
  uint32_t switches;
};

/* -1 and *e on failure. */
int ut_hunt_scenario_make(struct ut_hunt_scenario *s, unsigned shape, enum ut_hunt_style style, uint64_t seed,
                          struct ut_error *e);

#endif
