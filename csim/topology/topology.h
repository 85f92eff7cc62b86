/* SPDX-License-Identifier: Apache-2.0 */
/* topology.h - the connections of a network: switches, terminals, links.
 *
 * A topology is constant after init and shared by all code that simulates or analyses the network.  It consists of flat
 * arrays: data of port p of switch s are at index s * po + p (outputs) or s * pi + p (inputs).  Switches are numbered
 * level by level, and within a level by their index.
 *
 * A channel is one direction of a link: from an output port, or from a terminal, to an input port or a terminal.  It is
 * named by its sender: channel s * po + p leaves switch s at output port p; the injection channels of the terminals
 * follow.  In a bidirectional network channels come in pairs: input port p of a switch belongs to the same link as
 * output port p.  Otherwise each channel is a link by itself.
 */
#ifndef UT_TOPOLOGY_H
#define UT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "shape.h"

enum { UT_NETWORK_NAME_SIZE = 48, UT_SWITCH_NAME_SIZE = 72, UT_SWITCH_TUPLE_SIZE = 72, UT_DIRECTION_SIZE = 16 };
enum { UT_CHANNEL_NAME_SIZE = 16 };

enum ut_peer_kind { UT_PEER_NONE, UT_PEER_SWITCH, UT_PEER_TERMINAL };

/* One end of a channel. */
struct ut_peer {
  uint32_t index; /* of the switch or terminal */
  uint8_t port;   /* of the switch; for a terminal, which of its links: 0 if it has one */
  uint8_t kind;   /* enum ut_peer_kind */
};

/* A link between two switches: both directions, or in a unidirectional network from lower to upper. */
struct ut_link {
  uint32_t lower, upper; /* switches; lower < upper, or lower is the sender */
  uint8_t lower_port, upper_port;
};

/* Switches first..first+count-1 have the same elaboration. */
struct ut_elaboration {
  uint32_t first, count;
  uint8_t pi, po; /* input and output ports */
};

enum { UT_MAX_ELABORATIONS = 16 };
#define UT_NO_CHANNEL UINT32_MAX

struct ut_topology {
  const struct ut_family *family;
  const char *kind;    /* name in a scenario: "fat_tree" */
  unsigned dimensions; /* of a torus or mesh; 0: neither */
  unsigned size[UT_MAX_DIMENSIONS];
  bool wrap;     /* torus */
  unsigned cube; /* dimensions of a hypercube; 0: it is none */
  bool bidirectional;
  bool static_links; /* parallel links: the destination selects the one to take */
  uint32_t switches, terminals;
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  unsigned elaborations;
  unsigned pi, po;                /* ports of the largest switch: input and output */
  unsigned injections, ejections; /* links of a terminal into the network and from there: 1..UT_MAX_TERMINAL_LINKS */
  uint32_t channels;              /* channels, including those of ports that do not exist */
  unsigned levels;                /* level 0: leaf switches */
  uint64_t up_ports;              /* mask of the ports that lead up in some switch; 0: no port does */
  struct ut_peer *peer;           /* [channels]: the end of each channel */
  uint32_t *feeder;               /* [switches * pi]: the channel that arrives at an input port, or UT_NO_CHANNEL */
  uint32_t *ejection;             /* [terminals * ejections]: the channels to a terminal */
  struct ut_link *link;           /* [links]: every inter-switch link once, sorted by (lower, lower_port) */
  size_t links;
  uint8_t *level;     /* [switches] */
  uint32_t *position; /* [switches]: index within the level */
  uint64_t *straps;   /* [switches]: configuration inputs, rtl/header.tsv */
  uint32_t *group;    /* [switches]: of a dragonfly; NULL: there are no groups */
  uint64_t *up;       /* [switches]: mask of the ports that lead up, of those in up_ports; NULL: no port does */
  /* Of networks from files; NULL: the others have none. */
  uint8_t *extra_cycles;     /* [channels]: of longer links, beyond those that the scenario gives links of their kind */
  char *names;               /* that the following two point into */
  const char **switch_label; /* [switches] */
  const char **terminal_label; /* [terminals] */
  unsigned first_port;         /* what their file calls port 0 */
};

/* topo: filled by ut_topology_init() (topology_build.h), or all zero. */
void ut_topology_free(struct ut_topology *topo);

/* ---- for the families' files */

/* Allocates a network whose family, kind, and numbers of switches, terminals, ports and links are set; nothing is
 * connected yet, there is one elaboration unless some are set, and the ports in up_ports lead up in all switches.
 * Returns -1 and fills *e when out of memory. */
int ut_topology_allocate(struct ut_topology *topo, struct ut_error *e);
/* Lays a channel from an output port to the input port of another switch. */
void ut_topology_connect(struct ut_topology *topo, uint32_t from, unsigned port, uint32_t to, unsigned to_port);
/* Lays injection channel `link` of a terminal, or its ejection channel. */
void ut_topology_inject(struct ut_topology *topo, uint32_t terminal, unsigned link, uint32_t to, unsigned port);
void ut_topology_eject(struct ut_topology *topo, uint32_t from, unsigned port, uint32_t terminal, unsigned link);

