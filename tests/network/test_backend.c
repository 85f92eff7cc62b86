/* SPDX-License-Identifier: Apache-2.0 */
/* test_backend.c - csim/network/network: switches of a backend.  Golden switches, each alone with its own wires, are
 * one, which sleeps when the RTL would: a network of these equals the golden network in every cycle, and every switch
 * the golden one, however many are stepped together and whatever threads move it. */
#include "golden.h"
#include "planned_routes.h"
#include "registers_equal.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "threads.h"

struct alone {
  struct golden m;
  uint64_t flit[UT_MAX_PORTS * (UT_MAX_FLIT_WORDS + 1)];
  ut_mask credit[UT_MAX_VCS];
};

struct alone_switches {
  const struct ut_topology *topology;
  struct alone *at;  /* [switches] */
  uint8_t *in_cycle; /* [switches]: steps of this cycle */
  struct ut_backend backend;
  bool wrong; /* a batch that no backend would take, or a switch twice in a cycle */
};

static void reset(void *self, uint32_t sw, uint64_t straps) {
  struct golden *m = &((struct alone_switches *)self)->at[sw].m;
  golden_reset(m, straps);
  golden_see(m, 0, 0, NULL);
  memset(m->c.flits, 0, m->wires.lanes), memset(m->c.credits, 0, m->wires.lanes);
}

static void configure(void *self, uint32_t sw, uint64_t word) {
  struct golden *m = &((struct alone_switches *)self)->at[sw].m;
  ut_switch_configure(&m->g, m->s, word);
}

static bool refused_late; /* a flit came through a link that had been down for more than a cycle */

static void step_alone(struct alone *a, const struct ut_switch_in *in, struct ut_switch_out *out) {
  struct golden *m = &a->m;
  const struct ut_shape *p = &m->g.shape;
  const unsigned stride = m->wires.words + 1;
  UT_FOR_EACH (port, in->valid)
    golden_arrive(m, port, p->v > 1 ? ut_flit_vc(in->flit[port][m->wires.words]) : 0, in->flit[port]);
  for (unsigned v = 0; v < p->v; v++)
    UT_FOR_EACH (port, in->credit[v])
      golden_credit(m, port, v);
  refused_late |= (in->valid & ~in->in_up & ~m->in_up) != 0;
  golden_see(m, in->in_up, in->out_up, in->report);
  m->c.order = in->config, m->c.config = m->g.form.tables || m->g.shape.exclusions ? &in->config : NULL;
  ut_switch_disturb(&m->g, m->s);
  golden_step(m);
  memset(m->c.flits, 0, m->wires.lanes), memset(m->c.credits, 0, m->wires.lanes);
  *out = (struct ut_switch_out){.valid = ut_reg_valid(&m->g, m->s),
                                .flit = a->flit,
                                .stride = stride,
                                .credit = a->credit,
                                .reports = ut_switch_report(&m->g, m->s),
                                .busy = !ut_reg_idle(&m->g, m->s)};
  UT_FOR_EACH (port, out->valid)
    memcpy(a->flit + port * stride, ut_reg_flit(&m->g, m->s, port), stride * sizeof *a->flit);
  for (unsigned v = 0; v < p->v; v++) {
    a->credit[v] = 0;
    for (unsigned port = 0; port < p->pi; port++)
      a->credit[v] |= ut_reg_credit(&m->g, m->s, port, v) ? ut_bit(port) : 0;
  }
}

static void step(void *self, const uint32_t *sw, unsigned count, struct ut_switch_in *in, struct ut_switch_out *out) {
  struct alone_switches *x = self;
  const struct ut_topology *t = x->topology;
  const struct ut_elaboration *of = &t->elaboration[ut_topology_elaboration(t, sw[0])];
  x->wrong |= !count;
  for (unsigned i = 0; i < count; i++) {
    x->wrong |= (sw[i] - of->first) / x->backend.together != (sw[0] - of->first) / x->backend.together;
    x->wrong |= sw[i] - of->first >= of->count || x->in_cycle[sw[i]]++;
    step_alone(&x->at[sw[i]], &in[i], &out[i]);
  }
}

