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

/* ---- requests */

unsigned ut_torus_links(const struct ut_grid *grid, enum ut_fault_model model, uint32_t *link) {
  unsigned n = 0;
  for (uint32_t l = 0; l < grid->links; l++) {
    bool in = model == UT_MODEL_EXHAUSTIVE || model == UT_MODEL_SAMPLED;
    for (unsigned i = 0; i < 2 && !in; i++)
      in = ut_grid_distance(grid, 0, grid->end[l][i] / grid->directions) == 1;
    if (in)
      link[n++] = l;
  }
  return n;
}

static bool sampled(const struct ut_torus_request *request) {
  return request->model == UT_MODEL_SAMPLED || request->model == UT_MODEL_REGION_SAMPLED;
}

uint64_t ut_torus_sets(const struct ut_grid *grid, const struct ut_torus_request *request, unsigned faults) {
  if (sampled(request))
    return request->samples;
  uint32_t *link = malloc(grid->links * sizeof *link);
  uint64_t sets = link ? ut_binomial(ut_torus_links(grid, request->model, link), faults) : UINT64_MAX;
  free(link);
  return sets;
}

void ut_torus_draw(uint64_t seed, unsigned faults, uint64_t i, unsigned links, uint32_t *chosen) {
  struct ut_random random;
  ut_random_init(&random, seed ^ (uint64_t)faults << 40 ^ (i >> 32) << 48, UT_RANDOM_SAMPLING, (uint32_t)i);
  ut_combination_draw(&random, links, faults, chosen);
}

/* Returns the sets of that many faults that come before those which begin with `chosen`. */
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

/* Returns whether the faults leave no path between two nodes. */
static bool separated(const struct tree *tree, uint32_t from, uint32_t to) {
  const struct ut_grid *grid = tree->grid;
  uint32_t queue[UT_ROUTE_LISTS_NODES], tail = 1;
  ut_link_set seen = (ut_link_set)1 << from;
  queue[0] = from;
  for (uint32_t head = 0; head < tail; head++)
    for (unsigned i = 0; i < grid->directions; i++) {
      uint32_t at = queue[head] * grid->directions + i, next = grid->next[at];
      if (next == UT_GRID_NONE || tree->faulty[at] || seen >> next & 1)
        continue;
      if (next == to)
        return false;
      seen |= (ut_link_set)1 << next;
      queue[tail++] = next;
    }
  return true;
}

/* Finds the first route that no fault meets, after the one that the newest fault met; returns its class. */
static unsigned advance(struct tree *tree, const struct route_of_pair *pair, ut_link_set faults, uint32_t *route) {
  unsigned looked_at = 0;
  uint32_t i = pair->now + 1;
  for (;;) {
    const ut_link_set *links = pair->list->links;
    for (uint32_t end = pair->list->count; i < end; i++) {
      if (!(links[i] & faults)) {
        *route = i;
        return pair->list->class[i];
      }
      if (++looked_at == PATIENCE && separated(tree, pair->from, pair->to)) {
        *route = UINT32_MAX;
        return APART;
      }
    }
    if (pair->list->complete)
      break;
    if (ut_route_list_more(tree->lists, pair->list_from, pair->list_to, tree->error)) {
      tree->failed = true;
      break;
    }
  }
  *route = UINT32_MAX;
  return DEAD; /* or separated: most sets have another pair that is not */
}

static void set_faulty(struct tree *tree, unsigned i, bool value) {
  tree->faulty[tree->grid->end[tree->link[i]][0]] = tree->faulty[tree->grid->end[tree->link[i]][1]] = value;
}

/* Returns how many sets this one stands for, with that fault: 0 if a symmetry maps it to an earlier one. */
static unsigned weight(const struct tree *tree, unsigned i) {
  ut_link_set own = tree->image[0] | ut_link_bit(i);
  unsigned same = 0;
  for (unsigned s = 0; s < tree->symmetries; s++) {
    ut_link_set other = tree->image[s] | ut_link_bit(tree->to[s * tree->links + i]);
    if (other > own)
      return 0;
    same += other == own;
  }
  return tree->symmetries / same;
}

