/* SPDX-License-Identifier: Apache-2.0 */
/* graph_anynet.c - reads a file of BookSim's anynet: "router 0 node 0 node 1 router 1 15".
 *
 * A line says to what a router, or a node, which is a terminal, is joined; a number behind it is the latency of that
 * channel, 1 if there is none.  The latency of a link to a node holds both ways.  Router to router it holds one way:
 * the channel back has what the line of the other router says, 1 if that does not name this one.  A router that a line
 * names several times is joined by as many cables, which BookSim has only once.  Ports are numbered in the order of the
 * lines.
 */
#include <stdlib.h>
#include <string.h>

#include "graph_forms.h"
#include "hash.h"
#include "lines.h"
#include "number.h"
#include "reserve.h"

enum { MOST_NUMBER = (1 << 20) - 1 };

/* What a line says of one channel between routers, or of the link of a node: head has the port. */
struct mention {
  uint32_t head, body; /* numbers of routers; body of a node's link: the node */
  unsigned times;      /* how often the same was said before */
  bool node;
  uint8_t cycles, port;
  unsigned line;
};

struct anynet {
  struct ut_graph *graph;
  struct ut_lines lines;
  struct ut_error *e;
  const char *word; /* the next one, in the current line */
  struct mention *mention;
  uint32_t mentions, said, room; /* said: those of the file, which come first */
  uint32_t routers, nodes;       /* one more than the highest number */
  struct ut_hash channel;        /* mentions of channels between routers */
  struct ut_hash link;           /* mentions of nodes */
};

static size_t column(const struct anynet *anynet) {
  return (size_t)(anynet->word - anynet->lines.text) + 1;
}

static void skip_blanks(struct anynet *anynet) {
  anynet->word += strspn(anynet->word, " \t\r");
}

/* Takes "router" or "node" and its number.  0, or -1 and *e. */
static int take_name(struct anynet *anynet, bool *node, uint32_t *number) {
  const char *kinds[] = {"router", "node"};
  const size_t length = strcspn(anynet->word, " \t\r");
  uint64_t value;
  for (unsigned i = 0;; i++) {
    if (i == 2)
      return ut_lines_fail(&anynet->lines, column(anynet), anynet->e, "expected 'router' or 'node', not '%.*s'",
                           (int)(length < 40 ? length : 40), anynet->word);
    *node = i;
    if (length == strlen(kinds[i]) && !strncmp(anynet->word, kinds[i], length))
      break;
  }
  anynet->word += length;
  skip_blanks(anynet);
  if (!ut_number_read(&anynet->word, MOST_NUMBER, &value))
    return ut_lines_fail(&anynet->lines, column(anynet), anynet->e, "expected the number of a %s, 0..%d", kinds[*node],
                         MOST_NUMBER);
  skip_blanks(anynet);
  *number = (uint32_t)value;
  return 0;
}

/* Takes the latency, if there is one. */
static int take_cycles(struct anynet *anynet, uint8_t *cycles) {
  uint64_t value = 1;
  const size_t at = column(anynet);
  if (*anynet->word >= '0' && *anynet->word <= '9' &&
      (!ut_number_read(&anynet->word, UT_GRAPH_MOST_CYCLES, &value) || value == 0))
    return ut_lines_fail(&anynet->lines, at, anynet->e, "a latency is 1..%d cycles", UT_GRAPH_MOST_CYCLES);
  skip_blanks(anynet);
  *cycles = (uint8_t)value;
  return 0;
}

static uint64_t key_of(uint32_t head, uint32_t body, unsigned times) {
  return (uint64_t)head << 40 | (uint64_t)body << 20 | times;
}

static int append(struct anynet *anynet, const struct mention *mention) {
  if (!ut_reserve_one(&anynet->mention, sizeof *mention, anynet->mentions, &anynet->room))
    return ut_fail_memory(anynet->e);
  anynet->mention[anynet->mentions++] = *mention;
  return 0;
}

