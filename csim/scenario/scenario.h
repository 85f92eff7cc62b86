/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.h - a scenario: the description of a simulation.
 *
 * It is read from YAML with libcyaml against a schema (docs/reference/scenario.md).  Every quantity carries its unit in
 * its key.  Unknown keys, wrong types and impossible combinations are errors with file, line, column, the offending
 * line and the nearest known name.
 */
#ifndef UT_SCENARIO_H
#define UT_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "fault_entry.h"
#include "lengths.h"
#include "list.h"
#include "planning.h"
#include "replanner.h"
#include "scenario_facts.h"
#include "shape.h"
#include "switch_keys.h"

struct ut_family;   /* family.h */
struct ut_graph;    /* graph.h */
struct ut_pattern;  /* pattern.h */
struct ut_topology; /* topology.h */
enum ut_process { UT_BERNOULLI, UT_POISSON };
enum ut_over { UT_OVER_TERMINALS, UT_OVER_GROUPS, UT_OVER_SWITCHES };
enum ut_group_member { UT_MEMBER_RANDOM, UT_MEMBER_SAME };
/* How bits of a re-route vector are cleared: by the paper's inactivity timer only, or also when the neighbour reports
 * no faulty link any more (docs/explanation/reroute_vector.md). */
enum ut_reroute_clear { UT_CLEAR_TIMER, UT_CLEAR_REPAIR };
enum ut_resend_cause { UT_RESEND_ANY, UT_RESEND_NOTICE };
/* Forwarding tables: written once, or recomputed for the surviving network after each change. */
enum ut_tables { UT_TABLES_RECONFIGURED, UT_TABLES_STATIC };
/* What a change interrupts: nothing; or injection halts, the network empties, routes or tables are written for the
 * links that are left, and traffic goes on (reconfiguration.h). */
enum ut_reconfiguration_method { UT_RECONFIGURATION_DYNAMIC, UT_RECONFIGURATION_STATIC };
/* Which of two parallel links a packet takes: the one with more free space, or the one that its destination selects. */
enum ut_links { UT_LINKS_DYNAMIC, UT_LINKS_STATIC };

/* Which group global link q of a dragonfly's group leads to: the one that is q + 1 groups further; or the q-th of the
 * others by their numbers. */
enum ut_arrangement { UT_ARRANGEMENT_RELATIVE, UT_ARRANGEMENT_ABSOLUTE };

/* What ends the warm-up: a number of cycles, or the traffic itself (docs/reference/steady.md). */
enum ut_warmup { UT_WARMUP_CYCLES, UT_WARMUP_UNTIL_STABLE };

/* All nodes of a grid with that coordinate. */
struct ut_plane {
  uint8_t dimension, coordinate;
};
enum { UT_MAX_PLANES = 64 };

