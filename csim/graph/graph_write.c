/* SPDX-License-Identifier: Apache-2.0 */
/* graph_write.c - see graph_write.h */
#include "graph_write.h"

#include <inttypes.h>
#include <libxml/tree.h>
#include <libxml/xmlstring.h>
#include <stdlib.h>
#include <string.h>

#include "graph_ends.h"

/* A graph that is being written. */
struct writer {
  const struct ut_graph *graph;
  struct ut_graph_ends ends;
  uint32_t *number; /* [nodes]: of a switch or of a terminal among its like */
  FILE *out;
};

/* ---- forms */

static const struct {
  const char *ending;
  enum ut_graph_form form;
} endings[] = {{".net", UT_GRAPH_NODE_LIST},
               {".topo", UT_GRAPH_NODE_LIST},
               {".anynet", UT_GRAPH_ANYNET},
               {".graphml", UT_GRAPH_GRAPHML}};

int ut_graph_form_of(const char *path, enum ut_graph_form *form, struct ut_error *e) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp(dot, endings[i].ending)) {
      *form = endings[i].form;
      return 0;
    }
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: the ending does not tell the form of a network: .net and .topo are node lists, .anynet and "
                 ".graphml what they say; or give --form",
                 path);
}

static uint32_t twin(const struct writer *writer, uint32_t channel) {
  return ut_graph_twin(&writer->ends, channel);
}

/* Whether both directions of each cable take equally long. */
static bool is_symmetric(const struct writer *writer) {
  for (uint32_t i = 0; i < writer->graph->channels; i++)
    if (writer->graph->channel[twin(writer, i)].cycles != writer->graph->channel[i].cycles)
      return false;
  return true;
}

static bool is_text(const char *name) {
  for (const char *at = name; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f)
      return false;
  return xmlCheckUTF8((const xmlChar *)name);
}

static int check_names(const struct ut_graph *graph, enum ut_graph_form form, struct ut_error *e) {
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    const bool quoted = strpbrk(node->name, "\"\r\n") || strpbrk(node->id, "\"\r\n");
    if (form == UT_GRAPH_NODE_LIST && quoted)
      return ut_fail(e, UT_BAD_INPUT,
                     "a node list cannot hold the name '%s', with a quotation mark: rename the node, or write GraphML",
                     node->name);
    if (form == UT_GRAPH_GRAPHML && (!is_text(node->name) || !is_text(node->id)))
      return ut_fail(e, UT_BAD_INPUT, "GraphML cannot hold the name '%s', which is no UTF-8 text: rename the node",
                     node->name);
  }
  return 0;
}

static int start(struct writer *writer, const struct ut_graph *graph, FILE *out, struct ut_error *e) {
  uint32_t switches = 0, terminals = 0;
  *writer = (struct writer){.graph = graph, .out = out, .number = malloc((graph->nodes + 1) * sizeof *writer->number)};
  if (!writer->number || ut_graph_ends_find(&writer->ends, graph)) {
    free(writer->number);
    return ut_fail_memory(e);
  }
  for (uint32_t i = 0; i < graph->nodes; i++)
    writer->number[i] = graph->node[i].terminal ? terminals++ : switches++;
  return 0;
}

static void stop(struct writer *writer) {
  ut_graph_ends_free(&writer->ends);
  free(writer->number);
}

int ut_graph_check_form(const struct ut_graph *graph, enum ut_graph_form form, struct ut_error *e) {
  struct writer writer;
  int result = 0;
  if (form != UT_GRAPH_GRAPHML && !ut_graph_is_bidirectional(graph))
    return ut_fail(e, UT_BAD_INPUT, "%s cannot hold links of one direction, which this network has: write GraphML",
                   form == UT_GRAPH_ANYNET ? "anynet" : "a node list");
  if (check_names(graph, form, e) || (form == UT_GRAPH_ANYNET && start(&writer, graph, NULL, e)))
    return -1;
  for (uint32_t i = 0; form == UT_GRAPH_ANYNET && !result && i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    if (graph->node[channel->from].terminal && graph->channel[twin(&writer, i)].cycles != channel->cycles)
      result = ut_fail(e, UT_BAD_INPUT,
                       "anynet has one latency for both directions of a terminal's link, '%s' has two: make "
                       "injection_cycles and ejection_cycles equal, or write GraphML",
                       graph->node[channel->from].name);
  }
  if (form == UT_GRAPH_ANYNET)
    stop(&writer);
  return result;
}

/* ---- node list */

static void write_cable(const struct writer *writer, const struct ut_graph_channel *channel) {
  const struct ut_graph_node *from = &writer->graph->node[channel->from], *to = &writer->graph->node[channel->to];
  fprintf(writer->out, "[%u]", channel->from_port + 1);
  if (from->terminal && from->guid)
    fprintf(writer->out, "(%" PRIx64 ")", from->guid);
  fprintf(writer->out, "\t\"%s\"[%u]", to->id, channel->to_port + 1);
  if (to->terminal && to->guid)
    fprintf(writer->out, "(%" PRIx64 ")", to->guid);
  if (from->terminal && from->lid)
    fprintf(writer->out, "\t\t# lid %u lmc 0", from->lid);
  fprintf(writer->out, "\n");
}

