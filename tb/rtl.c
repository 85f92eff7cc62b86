/* SPDX-License-Identifier: Apache-2.0 */
/* rtl.c - the switches of a network that are not golden, as its backend. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep.h"
#include "rtl.h"

/* Of switches that are stepped together: more would be out of the cache again before they are compared. */
enum { FETCH = 8 };

static void reset(void *self, uint32_t sw, uint64_t straps) {
  struct ut_rtl *d = self;
  ut_rtl_api(d, sw)->reset(d->model[sw], straps);
}

static void configure(void *self, uint32_t sw, uint64_t word) {
  struct ut_rtl *d = self;
  ut_rtl_api(d, sw)->configure(d->model[sw], word);
}

static void differs(struct ut_rtl *d, uint32_t sw) {
  uint32_t lowest = atomic_load(&d->differs);
  while (sw < lowest && !atomic_compare_exchange_weak(&d->differs, &lowest, sw))
    ;
}

void ut_rtl_compare(struct ut_rtl *d, uint32_t sw) {
  const struct ut_group *g = ut_network_group(d->golden, sw);
  const struct ut_model_api *api = ut_rtl_api(d, sw);
  struct ut_switch *s = ut_switch_of(g, sw);
  if (ut_bitmap_get(d->golden->failed, sw)) { /* a reset leaves payload as the RTL happens to hold it */
    api->adopt(d->model[sw], g, s);
    if (g->spec)
      ut_spec_adopt(g, s);
  }
  if (api->compare(d->model[sw], g, s))
    differs(d, sw);
}

void ut_rtl_conclude(struct ut_rtl *d, uint32_t sw) {
  const struct ut_model_api *api = ut_rtl_api(d, sw);
  uint64_t found[UT_MOST_TOGETHER / 64];
  if (api->conclude && api->conclude(d->model[sw], found))
    for (unsigned lane = 0; lane < api->together; lane++)
      if (found[lane / 64] >> lane % 64 & 1)
        differs(d, ut_rtl_together(d, sw) + lane);
}

void ut_rtl_drop_credit(struct ut_rtl *d, struct ut_switch_in *in, ut_mask credit[UT_MAX_VCS]) {
  bool robbed = false;
  for (unsigned v = 0; v < d->v; v++) {
    credit[v] = in->credit[v];
    if (credit[v] && !robbed) {
      credit[v] &= credit[v] - 1;
      robbed = true;
    }
  }
  in->credit = credit;
  if (robbed)
    d->robbed = UINT32_MAX;
}

static void step(void *self, const uint32_t *sw, unsigned count, struct ut_switch_in *in, struct ut_switch_out *out) {
  struct ut_rtl *d = self;
  void *model[UT_MOST_TOGETHER];
  struct ut_model_out o[UT_MOST_TOGETHER];
  ut_mask credit[UT_MAX_VCS];
  const uint32_t robbed = atomic_load_explicit(&d->robbed, memory_order_relaxed);
  if (!count)
    return;
  for (unsigned i = 0; i < count; i++) {
    model[i] = d->model[sw[i]];
    if (sw[i] == robbed)
      ut_rtl_drop_credit(d, &in[i], credit);
    if (d->golden && i < FETCH)
      ut_switch_fetch(ut_network_group(d->golden, sw[i]), ut_network_switch(d->golden, sw[i])); /* for the comparison */
  }
  ut_rtl_api(d, *sw)->step(model, count, in, o);
  for (unsigned i = 0; i < count; i++) {
    if (d->golden)
      ut_rtl_compare(d, sw[i]);
    out[i] = (struct ut_switch_out){o[i].valid, o[i].flit, o[i].stride, o[i].credit, o[i].reports, o[i].busy};
  }
  if (d->golden)
    ut_rtl_conclude(d, *sw);
}

int ut_rtl_load(struct ut_rtl_class *c, const char *path, struct ut_error *e) {
  const struct ut_model_api *(*get)(void) = NULL;
  c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (c->library)
    *(void **)&get = dlsym(c->library, "ut_model");
  if (!get)
    return ut_fail(e, UT_BAD_INPUT, "%s: %s; remove its folder and try again", path, dlerror());
  c->api = get();
  return 0;
}

