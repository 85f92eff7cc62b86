/* rtl.c - the Verilated switches of a network, as its backend. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep.h"
#include "rtl.h"

static void reset(void *self, uint32_t sw, uint64_t straps) {
  struct ut_rtl *d = self;
  d->api->reset(d->model[sw], straps);
}

static void configure(void *self, uint32_t sw, uint64_t word) {
  struct ut_rtl *d = self;
  d->api->configure(d->model[sw], word);
}

void ut_rtl_compare(struct ut_rtl *d, uint32_t sw) {
  const struct ut_group *g = &d->golden->group;
  struct ut_switch *s = ut_switch_of(g, sw);
  d->compared++;
  if (ut_bitmap_get(d->golden->failed, sw)) /* a reset leaves payload as the RTL happens to hold it */
    d->api->adopt(d->model[sw], g, s);
  if (d->api->compare(d->model[sw], g, s) && sw < d->differs)
    d->differs = sw;
}

/* Calls the golden registers into the cache, all but tables and buffers, for the comparison that follows the RTL's
 * step. */
static void fetch_golden(const struct ut_group *g, uint32_t sw) {
  const char *s = (const char *)ut_switch_of(g, sw);
  for (size_t at = 0; at < g->at.table; at += 64)
    __builtin_prefetch(s + at);
}

static void step(void *self, uint32_t sw, const struct ut_switch_in *in, struct ut_switch_out *out) {
  struct ut_rtl *d = self;
  struct ut_switch_in less;
  ut_mask credit[UT_MAX_VCS];
  struct ut_model_out o;
  if (sw == d->robbed) { /* a planted fault: the lowest credit that arrives is lost */
    for (unsigned v = 0; v < UT_MAX_VCS; v++)
      credit[v] = v < d->v ? in->credit[v] : 0;
    for (unsigned v = 0; v < d->v && d->robbed == sw; v++)
      if (credit[v]) {
        credit[v] &= credit[v] - 1;
        d->robbed = UINT32_MAX;
      }
    less = *in;
    less.credit = credit;
    in = &less;
  }
  if (d->golden)
    fetch_golden(&d->golden->group, sw);
  d->api->step(d->model[sw], in, &o);
  if (d->golden)
    ut_rtl_compare(d, sw);
  *out = (struct ut_switch_out){o.valid, o.flit, o.stride, o.credit, o.reports, o.busy};
}

struct ut_rtl *ut_rtl_open(const char *path, const struct ut_topology *t, uint64_t seed, struct ut_error *e) {
  struct ut_rtl *d = calloc(1, sizeof *d);
  if (!d || !(d->model = calloc(t->switches, sizeof *d->model))) {
    free(d);
    ut_fail(e, UT_INTERNAL, "not enough memory for %u RTL switches; try a smaller network", t->switches);
    return NULL;
  }
  d->topology = t;
  d->count = t->switches;
  d->robbed = d->differs = UINT32_MAX;
  d->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct ut_model_api *(*get)(void) = NULL;
  if (d->library)
    *(void **)&get = dlsym(d->library, "ut_model");
  if (!get) {
    ut_fail(e, UT_INTERNAL, "%s: %s; remove its folder and try again", path, dlerror());
    ut_rtl_close(d);
    return NULL;
  }
  d->api = get();
  for (uint32_t i = 0; i < d->count; i++) {
    char name[UT_SWITCH_NAME_SIZE + 2] = "s";
    ut_topology_switch_name(t, i, name + 1);
    *strchr(name, '.') = '_';
    d->model[i] = d->api->create(seed * 65537 + i, name);
    if (!d->model[i]) {
      ut_fail(e, UT_INTERNAL, "not enough memory for %u RTL switches; try a smaller network", t->switches);
      ut_rtl_close(d);
      return NULL;
    }
  }
  d->backend = (struct ut_backend){d, reset, step, configure};
  return d;
}

void ut_rtl_close(struct ut_rtl *d) {
  if (!d)
    return;
  if (d->trace)
    d->api->trace_close(d->trace);
  for (uint32_t i = 0; d->api && i < d->count; i++)
    if (d->model[i])
      d->api->destroy(d->model[i]);
  if (d->library)
    dlclose(d->library);
  free(d->traced);
  free(d->model);
  free(d);
}

const struct ut_backend *ut_rtl_backend(struct ut_rtl *d) {
  return &d->backend;
}

int ut_rtl_wave(struct ut_rtl *d, const struct ut_wave *w, struct ut_error *e) {
  if (!d->api->trace_open)
    return ut_fail(e, UT_INTERNAL, "this model was built without wave dumps");
  d->wave = *w;
  d->traced = calloc(w->count, sizeof *d->traced);
  if (!d->traced)
    return ut_fail(e, UT_INTERNAL, "not enough memory for the wave dump");
  for (unsigned i = 0; i < w->count; i++)
    d->traced[i] = d->model[w->switches[i]];
  d->trace = d->api->trace_open(d->traced, w->count, w->path);
  return 0;
}

void ut_rtl_wave_cycle(struct ut_rtl *d, uint64_t cycle) {
  bool inside = d->trace && cycle >= d->wave.first && cycle <= d->wave.last;
  /* One cycle is ten time units: what the registers hold in cycle t stands at 10t .. 10t+9. */
  if (inside)
    d->api->trace_dump(d->trace, (cycle + 1) * 10);
  for (uint32_t i = 0; i < d->count; i++)
    d->api->trace_fall(d->model[i]);
  if (inside)
    d->api->trace_dump(d->trace, (cycle + 1) * 10 + 5);
}
