/* SPDX-License-Identifier: Apache-2.0 */
/* torus_tolerance.c - see torus_tolerance.h */
#include "torus_tolerance.h"

#include <stdlib.h>
#include <string.h>

#include "combinations.h"
#include "route_lists.h"
#include "symmetry.h"

enum { WORD = 64, PREFIX = 3, PATIENCE = 64 };
enum { DEAD = UT_PLAN_NONE, APART = UT_PLAN_SEPARATED }; /* classes without a route */

/* ---- what is asked for */

unsigned ut_torus_links(const struct ut_grid *g, enum ut_fault_model model, uint32_t *link) {
  unsigned n = 0;
  for (uint32_t l = 0; l < g->links; l++) {
    bool in = model == UT_MODEL_EXHAUSTIVE || model == UT_MODEL_SAMPLED;
    for (unsigned i = 0; i < 2 && !in; i++)
      in = ut_grid_distance(g, 0, g->end[l][i] / g->directions) == 1;
    if (in)
      link[n++] = l;
  }
  return n;
}

static bool sampled(const struct ut_torus_request *r) {
  return r->model == UT_MODEL_SAMPLED || r->model == UT_MODEL_REGION_SAMPLED;
}

uint64_t ut_torus_sets(const struct ut_grid *g, const struct ut_torus_request *r, unsigned faults) {
  if (sampled(r))
    return r->samples;
  uint32_t *link = malloc(g->links * sizeof *link);
  uint64_t sets = link ? ut_binomial(ut_torus_links(g, r->model, link), faults) : UINT64_MAX;
  free(link);
  return sets;
}

void ut_torus_draw(uint64_t seed, unsigned faults, uint64_t i, unsigned links, uint32_t *chosen) {
  struct ut_random random;
  ut_random_init(&random, seed ^ (uint64_t)faults << 40 ^ (i >> 32) << 48, UT_RANDOM_SAMPLING, (uint32_t)i);
  ut_combination_draw(&random, links, faults, chosen);
}

/* Sets of that many faults that come before those which begin with `chosen`. */
static uint64_t rank(const uint32_t *chosen, unsigned beginning, unsigned faults, unsigned links) {
  uint64_t before = 0;
  unsigned next = 0;
  for (unsigned n = 0; n < beginning; n++)
    for (; next <= chosen[n]; next++)
      if (next < chosen[n])
        before += ut_binomial(links - next - 1, faults - n - 1);
  return before;
}

/* ---- the tree of fault sets */

/* The pairs of one frame.  With translations frame f has the pairs from node f, shifted so that it is node 0; else
 * there is one frame with all pairs. */
struct frame {
  ut_link_set faults; /* as seen from there */
  ut_link_set *link;  /* [links]: bit of every link */
  uint8_t *place;     /* [links]: number of that bit */
  uint64_t *users;    /* [128][words]: by bit, the pairs whose route may use the link */
};

struct route_of_pair {
  struct ut_route_list *list;
  uint32_t now;               /* route; UINT32_MAX: none */
  uint8_t class;              /* of the route */
  uint8_t list_from, list_to; /* whose list it is */
  uint8_t from, to;
};

struct change {
  uint32_t pair, route;
  uint8_t class;
};

struct tree {
  const struct ut_grid *grid;
  const struct ut_torus_request *request;
  struct ut_route_lists *lists;
  unsigned links, frames, per_frame, words; /* words: of a set of the pairs of a frame */
  uint32_t *link;                           /* [links] */
  struct frame *frame;
  struct route_of_pair *pair;   /* [frames * per_frame] */
  bool *faulty;                 /* [nodes * directions] */
  unsigned symmetries;          /* the first one keeps all in place */
  uint8_t *to;                  /* [symmetries * links]: where each link goes */
  ut_link_set *image;           /* [symmetries]: of the faults */
  int64_t now[UT_PLAN_CLASSES]; /* pairs by class */
  struct change *changed;       /* stack */
  size_t changes, room;
  uint32_t *dead; /* stack of pairs that had no route when they were last looked at */
  uint32_t deads, witness;
  struct ut_torus_tolerance *result;
  struct ut_item_source *source;
  struct ut_error *error;
  bool failed;
};

