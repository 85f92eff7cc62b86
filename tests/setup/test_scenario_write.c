/* SPDX-License-Identifier: Apache-2.0 */
/* test_scenario_write.c - a scenario that is written and read again is the same: every key that a scenario file of the
 * tree says, and every key that there is. */
#define _GNU_SOURCE
#include <ftw.h>
#include <inttypes.h>
#include <string.h>

#include "family.h"
#include "fault_entry.h"
#include "memory_text.h"
#include "scenario.h"
#include "scenario_document.h"
#include "scenario_read.h"
#include "scenario_schema.h"
#include "scenario_values.h"
#include "scenario_write.h"
#include "scenarios.h"

static bool written[256]; /* by the number of a key: some text has it */

/* Which keys the text has. */
static void note_keys(const char *text, size_t length) {
  struct ut_document d;
  struct ut_error e;
  assert_true(ut_key_count <= sizeof written / sizeof *written);
  assert_int_equal(ut_document_load(&d, text, length, "written", &e), 0);
  for (size_t i = 0; i < ut_key_count; i++) {
    const char *path = ut_keys[i].path;
    char entry[80];
    written[i] |= ut_document_find(&d, NULL, path) != NULL;
    for (unsigned n = 0; strncmp(path, "faults.", 7) == 0 && n < 16; n++) {
      snprintf(entry, sizeof entry, "faults[%u]%s", n, path + strlen("faults"));
      written[i] |= ut_document_find(&d, NULL, entry) != NULL;
    }
  }
  ut_document_free(&d);
}

static void same_number(const char *path, const char *key, double read, double first) {
  if (!(read >= first && read <= first))
    fail_msg("%s: '%s' is %.17g, read again %.17g", path, key, first, read);
}

static void same_fault(const char *path, const struct ut_fault *read, const struct ut_fault *first) {
#define SAME(member) same_number(path, "faults: " #member, (double)read->member, (double)first->member)
  SAME(kind), SAME(at_cycle), SAME(until_cycle), SAME(every_cycles), SAME(times), SAME(level), SAME(index), SAME(port);
  SAME(direction), SAME(terminal), SAME(link), SAME(count), SAME(apart), SAME(half_of); /* line: every file's own */
#undef SAME
}

static void same_text(const char *path, const char *key, const char *read, const char *first) {
  if ((read == NULL) != (first == NULL) || (read && strcmp(read, first)))
    fail_msg("%s: '%s' is %s, read again %s", path, key, first ? first : "not there", read ? read : "not there");
}

static void same_list(const char *path, const char *key, const struct ut_list *read, const struct ut_list *first) {
  same_number(path, key, read->count, first->count);
  for (unsigned i = 0; i < first->count; i++)
    same_number(path, key, read->value[i], first->value[i]);
}

static void same(const char *path, const struct ut_scenario *read, const struct ut_scenario *first) {
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->size && ut_schema_type(key->path) == UT_VALUE_REAL)
      same_number(path, key->path, ut_value_real(read, key), ut_value_real(first, key));
    else if (key->size && ut_value_whole(read, key) != ut_value_whole(first, key))
      fail_msg("%s: '%s' is %" PRIu64 ", read again %" PRIu64, path, key->path, ut_value_whole(first, key),
               ut_value_whole(read, key));
  same_text(path, "topology.kind", read->topology.family->kind, first->topology.family->kind);
  same_text(path, "routing.algorithm", read->routing.algorithm, first->routing.algorithm);
  same_text(path, "the file of its traffic", read->traffic.file, first->traffic.file);
  same_text(path, "topology.file", read->topology.file, first->topology.file);
  same_list(path, "topology.down", &read->topology.down, &first->topology.down);
  same_list(path, "topology.up", &read->topology.up, &first->topology.up);
  same_list(path, "topology.cables", &read->topology.cables, &first->topology.cables);
  same_number(path, "routing.roots", read->routing.planning.roots, first->routing.planning.roots);
  for (uint32_t i = 0; i < first->routing.planning.roots; i++)
    same_text(path, "routing.roots", read->routing.planning.root[i], first->routing.planning.root[i]);
  same_number(path, "topology.sizes", read->topology.sizes, first->topology.sizes);
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++)
    same_number(path, "topology.sizes", read->topology.size[i], first->topology.size[i]);
  same_number(path, "switch.packet_flits", read->sw.packet_flits, first->sw.packet_flits);
  same_number(path, "switch.shortest_packet_flits", read->sw.shortest_packet_flits, first->sw.shortest_packet_flits);
  same_number(path, "switch.packet_flits.distribution", read->sw.distribution, first->sw.distribution);
  same_number(path, "switch.packet_flits.mean", read->sw.mean_flits, first->sw.mean_flits);
  same_number(path, "switch.packet_flits.long_fraction", read->sw.long_fraction, first->sw.long_fraction);
  same_number(path, "number of faults", (double)read->fault_count, (double)first->fault_count);
  for (size_t i = 0; i < first->fault_count; i++)
    same_fault(path, &read->faults[i], &first->faults[i]);
}

