/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch.c - see mismatch.h */
#include "mismatch.h"

#include <stdlib.h>
#include <string.h>

#include "registers.h"
#include "rtl.h"

/* ---- registers that differ */

static void add(void *ctx, const char *path, uint64_t device, uint64_t golden) {
  struct ut_mismatch *m = ctx;
  if (m->registers == m->room) {
    const size_t room = m->room ? 2 * m->room : 32;
    struct ut_mismatch_register *bigger = realloc(m->reg, room * sizeof *bigger);
    m->failure |= !bigger;
    if (!bigger)
      return;
    m->reg = bigger;
    m->room = room;
  }
  struct ut_mismatch_register *new = &m->reg[m->registers];
  *new = (struct ut_mismatch_register){
      .values = {.device = device, .golden = golden}, .third = golden, .number = m->registers++};
  snprintf(new->path, sizeof new->path, "%s", path);
}

static void compare(const struct ut_lockstep *l, const struct ut_network *golden, ut_model_difference *f, void *ctx) {
  const uint32_t sw = l->mismatch_switch;
  ut_rtl_api(l->dut, sw)
      ->differences(l->dut->model[sw], ut_network_group(golden, sw), ut_network_switch(golden, sw), f, ctx);
}

/* ---- the same run once more */

static void add_before(void *ctx, const char *path, uint64_t device, uint64_t before) {
  struct ut_mismatch_register *r = ut_mismatch_register_of(ctx, path);
  (void)device;
  if (r)
    r->values.before = before;
}

/* n: before the cycle of the mismatch.  Both sides were equal then; what does not differ from now has not moved. */
static void find_before(struct ut_mismatch *m, const struct ut_network *n) {
  for (size_t i = 0; i < m->registers; i++) {
    struct ut_register_values *v = &m->reg[i].values;
    v->before = v->device;
    v->known = !ut_register_is_payload(m->reg[i].path);
  }
  compare(m->lockstep, n, add_before, m);
}

static void add_third(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  struct ut_mismatch *m = ctx;
  struct ut_mismatch_register *r = ut_mismatch_register_of(m, path);
  if (!r)
    return;
  r->third = m->lockstep->spec ? model : spec;
  r->third_differs = true;
}

static void judge(struct ut_mismatch *m, unsigned differ) {
  size_t with_device = 0, known = 0;
  for (size_t i = 0; i < m->registers; i++) {
    known += m->reg[i].third_differs;
    with_device += m->reg[i].third_differs && m->reg[i].third == m->reg[i].values.device;
  }
  m->verdict = !differ ? UT_VERDICT_DEVICE : known && with_device == known ? UT_VERDICT_GOLDEN : UT_VERDICT_ALL_DIFFER;
}

/* By the model alone, elaborated or not as it was; switches that it does not know are the spec's. */
static bool begin_again(struct ut_network *n, const struct ut_lockstep *l) {
  struct ut_error e;
  if (ut_network_init(n, l->golden.scenario, NULL, &e))
    return false;
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    n->group[i].steps = ut_group_model_steps(&l->golden.group[i]);
  if (!ut_network_unmodelled(n) || ut_network_use_spec(n, UT_SPEC_STEPS))
    return true;
  ut_network_fini(n);
  return false;
}

static void run_again(struct ut_mismatch *m) {
  const struct ut_lockstep *l = m->lockstep;
  const uint32_t sw = l->mismatch_switch;
  struct ut_network n;
  unsigned differ;
  if (!begin_again(&n, l)) {
    m->failure = true;
    return;
  }
  while (n.cycle + 1 < l->golden.cycle && !n.failure)
    if (n.cycle + UT_MISMATCH_HISTORY < l->golden.cycle) {
      ut_network_skip(&n, l->golden.cycle - UT_MISMATCH_HISTORY);
      ut_network_step(&n);
    } else {
      ut_switch_events_step(&m->events, &n, sw);
    }
  find_before(m, &n);
  const bool asked = !ut_network_unmodelled(&n); /* else a third text is not written yet */
  m->failure |= n.failure || (asked && !ut_network_use_spec(&n, UT_SPEC_CHECKS));
  if (!m->failure) {
    ut_switch_events_step(&m->events, &n, sw);
    if (asked) {
      ut_spec_compare(ut_network_group(&n, sw), sw, add_third, m, &differ);
      judge(m, differ);
    }
  }
  ut_network_fini(&n);
}

/* ---- which could be the first */

static bool vc_is_active(const struct ut_mismatch *m, const char *path) {
  const struct ut_network *n = &m->lockstep->golden;
  const uint32_t sw = m->lockstep->mismatch_switch;
  unsigned port, vc;
  char state[32];
  if (sscanf(path, "in%u.vc%u.", &port, &vc) != 2)
    return false;
  const unsigned golden = ut_reg_state(ut_network_group(n, sw), ut_network_switch(n, sw), port, vc);
  snprintf(state, sizeof state, "in%u.vc%u.state_q", port, vc);
  return golden == UT_VC_STATE_ACTIVE || ut_mismatch_device_value(m, state, golden) == UT_VC_STATE_ACTIVE;
}

static int by_step(const void *a, const void *b) {
  const struct ut_mismatch_register *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static void order(struct ut_mismatch *m) {
  for (size_t i = 0; i < m->registers; i++) {
    struct ut_mismatch_register *r = &m->reg[i];
    r->step = ut_register_step_of(r->path, &r->values, vc_is_active(m, r->path));
  }
  if (m->registers)
    qsort(m->reg, m->registers, sizeof *m->reg, by_step);
  for (size_t i = 0; i < m->registers; i++)
    m->reg[i].first = m->reg[i].step == m->reg[0].step;
}

/* ---- */

void ut_mismatch_find(struct ut_mismatch *m, const struct ut_lockstep *l) {
  const uint64_t last = l->golden.cycle - 1;
  *m = (struct ut_mismatch){.lockstep = l,
                            .device = l->gates ? "netlist" : "RTL",
                            .golden = l->spec ? "spec" : "model",
                            .third = l->spec ? "model" : "spec"};
  m->failure = !ut_outages_find(&l->golden.faults, last, last, &m->outage, &m->outages);
  if (l->mismatch_switch == UINT32_MAX)
    return;
  compare(l, &l->golden, add, m);
  if (!m->failure)
    run_again(m);
  order(m);
  m->failure |= m->events.failure || !ut_mismatch_find_places(m);
}

void ut_mismatch_free(struct ut_mismatch *m) {
  ut_switch_events_free(&m->events);
  free(m->outage);
  free(m->reg);
  free(m->place);
  *m = (struct ut_mismatch){0};
}

const char *ut_mismatch_verdict_text(const struct ut_mismatch *m, char text[UT_VERDICT_SIZE]) {
  switch (m->verdict) {
  case UT_VERDICT_NONE: return NULL;
  case UT_VERDICT_DEVICE:
    snprintf(text, UT_VERDICT_SIZE, "the %s agrees with the %s in all registers of this switch, so the %s is wrong",
             m->third, m->golden, m->device);
    break;
  case UT_VERDICT_GOLDEN:
    snprintf(text, UT_VERDICT_SIZE, "the %s agrees with the %s, so the %s is wrong", m->third, m->device, m->golden);
    break;
  case UT_VERDICT_ALL_DIFFER:
    snprintf(text, UT_VERDICT_SIZE, "%s, %s and %s all differ", m->device, m->golden, m->third);
    break;
  }
  return text;
}
