/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.h - the switches of random scenarios: one elaboration of the RTL each, in networks that use it.  Keys are
 * spelled as in a scenario; keys that are left open are drawn for each scenario (random_scenario.h). */
#ifndef UT_HUNT_SHAPES_H
#define UT_HUNT_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

/* When packets may deadlock: docs/results/claims.md has the claims. */
enum ut_hunt_deadlock {
  UT_HUNT_NEVER,
  UT_HUNT_FROM_K_FAULTS_ON, /* with failed links; and with dual-homed packets, or one VC for two layers */
  UT_HUNT_WITH_FAULTS,      /* with failed links that routes, or tables at first, were not planned for */
  UT_HUNT_BEYOND_MODEL,     /* with several failed nodes, which may be outside the fault model */
};

/* Kinds of networks that are drawn in the same way. */
struct ut_hunt_family {
  const char *name;
  /* Probabilities of kinds of faults. */
  struct {
    uint8_t link, node, injection, ejection, random_links, random_nodes, random_terminal_links;
  } share;
  enum ut_hunt_deadlock deadlock;
  bool levels;         /* n is drawn if the shape leaves it open */
  bool terminal_links; /* injection and ejection links have lengths of their own */
  bool vectors;        /* keys of the re-route vector are drawn */
  bool manager;        /* keys of the fault manager are drawn, not only with tables */
  bool drains;         /* some runs wait until the network is empty */
  bool nodes;          /* nodes fail as a whole, for long; the manager purges packets; packets have any length */
};
enum { UT_HUNT_FAMILIES = 5 };
extern const struct ut_hunt_family ut_hunt_families[UT_HUNT_FAMILIES];
/* The order in which families take turns: numbers in ut_hunt_families. */
enum { UT_HUNT_FAMILY_ORDER = 7 };
extern const unsigned ut_hunt_family_order[UT_HUNT_FAMILY_ORDER];

struct ut_hunt_shape {
  unsigned family;      /* in ut_hunt_families */
  const char *topology; /* of trees without n: it is drawn, the switch is the same for all */
  const char *routing, *sw;
};

extern const struct ut_hunt_shape ut_hunt_shapes[];
extern const unsigned ut_hunt_shape_count;

#endif
