/* SPDX-License-Identifier: Apache-2.0 */
/* example_sets.c - counter-examples of the method by sets of destinations: the shortest walk, found from all sources
 * for one destination after the other, or a cycle of channels inside a set that waits for no channel outside. */
#include <string.h>

#include "layers.h"
#include "method_sets.h"
#include "numbering.h"
#include "route_unit.h"

enum { NONE = UINT32_MAX };

static bool has(const uint64_t *mask, uint32_t dst) {
  return mask[dst / 64] >> dst % 64 & 1;
}

/* ---- one step in words of the switch */

/* Finds the first candidate that leads to a wrong terminal, or nowhere; false: there is none. */
static bool leads_astray(const struct ut_explorer *explorer, uint32_t sw, uint32_t dst,
                         const struct ut_route_result *result, uint8_t *out_port, uint8_t *out_vc) {
  const struct ut_topology *topo = explorer->topology;
  for (unsigned v = 0; v < explorer->v; v++)
    UT_FOR_EACH (port, result->cand[v]) {
      const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
      if (peer->kind == UT_PEER_SWITCH || (peer->kind == UT_PEER_TERMINAL && peer->index == dst))
        continue;
      *out_port = (uint8_t)port;
      *out_vc = (uint8_t)v;
      return true;
    }
  return false;
}

/* Fills in a step: the smallest vector with which the packet takes that output VC; with edge NULL, with which it is
 * discarded (`end` UT_ROW_DISCARDED) or leaves the network at a wrong place (UT_ROW_WRONG). */
static void fill_step(struct ut_reach *reach, uint32_t state, uint32_t dst, const struct ut_edge *edge, unsigned end,
                      struct ut_step *step) {
  struct ut_explorer *explorer = reach->explorer;
  uint32_t channel = ut_reach_channel(reach, state);
  const struct ut_channel *chan = &explorer->channel[channel];
  ut_mask own = ut_reach_own_bits(reach, state), shared = explorer->shared[chan->sw];
  uint8_t out_port = edge ? edge->port : 0, out_vc = edge ? edge->vc : 0;
  *step = (struct ut_step){.sw = chan->sw,
                           .rt = explorer->rt_value[ut_reach_rt(reach, state)],
                           .in_port = chan->port,
                           .in_vc = chan->vc,
                           .from_above = chan->from_above,
                           .u_turn = edge && edge->u_turn,
                           .leaves = edge || end == UT_ROW_WRONG,
                           .own = own,
                           .vector = own,
                           .dst = dst};
  int fewest = -1;
  for (ut_mask more = 0;; more = (more - shared) & shared) {
    struct ut_route_result result;
    ut_mask some = 0;
    ut_explorer_ask(explorer, channel, dst, step->rt, own | more, &result);
    for (unsigned v = 0; v < explorer->v; v++)
      some |= result.cand[v];
    bool fits = edge ? result.cand[edge->vc] & ut_bit(edge->port) && result.set == edge->set &&
                           result.rt == explorer->rt_value[edge->rt]
                : end == UT_ROW_WRONG ? leads_astray(explorer, chan->sw, dst, &result, &out_port, &out_vc)
                                      : !some;
    int bits = __builtin_popcountll(more);
    if (fits && (fewest < 0 || bits < fewest)) {
      fewest = bits;
      step->vector = own | more;
      step->out_port = out_port;
      step->out_vc = out_vc;
      memcpy(step->cand, result.cand, sizeof step->cand);
    }
    if (more == shared)
      break;
  }
}

/* ---- walks of packets for one destination */

/* Breadth-first search: records how each state was reached first. */
struct tree {
  uint32_t *parent, *edge, *order; /* [states] */
  uint32_t count;
  bool *seen;
};

static bool tree_init(struct tree *tree, uint32_t states) {
  tree->parent = calloc(states, sizeof *tree->parent);
  tree->edge = calloc(states, sizeof *tree->edge);
  tree->order = calloc(states, sizeof *tree->order);
  tree->seen = calloc(states, sizeof *tree->seen);
  tree->count = 0;
  return tree->parent && tree->edge && tree->order && tree->seen;
}

static void tree_free(struct tree *tree) {
  free(tree->parent), free(tree->edge), free(tree->order), free(tree->seen);
}

static void tree_add(struct tree *tree, uint32_t state, uint32_t parent, uint32_t edge) {
  if (tree->seen[state])
    return;
  tree->seen[state] = true;
  tree->parent[state] = parent;
  tree->edge[state] = edge;
  tree->order[tree->count++] = state;
}

static void tree_forget(struct tree *tree) {
  for (uint32_t i = 0; i < tree->count; i++)
    tree->seen[tree->order[i]] = false;
  tree->count = 0;
}

