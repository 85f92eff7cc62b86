/* SPDX-License-Identifier: Apache-2.0 */
/* family.c - the table of topologies: see family.h */
#include "family.h"

#include <string.h>

#define ADDRESS(name) &ut_family_##name,
const struct ut_family *const ut_families[] = {UT_FOR_EACH_FAMILY(ADDRESS) NULL};

const struct ut_family *ut_family_find(const char *kind) {
  for (unsigned i = 0; ut_families[i]; i++)
    if (strcmp(ut_families[i]->kind, kind) == 0)
      return ut_families[i];
  return NULL;
}
