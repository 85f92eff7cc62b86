/* SPDX-License-Identifier: Apache-2.0 */
/* route_lists.c - see route_lists.h */
#include "route_lists.h"

#include <stdlib.h>
#include <string.h>

/* A way to get over one sub-path, or over two with any intermediate node. */
struct way {
  ut_link_set links;
  unsigned length;
};
struct ways {
  struct way *way;
  unsigned count, room;
};

/* Kinds of ways, each a table by (from, to); as the matrices of plan.c. */
enum kind { A, D, M, DM, AD, AM, ALL, ONE, ONE_AD, KINDS };

struct ut_route_lists {
  const struct ut_grid *grid;
  struct ut_mechanisms may;
  uint32_t nodes;
  ut_link_set *bit;               /* [links of the grid]: 0 for those that are never faulty */
  uint8_t *distance, *profitable; /* [nodes * nodes] */
  struct ways *ways[KINDS];       /* [nodes * nodes]; NULL: not needed */
  struct ut_route_list *list;     /* [nodes * nodes] */
  unsigned longest;               /* no route is longer */
  bool failed;                    /* memory ran out */
};

static inline size_t pair(const struct ut_route_lists *x, uint32_t from, uint32_t to) {
  return (size_t)from * x->nodes + to;
}

static inline bool within(ut_link_set part, ut_link_set whole) {
  return !(part & ~whole);
}

/* Adds a way unless another one is as short and needs no other links; removes what it makes needless. */
static void add(struct ut_route_lists *x, struct ways *w, ut_link_set links, unsigned length) {
  unsigned kept = 0;
  for (unsigned i = 0; i < w->count; i++)
    if (w->way[i].length <= length && within(w->way[i].links, links))
      return;
  for (unsigned i = 0; i < w->count; i++)
    if (w->way[i].length < length || !within(links, w->way[i].links))
      w->way[kept++] = w->way[i];
  w->count = kept;
  if (w->count == w->room) {
    unsigned room = w->room ? 2 * w->room : 2;
    struct way *way = realloc(w->way, room * sizeof *way);
    if (!way) {
      x->failed = true;
      return;
    }
    w->way = way;
    w->room = room;
  }
  w->way[w->count++] = (struct way){links, length};
}

static void add_all(struct ut_route_lists *x, enum kind into, enum kind from) {
  for (size_t i = 0; i < (size_t)x->nodes * x->nodes; i++)
    for (unsigned j = 0; j < x->ways[from][i].count; j++)
      add(x, &x->ways[into][i], x->ways[from][i].way[j].links, x->ways[from][i].way[j].length);
}

/* ---- ways of one sub-path */

/* Links of all minimal paths, and of the deterministic one. */
static void make_minimal(struct ut_route_lists *x) {
  const struct ut_grid *g = x->grid;
  for (uint32_t s = 0; s < x->nodes; s++)
    for (uint32_t d = 0; d < x->nodes; d++) {
      ut_link_set links = 0;
      for (uint32_t l = 0; l < g->links; l++) {
        uint32_t a = g->end[l][0] / g->directions, b = g->end[l][1] / g->directions;
        unsigned along = x->distance[pair(x, s, a)] + 1 + x->distance[pair(x, b, d)];
        unsigned back = x->distance[pair(x, s, b)] + 1 + x->distance[pair(x, a, d)];
        if (along == x->distance[pair(x, s, d)] || back == x->distance[pair(x, s, d)])
          links |= x->bit[l];
      }
      add(x, &x->ways[A][pair(x, s, d)], links, x->distance[pair(x, s, d)]);
      links = 0;
      for (uint32_t n = s; n != d;) {
        uint32_t i = n * g->directions + ut_grid_first(g, n, d, x->may.direction_order);
        links |= x->bit[g->link[i]];
        n = g->next[i];
      }
      add(x, &x->ways[D][pair(x, s, d)], links, x->distance[pair(x, s, d)]);
    }
}

/* Misrouting: all sequences of directions from a node, with adaptive or deterministic continuation from their ends. */
struct misrouting {
  struct ut_route_lists *x;
  uint32_t from;
  unsigned used; /* directions */
};

static void continue_from(struct misrouting *m, uint32_t node, unsigned place, ut_link_set links, unsigned hops) {
  struct ut_route_lists *x = m->x;
  unsigned before = 0; /* directions that precede it */
  for (unsigned i = 0; i < place; i++)
    before |= 1u << ut_grid_direction(x->grid, i);
  for (uint32_t d = 0; d < x->nodes; d++) {
    size_t rest = pair(x, node, d), whole = pair(x, m->from, d);
    unsigned length = hops + x->distance[rest];
    if (x->profitable[rest] & before) /* the deterministic continuation needs it, too: plan.c */
      continue;
    add(x, &x->ways[M][whole], links | x->ways[A][rest].way[0].links, length);
    if (x->may.deterministic)
      add(x, &x->ways[DM][whole], links | x->ways[D][rest].way[0].links, length);
  }
}

