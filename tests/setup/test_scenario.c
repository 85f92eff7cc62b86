/* SPDX-License-Identifier: Apache-2.0 */
/* test_scenario.c - csim/setup/scenario: good files and defaults. */
#define _POSIX_C_SOURCE 200809L
#include "scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "algorithms.h"
#include "family.h"
#include "pattern.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "scenario_texts.h"
#include "topology_build.h"

static struct ut_scenario *parse(const char *text) {
  struct ut_error e = {.text = ""};
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "dir/x.yaml", &e);
  if (!s)
    fail_msg("not accepted:\n%s\n%s", text, e.text);
  return s;
}

/* Without `vcs` each virtual layer gets one. */
static void default_vcs(void **state) {
  (void)state;
  static const struct {
    const char *algorithm;
    unsigned vcs;
  } expected[] = {{"fta", 1},
                  {"destro", 1},
                  {"reroute_adaptive_link", 1},
                  {"reroute_det_link", 2},
                  {"reroute_det_switch", 3},
                  {"reroute_adaptive_switch", 1},
                  {"misroute_header", 1},
                  {"reroute_det_link_one_fault", 1},
                  {"reroute_adaptive_link_one_fault", 1},
                  {"reroute_det_switch_one_fault", 1},
                  {"reroute_adaptive_switch_one_fault", 1},
                  {"table_reroute_adaptive_link", 1}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "topology: {kind: fat_tree, k: 4, n: 3}\nrouting: {algorithm: %s}\n"
             "traffic: {load_flits_per_cycle: 0.3}\n",
             expected[i].algorithm);
    struct ut_scenario *s = parse(text);
    assert_int_equal(s->sw.vcs, expected[i].vcs);
    ut_scenario_free(s);
  }
}

static void defaults(void **state) {
  (void)state;
  struct ut_scenario *s = parse(BASE);
  assert_string_equal(s->path, "dir/x.yaml");
  assert_string_equal(s->name, "x");
  assert_ptr_equal(s->topology.family, &ut_family_fat_tree);
  assert_int_equal(s->topology.k, 4);
  assert_int_equal(s->topology.n, 3);
  assert_int_equal(s->topology.link_cycles, 1);
  assert_int_equal(s->sw.vcs, 1);
  assert_int_equal(s->sw.depth_flits, 4);
  assert_int_equal(s->sw.flit_bits, 64);
  assert_int_equal(s->sw.packet_flits, 2);
  assert_int_equal(s->sw.switching, UT_VCT);
  assert_int_equal(s->sw.route_cycles, 1);
  assert_int_equal(s->sw.alloc_cycles, 1);
  assert_int_equal(s->sw.crossbar, UT_XBAR_PORT);
  assert_string_equal(s->routing.algorithm, "fta");
  assert_int_equal(s->routing.reroute_timeout_cycles, 4096);
  assert_int_equal(s->routing.reroute_clear, UT_CLEAR_REPAIR);
  assert_ptr_equal(s->traffic.pattern, &ut_pattern_uniform);
  assert_true(s->traffic.load_flits_per_cycle == 0.3);
  assert_int_equal(s->traffic.process, UT_BERNOULLI);
  assert_true(s->traffic.hot_spot_fraction == 0.15);
  assert_int_equal(s->traffic.hot_spots.value[0], 0);
  assert_null(s->traffic.file);
  assert_int_equal(s->fault_count, 0);
  assert_int_equal(s->run.warmup_cycles, 1000);
  assert_int_equal(s->run.measure_cycles, 10000);
  assert_true(s->run.drain);
  assert_int_equal(s->run.drain_limit_cycles, 100000);
  assert_int_equal(s->run.watchdog_cycles, 1000);
  assert_int_equal(s->run.seed, 1);
  assert_int_equal(ut_scenario_terminals(s), 64);
  assert_int_equal(ut_scenario_switches(s), 48);
  ut_scenario_free(s);
}

