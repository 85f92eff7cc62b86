/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch.c - see mismatch.h */
#include "mismatch.h"

#include <stdlib.h>
#include <string.h>

#include "registers.h"
#include "rtl.h"

/* ---- registers that differ */

static void add(void *ctx, const char *path, uint64_t device, uint64_t golden) {
  struct ut_mismatch *mismatch = ctx;
  if (mismatch->registers == mismatch->room) {
    const size_t room = mismatch->room ? 2 * mismatch->room : 32;
    struct ut_mismatch_register *bigger = realloc(mismatch->reg, room * sizeof *bigger);
    mismatch->failure |= !bigger;
    if (!bigger)
      return;
    mismatch->reg = bigger;
    mismatch->room = room;
  }
  struct ut_mismatch_register *new = &mismatch->reg[mismatch->registers];
  *new = (struct ut_mismatch_register){
      .values = {.device = device, .golden = golden}, .third = golden, .number = mismatch->registers++};
  snprintf(new->path, sizeof new->path, "%s", path);
}

static void compare(const struct ut_lockstep *lockstep, const struct ut_network *golden, ut_model_difference *f,
                    void *ctx) {
  const uint32_t sw = lockstep->mismatch_switch;
  ut_rtl_api(lockstep->dut, sw)
      ->differences(lockstep->dut->model[sw], ut_network_group(golden, sw), ut_network_switch(golden, sw), f, ctx);
}

/* ---- the same run, repeated */

static void add_before(void *ctx, const char *path, uint64_t device, uint64_t before) {
  struct ut_mismatch_register *mismatch_register = ut_mismatch_register_of(ctx, path);
  (void)device;
  if (mismatch_register)
    mismatch_register->values.before = before;
}

/* net: the network before the cycle of the mismatch.  Both sides were equal then, so a register that does not differ
 * now has not changed. */
static void find_before(struct ut_mismatch *mismatch, const struct ut_network *net) {
  for (size_t i = 0; i < mismatch->registers; i++) {
    struct ut_register_values *values = &mismatch->reg[i].values;
    values->before = values->device;
    values->known = !ut_register_is_payload(mismatch->reg[i].path);
  }
  compare(mismatch->lockstep, net, add_before, mismatch);
}

static void add_third(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  struct ut_mismatch *mismatch = ctx;
  struct ut_mismatch_register *mismatch_register = ut_mismatch_register_of(mismatch, path);
  if (!mismatch_register)
    return;
  mismatch_register->third = mismatch->lockstep->spec ? model : spec;
  mismatch_register->third_differs = true;
}

static void judge(struct ut_mismatch *mismatch, unsigned differ) {
  size_t with_device = 0, known = 0;
  for (size_t i = 0; i < mismatch->registers; i++) {
    known += mismatch->reg[i].third_differs;
    with_device += mismatch->reg[i].third_differs && mismatch->reg[i].third == mismatch->reg[i].values.device;
  }
  mismatch->verdict = !differ                         ? UT_VERDICT_DEVICE
                      : known && with_device == known ? UT_VERDICT_GOLDEN
                                                      : UT_VERDICT_ALL_DIFFER;
}

/* Repeats the run with the model alone, elaborated or not as before; the spec steps switches that the model does not
 * implement. */
static bool begin_again(struct ut_network *net, const struct ut_lockstep *lockstep) {
  struct ut_error e;
  if (ut_network_init(net, lockstep->golden.scenario, NULL, &e))
    return false;
  for (unsigned i = 0; i < net->topology->elaborations; i++)
    net->group[i].steps = ut_group_model_steps(&lockstep->golden.group[i]);
  if (!ut_network_unmodelled(net) || ut_network_use_spec(net, UT_SPEC_STEPS))
    return true;
  ut_network_fini(net);
  return false;
}

