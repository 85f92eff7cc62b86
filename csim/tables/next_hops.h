/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops.h - next-hop groups and the tables that name them (algorithm forwarding), from what a planner says: for
 * each switch and destination, a set of output ports.
 *
 * A planner knows one kind of network; what makes tables of its answers knows none.  A group is a set of ports that
 * some destination has.  A set keeps its number from survey to survey as long as an entry names it, and a new set gets
 * the number of one that no entry of this survey or the last one names, so that each entry of a switch that is being
 * written leads where the old or the new plan says.  If there are more sets than groups, a destination gets the largest
 * group that is part of its set, or none: then it is unreachable from there.
 */
#ifndef UT_NEXT_HOPS_H
#define UT_NEXT_HOPS_H

#include "mask.h"
#include "topology.h"

struct ut_planning;
struct ut_shape;

/* A planner of next hops. */
struct ut_next_hop_planner {
  /* Returns a planner for a network whose switches have that many VCs; NULL: out of memory. */
  void *(*open)(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs);
  void (*close)(void *planner);
  /* Surveys the network, given the output links that are up, by switch; it determines the answers until the next one.
   */
  void (*survey)(void *planner, const ut_mask *link_up);
  /* Returns the output ports of a switch that lead packets from input ports of a bank to a terminal; 0: none does.
   * Bank 2: packets that are not on the escape VC. */
  ut_mask (*next_hops)(const void *planner, uint32_t sw, unsigned bank, uint32_t dst);
  /* Returns the bank of an input port, 0 or 1. */
  unsigned (*bank)(const void *planner, uint32_t sw, unsigned in_port);
  /* Returns the VCs that a row of the VC map allows at an output port, as a set; row: as in a word `vc_row`.  NULL: its
   * switches need no VC map. */
  unsigned (*vcs)(const void *planner, uint32_t sw, unsigned row, unsigned out_port);
  /* Returns the layer of packets to a terminal that begin at a switch, or, with layer_of_terminal, at a terminal.
   * NULL: 0 for all. */
  unsigned (*layer)(const void *planner, uint32_t source, uint32_t dst);
  bool layer_of_terminal;
  /* Returns how many VCs the paths of the last survey need.  NULL: one. */
  unsigned (*vcs_needed)(const void *planner);
};

/* Up*-down* in a network of levels: all shortest ways up, then the way down; bank 1 has the ports above. */
extern const struct ut_next_hop_planner ut_next_hops_by_levels;
/* All shortest allowed ways in a network of any form, as the scenario's planner says. */
extern const struct ut_next_hop_planner ut_next_hops_by_search;
/* What the scenario's file says. */
extern const struct ut_next_hop_planner ut_next_hops_by_file;
/* One shortest way for each pair, in virtual layers. */
extern const struct ut_next_hop_planner ut_next_hops_by_layers;
/* All shortest ways, and on the escape VC all shortest allowed ones. */
extern const struct ut_next_hop_planner ut_next_hops_by_escape;

/* Valiant's routing and UGAL: towards an intermediate terminal, then to the destination. */
extern const struct ut_next_hop_planner ut_next_hops_via;

struct ut_next_hops {
  const struct ut_topology *topology;
  const struct ut_next_hop_planner *by;
  void *planner;
  unsigned groups, v, layers; /* of each switch; layers: of its VC map, 0: it has none */
  unsigned rows;              /* of a table: 2 banks; with an escape VC another one for the other VCs */
  uint32_t destinations;
  uint8_t *entry; /* [switches * rows * destinations]: bank, destination: the group, as planned */
  ut_mask *group; /* [switches * groups] */
  bool *named;    /* [switches * groups]: by an entry of the last survey */
  uint8_t *layer; /* [sources * destinations]: what terminals have been told, by switch or by terminal; NULL: 0 */
};

/* shape: of the largest switch.  false: out of memory. */
bool ut_next_hops_init(struct ut_next_hops *hops, const struct ut_topology *topo,
                       const struct ut_next_hop_planner *planner, const struct ut_planning *planning,
                       const struct ut_shape *shape);
void ut_next_hops_fini(struct ut_next_hops *hops);
void ut_next_hops_survey(struct ut_next_hops *hops, const ut_mask *link_up);

/* Returns how many VCs the paths of the last survey need. */
unsigned ut_next_hops_vcs_needed(const struct ut_next_hops *hops);

/* Tells the terminals the layers of this survey, when tables are in the switches. */
void ut_next_hops_tell(struct ut_next_hops *hops);
/* Returns what a source writes into the rt field of a packet's header. */
uint32_t ut_next_hops_rt(const struct ut_next_hops *hops, uint32_t src, uint32_t dst);

/* Returns how many words of the configuration port a switch has: its groups, the banks of its input ports, its
 * VC map, its entries.
 */
uint32_t ut_next_hops_words(const struct ut_next_hops *hops);
/* Returns how many of them come before its entries: they have 32 bits, entries a group's number. */
uint32_t ut_next_hops_wide_words(const struct ut_next_hops *hops);
/* Return how many words a group has: one for each 32 output ports; the number of the word of an input port's bank, of
 * an entry.  The words of the groups are the first ones. */
unsigned ut_next_hops_halves(const struct ut_next_hops *hops);
uint32_t ut_next_hops_bank_at(const struct ut_next_hops *hops, unsigned in_port);
uint32_t ut_next_hops_entry_at(const struct ut_next_hops *hops, unsigned row, uint32_t dst);
/* Returns one of them, in that order: groups are there before an entry names them. */
uint64_t ut_next_hops_word(const struct ut_next_hops *hops, uint32_t sw, uint32_t i);

/* Returns the number of a word, from its address. */
uint32_t ut_next_hops_number(const struct ut_next_hops *hops, uint64_t word);

#endif
