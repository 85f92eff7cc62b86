/* up_down.c - see up_down.h */
#include "up_down.h"

#include <string.h>

int ut_up_down_init(struct ut_up_down *x, const struct ut_explorer *w, struct ut_error *e) {
  const struct ut_topology *t = w->topology;
  *x = (struct ut_up_down){.explorer = w};
  while (x->leaves < t->switches && t->level[x->leaves] == 0)
    x->leaves++;
  x->words = (x->leaves + 63) / 64;
  x->below = calloc((size_t)t->switches * x->words, sizeof *x->below);
  x->from = calloc((size_t)t->switches * x->words, sizeof *x->from);
  if (x->below && x->from)
    return 0;
  ut_up_down_free(x);
  return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
}

void ut_up_down_free(struct ut_up_down *x) {
  free(x->below);
  free(x->from);
  *x = (struct ut_up_down){0};
}

bool ut_up_down_connected(struct ut_up_down *x) {
  const struct ut_explorer *w = x->explorer;
  const struct ut_topology *t = w->topology;
  unsigned words = x->words;
  memset(x->below, 0, (size_t)t->switches * words * sizeof *x->below);
  for (uint32_t sw = 0; sw < x->leaves; sw++)
    x->below[(size_t)sw * words + sw / 64] |= UINT64_C(1) << sw % 64;
  ut_mask up_ports = (ut_mask)t->up_ports;
  for (uint32_t sw = 0; sw < t->switches; sw++)
    UT_FOR_EACH(port, w->up[sw] & up_ports) {
      uint32_t upper = t->peer[(size_t)sw * t->po + port].index;
      for (unsigned i = 0; i < words; i++)
        x->below[(size_t)upper * words + i] |= x->below[(size_t)sw * words + i];
    }
  memcpy(x->from, x->below, (size_t)t->switches * words * sizeof *x->from);
  for (uint32_t sw = t->switches; sw-- > 0;) {
    uint64_t missing = 0;
    UT_FOR_EACH(port, w->up[sw] & up_ports) {
      uint32_t upper = t->peer[(size_t)sw * t->po + port].index;
      for (unsigned i = 0; i < words; i++)
        x->from[(size_t)sw * words + i] |= x->from[(size_t)upper * words + i];
    }
    for (unsigned i = 0; i < words && sw < x->leaves; i++) {
      uint64_t all = x->leaves - i * 64 >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << x->leaves % 64) - 1;
      missing |= all & ~x->from[(size_t)sw * words + i];
    }
    if (missing)
      return false;
  }
  return true;
}
