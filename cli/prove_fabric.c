/* SPDX-License-Identifier: Apache-2.0 */
/* prove_fabric.c - see prove_fabric.h */
#define _GNU_SOURCE
#include "prove_fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fabric_replay.h"
#include "fabric_routes.h"
#include "fabric_transition.h"
#include "graph_read.h"
#include "result.h"
#include "scenario_read.h"

struct input {
  struct ut_graph *graph;
  struct ut_path_sls *sls, *other_sls; /* the latter of the other tables; NULL: the same */
  struct ut_sl_vls *vls;
  struct ut_switch_tables *tables, *old, *other;
};

#define CYCLE                                                                                                          \
  "\ncycle of {_hops} channels, each of which waits for the next one:\n"                                               \
  "{#cycle}  {_number:2d}  {switch} port {port} to {to} port {to_port}, VL {vl}: packet from {source} to "             \
  "{destination}{?entry}, {entry} entry, next {next_entry}{/}\n{/}"
#define LOSS                                                                                                           \
  "\n{loss.source} to {loss.destination}: {?loss.loops}goes round through {loss.at} and does not arrive{:}"            \
  "{loss.at} has no way to it{/}\n"
#define WAITS                                                                                                          \
  "  channels    {channels}, {dependencies} dependencies between them\n"                                               \
  "  deadlock    {?cycles}{cycles} cycle{cycles+s}, {channels_in_cycles} channels in {cycles+them/it}{:}no cycle{/}\n"
#define ROUTES                                                                                                         \
  "  pairs       {pairs}: {unreachable} unreachable, {looping} of them on loops\n"                                     \
  "  hops        {hops_sum} between switches, at most {hops_max}\n"                                                    \
  "  busiest     {load_max} pairs{?busiest} over {busiest}{/}\n"                                                       \
  "  VLs         {vls}\n" WAITS

static const char layout[] =
    "{network}: {_switches} switches, {_terminals} terminals\n"
    "tables {tables}\n" ROUTES "{?loss}" LOSS "{/}{?cycle}" CYCLE "{/}"
    "{?compare}{#_compare}"
    "\ntables {tables}: {entries} entries differ\n" ROUTES "{?loss}" LOSS "{/}{?cycle}" CYCLE "{/}"
    "{/}{/}"
    "{?transition}{#_transition}"
    "\nwhile they take the place of {from}: {entries} entries change, in any order\n"
    "  pairs       {pairs}: {lost} may be lost, {looping} may go round on loops\n" WAITS "{?loss}" LOSS
    "{/}{?cycle}" CYCLE "{/}"
    "{/}{/}";

/* ---- what there is */

static void free_input(struct input *input) {
  ut_switch_tables_free(input->tables);
  ut_switch_tables_free(input->old);
  ut_switch_tables_free(input->other);
  ut_sl_vls_free(input->vls);
  ut_path_sls_free(input->sls);
  ut_path_sls_free(input->other_sls);
  ut_graph_free(input->graph);
}

/* Path SLs of all pairs.  NULL and *e. */
static struct ut_path_sls *read_sls(const char *path, const struct input *input,
                                    const struct ut_fabric_request *request, struct ut_error *e) {
  struct ut_path_sls *sls = ut_path_sls_read(path, input->graph, e);
  if (!sls || !ut_path_sls_complete(sls, request->switches, path, e))
    return sls;
  ut_path_sls_free(sls);
  return NULL;
}

