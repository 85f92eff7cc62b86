/* SPDX-License-Identifier: Apache-2.0 */
/* graph_read.h - reads a network from a file; which of three forms it has is told from its content.
 *
 *   node list  "Switch 36 "leaf0"", below it lines "[1] "host0"[1]": what ibnetdiscover prints and ibsim reads
 *   anynet     "router 0 node 0 node 1 router 1 15": BookSim's file of any network
 *   GraphML    of networkx, igraph, yEd
 *
 * docs/howto/own_network.md tells what of each is read.
 */
#ifndef UT_GRAPH_READ_H
#define UT_GRAPH_READ_H

#include "error.h"
#include "graph.h"

/* Reads the file and checks it (graph.h).  local: terminals of each switch where the file names no terminal; 0: then it
 * is refused.  NULL and *e (UT_BAD_INPUT): with the file, the line and the remedy. */
struct ut_graph *ut_graph_read(const char *path, unsigned local, struct ut_error *e);

#endif
