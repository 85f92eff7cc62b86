/* SPDX-License-Identifier: Apache-2.0 */
/* observer.h - a second opinion on a run: watches the wires of a golden network, cycle by cycle, and counts for itself
 * what became of the packets.
 *
 * It shares no code with the statistics: of the network it uses what is on a wire (ut_network_flit_at(), credits), how
 * many packets a source queue has had, and which ports say that they discard.  Faults are links and switches of the
 * test's own list; those of terminals' links and of their switches are not for it.  A packet's number at its source is
 * its tag, and a terminal injects its packets in order.
 *
 * observer_init(), observer_step() for each cycle, observer_compare(), observer_fini() */
#ifndef UT_TEST_OBSERVER_H
#define UT_TEST_OBSERVER_H

#include "registers.h"
#include "scenario.h"
#include "scenarios.h"

enum { UNKNOWN = 0xffff, MOST_LINK_CYCLES = 64 };

/* A link, both directions, or a switch, that is not up in cycles from..until-1. */
struct outage {
  uint64_t from, until;
  uint32_t sw;
  unsigned port; /* UNKNOWN: the whole switch */
};

struct sighting {
  uint64_t generated, injected, arrived; /* cycles; UINT64_MAX: not yet */
  uint32_t sw;                           /* where its head is, or will be; UINT32_MAX: with a terminal, or gone */
  uint64_t here;                         /* from this cycle on */
  uint16_t dst, flits, in_port, hops, u_turns, detours;
  bool gone; /* delivered, or its head is lost */
};

struct source {
  struct sighting *packet;
  size_t count, room, injected;
  unsigned sending; /* of its only link: flits of the packet that is being sent are still to come; its VC */
  unsigned vc;
  bool up;
  uint8_t credits[UT_MAX_VCS];
};

/* What an interval of the timeline says, or all of them. */
struct sums {
  uint64_t generated, injected, injected_flits, received, delivered, delivered_flits;
  uint64_t cut, unreachable, in_switch, latency, longest;
};

struct reception {
  uint64_t header;
  unsigned flits;
  bool open;
};

struct observer {
  const struct ut_network *n;
  const struct outage *outage;
  unsigned outages;
  struct source *source;
  struct reception *rx;        /* [channels * v] */
  uint32_t *reports;           /* [link_cycles + 1][switches]: the last ones that each switch drove */
  unsigned changes;            /* of these */
  uint64_t lines;              /* of packets that were compared */
  uint64_t start, end, window; /* the measurement window; flits received in it */
  uint64_t *latency;           /* of packets generated in it, in order of arrival */
  size_t latencies, room;
  uint64_t hops, u_turns;          /* flits that left a switch; heads that turned up */
  uint64_t last;                   /* cycle of the last delivery */
  unsigned lost[MOST_LINK_CYCLES]; /* heads that will be lost in a cycle to come, by that modulo this */
  struct sums all;
  unsigned need, choices; /* space for a new packet; VCs that it may take; 0: not looked at */
};

/* ---- what is up */

static inline bool observer_touches(const struct ut_topology *t, const struct outage *o, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(t, channel), to = t->peer[channel];
  if (o->port != UNKNOWN)
    return channel == o->sw * t->po + o->port || channel == ut_topology_twin(t, o->sw * t->po + o->port);
  return (from.kind == UT_PEER_SWITCH && from.index == o->sw) || (to.kind == UT_PEER_SWITCH && to.index == o->sw);
}
static inline bool observer_up(const struct observer *w, uint32_t channel, uint64_t cycle) {
  for (unsigned i = 0; i < w->outages; i++) {
    const struct outage *o = &w->outage[i];
    if (cycle >= o->from && cycle < o->until && observer_touches(w->n->topology, o, channel))
      return false;
  }
  return true;
}
/* The cycle in which what was sent then is lost; UINT64_MAX: it arrives.  The channel must be up all the time, and have
 * been so when it was sent. */
static inline uint64_t observer_loss(const struct observer *w, uint32_t channel, uint64_t sent, uint64_t arrives) {
  for (uint64_t c = sent + 1; c <= arrives; c++)
    if (!observer_up(w, channel, c))
      return c;
  return observer_up(w, channel, sent) ? UINT64_MAX : sent + 1;
}

/* ---- life */

