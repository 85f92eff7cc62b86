/* test_every_table.c - what a network is made of before it runs, as it was recorded: topologies, events of faults,
 * packets of sources, tasks of workloads, forwarding tables, states of nodes, rules that a switch breaks. */
#include <string.h>

#include "distance.h"
#include "family.h"
#include "forwarding.h"
#include "node_model.h"
#include "recorded.h"
#include "scenarios.h"
#include "workload.h"

static void record_peer(uint64_t *hash, struct ut_peer p) {
  record(hash, (uint64_t)p.index << 16 | p.port << 8 | p.kind);
}

static void record_names(uint64_t *hash, const char *text) {
  for (; *text; text++)
    record(hash, (unsigned char)*text);
}

static void record_topology(uint64_t *hash, const struct ut_topology *t) {
  record(hash, t->switches), record(hash, t->terminals), record(hash, t->pi << 8 | t->po), record(hash, t->channels);
  record(hash, t->levels), record(hash, t->up_ports), record(hash, t->links), record(hash, t->elaborations);
  record(hash, t->wrap << 3 | t->bidirectional << 2 | t->static_links << 1), record(hash, t->dimensions << 8 | t->cube);
  for (uint32_t i = 0; i < t->channels; i++) {
    record_peer(hash, t->peer[i]), record_peer(hash, ut_topology_sender(t, i));
    record(hash, ut_topology_twin(t, i));
  }
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    char text[UT_SWITCH_TUPLE_SIZE + UT_SWITCH_NAME_SIZE];
    record(hash, (uint64_t)t->level[sw] << 32 | t->position[sw]), record(hash, t->straps[sw]);
    record_names(hash, ut_topology_switch_name(t, sw, text)), record_names(hash, ut_topology_switch_tuple(t, sw, text));
    for (unsigned port = 0; port < t->pi; port++)
      record_peer(hash, ut_topology_source(t, sw, port)), record(hash, t->feeder[sw * t->pi + port]);
  }
  for (size_t i = 0; i < t->links; i++)
    record(hash, (uint64_t)t->link[i].lower << 32 | t->link[i].upper),
        record(hash, t->link[i].lower_port << 8 | t->link[i].upper_port);
  for (uint32_t i = 0; i < t->terminals * t->ejections; i++)
    record(hash, t->ejection[i]);
}

/* What its family tells of a network and its switches. */
static void record_family(uint64_t *hash, const struct ut_scenario *s, const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  const struct ut_family *f = t->family;
  char text[UT_NETWORK_NAME_SIZE + UT_DIRECTION_SIZE + UT_CHANNEL_NAME_SIZE];
  struct ut_sizes z = {0};
  f->network_name(s, text);
  record_names(hash, text);
  f->sizes(s, &z);
  record(hash, z.switches), record(hash, z.terminals), record(hash, z.levels << 16 | z.ports << 8 | z.terminal_links);
  for (unsigned i = 0; i < t->elaborations && f->switching_elements; i++)
    record(hash, f->switching_elements(&n->shape[i]));
  for (unsigned port = 0; port < t->po; port++) {
    record_names(hash, ut_topology_direction(t, port, text));
    for (unsigned vc = 0; vc < n->v && f->channel_name; vc++)
      if (f->channel_name(t, n->shape, port, vc, text))
        record_names(hash, text);
  }
  for (uint32_t a = 0; a < t->switches; a++)
    for (uint32_t b = 0; b < t->switches; b++)
      record(hash, (f->apart ? f->apart(t, a, b) : 0) << 8 | (f->distance ? f->distance(t, a, b) : 0));
  for (unsigned round = 0; f->choices && round < 4; round++) { /* with all channels, and with ever fewer */
    uint64_t *up = calloc(t->channels / 64 + 1, sizeof *up);
    assert_non_null(up);
    for (uint32_t i = 0; i < t->channels; i++)
      if (!round || (i * 11 + round) % (16 >> round))
        ut_bitmap_set(up, i);
    for (uint32_t src = 0; src < t->terminals; src++)
      for (unsigned link = 0; link < t->injections; link++)
        for (uint32_t dst = 0; dst < t->terminals; dst++)
          record(hash, f->choices(t, round ? up : NULL, src, link, dst));
    free(up);
  }
}

