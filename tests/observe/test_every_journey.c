/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_journey.c - journeys of many packets at once, and all moves of the packet log, against what is seen on the
 * wires: each time that a head is on one, by which link and VC, and when its tail follows. */
#include "family.h"
#include "journey.h"
#include "packet_log.h"
#include "packet_search.h"
#include "planned_routes.h"
#include "registers.h"
#include "scenario_read.h"
#include "scenarios.h"

enum { TAGS = 256, MOST_SIGHTINGS = 60 };

/* A head that was put onto a wire. */
struct sighting {
  uint64_t put, tail; /* cycles in which the network was then; tail: 0: it has not followed, or as a bad one */
  uint64_t header;
  uint32_t channel;
  unsigned vc;
};
/* All of one packet. */
struct way {
  struct sighting seen[MOST_SIGHTINGS];
  unsigned count;
};
/* What the log has to tell of a channel in this cycle. */
struct event {
  bool head, tail;
  struct ut_packet_move move; /* its sequence: modulo 256 */
};
struct watch {
  struct ut_network n;
  unsigned packets;          /* of each terminal that are followed */
  struct way *way;           /* [terminals * packets] */
  struct sighting *last;     /* [terminals * TAGS]: of all packets */
  struct sighting **through; /* [lanes]: whose flits go there; NULL: of none that is followed */
  struct event *event;       /* [channels] */
  uint32_t *channel;         /* [lanes] */
  ut_mask *vector;           /* [cycles * switches]: re-route vectors after each cycle */
  bool *down;                /* [cycles * channels]: that are not up then */
  struct sighting turn;      /* the first U-turn of all, if there is one */
};

static unsigned wire_of(const struct ut_network *n, uint32_t channel) {
  return ut_network_link_cycles(n, channel);
}

/* Whether a hop leads no nearer, in networks that have distances. */
static bool leads_away(const struct ut_topology *t, uint32_t channel, uint64_t header) {
  const struct ut_peer from = ut_topology_sender(t, channel), to = t->peer[channel];
  const uint32_t stop = ut_topology_attachment(t, ut_header_dst(header)).sw;
  return from.kind == UT_PEER_SWITCH && to.kind == UT_PEER_SWITCH && t->family->distance &&
         t->family->distance(t, to.index, stop) >= t->family->distance(t, from.index, stop);
}

/* The last of several header words names the destination; others the node where they end. */
static uint64_t whole_header(const struct ut_network *n, uint64_t header) {
  const uint32_t src = ut_header_src(header);
  const struct ut_record *r =
      &n->terminals.terminal[src].record[ut_header_tag(header) & n->terminals.terminal[src].mask];
  return n->terminals.paths ? ut_header_set_dst(header, r->dst) : header;
}

static void see_head(struct watch *w, uint32_t channel, uint64_t header, unsigned vc, uint32_t lane) {
  const struct ut_topology *t = w->n.topology;
  const uint32_t src = ut_header_src(header), tag = ut_header_tag(header), up = (uint32_t)t->up_ports;
  const struct sighting now = {.put = w->n.cycle, .header = header, .channel = channel, .vc = vc};
  struct sighting *before = &w->last[src * TAGS + tag];
  const struct ut_peer from = ut_topology_sender(t, channel);
  const bool first = from.kind == UT_PEER_TERMINAL;
  const bool turn = !first && up >> t->peer[before->channel].port & up >> from.port & 1;
  const bool planned = w->n.terminals.paths && !first;
  w->event[channel].head = true;
  w->event[channel].move =
      (struct ut_packet_move){.sequence = tag,
                              .src = src,
                              .channel = channel,
                              .lane = lane,
                              .vc = (uint8_t)vc,
                              .u_turn = turn,
                              .detour = leads_away(t, channel, whole_header(&w->n, header)),
                              .stripped = planned && ut_leg_of(ut_header_rt(header)).sub_path !=
                                                         ut_leg_of(ut_header_rt(before->header)).sub_path};
  if (turn && !w->turn.put)
    w->turn = now;
  *before = now;
  w->through[lane] = NULL;
  if (tag >= w->packets)
    return;
  struct way *x = &w->way[src * w->packets + tag];
  assert_true(x->count < MOST_SIGHTINGS);
  x->seen[x->count] = now;
  w->through[lane] = &x->seen[x->count++];
}

