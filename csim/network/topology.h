/* topology.h - who is connected to whom: switches, terminals, links.
 *
 * Constant after init and shared by everything that simulates or analyses the network.  Flat arrays; what belongs to
 * port p of switch s stands at s * po + p (outputs) or s * pi + p (inputs).  Switches are numbered level by level, and
 * within a level by their index.
 */
#ifndef UT_TOPOLOGY_H
#define UT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "scenario.h"

enum ut_peer_kind { UT_PEER_NONE, UT_PEER_SWITCH, UT_PEER_TERMINAL };

/* The other end of a port. */
struct ut_peer {
  uint32_t index; /* of the switch or terminal */
  uint8_t port;   /* of the switch; 0 for a terminal */
  uint8_t kind;   /* enum ut_peer_kind */
};

/* Where a terminal is attached. */
struct ut_attachment {
  uint32_t sw;
  uint8_t in_port;  /* of the switch: the terminal injects here */
  uint8_t out_port; /* of the switch: the terminal receives from here */
};

/* A physical link between two switches, both directions. */
struct ut_link {
  uint32_t lower, upper; /* switches; lower < upper */
  uint8_t lower_port, upper_port;
};

struct ut_topology {
  const char *kind;    /* as in a scenario: "fat_tree" */
  unsigned dimensions; /* of a torus or mesh; 0: a fat tree */
  unsigned size[UT_MAX_DIMENSIONS];
  bool wrap; /* torus */
  uint32_t switches, terminals;
  unsigned pi, po;      /* input and output ports of every switch */
  unsigned levels;      /* level 0: leaf switches */
  uint64_t up_ports;    /* mask of the ports that lead up, the same in every switch */
  struct ut_peer *peer; /* [switches * po]: where an output port leads to */
  /* [switches * pi]: where an input port comes from; the same array as peer where all links are bidirectional */
  struct ut_peer *source;
  struct ut_attachment *attachment; /* [terminals] */
  struct ut_link *link;             /* [links]: every inter-switch link once, sorted by (lower, lower_port) */
  size_t links;
  uint8_t *level;     /* [switches] */
  uint32_t *position; /* [switches]: index within the level */
  uint64_t *straps;   /* [switches]: configuration inputs, rtl/header.tsv */
};

enum { UT_SWITCH_NAME_SIZE = 24, UT_SWITCH_TUPLE_SIZE = 64 };

/* Builds the scenario's network.  -1 and *e when it is impossible or memory ran out; *t is then empty. */
int ut_topology_init(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e);
void ut_topology_free(struct ut_topology *t);

/* Memory for a network of those sizes, all peers UT_PEER_NONE; for the topology files (fat_tree.c).  bidirectional:
 * needs pi == po; source becomes peer.  The caller has set nothing in *t before. */
int ut_topology_allocate(struct ut_topology *t, const char *kind, uint32_t switches, uint32_t terminals, unsigned pi,
                         unsigned po, size_t links, bool bidirectional, struct ut_error *e);

/* Number of the switch at that place; UINT32_MAX when there is none. */
uint32_t ut_topology_switch(const struct ut_topology *t, unsigned level, unsigned index);

/* Writes "level.index" into text and returns text. */
const char *ut_topology_switch_name(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_NAME_SIZE]);

/* The same as the papers of k-ary n-trees write it, "<level,digits>": the n-1 digits of the index to the base k, the
 * highest first, with dots between them where k is above 10.  Of a torus or mesh its coordinates, "(x,y,z)". */
const char *ut_topology_switch_tuple(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]);

/* Coordinate of a node of a torus or mesh in dimension d. */
unsigned ut_topology_coordinate(const struct ut_topology *t, uint32_t node, unsigned d);

/* Links on the shortest way between two nodes of a torus or mesh without faults. */
unsigned ut_topology_distance(const struct ut_topology *t, uint32_t from, uint32_t to);

enum { UT_DIRECTION_SIZE = 16 };
/* Where a port of a torus or mesh leads: "+x", "-y", "local 0" for its first terminal; returns text. */
const char *ut_topology_direction(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]);

#endif
