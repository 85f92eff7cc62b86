/* SPDX-License-Identifier: Apache-2.0 */
/* case.c - see case.h */
#define _GNU_SOURCE
#include "case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "memory_text.h"
#include "output.h"
#include "pattern.h"
#include "plane_bypass.h"
#include "planned_routes.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_write.h"
#include "topology_build.h"

void ut_case_free(struct ut_case *repro) {
  ut_scenario_free(repro->scenario);
  free(repro->packet);
  *repro = (struct ut_case){0};
}

static void *copy_of(const void *from, size_t size) {
  void *to = malloc(size ? size : 1);
  if (to && size)
    memcpy(to, from, size);
  return to;
}

/* The copy has a network of its own; planned routes are not copied: they follow from the rest. */
static struct ut_scenario *copy_scenario(const struct ut_scenario *scenario) {
  const struct ut_planning *planning = &scenario->routing.planning;
  struct ut_scenario *to = copy_of(scenario, sizeof *scenario);
  if (!to)
    return NULL;
  to->built = NULL;
  to->paths = NULL;
  to->replanner = (struct ut_replanner){0};
  to->path = strdup(scenario->path);
  to->name = strdup(scenario->name);
  to->routing.algorithm = strdup(scenario->routing.algorithm);
  to->traffic.file = scenario->traffic.file ? strdup(scenario->traffic.file) : NULL;
  to->traffic.terminal_loads_file =
      scenario->traffic.terminal_loads_file ? strdup(scenario->traffic.terminal_loads_file) : NULL;
  to->topology.file = scenario->topology.file ? strdup(scenario->topology.file) : NULL;
  to->topology.graph = ut_graph_share(scenario->topology.graph);
  to->routing.planning = (struct ut_planning){.planner = planning->planner};
  const bool roots = ut_planning_name_roots(&to->routing.planning, planning->root, planning->roots);
  to->faults = copy_of(scenario->faults, scenario->fault_count * sizeof *scenario->faults);
  if (to->path && to->name && to->routing.algorithm && !to->traffic.file == !scenario->traffic.file &&
      !to->traffic.terminal_loads_file == !scenario->traffic.terminal_loads_file &&
      !to->topology.file == !scenario->topology.file && roots && to->faults && !ut_scenario_build(to, NULL))
    return to;
  ut_scenario_free(to);
  return NULL;
}

bool ut_case_copy(struct ut_case *to, const struct ut_case *from) {
  *to = (struct ut_case){.scenario = copy_scenario(from->scenario),
                         .traced = from->traced,
                         .packet = copy_of(from->packet, from->packets * sizeof *from->packet),
                         .packets = from->packets};
  if (to->scenario && to->packet)
    return true;
  ut_case_free(to);
  return false;
}

int ut_case_init(struct ut_case *repro, const struct ut_scenario *scenario, struct ut_error *e) {
  *repro = (struct ut_case){.scenario = copy_scenario(scenario)};
  return repro->scenario ? ut_case_settle(repro, e) : ut_fail_memory(e);
}

void ut_case_print_packets(FILE *f, const struct ut_trace_entry *packet, size_t packets) {
  for (size_t i = 0; i < packets; i++)
    fprintf(f, "%" PRIu64 " %u %u %u\n", packet[i].cycle, packet[i].src, packet[i].dst, packet[i].flits);
}

int ut_case_write_trace(const struct ut_case *repro, struct ut_error *e) {
  struct ut_output out;
  if (ut_output_open(&out, repro->scenario->traffic.file, UT_OUTPUT_REGULAR, e))
    return -1;
  ut_case_print_packets(out.file, repro->packet, repro->packets);
  return ut_output_close(&out, e);
}

int ut_case_settle(struct ut_case *repro, struct ut_error *e) {
  char *text = NULL;
  size_t length = 0;
  if (repro->traced && ut_case_write_trace(repro, e))
    return -1;
  FILE *f = ut_memory_open(&text, &length);
  if (!f)
    return ut_fail_memory(e);
  ut_scenario_write(f, repro->scenario);
  if (ut_memory_close(f, &text))
    return ut_fail_memory(e);
  struct ut_scenario *read = ut_scenario_parse(text, length, repro->scenario->path, e);
  free(text);
  if (!read)
    return -1;
  ut_scenario_free(repro->scenario);
  repro->scenario = read;
  return ut_bypass_planes(read, e) || ut_plan_scenario(read, e) ? -1 : 0;
}

/* ---- changes */

void ut_case_become_uniform(struct ut_case *repro, double load) {
  struct ut_scenario *scenario = repro->scenario;
  free(scenario->traffic.file);
  free(scenario->traffic.terminal_loads_file);
  scenario->traffic.file = scenario->traffic.terminal_loads_file = NULL;
  scenario->traffic.pattern = &ut_pattern_uniform;
  scenario->traffic.load_flits_per_cycle = load;
  repro->traced = false;
  repro->packets = 0;
}

void ut_case_end_at(struct ut_case *repro, uint64_t cycles) {
  struct ut_scenario *scenario = repro->scenario;
  size_t faults = 0, packets = 0;
  scenario->run.warmup = UT_WARMUP_CYCLES;
  scenario->run.warmup_cycles = 0;
  scenario->run.measure_cycles = cycles;
  scenario->run.drain = false;
  for (size_t i = 0; i < repro->packets; i++)
    if (repro->packet[i].cycle < cycles)
      repro->packet[packets++] = repro->packet[i];
  repro->packets = packets;
  for (size_t i = 0; i < scenario->fault_count; i++) {
    struct ut_fault fault = scenario->faults[i];
    if (fault.until_cycle >= cycles && fault.times <= 1)
      fault.until_cycle = UINT64_MAX;
    if (fault.at_cycle < cycles)
      scenario->faults[faults++] = fault;
  }
  scenario->fault_count = faults;
}

static uint64_t earlier(uint64_t cycle, uint64_t from, uint64_t by) {
  if (cycle == UINT64_MAX || cycle < from)
    return cycle;
  return cycle > by ? cycle - by : 0;
}

void ut_case_shift(struct ut_case *repro, uint64_t from, uint64_t by) {
  struct ut_scenario *scenario = repro->scenario;
  size_t faults = 0;
  for (size_t i = 0; i < repro->packets; i++)
    repro->packet[i].cycle = earlier(repro->packet[i].cycle, from, by);
  for (size_t i = 0; i < scenario->fault_count; i++) {
    struct ut_fault fault = scenario->faults[i];
    fault.at_cycle = earlier(fault.at_cycle, from, by);
    fault.until_cycle = earlier(fault.until_cycle, from, by);
    if (fault.at_cycle < fault.until_cycle)
      scenario->faults[faults++] = fault;
  }
  scenario->fault_count = faults;
}

void ut_case_keep_packets(struct ut_case *repro, const size_t *kept, size_t count) {
  for (size_t i = 0; i < count; i++)
    repro->packet[i] = repro->packet[kept[i]];
  repro->packets = count;
}

void ut_case_keep_faults(struct ut_case *repro, const size_t *kept, size_t count) {
  for (size_t i = 0; i < count; i++)
    repro->scenario->faults[i] = repro->scenario->faults[kept[i]];
  repro->scenario->fault_count = count;
}