/* Numbers the components into which the faults cut the network, by node. */
static void find_parts(const struct tree *tree, uint8_t *part) {
  const struct ut_grid *grid = tree->grid;
  uint32_t queue[UT_ROUTE_LISTS_NODES], tail = 0;
  memset(part, 0, grid->nodes);
  for (uint32_t first = 0; first < grid->nodes; first++) {
    if (part[first])
      continue;
    part[first] = (uint8_t)(first + 1);
    queue[tail++] = first;
    for (uint32_t head = tail - 1; head < tail; head++)
      for (unsigned i = 0; i < grid->directions; i++) {
        uint32_t at = queue[head] * grid->directions + i, next = grid->next[at];
        if (next == UT_GRID_NONE || tree->faulty[at] || part[next])
          continue;
        part[next] = (uint8_t)(first + 1);
        queue[tail++] = next;
      }
  }
}

/* Returns whether some pair has a path, but no route. */
static bool not_tolerated(struct tree *tree) {
  uint8_t part[UT_ROUTE_LISTS_NODES];
  if (!tree->now[DEAD])
    return false;
  if (tree->witness < tree->deads) { /* it was one last time */
    const struct route_of_pair *pair = &tree->pair[tree->dead[tree->witness]];
    if (!separated(tree, pair->from, pair->to))
      return true;
  }
  find_parts(tree, part);
  for (uint32_t i = 0; i < tree->deads; i++)
    if (part[tree->pair[tree->dead[i]].from] == part[tree->pair[tree->dead[i]].to]) {
      tree->witness = i;
      return true;
    }
  return false;
}

static void tally(struct tree *tree, unsigned faults, unsigned times) {
  struct ut_torus_point *point = &tree->result->point[faults];
  if (faults < tree->request->faults[0])
    return;
  point->sets += times;
  if (not_tolerated(tree)) {
    point->not_tolerated += times;
    return;
  }
  for (unsigned c = 0; c < DEAD; c++)
    point->pairs[c] += (uint64_t)tree->now[c] * times;
  point->pairs[APART] += (uint64_t)(tree->now[APART] + tree->now[DEAD]) * times;
}

/* Flips the pair's membership in the users of those links. */
static void toggle(struct frame *frame, unsigned words, unsigned pair, ut_link_set links) {
  uint64_t part[2] = {(uint64_t)links, (uint64_t)(links >> WORD)};
  for (unsigned half = 0; half < 2; half++)
    for (uint64_t rest = part[half]; rest; rest &= rest - 1)
      frame->users[(half * WORD + (unsigned)__builtin_ctzll(rest)) * words + pair / WORD] ^= (uint64_t)1 << pair % WORD;
}

static ut_link_set links_of(const struct route_of_pair *pair, uint32_t route) {
  return route == UINT32_MAX ? 0 : pair->list->links[route];
}

static bool room_for_change(struct tree *tree) {
  if (tree->changes < tree->room)
    return true;
  size_t room = 2 * tree->room + 1024;
  struct change *grown = realloc(tree->changed, room * sizeof *grown);
  if (!grown) {
    tree->failed = true;
    return false;
  }
  tree->changed = grown;
  tree->room = room;
  return true;
}

/* Returns the links that may still become faulty further down; with translations those of a frame are anywhere. */
static ut_link_set later(const struct tree *tree, unsigned i) {
  return tree->frames > 1 || sampled(tree->request) ? ~(ut_link_set)0 : ut_link_bit(i) - 1;
}