static inline unsigned observer_wire(const struct ut_network *n, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(n->topology, channel);
  return from.kind == UT_PEER_TERMINAL                         ? n->injection_cycles
         : n->topology->peer[channel].kind == UT_PEER_TERMINAL ? n->ejection_cycles
                                                               : n->link_cycles;
}

static inline unsigned observer_longest_wire(const struct ut_network *n) {
  unsigned longest = 0;
  for (uint32_t i = 0; i < n->topology->channels; i++)
    longest = observer_wire(n, i) > longest ? observer_wire(n, i) : longest;
  return longest;
}

static inline void observer_init(struct observer *w, const struct ut_network *n, const struct outage *outage,
                                 unsigned outages, unsigned need, unsigned choices) {
  const struct ut_topology *t = n->topology;
  *w = (struct observer){.n = n, .outage = outage, .outages = outages, .need = need, .choices = choices};
  w->start = n->scenario->run.warmup_cycles;
  w->end = w->start + n->scenario->run.measure_cycles;
  if (n->workload) /* which begins when the links have their credits */
    w->start = n->shape->depth + observer_longest_wire(n) + 1;
  w->source = calloc(t->terminals, sizeof *w->source);
  w->rx = calloc((size_t)t->channels * n->v, sizeof *w->rx);
  w->reports = calloc((size_t)(n->link_cycles + 1) * t->switches, sizeof *w->reports);
  assert_true(w->source && w->rx && w->reports);
}

static inline void observer_fini(struct observer *w) {
  for (uint32_t i = 0; i < w->n->topology->terminals; i++)
    free(w->source[i].packet);
  free(w->source), free(w->rx), free(w->reports), free(w->latency);
}

/* ---- packets */

/* The oldest packet of a source with that tag that is on its way; of one that has arrived with so many flits. */
static inline struct sighting *observer_find(struct observer *w, uint64_t header) {
  const uint32_t src = ut_header_src(header);
  assert_true(src < w->n->topology->terminals);
  struct source *s = &w->source[src];
  for (size_t i = ut_header_tag(header); i < s->injected; i += 256)
    if (!s->packet[i].gone && s->packet[i].injected != UINT64_MAX && s->packet[i].dst == ut_header_dst(header))
      return &s->packet[i];
  fail_msg("a packet that nobody has sent: source %u, tag %u", src, ut_header_tag(header));
  return NULL;
}

static inline void observer_deliver(struct observer *w, const struct reception *r, uint32_t terminal, uint64_t cycle) {
  struct sighting *p = observer_find(w, r->header);
  const uint64_t latency = cycle - p->generated;
  assert_int_equal(p->dst, terminal);
  p->gone = true;
  p->arrived = cycle;
  p->flits = (uint16_t)r->flits;
  w->last = cycle;
  w->all.delivered++;
  w->all.delivered_flits += r->flits;
  w->all.latency += latency;
  w->all.longest = latency > w->all.longest ? latency : w->all.longest;
  if (p->generated < w->start || p->generated >= w->end)
    return;
  if (w->latencies == w->room) {
    w->room = w->room ? 2 * w->room : 1024;
    w->latency = realloc(w->latency, w->room * sizeof *w->latency);
    assert_non_null(w->latency);
  }
  w->latency[w->latencies++] = latency;
}

static inline void observer_receive(struct observer *w, uint32_t channel, const uint64_t *flit, uint64_t cycle) {
  const unsigned tag = ut_flit_tag(flit[w->n->words]), vc = w->n->v > 1 ? ut_flit_vc(flit[w->n->words]) : 0;
  struct reception *r = &w->rx[channel * w->n->v + vc];
  w->all.received++;
  w->window += cycle >= w->start && cycle < w->end;
  assert_int_equal(r->open, !(tag & UT_KIND_HEAD));
  if (tag & UT_KIND_HEAD)
    *r = (struct reception){.header = flit[0], .open = true};
  r->flits++;
  if (!(tag & UT_KIND_TAIL))
    return;
  r->open = false;
  if (tag & UT_BAD) {
    observer_find(w, r->header)->gone = true;
    w->all.cut++;
  } else {
    observer_deliver(w, r, w->n->topology->peer[channel].index, cycle);
  }
}

/* ---- before a cycle: what arrives in it */

