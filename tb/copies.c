/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - see copies.h */
#include "copies.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "scenario_facts.h"
#include "topology.h"
#include "topology_build.h"

static void **model_of(const struct ut_copies *copies, uint32_t sw, unsigned copy) {
  return &copies->model[(size_t)sw * copies->count + copy];
}

static void reset(void *self, uint32_t sw, uint64_t straps) {
  const struct ut_copy *copy = self;
  copy->all->api[sw]->reset(*model_of(copy->all, sw, copy->number), straps);
}

/* ---- open and close */

/* The lanes of a switch start with the same values. */
static int create(struct ut_copies *copies, const struct ut_topology *topo, uint64_t seed, struct ut_error *e) {
  copies->switches = topo->switches;
  copies->count = copies->class[0].api->together;
  copies->model = calloc((size_t)copies->switches * copies->count, sizeof *copies->model);
  copies->copy = aligned_alloc(_Alignof(struct ut_copy), copies->count * sizeof *copies->copy); /* as networks are */
  if (copies->copy)
    memset(copies->copy, 0, copies->count * sizeof *copies->copy);
  copies->api = calloc(copies->switches, sizeof *copies->api);
  bool there = copies->model && copies->copy && copies->api;
  for (uint32_t sw = 0; sw < topo->switches && there; sw++) {
    copies->api[sw] = copies->class[ut_topology_elaboration(topo, sw)].api;
    for (unsigned i = 0; i < copies->count && there; i++) {
      *model_of(copies, sw, i) = copies->api[sw]->create(seed * 65537 + sw, "s", *model_of(copies, sw, 0));
      there = *model_of(copies, sw, i) != NULL;
    }
  }
  return there ? 0
               : ut_fail(e, UT_BAD_INPUT, "not enough memory for %u copies of %u switches; try a smaller network",
                         copies->count, topo->switches);
}

static int open_networks(struct ut_copies *copies, const struct ut_scenario *scenario, struct ut_error *e) {
  unsigned together = 1;
  while (together < copies->switches)
    together *= 2;
  for (unsigned i = 0; i < copies->count; i++) {
    struct ut_copy *copy = &copies->copy[i];
    copy->all = copies;
    copy->number = i;
    copy->backend = (struct ut_backend){.self = copy, .reset = reset, .together = together};
    if (ut_network_init(&copy->network, scenario, &copy->backend, e))
      return -1;
  }
  return 0;
}

int ut_copies_open(struct ut_copies *copies, const struct ut_scenario *scenario, const struct ut_models *models,
                   struct ut_error *e) {
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  memset(copies, 0, sizeof *copies);
  int status = 0;
  for (unsigned i = 0; i < topo->elaborations && !status; i++)
    status = ut_rtl_load(&copies->class[i], models -> path[i], e);
  status = status || create(copies, topo, ut_scenario_seed(scenario), e) || open_networks(copies, scenario, e) ? -1 : 0;
  return status;
}

void ut_copies_close(struct ut_copies *copies) {
  for (uint32_t sw = 0; copies->model && copies->api && sw < copies->switches; sw++)
    for (unsigned i = 0; i < copies->count; i++)
      if (*model_of(copies, sw, i))
        copies->api[sw]->destroy(*model_of(copies, sw, i));
  for (unsigned i = 0; copies->copy && i < copies->count; i++)
    if (copies->copy[i].network.wires.ring)
      ut_network_fini(&copies->copy[i].network);
  for (unsigned i = UT_MAX_ELABORATIONS; i-- > 0;)
    if (copies->class[i].library)
      dlclose(copies->class[i].library);
  free(copies->api);
  free(copies->model);
  free(copies->copy);
  memset(copies, 0, sizeof *copies);
}

/* ---- a cycle */

/* Steps one switch in all copies in which it has work. */
static void step_switch(struct ut_copies *copies, uint32_t sw) {
  void *model[UT_MOST_TOGETHER];
  struct ut_switch_in in[UT_MOST_TOGETHER];
  struct ut_model_out out[UT_MOST_TOGETHER];
  struct ut_copy *copy[UT_MOST_TOGETHER];
  unsigned count = 0;
  for (unsigned i = 0; i < copies->count; i++) {
    struct ut_copy *one = &copies->copy[i];
    if (one->stepped == one->offered || one->batch->sw[one->stepped] != sw)
      continue;
    copy[count] = one;
    model[count] = *model_of(copies, sw, i);
    in[count++] = one->batch->in[one->stepped];
  }
  if (!count)
    return;
  copies->api[sw]->step(model, count, in, out);
  for (unsigned i = 0; i < count; i++) {
    const struct ut_model_out *model_out = &out[i];
    copy[i]->batch->out[copy[i]->stepped++] = (struct ut_switch_out){
        model_out->valid, model_out->flit, model_out->stride, model_out->credit, model_out->reports, model_out->busy};
    copy[i]->busy |= model_out->busy;
    copy[i]->error |= model_out->error;
  }
}

void ut_copies_step(struct ut_copies *copies) {
  for (unsigned i = 0; i < copies->count; i++) {
    struct ut_copy *copy = &copies->copy[i];
    copy->batch = ut_network_offer(&copy->network, &copy->offered);
    copy->stepped = 0;
    copy->busy = copy->error = false;
  }
  const struct ut_partition *partition = copies->copy->network.partition; /* all have the same order */
  for (unsigned i = 0; i < partition->spans; i++)
    for (uint32_t sw = partition->span[i].first; sw < partition->span[i].end; sw++)
      step_switch(copies, sw);
  for (unsigned i = 0; i < copies->count; i++)
    ut_network_accept(&copies->copy[i].network, copies->copy[i].offered);
}

void ut_copies_upset(struct ut_copies *copies, unsigned copy, uint32_t sw, unsigned flip_flop) {
  copies->api[sw]->upset(*model_of(copies, sw, copy), flip_flop);
}

void ut_copies_restore(struct ut_copies *copies, unsigned copy) {
  for (uint32_t sw = 0; sw < copies->switches; sw++)
    copies->api[sw]->restore(*model_of(copies, sw, copy));
}

void ut_copies_wake(struct ut_copy *copy) {
  memset(copy->network.awake, 1, copy->all->switches);
}

void ut_copies_differing(const struct ut_copies *copied, uint64_t copies[UT_MOST_TOGETHER / 64]) {
  uint64_t some[UT_MOST_TOGETHER / 64];
  memset(copies, 0, sizeof some);
  for (uint32_t sw = 0; sw < copied->switches; sw++) {
    copied->api[sw]->differing(*model_of(copied, sw, 0), some);
    for (unsigned w = 0; w < copied->count / 64; w++)
      copies[w] |= some[w];
  }
}
