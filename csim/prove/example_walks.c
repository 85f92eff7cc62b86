/* SPDX-License-Identifier: Apache-2.0 */
/* example_walks.c - counter-examples from the walks of walk.h: the shortest walk to the first state that shows the
 * failure, or a cycle of escape channels that wait for each other. */
#include <string.h>

#include "example_walks.h"
#include "method_walks.h"
#include "numbering.h"
#include "route_unit.h"

/* Makes a step of a state; hop NULL: the packet goes nowhere. */
static void fill_step(const struct ut_walk *walk, uint32_t state, const struct ut_walk_hop *hop, struct ut_step *step) {
  struct ut_explorer *explorer = walk->explorer;
  const struct ut_walk_state *place = &walk->place[state];
  const struct ut_channel *channel = &explorer->channel[place->channel];
  uint64_t header = walk->header[place->header].word[0];
  struct ut_route_result route;
  ut_explorer_ask_header(explorer, place->channel, header, 0, &route);
  *step = (struct ut_step){.sw = channel->sw,
                           .rt = ut_header_rt(header),
                           .in_port = channel->port,
                           .in_vc = channel->vc,
                           .src = place->src,
                           .dst = walk->packets.dst,
                           .met = hop               ? hop->met
                                  : place->discards ? place->discards_by
                                                    : UT_MET_BOTH,
                           .leaves = hop != NULL,
                           .out_port = hop ? hop->port : 0,
                           .out_vc = hop ? hop->vc : 0};
  memcpy(step->cand, route.cand, sizeof step->cand);
  if (explorer->group[0].form.bubble)
    memcpy(step->bubble, route.bubble, sizeof step->bubble);
}

static size_t steps_before(const struct ut_walk *walk, uint32_t state) {
  size_t steps = 0;
  for (; walk->place[state].from != UT_NO_STATE; state = walk->place[state].from)
    steps++;
  return steps;
}

/* Makes steps of the walk to a state; the caller adds that of the state itself. */
static void fill_way(const struct ut_walk *walk, uint32_t state, struct ut_step *step) {
  for (size_t i = steps_before(walk, state); i-- > 0; state = walk->place[state].from)
    fill_step(walk, walk->place[state].from, &walk->hop[walk->place[state].hop], &step[i]);
}

static bool take_walk(struct ut_counter_example *example, const struct ut_walk *walk, uint32_t state, size_t more) {
  struct ut_step *step = calloc(steps_before(walk, state) + more, sizeof *step);
  if (!step)
    return false;
  free(example->step);
  example->step = step;
  example->steps = steps_before(walk, state) + more;
  example->src = walk->place[state].src;
  example->dst = walk->packets.dst;
  fill_way(walk, state, step);
  return true;
}

/* Goes round a loop: takes a hop of a state that can continue for ever to another such state. */
static uint32_t looping_hop(const struct ut_walk *walk, uint32_t state) {
  for (uint32_t i = walk->place[state].first; i < walk->place[state].end; i++)
    if (walk->hop[i].to != UT_TERMINAL && walk->left[walk->hop[i].to])
      return i;
  return UT_NO_STATE;
}

static bool take_loop(struct ut_counter_example *example, const struct ut_walk *walk, uint32_t state) {
  bool *seen = calloc(walk->places, sizeof *seen);
  if (!seen)
    return false;
  for (; !seen[state]; state = walk->hop[looping_hop(walk, state)].to)
    seen[state] = true;
  size_t round = 0;
  uint32_t start = state;
  do
    state = walk->hop[looping_hop(walk, state)].to, round++;
  while (state != start);
  free(seen);
  if (!take_walk(example, walk, start, round))
    return false;
  example->back_to = example->steps - round;
  for (size_t i = example->back_to; i < example->steps; i++) {
    const struct ut_walk_hop *hop = &walk->hop[looping_hop(walk, state)];
    fill_step(walk, state, hop, &example->step[i]);
    state = hop->to;
  }
  return true;
}

bool ut_example_shortest(struct ut_counter_example *example, const struct ut_walk *walk, enum ut_walk_fault fault) {
  const uint32_t state = walk->first[fault];
  if (state == UT_NO_STATE || (example->steps && steps_before(walk, state) >= example->before_failure))
    return true;
  example->before_failure = steps_before(walk, state);
  if (fault == UT_WALK_LOOPS)
    return take_loop(example, walk, state);
  if (!take_walk(example, walk, state, 1))
    return false;
  fill_step(walk, state, NULL, &example->step[example->steps - 1]);
  return true;
}

/* Finds the shortest walk to a state with that failure. */
static bool find_walk(struct ut_counter_example *example, struct ut_by_walks *own, enum ut_walk_fault fault) {
  struct ut_walk *walk = &own->walk;
  for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &walk->packets); number++) {
    ut_packets_leave_out(&walk->packets, walk->explorer);
    if (ut_walk_run(walk, &walk->packets) || !ut_example_shortest(example, walk, fault))
      return false;
  }
  return example->steps > 0;
}

/* ---- cycles */

