/* SPDX-License-Identifier: Apache-2.0 */
/* route_lists.c - see route_lists.h */
#include "route_lists.h"

#include <stdlib.h>
#include <string.h>

/* A path over one sub-path, or over two with any intermediate node. */
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

static inline size_t pair(const struct ut_route_lists *lists, uint32_t from, uint32_t to) {
  return (size_t)from * lists->nodes + to;
}

static inline bool within(ut_link_set part, ut_link_set whole) {
  return !(part & ~whole);
}

/* Adds a path unless another one is as short and needs no other links; removes those that it makes redundant. */
static void add(struct ut_route_lists *lists, struct ways *ways, ut_link_set links, unsigned length) {
  unsigned kept = 0;
  for (unsigned i = 0; i < ways->count; i++)
    if (ways->way[i].length <= length && within(ways->way[i].links, links))
      return;
  for (unsigned i = 0; i < ways->count; i++)
    if (ways->way[i].length < length || !within(links, ways->way[i].links))
      ways->way[kept++] = ways->way[i];
  ways->count = kept;
  if (ways->count == ways->room) {
    unsigned room = ways->room ? 2 * ways->room : 2;
    struct way *way = realloc(ways->way, room * sizeof *way);
    if (!way) {
      lists->failed = true;
      return;
    }
    ways->way = way;
    ways->room = room;
  }
  ways->way[ways->count++] = (struct way){links, length};
}

static void add_all(struct ut_route_lists *lists, enum kind into, enum kind from) {
  for (size_t i = 0; i < (size_t)lists->nodes * lists->nodes; i++)
    for (unsigned j = 0; j < lists->ways[from][i].count; j++)
      add(lists, &lists->ways[into][i], lists->ways[from][i].way[j].links, lists->ways[from][i].way[j].length);
}

/* ---- ways of one sub-path */

/* Links of all minimal paths, and of the deterministic one. */
static void make_minimal(struct ut_route_lists *lists) {
  const struct ut_grid *grid = lists->grid;
  for (uint32_t s = 0; s < lists->nodes; s++)
    for (uint32_t d = 0; d < lists->nodes; d++) {
      ut_link_set links = 0;
      for (uint32_t l = 0; l < grid->links; l++) {
        uint32_t a = grid->end[l][0] / grid->directions, b = grid->end[l][1] / grid->directions;
        unsigned along = lists->distance[pair(lists, s, a)] + 1 + lists->distance[pair(lists, b, d)];
        unsigned back = lists->distance[pair(lists, s, b)] + 1 + lists->distance[pair(lists, a, d)];
        if (along == lists->distance[pair(lists, s, d)] || back == lists->distance[pair(lists, s, d)])
          links |= lists->bit[l];
      }
      add(lists, &lists->ways[A][pair(lists, s, d)], links, lists->distance[pair(lists, s, d)]);
      links = 0;
      for (uint32_t n = s; n != d;) {
        uint32_t i = n * grid->directions + ut_grid_first(grid, n, d, lists->may.direction_order);
        links |= lists->bit[grid->link[i]];
        n = grid->next[i];
      }
      add(lists, &lists->ways[D][pair(lists, s, d)], links, lists->distance[pair(lists, s, d)]);
    }
}

/* Misrouting: all sequences of directions from a node, with adaptive or deterministic continuation from their ends. */
struct misrouting {
  struct ut_route_lists *x;
  uint32_t from;
  unsigned used; /* directions */
};

static void continue_from(struct misrouting *misrouting, uint32_t node, unsigned place, ut_link_set links,
                          unsigned hops) {
  struct ut_route_lists *lists = misrouting->x;
  unsigned before = 0; /* directions that precede it */
  for (unsigned i = 0; i < place; i++)
    before |= 1u << ut_grid_direction(lists->grid, i);
  for (uint32_t d = 0; d < lists->nodes; d++) {
    size_t rest = pair(lists, node, d), whole = pair(lists, misrouting->from, d);
    unsigned length = hops + lists->distance[rest];
    if (lists->profitable[rest] & before) /* the deterministic continuation needs it, too: plan.c */
      continue;
    add(lists, &lists->ways[M][whole], links | lists->ways[A][rest].way[0].links, length);
    if (lists->may.deterministic)
      add(lists, &lists->ways[DM][whole], links | lists->ways[D][rest].way[0].links, length);
  }
}

