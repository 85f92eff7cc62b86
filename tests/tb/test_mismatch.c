/* SPDX-License-Identifier: Apache-2.0 */
/* test_mismatch.c - tb/mismatch: it names the side that is wrong - the RTL where a bit of it is flipped, the model
 * where its cycle loses a credit -, the register that could be the first, and what the switch has done before.
 *
 * Needs Verilator and a C++ compiler; half a minute, unless the cache has the class.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mismatch.h"
#include "model_cache.h"
#include "registers.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

enum { WRONG_SWITCH = 5, WRONG_CYCLE = 500 };

static struct ut_error error;
static struct ut_scenario *scenario;
static struct ut_models models;

static int begin(void **state) {
  (void)state;
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  scenario = ut_scenario_load("scenarios/demo.yaml", &error);
  if (!scenario || ut_scenario_elaborations(scenario, elaboration, shape, &error) != 1)
    fail_msg("%s", error.text);
  const struct ut_model_request request = {.shape = shape, .root_dir = UTURN_SOURCE_DIR};
  models.path[0] = ut_model_cache_get(&request, NULL, NULL, &error);
  if (!models.path[0])
    fail_msg("%s", error.text);
  return 0;
}

static int end(void **state) {
  (void)state;
  free(models.path[0]);
  ut_scenario_free(scenario);
  return 0;
}

/* The model's cycle, but for a mistake: it takes a credit from port 0 of a switch. */
static ut_block_steps *right_steps;

static uint64_t wrong_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                            struct ut_events *events) {
  const uint64_t hops = right_steps(g, c, first, count, events);
  struct ut_switch *s = ut_switch_of(g, WRONG_SWITCH);
  const uint32_t block = ((uint32_t)WRONG_SWITCH - g->first) >> g->form.block_bits;
  if (block >= first && block < first + count && ut_reg_credits(g, s, 0, 0) == 3)
    ut_set_credits(g, s, 0, 0, 2);
  return hops;
}

/* A run that must end in a mismatch. */
static void run(struct ut_lockstep *l) {
  bool same = true;
  for (unsigned cycle = 0; same && cycle < 2000; cycle++)
    same = ut_lockstep_step(l);
  assert_false(same);
}

static void says(bool spec, ut_block_steps *steps, const char *expected) {
  struct ut_lockstep l;
  if (ut_lockstep_init(&l, scenario, &models, &error))
    fail_msg("%s", error.text);
  if (steps) {
    right_steps = l.golden.group[0].steps;
    ut_group_set_model_steps(&l.golden.group[0], steps);
  } else {
    l.injected_bug = (struct ut_injected_bug){
        .cycle = WRONG_CYCLE, .sw = WRONG_SWITCH, .register_path = "in0.vc0.pending_credits_q"};
  }
  assert_true(!spec || ut_lockstep_use_spec(&l));
  struct ut_mismatch m;
  char text[UT_VERDICT_SIZE];
  run(&l);
  ut_mismatch_find(&m, &l);
  assert_false(m.failure);
  assert_string_equal(ut_mismatch_verdict_text(&m, text), expected);
  ut_mismatch_free(&m);
  ut_lockstep_fini(&l);
}

static void names_the_rtl(void **state) {
  (void)state;
  says(false, NULL, "the spec agrees with the model in all registers of this switch, so the RTL is wrong");
  says(true, NULL, "the model agrees with the spec in all registers of this switch, so the RTL is wrong");
}

static void names_the_model(void **state) {
  (void)state;
  says(false, wrong_steps, "the spec agrees with the RTL, so the model is wrong");
}

/* The credits of a switch before that cycle. */
static unsigned credits_before(uint64_t cycle, unsigned port, unsigned vc) {
  struct ut_network n;
  if (ut_network_init(&n, scenario, NULL, &error))
    fail_msg("%s", error.text);
  while (n.cycle < cycle)
    ut_network_step(&n);
  const unsigned credits =
      ut_reg_credits(ut_network_group(&n, WRONG_SWITCH), ut_network_switch(&n, WRONG_SWITCH), port, vc);
  ut_network_fini(&n);
  return credits;
}

/* A credit is lost: the count is one less than it should be, what is offered follows from it. */
static void leads_to_the_first(void **state) {
  (void)state;
  struct ut_lockstep l;
  struct ut_mismatch m;
  if (ut_lockstep_init(&l, scenario, &models, &error))
    fail_msg("%s", error.text);
  l.injected_bug = (struct ut_injected_bug){.cycle = WRONG_CYCLE, .sw = WRONG_SWITCH};
  run(&l);
  ut_mismatch_find(&m, &l);
  const struct ut_mismatch_register *first = &m.reg[0];
  assert_non_null(strstr(first->path, "credits_q"));
  assert_true(first->first && first->values.known);
  assert_int_equal(first->values.golden, first->values.device + 1);
  unsigned port, vc;
  assert_int_equal(sscanf(first->path, "out%u.vc%u.credits_q", &port, &vc), 2);
  const unsigned before = credits_before(l.golden.cycle - 1, port, vc);
  if (first->values.before != before)
    fail_msg("%s held %u before, expected %u", first->path, (unsigned)first->values.before, before);
  assert_int_equal(first->step, UT_STEP_UPDATE);
  for (size_t i = 1; i < m.registers; i++)
    assert_true(m.reg[i].step >= UT_STEP_UPDATE && m.reg[i].first == (m.reg[i].step == UT_STEP_UPDATE));
  assert_true(m.events.count > 0 && m.places > 0);
  for (size_t i = 0; i < m.events.count; i++)
    assert_in_range(m.events.event[i].cycle, l.golden.cycle - UT_MISMATCH_HISTORY, l.golden.cycle - 1);
  ut_mismatch_free(&m);
  ut_lockstep_fini(&l);
}

