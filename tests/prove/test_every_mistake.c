/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_mistake.c - what the prover finds where routing code makes mistakes of many kinds, in all families, is
 * what a search of every single packet finds; and every counter-example is one, step by step, and as short as can be.
 */
#include <string.h>

#include "counter_example.h"
#include "drawn_sets.h"
#include "method_sets.h"
#include "method_walks.h"
#include "mistakes.h"
#include "numbering.h"
#include "prover_bench.h"
#include "scenario_read.h"
#include "single_packets.h"
#include "topology_build.h"

/* ---- what a counter-example says is so */

static uint32_t channel_of(const struct ut_explorer *x, const struct ut_step *s) {
  return ut_explorer_channel(x, s->sw, s->in_port, s->in_vc);
}

static void check_step(struct ut_prover *p, const struct ut_counter_example *c, size_t i) {
  struct ut_explorer *x = &p->explorer;
  const struct ut_step *s = &c->step[i];
  const bool walk = c->kind != UT_FAILURE_CYCLE, sets = p->method == &ut_proof_by_sets;
  const bool last = i + 1 == c->steps && c->kind != UT_FAILURE_LOOP && walk;
  struct ut_route_result r;
  ut_mask some = 0;
  ut_explorer_ask(x, channel_of(x, s), s->dst, s->rt, s->vector, &r);
  for (unsigned v = 0; v < x->v; v++)
    some |= r.cand[v];
  if (!s->leaves) {
    assert_true(last && c->kind != UT_FAILURE_CYCLE && c->kind != UT_FAILURE_LOOP);
    assert_true(c->kind != UT_FAILURE_DISCARD || r.discard || !some);
    return;
  }
  assert_true(r.cand[s->out_vc] >> s->out_port & 1);
  if (last && c->kind == UT_FAILURE_WRONG) {
    const struct ut_peer *to = &p->topology->peer[(size_t)s->sw * p->topology->po + s->out_port];
    assert_true(to->kind == UT_PEER_NONE || (to->kind == UT_PEER_TERMINAL && to->index != s->dst));
  }
  if (last)
    return;
  const struct ut_step *next = &c->step[i + 1 < c->steps ? i + 1 : walk ? c->back_to : 0];
  const uint32_t behind = ut_channel_behind(x, s->sw, s->out_port, s->out_vc), there = channel_of(x, next);
  if (c->rings)
    assert_int_equal(ut_by_walks(p)->rings.node[behind], ut_by_walks(p)->rings.node[there]);
  else if (walk || sets || ut_deciding_arcs(p) != &ut_by_walks(p)->rings.extended)
    assert_int_equal(behind, there);
  if (walk)
    assert_int_equal(next->rt, r.rt);
  for (size_t j = i + 1; walk && sets && j < c->steps; j++) /* what it sets it meets again */
    assert_true(c->step[j].sw != s->sw || !(ut_explorer_kept(x, s->sw, r.set) & ~c->step[j].own));
}

/* All that those packets may wait for is in their set. */
static void check_set(const struct ut_explorer *x, const struct ut_counter_example *c) {
  bool *in = calloc(x->channels, sizeof *in);
  size_t channels = 0;
  for (size_t i = 0; i < c->steps + c->mores; i++) {
    const uint32_t channel = channel_of(x, i < c->steps ? &c->step[i] : &c->more[i - c->steps]);
    channels += !in[channel];
    in[channel] = true;
  }
  assert_int_equal(channels, c->waiting);
  for (size_t i = 0; i < c->steps + c->mores; i++) {
    const struct ut_step *s = i < c->steps ? &c->step[i] : &c->more[i - c->steps];
    for (unsigned v = 0; v < x->v; v++)
      UT_FOR_EACH (port, s->cand[v]) {
        const uint32_t behind = ut_channel_behind(x, s->sw, port, v);
        assert_true(behind == UINT32_MAX || in[behind]);
      }
  }
  free(in);
}

/* Who goes on takes one of its candidates. */
static void check_candidates(const struct ut_counter_example *c) {
  for (size_t i = 0; i < c->steps + c->mores; i++) {
    const struct ut_step *s = i < c->steps ? &c->step[i] : &c->more[i - c->steps];
    assert_true(!s->leaves || s->cand[s->out_vc] >> s->out_port & 1);
  }
}

static void check_example(struct ut_prover *p, const struct ut_counter_example *c) {
  struct ut_explorer *x = &p->explorer;
  for (size_t i = 0; i < c->steps; i++)
    check_step(p, c, i);
  if (c->kind == UT_FAILURE_NUMBERING)
    assert_true(c->number[0] < 0 || c->number[1] <= c->number[0]);
  else if (c->steps && c->kind != UT_FAILURE_CYCLE) { /* from its source */
    const struct ut_peer from = ut_explorer_feeder(x, c->step[0].sw, c->step[0].in_port);
    assert_true(from.kind == UT_PEER_TERMINAL && from.index == c->src);
    assert_true(p->method == &ut_proof_by_sets || ut_explorer_serves(x, c->step[0].sw)); /* others send nothing */
  } else if (c->waiting) {
    check_set(x, c);
  }
}

/* ---- the same, packet by packet */

/* Of all packets.  nearest: links to the nearest place that shows a failure, UINT32_MAX: there is none. */
struct found {
  uint32_t nearest[UT_FAILURES], longest, u_turns;
  uint64_t places;
  bool detours;
};

static void note(struct found *f, enum ut_failure kind, bool is, uint32_t distance) {
  if (is && distance < f->nearest[kind])
    f->nearest[kind] = distance;
}

/* Of the packets of one search. */
static void note_places(struct found *f, const struct packet_search *q) {
  f->places += q->places;
  for (uint32_t i = 0; i < q->places; i++) {
    const struct search_place *s = &q->place[i];
    note(f, UT_FAILURE_DISCARD, s->discarded, s->distance), note(f, UT_FAILURE_WRONG, s->wrong, s->distance);
    note(f, UT_FAILURE_LOOP, s->endless, s->distance);
    f->longest = !s->endless && s->depth > f->longest ? s->depth : f->longest;
    f->u_turns = !s->endless && s->u_turns > f->u_turns ? s->u_turns : f->u_turns;
  }
}