/* Whether the faults leave no path between two nodes. */
static bool separated(const struct tree *x, uint32_t from, uint32_t to) {
  const struct ut_grid *g = x->grid;
  uint32_t queue[UT_ROUTE_LISTS_NODES], tail = 1;
  ut_link_set seen = (ut_link_set)1 << from;
  queue[0] = from;
  for (uint32_t head = 0; head < tail; head++)
    for (unsigned i = 0; i < g->directions; i++) {
      uint32_t at = queue[head] * g->directions + i, next = g->next[at];
      if (next == UT_GRID_NONE || x->faulty[at] || seen >> next & 1)
        continue;
      if (next == to)
        return false;
      seen |= (ut_link_set)1 << next;
      queue[tail++] = next;
    }
  return true;
}

/* The first route that no fault meets, after the one that the newest fault met; its class. */
static unsigned advance(struct tree *x, const struct route_of_pair *p, ut_link_set faults, uint32_t *route) {
  unsigned looked_at = 0;
  uint32_t i = p->now + 1;
  for (;;) {
    const ut_link_set *links = p->list->links;
    for (uint32_t end = p->list->count; i < end; i++) {
      if (!(links[i] & faults)) {
        *route = i;
        return p->list->class[i];
      }
      if (++looked_at == PATIENCE && separated(x, p->from, p->to)) {
        *route = UINT32_MAX;
        return APART;
      }
    }
    if (p->list->complete)
      break;
    if (ut_route_list_more(x->lists, p->list_from, p->list_to, x->error)) {
      x->failed = true;
      break;
    }
  }
  *route = UINT32_MAX;
  return DEAD; /* or apart: most sets have another pair that is not */
}

static void set_faulty(struct tree *x, unsigned i, bool value) {
  x->faulty[x->grid->end[x->link[i]][0]] = x->faulty[x->grid->end[x->link[i]][1]] = value;
}

/* How many sets this one stands for, with that fault: 0 when a symmetry makes an earlier one of it. */
static unsigned weight(const struct tree *x, unsigned i) {
  ut_link_set own = x->image[0] | ut_link_bit(i);
  unsigned same = 0;
  for (unsigned s = 0; s < x->symmetries; s++) {
    ut_link_set other = x->image[s] | ut_link_bit(x->to[s * x->links + i]);
    if (other > own)
      return 0;
    same += other == own;
  }
  return x->symmetries / same;
}

/* Numbers the parts into which the faults cut the network, by node. */
static void find_parts(const struct tree *x, uint8_t *part) {
  const struct ut_grid *g = x->grid;
  uint32_t queue[UT_ROUTE_LISTS_NODES], tail = 0;
  memset(part, 0, g->nodes);
  for (uint32_t first = 0; first < g->nodes; first++) {
    if (part[first])
      continue;
    part[first] = (uint8_t)(first + 1);
    queue[tail++] = first;
    for (uint32_t head = tail - 1; head < tail; head++)
      for (unsigned i = 0; i < g->directions; i++) {
        uint32_t at = queue[head] * g->directions + i, next = g->next[at];
        if (next == UT_GRID_NONE || x->faulty[at] || part[next])
          continue;
        part[next] = (uint8_t)(first + 1);
        queue[tail++] = next;
      }
  }
}

/* Some pair has a path, but no route. */
static bool not_tolerated(struct tree *x) {
  uint8_t part[UT_ROUTE_LISTS_NODES];
  if (!x->now[DEAD])
    return false;
  if (x->witness < x->deads) { /* it was one last time */
    const struct route_of_pair *p = &x->pair[x->dead[x->witness]];
    if (!separated(x, p->from, p->to))
      return true;
  }
  find_parts(x, part);
  for (uint32_t i = 0; i < x->deads; i++)
    if (part[x->pair[x->dead[i]].from] == part[x->pair[x->dead[i]].to]) {
      x->witness = i;
      return true;
    }
  return false;
}

