/* SPDX-License-Identifier: Apache-2.0 */
/* graph_topology.c - see graph_topology.h */
#include "graph_topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "graph.h"
#include "scenario.h"

/* The numbers of a graph's nodes in the topology under construction. */
struct build {
  const struct ut_graph *graph;
  struct ut_topology *topo;
  uint8_t *in, *out; /* [nodes]: ports of a switch */
  uint32_t *number;  /* [nodes]: of a switch, or of a terminal */
};

static void free_build(struct build *build) {
  free(build->in);
  free(build->out);
  free(build->number);
}

static int refuse(const struct ut_graph *graph, const struct ut_graph_node *node, struct ut_error *e,
                  const char *format, unsigned count, unsigned most) {
  char place[320], text[160];
  snprintf(text, sizeof text, format, count, most);
  return ut_fail(e, UT_BAD_INPUT, "%s%s%s%s%s", ut_graph_place(graph, node ? node->line : 0, place, sizeof place),
                 node ? "'" : "", node ? node->name : "", node ? "' has " : "", text);
}

/* ---- ports */

/* Ports are declared, or as many as channels use; where links have one direction inputs and outputs are counted apart.
 * A switch has two at least. */
static void count_ports(struct build *build, bool both) {
  const struct ut_graph *graph = build->graph;
  for (uint32_t i = 0; i < graph->nodes; i++)
    build->in[i] = build->out[i] = both && graph->node[i].ports > 2 ? (uint8_t)graph->node[i].ports : 2;
  for (uint32_t i = 0; !both && i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    if (build->out[channel->from] <= channel->from_port)
      build->out[channel->from] = (uint8_t)(channel->from_port + 1);
    if (build->in[channel->to] <= channel->to_port)
      build->in[channel->to] = (uint8_t)(channel->to_port + 1);
  }
}

static int check_ports(const struct build *build, struct ut_error *e) {
  const struct ut_graph *graph = build->graph;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const unsigned ports = build->in[i] > build->out[i] ? build->in[i] : build->out[i];
    if (!graph->node[i].terminal && ports > UT_MAX_PORTS)
      return refuse(graph, &graph->node[i], e, "%u ports, a switch has at most %u", ports, UT_MAX_PORTS);
  }
  return 0;
}

/* ---- switches and terminals */

/* Numbers the switches, those with equal ports together, and the terminals. */
static int number_nodes(struct build *build, struct ut_error *e) {
  const struct ut_graph *graph = build->graph;
  struct ut_topology *topo = build->topo;
  for (unsigned in = 1; in <= UT_MAX_PORTS; in++)
    for (unsigned out = 1; out <= UT_MAX_PORTS; out++) {
      struct ut_elaboration kind = {.first = topo->switches, .pi = (uint8_t)in, .po = (uint8_t)out};
      for (uint32_t i = 0; i < graph->nodes; i++) {
        if (graph->node[i].terminal || build->in[i] != in || build->out[i] != out)
          continue;
        build->number[i] = topo->switches++;
        kind.count++;
      }
      if (!kind.count)
        continue;
      if (topo->elaborations == UT_MAX_ELABORATIONS)
        return refuse(graph, NULL, e,
                      "switches with more than %u different numbers of ports: give some of them more than they use, "
                      "%u kinds are built",
                      UT_MAX_ELABORATIONS, UT_MAX_ELABORATIONS);
      topo->elaboration[topo->elaborations++] = kind;
      topo->pi = in > topo->pi ? in : topo->pi;
      topo->po = out > topo->po ? out : topo->po;
    }
  for (uint32_t i = 0; i < graph->nodes; i++)
    if (graph->node[i].terminal)
      build->number[i] = topo->terminals++;
  if (topo->terminals > UT_MAX_TERMINALS)
    return refuse(graph, NULL, e, "%u terminals are more than %u", topo->terminals, UT_MAX_TERMINALS);
  return 0;
}

/* ---- links */

static void lay(struct build *build, const struct ut_graph_channel *channel) {
  const uint32_t from = build->number[channel->from], to = build->number[channel->to];
  struct ut_topology *topo = build->topo;
  if (build->graph->node[channel->from].terminal)
    ut_topology_inject(topo, from, 0, to, channel->to_port);
  else if (build->graph->node[channel->to].terminal)
    ut_topology_eject(topo, from, channel->from_port, to, 0);
  else
    ut_topology_connect(topo, from, channel->from_port, to, channel->to_port);
}

/* Returns the number of a channel that has been laid. */
static uint32_t channel_of(const struct build *build, const struct ut_graph_channel *channel) {
  const uint32_t from = build->number[channel->from];
  return build->graph->node[channel->from].terminal ? ut_topology_injection(build->topo, from, 0)
                                                    : from * build->topo->po + channel->from_port;
}

static bool is_link(const struct build *build, const struct ut_graph_channel *channel) {
  return !build->graph->node[channel->from].terminal && !build->graph->node[channel->to].terminal &&
         (!build->topo->bidirectional || build->number[channel->from] < build->number[channel->to]);
}

