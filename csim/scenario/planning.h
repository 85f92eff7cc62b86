/* SPDX-License-Identifier: Apache-2.0 */
/* planning.h - how forwarding tables of a network of any form are planned (docs/howto/graphs.md). */
#ifndef UT_PLANNING_H
#define UT_PLANNING_H

#include <stdbool.h>
#include <stdint.h>

struct ut_switch_tables; /* switch_tables.h */
struct ut_path_layers;   /* path_layers.h */

enum ut_planner {
  UT_PLANNER_UPDOWN,
  UT_PLANNER_MINIMAL,
  UT_PLANNER_LAYERS,
  UT_PLANNER_HOPS,
  UT_PLANNER_GLOBAL_HOPS,
  UT_PLANNER_VALIANT,
  UT_PLANNER_UGAL,
  UT_PLANNER_DMODK,
  UT_PLANNER_FILE,
};

/* What becomes of packets for whose paths there are too few VCs. */
enum ut_too_few_vcs { UT_TOO_FEW_DISCARD, UT_TOO_FEW_SHARE };

struct ut_planning {
  enum ut_planner planner;
  enum ut_too_few_vcs too_few_vcs;
  bool one_table; /* of updown: a switch has one entry for a destination, wherever a packet has come from */
  char **root;    /* [roots]: names of switches where up*-down* paths turn; none: chosen by the planner */
  uint32_t roots;
  char *tables_file;               /* of planner file; NULL: none */
  struct ut_switch_tables *tables; /* what stands there */
  char *sl_file, *sl2vl_file;      /* beside them; NULL: none */
  struct ut_path_layers *layers;   /* what stands in these; NULL: there are no layers */
};

/* Returns how many layers the switch has a row of its VC map for, of `vcs` VCs; 0: the planner needs no VC map. */
unsigned ut_planning_layers(const struct ut_planning *planning, unsigned vcs);

/* Returns how many of the VCs, from VC 0 on, are for packets on their way to an intermediate terminal; 0: the planner
 * has no such packets.  groups: the network is one of groups, where that way ends in a group. */
unsigned ut_planning_via(const struct ut_planning *planning, unsigned vcs, bool groups);

/* Copies the names of the roots.  false: out of memory; to be freed in both cases. */
bool ut_planning_name_roots(struct ut_planning *planning, char *const *root, uint32_t roots);
void ut_planning_free(struct ut_planning *planning);

#endif
