/* SPDX-License-Identifier: Apache-2.0 */
/* walk_arcs.c - the dependencies that decide, of a proof by walks: see method_walks.h */
#include "method_walks.h"
#include "numbering.h"

const struct ut_arcs *ut_deciding_arcs(const struct ut_prover *prover) {
  return ut_rings_deciding(&ut_by_walks(prover)->rings, prover->explorer.group);
}

bool ut_find_falling(struct ut_prover *prover, uint32_t *from, uint32_t *to) {
  const struct ut_hash *arcs = &ut_by_walks(prover)->rings.extended.hash;
  bool found = false;
  for (uint32_t i = 0; i < arcs->size && ut_escapes_numbered(&prover->explorer); i++) {
    const uint32_t a = (uint32_t)(arcs->entry[i].key >> 32), b = (uint32_t)arcs->entry[i].key;
    if (arcs->entry[i].generation != arcs->generation)
      continue;
    const int64_t first = ut_escape_number(&prover->explorer, a), second = ut_escape_number(&prover->explorer, b);
    if (first >= 0 && second > first)
      continue;
    if (!found || a < *from || (a == *from && b < *to)) {
      *from = a;
      *to = b;
    }
    found = true;
  }
  return found;
}
