/* SPDX-License-Identifier: Apache-2.0 */
/* family.h - the topologies that a scenario can name: one table, a line a kind, and code behind each line.
 *
 * Nobody else asks which kind a network is: callers ask a family, or a topology, for properties.  A new one is a file
 * beside this one (fat_tree.c is the shortest example) and its row in families.h: docs/howto/add_a_family.md.
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

enum { UT_MAX_COORDINATES = UT_MAX_CUBE };

/* How large a network is, without building it. */
struct ut_sizes {
  uint64_t switches, terminals; /* of impossible scenarios more than can be */
  unsigned levels;
  unsigned ports;          /* of the switch with most of them, in one direction */
  unsigned terminal_links; /* injection links of a terminal */
};

struct ut_family {
  const char *kind;       /* as in a scenario */
  const char *routing[2]; /* its algorithms are those of these families in rtl/algorithms.tsv; NULL: no second one */
  bool tables;            /* and those with forwarding tables: forwarding.h computes them */
  bool bypass;            /* planes with faults can be switched off (plane_bypass.h) */
  bool parallel_links;    /* its switches may choose among links side by side: key routing.parallel_links */
  unsigned keys;          /* set of enum ut_topology_keys */
  /* What its keys together make impossible; 0, or -1 after ut_impossible(). */
  int (*check)(const struct ut_check *c);
  void (*sizes)(const struct ut_scenario *s, struct ut_sizes *z);
  /* Sizes that follow from the keys k and n; called when there is no key `sizes`.  NULL: it has none. */
  void (*derive)(struct ut_scenario *s);
  /* The same network with another k or n (0: as it is), for cost --vary.  NULL: both are all that there is. */
  void (*resize)(struct ut_scenario *s, unsigned k, unsigned n);
  /* Builds the topology of a scenario that has been checked; sets all of *t.  -1 and *e: out of memory. */
  int (*build)(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e);
  /* What the elaboration of its switches needs beyond ports, VCs and buffers: *shape is filled otherwise. */
  void (*elaborate)(const struct ut_scenario *s, const struct ut_elaboration *e, struct ut_shape *shape);
  /* Switching elements of a switch, as RUFT section 3 and table 3 count them for k x k crossbars: see cost.  NULL: the
   * paper does not count such. */
  unsigned (*switching_elements)(const struct ut_shape *shape);
  /* "4-ary 3-tree", "8x8x4 torus" */
  void (*network_name)(const struct ut_scenario *s, char text[UT_NETWORK_NAME_SIZE]);
  /* The switch as the papers write it: "<level,digits>", "(x,y,z)". */
  void (*switch_tuple)(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]);
  /* Where an output port leads: "up", "+x", "local 0". */
  void (*port_name)(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]);
  /* The ways to dst through an injection link of terminal src, as a set of at most 24 bits for the rt field of its
   * packets, that work with those channels up (a bitmap; NULL: all).  NULL: its terminals choose nothing. */
  unsigned (*choices)(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link, uint32_t dst);
  /* How many coordinates a node has, and how many values each; terminals are numbered node by node.  NULL: its switches
   * have none. */
  unsigned (*coordinates)(const struct ut_scenario *s, unsigned size[UT_MAX_COORDINATES]);
  /* The most hops between two switches in one dimension.  NULL: they have no coordinates. */
  unsigned (*apart)(const struct ut_topology *t, uint32_t a, uint32_t b);
  /* Links on the shortest way between two switches without faults.  NULL: packets go from level to level. */
  unsigned (*distance)(const struct ut_topology *t, uint32_t from, uint32_t to);
  /* The fault model of its nodes (node_model.h); NULL: there is none. */
  const struct ut_node_rules *node_rules;
  /* A channel through an output port as the algorithm's paper writes it: "+0.1".  false, or NULL: it has no such name.
   */
  bool (*channel_name)(const struct ut_topology *t, const struct ut_shape *shape, unsigned port, unsigned vc,
                       char text[UT_CHANNEL_NAME_SIZE]);
};

/* All families, ended by NULL; in the order of their rows. */
extern const struct ut_family *const ut_families[];

/* The family of that name; NULL: there is none. */
const struct ut_family *ut_family_find(const char *kind);

/* The files of the families. */
#define UT_FAMILY_DECLARED(name) extern const struct ut_family ut_family_##name;
UT_FOR_EACH_FAMILY(UT_FAMILY_DECLARED)
#undef UT_FAMILY_DECLARED

#endif
