/* SPDX-License-Identifier: Apache-2.0 */
/* case_pinned.c - makes the random parts of a scenario explicit: its packets as a trace, its faults as components with
 * times. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "input_limits.h"
#include "packet_log.h"
#include "pattern.h"
#include "planned_routes.h"
#include "scenario.h"
#include "topology.h"
#include "topology_build.h"

/* ---- packets */

struct listed {
  struct ut_trace_entry entry;
  uint64_t sequence;
};

struct list {
  struct listed *packet;
  size_t count, room;
  bool failure; /* out of memory */
};

static void add_packet(void *ctx, const struct ut_packet *packet) {
  struct list *list = ctx;
  if (list->count == list->room) {
    const size_t room = list->room ? 2 * list->room : 256;
    struct listed *bigger = realloc(list->packet, room * sizeof *bigger);
    list->failure |= !bigger;
    if (!bigger)
      return;
    list->packet = bigger;
    list->room = room;
  }
  list->packet[list->count++] = (struct listed){
      .entry = {.cycle = packet->generated, .src = packet->src, .dst = packet->dst, .flits = packet->flits},
      .sequence = packet->sequence};
}

static int by_time(const void *left, const void *right) {
  const struct listed *a = left, *b = right;
  if (a->entry.cycle != b->entry.cycle)
    return a->entry.cycle < b->entry.cycle ? -1 : 1;
  if (a->entry.src != b->entry.src)
    return a->entry.src < b->entry.src ? -1 : 1;
  return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Collects all packets of the first cycles of a run. */
static bool list_packets(struct list *list, struct ut_network *net, uint64_t cycles) {
  struct ut_departures left = {0};
  struct ut_packet_log log;
  bool good = ut_packet_log_init(&log, net, add_packet, list);
  ut_departures_watch(net);
  while (good && net->cycle < cycles && !ut_network_done(net) && !net->failure) {
    ut_network_skip(net, cycles);
    ut_network_step(net);
    good = ut_departures_take(&left, net) && ut_packet_log_observe(&log, net, &left);
  }
  if (good)
    ut_packet_log_end(&log, net);
  ut_packet_log_free(&log);
  free(left.list);
  if (list->count)
    qsort(list->packet, list->count, sizeof *list->packet, by_time);
  return good && !net->failure && !list->failure;
}

static bool name_trace(struct ut_scenario *scenario, const char *folder) {
  char *path = NULL, *file = NULL;
  if (asprintf(&path, "%s/mismatch.yaml", folder) < 0 || asprintf(&file, "%s/mismatch.trace", folder) < 0) {
    free(path);
    return false;
  }
  free(scenario->path);
  free(scenario->traffic.file);
  free(scenario->traffic.terminal_loads_file);
  scenario->path = path;
  scenario->traffic.terminal_loads_file = NULL;
  scenario->traffic.file = file;
  return true;
}

/* Gives the scenario a trace, whatever its traffic was. */
static bool become_traced(struct ut_case *repro, const struct list *list, uint64_t cycles, const char *folder) {
  struct ut_scenario *scenario = repro->scenario;
  struct ut_trace_entry *packet = malloc((list->count + 1) * sizeof *packet);
  if (!packet || !name_trace(scenario, folder)) {
    free(packet);
    return false;
  }
  free(repro->packet);
  repro->packet = packet;
  repro->packets = 0;
  repro->traced = true;
  for (size_t i = 0; i < list->count; i++)
    if (list->packet[i].entry.cycle < cycles)
      repro->packet[repro->packets++] = list->packet[i].entry;
  scenario->traffic.pattern = &ut_pattern_trace;
  scenario->traffic.load_flits_per_cycle = 0;
  scenario->sw.distribution = UT_LENGTHS_FIXED;
  return true;
}

int ut_case_trace(struct ut_case *repro, uint64_t cycles, const char *folder, struct ut_error *e) {
  struct ut_network net;
  struct list list = {0};
  if (ut_plan_scenario(repro->scenario, e) ||
      ut_network_init(&net, repro->scenario, NULL, e)) /* a copy has no routes yet */
    return -1;
  bool good =
      (!ut_network_unmodelled(&net) || ut_network_use_spec(&net, UT_SPEC_STEPS)) && list_packets(&list, &net, cycles);
  ut_network_fini(&net);
  good = good && become_traced(repro, &list, cycles, folder);
  free(list.packet);
  return good ? 0 : ut_fail_memory(e);
}

/* ---- faults */

static bool same_component(const struct ut_component *a, const struct ut_component *b) {
  return a->kind == b->kind && (a->kind == UT_FAULT_SWITCH ? a->sw == b->sw : a->channel == b->channel) &&
         a->both == b->both;
}

/* Returns the entry of a fault list that names a component. */
static struct ut_fault entry_of(const struct ut_topology *topo, const struct ut_component *component) {
  struct ut_fault fault = {.kind = UT_FAULT_SWITCH,
                           .until_cycle = UINT64_MAX,
                           .times = 1,
                           .level = topo->level[component->sw],
                           .index = topo->position[component->sw],
                           .half_of = UT_NO_DIMENSION};
  if (component->kind == UT_FAULT_SWITCH)
    return fault;
  const struct ut_peer from = ut_topology_sender(topo, component->channel), to = topo->peer[component->channel];
  fault.kind = UT_FAULT_LINK;
  fault.port = component->port;
  if (component->both)
    return fault;
  if (from.kind == UT_PEER_TERMINAL || to.kind == UT_PEER_TERMINAL) {
    const bool in = from.kind == UT_PEER_TERMINAL;
    fault = (struct ut_fault){.kind = in ? UT_FAULT_INJECTION : UT_FAULT_EJECTION,
                              .until_cycle = UINT64_MAX,
                              .times = 1,
                              .terminal = in ? from.index : to.index,
                              .link = in ? from.port : to.port,
                              .half_of = UT_NO_DIMENSION};
  } else if (topo->bidirectional) {
    fault.direction = UT_DIRECTION_OUT;
  }
  return fault;
}

/* Pairs each event in which something goes down with the next one in which it comes back. */
static size_t pin(struct ut_fault *fault, const struct ut_faults *faults) {
  bool *used = calloc(faults->events, sizeof *used);
  size_t count = 0;
  for (size_t i = 0; used && i < faults->events; i++) {
    if (faults->event[i].up)
      continue;
    fault[count] = entry_of(faults->topology, &faults->event[i].what);
    fault[count].at_cycle = faults->event[i].cycle;
    for (size_t j = i + 1; j < faults->events; j++)
      if (faults->event[j].up && !used[j] && same_component(&faults->event[i].what, &faults->event[j].what)) {
        fault[count].until_cycle = faults->event[j].cycle;
        used[j] = true;
        break;
      }
    count++;
  }
  const bool good = used != NULL;
  free(used);
  return good ? count : SIZE_MAX;
}

int ut_case_pin_faults(struct ut_case *repro, struct ut_error *e) {
  struct ut_scenario *scenario = repro->scenario;
  struct ut_faults faults;
  if (!scenario->fault_count)
    return 0;
  int result = ut_faults_init(&faults, scenario, ut_scenario_topology(scenario), e);
  if (!result) {
    struct ut_fault *fault = calloc(faults.events + 1, sizeof *fault);
    const size_t count = fault ? pin(fault, &faults) : SIZE_MAX;
    if (count > UT_LIMIT_FAULTS) {
      free(fault);
      result = count == SIZE_MAX ? ut_fail_memory(e) : ut_fail(e, UT_BAD_INPUT, "too many faults to be listed");
    } else {
      free(scenario->faults);
      scenario->faults = fault;
      scenario->fault_count = count;
    }
    ut_faults_free(&faults);
  }
  return result;
}