static void check_failures(const struct found *f, const struct ut_verdict *v, const enum ut_failure *kind,
                           unsigned kinds) {
  for (unsigned i = 0; i < kinds; i++) {
    const uint32_t hops = f->nearest[kind[i]];
    if (v->failure[kind[i]] && hops == UINT32_MAX)
      fail_msg("%s: found by the prover, shown by no packet", ut_failure_name[kind[i]]);
    if (!v->failure[kind[i]] && hops != UINT32_MAX)
      fail_msg("%s: not found by the prover, shown by a packet after %u hops", ut_failure_name[kind[i]], hops);
  }
}

/* Hops from that place back to it; UINT32_MAX: none. */
static uint32_t round_trip(const struct packet_search *q, uint32_t from) {
  uint32_t *hops = malloc(q->places * sizeof *hops), *next = malloc(q->places * sizeof *next), count = 1,
           back = UINT32_MAX;
  memset(hops, 0xff, q->places * sizeof *hops);
  hops[from] = 0, next[0] = from;
  for (uint32_t i = 0; i < count && back == UINT32_MAX; i++)
    for (uint32_t j = q->place[next[i]].first; j < q->place[next[i]].end; j++) {
      const uint32_t to = q->hop[j].to;
      if (to == from)
        back = hops[next[i]] + 1;
      else if (to != SEARCH_NONE && hops[to] == UINT32_MAX)
        hops[to] = hops[next[i]] + 1, next[count++] = to;
    }
  free(hops), free(next);
  return back;
}

/* Hops of the shortest walk into a loop and once round it. */
static uint32_t shortest_loop(struct packet_search *q, struct ut_explorer *x) {
  uint32_t best = UINT32_MAX;
  for (uint32_t dst = 0; dst < x->topology->terminals; dst++) {
    search_destination(q, x, x->shared, dst);
    for (uint32_t i = 0; i < q->places && q->place[i].distance + 2 < best; i++) {
      const uint32_t round = q->place[i].endless ? round_trip(q, i) : UINT32_MAX;
      if (round != UINT32_MAX && q->place[i].distance + round < best)
        best = q->place[i].distance + round;
    }
  }
  return best;
}

static void compare_sets(struct packet_search *q, struct ut_prover *p, const struct ut_verdict *v, struct found *f) {
  static const enum ut_failure kinds[] = {UT_FAILURE_DISCARD, UT_FAILURE_WRONG, UT_FAILURE_LOOP};
  struct ut_explorer *x = &p->explorer;
  const struct ut_reach *r = &ut_by_sets(p)->reach;
  uint64_t places = 0;
  memset(q->kept, 0, sizeof q->kept);
  for (uint32_t dst = 0; dst < x->topology->terminals; dst++) {
    search_destination(q, x, x->shared, dst);
    note_places(f, q);
  }
  for (uint32_t sw = 0; sw < x->topology->switches; sw++)
    assert_int_equal(x->shared[sw], q->kept[sw]);
  for (uint32_t i = 0; i < r->reached.count; i++)
    for (unsigned word = 0; word < x->words; word++)
      places += (unsigned)__builtin_popcountll(r->reached.mask[(size_t)r->reached.touched[i] * x->words + word]);
  assert_int_equal(places, f->places);
  check_failures(f, v, kinds, 3);
  if (!v->failure[UT_FAILURE_LOOP]) {
    assert_int_equal(v->longest, f->longest);
    assert_int_equal(v->u_turns, f->u_turns);
  }
}

/* ---- walks, and what escape channels wait for (walk.h, rings.h) */

struct network {
  struct packet_search search;
  struct ut_explorer *explorer;
  uint32_t channels;
  unsigned *distance;            /* [switches * switches], without faults */
  uint32_t *ring;                /* [channels]: the lowest channel of its ring, or itself */
  bool *escape;                  /* [channels] */
  bool *direct, *extended, *all; /* [channels * channels]: direct, extended between rings */
  bool *been;                    /* [places] */
  uint64_t answers;
};

static void find_distances(struct network *n) {
  const struct ut_topology *t = n->explorer->topology;
  const uint32_t all = t->switches;
  for (uint32_t i = 0; i < all * all; i++)
    n->distance[i] = i % (all + 1) ? 10000 : 0;
  for (uint32_t sw = 0; sw < all; sw++)
    for (unsigned port = 0; port < t->po; port++)
      if (t->peer[(size_t)sw * t->po + port].kind == UT_PEER_SWITCH && t->peer[(size_t)sw * t->po + port].index != sw)
        n->distance[sw * all + t->peer[(size_t)sw * t->po + port].index] = 1;
  for (uint32_t via = 0; via < all; via++)
    for (uint32_t i = 0; i < all * all; i++) {
      const unsigned hops = n->distance[i / all * all + via] + n->distance[via * all + i % all];
      n->distance[i] = hops < n->distance[i] ? hops : n->distance[i];
    }
}

/* Hops to the nearest switch with an ejection link to that terminal. */
static unsigned distance_to(const struct network *n, uint32_t sw, uint32_t terminal) {
  const struct ut_topology *t = n->explorer->topology;
  unsigned nearest = UINT32_MAX;
  for (uint32_t from = 0; from < t->switches; from++)
    for (unsigned port = 0; port < t->po; port++) {
      const struct ut_peer *to = &t->peer[(size_t)from * t->po + port];
      if (to->kind == UT_PEER_TERMINAL && to->index == terminal && n->distance[sw * t->switches + from] < nearest)
        nearest = n->distance[sw * t->switches + from];
    }
  return nearest;
}

static void open_network(struct network *n, struct ut_prover *p) {
  struct ut_explorer *x = &p->explorer;
  const size_t channels = x->channels, switches = x->topology->switches;
  *n = (struct network){.explorer = x, .channels = x->channels};
  n->distance = calloc(switches * switches, sizeof *n->distance);
  n->ring = calloc(channels, sizeof *n->ring), n->escape = calloc(channels, sizeof *n->escape);
  n->direct = malloc(channels * channels), n->extended = malloc(channels * channels);
  n->all = malloc(channels * channels);
  assert_true(n->distance && n->ring && n->escape && n->direct && n->extended && n->all);
  for (uint32_t c = 0; c < channels; c++)
    n->ring[c] = c;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t c = 0; c < channels; c++) {
      const uint32_t next = search_next_in_ring(x, c);
      if (next == UINT32_MAX || n->ring[next] == n->ring[c])
        continue;
      const uint32_t lower = n->ring[next] < n->ring[c] ? n->ring[next] : n->ring[c];
      n->ring[next] = n->ring[c] = lower, again = true;
    }
  }
  if (p->method == &ut_proof_by_walks)
    find_distances(n);
}

