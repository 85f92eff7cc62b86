/* test_every_refusal.c - what is refused, and in which words, and what just is not: sizes of every family around their
 * limits, components that fail where there are such and where there are none, traffic; as it was recorded. */
#include "family.h"
#include "faults.h"
#include "recorded.h"
#include "scenarios.h"
#include "traffic.h"
#include "workload.h"

static void record_text(uint64_t *hash, const char *text) {
  for (; *text; text++)
    record(hash, (unsigned char)*text);
}

enum { MOST_SWITCHES = 40 }; /* of networks that are made to see whether their faults and their traffic are */

/* What the scenario is refused with, or what is: whoever is asked first says it. */
static void attempt(uint64_t *hash, const char *text) {
  struct ut_error e = {.text = ""};
  struct ut_sizes z = {0};
  struct ut_topology t;
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "x.yaml", &e);
  record_text(hash, s ? "accepted" : e.text);
  if (!s)
    return;
  s->topology.family->sizes(s, &z);
  record(hash, z.switches), record(hash, z.terminals);
  if (z.switches <= MOST_SWITCHES && !ut_topology_init(&t, s, &e)) {
    struct ut_faults faults;
    struct ut_traffic traffic;
    struct ut_workload workload;
    const bool tasks = strstr(text, "message_bytes");
    if (ut_faults_init(&faults, s, &t, &e))
      record_text(hash, e.text);
    else
      ut_faults_free(&faults);
    if (tasks ? ut_workload_of(&workload, s, &t, &e) : ut_traffic_init(&traffic, s, t.terminals, &e))
      record_text(hash, e.text);
    else if (tasks)
      ut_workload_free(&workload);
    else
      ut_traffic_free(&traffic);
    ut_topology_free(&t);
  }
  ut_scenario_free(s);
}

