/* SPDX-License-Identifier: Apache-2.0 */
/* graph_write.h - writes a network in the forms that graph_read.h reads.
 *
 * What a form cannot hold:
 *
 *   node list  links of one direction, quotation marks in names; latencies, which it leaves away
 *   anynet     links of one direction, unlike latencies to and from a terminal; names and numbers of ports, which it
 *              leaves away: nodes are numbered, and ports count in their old order, those without a link left out
 *   GraphML    names that are no text of UTF-8
 */
#ifndef UT_GRAPH_WRITE_H
#define UT_GRAPH_WRITE_H

#include <stdio.h>

#include "error.h"
#include "graph.h"

enum ut_graph_form { UT_GRAPH_NODE_LIST, UT_GRAPH_ANYNET, UT_GRAPH_GRAPHML, UT_GRAPH_FORMS };

/* Tells the form from a file's ending: .net and .topo a node list, .anynet, .graphml.  0, or -1 and *e. */
int ut_graph_form_of(const char *path, enum ut_graph_form *form, struct ut_error *e);

/* Refuses a graph that the form cannot hold.  0, or -1 and *e (UT_BAD_INPUT), which names the remedy. */
int ut_graph_check_form(const struct ut_graph *graph, enum ut_graph_form form, struct ut_error *e);

/* Writes a graph that the form can hold.  0, or -1 and *e when out of memory; errors of the stream are the caller's. */
int ut_graph_write(const struct ut_graph *graph, enum ut_graph_form form, FILE *stream, struct ut_error *e);

#endif