static void misroute(struct misrouting *m, uint32_t at, unsigned first_place, ut_link_set links, unsigned hops) {
  const struct ut_grid *g = m->x->grid;
  if (m->used == UT_PLAN_MISROUTES)
    return;
  m->used++;
  for (unsigned place = first_place; place < g->directions; place++) {
    ut_link_set way = links;
    uint32_t node = at;
    for (unsigned h = 1; h <= UT_PLAN_MISROUTE_HOPS; h++) {
      uint32_t i = node * g->directions + ut_grid_direction(g, place);
      if (g->next[i] == UT_GRID_NONE || g->next[i] == at) /* border, once round */
        break;
      way |= m->x->bit[g->link[i]];
      node = g->next[i];
      continue_from(m, node, place, way, hops + h);
      misroute(m, node, place + 1, way, hops + h);
    }
  }
  m->used--;
}

/* Two of that kind, one after the other. */
static void make_two(struct ut_route_lists *x, enum kind into, enum kind of) {
  for (uint32_t s = 0; s < x->nodes; s++)
    for (uint32_t i = 0; i < x->nodes; i++)
      for (uint32_t d = 0; d < x->nodes; d++) {
        const struct ways *a = &x->ways[of][pair(x, s, i)], *b = &x->ways[of][pair(x, i, d)];
        for (unsigned j = 0; j < a->count; j++)
          for (unsigned k = 0; k < b->count; k++)
            add(x, &x->ways[into][pair(x, s, d)], a->way[j].links | b->way[k].links,
                a->way[j].length + b->way[k].length);
      }
}

static unsigned longest_of(const struct ut_route_lists *x, enum kind k) {
  unsigned longest = 0;
  for (size_t i = 0; i < (size_t)x->nodes * x->nodes; i++)
    for (unsigned j = 0; j < x->ways[k][i].count; j++)
      if (x->ways[k][i].way[j].length > longest)
        longest = x->ways[k][i].way[j].length;
  return longest;
}

static void make_ways(struct ut_route_lists *x) {
  const struct ut_mechanisms *m = &x->may;
  make_minimal(x);
  if (m->misroute)
    for (uint32_t s = 0; s < x->nodes; s++)
      misroute(&(struct misrouting){.x = x, .from = s}, s, 0, 0, 0);
  static const struct {
    enum kind into, part[4];
    unsigned parts;
  } sum[] = {{AD, {A, D}, 2}, {AM, {A, M}, 2}, {ALL, {A, D, M, DM}, 4}};
  for (unsigned i = 0; i < sizeof sum / sizeof *sum; i++)
    for (unsigned j = 0; j < sum[i].parts; j++)
      add_all(x, sum[i].into, sum[i].part[j]);
  if (m->intermediate >= 2) {
    make_two(x, ONE, A);
    if (m->deterministic)
      make_two(x, ONE_AD, AD);
  }
  for (unsigned k = 0; k < KINDS; k++) {
    unsigned most = 2 * longest_of(x, k);
    x->longest = most > x->longest ? most : x->longest;
  }
}

/* ---- the lists */

/* What the routes of a class are made of; second == KINDS: of one sub-path only. */
static bool parts(const struct ut_mechanisms *m, enum ut_plan_class class, enum kind *first, enum kind *second) {
  static const struct {
    unsigned intermediate;
    bool deterministic, misroute;
    enum kind part[2];
  } need[UT_PLAN_NONE] = {
      [UT_PLAN_ADAPTIVE] = {0, false, false, {A, KINDS}}, [UT_PLAN_I] = {1, false, false, {A, A}},
      [UT_PLAN_I2] = {2, false, false, {ONE, A}},         [UT_PLAN_I3] = {3, false, false, {ONE, ONE}},
      [UT_PLAN_D] = {0, true, false, {D, KINDS}},         [UT_PLAN_ID] = {1, true, false, {AD, AD}},
      [UT_PLAN_I2D] = {2, true, false, {ONE_AD, AD}},     [UT_PLAN_IM] = {1, false, true, {AM, AM}},
      [UT_PLAN_M] = {0, false, true, {M, KINDS}},         [UT_PLAN_DM] = {0, true, true, {DM, KINDS}},
      [UT_PLAN_IDM] = {1, true, true, {ALL, ALL}},
  };
  *first = need[class].part[0];
  *second = need[class].part[1];
  return need[class].intermediate <= m->intermediate && need[class].deterministic <= m->deterministic &&
         need[class].misroute <= m->misroute;
}

/* The same for a route: it comes last, so that only routes of its own length and class, which begin at first_own, can
 * become needless. */
static void append(struct ut_route_lists *x, struct ut_route_list *l, unsigned first_own, ut_link_set links,
                   enum ut_plan_class class) {
  unsigned kept = first_own;
  for (unsigned i = 0; i < l->count; i++)
    if (within(l->links[i], links))
      return;
  for (unsigned i = first_own; i < l->count; i++)
    if (!within(links, l->links[i]))
      l->links[kept++] = l->links[i];
  l->count = kept;
  if (l->count == l->room) {
    unsigned room = l->room ? 2 * l->room : 8;
    ut_link_set *grown = realloc(l->links, room * sizeof *grown);
    l->links = grown ? grown : l->links;
    uint8_t *classes = realloc(l->class, room);
    l->class = classes ? classes : l->class;
    if (!grown || !classes) {
      x->failed = true;
      return;
    }
    l->room = room;
  }
  l->links[l->count] = links;
  l->class[l->count++] = (uint8_t) class;
}

