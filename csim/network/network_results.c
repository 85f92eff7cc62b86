/* SPDX-License-Identifier: Apache-2.0 */
/* network_results.c - whether a network has come to its end, and what it has done until then. */
#include "network_parts.h"

#include <stdlib.h>

#include "scenario.h"

bool ut_network_count_links(struct ut_network *n) {
  n->link_flits = calloc((size_t)n->topology.switches * n->topology.po, sizeof *n->link_flits);
  return n->link_flits != NULL;
}

uint64_t ut_network_ready_cycle(const struct ut_network *n) {
  unsigned longest = n->link_cycles > n->injection_cycles ? n->link_cycles : n->injection_cycles;
  longest = longest > n->ejection_cycles ? longest : n->ejection_cycles;
  return n->shape->depth + longest + 1;
}

uint64_t ut_network_planned(const struct ut_scenario *s) {
  return s->run.warmup_cycles + s->run.measure_cycles;
}

uint64_t ut_network_outstanding(const struct ut_network *n) {
  const struct ut_accounts *a = &n->terminals.accounts;
  return a->injected - a->delivered - ut_accounts_discarded(a);
}

/* All packets that still wait are at terminals whose links stay down. */
static bool none_can_leave(const struct ut_network *n) {
  if (ut_faults_next_cycle(&n->faults) != UINT64_MAX)
    return false;
  const unsigned links = n->topology.injections;
  for (uint32_t i = 0; i < n->topology.terminals * links; i++)
    if (n->terminals.terminal[i / links].end != n->terminals.terminal[i / links].injected &&
        ut_faults_channel_up(&n->faults, ut_topology_injection(&n->topology, 0, 0) + i))
      return false;
  return true;
}

/* The workload is complete, so that nothing is left, or what is left of it waits for ever. */
static bool workload_is_over(const struct ut_network *n) {
  return ut_workload_run_quiet(n->workload) && ut_network_outstanding(n) == 0 &&
         (ut_terminals_queued(&n->terminals) == 0 || none_can_leave(n));
}

bool ut_network_done(const struct ut_network *n) {
  if (n->workload && workload_is_over(n))
    return true;
  if (n->cycle < n->terminals.window_end)
    return false;
  if (!n->scenario->run.drain || n->cycle >= n->terminals.window_end + n->scenario->run.drain_limit_cycles)
    return true;
  return ut_network_outstanding(n) == 0 && none_can_leave(n);
}

double ut_network_throughput(const struct ut_network *n) {
  const uint64_t start = n->terminals.window_start,
                 end = n->cycle < n->terminals.window_end ? n->cycle : n->terminals.window_end;
  return end > start ? (double)n->terminals.window_flits / (double)(end - start) / n->topology.terminals : 0;
}

uint64_t ut_network_after_end(const struct ut_network *n) {
  return ut_traffic_packets_from(&n->traffic, n->terminals.window_end);
}

uint64_t ut_network_u_turns(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group->memory; i++)
    sum += ut_network_switch(n, i)->u_turns;
  return sum;
}

uint64_t ut_network_expiries(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group->memory; i++)
    sum += ut_network_switch(n, i)->expiries;
  return sum;
}

bool ut_network_incomplete(const struct ut_network *n) {
  return n->workload && n->scenario->run.drain && !ut_workload_run_complete(n->workload);
}