/* Adds a fault; every pair whose route used the link gets its next route. */
static void fail_link(struct tree *tree, unsigned i) {
  set_faulty(tree, i, true);
  for (unsigned s = 0; s < tree->symmetries; s++)
    tree->image[s] |= ut_link_bit(tree->to[s * tree->links + i]);
  for (unsigned f = 0; f < tree->frames; f++) {
    struct frame *frame = &tree->frame[f];
    frame->faults |= frame->link[i];
    const uint64_t *users = frame->users + (size_t)frame->place[i] * tree->words;
    for (unsigned w = 0; w < tree->words; w++)
      for (uint64_t rest = users[w]; rest; rest &= rest - 1) {
        unsigned member = w * WORD + (unsigned)__builtin_ctzll(rest);
        uint32_t number = f * tree->per_frame + member, route;
        struct route_of_pair *pair = &tree->pair[number];
        unsigned class = advance(tree, pair, frame->faults, &route);
        if (!room_for_change(tree))
          return;
        tree->changed[tree->changes++] = (struct change){number, pair->now, pair->class};
        /* Flipping bits of this link's own set while it is read is harmless: rest is a copy. */
        toggle(frame, tree->words, member, (links_of(pair, pair->now) ^ links_of(pair, route)) & later(tree, i));
        tree->now[pair->class]--;
        tree->now[class]++;
        pair->now = route;
        pair->class = (uint8_t) class;
        if (class == DEAD)
          tree->dead[tree->deads++] = number;
      }
  }
}

/* Removes the newest fault; before it there were that many changes and dead pairs. */
static void repair_link(struct tree *tree, unsigned i, size_t changes, uint32_t deads) {
  set_faulty(tree, i, false);
  while (tree->changes > changes) {
    const struct change *change = &tree->changed[--tree->changes];
    struct route_of_pair *pair = &tree->pair[change->pair];
    toggle(&tree->frame[change->pair / tree->per_frame], tree->words, change->pair % tree->per_frame,
           (links_of(pair, pair->now) ^ links_of(pair, change->route)) & later(tree, i));
    tree->now[pair->class]--;
    tree->now[change->class]++;
    pair->now = change->route;
    pair->class = change->class;
  }
  tree->deads = deads;
  for (unsigned s = 0; s < tree->symmetries; s++)
    tree->image[s] &= ~ut_link_bit(tree->to[s * tree->links + i]);
  for (unsigned f = 0; f < tree->frames; f++)
    tree->frame[f].faults &= ~tree->frame[f].link[i];
}

/* Examines a set that gets no further faults: nothing of it is kept. */
static void leaf(struct tree *tree, unsigned i, unsigned faults, unsigned times) {
  int64_t now[UT_PLAN_CLASSES];
  uint32_t deads = tree->deads;
  memcpy(now, tree->now, sizeof now);
  set_faulty(tree, i, true);
  for (unsigned f = 0; f < tree->frames; f++) {
    const struct frame *frame = &tree->frame[f];
    const uint64_t *users = frame->users + (size_t)frame->place[i] * tree->words;
    for (unsigned w = 0; w < tree->words; w++)
      for (uint64_t rest = users[w]; rest; rest &= rest - 1) {
        uint32_t number = f * tree->per_frame + w * WORD + (unsigned)__builtin_ctzll(rest), route;
        const struct route_of_pair *pair = &tree->pair[number];
        unsigned class = advance(tree, pair, frame->faults | frame->link[i], &route);
        tree->now[pair->class]--;
        tree->now[class]++;
        if (class == DEAD)
          tree->dead[tree->deads++] = number;
      }
  }
  tally(tree, faults, times);
  set_faulty(tree, i, false);
  tree->deads = deads;
  memcpy(tree->now, now, sizeof now);
}

static bool stopped(const struct tree *tree) {
  return tree->failed || (tree->source->stop && *tree->source->stop) || atomic_load(&tree->source->stopped);
}