bool ut_example_arc(const struct ut_walk *walk, uint32_t from, uint32_t to, bool indirect, struct ut_step *step) {
  for (uint32_t s = 0; s < walk->places; s++)
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end && walk->place[s].channel == from; i++)
      if (walk->hop[i].to != UT_TERMINAL && walk->place[walk->hop[i].to].channel == to) {
        fill_step(walk, s, &walk->hop[i], step);
        return true;
      }
  for (uint32_t s = 0; indirect && s < walk->places; s++)
    if (walk->place[s].channel == from && walk->place[s].first < walk->place[s].end) {
      fill_step(walk, s, &walk->hop[walk->place[s].first], step);
      return true;
    }
  return false;
}

static uint32_t node_of(const struct ut_rings *rings, const struct ut_arcs *arcs, uint32_t channel) {
  return arcs == &rings->all ? channel : rings->node[channel];
}

struct waiting {
  struct ut_by_walks *own;
  const struct ut_arcs *arcs;
};

/* Finds a packet in node `from` that waits for node `to`. */
static bool find_packet(void *ctx, uint32_t from, uint32_t to, struct ut_step *step) {
  struct ut_by_walks *own = ((struct waiting *)ctx)->own;
  const struct ut_arcs *arcs = ((struct waiting *)ctx)->arcs;
  struct ut_walk *walk = &own->walk;
  const struct ut_rings *rings = &own->rings;
  if (!ut_packet_list_get(&own->packets, ut_arcs_walk(arcs, from, to), &walk->packets))
    return false;
  ut_packets_leave_out(&walk->packets, walk->explorer);
  if (ut_walk_run(walk, &walk->packets))
    return false;
  for (uint32_t s = 0; s < walk->places; s++) {
    uint32_t channel = walk->place[s].channel;
    if (node_of(rings, arcs, channel) != from)
      continue;
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end; i++) {
      const struct ut_walk_hop *hop = &walk->hop[i];
      if (hop->to == UT_TERMINAL || node_of(rings, arcs, walk->place[hop->to].channel) != to ||
          (arcs != &rings->all && !hop->chosen))
        continue;
      fill_step(walk, s, hop, step);
      return true;
    }
  }
  for (uint32_t s = 0; arcs == &rings->extended && s < walk->places; s++) /* the packet reaches it over adaptive hops */
    if (node_of(rings, arcs, walk->place[s].channel) == from && walk->place[s].first < walk->place[s].end) {
      fill_step(walk, s, &walk->hop[walk->place[s].first], step);
      return true;
    }
  return false;
}

static bool find_cycle(struct ut_counter_example *example, struct ut_prover *prover) {
  struct waiting waiting = {prover->own, ut_deciding_arcs(prover)};
  struct ut_rings *rings = &waiting.own->rings;
  uint32_t *cycle = NULL;
  size_t length =
      ut_digraph_shortest_cycle(&rings->graph, NULL, &cycle); /* of waiting.arcs: they were looked at last */
  bool good = ut_counter_example_cycle(example, cycle, length, find_packet, &waiting);
  example->rings = rings->merged;
  free(cycle);
  return good;
}

/* Finds the packet in a channel whose next channel has no higher number. */
static bool find_falling(struct ut_counter_example *example, struct ut_prover *prover) {
  struct waiting waiting = {prover->own, &ut_by_walks(prover)->rings.extended};
  uint32_t from, to;
  if (!ut_find_falling(prover, &from, &to) || !(example->step = calloc(1, sizeof *example->step)) ||
      !find_packet(&waiting, from, to, example->step))
    return false;
  example->steps = 1;
  example->src = example->step->src;
  example->dst = example->step->dst;
  example->number[0] = ut_escape_number(&prover->explorer, from);
  example->number[1] = ut_escape_number(&prover->explorer, to);
  return true;
}

bool ut_example_by_walks(struct ut_prover *prover, struct ut_counter_example *example) {
  struct ut_by_walks *own = prover->own;
  const struct ut_paths *paths = own->packets.paths;
  switch (example->kind) {
  case UT_FAILURE_DISCARD: return find_walk(example, own, UT_WALK_DISCARDS);
  case UT_FAILURE_WRONG: return find_walk(example, own, UT_WALK_WRONG);
  case UT_FAILURE_LOOP: return find_walk(example, own, UT_WALK_LOOPS);
  case UT_FAILURE_ESCAPE: return find_walk(example, own, UT_WALK_STRANDS);
  case UT_FAILURE_BUBBLE: return find_walk(example, own, UT_WALK_BUBBLE);
  case UT_FAILURE_CYCLE: return find_cycle(example, prover);
  case UT_FAILURE_NUMBERING: return find_falling(example, prover);
  case UT_FAILURE_ROUTE: /* the packet is discarded by its source: no walk */
    example->src = paths ? paths->lost[0] * paths->local : own->left.untold_pair[0];
    example->dst = paths ? paths->lost[1] * paths->local : own->left.untold_pair[1];
    return true;
  case UT_SEPARATED:
    example->src = own->left.separated_pair[0];
    example->dst = own->left.separated_pair[1];
    return true;
  default: return false;
  }
}