static void start(struct alone_switches *x, const struct ut_network *like, unsigned together) {
  const struct ut_topology *t = &like->topology;
  *x = (struct alone_switches){.topology = t, .backend = {x, reset, step, together, configure}};
  x->at = calloc(t->switches, sizeof *x->at);
  x->in_cycle = calloc(t->switches, 1);
  assert_true(x->at && x->in_cycle);
  for (uint32_t sw = 0; sw < t->switches; sw++)
    assert_true(golden_start(&x->at[sw].m, &like->shape[ut_topology_elaboration(t, sw)]));
}

static void stop(struct alone_switches *x) {
  for (uint32_t sw = 0; sw < x->topology->switches; sw++)
    golden_stop(&x->at[sw].m);
  free(x->at), free(x->in_cycle);
}

enum { MOST_SWITCHES = 80 }; /* of these networks */
static const struct {
  const char *scenario;
  unsigned cycles;
} compared[] = {
    {"tests/scenarios/tree_3_2.yaml", 150},
    {"tests/scenarios/torus_3x3.yaml", 150},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 300},
    {"tests/mutation/scenarios/faults_tree_switch.yaml", 300},
    {"tests/mutation/scenarios/faults_torus.yaml", 300},
    {"tests/mutation/scenarios/faults_ruft.yaml", 300},
    {"tests/mutation/scenarios/faults_table.yaml", 300},
    {"tests/scenarios/purges.yaml", 330},
    {"tests/scenarios/purges_mesh.yaml", 400},
    {"tests/scenarios/ruft_links.yaml", 200},
    {"tests/scenarios/ruft_dual_homed.yaml", 300},
    {"tests/scenarios/each_cycle.yaml", 60},
    {"tests/scenarios/sent_again.yaml", 400},
    {"tests/scenarios/detour_torus.yaml", 400},
    {"tests/mutation/scenarios/faults_one_way.yaml", 300},
    {"tests/mutation/scenarios/fails_alone.yaml", 140},
    {"tests/mutation/scenarios/wide_tree.yaml", 25},
};

/* What terminals have sent and received; how the words of a packet are made is their own affair. */
static bool terminals_alike(const struct ut_terminals *a, const struct ut_terminals *b) {
  const size_t words = a->lanes / UT_LANES;
  bool alike = !memcmp(a->credits, b->credits, a->lanes) && !memcmp(a->ahead, b->ahead, a->lanes) &&
               !memcmp(a->unread, b->unread, a->lanes) &&
               !memcmp(a->transmissions, b->transmissions, words * sizeof *a->transmissions) &&
               !memcmp(a->receptions, b->receptions, words * sizeof *a->receptions);
  for (uint32_t i = 0; i < a->lanes; i++)
    alike = alike && a->rx[i].pending_credits == b->rx[i].pending_credits && a->rx[i].header == b->rx[i].header;
  for (uint32_t i = 0; i < a->count; i++)
    alike = alike && a->terminal[i].injected == b->terminal[i].injected && a->terminal[i].end == b->terminal[i].end;
  return alike;
}

/* The state of every switch is that of the golden one. */
static void states_are_equal(const struct ut_network *golden, const struct alone_switches *x, const char *scenario) {
  for (uint32_t sw = 0; sw < golden->topology.switches; sw++) {
    const struct golden *m = &x->at[sw].m;
    const char *name = differing_state(ut_network_group(golden, sw), ut_network_switch(golden, sw), &m->g, m->s);
    if (name)
      fail_msg("%s: switch %u in cycle %llu: %s", scenario, (unsigned)sw, (unsigned long long)golden->cycle, name);
  }
}

