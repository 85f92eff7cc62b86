/* SPDX-License-Identifier: Apache-2.0 */
/* network_links.c - links and switches that fail and come back: which flits are lost, and who is informed
 * (docs/explanation/faults.md).
 */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "fault_entry.h"
#include "switches.h"

struct ut_notice {
  uint64_t cycle; /* of arrival */
  uint32_t sw;
  uint32_t reports;
};

/* ---- losses */

/* Returns whether the peer is a switch in reset.  A model switch in reset does not refuse flits by itself. */
static bool is_gone(const struct ut_network *net, const struct ut_peer *peer) {
  return peer->kind == UT_PEER_SWITCH && ut_bitmap_get(net->failed, peer->index);
}

/* Empties a channel: the flits in flight through it, and the credits on their way back.  The receiver itself refuses
 * what arrives in this cycle.  A model switch that has failed does not; nor does a model switch one cycle later, when
 * the flit that it has refused stands in the ring at the position that it reads next.  The RTL refuses that flit, too,
 * and must show that it does. */
static void flush_wires(struct ut_network *net, uint32_t channel, bool later) {
  const struct ut_peer from = ut_topology_sender(net->topology, channel), *to = &net->topology->peer[channel];
  const bool gone = is_gone(net, to) || (later && to->kind == UT_PEER_SWITCH && net->switches->keep_refused),
             deaf = is_gone(net, &from);
  for (unsigned v = 0; v < net->v; v++) {
    const uint32_t input = ut_network_lane(net, to, v), output = ut_network_lane(net, &from, v);
    const unsigned flits = ut_network_ahead(net, net->delays.flit, input),
                   credits = ut_network_ahead(net, net->delays.credit, output);
    unsigned index = 0;
    for (unsigned i = 0; i < flits; i++)
      if (*ut_network_flit_coming(net, i, input)) {
        /* only a head counts: the packet is where its head is */
        if ((i || gone) && *ut_network_flit_coming(net, i, input) & UT_KIND_HEAD)
          ut_terminals_discard(&net->terminals, ut_network_flit_under_way(net, input, index)[0],
                               UT_DISCARD_CUT_BY_FAULT);
        index++;
      }
    for (unsigned i = gone ? 0 : 1; i < flits; i++)
      *ut_network_flit_coming(net, i, input) = 0;
    for (unsigned i = deaf ? 0 : 1; i < credits; i++)
      *ut_network_credit_coming(net, i, output) = 0;
  }
}

/* Makes the two ends of channels that have come back agree about the position of the next flit: behind the flits that
 * the receiver holds.  No credit for that flit is sent before. */
void ut_network_resume(struct ut_network *net) {
  struct ut_wires *wires = &net->wires;
  size_t left = 0;
  for (size_t i = 0; i < net->resumes; i++) {
    struct ut_resumption resumption = net->resumed[i];
    const struct ut_peer from = ut_topology_sender(net->topology, resumption.channel),
                         *to = &net->topology->peer[resumption.channel];
    UT_FOR_EACH (v, resumption.vcs) {
      const uint32_t input = ut_network_lane(net, to, v), output = ut_network_lane(net, &from, v);
      ut_position_set(wires->send, output, ut_position_at(wires->write, input, wires->wide), wires->wide);
      if (net->cycle > resumption.since + 1 && !(net->switches->is_cut && net->switches->is_cut(net, to, v)))
        resumption.vcs &= ~UT_BIT_OF(v);
    }
    if (resumption.vcs && ut_faults_channel_up(&net->faults, resumption.channel))
      net->resumed[left++] = resumption;
  }
  net->resumes = left;
}

static void begin_to_resume(struct ut_network *net, uint32_t channel) {
  net->resumed[net->resumes++] = (struct ut_resumption){channel, ut_mask_all(net->v), net->cycle};
}

/* ---- neighbours' reports */

void ut_network_report(struct ut_network *net, uint32_t s, uint32_t reports) {
  net->reported[s] = reports;
  if (net->notices == net->notice_room) {
    size_t room = net->notice_room ? 2 * net->notice_room : 64;
    struct ut_notice *bigger = realloc(net->notice, room * sizeof *bigger);
    if (!bigger) {
      net->failure = true;
      return;
    }
    net->notice = bigger;
    net->notice_room = room;
  }
  net->notice[net->notices++] = (struct ut_notice){net->cycle + net->link_cycles, s, reports};
}

void ut_network_deliver_reports(struct ut_network *net) {
  size_t done = 0;
  while (done < net->notices && net->notice[done].cycle <= net->cycle) {
    const struct ut_notice *notice = &net->notice[done++];
    for (unsigned port = 0; port < net->topology->po; port++) {
      const uint32_t channel = notice->sw * net->topology->po + port, back = ut_topology_twin(net->topology, channel);
      const struct ut_peer *peer = &net->topology->peer[channel];
      if (peer->kind != UT_PEER_SWITCH)
        continue;
      ut_report_hear(net->report + (size_t)peer->index * net->reports, net->reports, back % net->topology->po,
                     notice->reports);
      net->switches->disturb(net, peer->index);
    }
  }
  memmove(net->notice, net->notice + done, (net->notices - done) * sizeof *net->notice);
  net->notices -= done;
}