static inline void observer_before(struct observer *w) {
  const struct ut_topology *t = w->n->topology;
  const uint64_t cycle = w->n->cycle;
  for (uint32_t i = 0; i < t->terminals * t->ejections; i++) {
    const uint32_t channel = t->ejection[i];
    const uint64_t *flit = ut_network_flit_at(w->n, cycle, &t->peer[channel]);
    if (flit)
      observer_receive(w, channel, flit, cycle);
  }
  w->all.cut += w->lost[cycle % MOST_LINK_CYCLES];
  w->lost[cycle % MOST_LINK_CYCLES] = 0;
  for (unsigned i = 0; i < w->outages; i++) { /* heads in a switch that fails in this cycle */
    const struct outage *o = &w->outage[i];
    for (uint32_t src = 0; src < t->terminals && o->port == UNKNOWN && o->from == cycle; src++)
      for (size_t j = 0; j < w->source[src].injected; j++) {
        struct sighting *p = &w->source[src].packet[j];
        if (p->gone || p->sw != o->sw || p->here >= cycle)
          continue;
        p->gone = true;
        w->all.in_switch++;
      }
  }
}

/* ---- after a cycle: what was put onto wires in it */

/* A new packet goes where there is most room, of several VCs the lowest; if there is any, and it waits, it goes. */
static inline void observer_check_choice(const struct observer *w, const struct source *s, int vc, size_t waiting) {
  unsigned best = 0;
  for (unsigned i = 1; i < w->choices; i++)
    if (s->credits[i] > s->credits[best])
      best = i;
  const bool possible = s->up && waiting && s->credits[best] >= w->need;
  assert_int_equal(vc, possible ? (int)best : -1);
}

/* Links between two nodes of a grid, or of a hypercube, in which all links are up. */
static inline unsigned observer_distance(const struct ut_topology *t, uint32_t from, uint32_t to) {
  unsigned links = t->cube ? (unsigned)__builtin_popcount(from ^ to) : 0;
  for (unsigned d = 0; d < t->dimensions; from /= t->size[d], to /= t->size[d], d++) {
    const int apart = abs((int)(from % t->size[d]) - (int)(to % t->size[d])), round = (int)t->size[d] - apart;
    links += (unsigned)(t->wrap && round < apart ? round : apart);
  }
  return links;
}
/* A hop that does not lead nearer to the destination. */
static inline bool observer_leads_away(const struct ut_topology *t, uint32_t from, uint32_t to, uint32_t dst) {
  const uint32_t node = dst / (t->terminals / t->switches ? t->terminals / t->switches : 1);
  return (t->dimensions || t->cube) && observer_distance(t, to, node) >= observer_distance(t, from, node);
}

static inline void observer_head(struct observer *w, uint32_t channel, uint64_t header, uint64_t cycle) {
  const struct ut_topology *t = w->n->topology;
  const struct ut_peer from = ut_topology_sender(t, channel), to = t->peer[channel];
  struct sighting *p;
  if (from.kind == UT_PEER_TERMINAL) {
    struct source *s = &w->source[from.index];
    size_t i = s->injected;
    while ((uint8_t)i != ut_header_tag(header))
      i++;
    assert_int_equal(ut_header_src(header), from.index);
    assert_true(i < s->count && s->packet[i].injected == UINT64_MAX);
    p = &s->packet[i];
    assert_true(p->dst == UNKNOWN || p->dst == ut_header_dst(header));
    p->injected = cycle;
    p->dst = ut_header_dst(header);
    w->all.injected++;
    while (s->injected < s->count && s->packet[s->injected].injected != UINT64_MAX)
      s->injected++;
  } else {
    p = observer_find(w, header);
    assert_int_equal(p->sw, from.index);
    p->hops++;
    const bool turn = t->up_ports >> p->in_port & t->up_ports >> from.port & 1;
    p->u_turns = (uint16_t)(p->u_turns + turn);
    w->u_turns += turn;
    const bool away = to.kind == UT_PEER_SWITCH && observer_leads_away(t, from.index, to.index, p->dst);
    p->detours = (uint16_t)(p->detours + away);
  }
  const uint64_t arrives = cycle + observer_wire(w->n, channel);
  p->sw = to.kind == UT_PEER_SWITCH ? to.index : UINT32_MAX;
  p->in_port = to.port;
  p->here = arrives;
  const uint64_t loss = observer_loss(w, channel, cycle, arrives);
  p->gone = loss != UINT64_MAX;
  if (p->gone) {
    assert_true(loss < cycle + MOST_LINK_CYCLES);
    w->lost[loss % MOST_LINK_CYCLES]++;
  }
}

