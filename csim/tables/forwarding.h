/* SPDX-License-Identifier: Apache-2.0 */
/* forwarding.h - computes forwarding tables for the switches that work and the links that are up.
 *
 * Routing is destro's: up by the digits of the destination, then one path down.  If destro's up port is not the start
 * of a fault-free up*-down* path, another port that is takes its place: the destinations that share the port are spread
 * over all others.  For table_reroute_det_link the tables are those of REROUTE algorithm 1, with entries for U-turns
 * and for packets in the re-routing layer.  With local re-routing only entries up depend on faults: those down are the
 * shortest way, those for U-turns lead up, and the switch finds the way around.  There are two banks: input ports from
 * below, and from above.  Each entry is the answer of the golden model's route function for reroute_det_link with the
 * up ports that lack such a path taken for faulty: its rules are not implemented a second time.  Networks of any form
 * (balanced.h) and algorithm forwarding (next_hops.h) have tables of their own.
 */
#ifndef UT_FORWARDING_H
#define UT_FORWARDING_H

#include "balanced.h"
#include "next_hops.h"
#include "switch.h"
#include "topology.h"
#include "up_down.h"

struct ut_forwarding {
  const struct ut_topology *topology;
  struct ut_balanced balanced;           /* of networks of any form, in place of the rest */
  const struct ut_next_hop_planner *one; /* or this planner, which answers with one port */
  void *planner;
  struct ut_group group; /* one switch with reroute_det_link, which answers */
  bool local;            /* includes entries for U-turns */
  bool layers;           /* and those of algorithm 1 for the re-routing layer */
  unsigned v, destinations;
  uint32_t entries, words;   /* words of the configuration port for a switch: entries, then banks of its input ports */
  ut_mask *up;               /* output links that are up, by switch, at the last survey */
  struct ut_up_down up_down; /* paths over them */
  struct ut_next_hops hops;  /* of algorithm forwarding, in place of all this */
};

/* shape: of the network's switches, with an algorithm that has tables. false: out of memory. */
bool ut_forwarding_init(struct ut_forwarding *forwarding, const struct ut_topology *topo, const struct ut_shape *shape,
                        const struct ut_planning *planning);
void ut_forwarding_fini(struct ut_forwarding *forwarding);

/* Surveys the network, given link states by switch.  Entries are those for this state until the next survey. */
void ut_forwarding_survey(struct ut_forwarding *forwarding, const ut_mask *link_up);

/* Refuses a network whose paths need more VCs than its switches have, if the planner does not let them share the last
 * one; path: of the scenario.  Returns -1 and fills *e. */
int ut_forwarding_check(const struct ut_forwarding *forwarding, const char *path, const struct ut_planning *planning,
                        struct ut_error *e);

/* Returns word i of a switch (`config` of rtl/header.tsv).  The order of entries: bank, input VC, destination; then
 * banks by input port.  Of algorithm forwarding: that of ut_next_hops_word(). */
uint64_t ut_forwarding_word(struct ut_forwarding *forwarding, uint32_t sw, uint32_t i);
/* Returns which of them writes an entry. */
static inline uint32_t ut_forwarding_at(const struct ut_forwarding *forwarding, bool from_above, unsigned in_vc,
                                        uint32_t dst) {
  return (from_above * forwarding->v + in_vc) * forwarding->destinations + dst;
}

/* Whether word i is an entry of the table, and not what entries refer to. */
bool ut_forwarding_is_entry(const struct ut_forwarding *forwarding, uint32_t i);
/* The destination of that entry. */
uint32_t ut_forwarding_destination(const struct ut_forwarding *forwarding, uint32_t i);

/* Returns the number of a word, from its address. */
uint32_t ut_forwarding_number(const struct ut_forwarding *forwarding, uint64_t word);

#endif
