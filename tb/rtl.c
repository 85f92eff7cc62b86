/* SPDX-License-Identifier: Apache-2.0 */
/* rtl.c - the RTL switches of a network, as its backend. */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep.h"
#include "rtl.h"

/* Size of a batch of switches: a larger one would leave the cache before it is compared. */
enum { FETCH = 8 };

static void reset(void *self, uint32_t sw, uint64_t straps) {
  struct ut_rtl *rtl = self;
  ut_rtl_api(rtl, sw)->reset(rtl->model[sw], straps);
}

static void configure(void *self, uint32_t sw, uint64_t word) {
  struct ut_rtl *rtl = self;
  ut_rtl_api(rtl, sw)->configure(rtl->model[sw], word);
}

static void differs(struct ut_rtl *rtl, uint32_t sw) {
  uint32_t lowest = atomic_load(&rtl->differs);
  while (sw < lowest && !atomic_compare_exchange_weak(&rtl->differs, &lowest, sw))
    ;
}

void ut_rtl_compare(struct ut_rtl *rtl, uint32_t sw) {
  const struct ut_group *group = ut_network_group(rtl->golden, sw);
  const struct ut_model_api *api = ut_rtl_api(rtl, sw);
  struct ut_switch *golden = ut_switch_of(group, sw);
  if (ut_bitmap_get(rtl->golden->failed, sw)) { /* reset leaves the random payload of the RTL unchanged */
    api->adopt(rtl->model[sw], group, golden);
    if (group->spec)
      ut_spec_adopt(group, golden);
  }
  if (api->compare(rtl->model[sw], group, golden))
    differs(rtl, sw);
}

void ut_rtl_conclude(struct ut_rtl *rtl, uint32_t sw) {
  const struct ut_model_api *api = ut_rtl_api(rtl, sw);
  uint64_t found[UT_MOST_TOGETHER / 64];
  if (api->conclude && api->conclude(rtl->model[sw], found))
    for (unsigned lane = 0; lane < api->together; lane++)
      if (found[lane / 64] >> lane % 64 & 1)
        differs(rtl, ut_rtl_together(rtl, sw) + lane);
}

void ut_rtl_drop_credit(struct ut_rtl *rtl, struct ut_switch_in *in, ut_mask credit[UT_MAX_VCS]) {
  bool robbed = false;
  for (unsigned v = 0; v < rtl->v; v++) {
    credit[v] = in->credit[v];
    if (credit[v] && !robbed) {
      credit[v] &= credit[v] - 1;
      robbed = true;
    }
  }
  in->credit = credit;
  if (robbed)
    rtl->robbed = UINT32_MAX;
}

static void step(void *self, const uint32_t *sw, unsigned count, struct ut_switch_in *in, struct ut_switch_out *out) {
  struct ut_rtl *rtl = self;
  void *model[UT_MOST_TOGETHER];
  struct ut_model_out model_out[UT_MOST_TOGETHER];
  ut_mask credit[UT_MAX_VCS];
  const uint32_t robbed = atomic_load_explicit(&rtl->robbed, memory_order_relaxed);
  if (!count)
    return;
  for (unsigned i = 0; i < count; i++) {
    model[i] = rtl->model[sw[i]];
    if (sw[i] == robbed)
      ut_rtl_drop_credit(rtl, &in[i], credit);
    if (rtl->golden && i < FETCH)
      ut_switch_fetch(ut_network_group(rtl->golden, sw[i]),
                      ut_network_switch(rtl->golden, sw[i])); /* for the comparison */
  }
  ut_rtl_api(rtl, *sw)->step(model, count, in, model_out);
  for (unsigned i = 0; i < count; i++) {
    if (rtl->golden)
      ut_rtl_compare(rtl, sw[i]);
    out[i] = (struct ut_switch_out){model_out[i].valid,  model_out[i].flit,    model_out[i].stride,
                                    model_out[i].credit, model_out[i].reports, model_out[i].busy};
  }
  if (rtl->golden)
    ut_rtl_conclude(rtl, *sw);
}

int ut_rtl_load(struct ut_rtl_class *rtl_class, const char *path, struct ut_error *e) {
  const struct ut_model_api *(*get)(void) = NULL;
  rtl_class->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (rtl_class->library)
    *(void **)&get = dlsym(rtl_class->library, "ut_model");
  if (!get)
    return ut_fail(e, UT_BAD_INPUT, "%s: %s; remove its folder and try again", path, dlerror());
  rtl_class->api = get();
  return 0;
}

