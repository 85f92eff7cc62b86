/* SPDX-License-Identifier: Apache-2.0 */
/* network_links.c - links and switches that fail and come back: what is lost, who is told (docs/explanation/faults.md).
 */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "scenario.h"
#include "switches.h"

struct ut_notice {
  uint64_t cycle; /* of arrival */
  uint32_t sw;
  uint32_t reports;
};

/* ---- losses */

/* A switch in reset, which refuses nothing by itself if it is golden. */
static bool is_gone(const struct ut_network *n, const struct ut_peer *p) {
  return p->kind == UT_PEER_SWITCH && ut_bitmap_get(n->failed, p->index);
}

/* Empties a channel: the flits under way through it, and the credits back.  What arrives now the receiver refuses by
 * itself; but not a golden switch that has failed, nor one cycle later, when what it has refused stands in the ring at
 * the position that it would look at.  The RTL refuses that, too, and has to show it. */
static void flush_wires(struct ut_network *n, uint32_t channel, bool later) {
  const struct ut_peer from = ut_topology_sender(&n->topology, channel), *to = &n->topology.peer[channel];
  const bool gone = is_gone(n, to) || (later && to->kind == UT_PEER_SWITCH && n->switches->keep_refused),
             deaf = is_gone(n, &from);
  for (unsigned v = 0; v < n->v; v++) {
    const uint32_t input = ut_network_lane(n, to, v), output = ut_network_lane(n, &from, v);
    unsigned index = 0;
    for (unsigned i = 0; i < n->wires.slots; i++)
      if (*ut_network_flit_in(n, i, input)) {
        /* only a head matters: the packet is where its head is */
        if ((i || gone) && *ut_network_flit_in(n, i, input) & UT_KIND_HEAD)
          ut_terminals_discard(&n->terminals, ut_network_flit_under_way(n, input, index)[0], UT_DISCARD_CUT_BY_FAULT);
        index++;
      }
    for (unsigned i = gone ? 0 : 1; i < n->wires.slots; i++)
      *ut_network_flit_in(n, i, input) = 0;
    for (unsigned i = deaf ? 0 : 1; i < n->wires.slots; i++)
      *ut_network_credit_in(n, i, output) = 0;
  }
}

/* The ends of channels that have come back agree where the next flit goes: behind what the receiver holds.  Before that
 * no credit for it is on its way. */
void ut_network_resume(struct ut_network *n) {
  struct ut_wires *w = &n->wires;
  size_t left = 0;
  for (size_t i = 0; i < n->resumes; i++) {
    struct ut_resumption r = n->resumed[i];
    const struct ut_peer from = ut_topology_sender(&n->topology, r.channel), *to = &n->topology.peer[r.channel];
    UT_FOR_EACH (v, r.vcs) {
      const uint32_t input = ut_network_lane(n, to, v), output = ut_network_lane(n, &from, v);
      ut_position_set(w->send, output, ut_position_at(w->write, input, w->wide), w->wide);
      if (n->cycle > r.since + 1 && !(n->switches->is_cut && n->switches->is_cut(n, to, v)))
        r.vcs &= ~UT_BIT_OF(v);
    }
    if (r.vcs && ut_faults_channel_up(&n->faults, r.channel))
      n->resumed[left++] = r;
  }
  n->resumes = left;
}

static void begin_to_resume(struct ut_network *n, uint32_t channel) {
  n->resumed[n->resumes++] = (struct ut_resumption){channel, ut_mask_all(n->v), n->cycle};
}

/* ---- neighbours' reports */

void ut_network_report(struct ut_network *n, uint32_t s, uint32_t reports) {
  n->reported[s] = reports;
  if (n->notices == n->notice_room) {
    size_t room = n->notice_room ? 2 * n->notice_room : 64;
    struct ut_notice *bigger = realloc(n->notice, room * sizeof *bigger);
    if (!bigger) {
      n->failure = true;
      return;
    }
    n->notice = bigger;
    n->notice_room = room;
  }
  n->notice[n->notices++] = (struct ut_notice){n->cycle + n->link_cycles, s, reports};
}