const char *ut_rtl_scope(const struct ut_rtl *d, uint32_t sw, char scope[UT_RTL_SCOPE_SIZE]) {
  scope[0] = 's';
  ut_topology_switch_name(d->topology, sw, scope + 1);
  *strchr(scope, '.') = '_';
  return scope;
}

static int create(struct ut_rtl *d, const struct ut_models *models, uint64_t seed, struct ut_error *e) {
  for (uint32_t i = 0; i < d->count; i++) {
    char scope[UT_RTL_SCOPE_SIZE];
    const uint32_t place = i - ut_rtl_together(d, i);
    d->model[i] =
        ut_rtl_api(d, i)->create(seed * 65537 + i, ut_rtl_scope(d, i, scope), place ? d->model[i - place] : NULL);
    if (!d->model[i])
      return ut_fail(e, UT_BAD_INPUT, "not enough memory for %u RTL switches; try a smaller network", d->count);
    if (!place && models->watcher)
      ut_rtl_api(d, i)->watch(d->model[i], i, models->watcher, models->watcher_ctx);
  }
  return 0;
}

struct ut_rtl *ut_rtl_open(const struct ut_models *models, const struct ut_topology *t, uint64_t seed,
                           struct ut_error *e) {
  struct ut_rtl *d = calloc(1, sizeof *d);
  if (!d || !(d->model = calloc(t->switches, sizeof *d->model))) {
    free(d);
    ut_fail(e, UT_BAD_INPUT, "not enough memory for %u RTL switches; try a smaller network", t->switches);
    return NULL;
  }
  d->topology = t;
  d->count = t->switches;
  d->watched = models->watcher;
  atomic_init(&d->robbed, UINT32_MAX);
  atomic_init(&d->differs, UINT32_MAX);
  d->backend = (struct ut_backend){.self = d, .reset = reset, .step = step, .configure = configure};
  int status = 0;
  for (unsigned i = 0; i < t->elaborations && !status; i++) {
    status = ut_rtl_load(&d->class[i], models -> path[i], e);
    if (!status) /* a dump needs the inputs of all at once */
      d->backend.together = d->class[i].api->trace_open ? t->switches : d->class[i].api->together;
    if (!status && i > 0 && d->class[i].api->share) /* one dump needs one context */
      d->class[i].api->share(d->class[0].api->context());
  }
  if (status || create(d, models, seed, e)) {
    ut_rtl_close(d);
    return NULL;
  }
  return d;
}

void ut_free_models(struct ut_models *models) {
  for (unsigned i = 0; i < UT_MAX_ELABORATIONS; i++)
    free(models->path[i]);
  *models = (struct ut_models){0};
}

void ut_rtl_close(struct ut_rtl *d) {
  if (!d)
    return;
  for (uint32_t i = 0; i < d->count; i++)
    if (d->model[i])
      ut_rtl_api(d, i)->destroy(d->model[i]);
  for (unsigned i = UT_MAX_ELABORATIONS; i-- > 0;)
    if (d->class[i].library)
      dlclose(d->class[i].library);
  free(d->model);
  free(d);
}

const struct ut_backend *ut_rtl_backend(struct ut_rtl *d) {
  return &d->backend;
}

void ut_rtl_forget(struct ut_rtl *d) {
  for (uint32_t i = 0; i < d->count; i++)
    ut_rtl_api(d, i)->forget(d->model[i]);
}

unsigned ut_rtl_nets(const struct ut_rtl *d, unsigned elaboration) {
  return d->class[elaboration].api->nets;
}

void ut_rtl_toggles(struct ut_rtl *d, unsigned elaboration, uint64_t *sum, uint64_t *cycles) {
  for (uint32_t i = 0; i < d->count; i++)
    if (ut_topology_elaboration(d->topology, i) == elaboration)
      *cycles += ut_rtl_api(d, i)->toggles(d->model[i], sum);
}