struct ut_scenario {
  char *path; /* as given */
  char *name; /* base name without .yaml */
  struct {
    const struct ut_family *family;
    unsigned k, n;                          /* of a network of levels */
    unsigned sizes;                         /* if the family has them: 1..UT_MAX_DIMENSIONS */
    unsigned size[UT_MAX_DIMENSIONS];       /* in place of k and n */
    unsigned local_ports;                   /* terminals of a node */
    unsigned groups, routers, global_links; /* of a dragonfly; groups 0: as many as there are links to */
    enum ut_arrangement global_arrangement; /* of its links between groups */
    unsigned global_cycles;                 /* of these, 1..255 */
    unsigned q;                             /* of a Slim Fly */
    struct ut_list down, up, cables;        /* of an XGFT, the last of a HyperX, too */
    char *file;                             /* of a network of any form, resolved against the scenario's folder */
    struct ut_graph *graph;                 /* what it says */
    unsigned terminal_links;                /* links of each terminal to its node, each way: 1..UT_MAX_TERMINAL_LINKS */
    unsigned link_cycles; /* 1..16, default 1: a flit valid on an output register is accepted link_cycles later */
    unsigned injection_cycles, ejection_cycles; /* 1..32, of the links of terminals; default: link_cycles */
  } topology;
  struct {
    /* vcs, depth_flits ...: rtl/parameters.tsv explains each.  Of a trace or a distribution, packet_flits is the
     * longest packet and shortest_packet_flits the shortest. */
#define UT_SWITCH_NUMBER(key, ...) unsigned key;
#define UT_SWITCH_TRUTH(key, ...) bool key;
    UT_SWITCH_KEYS(UT_SWITCH_NUMBER, UT_SWITCH_NUMBER, UT_SWITCH_TRUTH, UT_SWITCH_NUMBER)
    enum ut_distribution distribution;
    double mean_flits, long_fraction; /* of an exponential, a bimodal distribution */
  } sw;                               /* key `switch` */
  struct {
    char *algorithm;                 /* a name of rtl/algorithms.tsv */
    unsigned reroute_timeout_cycles; /* 0: no timer; up to 65535 */
    enum ut_reroute_clear reroute_clear;
    unsigned exclusion_intervals; /* of each up port; 0: none */
    struct ut_planning planning;
    enum ut_tables tables; /* with tables or intervals; so are the following three (manager.h) */
    enum ut_reconfiguration_method reconfiguration;
    unsigned manager_delay_cycles, manager_switch_cycles;
    unsigned drain_timeout_cycles; /* of a static reconfiguration; 0: none */
    enum ut_links parallel_links;
    bool beyond_fault_model;       /* with node states: faults outside the paper's model are accepted, and reported */
    unsigned purge_timeout_cycles; /* of algorithms that keep node states: purge_protocol.h; 0: no timeout */
    /* Mechanisms of INTERMEDIATE that planned routes may use: intermediate nodes, D, M. */
    unsigned intermediate;
    bool deterministic, misroute;
    bool plane_bypass; /* planes with faults are switched off instead (BlueGene/L) */
  } routing;
  struct {
    const struct ut_pattern *pattern;
    double load_flits_per_cycle; /* per terminal, 0..1 for each of its injection links; 0 for patterns without one */
    enum ut_process process;
    double hot_spot_fraction; /* 0..1 */
    struct ut_list hot_spots; /* terminals */
    unsigned shift;
    enum ut_over over;           /* what the numbers of a pattern count */
    enum ut_group_member member; /* the terminal of the group or switch that a packet goes to */
    /* Files, resolved against the scenario's folder: the one that the pattern needs; what each terminal sends, or NULL:
     * all send as much */
    char *file, *terminal_loads_file;
    /* cycles from the loss of a packet until it is sent again (0: never), and how often at most */
    uint64_t resend_after_cycles;
    uint64_t resend_stop_cycles; /* for which a source sends nothing to the destination of a packet that it gave up */
    unsigned resend_limit;
    enum ut_resend_cause resend_cause; /* which losses the source learns of: any, or those that a switch tells */
    /* of workloads: bytes of a message, the terminal where a tree begins, cycles of computing, rounds; cycles of a unit
     * of calc */
    uint64_t message_bytes, compute_cycles;
    unsigned root, repeat;
    double cycles_per_calc;
  } traffic;
  struct ut_fault *faults;
  size_t fault_count;
  struct {
    enum ut_warmup warmup;
    uint64_t warmup_cycles, measure_cycles; /* of a workload: none, and the most; until stable: the least */
    double precision;                       /* until stable: half width of the 95 % intervals, as a share */
    uint64_t max_cycles;                    /* until stable: of warm-up and measurement together */
    bool drain;
    uint64_t drain_limit_cycles; /* stops draining then, and packets stay in flight; default 100000 */
    uint64_t watchdog_cycles;    /* period of the deadlock search, 0: none, default 1000 */
    uint64_t seed;
  } run;
  struct {
    struct ut_plane plane[UT_MAX_PLANES]; /* coordinates in the network as it was */
    unsigned count, nodes_off;
  } bypass;                  /* what has been switched off already (ut_bypass_planes()) */
  struct ut_topology *built; /* the network of `topology` (ut_scenario_build(), topology_build.h) */
  struct ut_paths *paths; /* the planned routes, to be made for scenarios with mechanisms; see ut_scenario_planned() */
  struct ut_replanner replanner; /* empty if routes are not planned again */
};

enum { UT_MAX_TERMINALS = 65536 };

/* Resends of a packet at most, where a scenario does not say. */
enum { UT_RESEND_LIMIT = 16 };

/* Limit on the cycles of a workload whose scenario has none. */
enum { UT_WORKLOAD_CYCLES = 10000000 };

/* Returns the lengths of its packets; a trace has its own. */
struct ut_length_rule ut_scenario_lengths(const struct ut_scenario *scenario);

#endif
