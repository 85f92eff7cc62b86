/* counter_example.c - see counter_example.h */
#include "counter_example.h"

#include <stdio.h>
#include <string.h>

#include "drawing.h"
#include "journey.h"
#include "route_unit.h"

enum { NONE = UINT32_MAX };

void ut_counter_example_free(struct ut_counter_example *c) {
  free(c->step);
  free(c->more);
  c->step = c->more = NULL;
  c->steps = c->mores = 0;
}

static bool has(const uint64_t *mask, uint32_t dst) {
  return mask[dst / 64] >> dst % 64 & 1;
}

/* ---- one step in words of the switch */

/* The smallest vector with which the packet takes that output VC (edge NULL: with which it is discarded, or delivered).
 */
static void fill_step(struct ut_reach *r, uint32_t state, uint32_t dst, const struct ut_edge *edge,
                      struct ut_step *step) {
  struct ut_world *w = r->world;
  uint32_t channel = ut_reach_channel(r, state);
  const struct ut_channel *c = &w->channel[channel];
  ut_mask own = ut_reach_own_bits(r, state), shared = w->shared[c->sw] & ~own;
  *step = (struct ut_step){.sw = c->sw,
                           .rt = w->rt_value[ut_reach_rt(r, state)],
                           .in_port = c->port,
                           .in_vc = c->vc,
                           .from_above = c->from_above,
                           .own = own,
                           .vector = own,
                           .dst = dst};
  int fewest = -1;
  for (ut_mask more = 0;; more = (more - shared) & shared) {
    struct ut_route_result result;
    ut_mask some = 0;
    ut_world_ask(w, channel, dst, step->rt, own | more, &result);
    for (unsigned v = 0; v < w->v; v++)
      some |= result.cand[v];
    bool discarded = result.discard || !some;
    bool fits = edge ? !discarded && result.cand[edge->vc] & ut_bit(edge->port) && result.set == edge->set &&
                           result.rt == w->rt_value[edge->rt]
                     : discarded;
    int bits = __builtin_popcount(more);
    if (fits && (fewest < 0 || bits < fewest)) {
      fewest = bits;
      step->vector = own | more;
      memcpy(step->cand, result.cand, sizeof step->cand);
    }
    if (more == shared)
      break;
  }
  if (edge) {
    step->leaves = true;
    step->out_port = edge->port;
    step->out_vc = edge->vc;
    step->u_turn = edge->u_turn;
  }
}

/* The last step of a packet that arrives at a terminal. */
static void fill_last(struct ut_reach *r, uint32_t state, uint32_t dst, struct ut_step *step) {
  fill_step(r, state, dst, NULL, step);
  struct ut_route_result result;
  ut_world_ask(r->world, ut_reach_channel(r, state), dst, step->rt, step->vector, &result);
  memcpy(step->cand, result.cand, sizeof step->cand);
  for (unsigned v = 0; v < r->world->v; v++)
    if (result.cand[v]) {
      step->leaves = true;
      step->out_port = (uint8_t)ut_first(result.cand[v]);
      step->out_vc = (uint8_t)v;
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
  struct ut_world *w = r->world;
  uint32_t state = t->order[i];
  const struct ut_row *row = ut_reach_row(r, state);
  for (unsigned j = 0; row && j < row->edges; j++) {
    if (!has(ut_row_any(w, row, j), dst))
      continue;
    uint32_t next = ut_reach_target(r, state, &row->edge[j]);
    if (next == NONE)
      return false;
    if (!keep || has(keep->mask + (size_t)next * w->words, dst))
      tree_add(t, next, state, j);
  }
  return row != NULL;
}

static void tree_start(struct tree *t, const struct ut_reach *r, uint32_t dst) {
  tree_forget(t);
  for (uint32_t src = 0; src < r->world->topology->terminals; src++)
    for (unsigned vc = 0; src != dst && vc <= r->world->v - r->world->layers; vc++)
      tree_add(t, ut_reach_start(r, src, vc), NONE, 0);
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
    fill_step(r, path[i], dst, &edge, &c->step[c->steps++]);
  }
  return true;
}