static void append_routes(struct ut_route_lists *x, struct ut_route_list *l, uint32_t s, uint32_t d,
                          enum ut_plan_class class) {
  enum kind first, second;
  unsigned own = l->count;
  if (!parts(&x->may, class, &first, &second) || (class == UT_PLAN_IM && l->length == 1)) /* see plan.c */
    return;
  for (uint32_t i = second == KINDS ? d : 0; i < (second == KINDS ? d + 1 : x->nodes); i++) {
    const struct ways *a = &x->ways[first][pair(x, s, i)];
    static struct way none;
    static const struct ways nothing = {&none, 1, 1};
    const struct ways *b = second == KINDS ? &nothing : &x->ways[second][pair(x, i, d)];
    for (unsigned j = 0; j < a->count; j++)
      for (unsigned k = 0; k < b->count; k++)
        if (a->way[j].length + b->way[k].length == l->length)
          append(x, l, own, a->way[j].links | b->way[k].links, class);
  }
}

struct ut_route_list *ut_route_list(struct ut_route_lists *x, uint32_t from, uint32_t to) {
  return &x->list[pair(x, from, to)];
}

int ut_route_list_more(struct ut_route_lists *x, uint32_t from, uint32_t to, struct ut_error *e) {
  struct ut_route_list *l = ut_route_list(x, from, to);
  unsigned before = l->count;
  /* Nothing is better than a route that no fault can meet. */
  while (l->count == before && !l->complete) {
    append_routes(x, l, from, to, l->next);
    if (++l->next == UT_PLAN_NONE) {
      l->next = UT_PLAN_ADAPTIVE + 1;
      l->length++;
    }
    l->complete = l->length > x->longest || (l->count && !l->links[l->count - 1]);
  }
  return x->failed ? ut_fail(e, UT_BAD_INPUT, "out of memory for lists of routes") : 0;
}

/* ---- making them */

void ut_route_lists_free(struct ut_route_lists *x) {
  if (!x)
    return;
  size_t pairs = (size_t)x->nodes * x->nodes;
  for (unsigned k = 0; k < KINDS; k++) {
    for (size_t i = 0; x->ways[k] && i < pairs; i++)
      free(x->ways[k][i].way);
    free(x->ways[k]);
  }
  for (size_t i = 0; x->list && i < pairs; i++) {
    free(x->list[i].links);
    free(x->list[i].class);
  }
  free(x->list);
  free(x->bit);
  free(x->distance);
  free(x->profitable);
  free(x);
}

static bool allocate(struct ut_route_lists *x) {
  size_t pairs = (size_t)x->nodes * x->nodes;
  bool ok = true;
  for (unsigned k = 0; k < KINDS; k++)
    ok &= (x->ways[k] = calloc(pairs, sizeof *x->ways[k])) != NULL;
  x->list = calloc(pairs, sizeof *x->list);
  x->bit = calloc(x->grid->links, sizeof *x->bit);
  x->distance = malloc(pairs);
  x->profitable = malloc(pairs);
  return ok && x->list && x->bit && x->distance && x->profitable;
}

struct ut_route_lists *ut_route_lists_new(const struct ut_grid *g, const struct ut_mechanisms *m, const uint32_t *link,
                                          unsigned links, struct ut_error *e) {
  if (g->nodes > UT_ROUTE_LISTS_NODES || links > UT_ROUTE_LISTS_LINKS) {
    ut_fail(e, UT_BAD_INPUT, "%u nodes, %u links: lists of routes are for at most %d nodes and %d links",
            (unsigned)g->nodes, links, UT_ROUTE_LISTS_NODES, UT_ROUTE_LISTS_LINKS);
    return NULL;
  }
  struct ut_route_lists *x = calloc(1, sizeof *x);
  if (x) {
    x->grid = g;
    x->may = *m;
    x->nodes = g->nodes;
    x->failed = !allocate(x);
  }
  if (x && !x->failed) {
    for (unsigned i = 0; i < links; i++)
      x->bit[link[i]] = ut_link_bit(i);
    for (uint32_t s = 0; s < x->nodes; s++)
      for (uint32_t d = 0; d < x->nodes; d++) {
        x->distance[pair(x, s, d)] = (uint8_t)ut_grid_distance(g, s, d);
        x->profitable[pair(x, s, d)] = (uint8_t)ut_grid_profitable(g, s, d);
      }
    make_ways(x);
    for (uint32_t s = 0; s < x->nodes && !x->failed; s++)
      for (uint32_t d = 0; d < x->nodes && !x->failed; d++) {
        ut_route_list(x, s, d)->length = x->distance[pair(x, s, d)];
        ut_route_list_more(x, s, d, e); /* the adaptive route */
      }
  }
  if (!x || x->failed) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for lists of routes");
    ut_route_lists_free(x);
    return NULL;
  }
  return x;
}