static void round_trip_by(const struct ut_scenario *first, void write(FILE *, const struct ut_scenario *)) {
  struct ut_error e;
  char *text = NULL;
  size_t length = 0;
  FILE *f = ut_memory_open(&text, &length);
  assert_non_null(f);
  write(f, first);
  assert_int_equal(ut_memory_close(f, &text), 0);
  struct ut_scenario *read = ut_scenario_parse(text, length, first->path, &e);
  if (!read)
    fail_msg("%s is not read again:\n%s\n%s", first->path, e.text, text);
  if (write == ut_scenario_write)
    note_keys(text, length);
  same(first->path, read, first);
  ut_scenario_free(read);
  free(text);
}

static void round_trip(const struct ut_scenario *first) {
  round_trip_by(first, ut_scenario_write);
  round_trip_by(first, ut_scenario_write_short);
}

static unsigned scenarios; /* of the tree */

static int one_file(const char *path, const struct stat *st, int kind, struct FTW *where) {
  (void)st, (void)where;
  struct ut_error e;
  const char *dot = strrchr(path, '.');
  if (kind != FTW_F || !dot || strcmp(dot, ".yaml"))
    return 0;
  struct ut_scenario *s = ut_scenario_load(path, &e); /* others are sweeps */
  if (!s)
    return 0;
  round_trip(s);
  ut_scenario_free(s);
  scenarios++;
  return 0;
}

static void files_of_the_tree(void **state) {
  (void)state;
  assert_int_equal(nftw("scenarios", one_file, 8, FTW_PHYS), 0);
  assert_int_equal(nftw("experiments", one_file, 8, FTW_PHYS), 0);
  if (scenarios < 100)
    fail_msg("%u files were scenarios, at least 100 are", scenarios);
}

#define LOAD "traffic: {load_flits_per_cycle: 0.1}\n"

