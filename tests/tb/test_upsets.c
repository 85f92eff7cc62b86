/* SPDX-License-Identifier: Apache-2.0 */
/* test_upsets.c - tb/upsets on a small network: what a campaign of many copies says of each injection, against a
 * network alone with that upset, beside one without, to the end.
 *
 * Needs yosys and a C compiler; about ten seconds of synthesis, unless the cache has the netlist.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blocks.h"
#include "flip_flops.h"
#include "model_cache.h"
#include "scenario.h"
#include "scenario_read.h"
#include "slice.h"
#include "topology_build.h"
#include "upsets.h"

enum { COUNT = 1500, ATOMIC = 300, END = 4000 };

static struct ut_error error;
static struct fixture {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_shape shape;
  struct ut_liberty library;
  struct ut_circuit circuit;
  struct ut_flip_flop *flip_flop;
  struct ut_models many, few; /* 512 lanes, and 64 */
} f;

static char *get_model(const char *netlist, unsigned words) {
  const struct ut_model_request request = {
      .shape = &f.shape, .root_dir = UTURN_SOURCE_DIR, .netlist = netlist, .lanes = words};
  char *path = ut_model_cache_get(&request, NULL, NULL, &error);
  if (!path)
    fail_msg("%s", error.text);
  return path;
}

static int begin(void **state) {
  (void)state;
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  f.scenario = ut_scenario_load("tests/tb/upsets.yaml", &error);
  if (!f.scenario || ut_topology_init(&f.topology, f.scenario, &error) ||
      ut_scenario_elaborations(f.scenario, elaboration, shape, &error) != 1)
    fail_msg("%s", error.text);
  f.shape = *shape;
  const struct ut_synthesis_request request = {.shape = &f.shape, .root_dir = UTURN_SOURCE_DIR};
  char *netlist = ut_block_netlist_get(&request, NULL, NULL, &error);
  if (!netlist || ut_circuit_open(&f.circuit, &f.library, netlist, false, &error))
    fail_msg("%s", error.text);
  f.flip_flop = ut_flip_flops_of(&f.circuit);
  f.many.path[0] = get_model(netlist, UT_SLICE_MAX_WORDS);
  f.few.path[0] = get_model(netlist, 1);
  free(netlist);
  return 0;
}

static int end(void **state) {
  (void)state;
  free(f.many.path[0]);
  free(f.few.path[0]);
  free(f.flip_flop);
  ut_circuit_free(&f.circuit);
  ut_liberty_free(&f.library);
  ut_topology_free(&f.topology);
  ut_scenario_free(f.scenario);
  return 0;
}

/* ---- one network alone */

/* What one that runs to the end without others has done; flits are told apart by what has arrived, not by registers. */
struct summary {
  uint64_t injected, delivered, corrupt, flits;
  uint64_t when;     /* a sum that changes with the cycle in which anything arrives, goes back or is sent */
  unsigned heads[4]; /* that have arrived at each terminal */
  bool waits, moves;
};

