/* SPDX-License-Identifier: Apache-2.0 */
/* example_walks.c - counter-examples from the walks of walk.h: the first state that shows the failure and the way to
 * it, or a cycle of what escape channels wait for. */
#include <string.h>

#include "method_walks.h"
#include "numbering.h"
#include "route_unit.h"

/* A state as a step; hop NULL: the packet goes nowhere. */
static void fill_step(const struct ut_walk *k, uint32_t state, const struct ut_walk_hop *hop, struct ut_step *step) {
  struct ut_explorer *x = k->explorer;
  const struct ut_walk_state *place = &k->place[state];
  const struct ut_channel *c = &x->channel[place->channel];
  uint64_t header = k->header[place->header].word[0];
  struct ut_route_result r;
  ut_explorer_ask_header(x, place->channel, header, 0, &r);
  *step = (struct ut_step){.sw = c->sw,
                           .rt = ut_header_rt(header),
                           .in_port = c->port,
                           .in_vc = c->vc,
                           .src = place->src,
                           .dst = k->packets.dst,
                           .leaves = hop != NULL,
                           .out_port = hop ? hop->port : 0,
                           .out_vc = hop ? hop->vc : 0};
  memcpy(step->cand, r.cand, sizeof step->cand);
  if (x->group[0].form.bubble)
    memcpy(step->bubble, r.bubble, sizeof step->bubble);
}

static size_t steps_before(const struct ut_walk *k, uint32_t state) {
  size_t steps = 0;
  for (; k->place[state].from != UT_NO_STATE; state = k->place[state].from)
    steps++;
  return steps;
}

/* The way to that state; the step of the state itself is left to the caller. */
static void fill_way(const struct ut_walk *k, uint32_t state, struct ut_step *step) {
  for (size_t i = steps_before(k, state); i-- > 0; state = k->place[state].from)
    fill_step(k, k->place[state].from, &k->hop[k->place[state].hop], &step[i]);
}

static bool take_walk(struct ut_counter_example *c, const struct ut_walk *k, uint32_t state, size_t more) {
  struct ut_step *step = calloc(steps_before(k, state) + more, sizeof *step);
  if (!step)
    return false;
  free(c->step);
  c->step = step;
  c->steps = steps_before(k, state) + more;
  c->src = k->place[state].src;
  c->dst = k->packets.dst;
  fill_way(k, state, step);
  return true;
}

/* Round a loop: a hop of a state that can go on for ever, to one that can. */
static uint32_t looping_hop(const struct ut_walk *k, uint32_t state) {
  for (uint32_t i = k->place[state].first; i < k->place[state].end; i++)
    if (k->hop[i].to != UT_TERMINAL && k->left[k->hop[i].to])
      return i;
  return UT_NO_STATE;
}

static bool take_loop(struct ut_counter_example *c, const struct ut_walk *k, uint32_t state) {
  bool *seen = calloc(k->places, sizeof *seen);
  if (!seen)
    return false;
  for (; !seen[state]; state = k->hop[looping_hop(k, state)].to)
    seen[state] = true;
  size_t round = 0;
  uint32_t start = state;
  do
    state = k->hop[looping_hop(k, state)].to, round++;
  while (state != start);
  free(seen);
  if (!take_walk(c, k, start, round))
    return false;
  c->back_to = c->steps - round;
  for (size_t i = c->back_to; i < c->steps; i++) {
    const struct ut_walk_hop *hop = &k->hop[looping_hop(k, state)];
    fill_step(k, state, hop, &c->step[i]);
    state = hop->to;
  }
  return true;
}

/* The shortest walk to a state with that fault. */
static bool find_walk(struct ut_counter_example *c, struct ut_by_walks *own, enum ut_walk_fault fault) {
  struct ut_walk *k = &own->walk;
  size_t best = SIZE_MAX;
  for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &k->packets); number++) {
    ut_packets_leave_out(&k->packets, k->explorer);
    if (ut_walk_run(k, &k->packets))
      return false;
    uint32_t state = k->first[fault];
    if (state == UT_NO_STATE || steps_before(k, state) >= best)
      continue;
    best = steps_before(k, state);
    if (fault == UT_WALK_LOOPS ? !take_loop(c, k, state) : !take_walk(c, k, state, 1))
      return false;
    if (fault != UT_WALK_LOOPS)
      fill_step(k, state, NULL, &c->step[c->steps - 1]);
  }
  return best != SIZE_MAX;
}