/* What no file of the tree says, each value another than the default. */
static const struct {
  const char *topology, *sw, *routing, *rest;
} others[] = {
    {"kind: mesh, k: 4, n: 2, local_ports: 2, terminal_links: 2, link_cycles: 2, injection_cycles: 3, ejection_cycles: "
     "4",
     "vcs: 3, depth_flits: 5, flit_bits: 128, packet_flits: {distribution: uniform, min: 2, max: 5}, route_cycles: 2, "
     "alloc_cycles: 2, xbar_cycles: 1, crossbar: vc, local_first: true",
     "algorithm: duato",
     "traffic: {pattern: hot_spot, load_flits_per_cycle: 0.123456789, hot_spot_fraction: 0.3, hot_spot_node: 3, "
     "process: poisson}\n"
     "run: {warmup: until_stable, warmup_cycles: 7, measure_cycles: 8, precision: 0.07, max_cycles: 99, drain: false, "
     "drain_limit_cycles: 9, watchdog_cycles: 10, "
     "seed: 18446744073709551615}\n"},
    {"kind: mesh, k: 4, n: 2", "vcs: 2, depth_flits: 5", "algorithm: dor",
     "traffic: {load_flits_per_cycle: 0.1, resend_after_cycles: 7, resend_stop_cycles: 8}\n"},
    {"kind: mesh, k: 4, n: 2", "vcs: 4, vin1_vcs: 2, depth_flits: 5, switching: wormhole", "algorithm: detour", LOAD},
    {"kind: fat_tree, k: 4, n: 2", "depth_flits: 5", "algorithm: fta, exclusion_intervals: 3, tables: static", LOAD},
    {"kind: torus, sizes: [4, 3]", "depth_flits: 20, packet_flits: 9, shortest_packet_flits: 6", "algorithm: dor",
     LOAD},
    {"kind: mesh, k: 4, n: 2",
     "depth_flits: 40, packet_flits: {distribution: exponential, mean: 9.3, min: 3, max: 30}, switching: wormhole",
     "algorithm: dor", LOAD},
    {"kind: mesh, k: 4, n: 2",
     "depth_flits: 20, packet_flits: {distribution: bimodal, short: 2, long: 18, long_fraction: 0.7}", "algorithm: dor",
     LOAD},
    {"kind: torus, k: 4, n: 2", "depth_flits: 12",
     "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}", LOAD},
    {"kind: torus, k: 4, n: 2", "depth_flits: 12", "algorithm: duato, mechanisms: {misroute: true}", LOAD},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2",
     "algorithm: reroute_adaptive_link, reroute_timeout_cycles: 9, reroute_clear: timer",
     "traffic: {pattern: all_reduce_tree, message_bytes: 1000, root: 3, compute_cycles: 4, repeat: 2, "
     "resend_after_cycles: 5000, resend_limit: 3, resend_cause: notice}\n"
     "faults:\n  - {at: 5, until: 6, link: {level: 1, switch: 2, port: 1}, direction: out}\n"
     "  - {at: 7, switch: {level: 1, switch: 2}}\n  - {at: 7, injection: {terminal: 2}}\n"
     "  - {at: 8, until: 9, every: 10, times: 3, random_links: 2}\n  - {at: 8, ejection: {terminal: 5}}\n"
     "  - {at: 9, random_switches: 1}\n  - {at: 9, random_terminal_links: 2}\n"},
    {"kind: hypercube, n: 5", "vcs: 2, switching: wormhole",
     "algorithm: detour, purge_timeout_cycles: 77, beyond_fault_model: true",
     LOAD "faults:\n  - {at: 5, random_subcube: 2, half_of: 1}\n"},
    {"kind: mesh, k: 8, n: 2", "vcs: 4, switching: wormhole", "algorithm: detour",
     LOAD "faults:\n  - {at: 5, random_switches: 2, apart: 3}\n"},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: table, manager_delay_cycles: 5, manager_switch_cycles: 6",
     LOAD},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: table, tables: static", LOAD},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: table, reconfiguration: static, drain_timeout_cycles: 9",
     LOAD},
    {"kind: torus, k: 8, n: 2", "vcs: 1", "algorithm: dor, plane_bypass: true", LOAD},
    {"kind: ruft_pl, k: 4, n: 2", "vcs: 1", "algorithm: ruft, parallel_links: static", LOAD},
    {"kind: dragonfly, groups: 3, routers: 2, global_links: 2, global_arrangement: absolute, global_cycles: 9",
     "vcs: 1", "algorithm: forwarding, planner: hops, too_few_vcs: share", LOAD},
    {"kind: xgft, down: [2, 3], up: [1, 2], cables: [1, 2]", "vcs: 1", "algorithm: table, roots: [s1.0, s1.1]",
     LOAD "faults:\n  - {at: 5, link: {switch: s0.1, port: 3}}\n  - {at: 6, switch: {switch: s1.0}}\n"},
    {"kind: slim_fly, q: 4", "vcs: 1", "algorithm: table", LOAD},
};

/* With what is in the files of the tree, some text has each key that there is. */
static void every_key(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    struct ut_scenario *s = test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\n%s", others[i].topology,
                                          others[i].sw, others[i].routing, others[i].rest);
    round_trip(s);
    ut_scenario_free(s);
  }
  for (size_t i = 0; i < ut_key_count; i++)
    if (!written[i])
      fail_msg("no scenario of this test has the key '%s', or the writer loses it: give it in one of others[]",
               ut_keys[i].path);
}

/* Sizes that somebody has changed are said as they are. */
static void changed_sizes(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario(
      "topology: {kind: torus, k: 4, n: 2}\nrouting: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n");
  s->topology.size[1] = 3;
  s->topology.k = s->topology.n = 0; /* as of a scenario that says sizes */
  round_trip(s);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_of_the_tree), cmocka_unit_test(every_key),
                                     cmocka_unit_test(changed_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