static struct summary run_alone(const struct ut_upset *upset) {
  struct ut_network n;
  struct summary s = {0};
  struct ut_rtl *rtl = ut_rtl_open(&f.few, &f.topology, f.scenario->run.seed, &error);
  if (!rtl || ut_network_init(&n, f.scenario, ut_rtl_backend(rtl), &error))
    fail_msg("%s", error.text);
  uint64_t moved = 0, last = 0;
  while (n.cycle < END) {
    if (upset && n.cycle == upset->cycle)
      ut_rtl_api(rtl, upset->sw)->upset(rtl->model[upset->sw], upset->flip_flop);
    if (upset && n.cycle >= upset->cycle)
      memset(n.awake, 1, f.topology.switches);
    for (uint32_t i = 0; i < 4; i++)
      s.heads[i] += (*ut_wires_flits(&n.wires, n.cycle, n.wires.terminals + i) & UT_KIND_HEAD) != 0;
    ut_network_step(&n);
    const struct ut_accounts *a = &n.terminals.accounts;
    const uint64_t now = n.flit_hops + a->injected_flits + n.terminals.received_flits;
    last = now != moved ? n.cycle : last;
    moved = now;
    s.when = s.when * 31 + a->delivered + 7 * n.terminals.received_flits + 1000003 * a->injected_flits;
    for (uint32_t i = 0; i < n.terminals.lanes; i++)
      s.when = s.when * 31 + n.terminals.credits[i];
  }
  for (uint32_t i = 0; i < f.topology.switches; i++)
    s.waits |= n.awake[i];
  s.waits |= ut_terminals_queued(&n.terminals) > 0;
  s.moves = n.cycle - last < 100;
  s.injected = n.terminals.accounts.injected;
  s.delivered = n.terminals.accounts.delivered;
  s.corrupt = n.terminals.accounts.corrupt;
  s.flits = n.terminals.received_flits;
  ut_network_fini(&n);
  ut_rtl_close(rtl);
  return s;
}

/* The outcome that follows from two of them; it knows nothing of what is in the registers at the end. */
static bool agrees(uint8_t outcome, const struct summary *good, const struct summary *bad) {
  const bool missing = bad->injected - bad->delivered != good->injected - good->delivered;
  const bool misplaced = memcmp(bad->heads, good->heads, sizeof bad->heads) != 0;
  switch (outcome & ~UT_UPSET_ERROR) {
  case UT_UPSET_MASKED:
  case UT_UPSET_LATENT: return !missing && !bad->corrupt && bad->when == good->when && bad->flits == good->flits;
  case UT_UPSET_DELAYED: return !missing && !bad->corrupt && !misplaced && !bad->waits && bad->when != good->when;
  case UT_UPSET_MISDELIVERED: return !missing && !bad->corrupt && misplaced && !bad->waits;
  case UT_UPSET_CORRUPTED: return !missing && bad->corrupt && !bad->waits;
  case UT_UPSET_LOST: return missing && !bad->waits;
  case UT_UPSET_STUCK: return bad->waits || bad->moves;
  default: return false;
  }
}

static struct ut_upset upset[COUNT];
static uint8_t outcome[COUNT];

/* Injections that are decided: from call to call more of them. */
struct progress {
  uint64_t done;
  unsigned calls;
};

static void see_progress(void *ctx, uint64_t done, uint64_t of) {
  struct progress *p = ctx;
  assert_true(of == COUNT && done >= p->done && done <= of);
  p->done = done;
  p->calls++;
}

static void run_campaign(unsigned workers, bool once, uint8_t *result) {
  const size_t flip_flops[UT_MAX_ELABORATIONS] = {f.circuit.states};
  struct progress progress = {0};
  const struct ut_upset_campaign c = {.scenario = f.scenario,
                                      .models = &f.many,
                                      .upset = upset,
                                      .count = COUNT,
                                      .workers = workers,
                                      .once = once,
                                      .progress = see_progress,
                                      .ctx = &progress};
  ut_upsets_draw(upset, COUNT, f.scenario, &f.topology, flip_flops);
  if (ut_upsets_run(&c, result, &error))
    fail_msg("%s", error.text);
  if (workers == 1 && progress.done != COUNT)
    fail_msg("the last word is %u of %d injections", (unsigned)progress.done, COUNT);
}