/* The model's cycle, but for two mistakes, of which the one in the output port, numbered behind the input ports, comes
 * first. */
static uint64_t twice_wrong_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                                  struct ut_events *events) {
  const uint64_t hops = right_steps(g, c, first, count, events);
  struct ut_switch *s = ut_switch_of(g, WRONG_SWITCH);
  const uint32_t block = ((uint32_t)WRONG_SWITCH - g->first) >> g->form.block_bits;
  if (block >= first && block < first + count && ut_reg_credits(g, s, 0, 0) == 3) {
    const struct ut_site p = ut_site_of(g, s);
    UT_IN_BLOCK(uint8_t, p.b, g->form.at_pending_credits)[ut_at_lane(p, 0, 0, g->form)] ^= 1;
    ut_set_owned(g, s, 1, 0, !ut_reg_owned(g, s, 1, 0));
  }
  return hops;
}

static void sorted_by_steps(void **state) {
  (void)state;
  struct ut_lockstep l;
  struct ut_mismatch m;
  if (ut_lockstep_init(&l, scenario, &models, &error))
    fail_msg("%s", error.text);
  right_steps = l.golden.group[0].steps;
  ut_group_set_model_steps(&l.golden.group[0], twice_wrong_steps);
  run(&l);
  ut_mismatch_find(&m, &l);
  bool numbered = true;
  for (size_t i = 1; i < m.registers; i++) {
    numbered = numbered && m.reg[i - 1].number < m.reg[i].number;
    if (m.reg[i - 1].step > m.reg[i].step)
      fail_msg("%s of step '%s' is told before %s of step '%s'", m.reg[i - 1].path,
               ut_register_step_name(m.reg[i - 1].step), m.reg[i].path, ut_register_step_name(m.reg[i].step));
  }
  assert_false(numbered); /* else it tests nothing */
  ut_mismatch_free(&m);
  ut_lockstep_fini(&l);
}

/* The mismatch is in a cycle; a fault that begins with it is in force, one that begins with the next one is not. */
static void faults_of_the_cycle(void **state) {
  (void)state;
  const uint64_t at = scenario->faults[0].at_cycle;
  for (uint64_t later = 0; later < 2; later++) {
    struct ut_lockstep l;
    struct ut_mismatch m;
    scenario->faults[0].at_cycle = WRONG_CYCLE + later;
    if (ut_lockstep_init(&l, scenario, &models, &error))
      fail_msg("%s", error.text);
    l.injected_bug = (struct ut_injected_bug){
        .cycle = WRONG_CYCLE, .sw = WRONG_SWITCH, .register_path = "in0.vc0.pending_credits_q"};
    run(&l);
    ut_mismatch_find(&m, &l);
    assert_int_equal(l.golden.cycle - 1, WRONG_CYCLE);
    if (m.outages != 1 - later)
      fail_msg("a fault from cycle %d on, a mismatch in cycle %d: %zu faults in force, expected %d",
               (int)(WRONG_CYCLE + later), WRONG_CYCLE, m.outages, (int)(1 - later));
    ut_mismatch_free(&m);
    ut_lockstep_fini(&l);
  }
  scenario->faults[0].at_cycle = at;
}

/* A register that several steps write is of the one in which its two sides part. */
static void knows_the_steps(void **state) {
  (void)state;
  enum { IDLE = UT_VC_STATE_IDLE, WAITING = UT_VC_STATE_WAITING, ACTIVE = UT_VC_STATE_ACTIVE };
  static const struct {
    const char *path;
    struct ut_register_values values;
    bool active;
    enum ut_register_step step;
  } cases[] = {{"in3.vc0.state_q", {IDLE, WAITING, IDLE, true}, false, UT_STEP_ROUTE},
               {"in3.vc0.state_q", {WAITING, ACTIVE, WAITING, true}, true, UT_STEP_VC_ALLOCATION},
               {"in3.vc0.state_q", {IDLE, ACTIVE, ACTIVE, true}, true, UT_STEP_TRAVERSE},
               {"in3.vc0.cand_q[1]", {1, 2, 0, false}, false, UT_STEP_ROUTE},
               {"in3.vc0.cand_q", {1, 2, 0, false}, true, UT_STEP_VC_ALLOCATION},
               {"out12.vc1.owned_q", {0, 1, 0, true}, false, UT_STEP_VC_ALLOCATION},
               {"out12.vc1.owned_q", {0, 1, 1, true}, false, UT_STEP_TRAVERSE},
               {"in0.vc0.fifo.wr_q", {0, 1, 0, true}, false, UT_STEP_ARRIVE},
               {"in0.vc0.fifo.rd_q", {0, 1, 0, true}, false, UT_STEP_TRAVERSE},
               {"vc_arbiter10.pointer_q[2]", {0, 1, 0, true}, false, UT_STEP_VC_ALLOCATION},
               {"in1.vc0.age_q", {0, 1, 0, true}, false, UT_STEP_TRAVERSE},
               {"in1.lfsr_q", {0, 1, 0, true}, false, UT_STEP_VC_ALLOCATION},
               {"u_nodes.bad_q", {0, 1, 0, true}, false, UT_STEP_ARRIVE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(ut_register_step_name(ut_register_step_of(cases[i].path, &cases[i].values, cases[i].active)),
                        ut_register_step_name(cases[i].step));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_the_rtl),       cmocka_unit_test(names_the_model),
                                     cmocka_unit_test(leads_to_the_first),  cmocka_unit_test(sorted_by_steps),
                                     cmocka_unit_test(faults_of_the_cycle), cmocka_unit_test(knows_the_steps)};
  return cmocka_run_group_tests(tests, begin, end);
}
