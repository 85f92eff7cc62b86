/* SPDX-License-Identifier: Apache-2.0 */
/* network_results.c - whether a run has ended, and what it has measured. */
#include "network_parts.h"

#include <stdlib.h>

#include "scenario.h"

bool ut_network_count_links(struct ut_network *net) {
  net->link_flits = calloc((size_t)net->topology->switches * net->topology->po, sizeof *net->link_flits);
  return net->link_flits != NULL;
}

uint64_t ut_network_ready_cycle(const struct ut_network *net) {
  unsigned longest = net->link_cycles > net->injection_cycles ? net->link_cycles : net->injection_cycles;
  longest = longest > net->ejection_cycles ? longest : net->ejection_cycles;
  longest = longest > net->delays.longest ? longest : net->delays.longest;
  return net->shape->depth + longest + 1;
}

uint64_t ut_network_planned(const struct ut_scenario *scenario) {
  return scenario->run.warmup_cycles + scenario->run.measure_cycles;
}

uint64_t ut_network_outstanding(const struct ut_network *net) {
  const struct ut_accounts *accounts = &net->terminals.accounts;
  return accounts->injected - accounts->delivered - ut_accounts_discarded(accounts);
}

/* Returns whether all packets that still wait are at terminals whose links stay down. */
static bool none_can_leave(const struct ut_network *net) {
  if (ut_faults_next_cycle(&net->faults) != UINT64_MAX)
    return false;
  const unsigned links = net->topology->injections;
  for (uint32_t i = 0; i < net->topology->terminals * links; i++)
    if (net->terminals.terminal[i / links].end != net->terminals.terminal[i / links].injected &&
        ut_faults_channel_up(&net->faults, ut_topology_injection(net->topology, 0, 0) + i))
      return false;
  return true;
}

/* Returns whether the workload is complete, or what is left of it waits for ever. */
static bool workload_is_over(const struct ut_network *net) {
  return ut_workload_run_quiet(net->workload) && ut_network_outstanding(net) == 0 &&
         (ut_terminals_queued(&net->terminals) == 0 || none_can_leave(net));
}

bool ut_network_done(const struct ut_network *net) {
  if (net->workload && workload_is_over(net))
    return true;
  if (net->cycle < net->terminals.window_end)
    return false;
  if (!net->scenario->run.drain || net->cycle >= net->terminals.window_end + net->scenario->run.drain_limit_cycles)
    return true;
  const bool resends = net->resends && ut_resends_next_cycle(net->resends, net->cycle) != UINT64_MAX;
  return ut_network_outstanding(net) == 0 && !resends && none_can_leave(net);
}

double ut_network_throughput(const struct ut_network *net) {
  const uint64_t start = net->terminals.window_start,
                 end = net->cycle < net->terminals.window_end ? net->cycle : net->terminals.window_end;
  return end > start ? (double)net->terminals.window_flits / (double)(end - start) / net->topology->terminals : 0;
}

uint64_t ut_network_after_end(const struct ut_network *net) {
  return ut_traffic_packets_from(&net->traffic, net->terminals.window_end);
}

uint64_t ut_network_u_turns(const struct ut_network *net) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < net->topology->switches && net->group->memory; i++)
    sum += ut_network_switch(net, i)->u_turns;
  return sum;
}

uint64_t ut_network_expiries(const struct ut_network *net) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < net->topology->switches && net->group->memory; i++)
    sum += ut_network_switch(net, i)->expiries;
  return sum;
}

bool ut_network_incomplete(const struct ut_network *net) {
  return net->workload && net->scenario->run.drain && !ut_workload_run_complete(net->workload);
}
