/* SPDX-License-Identifier: Apache-2.0 */
/* reconfiguration.c - see reconfiguration.h */
#include "reconfiguration.h"

#include <string.h>

#include "network_parts.h"
#include "scenario.h"

/* ---- whether the network is empty */

static bool no_flit_comes(const struct ut_wires *wires) {
  uint8_t any = 0;
  for (unsigned i = 0; i < wires->slots; i++)
    for (uint32_t lane = UT_LANES; lane < wires->lanes; lane++)
      any |= wires->flits[i][lane];
  return !any;
}

/* Returns whether nothing of any packet is left: also not of one that a fault has cut, which is accounted for already.
 */
static bool is_empty(const struct ut_network *net) {
  return net->reconfiguration.reset_cycle == UINT64_MAX && !ut_network_outstanding(net) &&
         !ut_terminals_busy(&net->terminals) && !ut_network_buffered(net) && no_flit_comes(&net->wires);
}

/* ---- routes are planned and written */

/* Tells those who write tables, or inform terminals, of what has changed: they survey the network in this cycle. */
static void tell_writers(struct ut_network *net) {
  if (net->manager.word)
    ut_manager_tell(&net->manager, net->cycle);
  if (net->terminals.source_routes)
    ut_source_routes_tell(&net->source_routes, net->cycle);
}

/* Returns the cycles until the last node has the entries that differ. */
static uint64_t time_of(const struct ut_network *net, const struct ut_paths *from, const struct ut_paths *to,
                        uint64_t *entries) {
  const uint64_t pace = net->scenario->routing.manager_switch_cycles;
  uint64_t longest = 0;
  for (uint32_t node = 0; node < to->nodes; node++) {
    const uint64_t changes = ut_paths_changes(from, to, node), time = (node + 1) * pace + changes;
    *entries += changes;
    longest = time > longest ? time : longest;
  }
  return longest;
}

static void plan(struct ut_network *net) {
  struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  const struct ut_replanner *replanner = &net->scenario->replanner;
  reconfiguration->told = false;
  reconfiguration->rounds++;
  reconfiguration->end = net->cycle;
  tell_writers(net);
  if (!net->terminals.paths)
    return;
  const struct ut_paths *paths = replanner->plan(replanner->self, &net->faults);
  if (!paths) {
    net->failure = true;
    return;
  }
  reconfiguration->end += time_of(net, net->terminals.paths, paths, &reconfiguration->entries);
  net->terminals.paths = paths;
}

static bool is_distributed(const struct ut_network *net) {
  const bool writes = net->manager.phase != UT_MANAGER_IDLE || net->manager.told, informs = net->source_routes.round;
  return net->cycle > net->reconfiguration.since && net->cycle >= net->reconfiguration.end && !writes && !informs;
}

/* ---- a network that does not empty */

static uint64_t limit_from(const struct ut_network *net, uint64_t cycle) {
  const uint64_t timeout = net->scenario->routing.drain_timeout_cycles;
  return timeout ? cycle + timeout : UINT64_MAX;
}

bool ut_reconfiguration_purges(const struct ut_network *net) {
  const bool halts = net->reconfiguration.phase == UT_PHASE_DETECTS || net->reconfiguration.phase == UT_PHASE_DRAINS;
  return (halts || net->manager.phase == UT_MANAGER_DRAINS) && net->scenario->routing.drain_timeout_cycles;
}

static void begin_reset(struct ut_network *net) {
  struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  reconfiguration->reset_cycle = net->cycle + 1;
  reconfiguration->resets++;
  reconfiguration->limit = limit_from(net, net->cycle + 1 + UT_RESET_CYCLES);
}

/* ---- phases */

static void count_losses(struct ut_network *net) {
  struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    reconfiguration->lost[i] += net->terminals.accounts.discarded[i] - reconfiguration->before[i];
}

static void enter(struct ut_network *net, enum ut_reconfiguration_phase phase) {
  struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  const uint64_t cycles = net->cycle - reconfiguration->since;
  if (reconfiguration->phase == UT_PHASE_DRAINS)
    reconfiguration->drain_cycles += cycles;
  if (reconfiguration->phase == UT_PHASE_DISTRIBUTES)
    reconfiguration->distribute_cycles += cycles;
  if (phase == UT_PHASE_IDLE)
    count_losses(net);
  reconfiguration->phase = phase;
  reconfiguration->limit = limit_from(net, net->cycle);
  reconfiguration->since = net->cycle;
  net->terminals.halted = phase == UT_PHASE_DRAINS || phase == UT_PHASE_DISTRIBUTES;
}

void ut_reconfiguration_tell(struct ut_network *net, const struct ut_accounts *before) {
  struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  if (!reconfiguration->active || net->leader || !net->cycle) /* the faults of cycle 0 are known */
    return;
  reconfiguration->told = true;
  reconfiguration->heard = net->cycle + net->scenario->routing.manager_delay_cycles;
  if (reconfiguration->phase != UT_PHASE_IDLE)
    return;
  memcpy(reconfiguration->before, before->discarded, sizeof reconfiguration->before);
  enter(net, UT_PHASE_DETECTS);
  reconfiguration->next_cycle = reconfiguration->heard;
}

/* Returns the next cycle after a step in which something is due. */
static uint64_t next_of(const struct ut_network *net) {
  const struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  const uint64_t next = net->cycle + 1;
  uint64_t due = next;
  switch (reconfiguration->phase) {
  case UT_PHASE_IDLE: return UINT64_MAX;
  case UT_PHASE_DETECTS: return reconfiguration->since + net->scenario->routing.manager_delay_cycles;
  case UT_PHASE_DRAINS: due = reconfiguration->heard; break;
  case UT_PHASE_DISTRIBUTES: due = net->manager.word || net->source_routes.round ? next : reconfiguration->end; break;
  }
  return due > next ? due : next;
}

/* Does what another network does that has been stepped before in this cycle. */
static void follow(struct ut_network *net) {
  const struct ut_reconfiguration *leader = &net->leader->reconfiguration;
  net->terminals.halted = net->leader->terminals.halted;
  net->terminals.paths = net->leader->terminals.paths;
  if (leader->reset_cycle == net->cycle + 1)
    net->reconfiguration.reset_cycle = leader->reset_cycle;
  if (leader->phase == UT_PHASE_DISTRIBUTES && leader->since == net->cycle)
    tell_writers(net);
}

void ut_reconfiguration_step(struct ut_network *net) {
  struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  if (net->leader) {
    follow(net);
    return;
  }
  const uint64_t delay = net->scenario->routing.manager_delay_cycles;
  if (reconfiguration->phase == UT_PHASE_DETECTS && net->cycle >= reconfiguration->since + delay)
    enter(net, UT_PHASE_DRAINS);
  if (reconfiguration->phase == UT_PHASE_DISTRIBUTES && is_distributed(net))
    enter(net, reconfiguration->told ? UT_PHASE_DRAINS : UT_PHASE_IDLE);
  if (reconfiguration->phase == UT_PHASE_DRAINS && net->cycle >= reconfiguration->heard && is_empty(net)) {
    plan(net);
    enter(net, UT_PHASE_DISTRIBUTES);
  }
  if (reconfiguration->phase == UT_PHASE_DRAINS && net->cycle >= reconfiguration->limit && !is_empty(net))
    begin_reset(net);
  reconfiguration->next_cycle = next_of(net);
}