/* ---- faults */

static void set_bit(ut_mask *mask, unsigned port, bool value) {
  *mask = value ? *mask | ut_bit(port) : *mask & ~ut_bit(port);
}

/* Gives one end of a channel its new state. */
static void tell_end(struct ut_network *net, const struct ut_peer *peer, ut_mask *switches, bool *terminal, bool up) {
  if (peer->kind == UT_PEER_SWITCH) {
    set_bit(&switches[peer->index], peer->port, up);
    net->switches->disturb(net, peer->index);
    return;
  }
  *terminal = up;
  ut_terminals_disturb(&net->terminals, peer->index);
}

/* Recomputes the state of a channel; a channel that does not exist is always down. */
static void channel_changed(struct ut_network *net, uint32_t channel) {
  const struct ut_topology *topo = net->topology;
  const struct ut_peer from = ut_topology_sender(topo, channel), *to = &topo->peer[channel];
  bool *injection = NULL, *ejection = NULL;
  if (from.kind == UT_PEER_TERMINAL)
    injection = &net->terminals.injection[(size_t)from.index * topo->injections + from.port].link_up;
  if (to->kind == UT_PEER_TERMINAL)
    ejection = &net->terminals.ejection[(size_t)to->index * topo->ejections + to->port].link_up;
  const bool up = ut_faults_channel_up(&net->faults, channel);
  if (up == (injection ? *injection : net->out_up[from.index] >> from.port & 1))
    return;
  tell_end(net, &from, net->out_up, injection, up);
  tell_end(net, to, net->in_up, ejection, up);
  net->changed[net->changes++] = channel;
  flush_wires(net, channel, false);
  if (up)
    begin_to_resume(net, channel);
}

/* Recomputes all channels of a switch; a link that fails or comes back is among the channels of its switch. */
static void channels_changed(struct ut_network *net, uint32_t sw) {
  const struct ut_topology *topo = net->topology;
  for (unsigned port = 0; port < topo->po; port++)
    channel_changed(net, sw * topo->po + port);
  for (unsigned port = 0; port < topo->pi; port++)
    if (topo->feeder[(size_t)sw * topo->pi + port] != UT_NO_CHANNEL)
      channel_changed(net, topo->feeder[(size_t)sw * topo->pi + port]);
}

/* Gives a switch its new state; a switch that works again has been reset. */
static void switch_changed(struct ut_network *net, uint32_t sw) {
  if (!ut_faults_switch_up(&net->faults, sw)) {
    if (net->switches->lose_contents)
      net->switches->lose_contents(net, sw);
    ut_bitmap_set(net->failed, sw);
  } else {
    ut_bitmap_clear(net->failed, sw);
  }
  net->switches->reset(net, sw);
  if (net->reported[sw]) /* a switch in reset reports nothing */
    ut_network_report(net, sw, 0);
  net->switches->disturb(net, sw);
}

/* Begins or ends a reset of all switches. */
static void reset_switches(struct ut_network *net) {
  struct ut_faults *faults = &net->faults;
  faults->in_reset = !faults->in_reset;
  net->reconfiguration.reset_cycle = faults->in_reset ? net->cycle + UT_RESET_CYCLES : UINT64_MAX;
  for (uint32_t sw = 0; sw < net->topology->switches; sw++)
    if (ut_faults_switch_up(faults, sw) == ut_bitmap_get(net->failed, sw))
      switch_changed(net, sw);
  for (uint32_t sw = 0; sw < net->topology->switches; sw++)
    channels_changed(net, sw);
}

void ut_network_apply_faults(struct ut_network *net) {
  const struct ut_fault_event *event;
  const struct ut_accounts before = net->terminals.accounts;
  bool back = false, nodes = false, changed = false;
  /* a flit that entered the wire while its link went down is lost too, one cycle later than the others */
  size_t old = net->changes;
  net->changes = 0;
  for (size_t i = 0; i < old; i++) {
    const struct ut_peer *to = &net->topology->peer[net->changed[i]];
    flush_wires(net, net->changed[i], true);
    /* the receiver's pending credits follow its register of the link state only now, although nothing is in flight */
    if (to->kind == UT_PEER_SWITCH)
      net->switches->disturb(net, to->index);
  }
  while ((event = ut_faults_next(&net->faults, net->cycle))) {
    const uint32_t sw = event->what.sw;
    if (event->what.kind == UT_FAULT_SWITCH)
      switch_changed(net, sw);
    back |= event->up;
    nodes |= event->what.kind == UT_FAULT_SWITCH;
    changed = true;
    channels_changed(net, sw);
    if (net->reconfiguration.active)
      continue;
    ut_manager_tell(&net->manager, net->cycle);
    if (net->terminals.source_routes && net->cycle > 0)
      ut_source_routes_tell(&net->source_routes, net->cycle);
  }
  if (net->reconfiguration.reset_cycle <= net->cycle)
    reset_switches(net);
  if (changed)
    ut_reconfiguration_tell(net, &before);
  if (net->terminals.availability && nodes && net->cycle > 0) {
    net->settling.since = net->cycle;
    ut_availability_survey(&net->availability, &net->faults);
    ut_purge_tell(&net->purge_protocol, net->cycle, back);
  }
}