static void tally(struct tree *x, unsigned faults, unsigned times) {
  struct ut_torus_point *p = &x->result->point[faults];
  if (faults < x->request->faults[0])
    return;
  p->sets += times;
  if (not_tolerated(x)) {
    p->not_tolerated += times;
    return;
  }
  for (unsigned c = 0; c < DEAD; c++)
    p->pairs[c] += (uint64_t)x->now[c] * times;
  p->pairs[APART] += (uint64_t)(x->now[APART] + x->now[DEAD]) * times;
}

/* Turns the pair's membership in the users of those links. */
static void toggle(struct frame *f, unsigned words, unsigned pair, ut_link_set links) {
  uint64_t part[2] = {(uint64_t)links, (uint64_t)(links >> WORD)};
  for (unsigned half = 0; half < 2; half++)
    for (uint64_t rest = part[half]; rest; rest &= rest - 1)
      f->users[(half * WORD + (unsigned)__builtin_ctzll(rest)) * words + pair / WORD] ^= (uint64_t)1 << pair % WORD;
}

static ut_link_set links_of(const struct route_of_pair *p, uint32_t route) {
  return route == UINT32_MAX ? 0 : p->list->links[route];
}

static bool room_for_change(struct tree *x) {
  if (x->changes < x->room)
    return true;
  size_t room = 2 * x->room + 1024;
  struct change *grown = realloc(x->changed, room * sizeof *grown);
  if (!grown) {
    x->failed = true;
    return false;
  }
  x->changed = grown;
  x->room = room;
  return true;
}

/* Links that may still become faulty further down; with translations those of a frame are anywhere. */
static ut_link_set later(const struct tree *x, unsigned i) {
  return x->frames > 1 || sampled(x->request) ? ~(ut_link_set)0 : ut_link_bit(i) - 1;
}

/* Adds a fault; every pair whose route used the link gets its next one. */
static void fail_link(struct tree *x, unsigned i) {
  set_faulty(x, i, true);
  for (unsigned s = 0; s < x->symmetries; s++)
    x->image[s] |= ut_link_bit(x->to[s * x->links + i]);
  for (unsigned f = 0; f < x->frames; f++) {
    struct frame *frame = &x->frame[f];
    frame->faults |= frame->link[i];
    const uint64_t *users = frame->users + (size_t)frame->place[i] * x->words;
    for (unsigned w = 0; w < x->words; w++)
      for (uint64_t rest = users[w]; rest; rest &= rest - 1) {
        unsigned member = w * WORD + (unsigned)__builtin_ctzll(rest);
        uint32_t number = f * x->per_frame + member, route;
        struct route_of_pair *p = &x->pair[number];
        unsigned class = advance(x, p, frame->faults, &route);
        if (!room_for_change(x))
          return;
        x->changed[x->changes++] = (struct change){number, p->now, p->class};
        /* Turning bits of this link's own set in the middle of reading it is harmless: rest is a copy. */
        toggle(frame, x->words, member, (links_of(p, p->now) ^ links_of(p, route)) & later(x, i));
        x->now[p->class]--;
        x->now[class]++;
        p->now = route;
        p->class = (uint8_t) class;
        if (class == DEAD)
          x->dead[x->deads++] = number;
      }
  }
}

/* Takes back the newest fault, after which there were that many changes and dead pairs. */
static void repair_link(struct tree *x, unsigned i, size_t changes, uint32_t deads) {
  set_faulty(x, i, false);
  while (x->changes > changes) {
    const struct change *c = &x->changed[--x->changes];
    struct route_of_pair *p = &x->pair[c->pair];
    toggle(&x->frame[c->pair / x->per_frame], x->words, c->pair % x->per_frame,
           (links_of(p, p->now) ^ links_of(p, c->route)) & later(x, i));
    x->now[p->class]--;
    x->now[c->class]++;
    p->now = c->route;
    p->class = c->class;
  }
  x->deads = deads;
  for (unsigned s = 0; s < x->symmetries; s++)
    x->image[s] &= ~ut_link_bit(x->to[s * x->links + i]);
  for (unsigned f = 0; f < x->frames; f++)
    x->frame[f].faults &= ~x->frame[f].link[i];
}