static void close_network(struct network *n) {
  search_free(&n->search);
  free(n->distance), free(n->ring), free(n->escape), free(n->direct), free(n->extended), free(n->all), free(n->been);
}

/* Of one answer, by output VC: escape channels, and those that the subfunction chooses. */
struct judged {
  ut_mask escape[UT_MAX_VCS], chosen[UT_MAX_VCS];
  bool some, stranded, bubbles; /* bubbles: the rule is asked of wrong candidates */
};

static void judge(const struct network *n, const struct search_packet *at, struct judged *j) {
  struct ut_explorer *x = n->explorer;
  const struct ut_topology *t = x->topology;
  const struct ut_form *form = &x->group[0].form;
  const struct ut_channel *c = &x->channel[at->channel];
  const struct ut_peer from = ut_explorer_feeder(x, c->sw, c->port);
  struct ut_route_result r;
  ut_mask network = 0, stay[UT_MAX_VCS], stays = 0;
  *j = (struct judged){.stranded = true};
  ut_explorer_ask_header(x, at->channel, at->header[0], 0, &r);
  for (unsigned port = 0; port < t->po; port++)
    network |= t->peer[(size_t)c->sw * t->po + port].kind == UT_PEER_SWITCH ? ut_bit(port) : 0;
  for (unsigned v = 0; v < x->v; v++) {
    j->some |= r.cand[v] != 0;
    j->escape[v] = r.escape_vcs ? (r.escape_vcs >> v & 1 ? r.cand[v] : 0) : r.cand[v];
    if (form->preferred && !r.escape_vcs)
      j->escape[v] &= ~r.preferred[v];
    const ut_mask bubble = form->bubble ? r.cand[v] & r.bubble[v] : 0;
    const ut_mask straight = from.kind == UT_PEER_SWITCH && v == c->vc ? ut_bit(from.port) : 0;
    j->bubbles |= form->bubble && bubble != (j->escape[v] & network & ~straight);
    stay[v] = form->bubble ? j->escape[v] & network & ~bubble : 0;
    stays |= stay[v];
  }
  for (unsigned v = 0; v < x->v; v++) {
    j->chosen[v] = stays ? stay[v] : j->escape[v];
    j->stranded &= !j->chosen[v];
  }
}

/* The place of a walk's state. */
static uint32_t place_of(struct network *n, const struct ut_walk *k, uint32_t state) {
  struct search_packet p;
  const struct ut_header_words *h = &k->header[k->place[state].header];
  bool fresh;
  memset(&p, 0, sizeof p);
  p.channel = k->place[state].channel, p.headers = h->words;
  memcpy(p.header, h->word, h->words * sizeof *h->word);
  const uint32_t place = search_entry(&n->search, &p, &fresh)->value;
  assert_false(fresh);
  return place;
}

static void compare_state(struct network *n, const struct ut_walk *k, uint32_t state, uint32_t place,
                          const struct judged *j) {
  const struct packet_search *q = &n->search;
  const struct ut_walk_state *s = &k->place[state];
  assert_int_equal(q->place[place].distance,
                   s->from == UT_NO_STATE ? 0 : q->place[place_of(n, k, s->from)].distance + 1);
  assert_int_equal(s->end - s->first, q->place[place].end - q->place[place].first);
  for (uint32_t i = 0; i < s->end - s->first; i++) {
    const struct search_hop *is = &q->hop[q->place[place].first + i];
    const struct ut_walk_hop *h = &k->hop[s->first + i];
    assert_int_equal(h->port, is->port);
    assert_int_equal(h->vc, is->vc);
    assert_int_equal(h->to == UT_TERMINAL ? SEARCH_NONE : place_of(n, k, h->to), is->to);
    assert_int_equal(h->escape, j->escape[h->vc] >> h->port & 1);
    assert_int_equal(h->chosen, j->chosen[h->vc] >> h->port & 1);
  }
}

/* Some hop does not come nearer. */
static bool makes_a_detour(const struct network *n, uint32_t place) {
  const struct packet_search *q = &n->search;
  const uint32_t sw = n->explorer->channel[q->packet[place].channel].sw;
  const uint32_t dst = ut_header_dst(q->packet[place].header[0]);
  bool detour = false;
  for (uint32_t i = q->place[place].first; i < q->place[place].end; i++) {
    const uint32_t to = q->hop[i].to;
    if (to != SEARCH_NONE)
      detour |= distance_to(n, n->explorer->channel[q->packet[to].channel].sw, dst) >= distance_to(n, sw, dst);
  }
  return detour;
}

/* Escape rings that a packet can come to wait for: chosen there, or at places behind other hops. */
static void come_to(struct network *n, uint32_t place, bool *waits) {
  const struct packet_search *q = &n->search;
  struct judged j;
  if (n->been[place])
    return;
  n->been[place] = true;
  judge(n, &q->packet[place], &j);
  for (uint32_t i = q->place[place].first; i < q->place[place].end; i++) {
    const struct search_hop *h = &q->hop[i];
    if (h->to != SEARCH_NONE && j.chosen[h->vc] >> h->port & 1)
      waits[n->ring[q->packet[h->to].channel]] = true;
    else if (h->to != SEARCH_NONE)
      come_to(n, h->to, waits);
  }
}

