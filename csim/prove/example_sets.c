/* SPDX-License-Identifier: Apache-2.0 */
/* example_sets.c - counter-examples among sets of destinations: the shortest walk, found from all sources for one
 * destination after the other, or a cycle of channels that wait for nothing outside a set. */
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

/* The first candidate that leads to another terminal, or nowhere; false: there is none. */
static bool leads_astray(const struct ut_explorer *x, uint32_t sw, uint32_t dst, const struct ut_route_result *result,
                         uint8_t *out_port, uint8_t *out_vc) {
  const struct ut_topology *t = x->topology;
  for (unsigned v = 0; v < x->v; v++)
    UT_FOR_EACH (port, result->cand[v]) {
      const struct ut_peer *p = &t->peer[(size_t)sw * t->po + port];
      if (p->kind == UT_PEER_SWITCH || (p->kind == UT_PEER_TERMINAL && p->index == dst))
        continue;
      *out_port = (uint8_t)port;
      *out_vc = (uint8_t)v;
      return true;
    }
  return false;
}

/* The smallest vector with which the packet takes that output VC; edge NULL: with which it is discarded (`end`
 * UT_ROW_DISCARDED), or leaves the network where it should not (UT_ROW_WRONG). */
static void fill_step(struct ut_reach *r, uint32_t state, uint32_t dst, const struct ut_edge *edge, unsigned end,
                      struct ut_step *step) {
  struct ut_explorer *x = r->explorer;
  uint32_t channel = ut_reach_channel(r, state);
  const struct ut_channel *c = &x->channel[channel];
  ut_mask own = ut_reach_own_bits(r, state), shared = x->shared[c->sw];
  uint8_t out_port = edge ? edge->port : 0, out_vc = edge ? edge->vc : 0;
  *step = (struct ut_step){.sw = c->sw,
                           .rt = x->rt_value[ut_reach_rt(r, state)],
                           .in_port = c->port,
                           .in_vc = c->vc,
                           .from_above = c->from_above,
                           .u_turn = edge && edge->u_turn,
                           .leaves = edge || end == UT_ROW_WRONG,
                           .own = own,
                           .vector = own,
                           .dst = dst};
  int fewest = -1;
  for (ut_mask more = 0;; more = (more - shared) & shared) {
    struct ut_route_result result;
    ut_mask some = 0;
    ut_explorer_ask(x, channel, dst, step->rt, own | more, &result);
    for (unsigned v = 0; v < x->v; v++)
      some |= result.cand[v];
    bool fits = edge ? result.cand[edge->vc] & ut_bit(edge->port) && result.set == edge->set &&
                           result.rt == x->rt_value[edge->rt]
                : end == UT_ROW_WRONG ? leads_astray(x, c->sw, dst, &result, &out_port, &out_vc)
                                      : !some;
    int bits = __builtin_popcount(more);
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

/* Breadth-first search: how each state was reached first. */
struct tree {
  uint32_t *parent, *edge, *order; /* [states] */
  uint32_t count;
  bool *seen;
};

static bool tree_init(struct tree *t, uint32_t states) {
  t->parent = calloc(states, sizeof *t->parent);
  t->edge = calloc(states, sizeof *t->edge);
  t->order = calloc(states, sizeof *t->order);
  t->seen = calloc(states, sizeof *t->seen);
  t->count = 0;
  return t->parent && t->edge && t->order && t->seen;
}

static void tree_free(struct tree *t) {
  free(t->parent), free(t->edge), free(t->order), free(t->seen);
}

static void tree_add(struct tree *t, uint32_t state, uint32_t parent, uint32_t edge) {
  if (t->seen[state])
    return;
  t->seen[state] = true;
  t->parent[state] = parent;
  t->edge[state] = edge;
  t->order[t->count++] = state;
}

static void tree_forget(struct tree *t) {
  for (uint32_t i = 0; i < t->count; i++)
    t->seen[t->order[i]] = false;
  t->count = 0;
}

/* Goes on from state number `i` of the order; states outside `keep` (if there is one) are left out. */
static bool tree_expand(struct tree *t, struct ut_reach *r, uint32_t i, uint32_t dst, const struct ut_field *keep) {
  struct ut_explorer *x = r->explorer;
  uint32_t state = t->order[i];
  const struct ut_row *row = ut_reach_row(r, state);
  for (unsigned j = 0; row && j < row->edges; j++) {
    if (!has(ut_row_any(x, row, j), dst))
      continue;
    uint32_t next = ut_reach_target(r, state, &row->edge[j]);
    if (next == NONE)
      return false;
    if (!keep || has(keep->mask + (size_t)next * x->words, dst))
      tree_add(t, next, state, j);
  }
  return row != NULL;
}

static void tree_start(struct tree *t, const struct ut_reach *r, uint32_t dst) {
  tree_forget(t);
  for (uint32_t src = 0; src < r->explorer->topology->terminals; src++)
    for (unsigned link = 0; src != dst && link < ut_explorer_injections(r->explorer); link++)
      for (unsigned vc = 0; vc < ut_first_layer_vcs(r->explorer->v, r->explorer->layers); vc++)
        tree_add(t, ut_reach_start(r, src, link, vc), NONE, 0);
}

static size_t depth(const struct tree *t, uint32_t state) {
  size_t d = 0;
  for (; t->parent[state] != NONE; state = t->parent[state])
    d++;
  return d;
}

/* The states from the start to `state`, which the caller frees. */
static uint32_t *path_to(const struct tree *t, uint32_t state, size_t *length) {
  *length = depth(t, state) + 1;
  uint32_t *path = malloc(*length * sizeof *path);
  for (size_t i = *length; path && i-- > 0; state = t->parent[state])
    path[i] = state;
  return path;
}

/* Steps along a path; the last one is left to the caller. */
static bool append(struct ut_counter_example *c, struct ut_reach *r, const struct tree *t, const uint32_t *path,
                   size_t length, uint32_t dst) {
  struct ut_step *larger = realloc(c->step, (c->steps + length) * sizeof *larger);
  if (!larger)
    return false;
  c->step = larger;
  for (size_t i = 0; i + 1 < length; i++) {
    const struct ut_row *row = ut_reach_row(r, path[i]);
    if (!row)
      return false;
    struct ut_edge edge = row->edge[t->edge[path[i + 1]]];
    fill_step(r, path[i], dst, &edge, 0, &c->step[c->steps++]);
  }
  return true;
}

static uint32_t source_of(const struct ut_reach *r, uint32_t state) {
  const struct ut_channel *c = &r->explorer->channel[ut_reach_channel(r, state)];
  return ut_explorer_feeder(r->explorer, c->sw, c->port).index;
}

/* Shortest walk to a state where `which` (of a row) has the destination. */
static bool find_end(struct ut_counter_example *c, struct ut_reach *r, struct tree *t, unsigned which,
                     const uint64_t *among) {
  struct ut_explorer *x = r->explorer;
  size_t best = 0;
  for (uint32_t dst = 0; dst < x->topology->terminals; dst++) {
    if (!has(among, dst))
      continue;
    tree_start(t, r, dst);
    for (uint32_t i = 0; i < t->count; i++) {
      uint32_t state = t->order[i];
      const struct ut_row *row = ut_reach_row(r, state);
      if (!row)
        return false;
      if (!has(row->mask + which * x->words, dst)) {
        if (!tree_expand(t, r, i, dst, NULL))
          return false;
        continue;
      }
      size_t length;
      uint32_t *path = path_to(t, state, &length);
      if (path && (!best || length < best)) {
        best = length;
        c->steps = 0;
        c->src = source_of(r, path[0]);
        c->dst = dst;
        bool good = append(c, r, t, path, length, dst);
        if (good)
          fill_step(r, state, dst, NULL, which, &c->step[c->steps++]);
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

/* Shortest way back to `from` within field a; its length in hops, 0: there is none. */
static size_t way_back(struct ut_reach *r, struct tree *t, uint32_t from, uint32_t dst, uint32_t *last,
                       uint32_t *last_edge) {
  struct ut_explorer *x = r->explorer;
  tree_forget(t);
  tree_add(t, from, NONE, 0);
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t state = t->order[i];
    const struct ut_row *row = ut_reach_row(r, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (has(ut_row_any(x, row, j), dst) && ut_reach_target(r, state, &row->edge[j]) == from) {
        *last = state;
        *last_edge = j;
        return depth(t, state) + 1;
      }
    if (!tree_expand(t, r, i, dst, &r->a))
      return 0;
  }
  return 0;
}

/* Shortest walk into a loop and once round it.  Field a of the reach holds what can go on for ever. */
static bool find_loop(struct ut_counter_example *c, struct ut_reach *r, struct tree *t, struct tree *round) {
  struct ut_explorer *x = r->explorer;
  size_t best = 0;
  for (uint32_t dst = 0; dst < x->topology->terminals; dst++) {
    if (!has(r->looping, dst))
      continue;
    tree_start(t, r, dst);
    for (uint32_t i = 0; i < t->count; i++) {
      uint32_t state = t->order[i], last, last_edge;
      if (!tree_expand(t, r, i, dst, NULL))
        return false;
      if (!has(r->a.mask + (size_t)state * x->words, dst))
        continue;
      size_t into = depth(t, state);
      if (best && into + 2 >= best)
        break; /* deeper ones are no shorter */
      size_t length = way_back(r, round, state, dst, &last, &last_edge);
      if (!length || (best && into + length >= best))
        continue;
      best = into + length;
      size_t n;
      c->steps = 0;
      c->dst = dst;
      uint32_t *path = path_to(t, state, &n);
      bool good = path && append(c, r, t, path, n, dst);
      if (good)
        c->src = source_of(r, path[0]);
      c->back_to = c->steps;
      free(path);
      path = good ? path_to(round, last, &n) : NULL;
      good = path && append(c, r, round, path, n, dst);
      free(path);
      if (!good)
        return false;
      const struct ut_row *row = ut_reach_row(r, last);
      if (!row)
        return false;
      struct ut_edge edge = row->edge[last_edge];
      fill_step(r, last, dst, &edge, 0, &c->step[c->steps++]);
    }
  }
  return best > 0;
}

/* ---- cycles of channels */

/* A source whose packets to `dst` can get into that state. */
static uint32_t some_source(struct ut_reach *r, struct tree *t, uint32_t state, uint32_t dst) {
  tree_start(t, r, dst);
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->order[i] == state) {
      while (t->parent[state] != NONE)
        state = t->parent[state];
      return source_of(r, state);
    }
    if (!tree_expand(t, r, i, dst, NULL))
      break;
  }
  return dst;
}

/* A packet in `channel` that may go to channel `to`; with `among`, one all of whose candidates are marked there, with
 * as few candidates as possible. */
static bool find_packet(struct ut_reach *r, struct tree *t, uint32_t channel, uint32_t to, const bool *among,
                        struct ut_step *step) {
  struct ut_explorer *x = r->explorer;
  unsigned best = 0;
  uint32_t best_state = 0;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i];
    if (ut_reach_channel(r, state) != channel)
      continue;
    const struct ut_row *row = ut_reach_row(r, state);
    if (!row)
      return false;
    for (uint32_t dst = 0; dst < x->topology->terminals; dst++) {
      if (!has(r->reached.mask + (size_t)state * x->words, dst) ||
          (among && has(row->mask + UT_ROW_DELIVERED * x->words, dst)))
        continue;
      unsigned candidates = 0, outside = 0;
      const struct ut_edge *edge = NULL;
      for (unsigned j = 0; j < row->edges; j++) {
        if (!has(among ? ut_row_all(x, row, j) : ut_row_any(x, row, j), dst))
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
      fill_step(r, state, dst, &copy, 0, step);
      if (among) { /* with the vector that leaves the fewest candidates */
        struct ut_route_result result;
        step->vector = step->own | x->shared[step->sw];
        ut_explorer_ask(x, channel, dst, step->rt, step->vector, &result);
        memcpy(step->cand, result.cand, sizeof step->cand);
      }
    }
  }
  step->src = some_source(r, t, best_state, step->dst);
  return best > 0;
}

/* Of cycles of channels: packets among those all of whose candidates are marked, if there is `among`. */
struct waiting {
  struct ut_by_sets *own;
  struct tree *tree;
  const bool *among;
};

static bool find_waiting(void *ctx, uint32_t from, uint32_t to, struct ut_step *step) {
  const struct waiting *w = ctx;
  return find_packet(&w->own->reach, w->tree, from, to, w->among, step);
}

/* The set of channels that the packets in the cycle and, in turn, in the channels they may go to, wait for. */
static bool close_set(struct ut_counter_example *c, const struct waiting *w, const uint32_t *cycle, size_t length) {
  struct ut_explorer *x = w->own->reach.explorer;
  uint32_t *list = calloc(x->channels, sizeof *list);
  bool *in = calloc(x->channels, sizeof *in);
  size_t count = 0;
  bool good = list && in;
  for (size_t i = 0; good && i < length; i++) {
    in[cycle[i]] = true;
    list[count++] = cycle[i];
  }
  c->more = good ? calloc(x->channels, sizeof *c->more) : NULL;
  good = good && c->more;
  for (size_t i = 0; good && i < count; i++) {
    struct ut_step *step = i < length ? &c->step[i] : &c->more[c->mores];
    if (i >= length) {
      good = find_packet(&w->own->reach, w->tree, list[i], NONE, w->among, step);
      c->mores += good;
    }
    for (unsigned v = 0; good && v < x->v; v++)
      UT_FOR_EACH (port, step->cand[v]) {
        uint32_t next = ut_channel_behind(x, step->sw, port, v);
        if (next != NONE && !in[next]) {
          in[next] = true;
          list[count++] = next;
        }
      }
  }
  c->waiting = count;
  free(list);
  free(in);
  return good;
}

static bool find_cycle(struct ut_counter_example *c, struct ut_by_sets *own, struct tree *t) {
  struct ut_dependencies *d = &own->dependencies;
  struct waiting w = {own, t, NULL};
  uint32_t *cycle;
  if (!ut_dependencies_cycle(d))
    return false;
  if (own->reach.explorer->group[0].shape.switching != UT_WORMHOLE) {
    if (!ut_dependencies_waiting(d))
      return false;
    w.among = d->waiting;
    ut_dependencies_waiting_arcs(d, w.among);
  }
  size_t length = ut_dependencies_shortest_cycle(d, w.among, &cycle);
  bool good = ut_counter_example_cycle(c, cycle, length, find_waiting, &w);
  if (good && w.among)
    good = close_set(c, &w, cycle, length);
  free(cycle);
  return good;
}

static bool find_falling(struct ut_counter_example *c, struct ut_by_sets *own, struct tree *t) {
  uint32_t from, to;
  ut_dependencies_cycle(&own->dependencies);
  if (!ut_dependencies_falling(&own->dependencies, &from, &to))
    return false;
  c->step = calloc(1, sizeof *c->step);
  if (!c->step || !find_packet(&own->reach, t, from, to, NULL, &c->step[0]))
    return false;
  c->steps = 1;
  c->src = c->step[0].src;
  c->dst = c->step[0].dst;
  c->number[0] = ut_channel_number(own->reach.explorer, from);
  c->number[1] = ut_channel_number(own->reach.explorer, to);
  return true;
}

/* ---- */

bool ut_example_by_sets(struct ut_prover *p, struct ut_counter_example *c) {
  struct ut_by_sets *own = p->own;
  struct ut_reach *r = &own->reach;
  struct tree t, round;
  bool good = tree_init(&t, r->room);
  good = tree_init(&round, r->room) && good;
  if (good)
    switch (c->kind) {
    case UT_FAILURE_DISCARD: good = find_end(c, r, &t, UT_ROW_DISCARDED, r->discarded); break;
    case UT_FAILURE_WRONG: good = find_end(c, r, &t, UT_ROW_WRONG, r->wrong); break;
    case UT_FAILURE_LOOP: good = find_loop(c, r, &t, &round); break;
    case UT_FAILURE_CYCLE: good = find_cycle(c, own, &t); break;
    case UT_FAILURE_NUMBERING: good = find_falling(c, own, &t); break;
    default: good = false; break;
    }
  tree_free(&t);
  tree_free(&round);
  return good;
}