/* Examines all sets that have the present faults and others from number `first` on. */
static void branch(struct tree *tree, unsigned first, unsigned faults) {
  for (unsigned i = first; i < tree->links && !stopped(tree); i++) {
    unsigned times = weight(tree, i);
    if (!times)
      continue;
    if (faults + 1 == tree->request->faults[1]) {
      leaf(tree, i, faults + 1, times);
      continue;
    }
    size_t changes = tree->changes;
    uint32_t deads = tree->deads;
    fail_link(tree, i);
    tally(tree, faults + 1, times);
    branch(tree, i + 1, faults + 1);
    repair_link(tree, i, changes, deads);
  }
}

/* Adds those faults, one after the other; then counts the set, and all larger sets that begin with it. */
static void visit(struct tree *tree, const uint32_t *chosen, unsigned faults, unsigned done, unsigned times,
                  bool deeper) {
  if (done == faults) {
    tally(tree, faults, times);
    if (deeper)
      branch(tree, chosen[faults - 1] + 1, faults);
    return;
  }
  unsigned heavier = weight(tree, chosen[done]);
  size_t changes = tree->changes;
  uint32_t deads = tree->deads;
  if (!heavier || tree->failed)
    return;
  fail_link(tree, chosen[done]);
  visit(tree, chosen, faults, done + 1, heavier, deeper);
  repair_link(tree, chosen[done], changes, deads);
}

/* ---- making the tree */

static void tree_free(struct tree *tree) {
  if (!tree)
    return;
  for (unsigned f = 0; tree->frame && f < tree->frames; f++) {
    free(tree->frame[f].link);
    free(tree->frame[f].place);
    free(tree->frame[f].users);
  }
  free(tree->frame);
  free(tree->pair);
  free(tree->faulty);
  free(tree->to);
  free(tree->image);
  free(tree->changed);
  free(tree->dead);
  free(tree);
}

/* Returns the image of node n if node `origin` becomes node 0. */
static uint32_t translated(const struct ut_grid *grid, uint32_t n, uint32_t origin) {
  unsigned a[UT_MAX_DIMENSIONS], b[UT_MAX_DIMENSIONS];
  ut_grid_coordinates(grid, n, a);
  ut_grid_coordinates(grid, origin, b);
  for (unsigned d = 0; d < grid->dimensions; d++)
    a[d] = (a[d] + grid->size[d] - b[d]) % grid->size[d];
  return ut_grid_node(grid, a);
}

static bool make_frame(struct tree *tree, unsigned f) {
  const struct ut_grid *grid = tree->grid;
  struct frame *frame = &tree->frame[f];
  frame->link = calloc(tree->links, sizeof *frame->link);
  frame->place = calloc(tree->links, sizeof *frame->place);
  frame->users = calloc((size_t)UT_ROUTE_LISTS_LINKS * tree->words, sizeof *frame->users);
  if (!frame->link || !frame->place || !frame->users)
    return false;
  for (unsigned i = 0; i < tree->links; i++) {
    const uint32_t end = grid->end[tree->link[i]][0];
    unsigned number = i;
    if (tree->frames > 1) /* all links can be faulty, in their order */
      number = grid->link[translated(grid, end / grid->directions, f) * grid->directions + end % grid->directions];
    frame->link[i] = ut_link_bit(number);
    frame->place[i] = (uint8_t)(UT_ROUTE_LISTS_LINKS - 1 - number);
  }
  return true;
}

/* Adds those pairs, with their adaptive routes. */
static void make_pairs(struct tree *tree) {
  uint32_t nodes = tree->grid->nodes, n = 0;
  for (uint32_t s = 0; s < nodes; s++)
    for (uint32_t d = 0; d < nodes; d++) {
      uint32_t from = tree->frames > 1 ? 0 : s, to = tree->frames > 1 ? translated(tree->grid, d, s) : d;
      struct ut_route_list *list = ut_route_list(tree->lists, from, to);
      if (!list->links[0]) /* nor has a node itself any */
        continue;
      tree->pair[n] =
          (struct route_of_pair){list, 0, UT_PLAN_ADAPTIVE, (uint8_t)from, (uint8_t)to, (uint8_t)s, (uint8_t)d};
      toggle(&tree->frame[n / tree->per_frame], tree->words, n % tree->per_frame, list->links[0]);
      n++;
    }
  tree->now[UT_PLAN_ADAPTIVE] = (int64_t)nodes * nodes;
}