/* mark: escape channels only; else what packets there wait for. */
static void add_dependencies(struct network *n, bool mark) {
  const struct packet_search *q = &n->search;
  bool endless = false;
  n->been = realloc(n->been, q->places + 1);
  for (uint32_t i = 0; i < q->places; i++)
    endless |= q->place[i].endless;
  for (uint32_t i = 0; i < q->places; i++) {
    const uint32_t channel = q->packet[i].channel;
    const size_t row = (size_t)channel * n->channels, ring_row = (size_t)n->ring[channel] * n->channels;
    struct judged j;
    judge(n, &q->packet[i], &j);
    for (uint32_t h = q->place[i].first; h < q->place[i].end; h++) {
      if (q->hop[h].to == SEARCH_NONE)
        continue;
      const uint32_t next = q->packet[q->hop[h].to].channel;
      const bool chosen = j.chosen[q->hop[h].vc] >> q->hop[h].port & 1;
      if (mark)
        n->escape[next] |= chosen;
      else if (!n->explorer->channel[channel].injection) {
        n->all[row + next] = true;
        if (chosen && n->escape[channel] && (n->ring[channel] != n->ring[next] || !n->explorer->group[0].form.bubble))
          n->direct[ring_row + n->ring[next]] = true;
      }
    }
    if (mark || endless || !n->escape[channel] || n->explorer->group[0].form.bubble)
      continue;
    memset(n->been, 0, q->places);
    come_to(n, i, n->extended + ring_row);
  }
}

static void search_packets(struct network *n, const struct ut_packets *p) {
  search_clear(&n->search, n->explorer, NULL, p->dst);
  for (uint32_t i = 0; i < p->sources; i++)
    UT_FOR_EACH (link, p->link[i])
      for (unsigned vc = 0; vc < n->explorer->v; vc++)
        search_inject(&n->search, ut_explorer_injection(n->explorer, p->source[i], link, vc), p->header, p->headers);
  search_run(&n->search);
}

/* One walk; its states one by one. */
static void compare_walk(struct network *n, const struct ut_walk *k, struct found *f) {
  const struct packet_search *q = &n->search;
  uint32_t endless = 0;
  search_packets(n, &k->packets);
  note_places(f, q);
  assert_int_equal(k->places, q->places);
  for (uint32_t state = 0; state < k->places; state++) {
    const uint32_t place = place_of(n, k, state), distance = q->place[place].distance;
    struct judged j;
    judge(n, &q->packet[place], &j);
    compare_state(n, k, state, place, &j);
    note(f, UT_FAILURE_ESCAPE, j.some && j.stranded, distance),
        note(f, UT_FAILURE_BUBBLE, j.some && j.bubbles, distance);
    n->answers += j.some && n->explorer->group[0].form.bubble;
    f->detours |= makes_a_detour(n, place);
    endless += q->place[place].endless;
  }
  assert_int_equal(k->ordered, k->places - endless);
  for (uint32_t i = 0; i < k->ordered; i++)
    assert_int_equal(k->depth[k->order[i]], q->place[place_of(n, k, k->order[i])].depth);
}

/* Of all channels, or of their rings. */
static uint32_t check_arcs(const struct network *n, const struct ut_rings *r, const struct ut_arcs *arcs,
                           const bool *is, bool rings) {
  uint32_t count = 0;
  for (uint32_t from = 0; from < n->channels; from++)
    for (uint32_t to = 0; to < n->channels; to++)
      if (is[(size_t)from * n->channels + to]) {
        count++;
        assert_int_not_equal(ut_arcs_walk(arcs, rings ? r->node[from] : from, rings ? r->node[to] : to), UINT32_MAX);
      }
  assert_int_equal(ut_arcs_count(arcs), count);
  return count;
}

static bool some_number_falls(const struct network *n) {
  bool falls = false;
  for (uint32_t from = 0; from < n->channels; from++)
    for (uint32_t to = 0; to < n->channels; to++)
      if (n->extended[(size_t)from * n->channels + to]) {
        const int64_t first = ut_escape_number(n->explorer, from), second = ut_escape_number(n->explorer, to);
        falls |= first < 0 || second <= first;
      }
  return falls;
}

static void check_rings(const struct network *n, const struct ut_prover *p, const struct ut_verdict *v) {
  const struct ut_rings *r = &ut_by_walks(p)->rings;
  const struct ut_form *form = &n->explorer->group[0].form;
  bool *seen = calloc(n->channels, sizeof *seen);
  uint32_t rings = 0, escapes = 0;
  for (uint32_t c = 0; c < n->channels; c++) {
    assert_int_equal(r->node[c], r->node[n->ring[c]]);
    rings += n->ring[c] == c;
    escapes += n->escape[c] && !seen[n->ring[c]];
    seen[n->ring[c]] |= n->escape[c];
  }
  free(seen);
  assert_int_equal(r->nodes, rings);
  assert_int_equal(v->nodes, escapes);
  assert_int_equal(v->direct, check_arcs(n, r, &r->direct, n->direct, true));
  check_arcs(n, r, &r->extended, n->extended, true);
  check_arcs(n, r, &r->all, n->all, false);
  const bool any = search_cyclic(n->all, n->channels), extended = search_cyclic(n->extended, n->channels);
  const bool deadly = n->explorer->group[0].shape.switching != UT_WORMHOLE ? search_cyclic(n->direct, n->channels)
                      : form->preferred                                    ? extended
                                                                           : any;
  assert_int_equal(v->dependency_cycle, any);
  assert_int_equal(v->extended_cycle, extended);
  assert_int_equal(v->failure[UT_FAILURE_CYCLE], any && deadly);
  assert_int_equal(v->failure[UT_FAILURE_NUMBERING], ut_escapes_numbered(n->explorer) && some_number_falls(n));
}

static void compare_walks(struct network *n, struct ut_prover *p, const struct ut_verdict *v, struct found *f) {
  static const enum ut_failure kinds[] = {UT_FAILURE_DISCARD, UT_FAILURE_WRONG, UT_FAILURE_LOOP, UT_FAILURE_ESCAPE,
                                          UT_FAILURE_BUBBLE};
  const size_t arcs = (size_t)n->channels * n->channels;
  struct ut_by_walks *own = ut_by_walks(p);
  struct ut_walk *k = &own->walk;
  uint64_t pairs = 0;
  n->answers = 0;
  memset(n->escape, 0, n->channels), memset(n->direct, 0, arcs), memset(n->extended, 0, arcs), memset(n->all, 0, arcs);
  for (unsigned round = 0; round < 2; round++)
    for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &k->packets); number++) {
      ut_packets_leave_out(&k->packets, &p->explorer);
      if (round) {
        search_packets(n, &k->packets);
      } else {
        assert_int_equal(ut_walk_run(k, &k->packets), 0);
        compare_walk(n, k, f);
        pairs += k->packets.sources;
      }
      add_dependencies(n, !round);
    }
  check_failures(f, v, kinds, 5);
  assert_int_equal(v->detours, f->detours);
  assert_int_equal(v->longest, f->longest);
  assert_int_equal(v->answers, n->answers);
  if (!own->packets.told)
    assert_int_equal(v->pairs, pairs);
  check_rings(n, p, v);
}

