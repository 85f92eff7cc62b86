/* SPDX-License-Identifier: Apache-2.0 */
/* path_network.h - the paths of a network as graphs whose edges can fail: for each destination, the links that its
 * packets may take from each switch.
 *
 * For algorithms without detours: a pair is connected if one of its paths has no faulty link.  A unit is what fails
 * together: a link of one direction, a cable, which is both directions, or a switch, which is all its links.  Links
 * that cannot fail are merged, so that destinations for which the same units matter share a graph, and sources that
 * enter the same graphs through the same units are one source.
 */
#ifndef UT_PATH_NETWORK_H
#define UT_PATH_NETWORK_H

#include "error.h"
#include "layout.h"
#include "link_classes.h"
#include "mask.h"
#include "topology.h"

enum { UT_CLASS_SWITCH = 8 }; /* of a unit, beside those of enum ut_link_class */

/* The input of the graphs.  Channels are numbered as in topology.h: output port p of switch s is s * po + p; the
 * terminals' injection channels follow, `injections` of each. */
struct ut_path_source {
  uint32_t switches, terminals;
  unsigned pi, po, injections;
  const struct ut_peer *to;                            /* by channel: where it leads */
  uint32_t (*twin)(const void *ctx, uint32_t channel); /* the cable's other direction; UT_NO_TWIN: none */
  /* Returns the output ports that a packet to dst may take that has arrived at that input port. */
  ut_mask (*next)(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst);
  void *ctx;
  uint32_t failing[2]; /* switches failing[0]..failing[1]-1 can fail */
};
#define UT_NO_TWIN UINT32_MAX

enum { UT_NO_UNIT = 0 };                       /* number of "cannot fail" */
enum { UT_WAY_ARRIVED, UT_WAY_NONE, UT_WAYS }; /* nodes of every graph; the others follow, successors first */

struct ut_way {
  uint32_t unit, node; /* the next node, if that unit works */
};

/* The graph of several destinations. */
struct ut_ways {
  uint32_t members; /* destinations */
  uint32_t nodes;
  uint32_t *first;    /* [nodes + 1]: ways of node i are first[i]..first[i+1]-1 */
  struct ut_way *way; /* [first[nodes]] */
  uint32_t *entry;    /* [entries]: node where packets begin */
};

struct ut_path_network {
  const struct ut_path_source *source;
  uint32_t channels;
  uint32_t *unit;        /* [channels]: 1..units, or UT_NO_UNIT */
  uint32_t units, links; /* units 1..links are links, the others switches, ascending */
  uint32_t *channel;     /* [links + 1]: one of the unit's */
  uint8_t *unit_class;   /* [units + 1]: set of enum ut_link_class, UT_CLASS_SWITCH */

  uint32_t rows;       /* input ports of a switch share a row if all packets may go on alike from them */
  uint32_t *row;       /* [switches * pi] */
  uint32_t *first_row; /* [switches] */
  ut_mask *answer;     /* [rows * terminals] */

  uint32_t groups, *group_of;   /* groups: graphs; [terminals]: of a destination */
  struct ut_ways *ways;         /* [groups] */
  bool repeated;                /* a unit stands at two ways of some graph: no flows (path_cut.c) */
  uint32_t entries;             /* places where packets enter */
  uint32_t sources, *source_of; /* sources: kinds of them; [terminals] */
  struct ut_way *start;         /* [sources * injections]: unit and entry */
  uint64_t pairs;               /* ordered pairs of different terminals */
};

/* classes: those of the links that can fail.  directed: each direction by itself, otherwise cables.  *source must stay
 * valid until ut_path_network_free().  Returns -1 and fills *e if some packet can go round or gets nowhere in the
 * fault-free network, or when out of memory. */
int ut_path_network_init(struct ut_path_network *paths, const struct ut_path_source *source, unsigned classes,
                         bool directed, struct ut_error *e);
void ut_path_network_free(struct ut_path_network *paths);

/* The switch that is that unit, one above paths->links. */
uint32_t ut_path_network_switch(const struct ut_path_network *paths, uint32_t unit);

/* Counts the ordered pairs of different terminals from each source to the group: into pairs[sources]. */
void ut_path_network_pairs(const struct ut_path_network *paths, uint32_t group, uint32_t *pairs);

#endif