/* What was put onto wires in the last cycle. */
static void see(struct watch *w) {
  const struct ut_network *n = &w->n;
  const struct ut_topology *t = n->topology;
  memset(w->event, 0, t->channels * sizeof *w->event);
  for (uint32_t channel = 0; channel < t->channels; channel++) {
    const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
    w->down[n->cycle * t->channels + channel] = from.kind == UT_PEER_SWITCH
                                                    ? !(n->out_up[from.index] & ut_bit(from.port))
                                                    : !(n->in_up[to->index] & ut_bit(to->port));
    const uint64_t *flit =
        to->kind == UT_PEER_NONE ? NULL : ut_network_flit_at(n, n->cycle + wire_of(n, channel) - 1, to);
    if (!flit)
      continue;
    const unsigned tag = ut_flit_tag(flit[n->words]), vc = n->v > 1 ? ut_flit_vc(flit[n->words]) : 0;
    const uint32_t lane = ut_network_lane(n, &from, vc);
    w->channel[lane] = channel;
    if (tag & UT_KIND_HEAD)
      see_head(w, channel, flit[0], vc, lane);
    w->event[channel].tail = tag & UT_KIND_TAIL;
    if (w->through[lane] && tag & UT_KIND_TAIL && !(tag & UT_BAD))
      w->through[lane]->tail = n->cycle;
  }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    w->vector[n->cycle * t->switches + sw] = ut_network_switch(n, sw)->vector;
}

/* ---- the packet log; ctx: the watch */

static void is_not_kept(void *ctx, const struct ut_packet *p) {
  (void)ctx, (void)p;
}

static void is_seen(void *ctx, const struct ut_packet_move *m) {
  struct watch *w = ctx;
  struct event *e = &w->event[m->channel];
  const struct ut_packet_move *x = &e->move;
  if (!e->head || m->src != x->src || m->sequence % TAGS != x->sequence || m->lane != x->lane || m->vc != x->vc ||
      m->u_turn != x->u_turn || m->detour != x->detour || m->stripped != x->stripped)
    fail_msg(
        "cycle %u: move of packet %u of terminal %u over channel %u: VC %u, lane %u, U-turn %d, detour %d, stripped "
        "%d; seen %d: packet %u of %u, VC %u, lane %u, U-turn %d, detour %d, stripped %d",
        (unsigned)w->n.cycle, (unsigned)m->sequence, m->src, m->channel, m->vc, m->lane, m->u_turn, m->detour,
        m->stripped, e->head, (unsigned)x->sequence, x->src, x->vc, x->lane, x->u_turn, x->detour, x->stripped);
  e->head = false;
}

static void is_tail(void *ctx, uint32_t lane) {
  struct watch *w = ctx;
  assert_true(w->event[w->channel[lane]].tail);
  w->event[w->channel[lane]].tail = false;
}

static void all_is_told(const struct watch *w) {
  for (uint32_t channel = 0; channel < w->n.topology->channels; channel++)
    if (w->event[channel].head || w->event[channel].tail)
      fail_msg("cycle %u: nothing is told of channel %u", (unsigned)w->n.cycle, channel);
}

/* ---- journeys */

#define IS(what, is, wanted)                                                                                           \
  do {                                                                                                                 \
    const uint64_t a_ = (is), b_ = (wanted);                                                                           \
    if (a_ != b_)                                                                                                      \
      fail_msg("packet %u of terminal %u, hop %zu: " what " is %llu, expected %llu", (unsigned)j->sequence, j->src, i, \
               (unsigned long long)a_, (unsigned long long)b_);                                                        \
  } while (0)

