/* SPDX-License-Identifier: Apache-2.0 */
/* graph_node_list.c - reads a node list, as ibnetdiscover prints it and ibsim reads it:
 *
 *   Switch 36 "S-0002c9000000aa01"    # "leaf0" base port 0 lid 6 lmc 0
 *   [1] "H-0002c90000001001"[1](2c90000001002)    # "host0" lid 12 4xSDR
 *   Ca 1 "H-0002c90000001001"    # "host0"
 *   [1](2c90000001002) "S-0002c9000000aa01"[1]    # lid 12 lmc 0 "leaf0" lid 6 4xSDR
 *
 * The text behind '#' names the node; without one the quoted id does.  A cable may be said at one end or at both; then
 * they must agree.  Terminals are numbered by switch, in the order of the file, and then by port.  A channel adapter
 * with several cables is as many terminals, "host0/1" and "host0/2".  Ports count from 1.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_forms.h"
#include "lines.h"
#include "number.h"
#include "reserve.h"

enum { FIRST_PORT = 1, LAST_LID = 0xbfff };

/* One end of a cable as the file says it. */
struct end {
  uint32_t node; /* of the draft; UT_NO_NODE: none */
  unsigned port; /* from 0 on */
  unsigned line; /* of what says it */
  bool own;      /* said by the node itself, not by the other end */
  uint64_t guid; /* of the terminal's port that has this end; 0: not said */
  uint16_t lid;
};

/* A line of a port, before all nodes are known. */
struct cable {
  uint32_t node;
  unsigned port, peer_port, line;
  char *peer;
  uint64_t guid;
  uint16_t lid;
};

struct node_list {
  struct ut_graph *draft; /* the nodes as declared, without channels; an adapter is one */
  struct ut_lines lines;
  struct ut_error *e;
  const char *word;
  struct cable *cable;
  uint32_t cables, room;
  size_t *first;   /* [nodes]: of the draft, its ports among all */
  struct end *end; /* by port */
};

static int fail_at(const struct node_list *list, const char *word, const char *what) {
  return ut_lines_fail(&list->lines, (size_t)(word - list->lines.text) + 1, list->e, "%s", what);
}

static void skip_blanks(struct node_list *list) {
  list->word += strspn(list->word, " \t\r");
}

/* Takes "..." into text.  false: there is none, or it does not fit. */
static bool take_quoted(const char **word, char text[UT_GRAPH_NAME_SIZE]) {
  const char *end = **word == '"' ? strchr(*word + 1, '"') : NULL;
  if (!end || end - *word - 1 >= UT_GRAPH_NAME_SIZE)
    return false;
  memcpy(text, *word + 1, (size_t)(end - *word - 1));
  text[end - *word - 1] = '\0';
  *word = end + 1;
  return true;
}

/* Takes "[17]", a port from 1 on; *port counts from 0. */
static int take_port(struct node_list *list, unsigned *port) {
  const char *at = list->word + 1;
  uint64_t number;
  if (*list->word != '[' || !ut_number_read(&at, UT_GRAPH_MOST_PORTS, &number) || *at != ']')
    return fail_at(list, list->word, "expected a port, 1..254, as in [17]");
  if (number < FIRST_PORT)
    return fail_at(list, list->word, "port 0 is that of the switch itself: cables are at ports from 1 on");
  *port = (unsigned)number - FIRST_PORT;
  list->word = at + 1;
  return 0;
}

/* Takes the number behind " lid ", ahead of any quoted name.  0, or -1 and *e. */
static int take_lid(const struct node_list *list, const char *comment, uint16_t *lid) {
  const char *at = comment ? strstr(comment, "lid ") : NULL;
  uint64_t number;
  if (!at || at > comment + strcspn(comment, "\""))
    return 0;
  const char *digits = at + strlen("lid ");
  if (!ut_number_read(&digits, LAST_LID, &number) || number == 0)
    return fail_at(list, at, "a LID is 1..49151");
  *lid = (uint16_t)number;
  return 0;
}

/* ---- nodes */

/* A line "Switch 36 "id" # "name"". */
static int read_node(struct node_list *list, bool terminal) {
  char id[UT_GRAPH_NAME_SIZE], name[UT_GRAPH_NAME_SIZE];
  struct ut_graph_node node = {.terminal = terminal, .id = id, .name = id, .line = list->lines.line};
  uint64_t ports;
  list->word += strcspn(list->word, " \t\r");
  skip_blanks(list);
  if (!ut_number_read(&list->word, UT_GRAPH_MOST_PORTS, &ports) || ports == 0)
    return fail_at(list, list->word, "expected the number of ports, 1..254");
  node.ports = (unsigned)ports;
  skip_blanks(list);
  if (!take_quoted(&list->word, id))
    return fail_at(list, list->word, "expected the node's id in quotes, at most 64 bytes");
  const char *comment = strchr(list->word, '#'), *quote = comment ? strchr(comment, '"') : NULL;
  if (quote && take_quoted(&quote, name) && *name)
    node.name = name;
  comment = quote ? quote : comment;
  if (!terminal && !strncmp(id, "S-", 2))
    node.guid = strtoull(id + 2, NULL, 16);
  if (!terminal && take_lid(list, comment, &node.lid))
    return -1;
  return ut_graph_add(list->draft, &node, list->e) == UT_NO_NODE ? -1 : 0;
}

