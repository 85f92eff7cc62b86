/* SPDX-License-Identifier: Apache-2.0 */
/* switch_tables_write.c - see switch_tables_write.h */
#include "switch_tables_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool ut_graph_has_lids(const struct ut_graph *graph) {
  for (uint32_t i = 0; i < graph->nodes; i++)
    if (!graph->node[i].lid || !graph->node[i].guid)
      return false;
  return true;
}

int ut_switch_tables_check_form(const struct ut_graph *graph, struct ut_error *e) {
  const bool lids = ut_graph_has_lids(graph);
  for (uint32_t i = 0; i < graph->nodes && !lids; i++) {
    const char *name = graph->node[i].name;
    if (strpbrk(name, ",\r\n") || strchr(" \t#", *name) || strchr(" \t", name[strlen(name) - 1]))
      return ut_fail(e, UT_BAD_INPUT,
                     "%s: a CSV of tables cannot have the name '%s': give the network LIDs and GUIDs, as ibnetdiscover "
                     "prints them, or the node another name",
                     graph->path, name);
  }
  return 0;
}

/* ---- nodes by their LIDs */

static int by_lid(const void *a, const void *b) {
  const struct ut_graph_node *const *x = a, *const *y = b;
  return (*x)->lid - (*y)->lid;
}

/* All nodes, or NULL: out of memory. */
static const struct ut_graph_node **sort_nodes(const struct ut_graph *graph) {
  const struct ut_graph_node **list = malloc((graph->nodes + 1) * sizeof *list);
  for (uint32_t i = 0; list && i < graph->nodes; i++)
    list[i] = &graph->node[i];
  if (list)
    qsort(list, graph->nodes, sizeof *list, by_lid);
  return list;
}

/* ---- forwarding tables */

/* Returns the port as the file numbers it; -1: there is no way.  That to itself is 0. */
static int port_to(const struct ut_switch_tables *tables, uint32_t sw, uint32_t to) {
  const unsigned port = ut_switch_tables_port(tables, sw, to);
  if (sw == to)
    return 0;
  return port == UT_NO_TABLE_PORT ? -1 : (int)(port + tables->graph->first_port);
}

static void put_dump(const struct ut_switch_tables *tables, uint32_t sw, const struct ut_graph_node *const *node,
                     FILE *stream) {
  const struct ut_graph *graph = tables->graph;
  unsigned rows = 0;
  fprintf(stream, "Unicast lids [0-%u] of switch Lid %u guid 0x%016" PRIx64 " ('%s'):\n", node[graph->nodes - 1]->lid,
          graph->node[sw].lid, graph->node[sw].guid, graph->node[sw].name);
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const int port = port_to(tables, sw, (uint32_t)(node[i] - graph->node));
    if (port < 0)
      continue;
    fprintf(stream, "0x%04x %03d # %s portguid 0x%016" PRIx64 ": '%s'\n", node[i]->lid, port,
            node[i]->terminal ? "Channel Adapter" : "Switch", node[i]->guid, node[i]->name);
    rows++;
  }
  fprintf(stream, "%u lids dumped\n", rows);
}

static void put_csv(const struct ut_switch_tables *tables, uint32_t sw, FILE *stream) {
  const struct ut_graph *graph = tables->graph;
  for (uint32_t to = 0; to < graph->nodes; to++)
    if (to != sw && port_to(tables, sw, to) >= 0)
      fprintf(stream, "%s,%s,%d\n", graph->node[sw].name, graph->node[to].name, port_to(tables, sw, to));
}

int ut_switch_tables_write(const struct ut_switch_tables *tables, FILE *stream, struct ut_error *e) {
  const struct ut_graph *graph = tables->graph;
  const bool lids = ut_graph_has_lids(graph);
  const struct ut_graph_node **node = sort_nodes(graph);
  if (!node)
    return ut_fail_memory(e);
  if (!lids)
    fputs("switch,destination,port\n", stream);
  for (uint32_t sw = 0; sw < graph->nodes; sw++) {
    if (graph->node[sw].terminal)
      continue;
    if (lids)
      put_dump(tables, sw, node, stream);
    else
      put_csv(tables, sw, stream);
  }
  free(node);
  return 0;
}

/* ---- layers */

void ut_path_sls_write(const struct ut_path_sls *sls, FILE *stream) {
  for (uint32_t from = 0; from < sls->terminals; from++)
    for (uint32_t to = 0; to < sls->terminals; to++)
      if (from != to)
        fprintf(stream, "0x%016" PRIx64 " %u %u\n", sls->graph->node[sls->node[from]].guid,
                sls->graph->node[sls->node[to]].lid, ut_path_sl(sls, from, sls->node[to]));
}

void ut_sl2vl_write(const struct ut_graph *graph, unsigned vls, FILE *stream) {
  char row[UT_SLS * 3 + 1] = "";
  for (unsigned sl = 0; sl < UT_SLS; sl++)
    snprintf(row + 3 * sl, sizeof row - 3 * sl, "%-3u", sl % vls);
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    if (node->terminal)
      continue;
    fprintf(stream,
            "Switch 0x%016" PRIx64 ", base LID %u, \"%s\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n",
            node->guid, node->lid, node->name);
    for (unsigned out = 1; out <= node->ports; out++)
      for (unsigned in = 0; in <= node->ports; in++)
        fprintf(stream, "%-3u %-3u : %s\n", in, out, row);
    fputc('\n', stream);
  }
}