static int read_lanes(struct input *input, const struct ut_fabric_request *request, struct ut_error *e) {
  if ((request->sl && !(input->sls = read_sls(request->sl, input, request, e))) ||
      (request->compare_sl && !(input->other_sls = read_sls(request->compare_sl, input, request, e))))
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

/* transition: whose entries the packet meets is of interest. */
static json_t *hop_json(const struct ut_graph *graph, const struct ut_fabric_hop *hop, size_t number, bool transition) {
  static const char *const by[] = {[UT_BY_NEW] = "new", [UT_BY_OLD] = "old", [UT_BY_BOTH] = "same"};
  const struct ut_graph_channel *channel = &graph->channel[hop->channel];
  return UT_OBJECT(
      {"switch", ut_string(name_of(graph, channel->from))}, {"port", ut_int(channel->from_port + graph->first_port)},
      {"to", ut_string(name_of(graph, channel->to))}, {"to_port", ut_int(channel->to_port + graph->first_port)},
      {"vl", ut_int(hop->vl)}, {"source", ut_string(name_of(graph, hop->source))},
      {"destination", ut_string(name_of(graph, hop->destination))},
      {"entry", transition ? ut_string(by[hop->by]) : NULL},
      {"next_entry", transition ? ut_string(by[hop->next_by]) : NULL}, {"_number", ut_int(number)});
}

static json_t *cycle_json(const struct ut_graph *graph, const struct ut_fabric_cycles *cycles, bool transition) {
  json_t *list = cycles->hops ? json_array() : json_null();
  for (size_t i = 0; i < cycles->hops; i++)
    json_array_append_new(list, hop_json(graph, &cycles->hop[i], i + 1, transition));
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

static json_t *add_waits(json_t *o, const struct ut_graph *graph, const struct ut_fabric_cycles *waits,
                         const struct ut_fabric_loss *loss, bool transition) {
  return UT_ADD(o, {"channels", ut_int(waits->channels)}, {"dependencies", ut_int(waits->dependencies)},
                {"cycles", ut_int(waits->cycles)}, {"channels_in_cycles", ut_int(waits->channels_in_cycles)},
                {"loss", loss_json(graph, loss)}, {"cycle", cycle_json(graph, waits, transition)},
                {"_hops", ut_int(waits->hops)});
}

static json_t *add_routes(json_t *o, const struct ut_graph *graph, const struct ut_fabric_routes *routes) {
  UT_ADD(o, {"pairs", ut_int(routes->pairs)}, {"unreachable", ut_int(routes->unreachable)},
         {"looping", ut_int(routes->looping)}, {"hops_sum", ut_int(routes->hops_sum)},
         {"hops_max", ut_int(routes->hops_max)}, {"vls", ut_int(routes->vls)}, {"load_max", ut_int(routes->load_max)},
         {"busiest", busiest_text(graph, routes->busiest)});
  return add_waits(o, graph, &routes->waits, &routes->loss, false);
}

static json_t *transition_json(const struct ut_fabric_request *request, const struct ut_graph *graph,
                               const struct ut_fabric_transition *transition) {
  json_t *o = UT_OBJECT({"from", ut_string(request->from)}, {"entries", ut_int(transition->entries)},
                        {"pairs", ut_int(transition->pairs)}, {"lost", ut_int(transition->lost)},
                        {"looping", ut_int(transition->looping)});
  return add_waits(o, graph, &transition->waits, &transition->loss, true);
}

/* ---- the parts of the answer */

/* The cycle that is to be replayed: that of the tables, else that of the transition. */
struct shown {
  struct ut_fabric fabric;
  struct ut_fabric_cycles waits;
};

struct answer {
  const struct ut_fabric_request *request;
  const struct input *input;
  json_t *json;
  struct shown shown;
  bool failing;
};

static void show_cycle(struct answer *answer, const struct ut_fabric *fabric, struct ut_fabric_cycles *waits) {
  if (answer->shown.waits.hops || !waits->hops)
    return;
  answer->shown = (struct shown){.fabric = *fabric, .waits = *waits};
  waits->hop = NULL;
}

/* A list of one, for layouts: its keys are looked for in the element first. */
static void add_part(struct answer *answer, const char *key, const char *list, json_t *part) {
  UT_ADD(answer->json, {key, json_incref(part)}, {list, json_pack("[o]", part)});
}

static int add_tables(struct answer *answer, const struct ut_switch_tables *tables, struct ut_error *e) {
  const struct input *input = answer->input;
  const struct ut_fabric fabric = {.graph = input->graph,
                                   .tables = tables,
                                   .sls = tables == input->other && input->other_sls ? input->other_sls : input->sls,
                                   .vls = input->vls,
                                   .switches = answer->request->switches};
  struct ut_fabric_routes routes;
  if (ut_fabric_routes_find(&routes, &fabric, e))
    return -1;
  if (tables == input->tables) {
    answer->failing = routes.unreachable || routes.waits.cycles;
    add_routes(answer->json, input->graph, &routes);
    show_cycle(answer, &fabric, &routes.waits);
  } else {
    json_t *part =
        UT_OBJECT({"tables", ut_string(answer->request->compare)},
                  {"entries", ut_int(ut_fabric_differences(tables, input->tables, answer->request->switches))});
    add_part(answer, "compare", "_compare", add_routes(part, input->graph, &routes));
  }
  ut_fabric_routes_free(&routes);
  return 0;
}

static int add_transition(struct answer *answer, struct ut_error *e) {
  const struct input *input = answer->input;
  const struct ut_fabric fabric = {.graph = input->graph,
                                   .tables = input->tables,
                                   .old = input->old,
                                   .sls = input->sls,
                                   .vls = input->vls,
                                   .switches = answer->request->switches};
  struct ut_fabric_transition transition;
  if (ut_fabric_transition_find(&transition, &fabric, e))
    return -1;
  answer->failing |= transition.looping || transition.waits.cycles;
  add_part(answer, "transition", "_transition", transition_json(answer->request, input->graph, &transition));
  show_cycle(answer, &fabric, &transition.waits);
  ut_fabric_transition_free(&transition);
  return 0;
}

static json_t *begin_answer(const struct ut_fabric_request *request, const struct ut_graph *graph) {
  uint32_t switches = 0;
  for (uint32_t i = 0; i < graph->nodes; i++)
    switches += !graph->node[i].terminal;
  return UT_OBJECT({"network", ut_string(request->network)}, {"tables", ut_string(request->tables)},
                   {"_switches", ut_int(switches)}, {"_terminals", ut_int(graph->nodes - switches)});
}

static int examine(struct answer *answer, struct ut_error *e) {
  const struct input *input = answer->input;
  answer->json = begin_answer(answer->request, input->graph);
  if (add_tables(answer, input->tables, e) || (input->other && add_tables(answer, input->other, e)) ||
      (input->old && add_transition(answer, e))) {
    json_decref(answer->json);
    return -1;
  }
  ut_result_print(answer->json, answer->request->json, 9, layout);
  return 0;
}

static int replay(const struct answer *answer, struct ut_error *e) {
  const char *path = answer->request->replay;
  if (answer->shown.waits.hops)
    return ut_fabric_replay(&answer->shown.fabric, &answer->shown.waits, path, e);
  fprintf(stderr, "uturn: %s is not written: no channels wait for each other\n", path);
  return 0;
}

int ut_prove_fabric(const struct ut_fabric_request *request) {
  struct input input = {0};
  struct answer answer = {.request = request, .input = &input};
  struct ut_error e;
  int result = read_input(&input, request, &e) || examine(&answer, &e) ? -1 : 0;
  if (!result && request->replay)
    result = replay(&answer, &e);
  free(answer.shown.waits.hop);
  free_input(&input);
  return result ? ut_print_error(&e) : answer.failing ? UT_DEADLOCK : UT_OK;
}

struct ut_scenario *ut_fabric_scenario(const struct ut_fabric_request *request, struct ut_error *e) {
  const char *slash = strrchr(request->network, '/');
  char *text;
  const int length = asprintf(&text,
                              "topology: {kind: graph, file: '%s'}\n"
                              "routing: {algorithm: table, planner: updown}\n"
                              "traffic: {pattern: uniform, load_flits_per_cycle: 0.1}\n",
                              slash ? slash + 1 : request->network);
  if (length < 0) {
    ut_fail_memory(e);
    return NULL;
  }
  struct ut_scenario *scenario = ut_scenario_parse(text, (size_t)length, request->network, e);
  free(text);
  if (scenario && request->tables)
    fprintf(stderr, "uturn: %s is not used: its author would write other tables after a fault; up*/down* is planned\n",
            request->tables);
  return scenario;
}