/* A cycle in two halves: all switches that have work are stepped at once, by the caller. */
static void step_in_halves(struct ut_network *n, struct alone_switches *x) {
  unsigned count;
  const struct ut_batch *b = ut_network_offer(n, &count);
  for (unsigned i = 0; i < count; i++)
    step_alone(&x->at[b->sw[i]], &b->in[i], &b->out[i]);
  ut_network_accept(n, count);
}

enum { HALF_CROSSBAR = 0 }; /* of threads: the caller steps the switches */
enum { LOOK = 5 };          /* cycles from one look at all registers to the next */

static void equals_the_golden_network(const char *scenario, unsigned cycles, unsigned together, unsigned threads) {
  struct ut_error e;
  struct ut_network golden, other;
  struct alone_switches x;
  struct ut_threads *team = threads > 1 ? ut_threads_start(threads) : NULL;
  struct ut_scenario *s = ut_scenario_load(scenario, &e);
  if (!s || ut_plan_scenario(s, &e) || ut_network_init(&golden, s, NULL, &e))
    fail_msg("%s", e.text);
  start(&x, &golden, together);
  if (ut_network_init(&other, s, &x.backend, &e))
    fail_msg("%s", e.text);
  if (golden.workload)
    ut_network_follow(&other, &golden);
  assert_true(threads < 2 || (team && ut_network_use(&other, team)));
  assert_true(ut_network_count_links(&golden) && ut_network_count_links(&other));
  uint32_t batches = 0, lanes = other.wires.terminals;
  for (unsigned i = 0; i < other.topology.elaborations; i++)
    batches += (other.topology.elaboration[i].count + together - 1) / together;
  for (unsigned most = 1; most < 32; most++) {
    const uint32_t pay = batches < lanes / 128 ? batches : lanes / 128;
    assert_int_equal(ut_network_threads(&other, most), pay < 1 ? 1 : pay < most ? pay : most);
    assert_int_equal(ut_network_threads(&golden, most), 1 + (lanes >= 2 * 4096 && most > 1));
  }
  while (golden.cycle < cycles) {
    ut_network_step(&golden);
    memset(x.in_cycle, 0, x.topology->switches);
    if (threads == HALF_CROSSBAR)
      step_in_halves(&other, &x);
    else
      ut_network_step(&other);
    if (x.wrong || golden.flit_hops != other.flit_hops || !ut_network_wires_agree(&golden, &other) ||
        !terminals_alike(&golden.terminals, &other.terminals))
      fail_msg("%s, %u together, %u threads: another cycle %llu", scenario, together, threads,
               (unsigned long long)golden.cycle);
    if (golden.cycle % LOOK == 0)
      states_are_equal(&golden, &x, scenario);
  }
  uint64_t counted = 0;
  for (uint32_t i = 0; i < golden.topology.switches * golden.topology.po; i++) {
    counted += golden.link_flits[i];
    assert_int_equal(other.link_flits[i], 0); /* what a backend drives is its own affair */
  }
  assert_true(golden.flit_hops > 0 && golden.flit_hops == counted);
  assert_int_equal(ut_network_u_turns(&other), 0);     /* and so is that */
  for (uint32_t i = 0; i < other.terminals.count; i++) /* no packets are in the in-flight table: nobody tells what it discards */
    assert_int_equal(other.terminals.terminal[i].base, other.terminals.terminal[i].injected);
  assert_int_equal(other.terminals.accounts.corrupt, golden.terminals.accounts.corrupt);
  ut_network_fini(&other);
  stop(&x);
  ut_network_fini(&golden);
  ut_threads_end(team);
  ut_scenario_free(s);
}

static void a_backend_equals_the_golden_network(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof compared / sizeof compared[0]; i++) {
    for (unsigned together = 1; together <= 8; together *= 2)
      equals_the_golden_network(compared[i].scenario, compared[i].cycles, together, 1 + (i + together) % 3);
    equals_the_golden_network(compared[i].scenario, compared[i].cycles, MOST_SWITCHES, HALF_CROSSBAR);
  }
  assert_true(refused_late);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_backend_equals_the_golden_network)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
