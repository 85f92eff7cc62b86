/* SPDX-License-Identifier: Apache-2.0 */
/* test_scenario_errors.c - csim/setup/scenario: the whole text of every kind of error. */
#include "scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms.h"
#include "scenario_read.h"
#include "scenario_texts.h"

struct rejected {
  const char *text, *message;
};

static void reject_all(const struct rejected *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct ut_error e = {.text = ""};
    struct ut_scenario *s = ut_scenario_parse(cases[i].text, strlen(cases[i].text), "dir/x.yaml", &e);
    if (s)
      fail_msg("accepted:\n%s", cases[i].text);
    assert_string_equal(e.text, cases[i].message);
    assert_int_equal(e.code, UT_BAD_INPUT);
  }
}

static void rejects_syntax(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {"", "dir/x.yaml:1:1: the scenario is empty\n"
           "expected the sections 'topology', 'routing' and 'traffic' at least"},
      {"# nothing but a comment\n", "dir/x.yaml:1:1: the scenario is empty\n"
                                    "  1 | # nothing but a comment\n"
                                    "    | ^\n"
                                    "expected the sections 'topology', 'routing' and 'traffic' at least"},
      {"hello\n", "dir/x.yaml:1:1: a scenario consists of sections, found 'hello'\n"
                  "  1 | hello\n"
                  "    | ^^^^^\n"
                  "expected the sections 'topology', 'routing' and 'traffic' at least"},
      {"- topology\n", "dir/x.yaml:1:1: a scenario consists of sections, found a list\n"
                       "  1 | - topology\n"
                       "    | ^\n"
                       "expected the sections 'topology', 'routing' and 'traffic' at least"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.3\n",
       "dir/x.yaml:3:10: not valid YAML: the file ends while parsing a flow mapping that starts here\n"
       "  3 | traffic: {load_flits_per_cycle: 0.3\n"
       "    |          ^"},
      {NETWORK "traffic: {pattern: \"uniform\n",
       "dir/x.yaml:3:20: not valid YAML: the file ends while scanning a quoted scalar that starts here\n"
       "  3 | traffic: {pattern: \"uniform\n"
       "    |                    ^"},
      {BASE "switch:\n"
            "\tvcs: 2\n",
       "dir/x.yaml:5:1: not valid YAML: found character that cannot start any token\n"
       "  5 | \tvcs: 2\n"
       "    | ^\n"
       "YAML is indented with spaces, not with tabs"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}}\n",
       "dir/x.yaml:2:26: not valid YAML: did not find expected key, while parsing a block mapping that starts in line "
       "1\n"
       "  2 | routing: {algorithm: fta}}\n"
       "    |                          ^"},
      {BASE "switch: *nowhere\n", "dir/x.yaml:4:9: not valid YAML: found undefined alias\n"
                                  "  4 | switch: *nowhere\n"
                                  "    |         ^"},
      {"k: \001\n", "dir/x.yaml:1:4: not a text file: control characters are not allowed\n"
                    "a scenario is YAML, a text file in UTF-8"},
      {"topology:\n"
       "  kind: \377\n",
       "dir/x.yaml:2:9: not a text file: invalid leading UTF-8 octet\n"
       "a scenario is YAML, a text file in UTF-8"},
      {BASE "---\n" BASE, "dir/x.yaml:5:1: a second YAML document; a scenario is one\n"
                          "  5 | topology: {kind: fat_tree, k: 4, n: 3}\n"
                          "    | ^\n"
                          "remove the line '---' and what follows, or make two files of it"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_keys(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {NETWORK "traffic:\n"
               "  pattern: uniform\n"
               "  loda_flits_per_cycle: 0.3\n",
       "dir/x.yaml:5:3: unknown key 'loda_flits_per_cycle' in 'traffic'\n"
       "  5 |   loda_flits_per_cycle: 0.3\n"
       "    |   ^^^^^^^^^^^^^^^^^^^^\n"
       "did you mean 'load_flits_per_cycle'?"},
      {BASE "trafic: {}\n", "dir/x.yaml:4:1: unknown key 'trafic'\n"
                            "  4 | trafic: {}\n"
                            "    | ^^^^^^\n"
                            "did you mean 'traffic'?"},
      {BASE "vcs: 3\n", "dir/x.yaml:4:1: unknown key 'vcs'\n"
                        "  4 | vcs: 3\n"
                        "    | ^^^\n"
                        "the key 'vcs' belongs to 'switch'"},
      {BASE "run: {colour: red}\n",
       "dir/x.yaml:4:7: unknown key 'colour' in 'run'\n"
       "  4 | run: {colour: red}\n"
       "    |       ^^^^^^\n"
       "expected one of: warmup, warmup_cycles, measure_cycles, precision, max_cycles, drain, drain_limit_cycles, "
       "watchdog_cycles, seed"},
      {BASE "switch: {seed: 1}\n", "dir/x.yaml:4:10: unknown key 'seed' in 'switch'\n"
                                   "  4 | switch: {seed: 1}\n"
                                   "    |          ^^^^\n"
                                   "the key 'seed' belongs to 'run'"},
      {BASE "faults: [{at: 1, link: {level: 1, swich: 3, port: 2}}]\n",
       "dir/x.yaml:4:35: unknown key 'swich' in 'faults[0].link'\n"
       "  4 | faults: [{at: 1, link: {level: 1, swich: 3, port: 2}}]\n"
       "    |                                   ^^^^^\n"
       "did you mean 'switch'?"},
      {BASE "run: {? [a] : 1}\n", "dir/x.yaml:4:9: 'run': expected the name of a key, found a list\n"
                                  "  4 | run: {? [a] : 1}\n"
                                  "    |         ^^^"},
      {BASE "run: {seed: 1, seed: 2}\n", "dir/x.yaml:4:16: duplicate key 'seed', already in line 4\n"
                                         "  4 | run: {seed: 1, seed: 2}\n"
                                         "    |                ^^^^"},
      {BASE "routing: {algorithm: destro}\n", "dir/x.yaml:4:1: duplicate key 'routing', already in line 2\n"
                                              "  4 | routing: {algorithm: destro}\n"
                                              "    | ^^^^^^^"},
      {"topology: {kind: fat_tree, k: 4}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:11: missing key 'n' in 'topology'\n"
       "  1 | topology: {kind: fat_tree, k: 4}\n"
       "    |           ^^^^^^^^^^^^^^^^^^^^^^"},
      {"topology: {kind: fat_tree, n: 4}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:11: missing key 'k' in 'topology'\n"
       "  1 | topology: {kind: fat_tree, n: 4}\n"
       "    |           ^^^^^^^^^^^^^^^^^^^^^^"},
      {"topology: {k: 4, n: 4}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:11: missing key 'kind' in 'topology'\n"
       "  1 | topology: {k: 4, n: 4}\n"
       "    |           ^^^^^^^^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {reroute_clear: timer}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:2:10: missing key 'algorithm' in 'routing'\n"
       "  2 | routing: {reroute_clear: timer}\n"
       "    |          ^^^^^^^^^^^^^^^^^^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n", "dir/x.yaml:1:1: missing section 'routing'\n"
                                                   "  1 | topology: {kind: fat_tree, k: 4, n: 3}\n"
                                                   "    | ^"},
      {"routing: {algorithm: fta}\n", "dir/x.yaml:1:1: missing section 'topology'\n"
                                      "  1 | routing: {algorithm: fta}\n"
                                      "    | ^"},
      {NETWORK, "dir/x.yaml:1:1: missing section 'traffic'\n"
                "  1 | topology: {kind: fat_tree, k: 4, n: 3}\n"
                "    | ^"},
      {NETWORK "traffic: {pattern: uniform}\n", "dir/x.yaml:3:10: missing key 'load_flits_per_cycle' in 'traffic'\n"
                                                "  3 | traffic: {pattern: uniform}\n"
                                                "    |          ^^^^^^^^^^^^^^^^^^\n"
                                                "add it, as in load_flits_per_cycle: 0.3"},
      {BASE "faults: [{at: 1, link: {level: 1, switch: 3}}]\n",
       "dir/x.yaml:4:24: missing key 'port' in 'faults[0].link'\n"
       "  4 | faults: [{at: 1, link: {level: 1, switch: 3}}]\n"
       "    |                        ^^^^^^^^^^^^^^^^^^^^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_types(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {BASE "switch: {vcs: two}\n", "dir/x.yaml:4:15: 'switch.vcs': expected a whole number, found 'two'\n"
                                    "  4 | switch: {vcs: two}\n"
                                    "    |               ^^^\n"
                                    "write decimal digits only, as in 5000"},
      {BASE "switch: {vcs: 2.5}\n", "dir/x.yaml:4:15: 'switch.vcs': expected a whole number, found '2.5'\n"
                                    "  4 | switch: {vcs: 2.5}\n"
                                    "    |               ^^^\n"
                                    "write decimal digits only, as in 5000"},
      {BASE "switch: {vcs: \"2\"}\n", "dir/x.yaml:4:15: 'switch.vcs': expected a whole number, found text '2'\n"
                                      "  4 | switch: {vcs: \"2\"}\n"
                                      "    |               ^^^\n"
                                      "write decimal digits only, as in 5000"},
      {BASE "switch: {vcs: 010}\n", "dir/x.yaml:4:15: 'switch.vcs': expected a whole number, found '010'\n"
                                    "  4 | switch: {vcs: 010}\n"
                                    "    |               ^^^\n"
                                    "write decimal digits only, as in 5000"},
      {BASE "switch: {vcs: 0x2}\n", "dir/x.yaml:4:15: 'switch.vcs': expected a whole number, found '0x2'\n"
                                    "  4 | switch: {vcs: 0x2}\n"
                                    "    |               ^^^\n"
                                    "write decimal digits only, as in 5000"},
      {BASE "switch: {vcs: [2]}\n", "dir/x.yaml:4:15: 'switch.vcs': expected one value, found a list\n"
                                    "  4 | switch: {vcs: [2]}\n"
                                    "    |               ^^^"},
      {BASE "switch: {vcs: }\n", "dir/x.yaml:4:15: 'switch.vcs': expected a whole number, found nothing\n"
                                 "  4 | switch: {vcs: }\n"
                                 "    |               ^\n"
                                 "write decimal digits only, as in 5000"},
      {BASE "switch: 4\n", "dir/x.yaml:4:9: 'switch': expected a group of keys, found '4'\n"
                           "  4 | switch: 4\n"
                           "    |         ^"},
      {BASE "switch:\n", "dir/x.yaml:4:8: 'switch': expected a group of keys, found nothing\n"
                         "  4 | switch:\n"
                         "    |        ^"},
      {BASE "faults: {at: 1, random_links: 1}\n", "dir/x.yaml:4:9: 'faults': expected a list, found a group of keys\n"
                                                  "  4 | faults: {at: 1, random_links: 1}\n"
                                                  "    |         ^^^^^^^^^^^^^^^^^^^^^^^^"},
      {BASE "faults: [3]\n", "dir/x.yaml:4:10: 'faults[0]': expected a group of keys, or a name, found '3'\n"
                             "  4 | faults: [3]\n"
                             "    |          ^\n"
                             "as in 'link 0.6-1.5' or 'switch 2.9 in cycles 5-99'"},
      {BASE "run: {drain: yes}\n", "dir/x.yaml:4:14: 'run.drain': expected true or false, found 'yes'\n"
                                   "  4 | run: {drain: yes}\n"
                                   "    |              ^^^"},
      {NETWORK "traffic: {load_flits_per_cycle: much}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle': expected a number, found 'much'\n"
       "  3 | traffic: {load_flits_per_cycle: much}\n"
       "    |                                 ^^^^\n"
       "write decimal digits with a point, as in 0.25"},
      {NETWORK "traffic: {load_flits_per_cycle: .nan}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle': expected a number, found '.nan'\n"
       "  3 | traffic: {load_flits_per_cycle: .nan}\n"
       "    |                                 ^^^^\n"
       "write decimal digits with a point, as in 0.25"},
      {NETWORK "traffic: {load_flits_per_cycle: 0x1p-1}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle': expected a number, found '0x1p-1'\n"
       "  3 | traffic: {load_flits_per_cycle: 0x1p-1}\n"
       "    |                                 ^^^^^^\n"
       "write decimal digits with a point, as in 0.25"},
      {NETWORK "traffic: {pattern: neighbor}\n", "dir/x.yaml:3:20: 'traffic.pattern': unknown value 'neighbor'\n"
                                                 "  3 | traffic: {pattern: neighbor}\n"
                                                 "    |                    ^^^^^^^^\n"
                                                 "did you mean 'neighbour'?"},
      {NETWORK "traffic: {pattern: unifrom}\n", "dir/x.yaml:3:20: 'traffic.pattern': unknown value 'unifrom'\n"
                                                "  3 | traffic: {pattern: unifrom}\n"
                                                "    |                    ^^^^^^^\n"
                                                "did you mean 'uniform'?"},
      {NETWORK "traffic: {process: regular}\n", "dir/x.yaml:3:20: 'traffic.process': unknown value 'regular'\n"
                                                "  3 | traffic: {process: regular}\n"
                                                "    |                    ^^^^^^^\n"
                                                "expected one of: bernoulli, poisson"},
      {NETWORK "traffic: {pattern: {}}\n",
       "dir/x.yaml:3:20: 'traffic.pattern': expected one value, found a group of keys\n"
       "  3 | traffic: {pattern: {}}\n"
       "    |                    ^^"},
      {"topology: {kind: trie, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:18: 'topology.kind': unknown value 'trie'\n"
       "  1 | topology: {kind: trie, k: 4, n: 3}\n"
       "    |                  ^^^^\n"
       "expected one of: fat_tree, m_port_tree, torus, mesh, hypercube, graph, xgft, dragonfly, hyperx, slim_fly, "
       "ruft, ruft_pl, ft_ruft_212, ft_ruft_222"},
      {NETWORK "traffic: {permutation_file: ''}\n",
       "dir/x.yaml:3:29: 'traffic.permutation_file': expected a name, found empty text\n"
       "  3 | traffic: {permutation_file: ''}\n"
       "    |                             ^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_ranges(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {"topology: {kind: mesh, sizes: [2, 2, 2, 2, 2]}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:31: 'topology.sizes' has 5 entries, must have 1..4\n"
       "  1 | topology: {kind: mesh, sizes: [2, 2, 2, 2, 2]}\n"
       "    |                               ^^^^^^^^^^^^^^^"},
      {"topology: {kind: fat_tree, k: 1, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:31: 'topology.k' is 1, must be 2..32 for a fat tree\n"
       "  1 | topology: {kind: fat_tree, k: 1, n: 3}\n"
       "    |                               ^"},
      {"topology: {kind: fat_tree, k: 33, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:31: 'topology.k' is 33, must be 2..32 for a fat tree\n"
       "  1 | topology: {kind: fat_tree, k: 33, n: 3}\n"
       "    |                               ^^"},
      {"topology: {kind: fat_tree, k: 25, n: 2}\n"
       "routing: {algorithm: misroute_header}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:31: 'topology.k' is 25, the misroute vector of misroute_header has a bit for each of 24 up ports\n"
       "  1 | topology: {kind: fat_tree, k: 25, n: 2}\n"
       "    |                               ^^\n"
       "make k smaller, or choose another algorithm"},
      {"topology: {kind: fat_tree, k: 4, n: 0}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:37: 'topology.n' is 0, must be 1..16\n"
       "  1 | topology: {kind: fat_tree, k: 4, n: 0}\n"
       "    |                                     ^"},
      {"topology: {kind: fat_tree, k: 4, n: 3, link_cycles: 17}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:53: 'topology.link_cycles' is 17, must be 1..16\n"
       "  1 | topology: {kind: fat_tree, k: 4, n: 3, link_cycles: 17}\n"
       "    |                                                     ^^"},
      {BASE "switch: {vcs: 0}\n", "dir/x.yaml:4:15: 'switch.vcs' is 0, must be 1..8\n"
                                  "  4 | switch: {vcs: 0}\n"
                                  "    |               ^"},
      {BASE "switch: {vcs: -1}\n", "dir/x.yaml:4:15: 'switch.vcs' is -1, must be 1..8\n"
                                   "  4 | switch: {vcs: -1}\n"
                                   "    |               ^^"},
      {BASE "switch: {vcs: 99999999999999999999}\n",
       "dir/x.yaml:4:15: 'switch.vcs' is 99999999999999999999, must be 1..8\n"
       "  4 | switch: {vcs: 99999999999999999999}\n"
       "    |               ^^^^^^^^^^^^^^^^^^^^"},
      {BASE "switch: {depth_flits: 256}\n", "dir/x.yaml:4:23: 'switch.depth_flits' is 256, must be 1..255\n"
                                            "  4 | switch: {depth_flits: 256}\n"
                                            "    |                       ^^^"},
      {BASE "switch: {flit_bits: 100}\n",
       "dir/x.yaml:4:21: 'switch.flit_bits' is 100, must be a multiple of 64, 64..512\n"
       "  4 | switch: {flit_bits: 100}\n"
       "    |                     ^^^"},
      {BASE "switch: {flit_bits: 576}\n",
       "dir/x.yaml:4:21: 'switch.flit_bits' is 576, must be a multiple of 64, 64..512\n"
       "  4 | switch: {flit_bits: 576}\n"
       "    |                     ^^^"},
      {BASE "switch: {packet_flits: 0}\n", "dir/x.yaml:4:24: 'switch.packet_flits' is 0, must be 1..1023\n"
                                           "  4 | switch: {packet_flits: 0}\n"
                                           "    |                        ^"},
      {BASE "switch: {route_cycles: 5}\n", "dir/x.yaml:4:24: 'switch.route_cycles' is 5, must be 0..4\n"
                                           "  4 | switch: {route_cycles: 5}\n"
                                           "    |                        ^"},
      {BASE "switch: {alloc_cycles: 3}\n", "dir/x.yaml:4:24: 'switch.alloc_cycles' is 3, must be 1..2\n"
                                           "  4 | switch: {alloc_cycles: 3}\n"
                                           "    |                        ^"},
      {NETWORK "traffic: {load_flits_per_cycle: 3.0}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle' is 3, must be 0..1: a terminal has 1 injection link\n"
       "  3 | traffic: {load_flits_per_cycle: 3.0}\n"
       "    |                                 ^^^"},
      {NETWORK "traffic: {load_flits_per_cycle: -0.1}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle' is -0.1, must be 0..1000\n"
       "  3 | traffic: {load_flits_per_cycle: -0.1}\n"
       "    |                                 ^^^^"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.3, pattern: hot_spot, hot_spot_fraction: 1.5}\n",
       "dir/x.yaml:3:76: 'traffic.hot_spot_fraction' is 1.5, must be 0..1\n"
       "  3 | traffic: {load_flits_per_cycle: 0.3, pattern: hot_spot, hot_spot_fraction: 1.5}\n"
       "    |                                                                            ^^^"},
      {BASE "run: {measure_cycles: 0}\n", "dir/x.yaml:4:23: 'run.measure_cycles' is 0, must be 1..1000000000000000\n"
                                          "  4 | run: {measure_cycles: 0}\n"
                                          "    |                       ^"},
      {BASE "run: {warmup_cycles: 9000000000000000}\n",
       "dir/x.yaml:4:22: 'run.warmup_cycles' is 9000000000000000, must be 0..1000000000000000\n"
       "  4 | run: {warmup_cycles: 9000000000000000}\n"
       "    |                      ^^^^^^^^^^^^^^^^"},
      {BASE "run: {seed: 18446744073709551616}\n",
       "dir/x.yaml:4:13: 'run.seed' is 18446744073709551616, must be 0..18446744073709551615\n"
       "  4 | run: {seed: 18446744073709551616}\n"
       "    |             ^^^^^^^^^^^^^^^^^^^^"},
      {BASE "faults: [{at: 1, random_links: 0}]\n",
       "dir/x.yaml:4:32: 'faults[0].random_links' is 0, must be 1..1048576\n"
       "  4 | faults: [{at: 1, random_links: 0}]\n"
       "    |                                ^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta, reroute_timeout_cycles: 65536}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:2:51: 'routing.reroute_timeout_cycles' is 65536, must be 0..65535\n"
       "  2 | routing: {algorithm: fta, reroute_timeout_cycles: 65536}\n"
       "    |                                                   ^^^^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_combinations(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {"topology: {kind: fat_tree, k: 16, n: 5}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:38: k^n = 16^5 is more than 65536 terminals\n"
       "  1 | topology: {kind: fat_tree, k: 16, n: 5}\n"
       "    |                                      ^\n"
       "make k or n smaller"},
      {"topology: {kind: fat_tree, k: 16, n: 16}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:38: k^n = 16^16 is more than 65536 terminals\n"
       "  1 | topology: {kind: fat_tree, k: 16, n: 16}\n"
       "    |                                      ^^\n"
       "make k or n smaller"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: reroute_adaptive_lnk}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:2:22: 'routing.algorithm': unknown algorithm 'reroute_adaptive_lnk' for fat_tree\n"
       "  2 | routing: {algorithm: reroute_adaptive_lnk}\n"
       "    |                      ^^^^^^^^^^^^^^^^^^^^\n"
       "did you mean 'reroute_adaptive_link'?"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "switch: {vcs: 2}\n"
       "routing: {algorithm: reroute_det_switch}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:2:15: algorithm reroute_det_switch needs 3 virtual channels, 'switch.vcs' is 2\n"
       "  2 | switch: {vcs: 2}\n"
       "    |               ^\n"
       "raise 'switch.vcs'"},
      {BASE "switch: {depth_flits: 4, packet_flits: 8}\n",
       "dir/x.yaml:4:23: 'switch.depth_flits' is 4, less than the 8 of 'switch.packet_flits'\n"
       "  4 | switch: {depth_flits: 4, packet_flits: 8}\n"
       "    |                       ^\n" VCT_HINT},
      {BASE "switch: {packet_flits: 8}\n",
       "dir/x.yaml:4:24: 'switch.depth_flits' is 4, less than the 8 of 'switch.packet_flits'\n"
       "  4 | switch: {packet_flits: 8}\n"
       "    |                        ^\n" VCT_HINT},
      {BASE "switch: {depth_flits: 1}\n",
       "dir/x.yaml:4:23: 'switch.depth_flits' is 1, less than the 2 of 'switch.packet_flits'\n"
       "  4 | switch: {depth_flits: 1}\n"
       "    |                       ^\n" VCT_HINT},
      {NETWORK "traffic: {load_flits_per_cycle: 0.3, pattern: hot_spot, hot_spot_node: 64}\n",
       "dir/x.yaml:3:72: terminal 64 does not exist, this network has 0..63\n"
       "  3 | traffic: {load_flits_per_cycle: 0.3, pattern: hot_spot, hot_spot_node: 64}\n"
       "    |                                                                        ^^"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.3, hot_spot_node: 3}\n",
       "dir/x.yaml:3:53: 'traffic.hot_spot_node' is for pattern hot_spot only, this pattern is uniform\n"
       "  3 | traffic: {load_flits_per_cycle: 0.3, hot_spot_node: 3}\n"
       "    |                                                     ^"},
      {"topology: {kind: fat_tree, k: 3, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {pattern: shuffle, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern shuffle works on address bits: 27 terminals are no power of two\n"
       "  3 | traffic: {pattern: shuffle, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^\n"
       "choose k as a power of two"},
      {"topology: {kind: fat_tree, k: 6, n: 2}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {pattern: complement, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern complement works on address bits: 36 terminals are no power of two\n"
       "  3 | traffic: {pattern: complement, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^^^^\n"
       "choose k as a power of two"},
      {"topology: {kind: fat_tree, k: 3, n: 2}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {pattern: transpose, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern transpose works on address bits: 9 terminals are no power of two\n"
       "  3 | traffic: {pattern: transpose, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^^^\n"
       "choose k as a power of two"},
      {"topology: {kind: fat_tree, k: 2, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {pattern: transpose, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern transpose swaps the halves of an address: 8 terminals have an odd number of bits\n"
       "  3 | traffic: {pattern: transpose, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^^^\n"
       "choose k or n so that k^n is a power of four"},
      {"topology: {kind: mesh, sizes: [4, 6]}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {pattern: bit_reverse, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern bit_reverse works on address bits: 24 terminals are no power of two\n"
       "  3 | traffic: {pattern: bit_reverse, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^^^^^\n"
       "choose k as a power of two"},
      {NETWORK "traffic: {pattern: tornado, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern tornado goes by the coordinates of nodes: a fat_tree has none\n"
       "  3 | traffic: {pattern: tornado, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^\n"
       "choose a topology that has: torus, mesh, hypercube"},
      {"topology: {kind: torus, k: 2, n: 3}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {pattern: tornado, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: with pattern tornado every terminal of this network sends to itself\n"
       "  3 | traffic: {pattern: tornado, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^\n"
       "choose a larger network"},
      {NETWORK "traffic: {pattern: permutation, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:20: pattern permutation needs the key 'traffic.permutation_file'\n"
       "  3 | traffic: {pattern: permutation, load_flits_per_cycle: 0.3}\n"
       "    |                    ^^^^^^^^^^^"},
      {NETWORK "traffic: {pattern: trace}\n", "dir/x.yaml:3:20: pattern trace needs the key 'traffic.trace_file'\n"
                                              "  3 | traffic: {pattern: trace}\n"
                                              "    |                    ^^^^^"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.3, trace_file: x}\n",
       "dir/x.yaml:3:50: 'traffic.trace_file' is for pattern trace only, this pattern is uniform\n"
       "  3 | traffic: {load_flits_per_cycle: 0.3, trace_file: x}\n"
       "    |                                                  ^"},
      {NETWORK "traffic: {pattern: trace, trace_file: x, load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:3:64: 'traffic.load_flits_per_cycle' has no meaning for pattern trace: it has its own times\n"
       "  3 | traffic: {pattern: trace, trace_file: x, load_flits_per_cycle: 0.1}\n"
       "    |                                                                ^^^\n"
       "leave it away"},
      {NETWORK "traffic: {pattern: all_to_all}\n", "dir/x.yaml:3:10: missing key 'message_bytes' in 'traffic'\n"
                                                   "  3 | traffic: {pattern: all_to_all}\n"
                                                   "    |          ^^^^^^^^^^^^^^^^^^^^^\n"
                                                   "add it, as in message_bytes: 4096"},
      {NETWORK "traffic: {pattern: all_to_all, message_bytes: 8, process: poisson}\n",
       "dir/x.yaml:3:59: 'traffic.process' has no meaning for pattern all_to_all: it has its own times\n"
       "  3 | traffic: {pattern: all_to_all, message_bytes: 8, process: poisson}\n"
       "    |                                                           ^^^^^^^\n"
       "leave it away"},
      {NETWORK "traffic: {pattern: all_to_all, message_bytes: 8, root: 1}\n",
       "dir/x.yaml:3:56: 'traffic.root' is for pattern all_reduce_tree, broadcast only, this pattern is all_to_all\n"
       "  3 | traffic: {pattern: all_to_all, message_bytes: 8, root: 1}\n"
       "    |                                                        ^"},
      {NETWORK "traffic: {pattern: broadcast, message_bytes: 8, root: 64}\n",
       "dir/x.yaml:3:55: terminal 64 does not exist, this network has 0..63\n"
       "  3 | traffic: {pattern: broadcast, message_bytes: 8, root: 64}\n"
       "    |                                                       ^^"},
      {NETWORK "traffic: {pattern: goal}\n", "dir/x.yaml:3:20: pattern goal needs the key 'traffic.goal_file'\n"
                                             "  3 | traffic: {pattern: goal}\n"
                                             "    |                    ^^^^"},
      {NETWORK "traffic: {pattern: broadcast, message_bytes: 8}\nrun: {warmup_cycles: 5}\n",
       "dir/x.yaml:4:22: pattern broadcast begins in cycle 0: there is no warm-up\n"
       "  4 | run: {warmup_cycles: 5}\n"
       "    |                      ^\n"
       "leave it away"},
      {NETWORK "traffic: {pattern: broadcast, message_bytes: 8}\nrun: {warmup: until_stable}\n",
       "dir/x.yaml:4:15: pattern broadcast has times of its own: nothing of it becomes stable\n"
       "  4 | run: {warmup: until_stable}\n"
       "    |               ^^^^^^^^^^^^\n"
       "leave it away"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.1}\nrun: {precision: 0.02}\n",
       "dir/x.yaml:4:18: 'run.precision' says nothing where the run lasts a fixed number of cycles\n"
       "  4 | run: {precision: 0.02}\n"
       "    |                  ^^^^\n"
       "add 'warmup: until_stable' to 'run', or leave it away"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.1}\nrun: {warmup: until_stable, precision: 0}\n",
       "dir/x.yaml:4:40: 'run.precision' is 0: no run is so long\n"
       "  4 | run: {warmup: until_stable, precision: 0}\n"
       "    |                                        ^\n"
       "as in 0.05: 5 % of the mean"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.1}\nrun: {warmup: until_stable, max_cycles: 5000}\n",
       "dir/x.yaml:4:41: 'run.max_cycles' is 5000, less than the 1000 of warm-up and the 10000 of measurement in any "
       "case\n"
       "  4 | run: {warmup: until_stable, max_cycles: 5000}\n"
       "    |                                         ^^^^\n"
       "raise 'run.max_cycles', or lower 'run.warmup_cycles' or 'run.measure_cycles'"},
      {NETWORK "traffic: {load_flits_per_cycle: 0.1}\nrun: {warmup: until_stable}\n"
               "faults: [{at: 300000, random_links: 1}]\n",
       "dir/x.yaml:5:15: the fault of cycle 300000 comes when the run is over: 'run.max_cycles' is 200000\n"
       "  5 | faults: [{at: 300000, random_links: 1}]\n"
       "    |               ^^^^^^\n"
       "raise 'run.max_cycles'"},
      {NETWORK "traffic: {pattern: broadcast, message_bytes: 8}\nswitch: {packet_flits: 1}\n",
       "dir/x.yaml:4:24: a packet of 8 bytes is a header of 8, and nothing behind it: no message fits into such\n"
       "  4 | switch: {packet_flits: 1}\n"
       "    |                        ^\n"
       "raise 'switch.packet_flits'"},
      {NETWORK "traffic: {pattern: broadcast, message_bytes: 800000001}\nswitch: {packet_flits: 2}\n",
       "dir/x.yaml:3:46: a message of 800000001 bytes is more than 100000000 packets\n"
       "  3 | traffic: {pattern: broadcast, message_bytes: 800000001}\n"
       "    |                                              ^^^^^^^^^\n"
       "make it smaller"},
      {NETWORK "traffic: {pattern: permutation, permutation_file: missing.txt, load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:3:51: cannot read dir/missing.txt: No such file or directory\n"
       "  3 | traffic: {pattern: permutation, permutation_file: missing.txt, load_flits_per_cycle: 0.3}\n"
       "    |                                                   ^^^^^^^^^^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_terminal_links(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {"topology: {kind: fat_tree, k: 4, n: 3, terminal_links: 2}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:56: 'topology.terminal_links' is for torus, mesh and hypercube only, this topology is fat_tree\n"
       "  1 | topology: {kind: fat_tree, k: 4, n: 3, terminal_links: 2}\n"
       "    |                                                        ^"},
      {"topology: {kind: mesh, k: 4, n: 2, terminal_links: 9}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:52: 'topology.terminal_links' is 9, must be 1..8\n"
       "  1 | topology: {kind: mesh, k: 4, n: 2, terminal_links: 9}\n"
       "    |                                                    ^"},
      {"topology: {kind: mesh, k: 4, n: 2, terminal_links: 8, local_ports: 8}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:1:52: 68 ports, a switch has at most 64\n"
       "  1 | topology: {kind: mesh, k: 4, n: 2, terminal_links: 8, local_ports: 8}\n"
       "    |                                                    ^\n"
       "a terminal takes a port for each of its links"},
      {"topology: {kind: mesh, k: 4, n: 2}\n"
       "routing: {algorithm: dor, reconfiguration: static}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:2:44: 'routing.reconfiguration: static' is for routes that are planned and tables that are "
       "reconfigured, this scenario has none\n"
       "  2 | routing: {algorithm: dor, reconfiguration: static}\n"
       "    |                                            ^^^^^^\n"
       "give 'routing.mechanisms', or choose an algorithm with tables"},
      {"topology: {kind: mesh, k: 4, n: 2, terminal_links: 2}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 2.5, process: poisson}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle' is 2.5, must be 0..2: a terminal has 2 injection links\n"
       "  3 | traffic: {load_flits_per_cycle: 2.5, process: poisson}\n"
       "    |                                 ^^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_lengths(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {BASE "switch: {packet_flits: {mean: 20}}\n",
       "dir/x.yaml:4:24: missing key 'distribution' in 'switch.packet_flits'\n"
       "  4 | switch: {packet_flits: {mean: 20}}\n"
       "    |                        ^^^^^^^^^^\n"
       "as in {distribution: exponential, mean: 20}"},
      {BASE "switch: {packet_flits: {distribution: uniform, min: 3}}\n",
       "dir/x.yaml:4:24: missing key 'max' in 'switch.packet_flits', distribution uniform needs it\n"
       "  4 | switch: {packet_flits: {distribution: uniform, min: 3}}\n"
       "    |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
       "as in {distribution: uniform, min: 1, max: 39}"},
      {BASE "switch: {packet_flits: {distribution: exponental, mean: 3}}\n",
       "dir/x.yaml:4:39: 'switch.packet_flits.distribution': unknown value 'exponental'\n"
       "  4 | switch: {packet_flits: {distribution: exponental, mean: 3}}\n"
       "    |                                       ^^^^^^^^^^\n"
       "did you mean 'exponential'?"},
      {BASE "switch: {packet_flits: {distribution: uniform, min: 1, max: 3, long: 3}}\n",
       "dir/x.yaml:4:64: 'switch.packet_flits.long' is not for distribution uniform\n"
       "  4 | switch: {packet_flits: {distribution: uniform, min: 1, max: 3, long: 3}}\n"
       "    |                                                                ^^^^\n"
       "as in {distribution: uniform, min: 1, max: 39}"},
      {BASE "switch: {packet_flits: {distribution: exponential, mean: 0.5}}\n",
       "dir/x.yaml:4:58: 'switch.packet_flits.mean' is 0.5, must be 1..1023\n"
       "  4 | switch: {packet_flits: {distribution: exponential, mean: 0.5}}\n"
       "    |                                                          ^^^"},
      {BASE "switch: {packet_flits: {distribution: exponential, mean: 2, men: 3}}\n",
       "dir/x.yaml:4:61: unknown key 'men' in 'switch.packet_flits'\n"
       "  4 | switch: {packet_flits: {distribution: exponential, mean: 2, men: 3}}\n"
       "    |                                                             ^^^\n"
       "did you mean 'mean'?"},
      {BASE "switch: {packet_flits: [2, 3]}\n",
       "dir/x.yaml:4:24: 'switch.packet_flits': expected a whole number or a distribution, found a list\n"
       "  4 | switch: {packet_flits: [2, 3]}\n"
       "    |                        ^^^^^^\n"
       "as in {distribution: exponential, mean: 20}"},
      {BASE "switch: {packet_flits: {distribution: uniform, min: 4, max: 3}}\n",
       "dir/x.yaml:4:53: 'switch.packet_flits': min is 4, more than max 3\n"
       "  4 | switch: {packet_flits: {distribution: uniform, min: 4, max: 3}}\n"
       "    |                                                     ^\n"
       "exchange them"},
      {BASE "switch: {packet_flits: {distribution: bimodal, short: 4, long: 3, long_fraction: 0.5}}\n",
       "dir/x.yaml:4:55: 'switch.packet_flits': short is 4, more than long 3\n"
       "  4 | switch: {packet_flits: {distribution: bimodal, short: 4, long: 3, long_fraction: 0.5}}\n"
       "    |                                                       ^\n"
       "exchange them"},
      {BASE "switch: {packet_flits: {distribution: exponential, mean: 9}}\n",
       "dir/x.yaml:4:58: 'switch.packet_flits.mean' is 9, must be between min 2 and max 4, the largest that fits\n"
       "  4 | switch: {packet_flits: {distribution: exponential, mean: 9}}\n"
       "    |                                                          ^\n"
       "raise 'switch.depth_flits', or set 'switch.switching' to wormhole"},
      {BASE "switch: {packet_flits: {distribution: exponential, mean: 4, max: 3}}\n",
       "dir/x.yaml:4:58: 'switch.packet_flits.mean' is 4, must be between min 2 and max 3\n"
       "  4 | switch: {packet_flits: {distribution: exponential, mean: 4, max: 3}}\n"
       "    |                                                          ^\n"
       "raise 'max'"},
      {BASE "switch: {packet_flits: {distribution: exponential, mean: 1}}\n",
       "dir/x.yaml:4:58: 'switch.packet_flits.mean' is 1, must be between min 2 and max 4, the largest that fits\n"
       "  4 | switch: {packet_flits: {distribution: exponential, mean: 1}}\n"
       "    |                                                          ^\n"
       "lower 'min'"},
      {BASE "switch: {packet_flits: {distribution: exponential, mean: 3, min: 5}}\n",
       "dir/x.yaml:4:66: 'switch.packet_flits': min is 5, more than max 4, the largest that fits\n"
       "  4 | switch: {packet_flits: {distribution: exponential, mean: 3, min: 5}}\n"
       "    |                                                                  ^\n"
       "raise 'switch.depth_flits', or set 'switch.switching' to wormhole"},
      {BASE "switch: {packet_flits: {distribution: uniform, min: 2, max: 5}}\n",
       "dir/x.yaml:4:24: 'switch.depth_flits' is 4, less than the 5 of 'switch.packet_flits'\n"
       "  4 | switch: {packet_flits: {distribution: uniform, min: 2, max: 5}}\n"
       "    |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n" VCT_HINT},
      {BASE "switch: {shortest_packet_flits: 2, packet_flits: {distribution: uniform, min: 2, max: 4}}\n",
       "dir/x.yaml:4:33: 'switch.packet_flits' is a distribution, which says the shortest: leave "
       "'shortest_packet_flits' away\n"
       "  4 | switch: {shortest_packet_flits: 2, packet_flits: {distribution: uniform, min: 2, max: 4}}\n"
       "    |                                 ^"},
      {NETWORK "switch: {packet_flits: {distribution: uniform, min: 2, max: 4}}\n"
               "traffic: {pattern: trace, trace_file: x}\n",
       "dir/x.yaml:3:24: a distribution has no meaning for pattern trace: it has its own lengths\n"
       "  3 | switch: {packet_flits: {distribution: uniform, min: 2, max: 4}}\n"
       "    |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
       "give the length of its longest packet, as in packet_flits: 16"},
      {"topology: {kind: torus, k: 4, n: 2}\n"
       "switch: {packet_flits: {distribution: exponential, mean: 6}, depth_flits: 40}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.3}\n",
       "dir/x.yaml:2:24: the bubble rule of dor needs packets that are longer than half the longest one: 2 and 20 "
       "flits\n"
       "  2 | switch: {packet_flits: {distribution: exponential, mean: 6}, depth_flits: 40}\n"
       "    |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
       "a ring of packets of so different lengths can fill although there is room in it: make packets longer"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_faults(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {BASE "faults:\n"
            "  - {at: 5, until: 5, switch: {level: 1, switch: 0}}\n",
       "dir/x.yaml:5:20: the fault ends at cycle 5, it must be after its start at cycle 5\n"
       "  5 |   - {at: 5, until: 5, switch: {level: 1, switch: 0}}\n"
       "    |                    ^\n"
       "leave 'until' away for a permanent fault"},
      {BASE "faults:\n"
            "  - {at: 6, random_links: 1}\n"
            "  - {at: 5, until: 4, random_links: 1}\n",
       "dir/x.yaml:6:20: the fault ends at cycle 4, it must be after its start at cycle 5\n"
       "  6 |   - {at: 5, until: 4, random_links: 1}\n"
       "    |                    ^\n"
       "leave 'until' away for a permanent fault"},
      {BASE "faults:\n"
            "  - {at: 1, link: {level: 3, switch: 0, port: 0}}\n",
       "dir/x.yaml:5:27: level 3 does not exist, this network has 0 (leaves) to 2 (roots)\n"
       "  5 |   - {at: 1, link: {level: 3, switch: 0, port: 0}}\n"
       "    |                           ^"},
      {BASE "faults:\n"
            "  - {at: 1, switch: {level: 2, switch: 16}}\n",
       "dir/x.yaml:5:40: switch 2.16 does not exist, level 2 has 0..15\n"
       "  5 |   - {at: 1, switch: {level: 2, switch: 16}}\n"
       "    |                                        ^^"},
      {BASE "faults:\n"
            "  - {at: 1, link: {level: 1, switch: 3, port: 8}}\n",
       "dir/x.yaml:5:47: port 8 does not exist, switch 1.3 has 0..7\n"
       "  5 |   - {at: 1, link: {level: 1, switch: 3, port: 8}}\n"
       "    |                                               ^"},
      {BASE "faults:\n"
            "  - {at: 1, link: {level: 2, switch: 3, port: 4}}\n",
       "dir/x.yaml:5:47: switch 2.3 is a root: its up ports 4..7 have no link\n"
       "  5 |   - {at: 1, link: {level: 2, switch: 3, port: 4}}\n"
       "    |                                               ^"},
      {BASE "faults:\n"
            "  - {at: 100}\n",
       "dir/x.yaml:5:5: 'faults[0]' does not say what fails\n"
       "  5 |   - {at: 100}\n"
       "    |     ^^^^^^^^^\n"
       "expected one of: link, switch, injection, ejection, random_links, random_switches, random_terminal_links, "
       "random_subcube"},
      {BASE "faults:\n"
            "  - {random_links: 1}\n",
       "dir/x.yaml:5:5: missing key 'at' in 'faults[0]'\n"
       "  5 |   - {random_links: 1}\n"
       "    |     ^^^^^^^^^^^^^^^^^"},
      {BASE "faults:\n"
            "  - {at: 100, random_links: 1, random_switches: 1}\n",
       "dir/x.yaml:5:5: 'faults[0]' says more than one thing that fails\n"
       "  5 |   - {at: 100, random_links: 1, random_switches: 1}\n"
       "    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
       "expected one of: link, switch, injection, ejection, random_links, random_switches, random_terminal_links, "
       "random_subcube"},
      {BASE "faults:\n"
            "  - {at: 1, random_links: 129}\n",
       "dir/x.yaml:5:27: 129 random links between switches wanted, this network has 128\n"
       "  5 |   - {at: 1, random_links: 129}\n"
       "    |                           ^^^"},
      {BASE "faults:\n"
            "  - {at: 1, random_switches: 33}\n",
       "dir/x.yaml:5:30: 33 random switches above level 0 wanted, this network has 32\n"
       "  5 |   - {at: 1, random_switches: 33}\n"
       "    |                              ^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_texts_of_faults(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {BASE "faults: [link 9.9-1.1]\n",
       "dir/x.yaml:4:10: there is no 'link 9.9-1.1' in this network; links and switches are named as in `uturn net`, "
       "'link 0.0-1.0' or 'switch 0.0' for example\n"
       "  4 | faults: [link 9.9-1.1]\n"
       "    |          ^^^^^^^^^^^^"},
      {BASE "faults:\n  - {at: 1, random_links: 1}\n  - switch 0.1 in cycles 9-5\n",
       "dir/x.yaml:6:5: fault 'switch 0.1 in cycles 9-5': cycles are written as in ' from cycle 50 on' or ' in cycles "
       "100-199'\n"
       "  6 |   - switch 0.1 in cycles 9-5\n"
       "    |     ^^^^^^^^^^^^^^^^^^^^^^^^"},
      {BASE "faults: [random]\n", "dir/x.yaml:4:10: 'faults[0]': expected a group of keys, or a name, found 'random'\n"
                                  "  4 | faults: [random]\n"
                                  "    |          ^^^^^^\n"
                                  "as in 'link 0.6-1.5' or 'switch 2.9 in cycles 5-99'"},
      {BASE "faults: [link x]\n", "dir/x.yaml:4:10: 'faults[0]': expected a group of keys, or a name, found 'link x'\n"
                                  "  4 | faults: [link x]\n"
                                  "    |          ^^^^^^\n"
                                  "as in 'link 0.6-1.5' or 'switch 2.9 in cycles 5-99'"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_patterns_of_switches(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {BASE "faults: [{at: 1, random_switches: 2, apart: 3}]\n",
       "dir/x.yaml:4:45: 'apart' is for nodes with coordinates, a fat_tree has none\n"
       "  4 | faults: [{at: 1, random_switches: 2, apart: 3}]\n"
       "    |                                             ^"},
      {BASE "faults: [{at: 1, random_links: 2, apart: 3}]\n",
       "dir/x.yaml:4:10: 'apart' in 'faults[0]' goes with random_switches\n"
       "  4 | faults: [{at: 1, random_links: 2, apart: 3}]\n"
       "    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"},
      {BASE "faults: [{at: 1, random_switches: 2, half_of: 0}]\n",
       "dir/x.yaml:4:10: 'half_of' in 'faults[0]' goes with random_subcube\n"
       "  4 | faults: [{at: 1, random_switches: 2, half_of: 0}]\n"
       "    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"},
      {BASE "faults: [{at: 1, random_subcube: 2}]\n",
       "dir/x.yaml:4:34: 'random_subcube' is for a hypercube, this topology is fat_tree\n"
       "  4 | faults: [{at: 1, random_subcube: 2}]\n"
       "    |                                  ^"},
      {"topology: {kind: hypercube, n: 4}\nrouting: {algorithm: detour}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 1, random_subcube: 4, half_of: 3}]\n",
       "dir/x.yaml:4:34: a 4-cube does not fit into half a 4-cube\n"
       "  4 | faults: [{at: 1, random_subcube: 4, half_of: 3}]\n"
       "    |                                  ^"},
      {"topology: {kind: hypercube, n: 4}\nrouting: {algorithm: detour}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 1, random_subcube: 2, half_of: 4}]\n",
       "dir/x.yaml:4:46: dimension 4 does not exist, this hypercube has 0..3\n"
       "  4 | faults: [{at: 1, random_subcube: 2, half_of: 4}]\n"
       "    |                                              ^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

static void rejects_directions(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {RUFT "faults: [{at: 1, link: {level: 0, switch: 1, port: 1}, direction: out}]\n",
       "dir/x.yaml:4:67: 'direction' is for links with two directions, those of a ft_ruft_212 have one: leave it away\n"
       "  4 | faults: [{at: 1, link: {level: 0, switch: 1, port: 1}, direction: out}]\n"
       "    |                                                                   ^^^"},
      {RUFT "faults: [{at: 1, random_links: 1, direction: in}]\n",
       "dir/x.yaml:4:46: 'direction' is for links with two directions, those of a ft_ruft_212 have one: leave it away\n"
       "  4 | faults: [{at: 1, random_links: 1, direction: in}]\n"
       "    |                                              ^^"},
      {RUFT "faults: [{at: 1, link: {level: 0, switch: 1, port: 2}}]\n",
       "dir/x.yaml:4:52: port 2 does not exist, switch 0.1 has output ports 0..1\n"
       "  4 | faults: [{at: 1, link: {level: 0, switch: 1, port: 2}}]\n"
       "    |                                                    ^"},
      {RUFT "faults: [{at: 1, injection: {terminal: 8}}]\n",
       "dir/x.yaml:4:40: terminal 8 does not exist, this network has 0..7\n"
       "  4 | faults: [{at: 1, injection: {terminal: 8}}]\n"
       "    |                                        ^"},
      {RUFT "faults: [{at: 1, random_terminal_links: 33}]\n",
       "dir/x.yaml:4:41: 33 random links of terminals wanted, this network has 32\n"
       "  4 | faults: [{at: 1, random_terminal_links: 33}]\n"
       "    |                                         ^^"},
      {BASE "faults: [{at: 1, ejection: {terminal: 8, link: 1}}]\n",
       "dir/x.yaml:4:48: terminal 8 has 1 ejection link, there is no 1\n"
       "  4 | faults: [{at: 1, ejection: {terminal: 8, link: 1}}]\n"
       "    |                                                ^"},
      {BASE "faults: [{at: 1, random_switches: 1, direction: in}]\n",
       "dir/x.yaml:4:10: 'direction' in 'faults[0]' goes with link and random_links\n"
       "  4 | faults: [{at: 1, random_switches: 1, direction: in}]\n"
       "    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"},
      {BASE "faults: [{at: 1, random_links: 1, direction: up}]\n",
       "dir/x.yaml:4:46: 'faults[0].direction': unknown value 'up'\n"
       "  4 | faults: [{at: 1, random_links: 1, direction: up}]\n"
       "    |                                              ^^\n"
       "expected one of: both, out, in"},
      {NETWORK "traffic: {load_flits_per_cycle: 1.5}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle' is 1.5, must be 0..1: a terminal has 1 injection link\n"
       "  3 | traffic: {load_flits_per_cycle: 1.5}\n"
       "    |                                 ^^^"},
      {"topology: {kind: ft_ruft_212, k: 3, n: 3}\nrouting: {algorithm: ruft}\n"
       "traffic: {load_flits_per_cycle: 1}\n",
       "dir/x.yaml:1:34: 'topology.k' is 3: links are chosen by bits of the terminals' numbers, so k must be a power "
       "of "
       "two\n"
       "  1 | topology: {kind: ft_ruft_212, k: 3, n: 3}\n"
       "    |                                  ^\n"
       "choose 2, 4, 8, 16 or 32"},
      {"topology: {kind: ruft, k: 4, n: 1}\nrouting: {algorithm: ruft}\ntraffic: {load_flits_per_cycle: 1}\n",
       "dir/x.yaml:1:33: 'topology.n' is 1, must be at least 2 for ruft\n"
       "  1 | topology: {kind: ruft, k: 4, n: 1}\n"
       "    |                                 ^"},
      {"topology: {kind: ruft, k: 4, n: 3}\nrouting: {algorithm: ruft, parallel_links: static}\n"
       "traffic: {load_flits_per_cycle: 1}\n",
       "dir/x.yaml:2:44: 'routing.parallel_links' is for networks with links side by side, a ruft has none\n"
       "  2 | routing: {algorithm: ruft, parallel_links: static}\n"
       "    |                                            ^^^^^^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

/* Too far from every name: the names are listed. */
static void rejects_unknown_algorithm(void **state) {
  (void)state;
  const char *text = "topology: {kind: fat_tree, k: 4, n: 3}\nrouting: {algorithm: magic}\n"
                     "traffic: {load_flits_per_cycle: 0.3}\n";
  const char *start = "dir/x.yaml:2:22: 'routing.algorithm': unknown algorithm 'magic' for fat_tree\n"
                      "  2 | routing: {algorithm: magic}\n"
                      "    |                      ^^^^^\n"
                      "expected one of: ";
  struct ut_error e = {.text = ""};
  assert_null(ut_scenario_parse(text, strlen(text), "dir/x.yaml", &e));
  assert_int_equal(strncmp(e.text, start, strlen(start)), 0);
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (strcmp(ut_algorithms[i].family, "fattree") == 0)
      assert_non_null(strstr(e.text + strlen(start), ut_algorithms[i].name));
}

/* The mark stands under the place: behind tabs, behind letters of two bytes, and in a line too long to show. */
static void marks(void **state) {
  (void)state;
  char line[400], text[600], message[800];
  static const struct rejected cases[] = {
      {BASE "run: {seed:\tx}\n", "dir/x.yaml:4:13: 'run.seed': expected a whole number, found 'x'\n"
                                 "  4 | run: {seed:\tx}\n"
                                 "    |            \t^\n"
                                 "write decimal digits only, as in 5000"},
      {BASE "run: {\"\xc3\xa4\": 1}\n", "dir/x.yaml:4:7: unknown key text '\xc3\xa4' in 'run'\n"
                                        "  4 | run: {\"\xc3\xa4\": 1}\n"
                                        "    |       ^^^\n"
                                        "expected one of: warmup, warmup_cycles, measure_cycles, precision, "
                                        "max_cycles, drain, drain_limit_cycles, watchdog_cycles, seed"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);

  snprintf(line, sizeof line, "run: {%*sseed: x}", 200, "");
  snprintf(text, sizeof text, BASE "%s\n", line);
  snprintf(message, sizeof message,
           "dir/x.yaml:4:213: 'run.seed': expected a whole number, found 'x'\n"
           "  4 | ...%s\n"
           "    |    %*s^\n"
           "write decimal digits only, as in 5000",
           line + 212 - 50, 50, "");
  reject_all(&(struct rejected){text, message}, 1);
}

/* Any text at all gets an answer: every scenario cut short, and with every byte replaced. */
static void any_text(void **state) {
  (void)state;
  const char *whole = BASE "switch: {vcs: 2, packet_flits: {distribution: exponential, mean: 3}}\nfaults:\n  - {at: 1, "
                           "link: {level: 0, switch: 1, port: 2}}\nrun: {seed: 3}\n";
  const char *replacements = "\001\t\n \"'#%&*,-:>?@[]`{|}~0\377";
  size_t length = strlen(whole);
  char text[512];
  struct ut_error e;
  for (size_t i = 0; i <= length; i++)
    ut_scenario_free(ut_scenario_parse(whole, i, "x.yaml", &e));
  for (size_t i = 0; i < length; i++) {
    for (const char *r = replacements; *r; r++) {
      memcpy(text, whole, length);
      text[i] = *r;
      e.text[0] = '\0';
      struct ut_scenario *s = ut_scenario_parse(text, length, "x.yaml", &e);
      if (!s) {
        assert_int_equal(e.code, UT_BAD_INPUT);
        assert_int_equal(strncmp(e.text, "x.yaml:", 7), 0);
        if (e.text[7] < '1' || e.text[7] > '9')
          fail_msg("no place in: %s", e.text);
      }
      ut_scenario_free(s);
    }
  }
}

/* Line breaks as YAML has them, bytes that are no text, numbers and words in forms that are none, shapes beyond what
 * there is. */
static void rejects_forms(void **state) {
  (void)state;
  static const struct rejected cases[] = {
      {"# a\r\n"
       "# b\xc2\x85# c\xe2\x80\xa8# d\xe2\x80\xa9# e\r# caf\xc3\xa9\xc2\xa9 \xe2\x80\xa6\xe2\x80\xba \xc3\xa2\n"
       "topology: {kind: fat_tree, k: four, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:7:31: 'topology.k': expected a whole number, found 'four'\n"
       "  7 | topology: {kind: fat_tree, k: four, n: 3}\n"
       "    |                               ^^^^\n"
       "write decimal digits only, as in 5000"},
      {"# a\r\n"
       "# b\xc2\x85# caf\xc3\xa9\n"
       "k: \xff\n",
       "dir/x.yaml:4:4: not a text file: invalid leading UTF-8 octet\n"
       "a scenario is YAML, a text file in UTF-8"},
      {"topology: {kind: \x7f}\n", "dir/x.yaml:1:18: not a text file: control characters are not allowed\n"
                                   "a scenario is YAML, a text file in UTF-8"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 1E400}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle' is 1E400, must be 0..1000\n"
       "  3 | traffic: {load_flits_per_cycle: 1E400}\n"
       "    |                                 ^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 1e-400}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle': expected a number, found '1e-400'\n"
       "  3 | traffic: {load_flits_per_cycle: 1e-400}\n"
       "    |                                 ^^^^^^\n"
       "too near to zero, write 0"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 1e}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle': expected a number, found '1e'\n"
       "  3 | traffic: {load_flits_per_cycle: 1e}\n"
       "    |                                 ^^\n"
       "write decimal digits with a point, as in 0.25"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: '0.1'}\n",
       "dir/x.yaml:3:33: 'traffic.load_flits_per_cycle': expected a number, found text '0.1'\n"
       "  3 | traffic: {load_flits_per_cycle: '0.1'}\n"
       "    |                                 ^^^^^\n"
       "write decimal digits with a point, as in 0.25"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "run: {drain: 'true'}\n",
       "dir/x.yaml:4:14: 'run.drain': expected true or false, found text 'true'\n"
       "  4 | run: {drain: 'true'}\n"
       "    |              ^^^^^^"},
      {"topology: {kind: fat_tree, k: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9', n: "
       "3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:1:31: 'topology.k': expected a whole number, found text "
       "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'\n"
       "  1 | topology: {kind: fat_tree, k: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9', "
       "n: 3}\n"
       "    |                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
       "write decimal digits only, as in 5000"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "--- {\n",
       "dir/x.yaml:5:1: not valid YAML: the file ends while parsing a flow node that starts here"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults:\n"
       "  - [1, 2]\n",
       "dir/x.yaml:5:5: 'faults[0]': expected a group of keys, found a list\n"
       "  5 |   - [1, 2]\n"
       "    |     ^^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: fta}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: {a: 1}\n",
       "dir/x.yaml:4:9: 'faults': expected a list, found a group of keys\n"
       "  4 | faults: {a: 1}\n"
       "    |         ^^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "? [a, b]\n"
       ": 1\n",
       "dir/x.yaml:2:3: '': expected the name of a key, found a list\n"
       "  2 | ? [a, b]\n"
       "    |   ^^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: \"f\\0ta\"}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:2:22: 'routing.algorithm': expected a name, found text 'f'\n"
       "  2 | routing: {algorithm: \"f\\0ta\"}\n"
       "    |                      ^^^^^^^"},
      {"topology: {kind: fat_tree, k: 4, n: 3}\n"
       "routing: {algorithm: \"f\\nta\"}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:2:22: 'routing.algorithm': expected a name, found text 'f ta'\n"
       "  2 | routing: {algorithm: \"f\\nta\"}\n"
       "    |                      ^^^^^^^"},
      {"topology: {kind: torus, k: 99999, n: 2}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:1:28: 'topology.k' is 99999, must be 0..65535\n"
       "  1 | topology: {kind: torus, k: 99999, n: 2}\n"
       "    |                            ^^^^^"},
      {"topology: {kind: torus, k: 4, n: 9}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:1:34: 'topology.n' is 9, must be 1..4 for torus and mesh\n"
       "  1 | topology: {kind: torus, k: 4, n: 9}\n"
       "    |                                  ^"},
      {"topology: {kind: torus, sizes: [1, 4]}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:1:33: 'topology.sizes[0]' is 1, must be 2..256\n"
       "  1 | topology: {kind: torus, sizes: [1, 4]}\n"
       "    |                                 ^"},
      {"topology: {kind: torus, k: 4, n: 2, terminal_links: 2}\n"
       "switch: {packet_flits: 1}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {process: bernoulli, load_flits_per_cycle: 1.5}\n",
       "dir/x.yaml:4:53: a Bernoulli process makes at most one packet of 1 flit in a cycle, the load is 1.5\n"
       "  4 | traffic: {process: bernoulli, load_flits_per_cycle: 1.5}\n"
       "    |                                                     ^^^\n"
       "choose process: poisson, or longer packets"},
      {"topology: {kind: mesh, k: 4, n: 2, terminal_links: 3}\n"
       "switch: {packet_flits: 2}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {process: bernoulli, load_flits_per_cycle: 2.5}\n",
       "dir/x.yaml:4:53: a Bernoulli process makes at most one packet of 2 flits in a cycle, the load is 2.5\n"
       "  4 | traffic: {process: bernoulli, load_flits_per_cycle: 2.5}\n"
       "    |                                                     ^^^\n"
       "choose process: poisson, or longer packets"},
      {"topology: {kind: torus, k: 4, n: 2}\n"
       "switch: {vcs: 2, depth_flits: 32}\n"
       "routing: {algorithm: duato, plane_bypass: true}\n"
       "traffic: {pattern: transpose, load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:4:20: with 'routing.plane_bypass' terminals are switched off: only uniform traffic makes sense\n"
       "  4 | traffic: {pattern: transpose, load_flits_per_cycle: 0.1}\n"
       "    |                    ^^^^^^^^^"},
      {"topology: {kind: torus, k: 4, n: 2}\n"
       "switch: {vcs: 2, depth_flits: 32}\n"
       "routing: {algorithm: duato, plane_bypass: true}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 3, switch: {level: 0, switch: 1}}]\n",
       "dir/x.yaml:3:43: 'routing.plane_bypass' needs faults that are there from cycle 0 and stay\n"
       "  3 | routing: {algorithm: duato, plane_bypass: true}\n"
       "    |                                           ^^^^"},
      {"topology: {kind: torus, k: 4, n: 2}\n"
       "switch: {vcs: 2, depth_flits: 32}\n"
       "routing: {algorithm: duato, plane_bypass: true}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 0, until: 9, switch: {level: 0, switch: 1}}]\n",
       "dir/x.yaml:3:43: 'routing.plane_bypass' needs faults that are there from cycle 0 and stay\n"
       "  3 | routing: {algorithm: duato, plane_bypass: true}\n"
       "    |                                           ^^^^"},
      {"topology: {kind: hypercube, n: 40}\n"
       "routing: {algorithm: ecube}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:1:32: 'topology.n' is 40, must be 1..16\n"
       "  1 | topology: {kind: hypercube, n: 40}\n"
       "    |                                ^^"},
      {"topology: {kind: hypercube, n: 4}\n"
       "routing: {algorithm: detour}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 0, random_subcube: 5}]\n",
       "dir/x.yaml:4:34: a 5-cube does not fit into a 4-cube\n"
       "  4 | faults: [{at: 0, random_subcube: 5}]\n"
       "    |                                  ^"},
      {"topology: {kind: hypercube, n: 4}\n"
       "routing: {algorithm: detour}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 0, random_subcube: 4, half_of: 2}]\n",
       "dir/x.yaml:4:34: a 4-cube does not fit into half a 4-cube\n"
       "  4 | faults: [{at: 0, random_subcube: 4, half_of: 2}]\n"
       "    |                                  ^"},
      {"topology: {kind: hypercube, n: 4}\n"
       "routing: {algorithm: detour}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n"
       "faults: [{at: 0, link: {level: 0, switch: 1, port: 1}}]\n",
       "dir/x.yaml:4:10: under detour nodes fail, links do not: a link that fails looks like two faulty nodes\n"
       "  4 | faults: [{at: 0, link: {level: 0, switch: 1, port: 1}}]\n"
       "    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
       "name the switch at one end of the link"},
      {"topology: {kind: mesh, k: 4, n: 2, terminal_links: 0}\n"
       "routing: {algorithm: dor}\n"
       "traffic: {load_flits_per_cycle: 0.1}\n",
       "dir/x.yaml:1:52: 'topology.terminal_links' is 0, must be 1..8\n"
       "  1 | topology: {kind: mesh, k: 4, n: 2, terminal_links: 0}\n"
       "    |                                                    ^"},
  };
  reject_all(cases, sizeof cases / sizeof cases[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rejects_syntax),
      cmocka_unit_test(rejects_keys),
      cmocka_unit_test(rejects_types),
      cmocka_unit_test(rejects_ranges),
      cmocka_unit_test(rejects_combinations),
      cmocka_unit_test(rejects_lengths),
      cmocka_unit_test(rejects_terminal_links),
      cmocka_unit_test(rejects_faults),
      cmocka_unit_test(rejects_directions),
      cmocka_unit_test(rejects_texts_of_faults),
      cmocka_unit_test(rejects_patterns_of_switches),
      cmocka_unit_test(rejects_unknown_algorithm),
      cmocka_unit_test(marks),
      cmocka_unit_test(any_text),
      cmocka_unit_test(rejects_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
