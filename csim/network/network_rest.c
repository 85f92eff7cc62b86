/* SPDX-License-Identifier: Apache-2.0 */
/* network_rest.c - cycles in which nothing happens are jumped: docs/explanation/network.md, "Cycles in which nothing
 * happens". */
#include <string.h>

#include "network_parts.h"
#include "scenario.h"
#include "switches.h"

/* Cycles with an empty network before the check whether it rests: the check costs about as much as a cycle. */
enum { QUIET = 8 };

/* ---- whether it rests */

static bool is_empty(const uint8_t *bytes, size_t size) {
  uint64_t any = 0;
  for (size_t i = 0; i < size; i += sizeof any) { /* whole vectors */
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    any |= word;
  }
  return !any;
}

/* Returns whether nothing is on a wire, apart from the lane that is never read. */
static bool wires_rest(const struct ut_wires *wires) {
  bool rest = true;
  for (unsigned i = 0; i < wires->slots && rest; i++)
    rest = is_empty(wires->flits[i] + UT_LANES, wires->lanes - UT_LANES) &&
           is_empty(wires->credits[i] + UT_LANES, wires->lanes - UT_LANES);
  return rest;
}

bool ut_network_is_at_rest(const struct ut_network *net) {
  const bool orders = net->manager.streams || net->purge_protocol.word;
  const bool rest =
      !net->changes && !net->resumes && !net->notices && !orders && !net->failure && ut_terminals_rest(&net->terminals);
  return rest && (!net->switches->rest || net->switches->rest(net)) && wires_rest(&net->wires) &&
         ut_link_delays_rest(&net->delays);
}

enum ut_rest ut_network_rest(struct ut_network *net) {
  if (ut_network_outstanding(net)) {
    net->quiet = 0;
    return UT_MOVES;
  }
  if (++net->quiet < QUIET)
    return UT_MOVES;
  const bool rests = ut_network_is_at_rest(net);
  const enum ut_rest rest = !rests ? UT_MOVES : net->quiet == QUIET ? UT_RESTS : UT_RESTED;
  if (rest != UT_RESTS)
    net->quiet = 0;
  return rest;
}

/* ---- the jump */

/* Returns the last cycle of the window or, after the window, of the run. */
static uint64_t last_cycle(const struct ut_network *net) {
  const uint64_t end = net->terminals.window_end;
  return net->cycle < end ? end - 1 : end + net->scenario->run.drain_limit_cycles - 1;
}

uint64_t ut_network_next_event(const struct ut_network *net) {
  uint64_t next = ut_earlier(ut_faults_next_cycle(&net->faults), last_cycle(net));
  next = ut_earlier(next, ut_terminals_next_packet(&net->terminals));
  next = ut_earlier(next, net->purge_protocol.next_cycle);
  next = ut_earlier(next, net->reconfiguration.next_cycle);
  next = ut_earlier(next, net->reconfiguration.reset_cycle);
  if (net->manager.word)
    next = ut_earlier(next, net->manager.next_cycle);
  if (net->terminals.source_routes)
    next = ut_earlier(next, net->source_routes.next_cycle);
  if (net->workload)
    next = ut_earlier(next, ut_workload_run_next_cycle(net->workload));
  if (net->resends)
    next = ut_earlier(next, ut_resends_next_cycle(net->resends, net->cycle));
  return next > net->cycle ? next : net->cycle;
}

void ut_network_jump(struct ut_network *net, uint64_t cycle) {
  if (cycle <= net->cycle)
    return;
  ut_terminals_jump(&net->terminals, cycle);
  if (net->workload)
    ut_workload_run_jump(net->workload);
  net->jumped += cycle - net->cycle;
  net->cycle = cycle;
}

void ut_network_skip(struct ut_network *net, uint64_t look) {
  if (ut_network_rest(net) == UT_RESTED)
    ut_network_jump(net, ut_earlier(ut_network_next_event(net), look - 1));
}
