/* SPDX-License-Identifier: Apache-2.0 */
/* planning.h - how forwarding tables of a network of any form are planned (docs/howto/graphs.md). */
#ifndef UT_PLANNING_H
#define UT_PLANNING_H

#include <stdbool.h>
#include <stdint.h>

struct ut_switch_tables; /* switch_tables.h */

enum ut_planner { UT_PLANNER_UPDOWN, UT_PLANNER_MINIMAL, UT_PLANNER_DMODK, UT_PLANNER_FILE };

struct ut_planning {
  enum ut_planner planner;
  char **root; /* [roots]: names of switches where up*-down* paths turn; none: chosen by the planner */
  uint32_t roots;
  char *tables_file;               /* of planner file; NULL: none */
  struct ut_switch_tables *tables; /* what stands there */
};

/* Copies the names of the roots.  false: out of memory; to be freed in both cases. */
bool ut_planning_name_roots(struct ut_planning *planning, char *const *root, uint32_t roots);
void ut_planning_free(struct ut_planning *planning);

#endif