static void misroute(struct misrouting *misrouting, uint32_t at, unsigned first_place, ut_link_set links,
                     unsigned hops) {
  const struct ut_grid *grid = misrouting->x->grid;
  if (misrouting->used == UT_PLAN_MISROUTES)
    return;
  misrouting->used++;
  for (unsigned place = first_place; place < grid->directions; place++) {
    ut_link_set way = links;
    uint32_t node = at;
    for (unsigned h = 1; h <= UT_PLAN_MISROUTE_HOPS; h++) {
      uint32_t i = node * grid->directions + ut_grid_direction(grid, place);
      if (grid->next[i] == UT_GRID_NONE || grid->next[i] == at) /* border, once round */
        break;
      way |= misrouting->x->bit[grid->link[i]];
      node = grid->next[i];
      continue_from(misrouting, node, place, way, hops + h);
      misroute(misrouting, node, place + 1, way, hops + h);
    }
  }
  misrouting->used--;
}

/* Combines two paths of that kind. */
static void make_two(struct ut_route_lists *lists, enum kind into, enum kind of) {
  for (uint32_t s = 0; s < lists->nodes; s++)
    for (uint32_t i = 0; i < lists->nodes; i++)
      for (uint32_t d = 0; d < lists->nodes; d++) {
        const struct ways *a = &lists->ways[of][pair(lists, s, i)], *b = &lists->ways[of][pair(lists, i, d)];
        for (unsigned j = 0; j < a->count; j++)
          for (unsigned k = 0; k < b->count; k++)
            add(lists, &lists->ways[into][pair(lists, s, d)], a->way[j].links | b->way[k].links,
                a->way[j].length + b->way[k].length);
      }
}

static unsigned longest_of(const struct ut_route_lists *lists, enum kind k) {
  unsigned longest = 0;
  for (size_t i = 0; i < (size_t)lists->nodes * lists->nodes; i++)
    for (unsigned j = 0; j < lists->ways[k][i].count; j++)
      if (lists->ways[k][i].way[j].length > longest)
        longest = lists->ways[k][i].way[j].length;
  return longest;
}

static void make_ways(struct ut_route_lists *lists) {
  const struct ut_mechanisms *mechanisms = &lists->may;
  make_minimal(lists);
  if (mechanisms->misroute)
    for (uint32_t s = 0; s < lists->nodes; s++)
      misroute(&(struct misrouting){.x = lists, .from = s}, s, 0, 0, 0);
  static const struct {
    enum kind into, part[4];
    unsigned parts;
  } sum[] = {{AD, {A, D}, 2}, {AM, {A, M}, 2}, {ALL, {A, D, M, DM}, 4}};
  for (unsigned i = 0; i < sizeof sum / sizeof *sum; i++)
    for (unsigned j = 0; j < sum[i].parts; j++)
      add_all(lists, sum[i].into, sum[i].part[j]);
  if (mechanisms->intermediate >= 2) {
    make_two(lists, ONE, A);
    if (mechanisms->deterministic)
      make_two(lists, ONE_AD, AD);
  }
  for (unsigned k = 0; k < KINDS; k++) {
    unsigned most = 2 * longest_of(lists, k);
    lists->longest = most > lists->longest ? most : lists->longest;
  }
}

/* ---- the lists */

/* The parts of the routes of a class; second == KINDS: one sub-path only. */
static bool parts(const struct ut_mechanisms *mechanisms, enum ut_plan_class class, enum kind *first,
                  enum kind *second) {
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
  return need[class].intermediate <= mechanisms->intermediate &&
         need[class].deterministic <= mechanisms->deterministic && need[class].misroute <= mechanisms->misroute;
}

/* Adds a route: it comes last, so that only routes of its own length and class, which begin at first_own, can become
 * redundant. */
static void append(struct ut_route_lists *lists, struct ut_route_list *list, unsigned first_own, ut_link_set links,
                   enum ut_plan_class class) {
  unsigned kept = first_own;
  for (unsigned i = 0; i < list->count; i++)
    if (within(list->links[i], links))
      return;
  for (unsigned i = first_own; i < list->count; i++)
    if (!within(links, list->links[i]))
      list->links[kept++] = list->links[i];
  list->count = kept;
  if (list->count == list->room) {
    unsigned room = list->room ? 2 * list->room : 8;
    ut_link_set *grown = realloc(list->links, room * sizeof *grown);
    list->links = grown ? grown : list->links;
    uint8_t *classes = realloc(list->class, room);
    list->class = classes ? classes : list->class;
    if (!grown || !classes) {
      lists->failed = true;
      return;
    }
    list->room = room;
  }
  list->links[list->count] = links;
  list->class[list->count++] = (uint8_t) class;
}