static int by_lower(const void *a, const void *b) {
  const struct ut_link *x = a, *y = b;
  return x->lower != y->lower ? (x->lower < y->lower ? -1 : 1) : x->lower_port - y->lower_port;
}

static void list_links(struct build *build) {
  struct ut_link *link = build->topo->link;
  for (uint32_t i = 0; i < build->graph->channels; i++) {
    const struct ut_graph_channel *channel = &build->graph->channel[i];
    if (is_link(build, channel))
      *link++ = (struct ut_link){.lower = build->number[channel->from],
                                 .upper = build->number[channel->to],
                                 .lower_port = channel->from_port,
                                 .upper_port = channel->to_port};
  }
  qsort(build->topo->link, build->topo->links, sizeof *link, by_lower);
}

/* ---- names */

static int copy_names(struct build *build, struct ut_error *e) {
  const struct ut_graph *graph = build->graph;
  struct ut_topology *topo = build->topo;
  size_t bytes = 1;
  for (uint32_t i = 0; i < graph->nodes; i++)
    bytes += strlen(graph->node[i].name) + 1;
  topo->names = malloc(bytes);
  topo->switch_label = malloc((topo->switches + 1) * sizeof *topo->switch_label);
  topo->terminal_label = malloc((topo->terminals + 1) * sizeof *topo->terminal_label);
  if (!topo->names || !topo->switch_label || !topo->terminal_label)
    return ut_fail_memory(e);
  char *end = topo->names;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const char **label = graph->node[i].terminal ? topo->terminal_label : topo->switch_label;
    label[build->number[i]] = end;
    end = stpcpy(end, graph->node[i].name) + 1;
  }
  return 0;
}

/* Notes which channels take longer than the scenario says of their kind. */
static int fill_cycles(const struct build *build, const struct ut_scenario *scenario, struct ut_error *e) {
  static const char *const key[] = {"link_cycles", "injection_cycles", "ejection_cycles"};
  const struct ut_graph *graph = build->graph;
  struct ut_topology *topo = build->topo;
  const unsigned cycles[] = {scenario->topology.link_cycles, scenario->topology.injection_cycles,
                             scenario->topology.ejection_cycles};
  bool longer = false;
  topo->extra_cycles = calloc(topo->channels, 1);
  if (!topo->extra_cycles)
    return ut_fail_memory(e);
  for (uint32_t i = 0; i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    const unsigned kind = graph->node[channel->from].terminal ? 1 : graph->node[channel->to].terminal ? 2 : 0;
    char place[320];
    if (channel->cycles && channel->cycles < cycles[kind])
      return ut_fail(e, UT_BAD_INPUT, "%sa channel of %u cycles, '%s' is %u, the least; give '%s: %u' in 'topology'",
                     ut_graph_place(graph, channel->line, place, sizeof place), channel->cycles, key[kind],
                     cycles[kind], key[kind], channel->cycles);
    const unsigned extra = channel->cycles ? channel->cycles - cycles[kind] : 0;
    topo->extra_cycles[channel_of(build, channel)] = (uint8_t)extra;
    longer |= extra > 0;
  }
  if (!longer) {
    free(topo->extra_cycles);
    topo->extra_cycles = NULL;
  }
  return 0;
}

static int fill(struct build *build, const struct ut_scenario *scenario, struct ut_error *e) {
  const struct ut_graph *graph = build->graph;
  struct ut_topology *topo = build->topo;
  *topo = (struct ut_topology){.family = scenario->topology.family,
                               .bidirectional = ut_graph_is_bidirectional(graph),
                               .injections = 1,
                               .ejections = 1,
                               .levels = 1,
                               .first_port = graph->first_port};
  count_ports(build, topo->bidirectional);
  if (check_ports(build, e) || number_nodes(build, e))
    return -1;
  for (uint32_t i = 0; i < graph->channels; i++)
    topo->links += is_link(build, &graph->channel[i]);
  if (ut_topology_allocate(topo, e))
    return -1;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    topo->position[sw] = sw;
  for (uint32_t i = 0; i < graph->channels; i++)
    lay(build, &graph->channel[i]);
  list_links(build);
  return fill_cycles(build, scenario, e) ? -1 : copy_names(build, e);
}

int ut_graph_topology(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  const struct ut_graph *graph = scenario->topology.graph;
  struct build build = {.graph = graph,
                        .topo = topo,
                        .in = malloc(graph->nodes),
                        .out = malloc(graph->nodes),
                        .number = malloc(graph->nodes * sizeof *build.number)};
  *topo = (struct ut_topology){0};
  int result = build.in && build.out && build.number ? 0 : ut_fail_memory(e);
  if (!result)
    result = fill(&build, scenario, e);
  if (result)
    ut_topology_free(topo);
  free_build(&build);
  return result;
}