const char *ut_rtl_scope(const struct ut_rtl *rtl, uint32_t sw, char scope[UT_RTL_SCOPE_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE];
  const bool named = rtl->topology->switch_label; /* such names may differ in signs only */
  ut_topology_switch_name(rtl->topology, sw, name);
  if (named)
    snprintf(scope, UT_RTL_SCOPE_SIZE, "s%u_%s", (unsigned)sw, name);
  else
    snprintf(scope, UT_RTL_SCOPE_SIZE, "s%s", name);
  for (char *sign = scope; *sign; sign++)
    *sign = isalnum((unsigned char)*sign) ? *sign : '_';
  return scope;
}

static int create(struct ut_rtl *rtl, const struct ut_models *models, uint64_t seed, struct ut_error *e) {
  for (uint32_t i = 0; i < rtl->count; i++) {
    char scope[UT_RTL_SCOPE_SIZE];
    const uint32_t place = i - ut_rtl_together(rtl, i);
    rtl->model[i] =
        ut_rtl_api(rtl, i)->create(seed * 65537 + i, ut_rtl_scope(rtl, i, scope), place ? rtl->model[i - place] : NULL);
    if (!rtl->model[i])
      return ut_fail(e, UT_BAD_INPUT, "not enough memory for %u RTL switches; try a smaller network", rtl->count);
    if (!place && models->watcher)
      ut_rtl_api(rtl, i)->watch(rtl->model[i], i, models->watcher, models->watcher_ctx);
  }
  return 0;
}

struct ut_rtl *ut_rtl_open(const struct ut_models *models, const struct ut_topology *topo, uint64_t seed,
                           struct ut_error *e) {
  struct ut_rtl *rtl = calloc(1, sizeof *rtl);
  if (!rtl || !(rtl->model = calloc(topo->switches, sizeof *rtl->model))) {
    free(rtl);
    ut_fail(e, UT_BAD_INPUT, "not enough memory for %u RTL switches; try a smaller network", topo->switches);
    return NULL;
  }
  rtl->topology = topo;
  rtl->count = topo->switches;
  rtl->watched = models->watcher;
  atomic_init(&rtl->robbed, UINT32_MAX);
  atomic_init(&rtl->differs, UINT32_MAX);
  rtl->backend = (struct ut_backend){.self = rtl, .reset = reset, .step = step, .configure = configure};
  int status = 0;
  for (unsigned i = 0; i < topo->elaborations && !status; i++) {
    status = ut_rtl_load(&rtl->class[i], models -> path[i], e);
    if (!status) /* a dump needs the inputs of all at once */
      rtl->backend.together = rtl->class[i].api->trace_open ? topo->switches : rtl->class[i].api->together;
    if (!status && i > 0 && rtl->class[i].api->share) /* one dump needs one context */
      rtl->class[i].api->share(rtl->class[0].api->context());
  }
  if (status || create(rtl, models, seed, e)) {
    ut_rtl_close(rtl);
    return NULL;
  }
  return rtl;
}

void ut_free_models(struct ut_models *models) {
  for (unsigned i = 0; i < UT_MAX_ELABORATIONS; i++)
    free(models->path[i]);
  *models = (struct ut_models){0};
}

void ut_rtl_close(struct ut_rtl *rtl) {
  if (!rtl)
    return;
  for (uint32_t i = 0; i < rtl->count; i++)
    if (rtl->model[i])
      ut_rtl_api(rtl, i)->destroy(rtl->model[i]);
  for (unsigned i = UT_MAX_ELABORATIONS; i-- > 0;)
    if (rtl->class[i].library)
      dlclose(rtl->class[i].library);
  free(rtl->model);
  free(rtl);
}

const struct ut_backend *ut_rtl_backend(struct ut_rtl *rtl) {
  return &rtl->backend;
}

void ut_rtl_forget(struct ut_rtl *rtl) {
  for (uint32_t i = 0; i < rtl->count; i++)
    ut_rtl_api(rtl, i)->forget(rtl->model[i]);
}

unsigned ut_rtl_nets(const struct ut_rtl *rtl, unsigned elaboration) {
  return rtl->class[elaboration].api->nets;
}

void ut_rtl_toggles(struct ut_rtl *rtl, unsigned elaboration, uint64_t *sum, uint64_t *cycles) {
  for (uint32_t i = 0; i < rtl->count; i++)
    if (ut_topology_elaboration(rtl->topology, i) == elaboration)
      *cycles += ut_rtl_api(rtl, i)->toggles(rtl->model[i], sum);
}