/* Enters a channel between routers as the next one between these two. */
static int enter_channel(struct anynet *anynet, struct mention mention) {
  bool fresh = false;
  struct ut_hash_entry *entry = NULL;
  if (mention.head == mention.body)
    return ut_lines_fail(&anynet->lines, 1, anynet->e, "router %u is joined to itself", (unsigned)mention.head);
  for (mention.times = 0; !fresh; mention.times++)
    if (!(entry = ut_hash_at(&anynet->channel, key_of(mention.head, mention.body, mention.times), &fresh)))
      return ut_fail_memory(anynet->e);
  mention.times--;
  entry->value = anynet->mentions;
  return append(anynet, &mention);
}

/* Enters the link of a node; said twice of the same router, it is one link. */
static int enter_link(struct anynet *anynet, const struct mention *mention) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&anynet->link, mention->body, &fresh);
  if (!entry)
    return ut_fail_memory(anynet->e);
  struct mention *other = fresh ? NULL : &anynet->mention[entry->value];
  if (other && other->head != mention->head)
    return ut_lines_fail(&anynet->lines, 1, anynet->e, "node %u is joined to router %u already, in line %u",
                         (unsigned)mention->body, (unsigned)other->head, other->line);
  if (other) {
    other->cycles = mention->cycles;
    return 0;
  }
  entry->value = anynet->mentions;
  return append(anynet, mention);
}

static void count(struct anynet *anynet, bool node, uint32_t number) {
  uint32_t *most = node ? &anynet->nodes : &anynet->routers;
  *most = number >= *most ? number + 1 : *most;
}

static int read_line(struct anynet *anynet) {
  bool head_is_node, body_is_node;
  uint32_t head, body;
  anynet->word = anynet->lines.text;
  skip_blanks(anynet);
  if (!*anynet->word || *anynet->word == '#')
    return 0;
  if (take_name(anynet, &head_is_node, &head))
    return -1;
  count(anynet, head_is_node, head);
  while (*anynet->word) {
    struct mention mention = {.line = anynet->lines.line};
    const size_t at = column(anynet);
    if (take_name(anynet, &body_is_node, &body) || take_cycles(anynet, &mention.cycles))
      return -1;
    if (head_is_node && body_is_node)
      return ut_lines_fail(&anynet->lines, at, anynet->e, "node %u is joined to node %u: a router must be between them",
                           (unsigned)head, (unsigned)body);
    count(anynet, body_is_node, body);
    mention.node = head_is_node || body_is_node;
    mention.head = head_is_node ? body : head;
    mention.body = head_is_node ? head : body;
    if (mention.node ? enter_link(anynet, &mention) : enter_channel(anynet, mention))
      return -1;
  }
  return 0;
}

/* Adds a channel back of one cycle for each that has none. */
static int add_ways_back(struct anynet *anynet) {
  anynet->said = anynet->mentions;
  for (size_t i = 0; i < anynet->said; i++) {
    const struct mention *mention = &anynet->mention[i];
    bool fresh = false;
    struct ut_hash_entry *back = NULL;
    if (mention->node)
      continue;
    back = ut_hash_at(&anynet->channel, key_of(mention->body, mention->head, mention->times), &fresh);
    if (!back)
      return ut_fail_memory(anynet->e);
    if (!fresh)
      continue;
    back->value = anynet->mentions;
    if (append(anynet, &(struct mention){.head = mention->body,
                                         .body = mention->head,
                                         .times = mention->times,
                                         .cycles = 1,
                                         .line = mention->line}))
      return -1;
  }
  return 0;
}