static void every_key(void **state) {
  (void)state;
  struct ut_scenario *s = parse(
      "# a comment\n"
      "topology:\n"
      "  kind: fat_tree\n"
      "  k: 16\n"
      "  n: 4\n"
      "  link_cycles: 16\n"
      "switch: {vcs: 8, depth_flits: 3, flit_bits: 512, packet_flits: 1023, switching: wormhole, route_cycles: 0,\n"
      "         alloc_cycles: 2, crossbar: vc}\n"
      "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 0, reroute_clear: timer}\n"
      "traffic: {pattern: hot_spot, load_flits_per_cycle: 1, process: poisson, hot_spot_fraction: 2.5e-1,\n"
      "          hot_spot_node: 65535}\n"
      "faults: []\n"
      "run: {warmup_cycles: 0, measure_cycles: 1, drain: false, drain_limit_cycles: 0, watchdog_cycles: 0,\n"
      "      seed: 18446744073709551615}\n");
  assert_int_equal(s->topology.k, 16);
  assert_int_equal(s->topology.n, 4);
  assert_int_equal(s->topology.link_cycles, 16);
  assert_int_equal(s->sw.switching, UT_WORMHOLE);
  assert_int_equal(s->sw.crossbar, UT_XBAR_VC);
  assert_int_equal(s->routing.reroute_timeout_cycles, 0);
  assert_int_equal(s->routing.reroute_clear, UT_CLEAR_TIMER);
  assert_ptr_equal(s->traffic.pattern, &ut_pattern_hot_spot);
  assert_true(s->traffic.load_flits_per_cycle == 1);
  assert_int_equal(s->traffic.process, UT_POISSON);
  assert_true(s->traffic.hot_spot_fraction == 0.25);
  assert_int_equal(s->traffic.hot_spots.value[0], 65535);
  assert_int_equal(s->run.warmup_cycles, 0);
  assert_int_equal(s->run.measure_cycles, 1);
  assert_false(s->run.drain);
  assert_int_equal(s->run.drain_limit_cycles, 0);
  assert_int_equal(s->run.watchdog_cycles, 0);
  assert_true(s->run.seed == UINT64_MAX);
  assert_int_equal(ut_scenario_terminals(s), 65536);
  assert_int_equal(ut_scenario_switches(s), 4 * 4096);

  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shapes[UT_MAX_ELABORATIONS];
  struct ut_error e;
  assert_int_equal(ut_scenario_elaborations(s, elaboration, shapes, &e), 1);
  assert_int_equal(elaboration[0].first, 0);
  assert_int_equal(elaboration[0].count, 4 * 4096);
  const struct ut_shape shape = shapes[0];
  assert_int_equal(shape.pi, 32);
  assert_int_equal(shape.po, 32);
  assert_int_equal(shape.v, 8);
  assert_int_equal(shape.depth, 3);
  assert_int_equal(shape.w, 512);
  assert_int_equal(s->sw.packet_flits, 1023);
  assert_int_equal(shape.max_packet, 1); /* no wormhole switch knows how long packets are */
  assert_int_equal(shape.switching, UT_WORMHOLE);
  assert_int_equal(shape.route, UT_ROUTE_FATTREE);
  assert_int_equal(shape.algorithm, UT_FATTREE_REROUTE_ADAPTIVE_LINK);
  assert_int_equal(shape.route_cycles, 0);
  assert_int_equal(shape.alloc_cycles, 2);
  assert_int_equal(shape.xbar, UT_XBAR_VC);
  ut_scenario_free(s);
}