/* A set that gets no further faults: nothing of it is kept. */
static void leaf(struct tree *x, unsigned i, unsigned faults, unsigned times) {
  int64_t now[UT_PLAN_CLASSES];
  uint32_t deads = x->deads;
  memcpy(now, x->now, sizeof now);
  set_faulty(x, i, true);
  for (unsigned f = 0; f < x->frames; f++) {
    const struct frame *frame = &x->frame[f];
    const uint64_t *users = frame->users + (size_t)frame->place[i] * x->words;
    for (unsigned w = 0; w < x->words; w++)
      for (uint64_t rest = users[w]; rest; rest &= rest - 1) {
        uint32_t number = f * x->per_frame + w * WORD + (unsigned)__builtin_ctzll(rest), route;
        const struct route_of_pair *p = &x->pair[number];
        unsigned class = advance(x, p, frame->faults | frame->link[i], &route);
        x->now[p->class]--;
        x->now[class]++;
        if (class == DEAD)
          x->dead[x->deads++] = number;
      }
  }
  tally(x, faults, times);
  set_faulty(x, i, false);
  x->deads = deads;
  memcpy(x->now, now, sizeof now);
}

static bool stopped(const struct tree *x) {
  return x->failed || (x->source->stop && *x->source->stop) || atomic_load(&x->source->stopped);
}

/* All sets that have the present faults and others from number `first` on. */
static void branch(struct tree *x, unsigned first, unsigned faults) {
  for (unsigned i = first; i < x->links && !stopped(x); i++) {
    unsigned times = weight(x, i);
    if (!times)
      continue;
    if (faults + 1 == x->request->faults[1]) {
      leaf(x, i, faults + 1, times);
      continue;
    }
    size_t changes = x->changes;
    uint32_t deads = x->deads;
    fail_link(x, i);
    tally(x, faults + 1, times);
    branch(x, i + 1, faults + 1);
    repair_link(x, i, changes, deads);
  }
}

/* Those faults, one after the other, from the first on; then counted, and all larger sets that begin with them. */
static void visit(struct tree *x, const uint32_t *chosen, unsigned faults, unsigned done, unsigned times, bool deeper) {
  if (done == faults) {
    tally(x, faults, times);
    if (deeper)
      branch(x, chosen[faults - 1] + 1, faults);
    return;
  }
  unsigned heavier = weight(x, chosen[done]);
  size_t changes = x->changes;
  uint32_t deads = x->deads;
  if (!heavier || x->failed)
    return;
  fail_link(x, chosen[done]);
  visit(x, chosen, faults, done + 1, heavier, deeper);
  repair_link(x, chosen[done], changes, deads);
}

/* ---- making the tree */

static void tree_free(struct tree *x) {
  if (!x)
    return;
  for (unsigned f = 0; x->frame && f < x->frames; f++) {
    free(x->frame[f].link);
    free(x->frame[f].place);
    free(x->frame[f].users);
  }
  free(x->frame);
  free(x->pair);
  free(x->faulty);
  free(x->to);
  free(x->image);
  free(x->changed);
  free(x->dead);
  free(x);
}

/* The node that n becomes when node `origin` becomes node 0. */
static uint32_t translated(const struct ut_grid *g, uint32_t n, uint32_t origin) {
  unsigned a[UT_MAX_DIMENSIONS], b[UT_MAX_DIMENSIONS];
  ut_grid_coordinates(g, n, a);
  ut_grid_coordinates(g, origin, b);
  for (unsigned d = 0; d < g->dimensions; d++)
    a[d] = (a[d] + g->size[d] - b[d]) % g->size[d];
  return ut_grid_node(g, a);
}

