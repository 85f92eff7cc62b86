/* SPDX-License-Identifier: Apache-2.0 */
/* named_faults.c - see named_faults.h */
#define _POSIX_C_SOURCE 200809L
#include "named_faults.h"

#include <stdlib.h>
#include <string.h>

#include "fault_text.h"
#include "scenario_check.h"
#include "topology_build.h"

static int add_fault(struct ut_scenario *s, const struct ut_topology *t, const char *text, struct ut_error *e) {
  struct ut_fault *list = realloc(s->faults, (s->fault_count + 1) * sizeof *list);
  if (!list)
    return ut_fail_memory(e);
  s->faults = list;
  if (ut_fault_read(&list[s->fault_count], t, text, e))
    return -1;
  s->fault_count++;
  return 0;
}

static int add_several(struct ut_scenario *s, const struct ut_topology *t, const char *text, struct ut_error *e) {
  int status = 0;
  while (text && !status) {
    const char *end = strstr(text, "; ");
    char *one = strndup(text, end ? (size_t)(end - text) : strlen(text));
    status = one ? add_fault(s, t, one, e) : ut_fail_memory(e);
    free(one);
    text = end ? end + strlen("; ") : NULL;
  }
  return status;
}

int ut_scenario_add_faults(struct ut_scenario *s, const char *const *name, size_t count, struct ut_error *e) {
  struct ut_topology t;
  if (!count)
    return 0;
  if (ut_topology_init(&t, s, e))
    return -1;
  int status = 0;
  for (size_t i = 0; i < count && !status; i++)
    status = add_several(s, &t, name[i], e);
  ut_topology_free(&t);
  return status ? -1 : ut_scenario_check_faults(s, e);
}
