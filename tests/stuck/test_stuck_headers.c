/* SPDX-License-Identifier: Apache-2.0 */
/* test_stuck_headers.c - stuck/stuck_headers: rules on headers of a small tree and a small torus, against headers that
 * the golden model routes in runs, and against where packets can come from by the geometry of the network. */
#include "stuck_headers.h"

#include "memory_text.h"
#include "route_unit.h"
#include "scenarios.h"

#include "../slice/small_library.h"
#include "scenario_read.h"
#include "topology_build.h"

enum { BITS = 64, PACKETS = 24000, NAME = 96 };

static struct ut_error error;
static uint64_t seed = 1;

static uint64_t chance(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

/* ---- a netlist that has no more than the names: straps, headers at the front, which VC is routed */

static void name_header(char name[NAME], unsigned port) {
  snprintf(name, NAME, "\\g_in[%u].u_input.header", port);
}
static void name_routed(char name[NAME], unsigned port, unsigned vc) {
  snprintf(name, NAME, "\\g_in[%u].u_input.g_vc[%u].u_vc.routed_i", port, vc);
}

static void write_bits(FILE *f, const char *name, unsigned bits) {
  fprintf(f, "  wire [%u:0] %s ;\n", bits - 1, name);
  for (unsigned i = 0; i < bits; i++)
    fprintf(f, "  DFF _0_ (\n    .C(clk_i),\n    .D(in_i),\n    .Q(%s [%u])\n  );\n", name, i);
}

static void open_circuit(struct ut_circuit *c, const struct ut_shape *s) {
  struct ut_liberty l;
  char *text, name[NAME];
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  assert_non_null(f);
  fprintf(f, "module ut_switch(clk_i, in_i);\n  input clk_i;\n  wire clk_i;\n  input in_i;\n  wire in_i;\n");
  write_bits(f, "straps_q", BITS);
  for (unsigned port = 0; port < s->pi; port++) {
    name_header(name, port);
    write_bits(f, name, BITS);
    for (unsigned vc = 0; vc < s->v; vc++) {
      name_routed(name, port, vc);
      write_bits(f, name, 1);
    }
  }
  fprintf(f, "endmodule\n");
  assert_int_equal(ut_memory_close(f, &text), 0);
  assert_int_equal(ut_liberty_parse(&l, small_library, strlen(small_library), "small.lib", &error), 0);
  if (ut_circuit_read_nets(c, text, "net.v", &l, &error))
    fail_msg("%s", error.text);
  ut_liberty_free(&l);
  free(text);
}

/* ---- a network and its rules */

static struct fixture {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_shape shape;
  struct ut_circuit circuit;
  struct ut_stuck_rules rules;
  bool *value; /* [ops] of a pattern */
  size_t headers;
  bool *seen; /* [headers]: routed in a run */
} now;

/* A packet for that terminal is routed in an input VC of a switch. */
struct header {
  uint32_t sw, dst;
  unsigned port, vc;
};
static size_t number_of(struct header h) {
  return ((h.sw * now.shape.pi + h.port) * now.shape.v + h.vc) * now.topology.terminals + h.dst;
}
static struct header header_of(size_t i) {
  struct header h;
  h.dst = (uint32_t)(i % now.topology.terminals), i /= now.topology.terminals;
  h.vc = (unsigned)(i % now.shape.v), i /= now.shape.v;
  h.port = (unsigned)(i % now.shape.pi), i /= now.shape.pi;
  h.sw = (uint32_t)i;
  return h;
}

static void open_network(const char *network, const char *routing, const char *run) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  memset(&now, 0, sizeof now);
  now.scenario = test_scenario("%s\nrouting: {%s}\n%s", network, routing, run);
  if (ut_topology_init(&now.topology, now.scenario, &error))
    fail_msg("%s", error.text);
  assert_int_equal(ut_scenario_elaborations(now.scenario, elaboration, shape, &error), 1);
  now.shape = shape[0];
  open_circuit(&now.circuit, &now.shape);
  const struct ut_stuck_network all = {now.scenario, &now.topology, 1};
  assert_true(ut_stuck_headers_add(&now.rules, &now.circuit, &now.shape, &all, 1));
  now.headers = (size_t)now.topology.switches * now.shape.pi * now.shape.v * now.topology.terminals;
  now.value = calloc(now.circuit.ops, sizeof *now.value);
  now.seen = calloc(now.headers, sizeof *now.seen);
  assert_true(now.value && now.seen);
}