/* What is known when it has left that switch; seen[1]: behind it. */
static void hop_has_left(const struct watch *w, const struct ut_journey *j, size_t i, const struct sighting *seen) {
  const struct ut_network *n = &w->n;
  const struct ut_topology *t = n->topology;
  const struct ut_hop *h = &j->hop[i];
  const uint64_t arrived = seen[0].put + wire_of(n, seen[0].channel) - 1;
  const unsigned stripped = n->terminals.paths ? ut_leg_of(ut_header_rt(seen[1].header)).sub_path -
                                                     ut_leg_of(ut_header_rt(seen->header)).sub_path
                                               : 0;
  IS("switch", seen[1].channel / t->po, h->sw);
  IS("cycle it left", h->left, seen[1].put);
  IS("output port", h->out_port, seen[1].channel % t->po);
  IS("output VC", h->out_vc, seen[1].vc);
  IS("rt behind it", h->rt_out, ut_header_rt(seen[1].header));
  IS("header words stripped", h->stripped, stripped);
  IS("cycles waited", h->waited, seen[1].put - arrived - h->strip - ut_shape_hop(n->shape));
  IS("goes up", h->goes_up, t->up_ports >> h->out_port & 1);
  IS("vector behind it", h->vector_out, w->vector[seen[1].put * t->switches + h->sw]);
  IS("stop", ut_journey_stop(n, h), ut_topology_attachment(t, ut_header_dst(seen[1].header)).sw);
  if (j->state == UT_JOURNEY_DELIVERED) /* a tail that is the head is looked for in the cycle behind it */
    IS("cycle of its tail", h->crossed, seen[1].tail + (seen[1].tail == seen[1].put));
  assert_true(h->strip >= h->stripped && h->behind <= h->waited);
}

static void hops_were_seen(const struct watch *w, const struct ut_journey *j, const struct way *x) {
  const struct ut_network *n = &w->n;
  const struct ut_topology *t = n->topology;
  unsigned links = 0, turns = 0, stripped = 0, gone = 0;
  uint64_t waited = 0;
  for (size_t i = 0; i < j->hops; i++) {
    const struct ut_hop *h = &j->hop[i];
    const struct sighting *seen = &x->seen[i];
    assert_true(i < x->count);
    IS("switch", h->sw, t->peer[seen->channel].index);
    IS("input port", h->in_port, t->peer[seen->channel].port);
    IS("input VC", h->in_vc, seen->vc);
    IS("arrival", h->arrived, seen->put + wire_of(n, seen->channel) - 1);
    IS("rt before it", h->rt_in, ut_header_rt(seen->header));
    IS("comes from above", h->from_above, t->up_ports >> h->in_port & 1);
    IS("vector before it", h->vector_in, w->vector[(h->arrived + 1) * t->switches + h->sw]);
    IS("still there", !h->gone, i + 1 == x->count);
    if (h->gone)
      hop_has_left(w, j, i, seen);
    gone += h->gone, stripped += h->stripped, waited += h->gone ? h->waited : 0;
    links += h->gone && t->peer[x->seen[i + 1].channel].kind == UT_PEER_SWITCH;
    turns += h->gone && h->from_above && h->goes_up;
  }
  const size_t i = j->hops;
  IS("number of sightings", x->count, gone + 1);
  IS("links between switches", ut_journey_links(j, t), links);
  IS("U-turns", ut_journey_u_turns(j), turns);
  IS("header words", ut_journey_stripped(j), stripped);
  IS("waiting in all", ut_journey_waited(j), waited);
}

/* The link that is to blame was down while a part of the packet was on it, or its head in the output queue before it.
 */
