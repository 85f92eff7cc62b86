/* SPDX-License-Identifier: Apache-2.0 */
/* planning.c - see planning.h */
#define _POSIX_C_SOURCE 200809L
#include "planning.h"

#include <stdlib.h>
#include <string.h>

unsigned ut_planning_layers(const struct ut_planning *planning, unsigned vcs) {
  switch (planning->planner) {
  case UT_PLANNER_LAYERS: return vcs;
  case UT_PLANNER_FILE: return planning->sl_file ? vcs : 0;
  case UT_PLANNER_HOPS:
  case UT_PLANNER_GLOBAL_HOPS: return 1;
  case UT_PLANNER_VALIANT:
  case UT_PLANNER_UGAL: return 2;
  default: return 0;
  }
}

unsigned ut_planning_via(const struct ut_planning *planning, unsigned vcs, bool groups) {
  if (planning->planner != UT_PLANNER_VALIANT && planning->planner != UT_PLANNER_UGAL)
    return 0;
  return !groups ? vcs / 2 : vcs < 3 ? 1 : vcs / 3;
}

bool ut_planning_name_roots(struct ut_planning *planning, char *const *root, uint32_t roots) {
  planning->root = roots ? calloc(roots, sizeof *planning->root) : NULL;
  planning->roots = planning->root ? roots : 0;
  bool complete = planning->roots == roots;
  for (uint32_t i = 0; i < planning->roots; i++)
    complete &= (planning->root[i] = strdup(root[i])) != NULL;
  return complete;
}

void ut_planning_free(struct ut_planning *planning) {
  for (uint32_t i = 0; i < planning->roots; i++)
    free(planning->root[i]);
  free(planning->root);
  free(planning->tables_file);
  free(planning->sl_file);
  free(planning->sl2vl_file);
  planning->tables_file = planning->sl_file = planning->sl2vl_file = NULL;
  planning->root = NULL;
  planning->roots = 0;
}
