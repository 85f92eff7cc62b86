/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_replay.c - see fabric_replay.h.  The network and the tables are files of a scenario, which the prover examines
 * as any other: it finds the cycle again, and tries traffic until the golden model shows it (csim/prove/replay.h). */
#define _GNU_SOURCE
#include "fabric_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "counter_example.h"
#include "fabric_cut.h"
#include "graph_write.h"
#include "method.h"
#include "output.h"
#include "replay.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

static void write_tables(const struct ut_fabric_cut *cut, FILE *f) {
  const struct ut_graph *graph = cut->graph;
  fputs("switch,destination,port\n", f);
  for (uint32_t sw = 0; sw < graph->nodes; sw++)
    for (uint32_t to = 0; !graph->node[sw].terminal && to < graph->nodes; to++)
      if (ut_switch_tables_port(cut->tables, sw, to) != UT_NO_TABLE_PORT)
        fprintf(f, "%s,%s,%u\n", graph->node[sw].name, graph->node[to].name,
                ut_switch_tables_port(cut->tables, sw, to) + graph->first_port);
}

static int write_files(const struct ut_fabric_cut *cut, const char *network, const char *tables, struct ut_error *e) {
  struct ut_output output;
  if (ut_graph_check_form(cut->graph, UT_GRAPH_NODE_LIST, e) || ut_output_open(&output, network, UT_OUTPUT_REGULAR, e))
    return -1;
  if (ut_graph_write(cut->graph, UT_GRAPH_NODE_LIST, output.file, e)) {
    ut_output_drop(&output);
    return -1;
  }
  if (ut_output_close(&output, e) || ut_output_open(&output, tables, UT_OUTPUT_REGULAR, e))
    return -1;
  write_tables(cut, output.file);
  return ut_output_close(&output, e);
}

/* The file behind the last '/'. */
static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static struct ut_scenario *read_scenario(const char *path, const char *network, const char *tables,
                                         struct ut_error *e) {
  char *text;
  const int length = asprintf(&text,
                              "topology: {kind: graph, file: \"%s\"}\n"
                              "switch: {vcs: 1, depth_flits: 4, packet_flits: 4}\n"
                              "routing: {algorithm: table, planner: file, tables_file: \"%s\"}\n"
                              "traffic: {pattern: uniform, load_flits_per_cycle: 0.5}\n"
                              "run: {warmup_cycles: 0, measure_cycles: 1000, seed: 1}\n",
                              base_of(network), base_of(tables));
  if (length < 0) {
    ut_fail_memory(e);
    return NULL;
  }
  struct ut_scenario *scenario = ut_scenario_parse(text, (size_t)length, path, e);
  free(text);
  return scenario;
}

/* Finds the cycle in the cut, and traffic that shows it. */
static int show(const struct ut_scenario *scenario, const char *path, struct ut_error *e) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_counter_example *example = calloc(1, sizeof *example);
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  struct ut_prover prover;
  struct ut_replay_report report;
  int result = -1;
  if (!space || !example)
    ut_fail_memory(e);
  else if (!ut_fault_space_of_scenario(space, topo, scenario, e) && !ut_prover_init(&prover, scenario, topo, e)) {
    prover.stop = &ut_interrupted;
    if (!ut_counter_example_find(example, &prover, space, 0, UT_FAILURE_CYCLE, e)) {
      result = ut_replay_write(&prover, example, path, &ut_interrupted, &report, e);
      ut_counter_example_free(example);
    }
    ut_prover_free(&prover);
  }
  if (!result)
    fprintf(stderr, "uturn: %s: %s\n", path, report.text);
  free(space);
  free(example);
  return result;
}

int ut_fabric_replay(const struct ut_fabric *fabric, const struct ut_fabric_cycles *cycles, const char *path,
                     struct ut_error *e) {
  struct ut_fabric_cut cut;
  const char *base = base_of(path), *dot = strrchr(base, '.');
  const int stem = (int)(dot ? dot - path : (long)strlen(path));
  char *network = NULL, *tables = NULL;
  if (ut_output_check(path, UT_OUTPUT_REGULAR, e) || ut_fabric_cut_make(&cut, fabric, cycles, e))
    return -1;
  int result = asprintf(&network, "%.*s.net", stem, path) < 0 || asprintf(&tables, "%.*s.csv", stem, path) < 0
                   ? ut_fail_memory(e)
                   : write_files(&cut, network, tables, e);
  struct ut_scenario *scenario = result ? NULL : read_scenario(path, network, tables, e);
  result = scenario ? show(scenario, path, e) : -1;
  ut_scenario_free(scenario);
  free(network);
  free(tables);
  ut_fabric_cut_free(&cut);
  return result;
}
