/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - a network as a file of others describes it: switches and terminals with names, and channels between their
 * ports.
 *
 * A channel leads one way; a cable is two of them between the same two ports.  Ports are numbered from 0 here;
 * first_port is what the file calls port 0.  Readers (graph_read.h) fill a graph line by line, ut_graph_check() refuses
 * what is no network, and csim/topology/graph_topology.h makes switches and terminals of it.
 */
#ifndef UT_GRAPH_H
#define UT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

enum {
  UT_GRAPH_NAME_SIZE = 65,    /* of a name, with its NUL: InfiniBand's node descriptions have 64 bytes */
  UT_GRAPH_MOST_PORTS = 254,  /* of a node in a file */
  UT_GRAPH_MOST_CYCLES = 255, /* of a channel */
};
#define UT_NO_NODE UINT32_MAX

struct ut_graph_node {
  char *name, *id; /* both unique; the id, which a file uses in place of the name, may be the name */
  bool terminal;
  uint16_t lid;   /* InfiniBand's address; 0: none */
  uint64_t guid;  /* of a switch, of a terminal's port; 0: none */
  unsigned ports; /* of a switch: as declared, or one more than the highest that a channel uses */
  unsigned line;  /* of the file; 0: it has no lines */
};

struct ut_graph_channel {
  uint32_t from, to; /* nodes */
  uint8_t from_port, to_port;
  uint8_t cycles; /* 1..UT_GRAPH_MOST_CYCLES; 0: the file does not say */
  unsigned line;
};

struct ut_graph {
  char *path;
  unsigned first_port;
  struct ut_graph_node *node; /* terminals are numbered in this order */
  uint32_t nodes, node_room;
  struct ut_graph_channel *channel;
  uint32_t channels, channel_room;
  unsigned owners;
  uint32_t *slot; /* [slots]: nodes by the hash of name or id; UT_NO_NODE: free */
  uint32_t slots;
};

/* An empty graph of that file, which the graph copies the name of; NULL: out of memory. */
struct ut_graph *ut_graph_new(const char *path);
/* Another owner of the same graph, which frees it as well; NULL is none.  Not for several threads. */
struct ut_graph *ut_graph_share(struct ut_graph *graph);
void ut_graph_free(struct ut_graph *graph);

/* Returns the node of that name or id; UT_NO_NODE: there is none. */
uint32_t ut_graph_find(const struct ut_graph *graph, const char *name);

bool ut_graph_has_switch(const struct ut_graph *graph, const char *name);

/* Adds a node.  id NULL: the same as its name.  Returns its number, or UT_NO_NODE and *e: the name is empty, too long,
 * or another node has it already. */
uint32_t ut_graph_add(struct ut_graph *graph, const struct ut_graph_node *node, struct ut_error *e);

/* Adds a channel; the nodes' numbers of ports grow as needed.  Returns 0, or -1 when out of memory. */
int ut_graph_lay(struct ut_graph *graph, const struct ut_graph_channel *channel, struct ut_error *e);

/* Adds the two channels of a cable: that one, and back with as many cycles. */
int ut_graph_join(struct ut_graph *graph, const struct ut_graph_channel *channel, struct ut_error *e);

/* Adds terminal `number` of a switch, "leaf3.0" for 0, at a port of it.  0, or -1 and *e. */
int ut_graph_add_terminal(struct ut_graph *graph, uint32_t sw, unsigned port, unsigned number, struct ut_error *e);

/* Gives a switch so many terminals at its next ports, "leaf3.0" and so on.  0, or -1 and *e. */
int ut_graph_add_local(struct ut_graph *graph, uint32_t sw, unsigned terminals, struct ut_error *e);

/* Whether each channel has one that leads back between the same two ports. */
bool ut_graph_is_bidirectional(const struct ut_graph *graph);

/* Refuses what is no network: a port with two cables, a node joined to itself, terminals that are joined to none or
 * several switches, to a terminal, or one way only; fewer than two terminals.  0, or -1 and *e. */
int ut_graph_check(const struct ut_graph *graph, struct ut_error *e);

/* "file:line: " or "file: "; returns text. */
const char *ut_graph_place(const struct ut_graph *graph, unsigned line, char *text, size_t size);

#endif