static bool make_frame(struct tree *x, unsigned f) {
  const struct ut_grid *g = x->grid;
  struct frame *frame = &x->frame[f];
  frame->link = calloc(x->links, sizeof *frame->link);
  frame->place = calloc(x->links, sizeof *frame->place);
  frame->users = calloc((size_t)UT_ROUTE_LISTS_LINKS * x->words, sizeof *frame->users);
  if (!frame->link || !frame->place || !frame->users)
    return false;
  for (unsigned i = 0; i < x->links; i++) {
    const uint32_t end = g->end[x->link[i]][0];
    unsigned number = i;
    if (x->frames > 1) /* all links can be faulty, in their order */
      number = g->link[translated(g, end / g->directions, f) * g->directions + end % g->directions];
    frame->link[i] = ut_link_bit(number);
    frame->place[i] = (uint8_t)(UT_ROUTE_LISTS_LINKS - 1 - number);
  }
  return true;
}

/* Those pairs, with their adaptive routes. */
static void make_pairs(struct tree *x) {
  uint32_t nodes = x->grid->nodes, n = 0;
  for (uint32_t s = 0; s < nodes; s++)
    for (uint32_t d = 0; d < nodes; d++) {
      uint32_t from = x->frames > 1 ? 0 : s, to = x->frames > 1 ? translated(x->grid, d, s) : d;
      struct ut_route_list *list = ut_route_list(x->lists, from, to);
      if (!list->links[0]) /* nor has a node itself any */
        continue;
      x->pair[n] =
          (struct route_of_pair){list, 0, UT_PLAN_ADAPTIVE, (uint8_t)from, (uint8_t)to, (uint8_t)s, (uint8_t)d};
      toggle(&x->frame[n / x->per_frame], x->words, n % x->per_frame, list->links[0]);
      n++;
    }
  x->now[UT_PLAN_ADAPTIVE] = (int64_t)nodes * nodes;
}

/* Where the symmetries take the links; samples are taken as they are. */
static bool make_symmetries(struct tree *x) {
  const struct ut_torus_request *r = x->request;
  struct ut_symmetries all;
  uint8_t *number = calloc(x->grid->links, 1); /* of a link among those that can be faulty */
  if (!number || ut_symmetries_find(&all, x->grid, r->mechanisms, r->model == UT_MODEL_REGION, x->error)) {
    free(number);
    return false;
  }
  for (unsigned i = 0; i < x->links; i++)
    number[x->link[i]] = (uint8_t)i;
  x->symmetries = sampled(r) || r->no_symmetry ? 1 : all.count;
  x->to = malloc((size_t)x->symmetries * x->links);
  x->image = calloc(x->symmetries, sizeof *x->image);
  for (unsigned s = 0; x->to && s < x->symmetries; s++)
    for (unsigned i = 0; i < x->links; i++)
      x->to[s * x->links + i] = number[all.link[(size_t)s * x->grid->links + x->link[i]]];
  ut_symmetries_free(&all);
  free(number);
  return x->to && x->image;
}

/* Pairs that faults can affect. */
static unsigned affected_pairs(const struct tree *x) {
  unsigned n = 0;
  for (uint32_t s = 0; s < x->grid->nodes; s++)
    for (uint32_t d = 0; d < x->grid->nodes; d++)
      n += ut_route_list(x->lists, s, d)->links[0] != 0;
  return n;
}