static void close_network(void) {
  free(now.value);
  free(now.seen);
  ut_stuck_rules_free(&now.rules);
  ut_circuit_free(&now.circuit);
  ut_topology_free(&now.topology);
  ut_scenario_free(now.scenario);
}

static void put_bits(const char *name, unsigned bits, uint64_t value) {
  const struct ut_gate_name *n = ut_gates_name(&now.circuit.gates, name);
  assert_non_null(n);
  for (unsigned i = 0; i < bits; i++)
    now.value[now.circuit.bit[n->bit + i]] = value >> i & 1;
}

/* The pattern: what else is in the header, and all of other ports, is chance; nothing else is routed. */
static void put(struct header h) {
  char name[NAME];
  put_bits("straps_q", BITS, now.topology.straps[h.sw]);
  for (unsigned port = 0; port < now.shape.pi; port++) {
    name_header(name, port);
    put_bits(name, BITS, port == h.port ? ut_header_set_dst(chance(), (uint16_t)h.dst) : chance());
    for (unsigned vc = 0; vc < now.shape.v; vc++) {
      name_routed(name, port, vc);
      put_bits(name, 1, port == h.port && vc == h.vc);
    }
  }
}

/* Whether the pattern breaks a rule, from which literal number `without` is taken away. */
static bool is_broken(const struct ut_stuck_rule *r, unsigned without) {
  for (unsigned i = 0; i < r->count; i++)
    if (i != without && now.value[r->literal[i] / 2] == r->literal[i] % 2)
      return false;
  return true;
}
static bool is_ruled_out_by(const struct ut_stuck_rules *rules) {
  for (size_t i = 0; i < rules->count; i++)
    if (is_broken(&rules->rule[i], UINT32_MAX))
      return true;
  return false;
}
static bool is_ruled_out(void) {
  return is_ruled_out_by(&now.rules);
}

/* ---- where packets can be, by the geometry */

/* Hops of a torus with a terminal at each node. */
static unsigned hops(uint32_t from, uint32_t to) {
  const struct ut_topology *t = &now.topology;
  unsigned sum = 0;
  for (unsigned i = 0; i < t->dimensions; from /= t->size[i], to /= t->size[i], i++) {
    const unsigned ahead = (to % t->size[i] + t->size[i] - from % t->size[i]) % t->size[i];
    sum += ahead < t->size[i] - ahead ? ahead : t->size[i] - ahead;
  }
  return sum;
}

/* The last VC takes the first of the ports that lead nearer, others take any of them. */
static bool can_be_in_torus(struct header h) {
  const struct ut_topology *t = &now.topology;
  const struct ut_peer from = ut_topology_source(t, h.sw, h.port);
  if (from.kind == UT_PEER_TERMINAL)
    return true;
  for (unsigned port = 0; port < from.port && h.vc == now.shape.v - 1; port++)
    if (hops(t->peer[from.index * t->po + port].index, h.dst) < hops(from.index, h.dst))
      return false;
  return hops(h.sw, h.dst) < hops(from.index, h.dst);
}

/* Whether ports down lead to a terminal. */
static bool is_below(uint32_t sw, uint32_t dst) {
  const struct ut_topology *t = &now.topology;
  bool found = false;
  for (unsigned port = 0; port < t->po; port++) {
    const struct ut_peer to = t->peer[sw * t->po + port];
    if (to.kind == UT_PEER_TERMINAL)
      found = found || to.index == dst;
    else if (to.kind == UT_PEER_SWITCH && t->level[to.index] < t->level[sw])
      found = found || is_below(to.index, dst);
  }
  return found;
}