static void record_distances(uint64_t *hash, const struct ut_topology *t) {
  ut_mask *up = calloc(t->switches, sizeof *up);
  uint16_t *distance = calloc(t->switches, sizeof *distance);
  assert_true(up && distance);
  for (uint32_t sw = 0; sw < t->switches; sw++)
    for (unsigned port = 0; port < t->po; port++)
      if (t->peer[(size_t)sw * t->po + port].kind != UT_PEER_NONE && (sw * 7 + port) % 5)
        up[sw] |= ut_bit(port);
  for (uint32_t from = 0; from < t->switches; from += 3) {
    assert_true(ut_distances(t, up, from, distance));
    for (uint32_t to = 0; to < t->switches; to++)
      record(hash, distance[to]);
  }
  free(up), free(distance);
}

static void record_faults(uint64_t *hash, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_faults f;
  struct ut_error e;
  if (ut_faults_init(&f, s, t, &e))
    fail_msg("%s", e.text);
  for (uint64_t cycle = 0; cycle < 500; cycle++)
    for (const struct ut_fault_event *event; (event = ut_faults_next(&f, cycle));) {
      const struct ut_component *c = &event->what;
      record(hash, event->cycle << 1 | event->up), record(hash, (uint64_t)c->sw << 32 | c->channel);
      record(hash, c->port << 9 | c->kind << 1 | c->both);
      record(hash, ut_faults_out_up(&f, c->sw)), record(hash, ut_faults_in_up(&f, c->sw));
    }
  record(hash, f.failures);
  ut_faults_free(&f);
}

static void record_packets(uint64_t *hash, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_traffic traffic;
  struct ut_error e;
  if (ut_traffic_init(&traffic, s, t->terminals, &e))
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < t->terminals; i++) {
    struct ut_traffic_source source;
    struct ut_packet_request packet;
    ut_traffic_source_init(&source, &traffic, i);
    for (unsigned n = 0; n < 40 && ut_traffic_next(&traffic, &source, &packet); n++)
      record(hash, packet.cycle << 32 | (uint32_t)packet.dst << 16 | packet.flits);
  }
  for (uint64_t from = 0; from < 50; from += 7) { /* of a trace */
    record(hash, ut_traffic_flits(&traffic, from, from + 30));
    record(hash, ut_traffic_packets_from(&traffic, from));
  }
  ut_traffic_free(&traffic);
}

static void record_tasks(uint64_t *hash, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_workload w;
  struct ut_error e;
  if (ut_workload_of(&w, s, t, &e))
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < w.tasks; i++) {
    const struct ut_task *x = &w.task[i];
    record(hash, x->amount), record(hash, (uint64_t)x->other << 16 | x->kind << 8 | x->cpu);
    record(hash, (uint64_t)x->terminal << 32 | x->peer), record(hash, (uint64_t)w.waits[i] << 32 | w.first[i]);
  }
  for (uint32_t i = 0; i < w.requirements; i++)
    record(hash, (uint64_t)w.requirement[i].task << 32 | w.requirement[i].needs), record(hash, w.requirement[i].begun);
  record(hash, w.messages), record(hash, w.packets), record(hash, w.cpus);
  ut_workload_free(&w);
}

