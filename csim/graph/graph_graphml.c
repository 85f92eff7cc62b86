/* SPDX-License-Identifier: Apache-2.0 */
/* graph_graphml.c - reads GraphML (graphml.graphdrawing.org) by libxml2.
 *
 * What is read: nodes and edges of one graph, directed or undirected as a whole, and these data, by the attr.name of
 * their keys:
 *
 *   node  name or label           its name; the id of the node if there is none
 *         kind or type            terminal, host, endpoint, node: a terminal; anything else: a switch
 *         terminals               number of terminals that the switch has beside those that the file names
 *         ports                   number of ports of a switch, those without an edge counted
 *   edge  latency or cycles       of the channel
 *         source_port, target_port  ports; the attributes sourceport and targetport of an edge say the same.  Without
 *                                 them ports are taken in the order of the edges
 *
 * An undirected edge is a cable, a directed one a channel; two directed ones back to back are a cable if their ports
 * are the same, which they are where no ports are given.
 */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_forms.h"
#include "hash.h"
#include "input.h"
#include "input_limits.h"
#include "number.h"
#include "reserve.h"

enum { NO_PORT = -1, MOST_LOCAL = 62 };

struct graphml {
  struct ut_graph *graph;
  struct ut_error *e;
  xmlNode *root;
  bool directed;
  uint32_t *local; /* [nodes]: terminals of a switch that have no node */
  uint32_t local_room;
  struct edge *edge;
  uint32_t edges, room;
  struct ut_hash between; /* directed edges without ports: source, target, how many came before -> edge */
};

struct edge {
  uint32_t from, to;
  int from_port, to_port; /* NO_PORT: not said */
  uint8_t cycles;
  unsigned line;
};