/* Continues from state number `i` of the order; states outside `keep` (if given) are left out. */
static bool tree_expand(struct tree *tree, struct ut_reach *reach, uint32_t i, uint32_t dst,
                        const struct ut_field *keep) {
  struct ut_explorer *explorer = reach->explorer;
  uint32_t state = tree->order[i];
  const struct ut_row *row = ut_reach_row(reach, state);
  for (unsigned j = 0; row && j < row->edges; j++) {
    if (!has(ut_row_any(explorer, row, j), dst))
      continue;
    uint32_t next = ut_reach_target(reach, state, &row->edge[j]);
    if (next == NONE)
      return false;
    if (!keep || has(keep->mask + (size_t)next * explorer->words, dst))
      tree_add(tree, next, state, j);
  }
  return row != NULL;
}

static void tree_start(struct tree *tree, const struct ut_reach *reach, uint32_t dst) {
  tree_forget(tree);
  for (uint32_t src = 0; src < reach->explorer->topology->terminals; src++)
    for (unsigned link = 0; src != dst && link < ut_explorer_injections(reach->explorer); link++)
      for (unsigned vc = 0; vc < ut_first_layer_vcs(reach->explorer->v, reach->explorer->layers); vc++)
        tree_add(tree, ut_reach_start(reach, src, link, vc), NONE, 0);
}

static size_t depth(const struct tree *tree, uint32_t state) {
  size_t d = 0;
  for (; tree->parent[state] != NONE; state = tree->parent[state])
    d++;
  return d;
}

/* Returns the states from the start to `state`; the caller frees them. */
static uint32_t *path_to(const struct tree *tree, uint32_t state, size_t *length) {
  *length = depth(tree, state) + 1;
  uint32_t *path = malloc(*length * sizeof *path);
  for (size_t i = *length; path && i-- > 0; state = tree->parent[state])
    path[i] = state;
  return path;
}

/* Makes steps of a path; the caller adds the last one. */
static bool append(struct ut_counter_example *example, struct ut_reach *reach, const struct tree *tree,
                   const uint32_t *path, size_t length, uint32_t dst) {
  struct ut_step *larger = realloc(example->step, (example->steps + length) * sizeof *larger);
  if (!larger)
    return false;
  example->step = larger;
  for (size_t i = 0; i + 1 < length; i++) {
    const struct ut_row *row = ut_reach_row(reach, path[i]);
    if (!row)
      return false;
    struct ut_edge edge = row->edge[tree->edge[path[i + 1]]];
    fill_step(reach, path[i], dst, &edge, 0, &example->step[example->steps++]);
  }
  return true;
}

static uint32_t source_of(const struct ut_reach *reach, uint32_t state) {
  const struct ut_channel *channel = &reach->explorer->channel[ut_reach_channel(reach, state)];
  return ut_explorer_feeder(reach->explorer, channel->sw, channel->port).index;
}

/* Finds the shortest walk to a state where `which` (of a row) has the destination. */
static bool find_end(struct ut_counter_example *example, struct ut_reach *reach, struct tree *tree, unsigned which,
                     const uint64_t *among) {
  struct ut_explorer *explorer = reach->explorer;
  size_t best = 0;
  for (uint32_t dst = 0; dst < explorer->topology->terminals; dst++) {
    if (!has(among, dst))
      continue;
    tree_start(tree, reach, dst);
    for (uint32_t i = 0; i < tree->count; i++) {
      uint32_t state = tree->order[i];
      const struct ut_row *row = ut_reach_row(reach, state);
      if (!row)
        return false;
      if (!has(row->mask + which * explorer->words, dst)) {
        if (!tree_expand(tree, reach, i, dst, NULL))
          return false;
        continue;
      }
      size_t length;
      uint32_t *path = path_to(tree, state, &length);
      if (path && (!best || length < best)) {
        best = length;
        example->steps = 0;
        example->src = source_of(reach, path[0]);
        example->dst = dst;
        bool good = append(example, reach, tree, path, length, dst);
        if (good)
          fill_step(reach, state, dst, NULL, which, &example->step[example->steps++]);
        if (!good) {
          free(path);
          return false;
        }
      }
      if (!path)
        return false;
      free(path);
      break;
    }
  }
  return best > 0;
}