/* Packets that came into a source queue in this cycle. */
static inline void observer_generate(struct observer *w, uint32_t src, uint64_t cycle) {
  struct source *s = &w->source[src];
  for (; s->count < w->n->terminals.terminal[src].end; s->count++, w->all.generated++) {
    if (s->count == s->room) {
      s->room = s->room ? 2 * s->room : 64;
      s->packet = realloc(s->packet, s->room * sizeof *s->packet);
      assert_non_null(s->packet);
    }
    s->packet[s->count] =
        (struct sighting){.generated = cycle, .injected = UINT64_MAX, .arrived = UINT64_MAX, .dst = UNKNOWN};
  }
}

/* Credits that arrive in the cycle to come, by terminal; only where a terminal has one link and nothing but room
 * decides. */
static inline void observer_look_at_credits(const struct observer *w, uint8_t *come) {
  const struct ut_topology *t = w->n->topology;
  for (uint32_t i = 0; i < t->terminals && w->choices; i++) {
    const struct ut_peer from = {i, 0, UT_PEER_TERMINAL};
    for (unsigned v = 0; v < w->n->v; v++)
      come[i * UT_MAX_VCS + v] = *ut_wires_credits(&w->n->wires, w->n->cycle, ut_network_lane(w->n, &from, v)) != 0;
  }
}

/* A terminal's only link: the head or flit that it has sent in this cycle, or NULL. */
static inline void observer_terminal(struct observer *w, uint32_t src, const uint64_t *flit, size_t waiting,
                                     const uint8_t *come) {
  struct source *s = &w->source[src];
  const unsigned vc = flit && w->n->v > 1 ? ut_flit_vc(flit[w->n->words]) : 0;
  if (!s->sending) {
    observer_check_choice(w, s, flit ? (int)vc : -1, waiting);
  } else {
    assert_int_equal(flit != NULL, s->up && s->credits[s->vc] > 0);
    assert_true(!flit || vc == s->vc);
  }
  if (flit) {
    s->credits[vc]--;
    s->vc = vc;
    s->sending = !(ut_flit_tag(flit[w->n->words]) & UT_KIND_TAIL);
  }
  for (unsigned v = 0; v < w->n->v; v++)
    s->credits[v] = s->up ? (uint8_t)(s->credits[v] + come[v]) : 0;
  s->up = true;
}

/* What a switch reports in a cycle its neighbours hear link_cycles later, not before. */
static inline void observer_reports(struct observer *w, uint64_t cycle) {
  const struct ut_network *n = w->n;
  const struct ut_topology *t = n->topology;
  const size_t slots = n->link_cycles + 1;
  for (unsigned i = 0; i < w->outages; i++)
    if (w->outage[i].port == UNKNOWN) /* a reset changes reports at once */
      return;
  for (uint32_t s = 0; s < t->switches && n->reports; s++) {
    const uint32_t now = ut_switch_report(ut_network_group(n, s), ut_network_switch(n, s));
    w->changes += cycle > 0 && now != w->reports[(cycle + slots - 1) % slots * t->switches + s];
    w->reports[cycle % slots * t->switches + s] = now;
  }
  if (cycle < n->link_cycles || !n->reports)
    return;
  for (uint32_t s = 0; s < t->switches; s++)
    for (unsigned port = 0; port < t->po; port++) {
      const struct ut_peer *to = &t->peer[s * t->po + port];
      if (to->kind != UT_PEER_SWITCH)
        continue;
      for (unsigned bit = 0; bit < n->reports; bit++)
        assert_int_equal(n->report[to->index * n->reports + bit] >> to->port & 1,
                         w->reports[(cycle + 1) % slots * t->switches + s] >> bit & 1);
    }
}

static inline void observer_after(struct observer *w, const uint8_t *come) {
  const struct ut_network *n = w->n;
  const struct ut_topology *t = n->topology;
  const uint64_t cycle = n->cycle - 1;
  for (uint32_t i = 0; i < t->terminals; i++)
    observer_generate(w, i, cycle);
  for (uint32_t s = 0; s < t->switches; s++)
    w->all.unreachable +=
        (unsigned)__builtin_popcountll(ut_reg_discard(ut_network_group(n, s), ut_network_switch(n, s)));
  for (uint32_t channel = 0; channel < t->channels; channel++) {
    const struct ut_peer from = ut_topology_sender(t, channel);
    if (t->peer[channel].kind == UT_PEER_NONE)
      continue;
    const uint64_t *flit = ut_network_flit_at(n, cycle + observer_wire(n, channel), &t->peer[channel]);
    const size_t waiting =
        from.kind == UT_PEER_TERMINAL ? w->source[from.index].count - w->source[from.index].injected : 0;
    if (from.kind == UT_PEER_TERMINAL)
      w->all.injected_flits += flit != NULL;
    else
      w->hops += flit != NULL;
    if (flit && ut_flit_tag(flit[n->words]) & UT_KIND_HEAD)
      observer_head(w, channel, flit[0], cycle);
    if (from.kind == UT_PEER_TERMINAL && w->choices)
      observer_terminal(w, from.index, flit, waiting, come + (size_t)from.index * UT_MAX_VCS);
  }
  observer_reports(w, cycle);
}