/* Packets that come from below are not for terminals there, and those from above are. */
static bool can_be_in_tree(struct header h) {
  const struct ut_topology *t = &now.topology;
  const struct ut_peer from = ut_topology_source(t, h.sw, h.port);
  if (from.kind == UT_PEER_TERMINAL)
    return true;
  return t->level[from.index] < t->level[h.sw] ? !is_below(from.index, h.dst) : is_below(h.sw, h.dst);
}

/* ---- the runs */

/* In place of the route function: takes down what it is asked. */
static void spy(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port, unsigned in_vc,
                struct ut_route_result *r) {
  now.seen[number_of((struct header){s->id, ut_header_dst(header), in_port, in_vc})] = true;
  g->routing->route(g, s, header, in_port, in_vc, r);
}

/* From every terminal to every terminal, with links that come and go. */
static void run(void) {
  struct ut_network n;
  test_network(&n, now.scenario);
  n.group[0].route = spy;
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_true(n.terminals.accounts.delivered > PACKETS / 2);
  ut_network_fini(&n);
}

/* ---- the tests */

static const char torus[] = "topology: {kind: torus, sizes: [4, 3]}\n"
                            "switch: {vcs: 3, depth_flits: 6, packet_flits: 2, shortest_packet_flits: 2}\n";
static const char tree[] = "topology: {kind: fat_tree, k: 2, n: 3}\n"
                           "switch: {vcs: 2, depth_flits: 4, packet_flits: 2}\n";

/* A network with a trace, whose file stays until the network has been closed. */
static void open_run(const char *network, const char *routing, unsigned terminals, char path[UT_TEST_TRACE_PATH]) {
  char *trace, run[512];
  size_t size;
  FILE *f = ut_memory_open(&trace, &size);
  assert_non_null(f);
  for (unsigned i = 0; i < PACKETS; i++)
    fprintf(f, "%u %u %u 2\n", i / 4, (unsigned)(chance() % terminals), (unsigned)(chance() % terminals));
  assert_int_equal(ut_memory_close(f, &trace), 0);
  test_write_trace(path, trace);
  free(trace);
  snprintf(run, sizeof run,
           "traffic: {pattern: trace, trace_file: %s}\n"
           "faults:\n"
           "  - {at: 10, until: 40, every: 37, times: 160, random_links: 3}\n"
           "  - {at: 20, until: 30, every: 41, times: 140, random_links: 6, direction: out}\n"
           "run: {warmup_cycles: 0, measure_cycles: %u, watchdog_cycles: 0}\n",
           path, PACKETS / 4 + 200);
  open_network(network, routing, run);
}

static void look(const char *network, const char *routing, unsigned terminals, bool (*can_be)(struct header h)) {
  char path[UT_TEST_TRACE_PATH];
  unsigned seen = 0, possible = 0, impossible = 0;
  open_run(network, routing, terminals, path);
  assert_int_equal(now.topology.terminals, terminals);
  bool *found = calloc(now.rules.count * UT_STUCK_RULE_LITERALS + 1, sizeof *found); /* mistakes */
  assert_non_null(found);
  run();
  for (size_t i = 0; i < now.headers; i++) {
    const struct header h = header_of(i);
    if (ut_topology_source(&now.topology, h.sw, h.port).kind == UT_PEER_NONE)
      continue;
    put(h);
    if (now.seen[i] && is_ruled_out())
      fail_msg("ruled out, but routed: for %u in switch %u, port %u, VC %u", h.dst, h.sw, h.port, h.vc);
    if (can_be(h) == is_ruled_out())
      fail_msg("%s: for %u in switch %u, port %u, VC %u", can_be(h) ? "ruled out" : "not ruled out", h.dst, h.sw,
               h.port, h.vc);
    for (size_t k = 0; k < now.rules.count && now.seen[i]; k++)
      for (unsigned n = 0; n < now.rules.rule[k].count; n++)
        found[k * UT_STUCK_RULE_LITERALS + n] |= is_broken(&now.rules.rule[k], n);
    seen += now.seen[i];
    possible += can_be(h);
    impossible += !can_be(h);
  }
  /* a rule that says more than it may is found: without any one of its literals a header of the runs breaks it */
  for (size_t k = 0; k < now.rules.count; k++)
    for (unsigned n = 0; n < now.rules.rule[k].count; n++)
      if (!found[k * UT_STUCK_RULE_LITERALS + n])
        fail_msg("rule %zu of %zu: nothing shows what literal %u is for", k, now.rules.count, n);
  print_message("%zu rules; %u of %u headers routed, %u cannot be\n", now.rules.count, seen, possible, impossible);
  assert_true(now.rules.count && impossible && 10 * seen > 9 * possible);
  free(found);
  close_network();
  unlink(path);
}