/* ---- networks */

static const char SHORT[] = "depth_flits: 4, packet_flits: 2", LONG[] = "depth_flits: 12, packet_flits: 4";
static const char WORM[] = "depth_flits: 4, packet_flits: 2, switching: wormhole";
static const char WORM_LONG[] = "depth_flits: 12, packet_flits: 4, switching: wormhole";
static const char WORM_4[] = "depth_flits: 4, packet_flits: 4, switching: wormhole";
static const char TREE_2_2[] = "kind: fat_tree, k: 2, n: 2", TREE_2_3[] = "kind: fat_tree, k: 2, n: 3";
static const char TREE_3_2[] = "kind: fat_tree, k: 3, n: 2", TREE_3_4[] = "kind: fat_tree, k: 3, n: 4";
static const char TREE_4_3[] = "kind: fat_tree, k: 4, n: 3";
static const char TORUS[] = "kind: torus, sizes: [4, 3]", MESH[] = "kind: mesh, sizes: [4, 3]";
static const char ONE_STOP[] = "duato, mechanisms: {intermediate: 1}";
static const char ALL_MECHANISMS[] = "duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}";

static const struct {
  const char *topology;
  unsigned vcs;
  const char *buffers, *algorithm;
  unsigned links, switches, samples; /* faults, sets of them */
  unsigned kinds;                    /* of mistakes */
} cases[] = {
    {TREE_2_3, 1, SHORT, "reroute_adaptive_link", 2, 0, 8, 0},
    {TREE_2_3, 1, SHORT, "reroute_adaptive_link", 2, 0, 8, ALSO | OTHER_VC},
    {TREE_2_3, 1, SHORT, "reroute_adaptive_link", 2, 0, 8, HEADER | SETS | VECTOR | ALSO},
    {TREE_2_3, 1, SHORT, "reroute_adaptive_link", 2, 0, 8, REFUSES | VECTOR | SETS},
    {TREE_2_3, 1, SHORT, "reroute_adaptive_link", 2, 0, 8, OUTSIDE | VECTOR | SETS},
    {TREE_2_3, 2, SHORT, "reroute_adaptive_link", 1, 0, 8, ANYWHERE},
    {TREE_2_3, 2, SHORT, "reroute_adaptive_link", 1, 0, 8, REFUSES | SETS},
    {TREE_2_3, 1, WORM, "reroute_adaptive_link", 2, 0, 12, SETS | ALSO},
    {TREE_2_3, 1, SHORT, "reroute_det_link", 1, 0, 8, OUTSIDE | VECTOR | SETS},
    {TREE_2_3, 1, SHORT, "reroute_det_link", 4, 0, 12, 0},
    {TREE_2_3, 2, SHORT, "reroute_det_link", 1, 0, 8, ALSO | OTHER_VC},
    {TREE_2_3, 2, SHORT, "reroute_det_link", 2, 0, 12, HEADER | VECTOR | SETS | OTHER_VC | OFTEN},
    {TREE_2_3, 3, SHORT, "reroute_det_link", 2, 0, 8, HEADER | SETS | VECTOR | ALSO},
    {TREE_2_3, 1, SHORT, "misroute_header", 2, 0, 8, HEADER | SETS | VECTOR | ALSO},
    {TREE_2_3, 1, SHORT, "misroute_header", 2, 0, 8, REFUSES | SETS},
    {TREE_2_3, 3, SHORT, "reroute_det_switch", 1, 1, 8, ALSO | OTHER_VC},
    {TREE_2_3, 8, SHORT, "reroute_det_switch", 0, 1, 8, OTHER_VC},
    {TREE_2_3, 2, SHORT, "reroute_adaptive_switch", 0, 1, 8, HEADER | SETS | VECTOR | ALSO},
    {TREE_2_3, 2, SHORT, "reroute_adaptive_switch", 0, 1, 8, OUTSIDE | VECTOR | SETS},
    {TREE_2_3, 2, SHORT, "reroute_adaptive_switch", 1, 1, 12, VECTOR | SETS | OFTEN},
    {TREE_2_3, 2, SHORT, "fta", 0, 0, 8, ALSO | OTHER_VC},
    {TREE_2_3, 2, WORM, "fta", 0, 0, 4, ANYWHERE},
    {TREE_2_3, 1, SHORT, "destro", 1, 0, 8, ANYWHERE},
    {TREE_2_3, 2, WORM, "destro", 0, 0, 4, ALSO | OTHER_VC},
    {TREE_2_3, 2, SHORT, "table", 1, 0, 4, ALSO | OTHER_VC},
    {TREE_2_2, 2, WORM, "reroute_det_link", 1, 0, 12, ALSO},
    {TREE_2_2, 2, SHORT, "reroute_det_link", 2, 0, 12, OUTSIDE | VECTOR | OFTEN},
    {TREE_2_2, 1, SHORT, "fta", 0, 0, 16, OUTSIDE | OFTEN},
    {TREE_3_2, 1, SHORT, "reroute_adaptive_link", 4, 0, 24, REFUSES | VECTOR | SETS},
    {TREE_3_2, 1, SHORT, "reroute_adaptive_link", 6, 0, 24, REFUSES | VECTOR | SETS},
    {TREE_3_2, 1, SHORT, "reroute_adaptive_link", 5, 0, 24, HEADER | VECTOR | SETS | ALSO},
    {TREE_3_2, 1, SHORT, "reroute_adaptive_link", 3, 0, 12, VECTOR | SETS | OFTEN},
    {TREE_3_2, 2, SHORT, "reroute_adaptive_switch", 2, 1, 12, VECTOR | SETS | HEADER},
    {TREE_3_2, 1, WORM, "reroute_det_link", 1, 0, 12, ALSO},
    {TREE_3_4, 1, SHORT, "reroute_adaptive_link", 2, 0, 2, ALSO | LATE},
    {TREE_3_4, 1, SHORT, "reroute_adaptive_link", 3, 0, 2, VECTOR | SETS | HEADER | LATE},
    {TREE_3_4, 1, SHORT, "fta", 1, 0, 2, OUTSIDE | LATE},
    {TREE_4_3, 1, SHORT, "fta", 0, 0, 2, ALSO | OFTEN},
    {TREE_4_3, 1, SHORT, "destro", 1, 0, 4, ALSO},
    {TORUS, 2, SHORT, "duato", 1, 0, 6, ALSO | OTHER_VC},
    {TORUS, 2, SHORT, "duato", 1, 0, 6, ANYWHERE | CLASSES},
    {TORUS, 2, SHORT, "duato", 1, 2, 8, REFUSES | ALSO},
    {TORUS, 2, SHORT, "duato", 1, 0, 6, OUTSIDE | OTHER_VC},
    {TORUS, 3, SHORT, "duato", 1, 0, 12, CLASSES | OTHER_VC},
    {TORUS, 1, SHORT, "dor", 1, 0, 4, ALSO | OTHER_VC},
    {TORUS, 2, SHORT, "dor", 1, 0, 12, ALSO | CLASSES},
    {TORUS, 3, SHORT, "direction_order", 1, 0, 12, CLASSES | OTHER_VC | ALSO},
    {TORUS, 1, "depth_flits: 3, packet_flits: 2", "dor_without_bubble", 0, 0, 4, ALSO | OTHER_VC},
    {TORUS, 5, WORM_4, "adaptive_vin", 1, 0, 4, ALSO | OTHER_VC},
    {TORUS, 5, WORM_4, "adaptive_vin", 1, 0, 4, CLASSES},
    {TORUS, 3, LONG, ONE_STOP, 2, 1, 4, STRIPS | ALSO},
    {TORUS, 3, LONG, ONE_STOP, 2, 1, 4, STRIPS | HEADER | OUTSIDE},
    {"kind: torus, sizes: [3, 3]", 3, LONG, ALL_MECHANISMS, 2, 1, 4, STRIPS | ALSO},
    {"kind: torus, sizes: [3, 3], local_ports: 2", 3, SHORT, "direction_order", 1, 0, 3, OUTSIDE | OTHER_VC},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", 2, SHORT, "duato", 1, 0, 3, ALSO | OTHER_VC},
    {"kind: torus, sizes: [4]", 8, SHORT, "duato", 0, 0, 8, ALSO | OTHER_VC},
    {"kind: torus, sizes: [5]", 2, SHORT, "duato", 0, 0, 8, CLASSES | OTHER_VC},
    {"kind: torus, sizes: [5, 5]", 4, SHORT, "detour", 0, 2, 3, CLASSES | OTHER_VC},
    {"kind: torus, sizes: [9, 8]", 2, SHORT, "duato", 1, 0, 1, ANYWHERE | LATE},
    {MESH, 2, SHORT, "duato", 1, 0, 4, CLASSES | OTHER_VC},
    {MESH, 2, WORM, "duato", 1, 0, 6, 0},
    {MESH, 2, WORM, "duato", 1, 0, 6, ALSO | OTHER_VC},
    {MESH, 2, WORM, "duato", 1, 0, 6, ANYWHERE | CLASSES},
    {MESH, 2, WORM, "duato", 1, 0, 6, REFUSES},
    {MESH, 2, WORM, "dor", 1, 0, 4, ALSO | OTHER_VC},
    {MESH, 3, LONG, "duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | HEADER | OUTSIDE},
    {MESH, 4, WORM_LONG, "duato, mechanisms: {intermediate: 2}", 2, 0, 6, REFUSES | ALSO | CLASSES},
    {"kind: mesh, sizes: [2, 2], local_ports: 2", 2, SHORT, "duato", 0, 0, 8, REFUSES},
    {"kind: mesh, sizes: [2], local_ports: 3", 2, WORM, "duato", 1, 0, 8, ALSO | OTHER_VC},
    {"kind: mesh, sizes: [4, 4]", 2, WORM_4, "detour", 0, 2, 8, ALSO | OTHER_VC},
    {"kind: mesh, sizes: [4, 4]", 2, WORM_4, "detour", 0, 2, 8, CLASSES | OTHER_VC},
    {"kind: mesh, sizes: [4, 3, 3]", 2, SHORT, "detour", 0, 2, 4, ALSO | OTHER_VC},
    {"kind: mesh, sizes: [9, 8]", 2, WORM, "duato", 1, 0, 1, OTHER_VC | LATE},
    {"kind: hypercube, n: 4", 2, SHORT, "detour", 0, 2, 6, ANYWHERE | CLASSES},
    {"kind: hypercube, n: 4", 2, SHORT, "detour", 0, 2, 6, CLASSES | OTHER_VC},
    {"kind: hypercube, n: 3, local_ports: 2", 2, WORM, "ecube", 1, 0, 4, ALSO | OTHER_VC},
    {"kind: hypercube, n: 6, local_ports: 2", 2, SHORT, "adaptive_vin", 1, 0, 1, OTHER_VC | LATE},
    {"kind: ruft, k: 2, n: 3", 2, SHORT, "ruft", 1, 0, 3, ALSO | OTHER_VC},
    {"kind: ruft_pl, k: 2, n: 3", 2, SHORT, "ruft", 1, 0, 3, OUTSIDE | OTHER_VC},
    {"kind: ft_ruft_212, k: 2, n: 3", 2, SHORT, "ruft", 1, 0, 3, ANYWHERE | CLASSES},
    {"kind: ft_ruft_212, k: 2, n: 3", 1, SHORT, "ruft", 0, 1, 3, REFUSES},
    {"kind: ft_ruft_222, k: 2, n: 3", 2, SHORT, "ruft", 1, 0, 3, ALSO | OTHER_VC},
};

/* Steps of the shortest counter-example; 0: any number. */
static size_t fewest_steps(struct network *n, const struct ut_prover *p, const struct found *f, enum ut_failure kind) {
  if (kind == UT_FAILURE_LOOP)
    return p->method == &ut_proof_by_sets ? shortest_loop(&n->search, n->explorer) : 0;
  return f->nearest[kind] != UINT32_MAX ? f->nearest[kind] + 1 : 0;
}

static void examine(struct network *n, struct ut_prover *p, const struct ut_fault_space *space, uint64_t index) {
  struct found f = {0};
  struct ut_fault_set set;
  struct ut_verdict v;
  struct ut_error e;
  memset(f.nearest, 0xff, sizeof f.nearest);
  ut_fault_space_get(space, index, &set);
  ut_explorer_forget(&p->explorer); /* other mistakes */
  if (ut_prover_examine(p, &set, &v, &e))
    fail_msg("%s", e.text);
  if (p->method == &ut_proof_by_sets)
    compare_sets(&n->search, p, &v, &f);
  else
    compare_walks(n, p, &v, &f);
  for (unsigned kind = 0; kind < UT_FAILURES; kind++)
    if (v.failure[kind] &&
        !(kind == UT_FAILURE_CYCLE && mistakes.kinds & VECTOR)) { /* of these: fewer with more bits */
      struct ut_counter_example c;
      if (ut_counter_example_find(&c, p, space, index, kind, &e))
        fail_msg("%s", e.text);
      check_candidates(&c);
      if (!p->explorer.group[0].form.strips) /* where the header is all that there is */
        check_example(p, &c);
      const size_t steps = fewest_steps(n, p, &f, kind);
      if (steps)
        assert_int_equal(c.steps, steps);
      ut_counter_example_free(&c);
    }
}

static void mistakes_are_found(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct ut_fault_request request = drawn_sets(cases[i].links, cases[i].switches, cases[i].samples);
    struct ut_error e;
    struct bench b;
    struct network n;
    char sw[80], routing[128];
    snprintf(sw, sizeof sw, "vcs: %u, %s", cases[i].vcs, cases[i].buffers);
    snprintf(routing, sizeof routing, "algorithm: %s", cases[i].algorithm);
    open_bench(&b, cases[i].topology, sw, routing);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    open_network(&n, &b.prover);
    if (cases[i].kinds)
      make_mistakes(&b.prover.explorer, cases[i].kinds);
    mistakes.kinds = cases[i].kinds;
    for (uint64_t index = 0; index < space->count; index++) {
      search_begin_case("%s; %s; %s; mistakes: %s; fault set %u", cases[i].topology, sw, routing,
                        mistake_names(cases[i].kinds), (unsigned)index);
      mistakes.salt = (unsigned)index;
      examine(&n, &b.prover, space, index);
    }
    close_network(&n);
    close_bench(&b);
  }
  *search_case = 0;
  free(space);
}