/* Lays all links of the terminals of a switch, where every switch has the same number of them.  Terminal number
 * `terminal` of the switch gets the ports from first_port + terminal * topo->injections on, a link each, for both
 * injection and ejection. */
void ut_topology_attach(struct ut_topology *topo, uint32_t sw, unsigned terminals, unsigned first_port);

/* ---- questions */

/* Returns the number of the switch at that place; UINT32_MAX: there is none. */
uint32_t ut_topology_switch(const struct ut_topology *topo, unsigned level, unsigned index);

/* Returns the elaboration of a switch: an index into topo->elaboration. */
static inline unsigned ut_topology_elaboration(const struct ut_topology *topo, uint32_t sw) {
  unsigned i = 0;
  while (sw - topo->elaboration[i].first >= topo->elaboration[i].count)
    i++;
  return i;
}

/* Returns whether the two switches are of different groups. */
static inline bool ut_topology_leaves_group(const struct ut_topology *topo, uint32_t from, uint32_t to) {
  return topo->group && topo->group[from] != topo->group[to];
}

/* Returns the mask of the ports of a switch that lead up. */
static inline uint64_t ut_topology_up_ports(const struct ut_topology *topo, uint32_t sw) {
  return topo->up ? topo->up[sw] : 0;
}

static inline uint32_t ut_topology_injection(const struct ut_topology *topo, uint32_t terminal, unsigned link) {
  return topo->switches * topo->po + terminal * topo->injections + link;
}

/* Returns the sender of a channel.  A terminal's port is the number of its link. */
struct ut_peer ut_topology_sender(const struct ut_topology *topo, uint32_t channel);

/* Returns the sender of the channel that arrives at an input port; kind UT_PEER_NONE: none does. */
struct ut_peer ut_topology_source(const struct ut_topology *topo, uint32_t sw, unsigned port);

/* Returns the other direction of the same link; UT_NO_CHANNEL: it has none. */
uint32_t ut_topology_twin(const struct ut_topology *topo, uint32_t channel);

/* A terminal's first and last switch, where it has one of each; ports: where its flits enter and leave. */
struct ut_attachment {
  uint32_t sw;
  uint8_t in_port;  /* of the switch: the terminal injects here */
  uint8_t out_port; /* of the switch: the terminal receives from here */
};
/* Returns where a terminal of a bidirectional network is attached, by its first link; its other links are at the next
 * ports. */
struct ut_attachment ut_topology_attachment(const struct ut_topology *topo, uint32_t terminal);

/* Numbers the switches where terminals are attached, in the order of these; home: [switches], UINT32_MAX: no terminal.
 * Returns how many there are. */
uint32_t ut_topology_homes(const struct ut_topology *topo, uint32_t *home);

/* Returns the coordinate of a node of a torus or mesh in dimension d. */
unsigned ut_topology_coordinate(const struct ut_topology *topo, uint32_t node, unsigned d);

/* Returns the switch of that name, which commands print; UINT32_MAX: there is none. */
uint32_t ut_topology_switch_named(const struct ut_topology *topo, const char *name);

/* Writes "level.index" into text, or the name that the network's file has, and returns text. */
const char *ut_topology_switch_name(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_NAME_SIZE]);

/* The numbers in the name of a switch: 3 and 2 of "g3.r2".  Returns how many there are, at most `most`. */
unsigned ut_topology_name_numbers(const struct ut_topology *topo, uint32_t sw, unsigned *number, unsigned most);

/* Writes the switch as the papers of k-ary n-trees do, "<level,digits>": the n-1 digits of the index to the base k, the
 * highest first, with dots between them if k is above 10.  Of a torus or mesh its coordinates, "(x,y,z)". */
const char *ut_topology_switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]);

/* Writes both, "1.3 <1,03>"; the name alone of networks from files. */
enum { UT_SWITCH_TEXT_SIZE = UT_SWITCH_NAME_SIZE + UT_SWITCH_TUPLE_SIZE };
const char *ut_topology_switch_text(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TEXT_SIZE]);

/* Writes "local 0" for the first terminal of a switch, "local 0.1" for its second link if it has several; for the
 * families. local: the port, counted from the first local one. */
void ut_topology_local_name(const struct ut_topology *topo, unsigned local, char text[UT_DIRECTION_SIZE]);

/* "<level,digits>" of a network with levels of k^(n-1) switches; for the families. */
void ut_topology_digits(const struct ut_topology *topo, uint32_t sw, unsigned k, char text[UT_SWITCH_TUPLE_SIZE]);

/* Writes the direction of an output port of that switch, like ut_topology_direction(); where ports lead up, "up" or
 * "down". */
const char *ut_topology_way(const struct ut_topology *topo, uint32_t sw, unsigned port, char text[UT_DIRECTION_SIZE]);

/* Writes the direction of a port: "up", "+x", "local 0" for the first terminal of a node; returns text. */
const char *ut_topology_direction(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]);

#endif
