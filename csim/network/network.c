/* SPDX-License-Identifier: Apache-2.0 */
/* network.c - one cycle of a network, in the order in which things happen.
 *
 * The steps of every cycle are here.  What happens when a link or a switch fails is in network_links.c and
 * csim/control, what the manager does in network_orders.c, what switches do in switches.h.  The other files of a
 * network are listed in network_parts.h.
 */
#include "network_parts.h"

#include "switches.h"

/* ---- before terminals and switches are stepped: rare events, each behind a cheap condition */

void ut_network_begin_cycle(struct ut_network *net) {
  if (net->cycle == net->terminals.window_end) {
    net->terminals.stop_generation = true;
    net->queued_at_end = ut_terminals_queued(&net->terminals);
  }
  if (net->changes || ut_earlier(ut_faults_next_cycle(&net->faults), net->reconfiguration.reset_cycle) <= net->cycle)
    ut_network_apply_faults(net);
  if (net->resumes)
    ut_network_resume(net);
  if (net->notices)
    ut_network_deliver_reports(net);
  if (net->reconfiguration.next_cycle <= net->cycle)
    ut_reconfiguration_step(net);
  if (net->manager.word && net->manager.next_cycle <= net->cycle)
    ut_network_step_manager(net);
  if (net->purge_protocol.next_cycle <= net->cycle)
    ut_network_step_purges(net);
  if (net->terminals.source_routes && net->source_routes.next_cycle <= net->cycle)
    ut_source_routes_step(&net->source_routes, &net->faults, net->cycle);
}

/* ---- terminals and switches: their outputs appear on the wires of later cycles, so their order does not matter */

void ut_network_step_terminals(struct ut_network *net, unsigned range) {
  const uint32_t first = net->wires.terminals; /* the wires to and from the terminals */
  ut_terminals_step(&net->terminals, range, net->cycle, ut_network_flit_in(net, 0, first) - first,
                    ut_network_credit_in(net, 0, first) - first, ut_network_flit_in(net, net->injection_cycles, 0),
                    ut_network_credit_in(net, net->ejection_cycles, 0));
}

/* Steps one partition, independently of the others. */
static void step_partition(void *ctx, unsigned i) {
  struct ut_network *net = ctx;
  if (i < net->terminals.ranges)
    ut_network_step_terminals(net, i);
  struct ut_partition *partition = &net->partition[i];
  for (unsigned j = 0; j < partition->spans; j++)
    net->switches->step(net, partition, &partition->span[j]);
}

/* ---- afterwards: events that concern other partitions, in the order of the partitions */

/* If fewer packets have arrived, one thread removes them from the in-flight tables of their sources. */
enum { FEW_PACKETS = 32 };
static void settle_range(void *ctx, unsigned i) {
  struct ut_network *net = ctx;
  ut_terminals_settle(&net->terminals, i, net->cycle);
}

/* Handles discarded packets, and switches whose report changes from now on. */
static void apply_events(struct ut_network *net, struct ut_partition *partition) {
  static const enum ut_discard_reason reason[] = {[UT_DROPPED_UNREACHABLE] = UT_DISCARD_UNREACHABLE,
                                                  [UT_DROPPED_CUT] = UT_DISCARD_CUT_BY_FAULT,
                                                  [UT_DROPPED_PURGED] = UT_DISCARD_PURGED};
  for (size_t i = 0; i < partition->events.count; i++) {
    const struct ut_event *event = &partition->events.event[i];
    if (event->kind == UT_EVENT_STATE) {
      const uint32_t reports = net->switches->reports(net, event);
      if (reports != net->reported[event->sw])
        ut_network_report(net, event->sw, reports);
    } else {
      ut_terminals_discard(&net->terminals, event->header,
                           event->kind == UT_EVENT_LOST ? UT_DISCARD_CUT_BY_FAULT : reason[event->why]);
    }
  }
  net->failure |= partition->events.failure;
  partition->events.count = 0;
  net->flit_hops += partition->flit_hops;
  partition->flit_hops = 0;
}

void ut_network_end_cycle(struct ut_network *net) {
  const size_t arrived = ut_terminals_leaving(&net->terminals);
  if (arrived > FEW_PACKETS)
    ut_threads_run(net->threads, net->terminals.ranges, settle_range, net);
  else if (arrived) /* before other switches receive them */
    ut_terminals_settle_all(&net->terminals, net->cycle);
  ut_terminals_account(&net->terminals, net->cycle);
  net->failure |= net->terminals.failure;
  for (unsigned i = 0; i < net->partitions; i++)
    apply_events(net, &net->partition[i]);
  if (net->link_flits && net->switches->count_flits)
    net->switches->count_flits(net);
  if (net->workload) {
    ut_workload_run_step(net->workload, &net->terminals, net->cycle);
    net->failure |= net->workload->failure;
  }
  if (net->resends) {
    ut_resends_step(net->resends, &net->terminals, net->cycle);
    net->failure |= net->resends->failure;
  }
  net->cycle++;
  if (net->delays.count)
    ut_link_delays_step(net);
}

/* ---- the cycle */

void ut_network_step(struct ut_network *net) {
  ut_network_begin_cycle(net);
  ut_threads_run(net->threads, net->partitions, step_partition, net);
  ut_network_end_cycle(net);
}
