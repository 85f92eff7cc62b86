/* sides.c - see sides.h */
#include "sides.h"

#include <inttypes.h>

struct differences {
  FILE *file;
  unsigned count;
};

static void write_difference(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  struct differences *d = ctx;
  if (d->count++ < 8)
    fprintf(d->file, "    %-33s model 0x%" PRIx64 "   spec 0x%" PRIx64 "\n", path, model, spec);
}

/* The same run once more, by the model alone, up to the cycle of the mismatch, which the spec makes, too. */
static bool run_again(struct ut_network *n, const struct ut_lockstep *l) {
  struct ut_error e;
  if (ut_network_init(n, l->golden.scenario, NULL, &e))
    return false;
  while (n->cycle + 1 < l->golden.cycle && !n->failure)
    ut_network_step(n);
  if (ut_network_use_spec(n, UT_SPEC_CHECKS)) {
    ut_network_step(n);
    return true;
  }
  ut_network_fini(n);
  return false;
}

void ut_sides_print(const struct ut_lockstep *l, FILE *f) {
  const char *device = l->gates ? "netlist" : "RTL";
  const uint32_t sw = l->mismatch_switch;
  struct differences d = {f, 0};
  struct ut_network n;
  unsigned differ;
  if (!l->mismatches || sw == UINT32_MAX || !run_again(&n, l))
    return;
  ut_spec_compare(ut_network_group(&n, sw), sw, NULL, NULL, &differ);
  if (!differ)
    fprintf(f, "  model and spec agree in all registers of this switch: the %s is the one that differs\n", device);
  else
    fprintf(f, "  model and spec differ, too, in %u registers of this switch:\n", differ);
  ut_spec_compare(ut_network_group(&n, sw), sw, write_difference, &d, &differ);
  ut_network_fini(&n);
}