static struct tree *tree_new(const struct ut_grid *g, const struct ut_torus_request *r, struct ut_route_lists *lists,
                             uint32_t *link, unsigned links, struct ut_torus_tolerance *result, struct ut_error *e) {
  struct tree *x = calloc(1, sizeof *x);
  bool ok = x;
  if (ok) {
    bool translations = g->wrap && links == g->links;
    *x = (struct tree){.grid = g, .request = r, .lists = lists, .links = links, .link = link, .result = result};
    x->error = e;
    x->frames = translations ? g->nodes : 1;
    x->per_frame = translations ? g->nodes - 1 : affected_pairs(x);
    x->words = (x->per_frame + WORD - 1) / WORD;
    x->frame = calloc(x->frames, sizeof *x->frame);
    x->pair = calloc((size_t)x->frames * x->per_frame, sizeof *x->pair);
    x->dead = calloc((size_t)x->frames * x->per_frame, sizeof *x->dead);
    x->faulty = calloc((size_t)g->nodes * g->directions, sizeof *x->faulty);
    ok = x->frame && x->pair && x->dead && x->faulty && make_symmetries(x);
    for (unsigned f = 0; ok && f < x->frames; f++)
      ok = make_frame(x, f);
  }
  if (!ok) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
    tree_free(x);
    return NULL;
  }
  make_pairs(x);
  return x;
}

/* ---- the run */

struct job {
  const struct ut_grid *grid;
  const struct ut_torus_request *request;
  const struct ut_parallel *parallel;
  struct ut_route_lists *lists; /* NULL: the planner for every set */
  uint32_t *link;
  unsigned links;
  uint64_t first[UT_TORUS_MAX_FAULTS + 2]; /* by number of faults: its first item */
};

/* Fault set of an item: the set itself, or the beginning of sets. */
static unsigned chosen_by(const struct job *job, uint64_t item, uint32_t *chosen) {
  unsigned faults = 0;
  while (job->first[faults + 1] <= item)
    faults++;
  if (sampled(job->request))
    ut_torus_draw(job->request->seed, faults, item - job->first[faults], job->links, chosen);
  else
    ut_combination_get(item - job->first[faults], job->links, faults, chosen);
  return faults;
}

static int work_on_tree(const struct job *job, struct ut_item_source *source, struct ut_torus_tolerance *result,
                        struct ut_error *e) {
  struct tree *x = tree_new(job->grid, job->request, job->lists, job->link, job->links, result, e);
  uint32_t chosen[UT_TORUS_MAX_FAULTS], most = job->request->faults[1];
  uint64_t from, to;
  if (!x)
    return -1;
  x->source = source;
  while (!x->failed && ut_item_source_take(source, &from, &to))
    for (uint64_t item = from; item < to && !stopped(x); item++) {
      unsigned faults = chosen_by(job, item, chosen);
      visit(x, chosen, faults, 0, 1, !sampled(job->request) && faults == PREFIX && faults < most);
    }
  int status = x->failed ? ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis") : 0;
  tree_free(x);
  return status;
}

static int work_with_planner(const struct job *job, struct ut_item_source *source, struct ut_torus_tolerance *result,
                             struct ut_error *e) {
  struct ut_plan *plan = ut_plan_new(job->grid, job->request->mechanisms, e);
  uint32_t chosen[UT_TORUS_MAX_FAULTS];
  uint64_t from, to;
  if (!plan)
    return -1;
  while (ut_item_source_take(source, &from, &to))
    for (uint64_t item = from; item < to && !ut_item_source_stopped(source); item++) {
      struct ut_plan_counts counts;
      uint32_t fault[UT_TORUS_MAX_FAULTS];
      unsigned faults = chosen_by(job, item, chosen);
      for (unsigned i = 0; i < faults; i++)
        fault[i] = job->link[chosen[i]];
      ut_plan_set_faults(plan, fault, faults);
      struct ut_torus_point *p = &result->point[faults];
      p->sets++;
      if (ut_plan_count(plan, &counts))
        for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
          p->pairs[c] += counts.pairs[c];
      else
        p->not_tolerated++;
    }
  ut_plan_free(plan);
  return 0;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  return (job->lists ? work_on_tree : work_with_planner)(job, source, result, e);
}

/* Progress in fault sets: a beginning has as many as there are ways to go on. */
static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  uint32_t chosen[UT_TORUS_MAX_FAULTS];
  uint64_t sets = done, all = items;
  if (!job->parallel->progress)
    return;
  unsigned beginning = done < items ? chosen_by(job, done, chosen) : 0;
  for (unsigned f = PREFIX + 1; job->lists && !sampled(job->request) && f <= job->request->faults[1]; f++) {
    uint64_t of_these = ut_torus_sets(job->grid, job->request, f);
    all += of_these;
    if (done >= items)
      sets += of_these;
    else if (beginning == PREFIX)
      sets += rank(chosen, beginning, f, job->links);
  }
  job->parallel->progress(job->parallel->ctx, sets, all);
}