/* Computes the images of the links under the symmetries; samples are taken as they are. */
static bool make_symmetries(struct tree *tree) {
  const struct ut_torus_request *request = tree->request;
  struct ut_symmetries all;
  uint8_t *number = calloc(tree->grid->links, 1); /* of a link among those that can be faulty */
  if (!number ||
      ut_symmetries_find(&all, tree->grid, request->mechanisms, request->model == UT_MODEL_REGION, tree->error)) {
    free(number);
    return false;
  }
  for (unsigned i = 0; i < tree->links; i++)
    number[tree->link[i]] = (uint8_t)i;
  tree->symmetries = sampled(request) || request->no_symmetry ? 1 : all.count;
  tree->to = malloc((size_t)tree->symmetries * tree->links);
  tree->image = calloc(tree->symmetries, sizeof *tree->image);
  for (unsigned s = 0; tree->to && s < tree->symmetries; s++)
    for (unsigned i = 0; i < tree->links; i++)
      tree->to[s * tree->links + i] = number[all.link[(size_t)s * tree->grid->links + tree->link[i]]];
  ut_symmetries_free(&all);
  free(number);
  return tree->to && tree->image;
}

/* Lists the pairs that faults can affect. */
static unsigned affected_pairs(const struct tree *tree) {
  unsigned n = 0;
  for (uint32_t s = 0; s < tree->grid->nodes; s++)
    for (uint32_t d = 0; d < tree->grid->nodes; d++)
      n += ut_route_list(tree->lists, s, d)->links[0] != 0;
  return n;
}

static struct tree *tree_new(const struct ut_grid *grid, const struct ut_torus_request *request,
                             struct ut_route_lists *lists, uint32_t *link, unsigned links,
                             struct ut_torus_tolerance *result, struct ut_error *e) {
  struct tree *tree = calloc(1, sizeof *tree);
  bool ok = tree;
  if (ok) {
    bool translations = grid->wrap && links == grid->links;
    *tree =
        (struct tree){.grid = grid, .request = request, .lists = lists, .links = links, .link = link, .result = result};
    tree->error = e;
    tree->frames = translations ? grid->nodes : 1;
    tree->per_frame = translations ? grid->nodes - 1 : affected_pairs(tree);
    tree->words = (tree->per_frame + WORD - 1) / WORD;
    tree->frame = calloc(tree->frames, sizeof *tree->frame);
    tree->pair = calloc((size_t)tree->frames * tree->per_frame, sizeof *tree->pair);
    tree->dead = calloc((size_t)tree->frames * tree->per_frame, sizeof *tree->dead);
    tree->faulty = calloc((size_t)grid->nodes * grid->directions, sizeof *tree->faulty);
    ok = tree->frame && tree->pair && tree->dead && tree->faulty && make_symmetries(tree);
    for (unsigned f = 0; ok && f < tree->frames; f++)
      ok = make_frame(tree, f);
  }
  if (!ok) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
    tree_free(tree);
    return NULL;
  }
  make_pairs(tree);
  return tree;
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
  struct tree *tree = tree_new(job->grid, job->request, job->lists, job->link, job->links, result, e);
  uint32_t chosen[UT_TORUS_MAX_FAULTS], most = job->request->faults[1];
  uint64_t from, to;
  if (!tree)
    return -1;
  tree->source = source;
  while (!tree->failed && ut_item_source_take(source, &from, &to))
    for (uint64_t item = from; item < to && !stopped(tree); item++) {
      unsigned faults = chosen_by(job, item, chosen);
      visit(tree, chosen, faults, 0, 1, !sampled(job->request) && faults == PREFIX && faults < most);
    }
  int status = tree->failed ? ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis") : 0;
  tree_free(tree);
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
      struct ut_torus_point *point = &result->point[faults];
      point->sets++;
      if (ut_plan_count(plan, &counts))
        for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
          point->pairs[c] += counts.pairs[c];
      else
        point->not_tolerated++;
    }
  ut_plan_free(plan);
  return 0;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  return (job->lists ? work_on_tree : work_with_planner)(job, source, result, e);
}