/* Of every collective operation among those terminals. */
static void record_collectives(uint64_t *hash, const char *topology, const char *algorithm, unsigned vcs,
                               const struct ut_topology *t) {
  static const char *const pattern[] = {"all_to_all",
                                        "all_reduce_ring, compute_cycles: 5",
                                        "all_reduce_tree, root: 2, compute_cycles: 3",
                                        "broadcast, root: 1",
                                        "nearest_neighbour",
                                        "nearest_neighbour, repeat: 2, compute_cycles: 4"};
  for (unsigned i = 0; i < sizeof pattern / sizeof pattern[0]; i++) {
    struct ut_scenario *s =
        test_scenario("topology: {%s}\nswitch: {vcs: %u, depth_flits: 8, packet_flits: 4}\nrouting: {algorithm: %s}\n"
                      "traffic: {pattern: %s, message_bytes: 77}\n",
                      topology, vcs, algorithm, pattern[i]);
    record_tasks(hash, s, t);
    ut_scenario_free(s);
  }
}

static void record_forwarding(uint64_t *hash, const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  struct ut_forwarding f;
  ut_mask *up = calloc(t->switches, sizeof *up);
  assert_true(up && ut_forwarding_init(&f, t, n->shape));
  for (unsigned round = 0; round < 3; round++) {
    for (uint32_t sw = 0; sw < t->switches; sw++)
      for (unsigned port = 0; port < t->po; port++)
        if (t->peer[(size_t)sw * t->po + port].kind != UT_PEER_NONE)
          up[sw] |= ut_bit(port);
    for (size_t i = round; i < t->links && round; i += 4 * round + 3) { /* both directions of some links are down */
      up[t->link[i].lower] &= ~ut_bit(t->link[i].lower_port);
      up[t->link[i].upper] &= ~ut_bit(t->link[i].upper_port);
    }
    ut_forwarding_survey(&f, up);
    for (uint32_t sw = 0; sw < t->switches; sw++)
      for (unsigned port = 0; port < t->pi; port++)
        for (unsigned vc = 0; vc < n->v; vc++)
          for (uint32_t dst = 0; dst < t->terminals; dst++)
            record(hash, ut_forwarding_entry(&f, sw, port, vc, (uint16_t)dst));
  }
  ut_forwarding_fini(&f);
  free(up);
}

static void record_nodes(uint64_t *hash, const struct ut_topology *t) {
  struct ut_node_model m;
  struct ut_error e;
  assert_int_equal(ut_node_model_init(&m, t, &e), 0);
  for (uint32_t a = 0; a < t->switches; a++)
    for (uint32_t b = 0; b < a; b++) {
      const uint32_t failed[] = {a, b, (a * 5 + b * 3 + 1) % t->switches};
      m.dateline = b % 2;
      ut_node_model_set(&m, failed, a % 3 ? 2 : 3);
      for (uint32_t i = 0; i < t->switches; i++)
        record(hash, m.state[i] << 8 | (uint8_t)m.block[i]);
      record(hash, m.reasons);
      for (unsigned i = 0; i < m.reasons && i < UT_MAX_REASONS; i++) {
        char text[UT_NODE_REASON_SIZE];
        record_names(hash, ut_node_reason_text(&m, &m.reason[i], text));
      }
    }
  ut_node_model_free(&m);
}

/* The rule that a switch breaks with one parameter changed, or two; they are all of one type. */
static void record_rules(uint64_t *hash, const struct ut_shape *shape) {
  static const unsigned value[] = {0,  1,  2,  3,  4,  5,   7,   8,   9,   16,  17,  31,   32,
                                   33, 63, 64, 65, 96, 128, 255, 256, 512, 513, 576, 1024, 1025};
  enum { VALUES = sizeof value / sizeof value[0], PARAMETERS = sizeof *shape / sizeof(unsigned) };
  for (unsigned i = 0; i < PARAMETERS; i++)
    for (unsigned j = i; j < PARAMETERS; j++)
      for (unsigned k = 0; k < VALUES; k++) {
        struct ut_shape changed = *shape;
        unsigned *parameter = (unsigned *)&changed;
        parameter[i] = value[(k * 7 + 3) % VALUES];
        parameter[j] = value[k];
        const char *rule = ut_shape_rule(&changed);
        record_names(hash, rule ? rule : "-");
      }
}

