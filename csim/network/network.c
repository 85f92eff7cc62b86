/* SPDX-License-Identifier: Apache-2.0 */
/* network.c - one cycle of a network, in the order in which things happen.
 *
 * What happens in every cycle is here; what happens when a link or a switch fails is in network_links.c and
 * csim/control, what switches do in switches.h.  The other parts of a network: network_parts.h.
 */
#include "network_parts.h"

#include "switches.h"

/* ---- before terminals and switches are stepped: rare, each with a condition that is cheap to look at */

/* The fault manager writes forwarding tables. */
static void step_manager(struct ut_network *n) {
  struct ut_manager *m = &n->manager;
  ut_manager_step(m, &n->faults, n->out_up, n->cycle);
  for (uint32_t i = 0; i < m->streams; i++)
    n->switches->disturb(n, m->stream[i].sw);
}

/* The manager gives an order about states of nodes to all switches. */
static void step_purge_protocol(struct ut_network *n) {
  ut_purge_step(&n->purge_protocol, n->cycle);
  for (uint32_t i = 0; n->purge_protocol.word && n->switches->disturbed_by_orders && i < n->topology.switches; i++)
    n->switches->disturb(n, i);
}

void ut_network_begin_cycle(struct ut_network *n) {
  if (n->cycle == n->terminals.window_end) {
    n->terminals.stop_generation = true;
    n->queued_at_end = ut_terminals_queued(&n->terminals);
  }
  if (n->changes || ut_faults_next_cycle(&n->faults) <= n->cycle)
    ut_network_apply_faults(n);
  if (n->resumes)
    ut_network_resume(n);
  if (n->notices)
    ut_network_deliver_reports(n);
  if (n->manager.word && n->manager.next_cycle <= n->cycle)
    step_manager(n);
  if (n->purge_protocol.next_cycle <= n->cycle)
    step_purge_protocol(n);
  if (n->terminals.source_routes && n->source_routes.next_cycle <= n->cycle)
    ut_source_routes_step(&n->source_routes, &n->faults, n->cycle);
}

/* ---- terminals and switches: what they drive is on the wires of later cycles, so their order does not matter */

void ut_network_step_terminals(struct ut_network *n, unsigned range) {
  const uint32_t first = n->wires.terminals; /* the wires to terminals, and from them */
  ut_terminals_step(&n->terminals, range, n->cycle, ut_network_flit_in(n, 0, first) - first,
                    ut_network_credit_in(n, 0, first) - first, ut_network_flit_in(n, n->injection_cycles, 0),
                    ut_network_credit_in(n, n->ejection_cycles, 0));
}

/* One cycle of a piece, whatever the others do. */
static void step_partition(void *ctx, unsigned i) {
  struct ut_network *n = ctx;
  if (i < n->terminals.ranges)
    ut_network_step_terminals(n, i);
  struct ut_partition *p = &n->piece[i];
  for (unsigned j = 0; j < p->spans; j++)
    n->switches->step(n, p, &p->span[j]);
}

/* ---- after them: what concerns others, in the order of the pieces */

/* Fewer packets that have arrived are taken off their sources' lists by one thread. */
enum { FEW_PACKETS = 32 };
static void settle_range(void *ctx, unsigned i) {
  struct ut_network *n = ctx;
  ut_terminals_settle(&n->terminals, i, n->cycle);
}

/* Discarded packets, and switches that report something else from now on. */
static void apply_events(struct ut_network *n, struct ut_partition *p) {
  static const enum ut_discard_reason reason[] = {[UT_DROPPED_UNREACHABLE] = UT_DISCARD_UNREACHABLE,
                                                  [UT_DROPPED_CUT] = UT_DISCARD_CUT_BY_FAULT,
                                                  [UT_DROPPED_PURGED] = UT_DISCARD_PURGED};
  for (size_t i = 0; i < p->events.count; i++) {
    const struct ut_event *e = &p->events.event[i];
    if (e->kind == UT_EVENT_STATE) {
      const uint32_t reports = n->switches->reports(n, e);
      if (reports != n->reported[e->sw])
        ut_network_report(n, e->sw, reports);
    } else {
      ut_terminals_discard(&n->terminals, e->header,
                           e->kind == UT_EVENT_LOST ? UT_DISCARD_CUT_BY_FAULT : reason[e->why]);
    }
  }
  n->failure |= p->events.failure;
  p->events.count = 0;
  n->flit_hops += p->flit_hops;
  p->flit_hops = 0;
}

void ut_network_end_cycle(struct ut_network *n) {
  const size_t arrived = ut_terminals_leaving(&n->terminals);
  if (arrived > FEW_PACKETS)
    ut_threads_run(n->threads, n->terminals.ranges, settle_range, n);
  else if (arrived) /* sooner than others are told of them */
    ut_terminals_settle_all(&n->terminals, n->cycle);
  ut_terminals_account(&n->terminals, n->cycle);
  n->failure |= n->terminals.failure;
  for (unsigned i = 0; i < n->pieces; i++)
    apply_events(n, &n->piece[i]);
  if (n->link_flits && n->switches->count_flits)
    n->switches->count_flits(n);
  if (n->workload) {
    ut_workload_run_step(n->workload, &n->terminals, n->cycle);
    n->failure |= n->workload->failure;
  }
  n->cycle++;
}

/* ---- the cycle */

void ut_network_step(struct ut_network *n) {
  ut_network_begin_cycle(n);
  ut_threads_run(n->threads, n->pieces, step_partition, n);
  ut_network_end_cycle(n);
}