/* Of packets with several headers some stay for ever in the channel where others go on: those make the cycle. */
static void others_stay(void **state) {
  (void)state;
  enum { INDEX = 119 };
  const struct ut_fault_request request = drawn_sets(3, 0, 200);
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_error e;
  struct bench b;
  struct network n;
  open_bench(&b, "kind: mesh, sizes: [3, 3]", "vcs: 4, depth_flits: 12, packet_flits: 4, switching: wormhole",
             "algorithm: duato, mechanisms: {intermediate: 2}");
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
  open_network(&n, &b.prover);
  make_mistakes(&b.prover.explorer, REFUSES | ALSO | OTHER_VC | OFTEN);
  mistakes.salt = INDEX;
  examine(&n, &b.prover, space, INDEX);
  close_network(&n);
  free(space);
  close_bench(&b);
}

/* ---- one mistake */

static uint32_t lost; /* the terminal whose packets leave through the last port of a root, which leads nowhere */

static void leaves(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *r) {
  const struct ut_topology *t = mistakes.topology;
  mistakes.real(g, s, header, in_port, in_vc, r);
  if (t->level[s->id] + 1u == t->levels && ut_header_dst(header) == lost)
    r->cand[0] |= ut_bit(t->po - 1);
}

/* A port without a link is wrong for packets to any terminal. */
static void into_nowhere(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: fat_tree, k: 2, n: 2", "vcs: 1", "algorithm: fta");
  struct ut_fault_space space = {.topology = &b.topology, .count = 1, .blocks = 1, .is_fixed = true};
  make_mistakes(&b.prover.explorer, 0);
  b.prover.explorer.group[0].route = leaves;
  for (lost = 0; lost < b.topology.terminals; lost++) {
    struct ut_counter_example c;
    struct ut_verdict v;
    struct ut_error e;
    ut_explorer_forget(&b.prover.explorer);
    assert_int_equal(ut_prover_examine(&b.prover, &space.fixed, &v, &e), 0);
    for (unsigned kind = 0; kind < UT_FAILURES; kind++)
      assert_int_equal(v.failure[kind], kind == UT_FAILURE_WRONG);
    assert_int_equal(ut_counter_example_find(&c, &b.prover, &space, 0, UT_FAILURE_WRONG, &e), 0);
    check_example(&b.prover, &c);
    assert_int_equal(c.steps, 2);
    assert_int_equal(c.dst, lost);
    assert_true(c.step[1].leaves && c.step[1].out_port == b.topology.po - 1);
    ut_counter_example_free(&c);
  }
  close_bench(&b);
}

