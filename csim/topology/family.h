/* SPDX-License-Identifier: Apache-2.0 */
/* family.h - the families of topologies that a scenario can name: one table with a row for each kind, and the code
 * behind each row.
 *
 * Purpose: no other file asks which kind a network is; callers ask a family, or a topology, for properties.
 *
 * Interface: ut_family_find() returns the family of a kind; its members are properties and functions.  A new family is
 * a file next to this one (fat_tree.c is the shortest example) and its row in families.h: docs/howto/add_a_family.md.
 *
 * Invariants: a member that is NULL means that the family lacks the property; the comment says what that implies.
 * build() is called only for scenarios that have passed check(); sizes() also copes with impossible ones.
 *
 * Mistakes that a caller can make: calling a member that may be NULL without testing it; calling build() with a
 * scenario that has not been checked; comparing `kind` instead of asking for a property.
 */
#ifndef UT_FAMILY_H
#define UT_FAMILY_H

#include "algorithms.h"
#include "error.h"
#include "families.h"
#include "scenario_keys.h"
#include "scenario_refusal.h"
#include "shape.h"
#include "topology.h"

struct ut_node_rules;
struct ut_graph; /* graph.h */

enum { UT_MAX_COORDINATES = UT_MAX_CUBE, UT_LINK_CLASS_SIZE = 24, UT_MOST_LINK_CLASSES = 16 };

/* The size of a network, without building it. */
struct ut_sizes {
  uint64_t switches, terminals; /* too large numbers for impossible scenarios */
  unsigned levels;
  unsigned ports;          /* ports of the largest switch, in one direction */
  unsigned terminal_links; /* injection links of a terminal */
};

struct ut_next_hop_planner;
struct ut_family {
  const char *kind;       /* name in a scenario */
  const char *routing[2]; /* families of rtl/algorithms.tsv whose algorithms it can use; NULL: no second one */
  bool tables;            /* algorithms with forwarding tables are allowed; forwarding.h computes the tables */
  bool any_form;          /* tables are planned for a network of any form: hop_search.h; else for a fat tree */
  bool bypass;            /* planes with faults can be switched off (plane_bypass.h) */
  bool parallel_links;    /* switches may choose between parallel links: key routing.parallel_links */
  unsigned keys;          /* set of enum ut_topology_keys */
  /* Refuses impossible combinations of its keys.  Returns 0, or -1 after ut_impossible(). */
  int (*check)(const struct ut_check *c);
  void (*sizes)(const struct ut_scenario *s, struct ut_sizes *z);
  /* Makes the graph of a scenario that has passed check(), scenario->topology.graph; sizes() and build() need it.  NULL
   * and *e: a file is wrong, or out of memory.  NULL: a family without a graph. */
  struct ut_graph *(*graph)(const struct ut_scenario *s, struct ut_error *e);
  /* Derives sizes from the keys k and n; called if there is no key `sizes`.  NULL: there is nothing to derive. */
  void (*derive)(struct ut_scenario *s);
  /* Makes it the same network with another k or n (0: unchanged), for cost --vary.  NULL: k and n are all it has. */
  void (*resize)(struct ut_scenario *s, unsigned k, unsigned n);
  /* Builds the topology of a scenario that has been checked; sets all of *t.  Returns -1 and fills *e when out of
   * memory. */
  int (*build)(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e);
  /* Sets the parameters of its switches' elaborations other than ports, VCs and buffers, which *shape has already. */
  void (*elaborate)(const struct ut_scenario *s, const struct ut_elaboration *e, struct ut_shape *shape);
  /* Returns the switching elements of a switch, as RUFT section 3 and table 3 count them for k x k crossbars: see cost.
   * NULL: the paper does not count them. */
  unsigned (*switching_elements)(const struct ut_shape *shape);
  /* Writes the name of the network: "4-ary 3-tree", "8x8x4 torus". */
  void (*network_name)(const struct ut_scenario *s, char text[UT_NETWORK_NAME_SIZE]);
  /* Writes the name of a switch as in the papers: "<level,digits>", "(x,y,z)". */
  void (*switch_tuple)(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]);
  /* Writes the direction of an output port: "up", "+x", "local 0". */
  void (*port_name)(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]);
  /* Returns the routes to dst through an injection link of terminal src, as a set of at most 24 bits for the rt field
   * of its packets: those that work while the channels in `up` are up (a bitmap; NULL: all).  NULL: its terminals
   * choose no routes. */
  unsigned (*choices)(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link, uint32_t dst);
  /* Returns how many coordinates a node has, and how many values each takes; terminals are numbered node by node.
   * NULL: its switches have no coordinates. */
  unsigned (*coordinates)(const struct ut_scenario *s, unsigned size[UT_MAX_COORDINATES]);
  /* Returns the terminals of a group, in the order of their numbers: a group of the network's own, or a switch.  NULL:
   * it has no groups. */
  uint32_t (*group_terminals)(const struct ut_scenario *s);
  /* Returns the largest number of hops between two switches in any one dimension.  NULL: they have no coordinates. */
  unsigned (*apart)(const struct ut_topology *t, uint32_t a, uint32_t b);
  /* Returns the links on the shortest path between two switches without faults.  NULL: packets go from level to
   * level. */
  unsigned (*distance)(const struct ut_topology *t, uint32_t from, uint32_t to);
  /* Returns the class of a link between switches, from 0 on, and writes its name: "global".  NULL: its ports say it. */
  unsigned (*link_class)(const struct ut_topology *t, const struct ut_link *link, char text[UT_LINK_CLASS_SIZE]);
  /* The fault model of its nodes (node_model.h); NULL: there is none. */
  const struct ut_node_rules *node_rules;
  /* Writes a channel through an output port as the algorithm's paper does: "+0.1".  false, or NULL: it has no such
   * name.
   */
  bool (*channel_name)(const struct ut_topology *t, const struct ut_shape *shape, unsigned port, unsigned vc,
                       char text[UT_CHANNEL_NAME_SIZE]);
};

/* All families, in the order of their rows, terminated by NULL. */
extern const struct ut_family *const ut_families[];

/* Returns the family of that name; NULL: there is none. */
const struct ut_family *ut_family_find(const char *kind);

/* The files of the families. */
#define UT_FAMILY_DECLARED(name) extern const struct ut_family ut_family_##name;
UT_FOR_EACH_FAMILY(UT_FAMILY_DECLARED)
#undef UT_FAMILY_DECLARED

#endif
