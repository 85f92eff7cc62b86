/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_keys.c - see scenario_keys.h */
#include "scenario_keys.h"

#include <stdlib.h>
#include <string.h>

#include "scenario.h"
#include "switch_keys.h"

/* No network takes so much, and the message of a smaller one is better: scenario_check.c. */
#define LOAD_LIMIT 1000

#define FILE_NAME "file"
#define RANGE(from, to) .min = (from), .max = (to), .multiple = 1
#define VALUE(of) .offset = offsetof(struct ut_scenario, of), .size = sizeof((struct ut_scenario *)0)->of

/* Rows of switch_keys.h, each with the comma behind it, and of the keys that are written by hand. */
#define NUMBER_ROW(key, parameter, from, to, step, standard, source, families, meaning)                                \
  {"switch." #key,  from,         to, step, .otherwise = standard, .follows = source, .takers = families,              \
   .text = meaning, VALUE(sw.key)},
#define WORD_ROW(key, parameter, standard, families, meaning)                                                          \
  {"switch." #key, .otherwise = standard, .takers = families, .text = meaning, VALUE(sw.key)},
#define OWN_ROW(key) ROWS_OF_##key
#define ROWS_OF_packet_flits                                                                                           \
  {"switch.packet_flits", RANGE(1, UT_MAX_PACKET), .otherwise = "2",                                                   \
   .text = "flits of a packet, with header; or a distribution of lengths"},                                            \
      {"switch.packet_flits.distribution", .text = "shape of the distribution"},                                       \
      {"switch.packet_flits.mean", RANGE(1, UT_MAX_PACKET), .text = "flits, exponential: before rounding and limits"}, \
      {"switch.packet_flits.min", RANGE(1, UT_MAX_PACKET), .follows = "2, uniform: must be given",                     \
       .text = "flits of the shortest packet"},                                                                        \
      {"switch.packet_flits.max", RANGE(1, UT_MAX_PACKET), .follows = "what fits, uniform: must be given",             \
       .text = "flits of the longest packet"},                                                                         \
      {"switch.packet_flits.short", RANGE(1, UT_MAX_PACKET), .text = "flits, bimodal: of a short packet"},             \
      {"switch.packet_flits.long", RANGE(1, UT_MAX_PACKET), .text = "flits, bimodal: of a long packet"},               \
      {"switch.packet_flits.long_fraction", RANGE(0, 1), .text = "bimodal: probability that a packet is a long one"},
#define ROWS_OF_shortest_packet_flits                                                                                  \
  {"switch.shortest_packet_flits", RANGE(1, UT_MAX_PACKET), .follows = "1; with the bubble rule packet_flits",         \
   .text = "flits of the shortest packet of a trace"},

const struct ut_key ut_keys[] = {
    {"topology", .text = "switches and terminals, and the links between them"},
    {"topology.kind", .text = "kind of network"},
    {"topology.k", VALUE(topology.k), RANGE(0, 65535), .takers = UT_KEY_K, .values = "2..256, of levels 2..32",
     .text = "nodes in each dimension; with levels, links down from a switch"},
    {"topology.n", VALUE(topology.n), RANGE(1, 16), .takers = UT_KEY_N, .text = "dimensions, or levels"},
    {"topology.sizes", RANGE(2, UT_MAX_RADIX), .takers = UT_KEY_SIZES,
     .text = "in place of k and n: nodes in each dimension, as [8, 8, 4]"},
    {"topology.local_ports", VALUE(topology.local_ports), RANGE(1, UT_MAX_PORTS - 2),
     .takers = UT_KEY_LOCAL_PORTS | UT_KEY_TERMINALS, .otherwise = "1", .text = "terminals of a switch"},
    {"topology.groups", VALUE(topology.groups), RANGE(1, 65535), .takers = UT_KEY_GROUPS,
     .follows = "one more than a group has global links", .text = "groups of routers"},
    {"topology.routers", VALUE(topology.routers), RANGE(1, UT_MAX_PORTS), .takers = UT_KEY_GROUPS,
     .text = "routers of a group"},
    {"topology.global_links", VALUE(topology.global_links), RANGE(0, UT_MAX_PORTS), .takers = UT_KEY_GROUPS,
     .otherwise = "1", .text = "links of a router to other groups"},
    {"topology.global_arrangement", VALUE(topology.global_arrangement), .takers = UT_KEY_GROUPS,
     .otherwise = "relative", .text = "group behind a global link: by its distance, or by its number"},
    {"topology.global_cycles", VALUE(topology.global_cycles), RANGE(1, 255), .takers = UT_KEY_GROUPS,
     .follows = "link_cycles", .text = "cycles that a link between groups takes"},
    {"topology.q", VALUE(topology.q), RANGE(3, 43), .takers = UT_KEY_Q, .values = "prime powers 3..43",
     .text = "elements of the field: 2 q^2 switches"},
    {"topology.down", RANGE(1, UT_MAX_PORTS), .takers = UT_KEY_CHILDREN,
     .text = "children of a node, level by level from the leaves on, as [4, 4]"},
    {"topology.up", RANGE(1, UT_MAX_PORTS), .takers = UT_KEY_CHILDREN,
     .text = "parents of a node, level by level from the terminals on, as [1, 4]"},
    {"topology.cables", RANGE(1, UT_MAX_PORTS), .takers = UT_KEY_CABLES, .follows = "1 each",
     .text = "cables side by side, for each dimension or level, as [1, 2]"},
    {"topology.file", .values = FILE_NAME, .takers = UT_KEY_FILE,
     .text = "node list, anynet or GraphML; seen from the scenario's folder"},
    {"topology.terminal_links", VALUE(topology.terminal_links), RANGE(1, UT_MAX_TERMINAL_LINKS),
     .takers = UT_KEY_TERMINAL_LINKS, .otherwise = "1",
     .text = "links of each terminal to its switch, used side by side"},
    {"topology.link_cycles", VALUE(topology.link_cycles), RANGE(1, 16), .otherwise = "1",
     .text = "cycles that a link between switches takes"},
    {"topology.injection_cycles", VALUE(topology.injection_cycles), RANGE(1, 32), .follows = "link_cycles",
     .text = "cycles that a link from a terminal takes"},
    {"topology.ejection_cycles", VALUE(topology.ejection_cycles), RANGE(1, 32), .follows = "link_cycles",
     .text = "cycles that a link to a terminal takes"},

    {"switch", .text = "the switch: all of them are alike"},
    UT_SWITCH_KEYS(NUMBER_ROW, WORD_ROW, WORD_ROW, OWN_ROW)

        {"routing", .text = "how packets find their way"},
    {"routing.algorithm", .text = "routing algorithm"},
    {"routing.reroute_timeout_cycles", VALUE(routing.reroute_timeout_cycles), RANGE(0, 65535), .otherwise = "4096",
     .text = "cycles after which a bit of a re-route vector is forgotten; 0: never"},
    {"routing.reroute_clear", VALUE(routing.reroute_clear), .otherwise = "repair",
     .text = "what clears such bits: that time alone, or a repair's news too"},
    {"routing.exclusion_intervals", VALUE(routing.exclusion_intervals), RANGE(0, UT_MAX_EXCLUSIONS), .otherwise = "0",
     .text = "of each up port: destinations that a dead link lies before; 0: none"},
    {"routing.planner", VALUE(routing.planning.planner), .otherwise = "updown", .takers = UT_KEY_PLANNER,
     .text = "paths that tables take"},
    {"routing.too_few_vcs", VALUE(routing.planning.too_few_vcs), .otherwise = "discard", .takers = UT_KEY_PLANNER,
     .text = "packets for whose paths there are too few VCs"},
    {"routing.roots", .takers = UT_KEY_PLANNER, .follows = "the network",
     .text = "updown: names of the switches at the top, as [spine0, spine1]"},
    {"routing.tables_file", .values = FILE_NAME, .takers = UT_KEY_PLANNER,
     .text = "planner file: tables of a subnet manager, or a CSV (switch,destination,port)"},
    {"routing.sl_file", .values = FILE_NAME, .takers = UT_KEY_PLANNER,
     .text = "planner file: path SLs, rows of GUID, LID and SL; the VC that a packet stays on"},
    {"routing.sl2vl_file", .values = FILE_NAME, .takers = UT_KEY_PLANNER,
     .text = "planner file: SL-to-VL tables, which give the VC of an SL"},
    {"routing.tables", VALUE(routing.tables), .otherwise = "reconfigured",
     .text = "forwarding tables, exclusion intervals: written anew after each change, or once"},
    {"routing.reconfiguration", VALUE(routing.reconfiguration), .otherwise = "dynamic",
     .text = "after a change traffic goes on, or halts until there are new routes"},
    {"routing.update", VALUE(routing.update), .follows = "safe in graphs, else mixed",
     .text = "while tables are written: entries mixed, or withdrawn first if they change"},
    {"routing.parallel_links", VALUE(routing.parallel_links), .otherwise = "dynamic",
     .text = "of two links side by side: the one with more room, or a fixed one"},
    {"routing.manager_delay_cycles", VALUE(routing.manager_delay_cycles), RANGE(0, 1000000000), .otherwise = "0",
     .text = "cycles from a change until the manager begins to tell of it"},
    /* REROUTE section IX.C: 58,593 cycles for 32 switches */
    {"routing.manager_switch_cycles", VALUE(routing.manager_switch_cycles), RANGE(0, 1000000000), .otherwise = "1831",
     .text = "cycles from one switch, or terminal, that it tells to the next"},
    {"routing.drain_timeout_cycles", VALUE(routing.drain_timeout_cycles), RANGE(0, 1000000000), .otherwise = "10000",
     .text = "static reconfiguration, updates: cycles until packets have left; 0: no limit"},
    {"routing.beyond_fault_model", VALUE(routing.beyond_fault_model), .otherwise = "false",
     .text = "accept faults that the algorithm's fault model does not cover"},
    {"routing.purge_timeout_cycles", VALUE(routing.purge_timeout_cycles), RANGE(0, 1000000000), .otherwise = "2000",
     .text = "cycles between two purges after a node has failed or come back; 0: none"},
    {"routing.mechanisms", .text = "routes planned around the faults of cycle 0, and by what means"},
    {"routing.mechanisms.intermediate", VALUE(routing.intermediate), RANGE(0, UT_MAX_SUB_PATHS - 1), .otherwise = "0",
     .text = "intermediate nodes of a route"},
    {"routing.mechanisms.deterministic", VALUE(routing.deterministic), .otherwise = "false",
     .text = "deterministic sub-paths"},
    {"routing.mechanisms.misroute", VALUE(routing.misroute), .otherwise = "false",
     .text = "hops away from the destination"},
    {"routing.plane_bypass", VALUE(routing.plane_bypass), .otherwise = "false",
     .text = "switch off planes that together hold all faults of cycle 0"},

    {"traffic", .text = "which packets the terminals send, and when"},
    {"traffic.pattern", .otherwise = "uniform", .text = "who sends to whom"},
    {"traffic.load_flits_per_cycle", VALUE(traffic.load_flits_per_cycle), RANGE(0, LOAD_LIMIT),
     .values = "0..injection links of a terminal",
     .text = "mean flits per cycle of a terminal; not for a trace or a workload"},
    {"traffic.terminal_loads_file", .values = FILE_NAME, .follows = "all alike",
     .text = "lines `terminal load`, relative loads; seen from the scenario's folder"},
    {"traffic.process", VALUE(traffic.process), .otherwise = "bernoulli",
     .text = "times between packets: geometric, or exponential"},
    {"traffic.hot_spot_fraction", VALUE(traffic.hot_spot_fraction), RANGE(0, 1), .otherwise = "0.15",
     .text = "hot_spot: probability that a packet goes to a hot spot"},
    {"traffic.hot_spot_node", RANGE(0, 65535), .otherwise = "0", .text = "hot_spot: the terminal, if there is one"},
    {"traffic.hot_spots", RANGE(0, 65535), .follows = "hot_spot_node",
     .text = "hot_spot: the terminals, equally likely, as [0, 21]"},
    {"traffic.shift", VALUE(traffic.shift), RANGE(1, 65535), .otherwise = "1", .text = "shift: how far"},
    {"traffic.over", VALUE(traffic.over), .otherwise = "terminals",
     .text = "shift, permutation, address bits: what is numbered"},
    {"traffic.member", VALUE(traffic.member), .otherwise = "random",
     .text = "over groups or switches: a terminal at random, or that of the same place"},
    {"traffic.permutation_file", .values = FILE_NAME,
     .text = "permutation: a destination a line, or pairs; seen from the scenario's folder"},
    {"traffic.trace_file", .values = FILE_NAME,
     .text = "trace: lines `cycle src dst flits`; seen from the scenario's folder"},
    {"traffic.rates_file", .values = FILE_NAME,
     .text = "rates: lines `src dst rate`, relative rates; seen from the scenario's folder"},
    {"traffic.message_bytes", VALUE(traffic.message_bytes), RANGE(0, UINT64_C(1) << 40),
     .text = "collectives: bytes of a message, of all_reduce_ring in all"},
    {"traffic.root", VALUE(traffic.root), RANGE(0, 65535), .otherwise = "0",
     .text = "broadcast, all_reduce_tree: the terminal"},
    {"traffic.compute_cycles", VALUE(traffic.compute_cycles), RANGE(0, 1000000000), .otherwise = "0",
     .text = "all_reduce_*: with each part received; nearest_neighbour: before it sends"},
    {"traffic.dependency_file", .values = FILE_NAME,
     .text = "dependencies: messages and what they wait for; seen from the scenario's folder"},
    {"traffic.goal_file", .values = FILE_NAME,
     .text = "goal: a schedule in GOAL text form; seen from the scenario's folder"},
    {"traffic.cycles_per_calc", VALUE(traffic.cycles_per_calc), RANGE(0, 1000000), .otherwise = "1",
     .text = "goal: cycles of a unit of `calc`"},
    {"traffic.repeat", VALUE(traffic.repeat), RANGE(1, 1000000), .otherwise = "1",
     .text = "workloads: rounds, one after the other"},
    {"traffic.resend_after_cycles", VALUE(traffic.resend_after_cycles), RANGE(0, 1000000000), .otherwise = "0",
     .text = "from the loss of a packet until its source sends it again; 0: never"},
    {"traffic.resend_limit", VALUE(traffic.resend_limit), RANGE(0, 250), .otherwise = "16",
     .text = "resends of a packet; then it is given up"},
    {"traffic.resend_stop_cycles", VALUE(traffic.resend_stop_cycles), RANGE(0, 1000000000), .otherwise = "0",
     .text = "cycles for which a source sends nothing to where it gave a packet up"},
    {"traffic.resend_cause", VALUE(traffic.resend_cause), .otherwise = "any",
     .text = "losses that the source learns of: any, or those of which a switch gives notice"},

    {"faults", .text = "what fails, when, and when it comes back"},
    {"faults.at", RANGE(0, UT_MAX_CYCLES), .text = "cycle in which it fails"},
    {"faults.until", RANGE(1, UT_MAX_CYCLES), .follows = "for ever", .text = "cycle in which it comes back"},
    {"faults.every", RANGE(1, UT_MAX_CYCLES), .text = "cycles from one time to the next, with `times`"},
    {"faults.times", RANGE(2, 100000), .follows = "once", .text = "how often; random components are drawn anew"},
    {"faults.link", .text = "the link at a port of a switch"},
    {"faults.link.level", RANGE(0, 15), .follows = "the switch is named",
     .text = "level of the switch; 0 where there are none"},
    {"faults.link.switch", RANGE(0, 65535), .values = "0..65535, or a name",
     .text = "its number in the level, or, without level, its name"},
    {"faults.link.port", RANGE(0, UT_MAX_PORTS),
     .text = "output port; of a switch that is named as `uturn net` prints it"},
    {"faults.switch", .text = "a switch with all its links"},
    {"faults.switch.level", RANGE(0, 15), .follows = "the switch is named",
     .text = "level of the switch; 0 where there are none"},
    {"faults.switch.switch", RANGE(0, 65535), .values = "0..65535, or a name",
     .text = "its number in the level, or, without level, its name"},
    {"faults.injection", .text = "the link from a terminal, by itself"},
    {"faults.injection.terminal", RANGE(0, 65535), .text = "number of the terminal"},
    {"faults.injection.link", RANGE(0, UT_MAX_TERMINAL_LINKS - 1), .otherwise = "0",
     .text = "which, where it has several"},
    {"faults.ejection", .text = "the link to a terminal, by itself"},
    {"faults.ejection.terminal", RANGE(0, 65535), .text = "number of the terminal"},
    {"faults.ejection.link", RANGE(0, UT_MAX_TERMINAL_LINKS - 1), .otherwise = "0",
     .text = "which, where it has several"},
    {"faults.direction", .otherwise = "both",
     .text = "of a link with two directions: both, out of that port, or into it"},
    {"faults.random_links", RANGE(1, 1 << 20), .text = "so many links between switches, drawn with the seed"},
    {"faults.random_switches", RANGE(1, 1 << 20),
     .text = "so many switches, drawn with the seed; with levels, above level 0"},
    {"faults.apart", RANGE(1, UT_MAX_RADIX), .takers = UT_KEY_SIZES,
     .text = "with random_switches: so many hops apart in a dimension"},
    {"faults.random_subcube", RANGE(1, UT_MAX_CUBE),
     .text = "every other node of a random subcube of so many dimensions"},
    {"faults.half_of", RANGE(0, UT_MAX_CUBE - 1), .text = "with random_subcube: a dimension that it does not have"},
    {"faults.random_terminal_links", RANGE(1, 1 << 20), .text = "so many links of terminals, drawn with the seed"},

    {"run", .text = "how long, and what is measured"},
    {"run.warmup", VALUE(run.warmup), .otherwise = "cycles",
     .text = "what ends warm-up and measurement: numbers of cycles, or what is measured"},
    {"run.warmup_cycles", VALUE(run.warmup_cycles), RANGE(0, UT_MAX_CYCLES), .otherwise = "1000",
     .text = "cycles before that; until_stable: at least; workloads have none"},
    {"run.measure_cycles", VALUE(run.measure_cycles), RANGE(1, UT_MAX_CYCLES), .otherwise = "10000",
     .text = "cycles that are measured; until_stable: at least; workloads: at most, 10000000"},
    {"run.precision", VALUE(run.precision), RANGE(0, 1), .otherwise = "0.05",
     .text = "until_stable: half width of the 95 % intervals, a share of the mean"},
    {"run.max_cycles", VALUE(run.max_cycles), RANGE(1, UT_MAX_CYCLES), .otherwise = "200000",
     .text = "until_stable: cycles of warm-up and measurement together, at most"},
    {"run.drain", VALUE(run.drain), .otherwise = "true", .text = "go on until everything has arrived"},
    {"run.drain_limit_cycles", VALUE(run.drain_limit_cycles), RANGE(0, UT_MAX_CYCLES), .otherwise = "100000",
     .text = "cycles after which draining gives up"},
    {"run.watchdog_cycles", VALUE(run.watchdog_cycles), RANGE(0, UT_MAX_CYCLES), .otherwise = "1000",
     .text = "cycles from one search for deadlocks to the next; 0: none"},
    {"run.seed", VALUE(run.seed), RANGE(0, UINT64_MAX), .otherwise = "1", .text = "of all random numbers"},
};
const size_t ut_key_count = sizeof ut_keys / sizeof ut_keys[0];

const struct ut_key *ut_key_find(const char *path) {
  char key[64];
  size_t length = 0;
  for (const char *c = path; *c && length + 1 < sizeof key; c++) {
    if (*c != '[')
      key[length++] = *c;
    else if (!(c = strchr(c, ']')))
      return NULL;
  }
  key[length] = '\0';
  for (size_t i = 0; i < ut_key_count; i++)
    if (strcmp(ut_keys[i].path, key) == 0)
      return &ut_keys[i];
  return NULL;
}

bool ut_key_names_file(const struct ut_key *key) {
  return key->values && !strcmp(key->values, FILE_NAME);
}

const char *ut_key_file(unsigned number) {
  for (size_t i = 0; i < ut_key_count; i++)
    if (ut_key_names_file(&ut_keys[i]) && !number--)
      return ut_keys[i].path;
  return NULL;
}

uint64_t ut_key_number(const char *path) {
  return strtoull(ut_key_find(path)->otherwise, NULL, 10);
}

double ut_key_real(const char *path) {
  return strtod(ut_key_find(path)->otherwise, NULL);
}