#define RUN "run: {warmup_cycles: 0, measure_cycles: 500, seed: 7}\n"
#define PLAIN "traffic: {pattern: uniform, load_flits_per_cycle: 0.3}\n"
/* Random components while others are faulty, or will be, or have been. */
#define MANY(kind, one)                                                                                                \
  "faults: [{at: 20, until: 60, " kind ": 2}, {at: 0, until: 30, every: 40, times: 6, " kind                           \
  ": 3}, {at: 300, until: 310, " kind ": 2}, {at: 50, until: 300, " one                                                \
  "}, {at: 90, until: 200, every: 150, times: 2, " kind ": 2}, {at: 100, " kind ": 1}, {at: 310, until: 320, " one     \
  "}, {at: 10, until: 400, " kind ": 1}]\n"
static const struct {
  const char *topology, *algorithm;
  unsigned vcs;
  const char *packet_flits, *more; /* more: traffic, faults */
  uint64_t hash;
} recorded[] = {
    {"kind: fat_tree, k: 3, n: 3", "fta", 1, "2",
     PLAIN "faults: [{at: 0, until: 90, every: 100, times: 4, random_links: 3}]\n", 0xa2f6589a6fda57a9},
    {"kind: fat_tree, k: 2, n: 4", "table_reroute_det_link", 2, "{distribution: exponential, mean: 3, max: 8}",
     "traffic: {pattern: shuffle, load_flits_per_cycle: 0.5, process: poisson}\n"
     "faults: [{at: 5, random_switches: 2}, {at: 5, until: 60, link: {level: 1, switch: 2, port: 3}}]\n",
     0x521c58f85384fa0e},
    {"kind: fat_tree, k: 4, n: 2", "table", 1, "4", "traffic: {pattern: transpose, load_flits_per_cycle: 0.9}\n",
     0x69371d871bd3aff9},
    {"kind: torus, sizes: [4, 3, 2]", "duato", 2, "3",
     PLAIN "faults: [{at: 9, until: 12, random_links: 6}, {at: 10, switch: {level: 0, switch: 5}}]\n",
     0xf1ebfa983cd44987},
    {"kind: torus, sizes: [5, 4], local_ports: 2", "dor", 1, "4",
     "traffic: {pattern: hot_spot, load_flits_per_cycle: 0.2, hot_spot_node: 7, hot_spot_fraction: 0.4}\n",
     0xbf80136f6baedc4b},
    {"kind: torus, sizes: [5, 4]", "detour", 4, "4", PLAIN "faults: [{at: 3, random_switches: 1}]\n",
     0xb879fccfcfee0a3e},
    {"kind: mesh, sizes: [4, 4], terminal_links: 2", "duato", 2,
     "{distribution: bimodal, short: 2, long: 8, long_fraction: 0.3}",
     "traffic: {pattern: complement, load_flits_per_cycle: 1.5}\n", 0x1f483246188eb9aa},
    {"kind: mesh, sizes: [3, 2, 4]", "detour", 2, "4", PLAIN "faults: [{at: 3, random_switches: 2, apart: 2}]\n",
     0xff62148a89c89d56},
    {"kind: mesh, sizes: [6, 3]", "detour", 2, "4", "traffic: {pattern: all_to_all, message_bytes: 100, repeat: 2}\n",
     0x139fb114ad97cbc4},
    {"kind: mesh, sizes: [3, 3]", "dor", 1, "4",
     "traffic: {pattern: nearest_neighbour, message_bytes: 64, compute_cycles: 7}\n", 0x07e2bba374c69974},
    {"kind: hypercube, n: 4", "detour", 2, "2", PLAIN "faults: [{at: 3, random_subcube: 2, half_of: 3}]\n",
     0x70fd6494644b5692},
    {"kind: hypercube, n: 3, local_ports: 3", "ecube", 1, "2",
     "traffic: {pattern: all_reduce_ring, message_bytes: 99}\n", 0x867ab78254dc58de},
    {"kind: ruft, k: 4, n: 2", "ruft", 1, "2",
     "traffic: {pattern: all_reduce_tree, message_bytes: 50, root: 3, compute_cycles: 9}\n", 0xa22e6763328449fd},
    {"kind: fat_tree, k: 2, n: 4", "reroute_det_switch", 3, "2",
     PLAIN MANY("random_switches", "switch: {level: 1, switch: 1}"), 0x8211c694680716e9},
    {"kind: torus, sizes: [4, 4]", "duato", 2, "2", PLAIN MANY("random_links", "link: {level: 0, switch: 4, port: 2}"),
     0xc57e258acda20753},
    {"kind: ft_ruft_222, k: 2, n: 3", "ruft", 1, "2",
     PLAIN MANY("random_terminal_links", "injection: {terminal: 3, link: 1}"), 0xdb5a8f5af3498654},
    {"kind: ruft_pl, k: 4, n: 2", "ruft, parallel_links: static", 1, "2", PLAIN, 0xa663c298921b9b2e},
    {"kind: ft_ruft_222, k: 2, n: 3", "ruft, parallel_links: static", 1, "2", PLAIN, 0xfa2b138a2c5f0d2f},
    {"kind: mesh, sizes: [4, 4]", "dor", 1, "4", "traffic: {pattern: trace, trace_file: tests/scenarios/mesh.trace}\n",
     0xe62cd76e23106018},
    {"kind: ruft_pl, k: 2, n: 4", "ruft", 1, "2",
     PLAIN "faults: [{at: 4, random_links: 3}, {at: 4, random_terminal_links: 2}]\n", 0xed66f4b6befa8379},
    {"kind: ft_ruft_212, k: 2, n: 4", "ruft", 1, "2",
     PLAIN "faults: [{at: 4, ejection: {terminal: 3, link: 1}}, {at: 8, random_switches: 2}]\n", 0x80a8d36040779026},
    {"kind: ft_ruft_212, k: 8, n: 2", "ruft", 1, "2", "traffic: {pattern: broadcast, message_bytes: 33, root: 9}\n",
     0x82d2bca256c28781},
    {"kind: ft_ruft_222, k: 4, n: 2", "ruft", 1, "{distribution: uniform, min: 1, max: 7}",
     "traffic: {pattern: uniform, load_flits_per_cycle: 1.4, process: poisson}\n", 0xda60cd70c1952322},
};

static void tables_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    struct ut_network n;
    uint64_t hash = 0;
    struct ut_scenario *s = test_scenario(
        "topology: {%s}\nswitch: {vcs: %u, depth_flits: 8, packet_flits: %s}\nrouting: {algorithm: %s}\n%s%s",
        recorded[i].topology, recorded[i].vcs, recorded[i].packet_flits, recorded[i].algorithm, recorded[i].more,
        strstr(recorded[i].more, "message") ? "" : RUN);
    test_network(&n, s);
    record_topology(&hash, &n.topology);
    record_family(&hash, s, &n);
    record_distances(&hash, &n.topology);
    for (unsigned j = 0; j < n.topology.elaborations; j++)
      record_rules(&hash, &n.shape[j]);
    record_faults(&hash, s, &n.topology);
    if (n.workload)
      record_tasks(&hash, s, &n.topology);
    else
      record_packets(&hash, s, &n.topology);
    record_collectives(&hash, recorded[i].topology, recorded[i].algorithm, recorded[i].vcs, &n.topology);
    if (n.form[0].tables)
      record_forwarding(&hash, &n);
    if (n.form[0].states)
      record_nodes(&hash, &n.topology);
    recorded_is(recorded[i].topology, hash, recorded[i].hash, &differences);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