void ut_network_deliver_reports(struct ut_network *n) {
  size_t done = 0;
  while (done < n->notices && n->notice[done].cycle <= n->cycle) {
    const struct ut_notice *notice = &n->notice[done++];
    for (unsigned port = 0; port < n->topology.po; port++) {
      const uint32_t channel = notice->sw * n->topology.po + port, back = ut_topology_twin(&n->topology, channel);
      const struct ut_peer *p = &n->topology.peer[channel];
      if (p->kind != UT_PEER_SWITCH)
        continue;
      ut_report_hear(n->report + (size_t)p->index * n->reports, n->reports, back % n->topology.po, notice->reports);
      n->switches->disturb(n, p->index);
    }
  }
  memmove(n->notice, n->notice + done, (n->notices - done) * sizeof *n->notice);
  n->notices -= done;
}

/* ---- faults */

static void set_bit(ut_mask *mask, unsigned port, bool value) {
  *mask = value ? *mask | ut_bit(port) : *mask & ~ut_bit(port);
}

/* One end of a channel sees its new state. */
static void tell_end(struct ut_network *n, const struct ut_peer *p, ut_mask *switches, bool *terminal, bool up) {
  if (p->kind == UT_PEER_SWITCH) {
    set_bit(&switches[p->index], p->port, up);
    n->switches->disturb(n, p->index);
    return;
  }
  *terminal = up;
  ut_terminals_disturb(&n->terminals, p->index);
}

/* Reads the state of a channel anew; one that does not exist is down for ever. */
static void channel_changed(struct ut_network *n, uint32_t channel) {
  const struct ut_topology *t = &n->topology;
  const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
  bool *injection = NULL, *ejection = NULL;
  if (from.kind == UT_PEER_TERMINAL)
    injection = &n->terminals.injection[(size_t)from.index * t->injections + from.port].link_up;
  if (to->kind == UT_PEER_TERMINAL)
    ejection = &n->terminals.ejection[(size_t)to->index * t->ejections + to->port].link_up;
  const bool up = ut_faults_channel_up(&n->faults, channel);
  if (up == (injection ? *injection : n->out_up[from.index] >> from.port & 1))
    return;
  tell_end(n, &from, n->out_up, injection, up);
  tell_end(n, to, n->in_up, ejection, up);
  n->changed[n->changes++] = channel;
  flush_wires(n, channel, false);
  if (up)
    begin_to_resume(n, channel);
}

/* The same of all channels of a switch; those of a link that fails or comes back are among them. */
static void channels_changed(struct ut_network *n, uint32_t sw) {
  const struct ut_topology *t = &n->topology;
  for (unsigned port = 0; port < t->po; port++)
    channel_changed(n, sw * t->po + port);
  for (unsigned port = 0; port < t->pi; port++)
    if (t->feeder[(size_t)sw * t->pi + port] != UT_NO_CHANNEL)
      channel_changed(n, t->feeder[(size_t)sw * t->pi + port]);
}

void ut_network_apply_faults(struct ut_network *n) {
  const struct ut_fault_event *event;
  bool back = false, nodes = false;
  /* what entered a wire while its link went down is lost too (one cycle later than the rest) */
  size_t old = n->changes;
  n->changes = 0;
  for (size_t i = 0; i < old; i++) {
    const struct ut_peer *to = &n->topology.peer[n->changed[i]];
    flush_wires(n, n->changed[i], true);
    /* only now what the receiver owes follows its register of the link's state, although nothing is under way */
    if (to->kind == UT_PEER_SWITCH)
      n->switches->disturb(n, to->index);
  }
  while ((event = ut_faults_next(&n->faults, n->cycle))) {
    const uint32_t sw = event->what.sw;
    if (event->what.kind == UT_FAULT_SWITCH) {
      if (!event->up) {
        if (n->switches->lose_contents)
          n->switches->lose_contents(n, sw);
        ut_bitmap_set(n->failed, sw);
      } else {
        ut_bitmap_clear(n->failed, sw);
      }
      n->switches->reset(n, sw);
      if (n->reported[sw]) /* a switch in reset reports nothing */
        ut_network_report(n, sw, 0);
      n->switches->disturb(n, sw);
    }
    back |= event->up;
    nodes |= event->what.kind == UT_FAULT_SWITCH;
    channels_changed(n, sw);
    ut_manager_tell(&n->manager, n->cycle);
    if (n->terminals.source_routes && n->cycle > 0)
      ut_source_routes_tell(&n->source_routes, n->cycle);
  }
  if (n->terminals.availability && nodes && n->cycle > 0) {
    n->settling.since = n->cycle;
    ut_availability_survey(&n->availability, &n->faults);
    ut_purge_tell(&n->purge_protocol, n->cycle, back);
  }
}
