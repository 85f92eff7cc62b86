/* SPDX-License-Identifier: Apache-2.0 */
/* graph_ends.c - see graph_ends.h */
#include "graph_ends.h"

#include <stdlib.h>
#include <string.h>

void ut_graph_ends_free(struct ut_graph_ends *ends) {
  free(ends->first);
  free(ends->out);
  free(ends->in);
}

int ut_graph_ends_find(struct ut_graph_ends *ends, const struct ut_graph *graph) {
  size_t ports = 0;
  *ends = (struct ut_graph_ends){.graph = graph, .first = malloc((graph->nodes + 1) * sizeof *ends->first)};
  for (uint32_t i = 0; ends->first && i < graph->nodes; ports += graph->node[i++].ports)
    ends->first[i] = ports;
  ends->out = malloc((ports + 1) * sizeof *ends->out);
  ends->in = malloc((ports + 1) * sizeof *ends->in);
  if (!ends->first || !ends->out || !ends->in) {
    ut_graph_ends_free(ends);
    return -1;
  }
  memset(ends->out, 0xff, ports * sizeof *ends->out); /* UT_NO_NODE: no channel */
  memset(ends->in, 0xff, ports * sizeof *ends->in);
  for (uint32_t i = graph->channels; i-- > 0;) { /* the first one of several stays */
    const struct ut_graph_channel *channel = &graph->channel[i];
    ends->out[ends->first[channel->from] + channel->from_port] = i;
    ends->in[ends->first[channel->to] + channel->to_port] = i;
  }
  return 0;
}

uint32_t ut_graph_twin(const struct ut_graph_ends *ends, uint32_t channel) {
  const struct ut_graph_channel *way = &ends->graph->channel[channel];
  const uint32_t back = ut_graph_out_of(ends, way->to, way->to_port);
  return back != UT_NO_NODE && ends->graph->channel[back].to == way->from &&
                 ends->graph->channel[back].to_port == way->from_port
             ? back
             : UT_NO_NODE;
}