/* What `packet_flits` and the keys beside it become: distribution, shortest and longest packet. */
static void packet_lengths(void **state) {
  (void)state;
  static const struct {
    const char *sw, *algorithm;
    enum ut_distribution distribution;
    unsigned shortest, longest;
    double mean, long_fraction;
  } cases[] = {
      {"packet_flits: {distribution: exponential, mean: 20.5}, depth_flits: 64", "dor", UT_LENGTHS_EXPONENTIAL, 2, 64,
       20.5, 0},
      {"packet_flits: {distribution: exponential, mean: 20}, switching: wormhole", "dor", UT_LENGTHS_EXPONENTIAL, 2,
       1023, 20, 0},
      {"packet_flits: {distribution: exponential, mean: 9, min: 1, max: 30}, switching: wormhole", "dor",
       UT_LENGTHS_EXPONENTIAL, 1, 30, 9, 0},
      {"packet_flits: {distribution: exponential, mean: 5}, depth_flits: 8, vcs: 4",
       "duato, mechanisms: {intermediate: 2}", UT_LENGTHS_EXPONENTIAL, 2, 6, 5, 0},
      {"packet_flits: {distribution: uniform, min: 1, max: 39}, switching: wormhole", "dor", UT_LENGTHS_UNIFORM, 1, 39,
       0, 0},
      {"packet_flits: {distribution: bimodal, short: 2, long: 18, long_fraction: 0.25}, depth_flits: 18", "dor",
       UT_LENGTHS_BIMODAL, 2, 18, 0, 0.25},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "topology: {kind: mesh, k: 4, n: 2}\nswitch: {%s}\nrouting: {algorithm: %s}\n"
             "traffic: {load_flits_per_cycle: 0.1}\n",
             cases[i].sw, cases[i].algorithm);
    struct ut_scenario *s = parse(text);
    const struct ut_length_rule rule = ut_scenario_lengths(s);
    assert_int_equal(rule.kind, cases[i].distribution);
    assert_int_equal(rule.min, cases[i].shortest);
    assert_int_equal(rule.max, cases[i].longest);
    assert_true(rule.mean == cases[i].mean);
    assert_true(rule.long_fraction == cases[i].long_fraction);
    ut_scenario_free(s);
  }
  /* the bubble rule of tori hears of the shortest one */
  struct ut_scenario *s =
      parse("topology: {kind: torus, k: 4, n: 2}\n"
            "switch: {packet_flits: {distribution: exponential, mean: 6, min: 5}, depth_flits: 18}\n"
            "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n");
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_error e;
  assert_int_equal(ut_scenario_elaborations(s, elaboration, shape, &e), 1);
  assert_int_equal(shape[0].max_packet, 9);
  assert_int_equal(shape[0].min_packet, 5);
  ut_scenario_free(s);
}

static void fault_list(void **state) {
  (void)state;
  struct ut_scenario *s = parse(BASE "faults:\n"
                                     "  - {at: 5000, link: {level: 1, switch: 3, port: 2}, until: 9000}\n"
                                     "  - {at: 6000, random_links: 128}\n"
                                     "  - at: 0\n"
                                     "    switch: {level: 2, switch: 15}\n"
                                     "  - {at: 7, until: 8, random_switches: 32}\n"
                                     "  - {at: 1, link: {level: 0, switch: 0, port: 0}} # of a terminal\n");
  assert_int_equal(s->fault_count, 5);
  const struct ut_fault *f = s->faults;
  assert_int_equal(f[0].kind, UT_FAULT_LINK);
  assert_int_equal(f[0].at_cycle, 5000);
  assert_int_equal(f[0].until_cycle, 9000);
  assert_int_equal(f[0].level, 1);
  assert_int_equal(f[0].index, 3);
  assert_int_equal(f[0].port, 2);
  assert_int_equal(f[0].line, 5);
  assert_int_equal(f[1].kind, UT_FAULT_RANDOM_LINKS);
  assert_int_equal(f[1].count, 128);
  assert_true(f[1].until_cycle == UINT64_MAX);
  assert_int_equal(f[2].kind, UT_FAULT_SWITCH);
  assert_int_equal(f[2].at_cycle, 0);
  assert_int_equal(f[2].level, 2);
  assert_int_equal(f[2].index, 15);
  assert_int_equal(f[2].line, 7);
  assert_int_equal(f[3].kind, UT_FAULT_RANDOM_SWITCHES);
  assert_int_equal(f[3].count, 32);
  assert_int_equal(f[4].kind, UT_FAULT_LINK);
  assert_int_equal(f[4].line, 10);
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(f[i].direction, UT_DIRECTION_BOTH);
  ut_scenario_free(s);
}

/* Texts: as commands print faults, in all that YAML calls a text, and where two entries are one by an alias. */
static void fault_list_of_texts(void **state) {
  (void)state;
  struct ut_scenario *s = parse(BASE "faults:\n"
                                     "  - link 0.6-1.5  # \u00e4\n"
                                     "  - {at: 5, random_links: 1}\n"
                                     "  - \"switch\\x202.9 in cycles 5-99\"\n"
                                     "  - &twice link 0.3-terminal 12, from 0.3 only from cycle 7 on\n"
                                     "  - *twice\n"
                                     "  - >-\n"
                                     "     switch\n"
                                     "     1.2\n"
                                     "  - link 0.6-1.7\n");
  assert_int_equal(s->fault_count, 7);
  const struct ut_fault *f = s->faults;
  assert_true(f[0].kind == UT_FAULT_LINK && f[0].at_cycle == 0 && f[0].until_cycle == UINT64_MAX && f[0].times == 1);
  assert_true(f[0].level == 0 && f[0].index == 6 && f[0].port == 5 && f[0].direction == UT_DIRECTION_BOTH);
  assert_true(f[1].kind == UT_FAULT_RANDOM_LINKS && f[1].at_cycle == 5);
  assert_true(f[2].kind == UT_FAULT_SWITCH && f[2].level == 2 && f[2].index == 9);
  assert_true(f[2].at_cycle == 5 && f[2].until_cycle == 100);
  assert_true(f[3].kind == UT_FAULT_LINK && f[3].direction == UT_DIRECTION_OUT && f[3].at_cycle == 7);
  assert_memory_equal(&f[3], &f[4], sizeof f[3]);
  assert_true(f[5].kind == UT_FAULT_SWITCH && f[5].level == 1 && f[5].index == 2);
  assert_true(f[6].kind == UT_FAULT_LINK && f[6].port == 7);
  assert_int_equal(f[0].line, 5);
  ut_scenario_free(s);
}

