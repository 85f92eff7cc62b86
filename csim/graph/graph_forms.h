/* SPDX-License-Identifier: Apache-2.0 */
/* graph_forms.h - the readers of graph_read.h, one for each form of file. */
#ifndef UT_GRAPH_FORMS_H
#define UT_GRAPH_FORMS_H

#include "error.h"
#include "graph.h"

/* Bytes of a line of any form: a router of 254 ports takes 5,000. */
enum { UT_LIMIT_GRAPH_LINE_BYTES = 1 << 16 };

/* Each fills an empty graph.  0, or -1 and *e. */
int ut_graph_read_node_list(struct ut_graph *graph, struct ut_error *e);
int ut_graph_read_anynet(struct ut_graph *graph, struct ut_error *e);
int ut_graph_read_graphml(struct ut_graph *graph, struct ut_error *e);

#endif