static void __attribute__((format(printf, 5, 6)))
attempt_of(uint64_t *hash, const char *algorithm, unsigned vcs, const char *more, const char *topology, ...) {
  char network[256], text[1024];
  va_list args;
  va_start(args, topology);
  assert_in_range(vsnprintf(network, sizeof network, topology, args), 1, sizeof network - 1);
  va_end(args);
  assert_in_range(snprintf(text, sizeof text,
                           "topology: {%s}\nrouting: {algorithm: %s}\n"
                           "switch: {vcs: %u, depth_flits: 8, packet_flits: 4}\n%s\n",
                           network, algorithm, vcs, more),
                  1, sizeof text - 1);
  attempt(hash, text);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define LOAD "traffic: {load_flits_per_cycle: 0.1}"

static const unsigned limits[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 30, 31, 32, 33, 64, 256, 257};

static void record_levels(uint64_t *hash, const char *kind, const char *algorithm) {
  for (unsigned i = 0; i < COUNT(limits); i++)
    for (unsigned j = 0; j < COUNT(limits); j++)
      attempt_of(hash, algorithm, 1, LOAD, "kind: %s, k: %u, n: %u", kind, limits[i], limits[j]);
}

static void record_grids(uint64_t *hash, const char *kind, const char *algorithm, unsigned vcs) {
  static const char *const sizes[] = {
      "[1]",           "[2]", "[3, 1]",     "[256]",         "[257]",  "[2, 2, 2, 2]", "[2, 2, 2, 2, 2]", "[256, 256]",
      "[256, 256, 2]", "[]",  "[255, 257]", "[128, 256, 2]", "[3, 2]", "[5, 0]",       "[16, 16, 16, 16]"};
  for (unsigned i = 0; i < COUNT(sizes); i++)
    for (unsigned j = 0; j < COUNT(limits); j++) {
      attempt_of(hash, algorithm, vcs, LOAD, "kind: %s, sizes: %s, local_ports: %u", kind, sizes[i], limits[j]);
      attempt_of(hash, algorithm, vcs, LOAD, "kind: %s, sizes: %s, terminal_links: %u", kind, sizes[i], limits[j]);
    }
  for (unsigned i = 0; i < COUNT(limits); i++)
    for (unsigned j = 0; j < COUNT(limits); j++)
      attempt_of(hash, algorithm, vcs, LOAD, "kind: %s, k: %u, n: %u", kind, limits[i], limits[j]);
}

static void record_cubes(uint64_t *hash) {
  for (unsigned i = 0; i < COUNT(limits); i++)
    for (unsigned j = 0; j < COUNT(limits); j++)
      attempt_of(hash, "ecube", 1, LOAD, "kind: hypercube, n: %u, local_ports: %u", limits[i], limits[j]);
}

/* Components that fail, in a small network of each kind. */
static void record_components(uint64_t *hash, const char *topology, const char *algorithm, unsigned vcs) {
  static const char *const fault[] = {"link: {level: %u, switch: %u, port: %u}",
                                      "link: {level: %u, switch: %u, port: %u}, direction: out",
                                      "link: {level: %u, switch: %u, port: %u}, direction: in",
                                      "switch: {level: %u, switch: %u}",
                                      "injection: {terminal: %u, link: %u}",
                                      "ejection: {terminal: %u, link: %u}",
                                      "random_links: %u, until: %u",
                                      "random_switches: %u, apart: %u",
                                      "random_terminal_links: %u, until: %u",
                                      "random_subcube: %u, half_of: %u"};
  for (unsigned i = 0; i < COUNT(fault); i++)
    for (unsigned a = 0; a < 10; a++)
      for (unsigned b = 0; b < 9; b++)
        for (unsigned c = 0; c < (i < 3 && a < 4 ? 7u : 1u); c++) {
          char one[160], more[256];
          snprintf(one, sizeof one, fault[i], a, b, c);
          snprintf(more, sizeof more, LOAD "\nfaults: [{at: 6, %s}]", one);
          attempt_of(hash, algorithm, vcs, more, "%s", topology);
        }
}

static void record_traffic(uint64_t *hash, const char *topology, const char *algorithm, unsigned vcs) {
  static const char *const traffic[] = {
      "load_flits_per_cycle: %u",
      "load_flits_per_cycle: 0.1, pattern: shuffle, seed: %u",
      "load_flits_per_cycle: 0.1, pattern: complement",
      "load_flits_per_cycle: 0.1, pattern: transpose",
      "load_flits_per_cycle: 0.1, pattern: permutation",
      "pattern: trace",
      "load_flits_per_cycle: 0.1, pattern: hot_spot, hot_spot_fraction: 0.2, hot_spot_node: %u",
      "load_flits_per_cycle: 0.1, pattern: hot_spot, hot_spot_fraction: %u, hot_spot_node: 1",
      "pattern: broadcast, message_bytes: 9, root: %u",
      "pattern: all_reduce_tree, message_bytes: 9, root: %u",
      "pattern: all_to_all, message_bytes: 9, repeat: %u",
      "pattern: nearest_neighbour, message_bytes: %u, compute_cycles: 3"};
  for (unsigned i = 0; i < COUNT(traffic); i++)
    for (unsigned j = 0; j < COUNT(limits); j++) {
      char one[160], more[256];
      snprintf(one, sizeof one, traffic[i], limits[j]);
      snprintf(more, sizeof more, "traffic: {%s}", one);
      attempt_of(hash, algorithm, vcs, more, "%s", topology);
    }
}

static void record_network(uint64_t *hash, const char *topology, const char *algorithm, unsigned vcs) {
  record_components(hash, topology, algorithm, vcs);
  record_traffic(hash, topology, algorithm, vcs);
}

static const struct {
  const char *what, *algorithm;
  unsigned vcs;
  char how; /* l: levels of that kind; g: grids; c: cubes; n: one network, its faults and its traffic */
  uint64_t hash;
} recorded[] = {
    {"fat_tree", "reroute_adaptive_link", 1, 'l', 0x5a1e965ece1240e3},
    {"ruft", "ruft", 1, 'l', 0xaadabd7815c4bb03},
    {"ruft_pl", "ruft", 1, 'l', 0xf7f0c57833056a5b},
    {"ft_ruft_212", "ruft", 1, 'l', 0x23e4c9ce62b3629d},
    {"ft_ruft_222", "ruft", 1, 'l', 0x714747284ca5efcc},
    {"torus", "duato", 2, 'g', 0xa10df747c0116d8c},
    {"mesh", "dor", 1, 'g', 0x3015a008a678bf62},
    {"mesh", "detour", 2, 'g', 0x3015a008a678bf62},
    {"hypercube", "ecube", 1, 'c', 0xa9b4a73078e0c2f6},
    {"kind: fat_tree, k: 2, n: 3", "fta", 1, 'n', 0x07793179eb25ef20},
    {"kind: torus, sizes: [4, 3]", "duato", 2, 'n', 0xb70f645aad8a3d0d},
    {"kind: mesh, sizes: [3, 4], local_ports: 2", "dor", 1, 'n', 0x0d4cff3737195d08},
    {"kind: hypercube, n: 3", "detour", 2, 'n', 0xf1d679fc28fe4bc6},
    {"kind: ft_ruft_222, k: 2, n: 2", "ruft", 1, 'n', 0x9e2e646f95c5b5be},
};

static void refusals_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < COUNT(recorded); i++) {
    uint64_t hash = 0;
    switch (recorded[i].how) {
    case 'l': record_levels(&hash, recorded[i].what, recorded[i].algorithm); break;
    case 'g': record_grids(&hash, recorded[i].what, recorded[i].algorithm, recorded[i].vcs); break;
    case 'c': record_cubes(&hash); break;
    default: record_network(&hash, recorded[i].what, recorded[i].algorithm, recorded[i].vcs);
    }
    recorded_is(recorded[i].what, hash, recorded[i].hash, &differences);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refusals_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