static void was_cut_there(const struct watch *w, const struct ut_journey *j, const struct way *x) {
  const struct ut_topology *t = w->n.topology;
  const struct ut_peer from = ut_topology_sender(t, j->where.channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : t->peer[j->where.channel];
  const size_t i = j->hops, channels = t->channels;
  IS("switch of the link that cut it", j->where.sw, at.index);
  IS("port of the link that cut it", j->where.port, at.port);
  const struct ut_hop *last = j->hops ? &j->hop[j->hops - 1] : NULL;
  if (last && last->switched && !last->gone) {
    IS("link behind the queue", j->where.channel, last->sw * t->po + last->out_port);
    assert_true(w->down[j->ended * channels + j->where.channel]);
    return;
  }
  for (unsigned k = 0; k < x->count; k++) {
    const struct sighting *seen = &x->seen[k];
    const uint64_t end = seen->tail ? seen->tail + wire_of(&w->n, seen->channel) : j->ended + 1;
    for (uint64_t cycle = seen->put; cycle <= end && cycle <= w->n.cycle && seen->channel == j->where.channel; cycle++)
      if (w->down[cycle * channels + seen->channel])
        return;
  }
  fail_msg("packet %u of terminal %u: cut on channel %u in cycle %u, which was up", (unsigned)j->sequence, j->src,
           j->where.channel, (unsigned)j->ended);
}

static void check_journey(const struct watch *w, const struct ut_journey *j) {
  const struct ut_topology *t = w->n.topology;
  const struct way *x = &w->way[j->src * w->packets + j->sequence];
  const size_t i = 0;
  assert_int_not_equal(j->state, UT_JOURNEY_LOST_SIGHT);
  if (!x->count) {
    assert_true((j->state == UT_JOURNEY_QUEUED || !j->headers) && !j->hops);
    return;
  }
  const struct sighting *last = &x->seen[x->count - 1];
  IS("injection", j->injected, x->seen[0].put);
  IS("source", ut_topology_sender(t, x->seen[0].channel).index, j->src);
  hops_were_seen(w, j, x);
  if (j->state == UT_JOURNEY_DISCARDED && j->reason == UT_DISCARD_CUT_BY_FAULT)
    was_cut_there(w, j, x);
  if (j->state == UT_JOURNEY_DELIVERED) {
    IS("terminal", t->peer[last->channel].index, j->dst);
    IS("end", j->ended, last->tail + wire_of(&w->n, last->channel) - 1);
    assert_true(!t->bidirectional || ut_journey_links(j, t) >= ut_journey_shortest(j, t));
  }
}

/* The search finds the first U-turn, and knows the packet that has made it.  With output queues it is made before it
 * can be seen on a wire. */
static void check_search(const struct watch *w, const struct ut_packet_search *s, const struct ut_journey *j) {
  if (!w->n.topology->up_ports)
    return;
  const bool queues = w->n.shape->output_depth;
  assert_true(queues ? s->candidates || !w->turn.put : (s->candidates > 0) == (w->turn.put > 0));
  if (!s->candidates)
    return;
  assert_true(queues ? s->cycle < w->turn.put : s->cycle == w->turn.put);
  assert_true(queues || s->sw == w->turn.channel / w->n.topology->po);
  bool turned = false;
  for (size_t i = 0; i < j->hops; i++) {
    const struct ut_hop *h = &j->hop[i];
    turned = turned || (h->switched == s->cycle && h->from_above && h->goes_up && h->sw == s->sw);
  }
  assert_int_equal(ut_packet_search_is(s, j), turned);
}

/* ---- runs */

static const struct run {
  const char *name, *text;  /* text: NULL: the name is that of a file */
  unsigned packets, cycles; /* followed of each terminal; of the run */
} runs[] = {
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_light_load.yaml", NULL, 6, 500},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_ruft.yaml", NULL, 20, 400},
    {"tests/mutation/scenarios/faults_table.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_torus.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_tree_det_link.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_tree_link.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_tree_misroute.yaml", NULL, 6, 300},
    {"tests/mutation/scenarios/faults_tree_switch.yaml", NULL, 6, 300},
    {"tests/scenarios/detour_torus.yaml", NULL, 30, 600},
    {"tests/scenarios/planned_misroute.yaml", NULL, 4, 200},
    {"tests/scenarios/planned_local.yaml", NULL, 4, 200},
    {"tests/scenarios/purges.yaml", NULL, 12, 400},
    {"tests/scenarios/ruft_links.yaml", NULL, 30, 500},
    {"scenarios/intermediate_3x3x3.yaml", NULL, 2, 200},
    {"scenarios/long_links.yaml", NULL, 20, 400},
    {"scenarios/deadlock_one_vc.yaml", NULL, 4, 300},
    {"header words without a payload",
     "topology: {kind: mesh, sizes: [4, 4]}\nswitch: {vcs: 3, depth_flits: 6, packet_flits: 1}\n"
     "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}}\n"
     "traffic: {load_flits_per_cycle: 0.3}\nfaults: [{at: 0, random_links: 7}, {at: 90, until: 140, random_links: 6}]\n"
     "run: {seed: 3}\n",
     12, 250},
    {"links of terminals that are down for a few cycles, all the time",
     "topology: {kind: torus, sizes: [3, 4], link_cycles: 2}\nswitch: {vcs: 2, depth_flits: 16, packet_flits: 8}\n"
     "routing: {algorithm: duato}\ntraffic: {load_flits_per_cycle: 0.6}\n"
     "faults: [{at: 20, until: 23, every: 7, times: 50, random_terminal_links: 3}]\nrun: {seed: 5}\n",
     20, 400},
    {"links of switches, and of terminals before these",
     "topology: {kind: mesh, sizes: [5, 2]}\nswitch: {vcs: 2, depth_flits: 5, packet_flits: 30, switching: wormhole}\n"
     "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.4}\n"
     "faults:\n  - {at: 20, until: 21, every: 11, times: 30, random_links: 4}\n"
     "  - {at: 21, until: 22, every: 11, times: 30, random_terminal_links: 6}\nrun: {seed: 6}\n",
     20, 400},
    {"a tree with long wires",
     "topology: {kind: fat_tree, k: 2, n: 3, link_cycles: 3}\nswitch: {vcs: 2, depth_flits: 6, packet_flits: 3}\n"
     "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 24}\ntraffic: {load_flits_per_cycle: 0.7}\n"
     "faults: [{at: 20, until: 60, every: 9, times: 40, random_links: 2}]\nrun: {seed: 7}\n",
     20, 400},
    {"a tree with output queues",
     "topology: {kind: fat_tree, k: 2, n: 3, link_cycles: 2}\n"
     "switch: {vcs: 2, depth_flits: 3, output_depth_flits: 7, packet_flits: 3, shortest_packet_flits: 1}\n"
     "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 24}\ntraffic: {load_flits_per_cycle: 0.7}\n"
     "faults: [{at: 20, until: 60, every: 9, times: 40, random_links: 2}, {at: 33, until: 50, every: 31, times: 10, "
     "random_switches: 1}]\nrun: {seed: 7}\n",
     20, 400},
    {"a mesh with output queues, wormhole",
     "topology: {kind: mesh, sizes: [5, 2]}\n"
     "switch: {vcs: 2, depth_flits: 5, output_depth_flits: 3, packet_flits: 30, switching: wormhole, xbar_cycles: 1}\n"
     "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.4}\n"
     "faults: [{at: 20, until: 21, every: 11, times: 30, random_links: 4}]\nrun: {seed: 6}\n",
     20, 400},
    {"planned routes with output queues",
     "topology: {kind: mesh, sizes: [4, 4]}\n"
     "switch: {vcs: 3, depth_flits: 6, output_depth_flits: 6, packet_flits: 1}\n"
     "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}}\n"
     "traffic: {load_flits_per_cycle: 0.3}\nfaults: [{at: 0, random_links: 7}, {at: 90, until: 140, random_links: 6}]\n"
     "run: {seed: 3}\n",
     12, 250},
    {"a tree with switches that fail",
     "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {vcs: 1, depth_flits: 8, packet_flits: 4, route_cycles: 3}\n"
     "routing: {algorithm: reroute_adaptive_switch}\ntraffic: {load_flits_per_cycle: 0.9}\n"
     "faults: [{at: 20, until: 40, every: 13, times: 30, random_switches: 1}, {at: 30, until: 33, every: 10, times: "
     "30, "
     "random_terminal_links: 2}]\nrun: {seed: 8}\n",
     20, 400},
    {"a hypercube beyond its fault model",
     "topology: {kind: hypercube, n: 4}\nswitch: {vcs: 2, depth_flits: 2, packet_flits: 8, switching: wormhole}\n"
     "routing: {algorithm: detour, beyond_fault_model: true, purge_timeout_cycles: 5}\ntraffic: {load_flits_per_cycle: "
     "1}\n"
     "faults: [{at: 30, until: 70, every: 23, times: 12, random_switches: 3}]\nrun: {seed: 9}\n",
     20, 400},
};