/* Adds routers and nodes, which must be numbered without gaps. */
static int add_nodes(struct anynet *anynet) {
  struct ut_graph *graph = anynet->graph;
  unsigned *line = calloc(anynet->routers + anynet->nodes + 1, sizeof *line);
  int result = line ? 0 : ut_fail_memory(anynet->e);
  for (size_t i = 0; line && i < anynet->mentions; i++) {
    const struct mention *mention = &anynet->mention[i];
    unsigned *named = &line[mention->node ? anynet->routers + mention->body : mention->body];
    *named = *named ? *named : mention->line;
  }
  for (size_t i = 0; line && i < anynet->said; i++) /* a router is where its own line is */
    line[anynet->mention[i].head] = anynet->mention[i].line;
  for (uint32_t i = 0; !result && i < anynet->routers + anynet->nodes; i++) {
    const bool node = i >= anynet->routers;
    const char *kind = node ? "node" : "router";
    const unsigned number = node ? i - anynet->routers : i;
    char name[24];
    snprintf(name, sizeof name, "%s%u", kind, number);
    if (!line[i])
      result =
          ut_fail(anynet->e, UT_BAD_INPUT, "%s: there is no %s %u: they must be numbered from 0 to %u without gaps",
                  graph->path, kind, number, (unsigned)(node ? anynet->nodes : anynet->routers) - 1);
    else if (ut_graph_add(graph, &(struct ut_graph_node){.name = name, .terminal = node, .line = line[i]}, anynet->e) ==
             UT_NO_NODE)
      result = -1;
  }
  free(line);
  return result;
}

/* Numbers the ports of each router in the order in which they are said. */
static int number_ports(struct anynet *anynet) {
  unsigned *used = calloc(anynet->routers + 1, sizeof *used);
  int result = used ? 0 : ut_fail_memory(anynet->e);
  for (size_t i = 0; !result && i < anynet->mentions; i++) {
    struct mention *mention = &anynet->mention[i];
    if (used[mention->head] == UT_GRAPH_MOST_PORTS)
      result = ut_fail(anynet->e, UT_BAD_INPUT, "%s:%u: router %u has more than %d ports", anynet->graph->path,
                       mention->line, (unsigned)mention->head, UT_GRAPH_MOST_PORTS);
    mention->port = (uint8_t)used[mention->head]++;
  }
  free(used);
  return result;
}

static int lay_channels(struct anynet *anynet) {
  for (size_t i = 0; i < anynet->mentions; i++) {
    const struct mention *mention = &anynet->mention[i];
    struct ut_graph_channel channel = {.from = mention->head,
                                       .to = mention->body,
                                       .from_port = mention->port,
                                       .cycles = mention->cycles,
                                       .line = mention->line};
    bool fresh;
    if (mention->node) {
      channel.to = anynet->routers + mention->body;
      if (ut_graph_join(anynet->graph, &channel, anynet->e))
        return -1;
      continue;
    }
    const struct ut_hash_entry *back =
        ut_hash_at(&anynet->channel, key_of(mention->body, mention->head, mention->times), &fresh);
    if (!back)
      return ut_fail_memory(anynet->e);
    channel.to_port = anynet->mention[back->value].port;
    if (ut_graph_lay(anynet->graph, &channel, anynet->e))
      return -1;
  }
  return 0;
}

int ut_graph_read_anynet(struct ut_graph *graph, struct ut_error *e) {
  struct anynet anynet = {.graph = graph, .e = e};
  int more = ut_lines_open(&anynet.lines, graph->path, "network", UT_LIMIT_GRAPH_LINE_BYTES, e) ? -1 : 1;
  while (more > 0)
    if ((more = ut_lines_next(&anynet.lines, e)) > 0 && read_line(&anynet))
      more = -1;
  const int result =
      more < 0 || add_ways_back(&anynet) || add_nodes(&anynet) || number_ports(&anynet) || lay_channels(&anynet) ? -1
                                                                                                                 : 0;
  ut_lines_close(&anynet.lines);
  free(anynet.mention);
  ut_hash_free(&anynet.channel);
  ut_hash_free(&anynet.link);
  return result;
}