static inline void observer_step(struct observer *w, struct ut_network *n) {
  uint8_t *come = calloc(n->topology->terminals, UT_MAX_VCS);
  assert_non_null(come);
  observer_before(w);
  observer_look_at_credits(w, come);
  ut_network_step(n);
  observer_after(w, come);
  free(come);
}

/* ---- the same figures as the network's */

static int observer_order(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The smallest latency that at least so many thousandths of all do not exceed. */
static inline uint64_t observer_percentile(const struct observer *w, unsigned thousandths) {
  const size_t rank = (w->latencies * thousandths + 999) / 1000;
  return w->latencies ? w->latency[rank ? rank - 1 : 0] : 0;
}

static inline void observer_compare_latency(struct observer *w) {
  static const unsigned thousandths[] = {0, 1, 10, 250, 500, 900, 990, 999, 1000};
  const struct ut_histogram *h = &w->n->terminals.latency;
  uint64_t sum = 0, counted = 0;
  qsort(w->latency, w->latencies, sizeof *w->latency, observer_order);
  for (size_t i = 0; i < w->latencies; i++)
    sum += w->latency[i];
  assert_int_equal(h->count, w->latencies);
  assert_int_equal(h->sum, sum);
  assert_int_equal(h->max, w->latencies ? w->latency[w->latencies - 1] : 0);
  assert_true(ut_histogram_mean(h) == (w->latencies ? (double)sum / (double)w->latencies : 0));
  for (unsigned i = 0; i < sizeof thousandths / sizeof *thousandths; i++)
    assert_int_equal(ut_histogram_percentile(h, thousandths[i] / 10.0), observer_percentile(w, thousandths[i]));
  for (size_t i = 0; i < w->latencies && w->latency[i] < UT_HISTOGRAM_PAGE; counted++) { /* bin by bin */
    size_t same = 1;
    while (i + same < w->latencies && w->latency[i + same] == w->latency[i])
      same++;
    assert_int_equal(h->low[w->latency[i]], same);
    i += same;
  }
}

static inline void observer_compare(struct observer *w) {
  const struct ut_network *n = w->n;
  const struct ut_accounts *a = &n->terminals.accounts;
  const uint64_t last = n->cycle < w->end ? n->cycle : w->end;
  assert_int_equal(a->generated, w->all.generated);
  assert_int_equal(a->injected, w->all.injected);
  assert_int_equal(a->injected_flits, w->all.injected_flits);
  assert_int_equal(a->delivered, w->all.delivered);
  assert_int_equal(a->delivered_flits, w->all.delivered_flits);
  assert_int_equal(a->discarded[UT_DISCARD_CUT_BY_FAULT], w->all.cut);
  assert_int_equal(a->discarded[UT_DISCARD_UNREACHABLE], w->all.unreachable);
  assert_int_equal(a->discarded[UT_DISCARD_IN_FAILED_SWITCH], w->all.in_switch);
  assert_int_equal(a->discarded[UT_DISCARD_PURGED], 0);
  assert_int_equal(a->corrupt, 0);
  assert_int_equal(ut_network_outstanding(n),
                   w->all.injected - w->all.delivered - w->all.cut - w->all.unreachable - w->all.in_switch);
  assert_int_equal(ut_terminals_queued(&n->terminals), w->all.generated - w->all.injected);
  assert_int_equal(n->terminals.received_flits, w->all.received);
  assert_int_equal(n->flit_hops, w->hops);
  assert_int_equal(ut_network_u_turns(n), w->u_turns);
  assert_true(ut_network_throughput(n) ==
              (last > w->start ? (double)w->window / (double)(last - w->start) / n->topology->terminals : 0));
  observer_compare_latency(w);
}

#endif
