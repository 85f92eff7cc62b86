/* SPDX-License-Identifier: Apache-2.0 */
/* network_rest.c - cycles in which nothing happens are jumped: docs/explanation/network.md, "Cycles in which nothing
 * happens". */
#include <string.h>

#include "network_parts.h"
#include "scenario.h"
#include "switches.h"

/* Cycles without a packet before anybody looks whether the network rests: looking costs about as much as a cycle. */
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

/* Nothing is on a wire, but on the lane that nobody looks at. */
static bool wires_rest(const struct ut_wires *w) {
  bool rest = true;
  for (unsigned i = 0; i < w->slots && rest; i++)
    rest = is_empty(w->flits[i] + UT_LANES, w->lanes - UT_LANES) &&
           is_empty(w->credits[i] + UT_LANES, w->lanes - UT_LANES);
  return rest;
}

bool ut_network_is_at_rest(const struct ut_network *n) {
  const bool orders = n->manager.streams || n->purge_protocol.word;
  const bool rest =
      !n->changes && !n->resumes && !n->notices && !orders && !n->failure && ut_terminals_rest(&n->terminals);
  return rest && (!n->switches->rest || n->switches->rest(n)) && wires_rest(&n->wires);
}

enum ut_rest ut_network_rest(struct ut_network *n) {
  if (ut_network_outstanding(n)) {
    n->quiet = 0;
    return UT_MOVES;
  }
  if (++n->quiet < QUIET)
    return UT_MOVES;
  const bool rests = ut_network_is_at_rest(n);
  const enum ut_rest rest = !rests ? UT_MOVES : n->quiet == QUIET ? UT_RESTS : UT_RESTED;
  if (rest != UT_RESTS)
    n->quiet = 0;
  return rest;
}

/* ---- the jump */

/* The last cycle of the window, then that of the run. */
static uint64_t last_cycle(const struct ut_network *n) {
  const uint64_t end = n->terminals.window_end;
  return n->cycle < end ? end - 1 : end + n->scenario->run.drain_limit_cycles - 1;
}

uint64_t ut_network_next_event(const struct ut_network *n) {
  uint64_t next = ut_earlier(ut_faults_next_cycle(&n->faults), last_cycle(n));
  next = ut_earlier(next, ut_terminals_next_packet(&n->terminals));
  next = ut_earlier(next, n->purge_protocol.next_cycle);
  if (n->manager.word)
    next = ut_earlier(next, n->manager.next_cycle);
  if (n->terminals.source_routes)
    next = ut_earlier(next, n->source_routes.next_cycle);
  if (n->workload)
    next = ut_earlier(next, ut_workload_run_next_cycle(n->workload));
  return next > n->cycle ? next : n->cycle;
}

void ut_network_jump(struct ut_network *n, uint64_t cycle) {
  if (cycle <= n->cycle)
    return;
  ut_terminals_jump(&n->terminals, cycle);
  if (n->workload)
    ut_workload_run_jump(n->workload);
  n->jumped += cycle - n->cycle;
  n->cycle = cycle;
}

void ut_network_skip(struct ut_network *n, uint64_t look) {
  if (ut_network_rest(n) == UT_RESTED)
    ut_network_jump(n, ut_earlier(ut_network_next_event(n), look - 1));
}