/* ---- cycles */

static uint32_t node_of(const struct ut_rings *r, const struct ut_arcs *arcs, uint32_t channel) {
  return arcs == &r->all ? channel : r->node[channel];
}

struct waiting {
  struct ut_by_walks *own;
  const struct ut_arcs *arcs;
};

/* A packet in node `from` that waits for node `to`. */
static bool find_packet(void *ctx, uint32_t from, uint32_t to, struct ut_step *step) {
  struct ut_by_walks *own = ((struct waiting *)ctx)->own;
  const struct ut_arcs *arcs = ((struct waiting *)ctx)->arcs;
  struct ut_walk *k = &own->walk;
  const struct ut_rings *r = &own->rings;
  if (!ut_packet_list_get(&own->packets, ut_arcs_walk(arcs, from, to), &k->packets))
    return false;
  ut_packets_leave_out(&k->packets, k->explorer);
  if (ut_walk_run(k, &k->packets))
    return false;
  for (uint32_t s = 0; s < k->places; s++) {
    uint32_t channel = k->place[s].channel;
    if (node_of(r, arcs, channel) != from)
      continue;
    for (uint32_t i = k->place[s].first; i < k->place[s].end; i++) {
      const struct ut_walk_hop *h = &k->hop[i];
      if (h->to == UT_TERMINAL || node_of(r, arcs, k->place[h->to].channel) != to || (arcs != &r->all && !h->chosen))
        continue;
      fill_step(k, s, h, step);
      return true;
    }
  }
  for (uint32_t s = 0; arcs == &r->extended && s < k->places; s++) /* it gets there over adaptive hops */
    if (node_of(r, arcs, k->place[s].channel) == from && k->place[s].first < k->place[s].end) {
      fill_step(k, s, &k->hop[k->place[s].first], step);
      return true;
    }
  return false;
}

static bool find_cycle(struct ut_counter_example *c, struct ut_prover *p) {
  struct waiting w = {p->own, ut_deciding_arcs(p)};
  struct ut_rings *r = &w.own->rings;
  uint32_t *cycle = NULL;
  size_t length = ut_graph_shortest_cycle(&r->graph, NULL, &cycle); /* of w.arcs: they were looked at last */
  bool good = ut_counter_example_cycle(c, cycle, length, find_packet, &w);
  c->rings = r->merged;
  free(cycle);
  return good;
}

/* The packet in a channel whose next one has no higher number. */
static bool find_falling(struct ut_counter_example *c, struct ut_prover *p) {
  struct waiting w = {p->own, &ut_by_walks(p)->rings.extended};
  uint32_t from, to;
  if (!ut_find_falling(p, &from, &to) || !(c->step = calloc(1, sizeof *c->step)) || !find_packet(&w, from, to, c->step))
    return false;
  c->steps = 1;
  c->src = c->step->src;
  c->dst = c->step->dst;
  c->number[0] = ut_escape_number(&p->explorer, from);
  c->number[1] = ut_escape_number(&p->explorer, to);
  return true;
}

bool ut_example_by_walks(struct ut_prover *p, struct ut_counter_example *c) {
  struct ut_by_walks *own = p->own;
  const struct ut_paths *paths = own->packets.paths;
  switch (c->kind) {
  case UT_FAILURE_DISCARD: return find_walk(c, own, UT_WALK_DISCARDS);
  case UT_FAILURE_WRONG: return find_walk(c, own, UT_WALK_WRONG);
  case UT_FAILURE_LOOP: return find_walk(c, own, UT_WALK_LOOPS);
  case UT_FAILURE_ESCAPE: return find_walk(c, own, UT_WALK_STRANDS);
  case UT_FAILURE_BUBBLE: return find_walk(c, own, UT_WALK_BUBBLE);
  case UT_FAILURE_CYCLE: return find_cycle(c, p);
  case UT_FAILURE_NUMBERING: return find_falling(c, p);
  case UT_FAILURE_ROUTE: /* the packet is discarded by its source: no walk */
    c->src = paths ? paths->lost[0] * paths->local : own->left.untold_pair[0];
    c->dst = paths ? paths->lost[1] * paths->local : own->left.untold_pair[1];
    return true;
  case UT_SEPARATED:
    c->src = own->left.separated_pair[0];
    c->dst = own->left.separated_pair[1];
    return true;
  default: return false;
  }
}