/* ---- ways of terminals that are told of them */

static const struct {
  const char *kind;
  bool ring; /* links lead back from terminals to the first level */
  unsigned kinds;
} ways[] = {
    {"ruft", false, OTHER_VC | ALSO},
    {"ruft", false, REFUSES},
    {"ruft", true, ALSO},
    {"ruft_pl", false, OTHER_VC | REFUSES},
    {"ruft_pl", false, OUTSIDE},
    {"ft_ruft_212", false, OTHER_VC | ALSO},
    {"ft_ruft_212", false, REFUSES},
    {"ft_ruft_212", false, OUTSIDE | ANYWHERE},
    {"ft_ruft_222", false, OTHER_VC | ALSO},
    {"ft_ruft_222", false, REFUSES | OTHER_VC},
};

static bool is_up(const uint64_t *up, uint32_t channel) {
  return !up || up[channel / 64] >> channel % 64 & 1;
}

/* Ways from that node over channels that are up (NULL: all are); what a node leads to comes before it. */
static uint64_t ways_from(const struct ut_way_graph *g, uint32_t node, const uint64_t *up) {
  uint64_t number = 0;
  for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
    const struct ut_way_on *on = &g->way[i];
    assert_true(on->node == UT_NO_NODE || on->node < node);
    if (is_up(up, on->channel))
      number += on->node == UT_NO_NODE ? 1 : ways_from(g, on->node, up);
  }
  return number;
}

