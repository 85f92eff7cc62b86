/* SPDX-License-Identifier: Apache-2.0 */
/* network_orders.c - what the fault manager sends to switches: tables and orders; rare, so apart from the common cycle.
 */
#include "network_parts.h"
#include "switches.h"

/* Whether what the manager waits for has left: a network whose switches do not tell what they discard asks its leader.
 */
static bool is_drained(struct ut_network *net) {
  if (net->manager.phase != UT_MANAGER_DRAINS || net->reconfiguration.reset_cycle != UINT64_MAX)
    return false;
  return net->leader ? net->leader->manager.phase != UT_MANAGER_DRAINS : ut_drain_done(&net->drain, &net->terminals);
}

/* Resets all switches if what the manager waits for has not left in time: packets that a fault has left without an
 * escape VC may wait for each other for ever. */
static void limit_drain(struct ut_network *net) {
  const uint64_t timeout = net->scenario->routing.drain_timeout_cycles;
  if (net->manager.phase != UT_MANAGER_DRAINS || !timeout || net->cycle - net->manager.since != timeout)
    return;
  net->reconfiguration.reset_cycle = net->cycle + 1;
  net->reconfiguration.resets++;
}

void ut_network_step_manager(struct ut_network *net) {
  struct ut_manager *manager = &net->manager;
  const bool drained = is_drained(net), drains = manager->phase == UT_MANAGER_DRAINS;
  ut_manager_step(manager, &net->faults, net->out_up, drained, net->cycle);
  if (manager->phase == UT_MANAGER_DRAINS && !drains)
    ut_drain_begin(&net->drain, &net->terminals);
  limit_drain(net);
  for (uint32_t i = 0; i < manager->streams; i++)
    net->switches->disturb(net, manager->stream[i].sw);
}

void ut_network_step_purges(struct ut_network *net) {
  ut_purge_step(&net->purge_protocol, net->cycle);
  for (uint32_t i = 0; net->purge_protocol.word && net->switches->disturbed_by_orders && i < net->topology->switches;
       i++)
    net->switches->disturb(net, i);
}