/* Every outcome of which there are few, and of the others some. */
static void alone(void **state) {
  (void)state;
  unsigned of[UT_UPSET_OUTCOMES] = {0}, looked = 0;
  run_campaign(1, false, outcome);
  const struct summary good = run_alone(NULL);
  assert_true(f.topology.terminals == 4 && good.delivered > 500 && good.injected == good.delivered && !good.corrupt &&
              !good.waits);
  for (size_t i = 0; i < COUNT && looked < ATOMIC; i++) {
    const unsigned o = outcome[i] & ~UT_UPSET_ERROR;
    if (of[o]++ >= 60)
      continue;
    const struct summary bad = run_alone(&upset[i]);
    looked++;
    if (!agrees(outcome[i], &good, &bad))
      fail_msg("cycle %u, switch %u, %s: %s; alone %d missing, %u corrupt, %s", (unsigned)upset[i].cycle, upset[i].sw,
               f.flip_flop[upset[i].flip_flop].name, ut_upset_outcome_name((enum ut_upset_outcome)o),
               (int)(bad.injected - bad.delivered), (unsigned)bad.corrupt, bad.waits ? "waits" : "is empty");
  }
  for (unsigned o = UT_UPSET_MASKED; o < UT_UPSET_OUTCOMES; o++)
    if (!of[o])
      fail_msg("nothing was %s", ut_upset_outcome_name((enum ut_upset_outcome)o));
}

/* Neither who shares the work matters, nor what a copy has been through before. */
static void again(void **state) {
  (void)state;
  static uint8_t other[COUNT];
  run_campaign(3, false, other);
  assert_memory_equal(other, outcome, COUNT);
  run_campaign(1, true, other);
  assert_memory_equal(other, outcome, COUNT);
}

/* An upset changes the register that it is called after, and no other; outputs that follow from it may change, too. */
static void note(void *ctx, const char *path, uint64_t rtl, uint64_t golden) {
  char *text = ctx;
  if (!strcmp(path, "idle_o") || !strcmp(path, "error_o"))
    return;
  assert_int_equal(__builtin_popcountll(rtl ^ golden), 1);
  assert_string_equal(text, "");
  snprintf(text, 80, "%s", path);
}

static void names(void **state) {
  (void)state;
  static const struct {
    const char *flip_flop, *path;
  } some[] = {{"g_in[1].u_input.g_vc[0].u_vc.pending_credits_q[1]", "in1.vc0.pending_credits_q"},
              {"g_in[0].u_input.g_vc[0].u_vc.u_fifo.count_q[0]", "in0.vc0.fifo.count_q"},
              {"g_out[1].u_output.g_vc[0].credits_q[0]", "out1.vc0.credits_q"},
              {"g_out[0].u_output.kind_q[1]", "out0.kind_q"}};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    struct ut_lockstep l;
    unsigned n = 0;
    char found[80] = "";
    while (n < f.circuit.states && strcmp(f.flip_flop[n].name, some[i].flip_flop))
      n++;
    assert_true(n < f.circuit.states);
    if (ut_lockstep_init(&l, f.scenario, &f.few, &error))
      fail_msg("%s", error.text);
    while (l.golden.cycle < 300)
      assert_true(ut_lockstep_step(&l));
    ut_rtl_api(l.dut, 2)->upset(l.dut->model[2], n);
    l.rtl.awake[2] = 1;
    ut_lockstep_step(&l); /* it may say that they differ */
    const struct ut_group *g = ut_network_group(&l.golden, 2);
    ut_rtl_api(l.dut, 2)->differences(l.dut->model[2], g, ut_switch_of(g, 2), note, found);
    assert_string_equal(found, some[i].path);
    ut_lockstep_fini(&l);
  }
}

static void classes(void **state) {
  (void)state;
  unsigned of[UT_FLIP_CLASSES] = {0};
  for (size_t i = 0; i < f.circuit.states; i++) {
    assert_true(*f.flip_flop[i].name);
    of[f.flip_flop[i].class]++;
  }
  const unsigned words = f.shape.w * (f.shape.pi * f.shape.v * f.shape.depth + f.shape.po);
  assert_int_equal(of[UT_FLIP_DATA], words);
  assert_true(of[UT_FLIP_REST] < 10 && of[UT_FLIP_CREDITS] && of[UT_FLIP_STATE] && of[UT_FLIP_BUFFER]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),
      cmocka_unit_test(classes),
      cmocka_unit_test(alone),
      cmocka_unit_test(again),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
