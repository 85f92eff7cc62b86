/* SPDX-License-Identifier: Apache-2.0 */
/* methods.c - which method proves which family of networks, and what is known of every size of it: the tables of this
 * room. */
#include "method.h"

#include <string.h>

#include "theorem.h"

static const struct {
  const char *kind; /* of a topology */
  const struct ut_proof_method *method;
} methods[] = {
    {"fat_tree", &ut_proof_by_sets},     {"m_port_tree", &ut_proof_by_sets},  {"torus", &ut_proof_by_walks},
    {"mesh", &ut_proof_by_walks},        {"ruft", &ut_proof_by_walks},        {"ruft_pl", &ut_proof_by_walks},
    {"ft_ruft_212", &ut_proof_by_walks}, {"ft_ruft_222", &ut_proof_by_walks}, {"hypercube", &ut_proof_by_walks},
    {"graph", &ut_proof_by_walks},       {"xgft", &ut_proof_by_walks},        {"dragonfly", &ut_proof_by_walks},
    {"hyperx", &ut_proof_by_walks},      {"slim_fly", &ut_proof_by_walks},
};

const struct ut_proof_method *ut_proof_method_of(const struct ut_topology *topo, struct ut_error *e) {
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    if (!strcmp(methods[i].kind, topo->kind))
      return methods[i].method;
  ut_fail(e, UT_BAD_INPUT, "there is no method of proof for a %s", topo->kind);
  return NULL;
}

extern const struct ut_theorem ut_theorems_fattree[], ut_theorems_detour[]; /* each ended by {0} */

static const struct ut_theorem *const theorems[] = {ut_theorems_fattree, ut_theorems_detour};

const struct ut_theorem *ut_theorem_at(unsigned i) {
  for (size_t family = 0; family < sizeof theorems / sizeof theorems[0]; family++)
    for (const struct ut_theorem *t = theorems[family]; t->algorithm; t++)
      if (i-- == 0)
        return t;
  return NULL;
}