/* ---- cables */

/* A line "[1](guid) "id"[2](guid) # lid 12 ...". */
static int read_cable(struct node_list *list) {
  char peer[UT_GRAPH_NAME_SIZE];
  struct cable cable = {.node = list->draft->nodes - 1, .line = list->lines.line};
  if (list->draft->nodes == 0)
    return fail_at(list, list->word, "a port before any node: a line as Switch 4 \"s0\" comes first");
  const struct ut_graph_node *node = &list->draft->node[cable.node];
  const char *at = list->word;
  if (take_port(list, &cable.port))
    return -1;
  if (cable.port >= node->ports)
    return ut_lines_fail(&list->lines, (size_t)(at - list->lines.text) + 1, list->e,
                         "'%s' has %u ports, this is port %u", node->name, node->ports, cable.port + FIRST_PORT);
  if (*list->word == '(') {
    cable.guid = strtoull(list->word + 1, NULL, 16);
    list->word += strcspn(list->word, " \t\"");
  }
  skip_blanks(list);
  if (!take_quoted(&list->word, peer))
    return fail_at(list, list->word, "expected the id of the other end in quotes");
  if (take_port(list, &cable.peer_port) || (node->terminal && take_lid(list, strchr(list->word, '#'), &cable.lid)))
    return -1;
  if (!ut_reserve_one(&list->cable, sizeof cable, list->cables, &list->room))
    return ut_fail_memory(list->e);
  cable.peer = malloc(strlen(peer) + 1);
  if (!cable.peer)
    return ut_fail_memory(list->e);
  strcpy(cable.peer, peer);
  list->cable[list->cables++] = cable;
  return 0;
}

static struct end *end_of(const struct node_list *list, uint32_t node, unsigned port) {
  return &list->end[list->first[node] + port];
}

static bool is_end(const struct end *end, uint32_t node, unsigned port) {
  return end->node == node && end->port == port;
}

/* A port whose other end is something else than said before. */
static int refuse_end(const struct node_list *list, const struct cable *cable, uint32_t node, unsigned port,
                      const struct end *before) {
  const struct ut_graph_node *nodes = list->draft->node;
  const char *path = list->draft->path;
  if (before->own && cable->node == node)
    return ut_fail(list->e, UT_BAD_INPUT, "%s:%u: port %u of '%s' has a cable already, in line %u", path, cable->line,
                   port + FIRST_PORT, nodes[node].name, before->line);
  return ut_fail(list->e, UT_BAD_INPUT,
                 "%s:%u: the two ends disagree: port %u of '%s' is joined to port %u of '%s' in line %u", path,
                 cable->line, port + FIRST_PORT, nodes[node].name, before->port + FIRST_PORT, nodes[before->node].name,
                 before->line);
}

/* Enters both ends of a cable. */
static int plug(struct node_list *list, const struct cable *cable) {
  const uint32_t peer = ut_graph_find(list->draft, cable->peer);
  const struct ut_graph_node *nodes = list->draft->node;
  if (peer == UT_NO_NODE)
    return ut_fail(list->e, UT_BAD_INPUT, "%s:%u: port %u of '%s' is joined to '%s', which the file does not have",
                   list->draft->path, cable->line, cable->port + FIRST_PORT, nodes[cable->node].name, cable->peer);
  if (cable->peer_port >= nodes[peer].ports)
    return ut_fail(list->e, UT_BAD_INPUT, "%s:%u: '%s' has %u ports, the cable leads to port %u", list->draft->path,
                   cable->line, nodes[peer].name, nodes[peer].ports, cable->peer_port + FIRST_PORT);
  if (peer == cable->node)
    return ut_fail(list->e, UT_BAD_INPUT, "%s:%u: '%s' is joined to itself", list->draft->path, cable->line,
                   nodes[peer].name);
  struct end *here = end_of(list, cable->node, cable->port), *there = end_of(list, peer, cable->peer_port);
  if (here->node != UT_NO_NODE && (here->own || !is_end(here, peer, cable->peer_port)))
    return refuse_end(list, cable, cable->node, cable->port, here);
  if (there->node != UT_NO_NODE && !is_end(there, cable->node, cable->port))
    return refuse_end(list, cable, peer, cable->peer_port, there);
  *here = (struct end){
      .node = peer, .port = cable->peer_port, .line = cable->line, .own = true, .guid = cable->guid, .lid = cable->lid};
  if (there->node == UT_NO_NODE)
    *there = (struct end){.node = cable->node, .port = cable->port, .line = cable->line};
  return 0;
}