static bool is(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static unsigned line_of(const xmlNode *node) {
  const long line = xmlGetLineNo((xmlNode *)node);
  return line > 0 ? (unsigned)line : 0;
}

static int fail_at(const struct graphml *graphml, const xmlNode *node, const char *what, const char *word) {
  char place[320];
  return ut_fail(graphml->e, UT_BAD_INPUT, "%s%s%s%.40s%s",
                 ut_graph_place(graphml->graph, line_of(node), place, sizeof place), what, word ? ", not '" : "",
                 word ? word : "", word ? "'" : "");
}

/* An attribute of an element; NULL: it has none.  To be freed with xmlFree(). */
static char *attribute(const xmlNode *node, const char *name) {
  return (char *)xmlGetProp((xmlNode *)node, (const xmlChar *)name);
}

static bool has_attribute(const xmlNode *node, const char *name, const char *value) {
  char *text = attribute(node, name);
  const bool equal = text && !strcmp(text, value);
  xmlFree(text);
  return equal;
}

/* Whether a key of the document has that id, is for such elements, and bears that name. */
static bool key_is_called(const struct graphml *graphml, const char *id, const char *element, const char *name) {
  for (const xmlNode *key = graphml->root->children; key; key = key->next)
    if (is(key, "key") && has_attribute(key, "id", id) && has_attribute(key, "attr.name", name) &&
        (has_attribute(key, "for", element) || has_attribute(key, "for", "all")))
      return true;
  return false;
}

/* The datum of that name; NULL: there is none.  To be freed with xmlFree(). */
static char *datum(const struct graphml *graphml, const xmlNode *node, const char *name) {
  for (const xmlNode *data = node->children; data; data = data->next) {
    if (!is(data, "data"))
      continue;
    char *key = attribute(data, "key");
    const bool found = key && key_is_called(graphml, key, (const char *)node->name, name);
    xmlFree(key);
    if (found)
      return (char *)xmlNodeGetContent((xmlNode *)data);
  }
  return NULL;
}

static char *datum_of_two(const struct graphml *graphml, const xmlNode *node, const char *name, const char *other) {
  char *text = datum(graphml, node, name);
  return text ? text : datum(graphml, node, other);
}

/* Reads a number that may be missing; networkx writes whole numbers as 2 or 2.0.  0, or -1 and *e. */
static int read_number(const struct graphml *graphml, const xmlNode *node, char *text, unsigned least, unsigned most,
                       int otherwise, int *number) {
  double value = 0;
  *number = otherwise;
  if (!text)
    return 0;
  char expected[64];
  snprintf(expected, sizeof expected, "expected a whole number, %u..%u", least, most);
  const bool good = ut_real_is(text, &value) && value >= least && value <= most && value == (double)(unsigned)value;
  const int result = good ? 0 : fail_at(graphml, node, expected, text);
  xmlFree(text);
  *number = good ? (int)value : otherwise;
  return result;
}

/* ---- nodes */

static bool says_terminal(const char *kind) {
  static const char *const words[] = {"terminal", "host", "endpoint", "node"};
  for (unsigned i = 0; kind && i < sizeof words / sizeof *words; i++)
    if (!strcmp(kind, words[i]))
      return true;
  return false;
}

static int keep_local(struct graphml *graphml, uint32_t node, int local) {
  if (!ut_reserve_one(&graphml->local, sizeof *graphml->local, node, &graphml->local_room))
    return ut_fail_memory(graphml->e);
  graphml->local[node] = (uint32_t)local;
  return 0;
}

static int read_node(struct graphml *graphml, const xmlNode *element) {
  char *id = attribute(element, "id"), *name = datum_of_two(graphml, element, "name", "label"),
       *kind = datum_of_two(graphml, element, "kind", "type");
  struct ut_graph_node node = {
      .id = id, .name = name && *name ? name : id, .terminal = says_terminal(kind), .line = line_of(element)};
  int local = 0, ports = 0, result = id ? 0 : fail_at(graphml, element, "a node without an id", NULL);
  for (const xmlNode *child = element->children; child && !result; child = child->next)
    if (is(child, "graph"))
      result = fail_at(graphml, child, "a graph within a node is not read: give the switches of one level", NULL);
  if (!result)
    result = read_number(graphml, element, datum(graphml, element, "terminals"), 0, MOST_LOCAL, 0, &local);
  if (!result)
    result = read_number(graphml, element, datum(graphml, element, "ports"), 1, UT_GRAPH_MOST_PORTS, 0, &ports);
  node.ports = node.terminal ? 0 : (unsigned)ports;
  if (!result && node.terminal && local)
    result = fail_at(graphml, element, "a terminal has no terminals", NULL);
  const uint32_t number = result ? UT_NO_NODE : ut_graph_add(graphml->graph, &node, graphml->e);
  if (number == UT_NO_NODE)
    result = -1;
  xmlFree(id);
  xmlFree(name);
  xmlFree(kind);
  return result ? -1 : keep_local(graphml, number, local);
}

/* ---- edges */

static int find_end(const struct graphml *graphml, const xmlNode *edge, const char *which, uint32_t *node) {
  char *id = attribute(edge, which);
  *node = id ? ut_graph_find(graphml->graph, id) : UT_NO_NODE;
  const int result = !id                   ? fail_at(graphml, edge, "an edge needs both 'source' and 'target'", NULL)
                     : *node == UT_NO_NODE ? fail_at(graphml, edge, "expected the id of a node", id)
                                           : 0;
  xmlFree(id);
  return result;
}

static int read_port(const struct graphml *graphml, const xmlNode *edge, const char *prefix, int *port) {
  char attribute_name[16], data_name[16];
  snprintf(attribute_name, sizeof attribute_name, "%sport", prefix);
  snprintf(data_name, sizeof data_name, "%s_port", prefix);
  char *text = attribute(edge, attribute_name);
  return read_number(graphml, edge, text ? text : datum(graphml, edge, data_name), 0, UT_GRAPH_MOST_PORTS - 1, NO_PORT,
                     port);
}

static int read_edge(struct graphml *graphml, const xmlNode *element) {
  struct edge edge = {.line = line_of(element)};
  int cycles;
  if (has_attribute(element, "directed", graphml->directed ? "false" : "true"))
    return fail_at(graphml, element,
                   graphml->directed ? "an undirected edge in a directed graph: give both directions as edges"
                                     : "a directed edge in an undirected graph: make edgedefault \"directed\"",
                   NULL);
  if (find_end(graphml, element, "source", &edge.from) || find_end(graphml, element, "target", &edge.to) ||
      read_port(graphml, element, "source", &edge.from_port) || read_port(graphml, element, "target", &edge.to_port) ||
      read_number(graphml, element, datum_of_two(graphml, element, "latency", "cycles"), 1, UT_GRAPH_MOST_CYCLES, 0,
                  &cycles))
    return -1;
  edge.cycles = (uint8_t)cycles;
  if (!ut_reserve_one(&graphml->edge, sizeof edge, graphml->edges, &graphml->room))
    return ut_fail_memory(graphml->e);
  graphml->edge[graphml->edges++] = edge;
  return 0;
}

/* ---- ports of edges that do not say them */

/* Which ports of a node are taken: by a cable, or by channels out and in. */
struct ports {
  uint8_t out[UT_GRAPH_MOST_PORTS], in[UT_GRAPH_MOST_PORTS];
};

/* Returns the lowest free port of the node.  NO_PORT and *e: it has none. */
static int free_port(const struct graphml *graphml, const struct ports *ports, uint32_t node, bool out, bool in,
                     unsigned line) {
  char place[320];
  for (int port = 0; port < (graphml->graph->node[node].terminal ? 1 : UT_GRAPH_MOST_PORTS); port++)
    if (!(out && ports->out[port]) && !(in && ports->in[port]))
      return port;
  ut_fail(graphml->e, UT_BAD_INPUT,
          graphml->graph->node[node].terminal
              ? "%sterminal '%s' is joined to several switches: make it several terminals"
              : "%s'%s' has more ports than a switch can have",
          ut_graph_place(graphml->graph, line, place, sizeof place), graphml->graph->node[node].name);
  return NO_PORT;
}

/* Takes a port of one end of an edge. */
static int take(const struct graphml *graphml, struct ports *ports, uint32_t node, int *port, bool out, bool in,
                unsigned line) {
  if (*port == NO_PORT)
    *port = free_port(graphml, &ports[node], node, out, in, line);
  if (*port == NO_PORT)
    return -1;
  ports[node].out[*port] |= out;
  ports[node].in[*port] |= in;
  return 0;
}

static int lay_edge(struct graphml *graphml, const struct edge *edge) {
  const struct ut_graph_channel channel = {.from = edge->from,
                                           .to = edge->to,
                                           .from_port = (uint8_t)edge->from_port,
                                           .to_port = (uint8_t)edge->to_port,
                                           .cycles = edge->cycles,
                                           .line = edge->line};
  return graphml->directed ? ut_graph_lay(graphml->graph, &channel, graphml->e)
                           : ut_graph_join(graphml->graph, &channel, graphml->e);
}

static uint64_t key_of(uint32_t from, uint32_t to, uint64_t times) {
  return (uint64_t)from << 40 | (uint64_t)to << 16 | times;
}

/* Finds the directed edge back between the same nodes that came before and has no partner yet: the k-th one of those
 * from `from` to `to` belongs to the k-th one back.  *partner SIZE_MAX: there is none.  0, or -1 when out of memory. */
static int find_partner(struct graphml *graphml, size_t number, size_t *partner) {
  const struct edge *edge = &graphml->edge[number];
  struct ut_hash_entry *entry;
  bool fresh;
  uint64_t times = 0;
  while ((entry = ut_hash_at(&graphml->between, key_of(edge->from, edge->to, times), &fresh)) && !fresh &&
         entry->value != UINT32_MAX)
    times++;
  if (entry)
    entry->value = (uint32_t)number;
  entry = entry ? ut_hash_at(&graphml->between, key_of(edge->to, edge->from, times), &fresh) : NULL;
  if (!entry)
    return ut_fail_memory(graphml->e);
  if (fresh) /* nothing yet */
    entry->value = UINT32_MAX;
  *partner = entry->value == UINT32_MAX ? SIZE_MAX : entry->value;
  return 0;
}

/* Takes ports for an edge, for both directions if it is a cable. */
static int take_ports(struct graphml *graphml, struct ports *ports, struct edge *edge, bool both) {
  return take(graphml, ports, edge->from, &edge->from_port, true, both, edge->line) ||
                 take(graphml, ports, edge->to, &edge->to_port, both, true, edge->line)
             ? -1
             : 0;
}

static void mark(struct ports *ports, const struct edge *edge, bool both) {
  if (edge->from_port != NO_PORT) {
    ports[edge->from].out[edge->from_port] = 1;
    ports[edge->from].in[edge->from_port] |= both;
  }
  if (edge->to_port != NO_PORT) {
    ports[edge->to].in[edge->to_port] = 1;
    ports[edge->to].out[edge->to_port] |= both;
  }
}

/* Finds the other directions of directed edges without ports. */
static int find_partners(struct graphml *graphml, size_t *partner) {
  for (size_t i = 0; i < graphml->edges; i++) {
    const struct edge *edge = &graphml->edge[i];
    partner[i] = SIZE_MAX;
    if (!graphml->directed || edge->from_port != NO_PORT || edge->to_port != NO_PORT)
      continue;
    if (find_partner(graphml, i, &partner[i]))
      return -1;
    if (partner[i] != SIZE_MAX)
      partner[partner[i]] = i;
  }
  return 0;
}

/* Gives ports to all edges, and lays their channels. */
static int lay_edges(struct graphml *graphml) {
  struct ports *ports = calloc(graphml->graph->nodes + 1, sizeof *ports);
  size_t *partner = malloc((graphml->edges + 1) * sizeof *partner);
  int result = ports && partner ? find_partners(graphml, partner) : ut_fail_memory(graphml->e);
  for (size_t i = 0; !result && i < graphml->edges; i++)
    mark(ports, &graphml->edge[i], !graphml->directed);
  for (size_t i = 0; !result && i < graphml->edges; i++) {
    struct edge *edge = &graphml->edge[i];
    if (partner[i] < i) {
      edge->from_port = graphml->edge[partner[i]].to_port;
      edge->to_port = graphml->edge[partner[i]].from_port;
    } else {
      result = take_ports(graphml, ports, edge, !graphml->directed || partner[i] != SIZE_MAX);
    }
    result = result || lay_edge(graphml, edge) ? -1 : 0;
  }
  free(ports);
  free(partner);
  ut_hash_free(&graphml->between);
  return result;
}

/* Adds the terminals that switches have by number, "r3.0". */
static int add_local(struct graphml *graphml, uint32_t switches) {
  struct ut_graph *graph = graphml->graph;
  for (uint32_t sw = 0; sw < switches; sw++)
    if (graphml->local[sw] && ut_graph_add_local(graph, sw, graphml->local[sw], graphml->e))
      return -1;
  return 0;
}

/* ---- the document */

static int read_graph(struct graphml *graphml, const xmlNode *graph) {
  graphml->directed = has_attribute(graph, "edgedefault", "directed");
  if (!graphml->directed && !has_attribute(graph, "edgedefault", "undirected"))
    return fail_at(graphml, graph, "a graph needs edgedefault=\"directed\" or \"undirected\"", NULL);
  for (const xmlNode *node = graph->children; node; node = node->next)
    if (is(node, "node") && read_node(graphml, node))
      return -1;
  for (const xmlNode *node = graph->children; node; node = node->next)
    if (is(node, "hyperedge"))
      return fail_at(graphml, node, "an edge of more than two ends: join them by a switch", NULL);
    else if (is(node, "edge") && read_edge(graphml, node))
      return -1;
  const uint32_t nodes = graphml->graph->nodes;
  return lay_edges(graphml) || add_local(graphml, nodes) ? -1 : 0;
}

static int read_document(struct graphml *graphml, const xmlDoc *document) {
  const xmlNode *graph = NULL;
  graphml->root = xmlDocGetRootElement((xmlDoc *)document);
  if (document->intSubset)
    return fail_at(graphml, graphml->root, "a document type declaration, which is not read: remove <!DOCTYPE ...>",
                   NULL);
  if (!graphml->root || !is(graphml->root, "graphml"))
    return fail_at(graphml, graphml->root, "expected the element 'graphml'",
                   graphml->root ? (const char *)graphml->root->name : "");
  for (const xmlNode *node = graphml->root->children; node; node = node->next)
    if (is(node, "graph")) {
      if (graph)
        return fail_at(graphml, node, "a second graph: one file is one network", NULL);
      graph = node;
    }
  return graph ? read_graph(graphml, graph) : fail_at(graphml, graphml->root, "there is no element 'graph'", NULL);
}

static int refuse_text(const struct ut_graph *graph, struct ut_error *e) {
  const xmlError *why = xmlGetLastError();
  char text[200];
  snprintf(text, sizeof text, "%s", why && why->message ? why->message : "no XML");
  text[strcspn(text, "\n")] = '\0';
  return ut_fail(e, UT_BAD_INPUT, "%s:%d: this is no XML: %s", graph->path, why ? why->line : 1, text);
}

int ut_graph_read_graphml(struct ut_graph *graph, struct ut_error *e) {
  size_t length;
  char *text = ut_input_read(graph->path, "network", UT_INPUT_AGAIN, UT_LIMIT_FILE_BYTES, &length, e);
  if (!text)
    return -1;
  xmlDoc *document = xmlReadMemory(text, (int)length, NULL, NULL,
                                   XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
  struct graphml graphml = {.graph = graph, .e = e};
  const int result = document ? read_document(&graphml, document) : refuse_text(graph, e);
  free(graphml.local);
  free(graphml.edge);
  xmlFreeDoc(document);
  free(text);
  return result;
}
