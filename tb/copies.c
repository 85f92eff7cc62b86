/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - see copies.h */
#include "copies.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "topology_build.h"

static void **model_of(const struct ut_copies *c, uint32_t sw, unsigned copy) {
  return &c->model[(size_t)sw * c->count + copy];
}

static void reset(void *self, uint32_t sw, uint64_t straps) {
  const struct ut_copy *copy = self;
  copy->all->api[sw]->reset(*model_of(copy->all, sw, copy->number), straps);
}

/* ---- life and death */

/* Lanes of a switch start with the same values. */
static int create(struct ut_copies *c, const struct ut_topology *t, uint64_t seed, struct ut_error *e) {
  c->switches = t->switches;
  c->count = c->class[0].api->together;
  c->model = calloc((size_t)c->switches * c->count, sizeof *c->model);
  c->copy = aligned_alloc(_Alignof(struct ut_copy), c->count * sizeof *c->copy); /* as networks are */
  if (c->copy)
    memset(c->copy, 0, c->count * sizeof *c->copy);
  c->api = calloc(c->switches, sizeof *c->api);
  bool there = c->model && c->copy && c->api;
  for (uint32_t sw = 0; sw < t->switches && there; sw++) {
    c->api[sw] = c->class[ut_topology_elaboration(t, sw)].api;
    for (unsigned i = 0; i < c->count && there; i++) {
      *model_of(c, sw, i) = c->api[sw]->create(seed * 65537 + sw, "s", *model_of(c, sw, 0));
      there = *model_of(c, sw, i) != NULL;
    }
  }
  return there ? 0
               : ut_fail(e, UT_BAD_INPUT, "not enough memory for %u copies of %u switches; try a smaller network",
                         c->count, t->switches);
}

static int open_networks(struct ut_copies *c, const struct ut_scenario *s, struct ut_error *e) {
  unsigned together = 1;
  while (together < c->switches)
    together *= 2;
  for (unsigned i = 0; i < c->count; i++) {
    struct ut_copy *copy = &c->copy[i];
    copy->all = c;
    copy->number = i;
    copy->backend = (struct ut_backend){.self = copy, .reset = reset, .together = together};
    if (ut_network_init(&copy->network, s, &copy->backend, e))
      return -1;
  }
  return 0;
}

int ut_copies_open(struct ut_copies *c, const struct ut_scenario *s, const struct ut_models *models,
                   struct ut_error *e) {
  struct ut_topology t;
  memset(c, 0, sizeof *c);
  if (ut_topology_init(&t, s, e))
    return -1;
  int status = 0;
  for (unsigned i = 0; i < t.elaborations && !status; i++)
    status = ut_rtl_load(&c->class[i], models -> path[i], e);
  status = status || create(c, &t, s->run.seed, e) || open_networks(c, s, e) ? -1 : 0;
  ut_topology_free(&t);
  return status;
}

void ut_copies_close(struct ut_copies *c) {
  for (uint32_t sw = 0; c->model && c->api && sw < c->switches; sw++)
    for (unsigned i = 0; i < c->count; i++)
      if (*model_of(c, sw, i))
        c->api[sw]->destroy(*model_of(c, sw, i));
  for (unsigned i = 0; c->copy && i < c->count; i++)
    if (c->copy[i].network.wires.ring)
      ut_network_fini(&c->copy[i].network);
  for (unsigned i = UT_MAX_ELABORATIONS; i-- > 0;)
    if (c->class[i].library)
      dlclose(c->class[i].library);
  free(c->api);
  free(c->model);
  free(c->copy);
  memset(c, 0, sizeof *c);
}

/* ---- a cycle */

/* A switch, in all copies where it has work. */
static void step_switch(struct ut_copies *c, uint32_t sw) {
  void *model[UT_MOST_TOGETHER];
  struct ut_switch_in in[UT_MOST_TOGETHER];
  struct ut_model_out out[UT_MOST_TOGETHER];
  struct ut_copy *copy[UT_MOST_TOGETHER];
  unsigned count = 0;
  for (unsigned i = 0; i < c->count; i++) {
    struct ut_copy *one = &c->copy[i];
    if (one->stepped == one->offered || one->batch->sw[one->stepped] != sw)
      continue;
    copy[count] = one;
    model[count] = *model_of(c, sw, i);
    in[count++] = one->batch->in[one->stepped];
  }
  if (!count)
    return;
  c->api[sw]->step(model, count, in, out);
  for (unsigned i = 0; i < count; i++) {
    const struct ut_model_out *o = &out[i];
    copy[i]->batch->out[copy[i]->stepped++] =
        (struct ut_switch_out){o->valid, o->flit, o->stride, o->credit, o->reports, o->busy};
    copy[i]->busy |= o->busy;
    copy[i]->error |= o->error;
  }
}

void ut_copies_step(struct ut_copies *c) {
  for (unsigned i = 0; i < c->count; i++) {
    struct ut_copy *copy = &c->copy[i];
    copy->batch = ut_network_offer(&copy->network, &copy->offered);
    copy->stepped = 0;
    copy->busy = copy->error = false;
  }
  const struct ut_partition *p = c->copy->network.piece; /* all have the same order */
  for (unsigned i = 0; i < p->spans; i++)
    for (uint32_t sw = p->span[i].first; sw < p->span[i].end; sw++)
      step_switch(c, sw);
  for (unsigned i = 0; i < c->count; i++)
    ut_network_accept(&c->copy[i].network, c->copy[i].offered);
}

void ut_copies_upset(struct ut_copies *c, unsigned copy, uint32_t sw, unsigned flip_flop) {
  c->api[sw]->upset(*model_of(c, sw, copy), flip_flop);
}

void ut_copies_restore(struct ut_copies *c, unsigned copy) {
  for (uint32_t sw = 0; sw < c->switches; sw++)
    c->api[sw]->restore(*model_of(c, sw, copy));
}

void ut_copies_wake(struct ut_copy *copy) {
  memset(copy->network.awake, 1, copy->all->switches);
}

void ut_copies_differing(const struct ut_copies *c, uint64_t copies[UT_MOST_TOGETHER / 64]) {
  uint64_t some[UT_MOST_TOGETHER / 64];
  memset(copies, 0, sizeof some);
  for (uint32_t sw = 0; sw < c->switches; sw++) {
    c->api[sw]->differing(*model_of(c, sw, 0), some);
    for (unsigned w = 0; w < c->count / 64; w++)
      copies[w] |= some[w];
  }
}
