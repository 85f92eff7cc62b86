/* family.c - the table of topologies: see family.h */
#include "family.h"

#include <string.h>

const struct ut_family *const ut_families[] = {
    &ut_family_fat_tree,    &ut_family_torus,       &ut_family_mesh,
    &ut_family_hypercube,   &ut_family_ruft,        &ut_family_ruft_pl,
    &ut_family_ft_ruft_212, &ut_family_ft_ruft_222, NULL,
};

const struct ut_family *ut_family_find(const char *kind) {
  for (unsigned i = 0; ut_families[i]; i++)
    if (strcmp(ut_families[i]->kind, kind) == 0)
      return ut_families[i];
  return NULL;
}