static void open_watch(struct watch *w, const struct ut_scenario *s, const struct run *run) {
  *w = (struct watch){.packets = run->packets};
  test_network(&w->n, s);
  const struct ut_topology *t = w->n.topology;
  w->way = calloc((size_t)t->terminals * run->packets, sizeof *w->way);
  w->last = calloc((size_t)t->terminals * TAGS, sizeof *w->last);
  w->through = calloc(w->n.wires.lanes, sizeof *w->through);
  w->channel = calloc(w->n.wires.lanes, sizeof *w->channel);
  w->event = calloc(t->channels, sizeof *w->event);
  w->vector = calloc((size_t)(run->cycles + 1) * t->switches, sizeof *w->vector);
  w->down = calloc((size_t)(run->cycles + 1) * t->channels, sizeof *w->down);
  assert_true(w->way && w->last && w->through && w->channel && w->event && w->vector && w->down);
}

static void close_watch(struct watch *w) {
  free(w->way), free(w->last), free(w->through), free(w->channel), free(w->event), free(w->vector), free(w->down);
  ut_network_fini(&w->n);
}

static void journeys_are_what_is_seen(void **state) {
  const struct run *run = *state;
  struct ut_error e;
  struct watch w;
  struct ut_scenario *s = run->text ? test_scenario("%s", run->text) : ut_scenario_load(run->name, &e);
  if (!s || ut_plan_scenario(s, &e))
    fail_msg("%s", e.text);
  open_watch(&w, s, run);
  const uint32_t terminals = w.n.topology->terminals, count = terminals * run->packets;
  struct ut_journey *j = calloc(count, sizeof *j);
  struct ut_packet_search search = {0};
  struct ut_packet_log log = {0};
  struct ut_departures left = {0};
  const struct ut_packet_watch told = {is_seen, is_tail, &w};
  bool found = false;
  assert_true(j && ut_packet_log_init(&log, &w.n, is_not_kept, NULL));
  log.watch = &told;
  ut_departures_watch(&w.n);
  for (uint32_t i = 0; i < count; i++)
    ut_journey_init(&j[i], i / run->packets, i % run->packets);
  while (w.n.cycle < run->cycles) {
    ut_network_step(&w.n);
    see(&w);
    for (uint32_t i = 0; i < count; i++)
      ut_journey_observe(&j[i], &w.n);
    assert_true(ut_departures_take(&left, &w.n) && ut_packet_log_observe(&log, &w.n, &left));
    all_is_told(&w);
    found = found || ut_packet_search_observe(&search, &w.n);
  }
  for (uint32_t i = 0; i < terminals; i++)
    assert_true(w.n.terminals.terminal[i].injected < TAGS); /* a tag is the number of a packet */
  for (uint32_t i = 0; i < count; i++) {
    check_journey(&w, &j[i]);
    check_search(&w, &search, &j[i]);
    ut_journey_free(&j[i]);
  }
  assert_int_equal(log.strays, 0);
  ut_packet_log_free(&log);
  ut_packet_search_free(&search);
  free(left.list), free(j);
  close_watch(&w);
  ut_scenario_free(s);
}

int main(void) {
  enum { RUNS = sizeof runs / sizeof *runs };
  struct CMUnitTest tests[RUNS];
  for (unsigned i = 0; i < RUNS; i++)
    tests[i] = (struct CMUnitTest){
        .name = runs[i].name, .test_func = journeys_are_what_is_seen, .initial_state = (void *)&runs[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
