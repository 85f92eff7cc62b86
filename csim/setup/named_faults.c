/* SPDX-License-Identifier: Apache-2.0 */
/* named_faults.c - see named_faults.h */
#define _POSIX_C_SOURCE 200809L
#include "named_faults.h"

#include <stdlib.h>
#include <string.h>

#include "fault_text.h"
#include "scenario.h"
#include "scenario_check.h"
#include "topology_build.h"

static int add_fault(struct ut_scenario *scenario, const struct ut_topology *topo, const char *text,
                     struct ut_error *e) {
  struct ut_fault *list = realloc(scenario->faults, (scenario->fault_count + 1) * sizeof *list);
  if (!list)
    return ut_fail_memory(e);
  scenario->faults = list;
  if (ut_fault_read(&list[scenario->fault_count], topo, text, e))
    return -1;
  scenario->fault_count++;
  return 0;
}

static int add_several(struct ut_scenario *scenario, const struct ut_topology *topo, const char *text,
                       struct ut_error *e) {
  int status = 0;
  while (text && !status) {
    const char *end = strstr(text, "; ");
    char *one = strndup(text, end ? (size_t)(end - text) : strlen(text));
    status = one ? add_fault(scenario, topo, one, e) : ut_fail_memory(e);
    free(one);
    text = end ? end + strlen("; ") : NULL;
  }
  return status;
}

int ut_scenario_add_faults(struct ut_scenario *scenario, const char *const *name, size_t count, struct ut_error *e) {
  int status = 0;
  for (size_t i = 0; i < count && !status; i++)
    status = add_several(scenario, ut_scenario_topology(scenario), name[i], e);
  return !count ? 0 : status ? -1 : ut_scenario_check_faults(scenario, e);
}
