/* SPDX-License-Identifier: Apache-2.0 */
/* prove_fabric.c - see prove_fabric.h */
#include "prove_fabric.h"

#include <stdio.h>

#include "cli.h"
#include "fabric_routes.h"
#include "graph_read.h"
#include "result.h"

struct input {
  struct ut_graph *graph;
  struct ut_path_sls *sls;
  struct ut_sl_vls *vls;
  struct ut_switch_tables *tables, *old, *other;
};

#define COUNTS(of)                                                                                                     \
  "  pairs       {" of "pairs}, {" of "unreachable} unreachable, of which {" of "looping} loop\n"                      \
  "  hops        {" of "hops_sum} between switches, at most {" of "hops_max}\n"                                        \
  "  busiest     {" of "load_max} pairs{?" of "busiest}, over {" of "busiest}{/}\n"                                    \
  "  channels    {" of "channels} of {" of "vls} VL{" of "vls+s}, {" of "dependencies} dependencies between them\n"    \
  "  deadlock    {?" of "cycles}{" of "cycles} cycle{" of "cycles+s}, {" of "channels_in_cycles} channels in them"     \
  "{:}no cycle{/}\n"

static const char layout[] = "{network}: {_switches} switches, {_terminals} terminals, tables {tables}\n" COUNTS(
    "") "{?loss}"
        "\n{loss.source} to {loss.destination}: {?loss.loops}goes round and round through {loss.at}{:}"
        "{loss.at} has no way to it{/}\n"
        "{/}{?cycle}"
        "\ncycle of {_hops} channels, each of which waits for the next one:\n"
        "{#cycle}  {_number:2d}  {switch} port {port} to {to}, VL {vl}: packet from {source} to {destination}\n{/}"
        "{/}";

/* ---- what there is */

static void free_input(struct input *input) {
  ut_switch_tables_free(input->tables);
  ut_switch_tables_free(input->old);
  ut_switch_tables_free(input->other);
  ut_sl_vls_free(input->vls);
  ut_path_sls_free(input->sls);
  ut_graph_free(input->graph);
}

static int read_lanes(struct input *input, const struct ut_fabric_request *request, struct ut_error *e) {
  if (request->sl && (!(input->sls = ut_path_sls_read(request->sl, input->graph, e)) ||
                      ut_path_sls_complete(input->sls, request->switches, request->sl, e)))
    return -1;
  if (request->sl2vl && (!(input->vls = ut_sl_vls_read(request->sl2vl, input->graph, e)) ||
                         ut_sl_vls_complete(input->vls, request->sl2vl, e)))
    return -1;
  return 0;
}

static int read_input(struct input *input, const struct ut_fabric_request *request, struct ut_error *e) {
  input->graph = ut_graph_read(request->network, 0, e);
  if (!input->graph || !(input->tables = ut_switch_tables_read(request->tables, input->graph, e)) ||
      (request->from && !(input->old = ut_switch_tables_read_old(request->from, input->graph, e))) ||
      (request->compare && !(input->other = ut_switch_tables_read(request->compare, input->graph, e))))
    return -1;
  return read_lanes(input, request, e);
}

/* ---- what is found */

static const char *name_of(const struct ut_graph *graph, uint32_t node) {
  return node == UT_NO_NODE ? NULL : graph->node[node].name;
}

static json_t *hop_json(const struct ut_graph *graph, const struct ut_fabric_hop *hop, size_t number) {
  const struct ut_graph_channel *channel = &graph->channel[hop->channel];
  return UT_OBJECT(
      {"switch", ut_string(name_of(graph, channel->from))}, {"port", ut_int(channel->from_port + graph->first_port)},
      {"to", ut_string(name_of(graph, channel->to))}, {"to_port", ut_int(channel->to_port + graph->first_port)},
      {"vl", ut_int(hop->vl)}, {"source", ut_string(name_of(graph, hop->source))},
      {"destination", ut_string(name_of(graph, hop->destination))}, {"_number", ut_int(number)});
}

static json_t *cycle_json(const struct ut_graph *graph, const struct ut_fabric_cycles *cycles) {
  json_t *list = cycles->hops ? json_array() : json_null();
  for (size_t i = 0; i < cycles->hops; i++)
    json_array_append_new(list, hop_json(graph, &cycles->hop[i], i + 1));
  return list;
}

static json_t *loss_json(const struct ut_graph *graph, const struct ut_fabric_loss *loss) {
  if (loss->source == UT_NO_NODE)
    return json_null();
  return UT_OBJECT({"source", ut_string(name_of(graph, loss->source))},
                   {"destination", ut_string(name_of(graph, loss->destination))},
                   {"at", ut_string(name_of(graph, loss->at))}, {"loops", json_boolean(loss->loops)});
}

static json_t *busiest_text(const struct ut_graph *graph, uint32_t channel) {
  if (channel == UT_NO_NODE)
    return json_null();
  const struct ut_graph_channel *link = &graph->channel[channel];
  return ut_format("%s port %u to %s", name_of(graph, link->from), link->from_port + graph->first_port,
                   name_of(graph, link->to));
}

static json_t *add_routes(json_t *o, const struct ut_graph *graph, const struct ut_fabric_routes *routes) {
  const struct ut_fabric_cycles *waits = &routes->waits;
  return UT_ADD(o, {"pairs", ut_int(routes->pairs)}, {"unreachable", ut_int(routes->unreachable)},
                {"looping", ut_int(routes->looping)}, {"hops_sum", ut_int(routes->hops_sum)},
                {"hops_max", ut_int(routes->hops_max)}, {"vls", ut_int(routes->vls)},
                {"channels", ut_int(waits->channels)}, {"dependencies", ut_int(waits->dependencies)},
                {"cycles", ut_int(waits->cycles)}, {"channels_in_cycles", ut_int(waits->channels_in_cycles)},
                {"load_max", ut_int(routes->load_max)}, {"busiest", busiest_text(graph, routes->busiest)},
                {"loss", loss_json(graph, &routes->loss)}, {"cycle", cycle_json(graph, waits)},
                {"_hops", ut_int(waits->hops)});
}

static bool fails(const struct ut_fabric_routes *routes) {
  return routes->unreachable || routes->waits.cycles;
}

static int examine(const struct ut_fabric_request *request, const struct input *input, bool *failing,
                   struct ut_error *e) {
  struct ut_fabric_routes routes;
  const struct ut_fabric fabric = {.graph = input->graph,
                                   .tables = input->tables,
                                   .sls = input->sls,
                                   .vls = input->vls,
                                   .switches = request->switches};
  if (ut_fabric_routes_find(&routes, &fabric, e))
    return -1;
  uint32_t switches = 0;
  for (uint32_t i = 0; i < input->graph->nodes; i++)
    switches += !input->graph->node[i].terminal;
  json_t *o = UT_OBJECT({"network", ut_string(request->network)}, {"tables", ut_string(request->tables)},
                        {"_switches", ut_int(switches)}, {"_terminals", ut_int(input->graph->nodes - switches)});
  ut_result_print(add_routes(o, input->graph, &routes), request->json, 9, layout);
  *failing = fails(&routes);
  ut_fabric_routes_free(&routes);
  return 0;
}

int ut_prove_fabric(const struct ut_fabric_request *request) {
  struct input input = {0};
  struct ut_error e;
  bool failing = false;
  const int result = read_input(&input, request, &e) ? -1 : examine(request, &input, &failing, &e);
  free_input(&input);
  return result ? ut_print_error(&e) : failing ? UT_DEADLOCK : UT_OK;
}