static void run_again(struct ut_mismatch *mismatch) {
  const struct ut_lockstep *lockstep = mismatch->lockstep;
  const uint32_t sw = lockstep->mismatch_switch;
  struct ut_network net;
  unsigned differ;
  if (!begin_again(&net, lockstep)) {
    mismatch->failure = true;
    return;
  }
  while (net.cycle + 1 < lockstep->golden.cycle && !net.failure)
    if (net.cycle + UT_MISMATCH_HISTORY < lockstep->golden.cycle) {
      ut_network_skip(&net, lockstep->golden.cycle - UT_MISMATCH_HISTORY);
      ut_network_step(&net);
    } else {
      ut_switch_events_step(&mismatch->events, &net, sw);
    }
  find_before(mismatch, &net);
  const bool asked = !ut_network_unmodelled(&net); /* otherwise there is no third implementation yet */
  mismatch->failure |= net.failure || (asked && !ut_network_use_spec(&net, UT_SPEC_CHECKS));
  if (!mismatch->failure) {
    ut_switch_events_step(&mismatch->events, &net, sw);
    if (asked) {
      ut_spec_compare(ut_network_group(&net, sw), sw, add_third, mismatch, &differ);
      judge(mismatch, differ);
    }
  }
  ut_network_fini(&net);
}

/* ---- which register could be the first to differ */

static bool vc_is_active(const struct ut_mismatch *mismatch, const char *path) {
  const struct ut_network *net = &mismatch->lockstep->golden;
  const uint32_t sw = mismatch->lockstep->mismatch_switch;
  unsigned port, vc;
  char state[32];
  if (sscanf(path, "in%u.vc%u.", &port, &vc) != 2)
    return false;
  const unsigned golden = ut_reg_state(ut_network_group(net, sw), ut_network_switch(net, sw), port, vc);
  snprintf(state, sizeof state, "in%u.vc%u.state_q", port, vc);
  return golden == UT_VC_STATE_ACTIVE || ut_mismatch_device_value(mismatch, state, golden) == UT_VC_STATE_ACTIVE;
}

static int by_step(const void *a, const void *b) {
  const struct ut_mismatch_register *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static void order(struct ut_mismatch *mismatch) {
  for (size_t i = 0; i < mismatch->registers; i++) {
    struct ut_mismatch_register *mismatch_register = &mismatch->reg[i];
    mismatch_register->step = ut_register_step_of(mismatch_register->path, &mismatch_register->values,
                                                  vc_is_active(mismatch, mismatch_register->path));
  }
  if (mismatch->registers)
    qsort(mismatch->reg, mismatch->registers, sizeof *mismatch->reg, by_step);
  for (size_t i = 0; i < mismatch->registers; i++)
    mismatch->reg[i].first = mismatch->reg[i].step == mismatch->reg[0].step;
}

/* ---- */

void ut_mismatch_find(struct ut_mismatch *mismatch, const struct ut_lockstep *lockstep) {
  const uint64_t last = lockstep->golden.cycle - 1;
  *mismatch = (struct ut_mismatch){.lockstep = lockstep,
                                   .device = lockstep->gates ? "netlist" : "RTL",
                                   .golden = lockstep->spec ? "spec" : "model",
                                   .third = lockstep->spec ? "model" : "spec"};
  mismatch->failure = !ut_outages_find(&lockstep->golden.faults, last, last, &mismatch->outage, &mismatch->outages);
  if (lockstep->mismatch_switch == UINT32_MAX)
    return;
  compare(lockstep, &lockstep->golden, add, mismatch);
  if (!mismatch->failure)
    run_again(mismatch);
  order(mismatch);
  mismatch->failure |= mismatch->events.failure || !ut_mismatch_find_places(mismatch);
}

void ut_mismatch_free(struct ut_mismatch *mismatch) {
  ut_switch_events_free(&mismatch->events);
  free(mismatch->outage);
  free(mismatch->reg);
  free(mismatch->place);
  *mismatch = (struct ut_mismatch){0};
}

const char *ut_mismatch_verdict_text(const struct ut_mismatch *mismatch, char text[UT_VERDICT_SIZE]) {
  switch (mismatch->verdict) {
  case UT_VERDICT_NONE: return NULL;
  case UT_VERDICT_DEVICE:
    snprintf(text, UT_VERDICT_SIZE, "the %s agrees with the %s in all registers of this switch, so the %s is wrong",
             mismatch->third, mismatch->golden, mismatch->device);
    break;
  case UT_VERDICT_GOLDEN:
    snprintf(text, UT_VERDICT_SIZE, "the %s agrees with the %s, so the %s is wrong", mismatch->third, mismatch->device,
             mismatch->golden);
    break;
  case UT_VERDICT_ALL_DIFFER:
    snprintf(text, UT_VERDICT_SIZE, "%s, %s and %s all differ", mismatch->device, mismatch->golden, mismatch->third);
    break;
  }
  return text;
}