static uint32_t source_of(const struct ut_reach *r, uint32_t state) {
  const struct ut_channel *c = &r->world->channel[ut_reach_channel(r, state)];
  return ut_topology_source(r->world->topology, c->sw, c->port).index;
}

/* Shortest walk to a state where `which` (of a row) has the destination. */
static bool find_end(struct ut_counter_example *c, struct ut_reach *r, struct tree *t, unsigned which,
                     const uint64_t *among) {
  struct ut_world *w = r->world;
  size_t best = 0;
  for (uint32_t dst = 0; dst < w->topology->terminals; dst++) {
    if (!has(among, dst))
      continue;
    tree_start(t, r, dst);
    for (uint32_t i = 0; i < t->count; i++) {
      uint32_t state = t->order[i];
      const struct ut_row *row = ut_reach_row(r, state);
      if (!row)
        return false;
      if (!has(row->mask + which * w->words, dst)) {
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
        if (good && which == UT_ROW_DISCARDED)
          fill_step(r, state, dst, NULL, &c->step[c->steps++]);
        else if (good)
          fill_last(r, state, dst, &c->step[c->steps++]);
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
  struct ut_world *w = r->world;
  tree_forget(t);
  tree_add(t, from, NONE, 0);
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t state = t->order[i];
    const struct ut_row *row = ut_reach_row(r, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (has(ut_row_any(w, row, j), dst) && ut_reach_target(r, state, &row->edge[j]) == from) {
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
  struct ut_world *w = r->world;
  size_t best = 0;
  for (uint32_t dst = 0; dst < w->topology->terminals; dst++) {
    if (!has(r->looping, dst))
      continue;
    tree_start(t, r, dst);
    for (uint32_t i = 0; i < t->count; i++) {
      uint32_t state = t->order[i], last, last_edge;
      if (!tree_expand(t, r, i, dst, NULL))
        return false;
      if (!has(r->a.mask + (size_t)state * w->words, dst))
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
      fill_step(r, last, dst, &edge, &c->step[c->steps++]);
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
  struct ut_world *w = r->world;
  unsigned best = 0;
  uint32_t best_state = 0;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i];
    if (ut_reach_channel(r, state) != channel)
      continue;
    const struct ut_row *row = ut_reach_row(r, state);
    if (!row)
      return false;
    for (uint32_t dst = 0; dst < w->topology->terminals; dst++) {
      if (!has(r->reached.mask + (size_t)state * w->words, dst) ||
          (among && has(row->mask + UT_ROW_DELIVERED * w->words, dst)))
        continue;
      unsigned candidates = 0, outside = 0;
      const struct ut_edge *edge = NULL;
      for (unsigned j = 0; j < row->edges; j++) {
        if (!has(among ? ut_row_all(w, row, j) : ut_row_any(w, row, j), dst))
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
      fill_step(r, state, dst, &copy, step);
      if (among) { /* with the vector that leaves the fewest candidates */
        struct ut_route_result result;
        step->vector = step->own | w->shared[step->sw];
        ut_world_ask(w, channel, dst, step->rt, step->vector, &result);
        memcpy(step->cand, result.cand, sizeof step->cand);
      }
    }
  }
  if (best)
    step->src = some_source(r, t, best_state, step->dst);
  return best > 0;
}

/* The set of channels that the packets in the cycle and, in turn, in the channels they may go to, wait for. */
static bool close_set(struct ut_counter_example *c, struct ut_prover *p, struct tree *t, const bool *among,
                      const uint32_t *cycle, size_t length) {
  struct ut_world *w = &p->world;
  uint32_t *list = calloc(w->channels, sizeof *list);
  bool *in = calloc(w->channels, sizeof *in);
  size_t count = 0;
  bool good = list && in;
  for (size_t i = 0; good && i < length; i++) {
    in[cycle[i]] = true;
    list[count++] = cycle[i];
  }
  c->more = good ? calloc(w->channels, sizeof *c->more) : NULL;
  good = good && c->more;
  for (size_t i = 0; good && i < count; i++) {
    struct ut_step *step = i < length ? &c->step[i] : &c->more[c->mores];
    if (i >= length) {
      good = find_packet(&p->reach, t, list[i], NONE, among, step);
      c->mores += good;
    }
    for (unsigned v = 0; good && v < w->v; v++)
      UT_FOR_EACH(port, step->cand[v]) {
        uint32_t next = ut_channel_behind(w, step->sw, port, v);
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

static bool find_cycle(struct ut_counter_example *c, struct ut_prover *p, struct tree *t) {
  struct ut_dependencies *d = &p->dependencies;
  bool wormhole = p->world.group.shape.switching == UT_WORMHOLE;
  const bool *among = NULL;
  uint32_t *cycle;
  if (!ut_dependencies_cycle(d))
    return false;
  if (!wormhole) {
    if (!ut_dependencies_waiting(d))
      return false;
    among = d->waiting;
    ut_dependencies_waiting_arcs(d, among);
  }
  size_t length = ut_dependencies_shortest_cycle(d, among, &cycle);
  c->step = length ? calloc(length, sizeof *c->step) : NULL;
  bool good = c->step != NULL;
  for (size_t i = 0; good && i < length; i++)
    good = find_packet(&p->reach, t, cycle[i], cycle[(i + 1) % length], among, &c->step[i]);
  c->steps = good ? length : 0;
  if (good && among)
    good = close_set(c, p, t, among, cycle, length);
  free(cycle);
  return good;
}

static bool find_falling(struct ut_counter_example *c, struct ut_prover *p, struct tree *t) {
  uint32_t from, to;
  ut_dependencies_cycle(&p->dependencies);
  if (!ut_dependencies_falling(&p->dependencies, &from, &to))
    return false;
  c->step = calloc(2, sizeof *c->step);
  if (!c->step || !find_packet(&p->reach, t, from, to, NULL, &c->step[0]))
    return false;
  c->steps = 1;
  c->src = c->step[0].src;
  c->dst = c->step[0].dst;
  return true;
}

/* ---- */

static bool find_in_tree(struct ut_counter_example *c, struct ut_prover *p) {
  ut_world_trim(&p->world);
  ut_world_set_faults(&p->world, &c->set);
  if (ut_reach_run(&p->reach) || ut_reach_run_shared(&p->reach))
    return false;
  struct tree t, round;
  bool good = tree_init(&t, p->reach.room);
  good = tree_init(&round, p->reach.room) && good;
  if (good)
    switch (c->kind) {
    case UT_FAILURE_DISCARD: good = find_end(c, &p->reach, &t, UT_ROW_DISCARDED, p->reach.discarded); break;
    case UT_FAILURE_WRONG: good = find_end(c, &p->reach, &t, UT_ROW_WRONG, p->reach.wrong); break;
    case UT_FAILURE_LOOP: good = find_loop(c, &p->reach, &t, &round); break;
    case UT_FAILURE_CYCLE: good = find_cycle(c, p, &t); break;
    default: good = find_falling(c, p, &t); break;
    }
  tree_free(&t);
  tree_free(&round);
  return good;
}

int ut_counter_example_find(struct ut_counter_example *c, struct ut_prover *p, const struct ut_fault_space *space,
                            uint64_t index, enum ut_failure kind, struct ut_error *e) {
  *c = (struct ut_counter_example){.kind = kind, .index = index};
  ut_fault_space_get(space, index, &c->set);
  bool good = p->world.direct ? ut_counter_example_find_direct(c, p, e) : find_in_tree(c, p);
  if (good)
    return 0;
  ut_counter_example_free(c);
  if (p->world.bad_memory)
    return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
  return ut_fail(e, UT_INTERNAL, "fault set %llu: no %s is found the second time", (unsigned long long)index,
                 ut_failure_name[kind]);
}

unsigned ut_counter_example_hops(const struct ut_counter_example *c, const struct ut_topology *t) {
  unsigned hops = 0;
  for (size_t i = 0; i < c->steps; i++)
    hops += c->step[i].leaves && t->peer[(size_t)c->step[i].sw * t->po + c->step[i].out_port].kind == UT_PEER_SWITCH;
  return hops;
}

const char *ut_counter_example_title(enum ut_failure kind) {
  static const char *const title[UT_FAILURES] = {"a packet is discarded",
                                                 "a packet arrives at the wrong terminal",
                                                 "a packet goes round for ever",
                                                 "channels wait for each other",
                                                 "a hop to a channel without a higher number",
                                                 "a packet is offered no escape channel",
                                                 "the bubble rule is asked of the wrong candidates",
                                                 "no route could be planned for a pair that has a path"};
  return title[kind];
}

/* The fault set as the drawing wants it; NULL: out of memory. */
static struct ut_outage *outages_of(const struct ut_fault_set *set, const struct ut_topology *t) {
  struct ut_outage *list = calloc(set->links + set->switches + 1, sizeof *list);
  for (unsigned i = 0; list && i < set->links; i++) {
    const struct ut_link *l = &t->link[set->link[i]];
    list[i] = (struct ut_outage){.until = UINT64_MAX,
                                 .sw = l->lower,
                                 .port = l->lower_port,
                                 .channel = l->lower * t->po + l->lower_port,
                                 .kind = UT_FAULT_LINK,
                                 .both = t->bidirectional};
  }
  for (unsigned i = 0; list && i < set->switches; i++)
    list[set->links + i] = (struct ut_outage){.until = UINT64_MAX, .sw = set->sw[i], .kind = UT_FAULT_SWITCH};
  return list;
}

int ut_counter_example_draw(const struct ut_counter_example *c, const struct ut_world *w, const char *path,
                            struct ut_error *e) {
  char caption[512], vector[UT_MAX_PORTS + 1];
  struct ut_drawn_hop *hop = calloc(c->steps + c->mores + 1, sizeof *hop);
  struct ut_outage *outage = outages_of(&c->set, w->topology);
  if (!hop || !outage) {
    free(hop);
    free(outage);
    return ut_fail(e, UT_INTERNAL, "out of memory for the drawing");
  }
  bool cycle = c->kind == UT_FAILURE_CYCLE;
  struct ut_drawing d = {.topology = w->topology,
                         .outage = outage,
                         .outages = c->set.links + c->set.switches,
                         .hop = hop,
                         .source = cycle ? UINT32_MAX : c->src,
                         .destination = cycle ? UINT32_MAX : c->dst,
                         .injected = !cycle && c->kind != UT_FAILURE_NUMBERING,
                         .end = UINT32_MAX,
                         .end_text = c->kind == UT_FAILURE_ESCAPE   ? "no escape channel"
                                     : c->kind == UT_FAILURE_BUBBLE ? "bubble rule"
                                                                    : NULL,
                         .mark = "U-turn switch",
                         .vcs = w->v,
                         .caption = caption};
  for (size_t i = 0; i < c->steps; i++) {
    const struct ut_step *s = &c->step[i];
    if (!s->leaves) {
      d.end = s->sw;
      continue;
    }
    struct ut_drawn_hop *h = &hop[d.hops++];
    *h = (struct ut_drawn_hop){.sw = s->sw, .port = s->out_port, .vc = s->out_vc, .marked = s->u_turn};
    if (s->vector && s->u_turn)
      snprintf(h->note, sizeof h->note, "vector %s", ut_vector_text(s->vector, w->k, vector));
  }
  if (cycle)
    snprintf(caption, sizeof caption, "%s: each hop waits for the next one, the last for the first",
             ut_counter_example_title(c->kind));
  else
    snprintf(caption, sizeof caption, "%s: from terminal %u to %u%s", ut_counter_example_title(c->kind),
             (unsigned)c->src, (unsigned)c->dst, c->kind == UT_FAILURE_LOOP ? ", the last hop leads back" : "");
  if (c->kind == UT_FAILURE_LOOP)
    snprintf(caption + strlen(caption), sizeof caption - strlen(caption), " to hop %zu", c->back_to + 1);
  int status = ut_drawing_svg(&d, path, e);
  free(hop);
  free(outage);
  return status;
}
