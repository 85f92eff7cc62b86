/* sides.c - see sides.h */
#include "sides.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rtl.h"

/* A register in which two texts differ. */
struct difference {
  char path[64];
  uint64_t device, golden, third;
  bool known; /* what the third one says */
};

struct differences {
  struct difference *first;
  size_t count, room;
  bool failure;
};

static void add(void *ctx, const char *path, uint64_t device, uint64_t golden) {
  struct differences *d = ctx;
  if (d->count == d->room) {
    const size_t room = d->room ? 2 * d->room : 32;
    struct difference *bigger = realloc(d->first, room * sizeof *bigger);
    d->failure |= !bigger;
    if (!bigger)
      return;
    d->first = bigger;
    d->room = room;
  }
  struct difference *new = &d->first[d->count++];
  *new = (struct difference){.device = device, .golden = golden, .third = golden, .known = false};
  snprintf(new->path, sizeof new->path, "%s", path);
}

/* ---- the third text */

/* The same run once more, by the model alone, elaborated or not as it was, up to the cycle of the mismatch, which the
 * spec makes, too. */
static bool run_again(struct ut_network *n, const struct ut_lockstep *l) {
  struct ut_error e;
  if (ut_network_init(n, l->golden.scenario, NULL, &e))
    return false;
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    n->group[i].steps = ut_group_model_steps(&l->golden.group[i]);
  while (n->cycle + 1 < l->golden.cycle && !n->failure)
    ut_network_step(n);
  if (!n->failure && ut_network_use_spec(n, UT_SPEC_CHECKS)) {
    ut_network_step(n);
    return true;
  }
  ut_network_fini(n);
  return false;
}

struct comparison {
  struct differences *d;
  bool spec; /* the golden switches were the spec's: the third text is the model */
};

static void add_third(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  const struct comparison *c = ctx;
  for (size_t i = 0; i < c->d->count; i++)
    if (!strcmp(c->d->first[i].path, path)) {
      c->d->first[i].third = c->spec ? model : spec;
      c->d->first[i].known = true;
    }
}

/* ---- the verdict */

static void judge(const struct differences *d, unsigned differ, const struct ut_lockstep *l, FILE *f) {
  const char *device = l->gates ? "netlist" : "RTL", *golden = l->spec ? "spec" : "model";
  const char *third = l->spec ? "model" : "spec";
  size_t with_device = 0, known = 0;
  for (size_t i = 0; i < d->count; i++) {
    known += d->first[i].known;
    with_device += d->first[i].known && d->first[i].third == d->first[i].device;
  }
  if (!differ)
    fprintf(f, "  two of three: the %s agrees with the %s in all registers of this switch, so the %s is wrong\n", third,
            golden, device);
  else if (known && with_device == known)
    fprintf(f, "  two of three: the %s agrees with the %s, so the %s is wrong\n", third, device, golden);
  else
    fprintf(f, "  two of three: %s, %s and %s all differ\n", device, golden, third);
  for (size_t i = 0, shown = 0; i < d->count && shown < 8; i++)
    if (d->first[i].known && ++shown)
      fprintf(f, "    %-33s %s 0x%" PRIx64 "   %s 0x%" PRIx64 "   %s 0x%" PRIx64 "\n", d->first[i].path, device,
              d->first[i].device, golden, d->first[i].golden, third, d->first[i].third);
}

void ut_sides_print(const struct ut_lockstep *l, FILE *f) {
  const uint32_t sw = l->mismatch_switch;
  struct differences d = {0};
  struct comparison c = {&d, l->spec};
  struct ut_network n;
  unsigned differ;
  if (!l->mismatches || sw == UINT32_MAX || ut_network_unmodelled(&l->golden)) /* the third text is not written yet */
    return;
  ut_rtl_api(l->dut, sw)
      ->differences(l->dut->model[sw], ut_network_group(&l->golden, sw), ut_network_switch(&l->golden, sw), add, &d);
  if (!d.failure && run_again(&n, l)) {
    ut_spec_compare(ut_network_group(&n, sw), sw, add_third, &c, &differ);
    judge(&d, differ, l, f);
    ut_network_fini(&n);
  }
  free(d.first);
}
