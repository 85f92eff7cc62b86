/* shapes.h - the switches that random scenarios are made of: one elaboration of the RTL each, in networks that use it.
 *
 * Keys of a scenario, as it says them.  What they leave open is drawn for each scenario (random_scenario.h). */
#ifndef UT_HUNT_SHAPES_H
#define UT_HUNT_SHAPES_H

/* What can fail, and when packets may deadlock, is a matter of the family. */
enum ut_hunt_family { UT_HUNT_TREES, UT_HUNT_RUFT, UT_HUNT_TORI, UT_HUNT_NODES, UT_HUNT_FAMILIES };
extern const char *const ut_hunt_family_names[UT_HUNT_FAMILIES]; /* "trees", ... */

struct ut_hunt_shape {
  enum ut_hunt_family family;
  const char *topology; /* of trees without n: it is drawn, the switch is the same for all */
  const char *routing, *sw;
};

extern const struct ut_hunt_shape ut_hunt_shapes[];
extern const unsigned ut_hunt_shape_count;

#endif