static void of_a_tree(void **state) {
  (void)state;
  look(tree, "algorithm: fta", 8, can_be_in_tree);
}

static void of_a_torus(void **state) {
  (void)state;
  look(torus, "algorithm: duato", 12, can_be_in_torus);
}

/* A switch of two networks: what can be in either is not ruled out. */
static void of_two_trees(void **state) {
  (void)state;
  static const char load[] = "traffic: {load_flits_per_cycle: 0.1}\n";
  struct ut_scenario *small = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                                            "switch: {vcs: 2, depth_flits: 4, packet_flits: 2}\n"
                                            "routing: {algorithm: fta}\n%s",
                                            load);
  struct ut_topology topology;
  struct ut_stuck_rules alone = {0}, both = {0}, other = {0};
  unsigned wrong = 0, ruled_out = 0;
  if (ut_topology_init(&topology, small, &error))
    fail_msg("%s", error.text);
  open_network(tree, "algorithm: fta", load);
  const struct ut_stuck_network two[] = {{small, &topology, 1}, {now.scenario, &now.topology, 1}},
                                one[] = {{small, &topology, 1}, {now.scenario, &now.topology, 0}};
  assert_true(ut_stuck_headers_add(&alone, &now.circuit, &now.shape, two, 1));
  assert_true(ut_stuck_headers_add(&both, &now.circuit, &now.shape, two, 2));
  assert_true(ut_stuck_headers_add(&other, &now.circuit, &now.shape, one, 2)); /* the other has another switch */
  for (size_t i = 0; i < now.headers; i++) {
    const struct header h = header_of(i);
    if (ut_topology_source(&now.topology, h.sw, h.port).kind == UT_PEER_NONE)
      continue;
    put(h);
    wrong += can_be_in_tree(h) && is_ruled_out_by(&alone);
    ruled_out += is_ruled_out_by(&both);
    assert_false(can_be_in_tree(h) && is_ruled_out_by(&both));
    assert_int_equal(is_ruled_out_by(&alone), is_ruled_out_by(&other));
  }
  assert_true(wrong && ruled_out);
  ut_stuck_rules_free(&alone);
  ut_stuck_rules_free(&both);
  ut_stuck_rules_free(&other);
  ut_topology_free(&topology);
  ut_scenario_free(small);
  close_network();
}

/* Where routing hangs on more than links, nothing is said. */
static void nothing_is_said(void **state) {
  (void)state;
  static const char *const texts[][2] = {{tree, "algorithm: reroute_adaptive_link"},
                                         {torus, "algorithm: duato, mechanisms: {intermediate: 1}"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    open_network(texts[i][0], texts[i][1], "traffic: {load_flits_per_cycle: 0.1}\n");
    assert_int_equal(now.rules.count, 0);
    close_network();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_tree), cmocka_unit_test(of_a_torus),
                                     cmocka_unit_test(of_two_trees), cmocka_unit_test(nothing_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