static void fault_list_of_directions(void **state) {
  (void)state;
  struct ut_scenario *s = parse(BASE "faults:\n"
                                     "  - {at: 1, link: {level: 1, switch: 3, port: 2}, direction: out}\n"
                                     "  - {at: 1, direction: in, random_links: 128}\n"
                                     "  - {at: 1, link: {level: 1, switch: 3, port: 2}, direction: both}\n"
                                     "  - {at: 1, injection: {terminal: 63}}\n"
                                     "  - {at: 1, ejection: {terminal: 62, link: 0}}\n"
                                     "  - {at: 1, random_terminal_links: 64}\n");
  const struct ut_fault *f = s->faults;
  assert_int_equal(s->fault_count, 6);
  assert_int_equal(f[0].kind, UT_FAULT_LINK);
  assert_int_equal(f[0].direction, UT_DIRECTION_OUT);
  assert_int_equal(f[1].kind, UT_FAULT_RANDOM_LINKS);
  assert_int_equal(f[1].direction, UT_DIRECTION_IN);
  assert_int_equal(f[2].direction, UT_DIRECTION_BOTH);
  assert_int_equal(f[3].kind, UT_FAULT_INJECTION);
  assert_int_equal(f[3].terminal, 63);
  assert_int_equal(f[3].link, 0);
  assert_int_equal(f[4].kind, UT_FAULT_EJECTION);
  assert_int_equal(f[4].terminal, 62);
  assert_int_equal(f[5].kind, UT_FAULT_RANDOM_TERMINAL_LINKS);
  assert_int_equal(f[5].count, 64);
  ut_scenario_free(s);
  s = parse(RUFT "faults: [{at: 1, injection: {terminal: 7, link: 1}}, {at: 1, random_terminal_links: 32}]\n");
  assert_int_equal(s->faults[0].link, 1);
  ut_scenario_free(s);
}

/* Lengths of the links of terminals, and how links side by side are selected. */
static void links_of_several_kinds(void **state) {
  (void)state;
  struct ut_scenario *s = parse("topology: {kind: ft_ruft_222, k: 16, n: 2, link_cycles: 2, ejection_cycles: 32}\n"
                                "routing: {algorithm: ruft, parallel_links: static, manager_delay_cycles: 7}\n"
                                "traffic: {load_flits_per_cycle: 2}\n");
  assert_ptr_equal(s->topology.family, &ut_family_ft_ruft_222);
  assert_int_equal(s->topology.link_cycles, 2);
  assert_int_equal(s->topology.injection_cycles, 2);
  assert_int_equal(s->topology.ejection_cycles, 32);
  assert_int_equal(s->routing.parallel_links, UT_LINKS_STATIC);
  assert_int_equal(s->routing.manager_delay_cycles, 7);
  ut_scenario_free(s);
  s = parse(RUFT);
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_error e;
  assert_int_equal(s->routing.parallel_links, UT_LINKS_DYNAMIC);
  assert_int_equal(ut_scenario_elaborations(s, elaboration, shape, &e), 3);
  static const unsigned expected[3][4] = {{0, 4, 4, 2}, {4, 4, 2, 2}, {8, 4, 2, 4}};
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(elaboration[i].first, expected[i][0]);
    assert_int_equal(elaboration[i].count, expected[i][1]);
    assert_int_equal(shape[i].pi, expected[i][2]);
    assert_int_equal(shape[i].po, expected[i][3]);
    assert_int_equal(shape[i].radix, 2);
    assert_int_equal(shape[i].dual_homed, 1);
  }
  ut_scenario_free(s);
}