static int plug_all(struct node_list *list) {
  size_t ends = 0;
  list->first = malloc((list->draft->nodes + 1) * sizeof *list->first);
  for (uint32_t i = 0; list->first && i < list->draft->nodes; ends += list->draft->node[i++].ports)
    list->first[i] = ends;
  list->end = malloc((ends + 1) * sizeof *list->end);
  if (!list->first || !list->end)
    return ut_fail_memory(list->e);
  for (size_t i = 0; i < ends; i++)
    list->end[i] = (struct end){.node = UT_NO_NODE};
  for (size_t i = 0; i < list->cables; i++)
    if (plug(list, &list->cable[i]))
      return -1;
  return 0;
}

/* ---- the graph */

static unsigned cables_of(const struct node_list *list, uint32_t node) {
  unsigned count = 0;
  for (unsigned port = 0; port < list->draft->node[node].ports; port++)
    count += end_of(list, node, port)->node != UT_NO_NODE;
  return count;
}

/* Adds the terminal that is one port of an adapter.  Returns its number, or UT_NO_NODE and *e. */
static uint32_t add_terminal(struct node_list *list, struct ut_graph *graph, uint32_t adapter, unsigned port) {
  char name[UT_GRAPH_NAME_SIZE + 8], id[UT_GRAPH_NAME_SIZE + 8];
  const struct ut_graph_node *draft = &list->draft->node[adapter];
  const struct end *end = end_of(list, adapter, port);
  const bool several = cables_of(list, adapter) > 1;
  struct ut_graph_node node = *draft;
  if (several) {
    snprintf(name, sizeof name, "%s/%u", draft->name, port + FIRST_PORT);
    snprintf(id, sizeof id, "%s/%u", draft->id, port + FIRST_PORT);
    node.name = name;
    node.id = id;
  }
  node.ports = 0; /* those with a channel */
  node.guid = end->guid;
  node.lid = end->lid;
  return ut_graph_add(graph, &node, list->e);
}

/* Adds the terminals of a switch, in the order of its ports, and their cables. */
static int add_terminals(struct node_list *list, struct ut_graph *graph, uint32_t sw, uint32_t number) {
  for (unsigned port = 0; port < list->draft->node[sw].ports; port++) {
    const struct end *end = end_of(list, sw, port);
    if (end->node == UT_NO_NODE || !list->draft->node[end->node].terminal)
      continue;
    const uint32_t terminal = add_terminal(list, graph, end->node, end->port);
    const struct ut_graph_channel channel = {
        .from = number, .to = terminal, .from_port = (uint8_t)port, .line = end->line};
    if (terminal == UT_NO_NODE || ut_graph_join(graph, &channel, list->e))
      return -1;
  }
  return 0;
}

/* Adds the cables of a switch to switches that come later in the file. */
static int add_cables(struct node_list *list, struct ut_graph *graph, uint32_t sw, const uint32_t *number) {
  for (unsigned port = 0; port < list->draft->node[sw].ports; port++) {
    const struct end *end = end_of(list, sw, port);
    if (end->node == UT_NO_NODE || end->node < sw || list->draft->node[end->node].terminal)
      continue;
    if (ut_graph_join(graph,
                      &(struct ut_graph_channel){.from = number[sw],
                                                 .to = number[end->node],
                                                 .from_port = (uint8_t)port,
                                                 .to_port = (uint8_t)end->port,
                                                 .line = end->line},
                      list->e))
      return -1;
  }
  return 0;
}

/* Terminals that no switch has a cable to. */
static int refuse_lonely(const struct node_list *list) {
  const struct ut_graph *draft = list->draft;
  for (uint32_t i = 0; i < draft->nodes; i++) {
    const struct ut_graph_node *node = &draft->node[i];
    for (unsigned port = 0; node->terminal && port < node->ports; port++) {
      const struct end *end = end_of(list, i, port);
      if (end->node != UT_NO_NODE && draft->node[end->node].terminal)
        return ut_fail(list->e, UT_BAD_INPUT, "%s:%u: terminals '%s' and '%s' are joined without a switch between them",
                       draft->path, end->line, node->name, draft->node[end->node].name);
    }
    if (node->terminal && !cables_of(list, i))
      return ut_fail(list->e, UT_BAD_INPUT, "%s:%u: terminal '%s' is joined to no switch", draft->path, node->line,
                     node->name);
  }
  return 0;
}

