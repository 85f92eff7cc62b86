/* SPDX-License-Identifier: Apache-2.0 */
/* planning.h - how forwarding tables of a network of any form are planned (docs/howto/graphs.md). */
#ifndef UT_PLANNING_H
#define UT_PLANNING_H

#include <stdbool.h>
#include <stdint.h>

enum ut_planner {
  UT_PLANNER_UPDOWN,
  UT_PLANNER_MINIMAL,
  UT_PLANNER_LAYERS,
  UT_PLANNER_HOPS,
  UT_PLANNER_GLOBAL_HOPS,
};

/* What becomes of packets for whose paths there are too few VCs. */
enum ut_too_few_vcs { UT_TOO_FEW_DISCARD, UT_TOO_FEW_SHARE };

struct ut_planning {
  enum ut_planner planner;
  enum ut_too_few_vcs too_few_vcs;
  char **root; /* [roots]: names of switches where up*-down* paths turn; none: chosen by the planner */
  uint32_t roots;
};

/* Returns how many layers the switch has a row of its VC map for, of `vcs` VCs; 0: the planner needs no VC map. */
unsigned ut_planning_layers(const struct ut_planning *planning, unsigned vcs);

/* Copies the names of the roots.  false: out of memory; to be freed in both cases. */
bool ut_planning_name_roots(struct ut_planning *planning, char *const *root, uint32_t roots);
void ut_planning_free(struct ut_planning *planning);

#endif