static void append_routes(struct ut_route_lists *lists, struct ut_route_list *list, uint32_t s, uint32_t d,
                          enum ut_plan_class class) {
  enum kind first, second;
  unsigned own = list->count;
  if (!parts(&lists->may, class, &first, &second) || (class == UT_PLAN_IM && list->length == 1)) /* see plan.c */
    return;
  for (uint32_t i = second == KINDS ? d : 0; i < (second == KINDS ? d + 1 : lists->nodes); i++) {
    const struct ways *a = &lists->ways[first][pair(lists, s, i)];
    static struct way none;
    static const struct ways nothing = {&none, 1, 1};
    const struct ways *b = second == KINDS ? &nothing : &lists->ways[second][pair(lists, i, d)];
    for (unsigned j = 0; j < a->count; j++)
      for (unsigned k = 0; k < b->count; k++)
        if (a->way[j].length + b->way[k].length == list->length)
          append(lists, list, own, a->way[j].links | b->way[k].links, class);
  }
}

struct ut_route_list *ut_route_list(struct ut_route_lists *lists, uint32_t from, uint32_t to) {
  return &lists->list[pair(lists, from, to)];
}

int ut_route_list_more(struct ut_route_lists *lists, uint32_t from, uint32_t to, struct ut_error *e) {
  struct ut_route_list *list = ut_route_list(lists, from, to);
  unsigned before = list->count;
  /* A route that no fault can meet is the best. */
  while (list->count == before && !list->complete) {
    append_routes(lists, list, from, to, list->next);
    if (++list->next == UT_PLAN_NONE) {
      list->next = UT_PLAN_ADAPTIVE + 1;
      list->length++;
    }
    list->complete = list->length > lists->longest || (list->count && !list->links[list->count - 1]);
  }
  return lists->failed ? ut_fail(e, UT_BAD_INPUT, "out of memory for lists of routes") : 0;
}

/* ---- making them */

void ut_route_lists_free(struct ut_route_lists *lists) {
  if (!lists)
    return;
  size_t pairs = (size_t)lists->nodes * lists->nodes;
  for (unsigned k = 0; k < KINDS; k++) {
    for (size_t i = 0; lists->ways[k] && i < pairs; i++)
      free(lists->ways[k][i].way);
    free(lists->ways[k]);
  }
  for (size_t i = 0; lists->list && i < pairs; i++) {
    free(lists->list[i].links);
    free(lists->list[i].class);
  }
  free(lists->list);
  free(lists->bit);
  free(lists->distance);
  free(lists->profitable);
  free(lists);
}

static bool allocate(struct ut_route_lists *lists) {
  size_t pairs = (size_t)lists->nodes * lists->nodes;
  bool ok = true;
  for (unsigned k = 0; k < KINDS; k++)
    ok &= (lists->ways[k] = calloc(pairs, sizeof *lists->ways[k])) != NULL;
  lists->list = calloc(pairs, sizeof *lists->list);
  lists->bit = calloc(lists->grid->links, sizeof *lists->bit);
  lists->distance = malloc(pairs);
  lists->profitable = malloc(pairs);
  return ok && lists->list && lists->bit && lists->distance && lists->profitable;
}

struct ut_route_lists *ut_route_lists_new(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms,
                                          const uint32_t *link, unsigned links, struct ut_error *e) {
  if (grid->nodes > UT_ROUTE_LISTS_NODES || links > UT_ROUTE_LISTS_LINKS) {
    ut_fail(e, UT_BAD_INPUT, "%u nodes, %u links: lists of routes are for at most %d nodes and %d links",
            (unsigned)grid->nodes, links, UT_ROUTE_LISTS_NODES, UT_ROUTE_LISTS_LINKS);
    return NULL;
  }
  struct ut_route_lists *lists = calloc(1, sizeof *lists);
  if (lists) {
    lists->grid = grid;
    lists->may = *mechanisms;
    lists->nodes = grid->nodes;
    lists->failed = !allocate(lists);
  }
  if (lists && !lists->failed) {
    for (unsigned i = 0; i < links; i++)
      lists->bit[link[i]] = ut_link_bit(i);
    for (uint32_t s = 0; s < lists->nodes; s++)
      for (uint32_t d = 0; d < lists->nodes; d++) {
        lists->distance[pair(lists, s, d)] = (uint8_t)ut_grid_distance(grid, s, d);
        lists->profitable[pair(lists, s, d)] = (uint8_t)ut_grid_profitable(grid, s, d);
      }
    make_ways(lists);
    for (uint32_t s = 0; s < lists->nodes && !lists->failed; s++)
      for (uint32_t d = 0; d < lists->nodes && !lists->failed; d++) {
        ut_route_list(lists, s, d)->length = lists->distance[pair(lists, s, d)];
        ut_route_list_more(lists, s, d, e); /* the adaptive route */
      }
  }
  if (!lists || lists->failed) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for lists of routes");
    ut_route_lists_free(lists);
    return NULL;
  }
  return lists;
}