static int fill(struct node_list *list, struct ut_graph *graph) {
  const struct ut_graph *draft = list->draft;
  uint32_t *number = malloc((draft->nodes + 1) * sizeof *number);
  int result = number ? refuse_lonely(list) : ut_fail_memory(list->e);
  graph->first_port = FIRST_PORT;
  for (uint32_t i = 0; !result && i < draft->nodes; i++)
    if (!draft->node[i].terminal)
      result = (number[i] = ut_graph_add(graph, &draft->node[i], list->e)) == UT_NO_NODE ? -1 : 0;
  for (uint32_t i = 0; !result && i < draft->nodes; i++)
    if (!draft->node[i].terminal)
      result = add_terminals(list, graph, i, number[i]);
  for (uint32_t i = 0; !result && i < draft->nodes; i++)
    if (!draft->node[i].terminal)
      result = add_cables(list, graph, i, number);
  free(number);
  return result;
}

static int by_guid(const void *a, const void *b) {
  const struct ut_graph_node *const *one = a, *const *other = b;
  return ((*one)->guid > (*other)->guid) - ((*one)->guid < (*other)->guid);
}

/* Each GUID is of one node only. */
static int check_guids(const struct ut_graph *graph, struct ut_error *e) {
  const struct ut_graph_node **node = malloc((graph->nodes + 1) * sizeof *node);
  uint32_t nodes = 0;
  int result = node ? 0 : ut_fail_memory(e);
  for (uint32_t i = 0; node && i < graph->nodes; i++)
    if (graph->node[i].guid)
      node[nodes++] = &graph->node[i];
  if (node)
    qsort(node, nodes, sizeof *node, by_guid);
  for (uint32_t i = 1; !result && i < nodes; i++)
    if (node[i]->guid == node[i - 1]->guid)
      result = ut_fail(e, UT_BAD_INPUT, "%s:%u: '%s' has GUID 0x%" PRIx64 ", which '%s' has, too", graph->path,
                       node[i]->line, node[i]->name, node[i]->guid, node[i - 1]->name);
  free(node);
  return result;
}

/* Each LID is of one node only. */
static int check_lids(const struct ut_graph *graph, struct ut_error *e) {
  uint32_t *owner = calloc(LAST_LID + 1, sizeof *owner); /* one more than the node; 0: free */
  int result = owner ? 0 : ut_fail_memory(e);
  for (uint32_t i = 0; !result && i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    if (node->lid && owner[node->lid])
      result = ut_fail(e, UT_BAD_INPUT, "%s:%u: '%s' has LID %u, which '%s' has, too", graph->path, node->line,
                       node->name, node->lid, graph->node[owner[node->lid] - 1].name);
    owner[node->lid] = node->lid ? i + 1 : 0;
  }
  free(owner);
  return result;
}

/* ---- the file */

static bool starts(const char *text, const char *word) {
  return !strncmp(text, word, strlen(word)) && isspace((unsigned char)text[strlen(word)]);
}

static int read_line(struct node_list *list) {
  list->word = list->lines.text;
  skip_blanks(list);
  const char *word = list->word;
  if (!*word || *word == '#')
    return 0;
  if (*word == '[')
    return read_cable(list);
  if (starts(word, "Switch"))
    return read_node(list, false);
  if (starts(word, "Ca") || starts(word, "Hca"))
    return read_node(list, true);
  if (starts(word, "Rt") || starts(word, "Router"))
    return fail_at(list, word, "a router between subnets: leave it away, or make it a switch or an adapter");
  const size_t key = strspn(word, "abcdefghijklmnopqrstuvwxyz");
  if (key && word[key] == '=') /* vendid=0x0 and the like: they say nothing of cables */
    return 0;
  return fail_at(list, word, "expected a node, as Switch 4 \"s0\", or a port, as [1] \"s1\"[2]");
}

int ut_graph_read_node_list(struct ut_graph *graph, struct ut_error *e) {
  struct node_list list = {.draft = ut_graph_new(graph->path), .e = e};
  if (!list.draft)
    return ut_fail_memory(e);
  int more = ut_lines_open(&list.lines, graph->path, "network", UT_LIMIT_GRAPH_LINE_BYTES, e) ? -1 : 1;
  while (more > 0)
    if ((more = ut_lines_next(&list.lines, e)) > 0 && read_line(&list))
      more = -1;
  const int result =
      more < 0 || plug_all(&list) || fill(&list, graph) || check_lids(graph, e) || check_guids(graph, e) ? -1 : 0;
  ut_lines_close(&list.lines);
  for (size_t i = 0; i < list.cables; i++)
    free(list.cable[i].peer);
  free(list.cable);
  free(list.first);
  free(list.end);
  ut_graph_free(list.draft);
  return result;
}