/* What is YAML, though nobody writes it: a byte order mark, aliases, Windows line ends. */
static void yaml_features(void **state) {
  (void)state;
  ut_scenario_free(parse("\xef\xbb\xbf" BASE));
  ut_scenario_free(parse("topology: {kind: fat_tree, k: 4, n: 3}\r\nrouting: {algorithm: \"fta\"}\r\n"
                         "traffic: {load_flits_per_cycle: .5}\r\n"));
  struct ut_scenario *s = parse(BASE "faults: [&f {at: 3, random_links: 1}, *f]\n");
  assert_int_equal(s->fault_count, 2);
  assert_int_equal(s->faults[1].at_cycle, 3);
  ut_scenario_free(s);
}

/* ---- files ---- */

struct folder {
  char path[64], scenario[96], map[96];
};

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static struct folder make_folder(void) {
  struct folder f;
  strcpy(f.path, "/tmp/test_scenario.XXXXXX");
  assert_non_null(mkdtemp(f.path));
  snprintf(f.scenario, sizeof f.scenario, "%s/a.b.yaml", f.path);
  snprintf(f.map, sizeof f.map, "%s/map.txt", f.path);
  return f;
}

static void remove_folder(const struct folder *f) {
  unlink(f->scenario);
  unlink(f->map);
  rmdir(f->path);
}

/* Without the folder, and without the end of the name only where it is one that says YAML. */
static void names(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"x.yaml", "x"},
                                         {"dir/x.yml", "x"},
                                         {"a/b.c/x.y.yml", "x.y"},
                                         {"d.yaml/x", "x"},
                                         {"x.yaml.txt", "x.yaml.txt"},
                                         {".yaml", ".yaml"},
                                         {"dir/.yml", ".yml"},
                                         {"yaml", "yaml"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct ut_error e;
    struct ut_scenario *s = ut_scenario_parse(BASE, strlen(BASE), cases[i][0], &e);
    assert_non_null(s);
    assert_string_equal(s->path, cases[i][0]);
    assert_string_equal(s->name, cases[i][1]);
    ut_scenario_free(s);
  }
}

static void file_names(void **state) {
  (void)state;
  struct folder f = make_folder();
  write_file(f.map, "1\n");
  write_file(f.scenario,
             NETWORK "traffic: {pattern: permutation, permutation_file: map.txt, load_flits_per_cycle: 0}\n");
  struct ut_error e = {.text = ""};
  struct ut_scenario *s = ut_scenario_load(f.scenario, &e);
  assert_string_equal(e.text, "");
  assert_string_equal(s->name, "a.b");
  assert_string_equal(s->traffic.file, f.map);
  ut_scenario_free(s);
  remove_folder(&f);
}

static void unreadable(const char *path, const char *message) {
  struct ut_error e = {.text = ""};
  char expected[256];
  assert_null(ut_scenario_load(path, &e));
  assert_int_equal(e.code, UT_BAD_INPUT);
  snprintf(expected, sizeof expected, "%s: %s", path, message);
  assert_string_equal(e.text, expected);
}

static void rejects_files(void **state) {
  (void)state;
  struct folder f = make_folder();
  unreadable(f.scenario, "cannot open the scenario file: No such file or directory");
  unreadable(f.path, "this is a folder, expected a scenario file");
  remove_folder(&f);
}

/* A scenario made by a program meets the rules of the shape too. */
static void shape_of_a_struct(void **state) {
  (void)state;
  struct ut_scenario *s = parse(BASE);
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_error e = {.text = ""};
  s->sw.packet_flits = 5;
  assert_int_equal(ut_scenario_elaborations(s, elaboration, shape, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_string_equal(e.text,
                      "dir/x.yaml: 'switch.depth_flits' is 4, less than the 5 of 'switch.packet_flits'\n" VCT_HINT);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(default_vcs),
      cmocka_unit_test(every_key),
      cmocka_unit_test(packet_lengths),
      cmocka_unit_test(fault_list),
      cmocka_unit_test(fault_list_of_directions),
      cmocka_unit_test(fault_list_of_texts),
      cmocka_unit_test(links_of_several_kinds),
      cmocka_unit_test(yaml_features),
      cmocka_unit_test(names),
      cmocka_unit_test(file_names),
      cmocka_unit_test(rejects_files),
      cmocka_unit_test(shape_of_a_struct),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