static void write_list_node(const struct writer *writer, uint32_t node) {
  const struct ut_graph_node *own = &writer->graph->node[node];
  fprintf(writer->out, "%s\t%u \"%s\"", own->terminal ? "Ca" : "Switch", own->ports ? own->ports : 1, own->id);
  if (strcmp(own->name, own->id) || (own->lid && !own->terminal))
    fprintf(writer->out, "\t\t# \"%s\"", own->name);
  if (own->lid && !own->terminal)
    fprintf(writer->out, " base port 0 lid %u lmc 0", own->lid);
  fprintf(writer->out, "\n");
  for (unsigned port = 0; port < own->ports; port++)
    if (ut_graph_out_of(&writer->ends, node, port) != UT_NO_NODE)
      write_cable(writer, &writer->graph->channel[ut_graph_out_of(&writer->ends, node, port)]);
  fprintf(writer->out, "\n");
}

static void write_node_list(const struct writer *writer) {
  for (unsigned terminals = 0; terminals < 2; terminals++)
    for (uint32_t i = 0; i < writer->graph->nodes; i++)
      if (writer->graph->node[i].terminal == terminals)
        write_list_node(writer, i);
}

/* ---- anynet */

static void write_anynet(const struct writer *writer) {
  const struct ut_graph *graph = writer->graph;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    if (graph->node[i].terminal)
      continue;
    fprintf(writer->out, "router %" PRIu32, writer->number[i]);
    for (unsigned port = 0; port < graph->node[i].ports; port++) {
      const uint32_t out = ut_graph_out_of(&writer->ends, i, port);
      if (out == UT_NO_NODE)
        continue;
      const struct ut_graph_channel *channel = &graph->channel[out];
      fprintf(writer->out, " %s %" PRIu32, graph->node[channel->to].terminal ? "node" : "router",
              writer->number[channel->to]);
      if (channel->cycles > 1)
        fprintf(writer->out, " %u", channel->cycles);
    }
    fprintf(writer->out, "\n");
  }
}

/* ---- GraphML */

static const char graphml_begin[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
    "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
    "  <key id=\"ports\" for=\"node\" attr.name=\"ports\" attr.type=\"int\"/>\n"
    "  <key id=\"source_port\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>\n"
    "  <key id=\"target_port\" for=\"edge\" attr.name=\"target_port\" attr.type=\"int\"/>\n"
    "  <key id=\"latency\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"/>\n";

/* 0, or -1 when out of memory. */
static int put_xml(FILE *out, const char *text) {
  xmlChar *escaped = xmlEncodeSpecialChars(NULL, (const xmlChar *)text);
  if (!escaped)
    return -1;
  fputs((const char *)escaped, out);
  xmlFree(escaped);
  return 0;
}

static int write_xml_node(const struct writer *writer, const struct ut_graph_node *node) {
  fprintf(writer->out, "    <node id=\"");
  int result = put_xml(writer->out, node->id);
  fprintf(writer->out, "\"><data key=\"name\">");
  result |= put_xml(writer->out, node->name);
  fprintf(writer->out, "</data><data key=\"kind\">%s</data>", node->terminal ? "terminal" : "switch");
  if (!node->terminal)
    fprintf(writer->out, "<data key=\"ports\">%u</data>", node->ports);
  fprintf(writer->out, "</node>\n");
  return result;
}

static int write_xml_edge(const struct writer *writer, const struct ut_graph_channel *channel) {
  fprintf(writer->out, "    <edge source=\"");
  int result = put_xml(writer->out, writer->graph->node[channel->from].id);
  fprintf(writer->out, "\" target=\"");
  result |= put_xml(writer->out, writer->graph->node[channel->to].id);
  fprintf(writer->out, "\"><data key=\"source_port\">%u</data><data key=\"target_port\">%u</data>", channel->from_port,
          channel->to_port);
  if (channel->cycles > 1)
    fprintf(writer->out, "<data key=\"latency\">%u</data>", channel->cycles);
  fprintf(writer->out, "</edge>\n");
  return result;
}

/* Cables are undirected edges, where all links are such with one latency; else each channel is an edge. */
static int write_graphml(const struct writer *writer) {
  const struct ut_graph *graph = writer->graph;
  const bool undirected = ut_graph_is_bidirectional(graph) && is_symmetric(writer);
  int result = 0;
  fprintf(writer->out, "%s  <graph edgedefault=\"%s\">\n", graphml_begin, undirected ? "undirected" : "directed");
  for (uint32_t i = 0; i < graph->nodes; i++)
    result |= write_xml_node(writer, &graph->node[i]);
  for (uint32_t i = 0; i < graph->channels; i++)
    if (!undirected || i < twin(writer, i))
      result |= write_xml_edge(writer, &graph->channel[i]);
  fprintf(writer->out, "  </graph>\n</graphml>\n");
  return result;
}

int ut_graph_write(const struct ut_graph *graph, enum ut_graph_form form, FILE *stream, struct ut_error *e) {
  struct writer writer;
  int result = 0;
  if (start(&writer, graph, stream, e))
    return -1;
  switch (form) {
  case UT_GRAPH_NODE_LIST: write_node_list(&writer); break;
  case UT_GRAPH_ANYNET: write_anynet(&writer); break;
  default: result = write_graphml(&writer) ? ut_fail_memory(e) : 0;
  }
  stop(&writer);
  return result;
}