static int check(const struct ut_grid *g, const struct ut_torus_request *r, unsigned links, struct ut_error *e) {
  static const uint64_t most_sets = (uint64_t)1 << 50;
  if (!g->wrap && (r->model == UT_MODEL_REGION || r->model == UT_MODEL_REGION_SAMPLED))
    return ut_fail(e, UT_BAD_INPUT,
                   "the distance-1 region is one of a torus, whose nodes are all alike; this is a mesh: use the "
                   "exhaustive or the sampled model");
  if (r->faults[1] > links || r->faults[1] > UT_TORUS_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT, "%u faults: the model has %u links, and at most %d faults are examined",
                   r->faults[1], links, UT_TORUS_MAX_FAULTS);
  for (unsigned f = r->faults[0]; f <= r->faults[1]; f++)
    if (ut_torus_sets(g, r, f) > most_sets)
      return ut_fail(e, UT_BAD_INPUT, "there are too many sets of %u faults in %u links to try all; use samples", f,
                     links);
  return 0;
}

/* Numbers the items: samples or, for the planner, sets of the wanted sizes; else all sets of up to PREFIX faults. */
static uint64_t number_items(struct job *job) {
  const struct ut_torus_request *r = job->request;
  uint64_t items = 0;
  for (unsigned f = 0; f <= UT_TORUS_MAX_FAULTS; f++) {
    bool tree = job->lists && !sampled(r), wanted = f >= (tree ? 0 : r->faults[0]) && f <= r->faults[1];
    job->first[f] = items;
    if (wanted && !(tree && f > PREFIX))
      items += ut_torus_sets(job->grid, r, f);
  }
  job->first[UT_TORUS_MAX_FAULTS + 1] = items;
  return items;
}

static void merge(struct ut_torus_tolerance *sum, const struct ut_torus_tolerance *part) {
  for (unsigned f = 0; f <= UT_TORUS_MAX_FAULTS; f++) {
    sum->point[f].sets += part->point[f].sets;
    sum->point[f].not_tolerated += part->point[f].not_tolerated;
    for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
      sum->point[f].pairs[c] += part->point[f].pairs[c];
  }
}

static int run_job(struct job *job, struct ut_torus_tolerance *result, struct ut_error *e) {
  struct ut_parallel p = {.workers = job->parallel->workers,
                          .items = number_items(job),
                          .chunk = 8,
                          .result_size = sizeof *result,
                          .stop = job->parallel->stop,
                          .progress = show,
                          .ctx = job};
  unsigned workers = ut_parallel_workers(&p);
  struct ut_torus_tolerance *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&p, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    merge(result, &part[i]);
  free(part);
  return status;
}

int ut_torus_tolerance_run(const struct ut_grid *g, const struct ut_torus_request *r,
                           const struct ut_parallel *parallel, struct ut_torus_tolerance *result, struct ut_error *e) {
  struct job job = {.grid = g, .request = r, .parallel = parallel};
  memset(result, 0, sizeof *result);
  job.link = malloc(g->links * sizeof *job.link);
  if (!job.link)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u links", (unsigned)g->links);
  job.links = ut_torus_links(g, r->model, job.link);
  int status = check(g, r, job.links, e);
  if (!status && !r->no_lists && g->nodes <= UT_ROUTE_LISTS_NODES && job.links <= UT_ROUTE_LISTS_LINKS) {
    job.lists = ut_route_lists_new(g, r->mechanisms, job.link, job.links, e);
    status = job.lists ? 0 : -1;
  }
  if (!status)
    status = run_job(&job, result, e);
  ut_route_lists_free(job.lists);
  free(job.link);
  return status;
}