/* Of a pair, from all injection links of the source. */
static uint64_t ways_of(const struct ut_pair_ways *w, uint32_t src, uint32_t dst, const uint64_t *up) {
  const struct ut_topology *t = w->topology;
  uint64_t number = 0;
  for (unsigned link = 0; link < t->injections; link++) {
    const uint32_t entry = w->graph[dst].entry[src * t->injections + link];
    if (entry != UT_NO_NODE && is_up(up, ut_topology_injection(t, src, link)))
      number += ways_from(&w->graph[dst], entry, up);
  }
  return number;
}

static void check_counts(const struct ut_pair_ways *w) {
  struct ut_way_counts c;
  uint64_t least = UINT64_MAX, most = 0;
  for (uint32_t i = 0; i < w->topology->terminals * w->topology->terminals; i++) {
    const uint32_t src = i / w->topology->terminals, dst = i % w->topology->terminals;
    const uint64_t number = src != dst ? ways_of(w, src, dst, NULL) : 0;
    least = src != dst && number < least ? number : least;
    most = number > most ? number : most;
  }
  assert_true(ut_pair_ways_count(w, &c));
  assert_int_equal(c.all.least, least);
  assert_int_equal(c.all.most, most);
  assert_true(c.apart.least <= c.apart_between_switches.least && c.apart.most <= c.apart_between_switches.most);
  assert_true(c.apart.most <= c.all.most);
}

/* Who has a way left, and who is told of one. */
static void check_left(struct ut_pair_ways *w, const struct ut_reachability *told, const uint64_t *up) {
  struct ut_ways_left left, is = {0};
  for (uint32_t dst = 0; dst < w->topology->terminals; dst++)
    for (uint32_t src = 0; src < w->topology->terminals; src++) {
      bool sends = false;
      for (unsigned link = 0; link < w->topology->injections; link++)
        sends |= ut_reachability_of(told, src, link, dst) != 0;
      if (src == dst)
        continue;
      is.told += sends;
      const bool way = ways_of(w, src, dst, up);
      if (!way && !is.separated++)
        is.separated_pair[0] = src, is.separated_pair[1] = dst;
      if (way && !sends && !is.untold++)
        is.untold_pair[0] = src, is.untold_pair[1] = dst;
    }
  assert_true(ut_pair_ways_check(w, told, up, &left));
  assert_int_equal(left.told, is.told);
  assert_int_equal(left.separated, is.separated);
  assert_int_equal(left.untold, is.untold);
  assert_memory_equal(left.separated_pair, is.separated_pair, sizeof is.separated_pair);
  assert_memory_equal(left.untold_pair, is.untold_pair, sizeof is.untold_pair);
}

/* Some links fail. */
static void check_faults(struct ut_pair_ways *w, const struct ut_reachability *told, unsigned round) {
  const size_t words = (w->topology->channels + 63) / 64;
  uint64_t *up = malloc(words * sizeof *up);
  assert_non_null(up);
  for (size_t k = 0; k < words; k++)
    up[k] = ut_hash_mix(16 * round + k) | ut_hash_mix(100 + 16 * round + k) | ut_hash_mix(200 + 16 * round + k);
  check_left(w, told, up);
  free(up);
}

static void ways_with_mistakes(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    struct ut_error e;
    struct ut_topology t;
    struct ut_prover p;
    struct ut_scenario *s = test_scenario("topology: {kind: %s, k: 2, n: 3}\nswitch: {vcs: 2}\nrouting: {algorithm: "
                                          "ruft}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                                          ways[i].kind);
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    for (uint32_t dst = 0; ways[i].ring && dst < t.terminals; dst += 2)
      ut_topology_connect(&t, t.ejection[dst] / t.po, t.ejection[dst] % t.po, dst / 2, dst % 2);
    assert_int_equal(ut_prover_init(&p, s, &t, &e), 0);
    make_mistakes(&p.explorer, ways[i].kinds);
    struct ut_by_walks *own = ut_by_walks(&p);
    for (mistakes.salt = 0; mistakes.salt < 4; mistakes.salt++) {
      struct ut_pair_ways w;
      assert_int_equal(ut_pair_ways_init(&w, &t, &e), 0);
      for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &own->walk.packets); number++) {
        assert_int_equal(ut_walk_run(&own->walk, &own->walk.packets), 0);
        assert_true(ut_pair_ways_add(&w, &own->walk));
      }
      check_counts(&w);
      for (unsigned n = 0; n < 8; n++)
        check_faults(&w, &own->packets.ways, n);
      ut_pair_ways_free(&w);
    }
    ut_prover_free(&p);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

/* ---- interrupted */

static volatile sig_atomic_t stop;
static unsigned asked;

static void stops(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  mistakes.real(g, s, header, in_port, in_vc, r);
  stop = ++asked >= 100;
}

/* A fault set is not looked at to its end. */
static void interrupted(void **state) {
  (void)state;
  static const struct ut_fault_set none;
  struct ut_error e;
  struct ut_topology t;
  struct ut_prover p;
  struct ut_verdict v;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [4, 4]}\nrouting: {algorithm: dor}\ntraffic: "
                                        "{load_flits_per_cycle: 0.1}\n");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_prover_init(&p, s, &t, &e), 0);
  mistakes.real = p.explorer.group[0].route;
  p.explorer.group[0].route = stops;
  p.stop = &stop;
  assert_int_equal(ut_prover_examine(&p, &none, &v, &e), -1);
  assert_int_equal(e.code, UT_INTERRUPTED);
  assert_true(asked >= 100 && asked < 200); /* the packets of a walk, and no others */
  p.explorer.group[0].route = mistakes.real;
  stop = 0;
  assert_int_equal(ut_prover_examine(&p, &none, &v, &e), 0);
  assert_int_equal(v.pairs, 16 * 15);
  ut_prover_free(&p);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(mistakes_are_found, search_end_case),
                                     cmocka_unit_test(others_stay), cmocka_unit_test(into_nowhere),
                                     cmocka_unit_test(ways_with_mistakes), cmocka_unit_test(interrupted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