/* Finds the shortest way back to `from` within field a; returns its hops, 0: there is none. */
static size_t way_back(struct ut_reach *reach, struct tree *tree, uint32_t from, uint32_t dst, uint32_t *last,
                       uint32_t *last_edge) {
  struct ut_explorer *explorer = reach->explorer;
  tree_forget(tree);
  tree_add(tree, from, NONE, 0);
  for (uint32_t i = 0; i < tree->count; i++) {
    uint32_t state = tree->order[i];
    const struct ut_row *row = ut_reach_row(reach, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (has(ut_row_any(explorer, row, j), dst) && ut_reach_target(reach, state, &row->edge[j]) == from) {
        *last = state;
        *last_edge = j;
        return depth(tree, state) + 1;
      }
    if (!tree_expand(tree, reach, i, dst, &reach->a))
      return 0;
  }
  return 0;
}

/* Finds the shortest walk into a loop and once round it.  Field a of the reach holds the packets that can continue for
 * ever. */
static bool find_loop(struct ut_counter_example *example, struct ut_reach *reach, struct tree *tree,
                      struct tree *round) {
  struct ut_explorer *explorer = reach->explorer;
  size_t best = 0;
  for (uint32_t dst = 0; dst < explorer->topology->terminals; dst++) {
    if (!has(reach->looping, dst))
      continue;
    tree_start(tree, reach, dst);
    for (uint32_t i = 0; i < tree->count; i++) {
      uint32_t state = tree->order[i], last, last_edge;
      if (!tree_expand(tree, reach, i, dst, NULL))
        return false;
      if (!has(reach->a.mask + (size_t)state * explorer->words, dst))
        continue;
      size_t into = depth(tree, state);
      if (best && into + 2 >= best)
        break; /* deeper states have no shorter loops */
      size_t length = way_back(reach, round, state, dst, &last, &last_edge);
      if (!length || (best && into + length >= best))
        continue;
      best = into + length;
      size_t n;
      example->steps = 0;
      example->dst = dst;
      uint32_t *path = path_to(tree, state, &n);
      bool good = path && append(example, reach, tree, path, n, dst);
      if (good)
        example->src = source_of(reach, path[0]);
      example->back_to = example->steps;
      free(path);
      path = good ? path_to(round, last, &n) : NULL;
      good = path && append(example, reach, round, path, n, dst);
      free(path);
      if (!good)
        return false;
      const struct ut_row *row = ut_reach_row(reach, last);
      if (!row)
        return false;
      struct ut_edge edge = row->edge[last_edge];
      fill_step(reach, last, dst, &edge, 0, &example->step[example->steps++]);
    }
  }
  return best > 0;
}

/* ---- cycles of channels */

/* Returns a source whose packets to `dst` can get into that state. */
static uint32_t some_source(struct ut_reach *reach, struct tree *tree, uint32_t state, uint32_t dst) {
  tree_start(tree, reach, dst);
  for (uint32_t i = 0; i < tree->count; i++) {
    if (tree->order[i] == state) {
      while (tree->parent[state] != NONE)
        state = tree->parent[state];
      return source_of(reach, state);
    }
    if (!tree_expand(tree, reach, i, dst, NULL))
      break;
  }
  return dst;
}

/* Finds a packet in `channel` that may go to channel `to`; with `among`, one all of whose candidates are marked there,
 * with as few candidates as possible. */
static bool find_packet(struct ut_reach *reach, struct tree *tree, uint32_t channel, uint32_t to, const bool *among,
                        struct ut_step *step) {
  struct ut_explorer *explorer = reach->explorer;
  unsigned best = 0;
  uint32_t best_state = 0;
  for (uint32_t i = 0; i < reach->reached.count; i++) {
    uint32_t state = reach->reached.touched[i];
    if (ut_reach_channel(reach, state) != channel)
      continue;
    const struct ut_row *row = ut_reach_row(reach, state);
    if (!row)
      return false;
    for (uint32_t dst = 0; dst < explorer->topology->terminals; dst++) {
      if (!has(reach->reached.mask + (size_t)state * explorer->words, dst) ||
          (among && has(row->mask + UT_ROW_DELIVERED * explorer->words, dst)))
        continue;
      unsigned candidates = 0, outside = 0;
      const struct ut_edge *edge = NULL;
      for (unsigned j = 0; j < row->edges; j++) {
        if (!has(among ? ut_row_all(explorer, row, j) : ut_row_any(explorer, row, j), dst))
          continue;
        candidates++;
        outside += among && !among[row->edge[j].channel];
        if (to == NONE || row->edge[j].channel == to)
          edge = &row->edge[j];
      }
      if (!edge || outside || (best && candidates >= best))
        continue;
      best = candidates;
      best_state = state;
      struct ut_edge copy = *edge;
      fill_step(reach, state, dst, &copy, 0, step);
      if (among) { /* with the vector that leaves the fewest candidates */
        struct ut_route_result result;
        step->vector = step->own | explorer->shared[step->sw];
        ut_explorer_ask(explorer, channel, dst, step->rt, step->vector, &result);
        memcpy(step->cand, result.cand, sizeof step->cand);
      }
    }
  }
  step->src = some_source(reach, tree, best_state, step->dst);
  return best > 0;
}

/* For cycles of channels: finds packets, with `among` only those all of whose candidates are marked. */
struct waiting {
  struct ut_by_sets *own;
  struct tree *tree;
  const bool *among;
};

static bool find_waiting(void *ctx, uint32_t from, uint32_t to, struct ut_step *step) {
  const struct waiting *waiting = ctx;
  return find_packet(&waiting->own->reach, waiting->tree, from, to, waiting->among, step);
}

/* Computes the set of channels that the packets in the cycle wait for and, in turn, the packets in those channels. */
static bool close_set(struct ut_counter_example *example, const struct waiting *waiting, const uint32_t *cycle,
                      size_t length) {
  struct ut_explorer *explorer = waiting->own->reach.explorer;
  uint32_t *list = calloc(explorer->channels, sizeof *list);
  bool *in = calloc(explorer->channels, sizeof *in);
  size_t count = 0;
  bool good = list && in;
  for (size_t i = 0; good && i < length; i++) {
    in[cycle[i]] = true;
    list[count++] = cycle[i];
  }
  example->more = good ? calloc(explorer->channels, sizeof *example->more) : NULL;
  good = good && example->more;
  for (size_t i = 0; good && i < count; i++) {
    struct ut_step *step = i < length ? &example->step[i] : &example->more[example->mores];
    if (i >= length) {
      good = find_packet(&waiting->own->reach, waiting->tree, list[i], NONE, waiting->among, step);
      example->mores += good;
    }
    for (unsigned v = 0; good && v < explorer->v; v++)
      UT_FOR_EACH (port, step->cand[v]) {
        uint32_t next = ut_channel_behind(explorer, step->sw, port, v);
        if (next != NONE && !in[next]) {
          in[next] = true;
          list[count++] = next;
        }
      }
  }
  example->waiting = count;
  free(list);
  free(in);
  return good;
}

static bool find_cycle(struct ut_counter_example *example, struct ut_by_sets *own, struct tree *tree) {
  struct ut_dependencies *dependencies = &own->dependencies;
  struct waiting waiting = {own, tree, NULL};
  uint32_t *cycle;
  if (!ut_dependencies_cycle(dependencies))
    return false;
  if (own->reach.explorer->group[0].shape.switching != UT_WORMHOLE) {
    if (!ut_dependencies_waiting(dependencies))
      return false;
    waiting.among = dependencies->waiting;
    ut_dependencies_waiting_arcs(dependencies, waiting.among);
  }
  size_t length = ut_dependencies_shortest_cycle(dependencies, waiting.among, &cycle);
  bool good = ut_counter_example_cycle(example, cycle, length, find_waiting, &waiting);
  if (good && waiting.among)
    good = close_set(example, &waiting, cycle, length);
  free(cycle);
  return good;
}

static bool find_falling(struct ut_counter_example *example, struct ut_by_sets *own, struct tree *tree) {
  uint32_t from, to;
  ut_dependencies_cycle(&own->dependencies);
  if (!ut_dependencies_falling(&own->dependencies, &from, &to))
    return false;
  example->step = calloc(1, sizeof *example->step);
  if (!example->step || !find_packet(&own->reach, tree, from, to, NULL, &example->step[0]))
    return false;
  example->steps = 1;
  example->src = example->step[0].src;
  example->dst = example->step[0].dst;
  example->number[0] = ut_channel_number(own->reach.explorer, from);
  example->number[1] = ut_channel_number(own->reach.explorer, to);
  return true;
}

/* ---- */

bool ut_example_by_sets(struct ut_prover *prover, struct ut_counter_example *example) {
  struct ut_by_sets *own = prover->own;
  struct ut_reach *reach = &own->reach;
  struct tree tree, round;
  bool good = tree_init(&tree, reach->room);
  good = tree_init(&round, reach->room) && good;
  if (good)
    switch (example->kind) {
    case UT_FAILURE_DISCARD: good = find_end(example, reach, &tree, UT_ROW_DISCARDED, reach->discarded); break;
    case UT_FAILURE_WRONG: good = find_end(example, reach, &tree, UT_ROW_WRONG, reach->wrong); break;
    case UT_FAILURE_LOOP: good = find_loop(example, reach, &tree, &round); break;
    case UT_FAILURE_CYCLE: good = find_cycle(example, own, &tree); break;
    case UT_FAILURE_NUMBERING: good = find_falling(example, own, &tree); break;
    default: good = false; break;
    }
  tree_free(&tree);
  tree_free(&round);
  return good;
}