/* Reports progress in fault sets: a beginning counts as many as there are ways to continue it. */
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

static int check(const struct ut_grid *grid, const struct ut_torus_request *request, unsigned links,
                 struct ut_error *e) {
  static const uint64_t most_sets = (uint64_t)1 << 50;
  if (!grid->wrap && (request->model == UT_MODEL_REGION || request->model == UT_MODEL_REGION_SAMPLED))
    return ut_fail(e, UT_BAD_INPUT,
                   "the distance-1 region is one of a torus, whose nodes are all alike; this is a mesh: use the "
                   "exhaustive or the sampled model");
  if (request->faults[1] > links || request->faults[1] > UT_TORUS_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT, "%u faults: the model has %u links, and at most %d faults are examined",
                   request->faults[1], links, UT_TORUS_MAX_FAULTS);
  for (unsigned f = request->faults[0]; f <= request->faults[1]; f++)
    if (ut_torus_sets(grid, request, f) > most_sets)
      return ut_fail(e, UT_BAD_INPUT, "there are too many sets of %u faults in %u links to try all; use samples", f,
                     links);
  return 0;
}

/* Numbers the items: samples or, for the planner, sets of the wanted sizes; else all sets of up to PREFIX faults. */
static uint64_t number_items(struct job *job) {
  const struct ut_torus_request *request = job->request;
  uint64_t items = 0;
  for (unsigned f = 0; f <= UT_TORUS_MAX_FAULTS; f++) {
    bool tree = job->lists && !sampled(request),
         wanted = f >= (tree ? 0 : request->faults[0]) && f <= request->faults[1];
    job->first[f] = items;
    if (wanted && !(tree && f > PREFIX))
      items += ut_torus_sets(job->grid, request, f);
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
  struct ut_parallel parallel = {.workers = job->parallel->workers,
                                 .items = number_items(job),
                                 .chunk = 8,
                                 .result_size = sizeof *result,
                                 .stop = job->parallel->stop,
                                 .progress = show,
                                 .ctx = job};
  unsigned workers = ut_parallel_workers(&parallel);
  struct ut_torus_tolerance *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&parallel, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    merge(result, &part[i]);
  free(part);
  return status;
}

int ut_torus_tolerance_run(const struct ut_grid *grid, const struct ut_torus_request *request,
                           const struct ut_parallel *parallel, struct ut_torus_tolerance *result, struct ut_error *e) {
  struct job job = {.grid = grid, .request = request, .parallel = parallel};
  memset(result, 0, sizeof *result);
  job.link = malloc(grid->links * sizeof *job.link);
  if (!job.link)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u links", (unsigned)grid->links);
  job.links = ut_torus_links(grid, request->model, job.link);
  int status = check(grid, request, job.links, e);
  if (!status && !request->no_lists && grid->nodes <= UT_ROUTE_LISTS_NODES && job.links <= UT_ROUTE_LISTS_LINKS) {
    job.lists = ut_route_lists_new(grid, request->mechanisms, job.link, job.links, e);
    status = job.lists ? 0 : -1;
  }
  if (!status)
    status = run_job(&job, result, e);
  ut_route_lists_free(job.lists);
  free(job.link);
  return status;
}
