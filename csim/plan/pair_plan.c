/* SPDX-License-Identifier: Apache-2.0 */
/* pair_plan.c - see pair_plan.h */
#include "pair_plan.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"

enum { NO_ROUTE = INT32_MAX, CHUNK = 64 };

/* Sets of faults, by two coordinates in a dimension: [from * size + to]. */
struct meets {
  uint64_t *of[UT_MAX_DIMENSIONS];
};

struct ut_pair_plan {
  const struct ut_grid *grid;
  struct ut_mechanisms may;
  struct meets adaptive, det;
  uint16_t *hops[UT_MAX_DIMENSIONS]; /* [from * size + to] */
  uint8_t (*at)[UT_MAX_DIMENSIONS];  /* [nodes]: coordinates */
  uint32_t *part, *queue;            /* [nodes]: a number for each part that the faults leave connected */
  bool *faulty;                      /* [nodes * directions] */
};

/* A pair in one dimension. */
static unsigned place_of(const struct ut_pair_plan *plan, unsigned d, uint32_t from, uint32_t to) {
  return plan->at[from][d] * plan->grid->size[d] + plan->at[to][d];
}

static unsigned distance(const struct ut_pair_plan *plan, uint32_t from, uint32_t to) {
  unsigned sum = 0;
  for (unsigned d = 0; d < plan->grid->dimensions; d++)
    sum += plan->hops[d][place_of(plan, d, from, to)];
  return sum;
}

/* Returns whether no fault meets the pair. */
static bool works(const struct ut_pair_plan *plan, const struct meets *meets, uint32_t from, uint32_t to) {
  uint64_t set = UINT64_MAX;
  for (unsigned d = 0; d < plan->grid->dimensions; d++)
    set &= meets->of[d][place_of(plan, d, from, to)];
  return !set;
}

/* ---- what a fault meets in each dimension */

/* A faulty link: from `at` on in its dimension. */
struct fault {
  unsigned dimension, at[UT_MAX_DIMENSIONS];
};

static struct fault fault_of(const struct ut_grid *grid, uint32_t link) {
  const uint32_t end = grid->end[link][0];
  struct fault fault = {.dimension = end % grid->directions / 2};
  ut_grid_coordinates(grid, end / grid->directions, fault.at);
  if (end % grid->directions % 2) {
    const unsigned k = grid->size[fault.dimension];
    fault.at[fault.dimension] = (fault.at[fault.dimension] + k - 1) % k;
  }
  return fault;
}

/* Hops that lead on (or back) from one coordinate to another. */
static unsigned way(const struct ut_grid *grid, unsigned d, unsigned from, unsigned to, bool back) {
  const unsigned k = grid->size[d];
  return back ? (from + k - to) % k : (to + k - from) % k;
}

/* Returns whether a minimal path from u to v may lead on (or back); the deterministic one leads on if both are equally
 * long. */
static bool leads(const struct ut_grid *grid, unsigned d, unsigned u, unsigned v, bool back, bool deterministic) {
  const unsigned k = grid->size[d];
  if (!grid->wrap)
    return back ? v < u : u < v;
  const unsigned hops = 2 * way(grid, d, u, v, back);
  return hops && (hops < k || (hops == k && !(deterministic && back)));
}

/* Returns whether that path from u to v crosses the link in the link's own dimension. */
static bool crosses(const struct ut_grid *grid, const struct fault *fault, unsigned u, unsigned v, bool back,
                    bool deterministic) {
  const unsigned d = fault->dimension, k = grid->size[d], begin = (fault->at[d] + back) % k;
  return leads(grid, d, u, v, back, deterministic) && way(grid, d, u, begin, back) < way(grid, d, u, v, back);
}

static bool meets_minimal(const struct ut_pair_plan *plan, const struct fault *fault, unsigned d, unsigned u,
                          unsigned v) {
  const unsigned k = plan->grid->size[d];
  if (d == fault->dimension)
    return crosses(plan->grid, fault, u, v, false, false) || crosses(plan->grid, fault, u, v, true, false);
  return plan->hops[d][u * k + fault->at[d]] + plan->hops[d][fault->at[d] * k + v] == plan->hops[d][u * k + v];
}

/* Whether the deterministic path meets the fault while it leads on, or back.  In dimension order the two are one. */
static bool meets_det(const struct ut_pair_plan *plan, const struct fault *fault, bool back, unsigned d, unsigned u,
                      unsigned v) {
  const struct ut_grid *grid = plan->grid;
  const bool order = plan->may.direction_order;
  if (d == fault->dimension)
    return crosses(grid, fault, u, v, back, true) || (!order && crosses(grid, fault, u, v, !back, true));
  const bool turned = order && leads(grid, d, u, v, true, true);
  const unsigned place = d + turned * grid->dimensions, of = fault->dimension + (order && back) * grid->dimensions;
  return fault->at[d] == (place < of ? v : u);
}

static void add_fault(struct ut_pair_plan *plan, const struct fault *fault, unsigned number) {
  const unsigned ways = plan->may.direction_order ? 2 : 1;
  for (unsigned d = 0; d < plan->grid->dimensions; d++)
    for (unsigned k = plan->grid->size[d], u = 0; u < k; u++)
      for (unsigned v = 0; v < k; v++) {
        plan->adaptive.of[d][u * k + v] |= (uint64_t)meets_minimal(plan, fault, d, u, v) << number;
        for (unsigned w = 0; w < ways; w++)
          plan->det.of[d][u * k + v] |= (uint64_t)meets_det(plan, fault, w, d, u, v) << (number * ways + w);
      }
}

/* Numbers the parts that the faults leave connected. */
static void find_parts(struct ut_pair_plan *plan) {
  const struct ut_grid *grid = plan->grid;
  memset(plan->part, 0, grid->nodes * sizeof *plan->part);
  for (uint32_t first = 0, parts = 0; first < grid->nodes; first++) {
    if (plan->part[first])
      continue;
    uint32_t head = 0, tail = 0;
    plan->part[plan->queue[tail++] = first] = ++parts;
    while (head < tail)
      for (uint32_t i = plan->queue[head++] * grid->directions, j = 0; j < grid->directions; j++, i++) {
        const uint32_t next = grid->next[i];
        if (next == UT_GRID_NONE || plan->faulty[i] || plan->part[next])
          continue;
        plan->part[plan->queue[tail++] = next] = parts;
      }
  }
}

int ut_pair_plan_set_faults(struct ut_pair_plan *plan, const uint32_t *link, unsigned count, struct ut_error *e) {
  const struct ut_grid *grid = plan->grid;
  const unsigned most = UT_PAIR_PLAN_FAULTS / (plan->may.direction_order ? 2 : 1);
  if (count > most)
    return ut_fail(e, UT_BAD_INPUT, "%u faulty links: routes of %u nodes can be planned around at most %u; give fewer",
                   count, (unsigned)grid->nodes, most);
  memset(plan->faulty, 0, (size_t)grid->nodes * grid->directions * sizeof *plan->faulty);
  for (unsigned d = 0; d < grid->dimensions; d++) {
    const size_t size = (size_t)grid->size[d] * grid->size[d] * sizeof(uint64_t);
    memset(plan->adaptive.of[d], 0, size);
    memset(plan->det.of[d], 0, size);
  }
  for (unsigned i = 0; i < count; i++) {
    const struct fault fault = fault_of(grid, link[i]);
    add_fault(plan, &fault, i);
    plan->faulty[grid->end[link[i]][0]] = plan->faulty[grid->end[link[i]][1]] = true;
  }
  find_parts(plan);
  return 0;
}

/* ---- making a planner */

void ut_pair_plan_free(struct ut_pair_plan *plan) {
  if (!plan)
    return;
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS; d++) {
    free(plan->adaptive.of[d]);
    free(plan->det.of[d]);
    free(plan->hops[d]);
  }
  free(plan->at);
  free(plan->part);
  free(plan->queue);
  free(plan->faulty);
  free(plan);
}

static bool allocate(struct ut_pair_plan *plan) {
  const struct ut_grid *grid = plan->grid;
  plan->at = calloc(grid->nodes, sizeof *plan->at);
  plan->part = calloc(grid->nodes, sizeof *plan->part);
  plan->queue = calloc(grid->nodes, sizeof *plan->queue);
  plan->faulty = calloc((size_t)grid->nodes * grid->directions, sizeof *plan->faulty);
  bool ok = plan->at && plan->part && plan->queue && plan->faulty;
  for (unsigned d = 0; d < grid->dimensions; d++) {
    const size_t places = (size_t)grid->size[d] * grid->size[d];
    plan->adaptive.of[d] = calloc(places, sizeof(uint64_t));
    plan->det.of[d] = calloc(places, sizeof(uint64_t));
    plan->hops[d] = calloc(places, sizeof *plan->hops[d]);
    ok &= plan->adaptive.of[d] && plan->det.of[d] && plan->hops[d];
  }
  return ok;
}

static void measure(struct ut_pair_plan *plan) {
  const struct ut_grid *grid = plan->grid;
  unsigned at[UT_MAX_DIMENSIONS] = {0};
  for (uint32_t n = 0; n < grid->nodes; n++) {
    ut_grid_coordinates(grid, n, at);
    for (unsigned d = 0; d < grid->dimensions; d++)
      plan->at[n][d] = (uint8_t)at[d];
  }
  for (unsigned d = 0; d < grid->dimensions; d++)
    for (unsigned k = grid->size[d], i = 0; i < k * k; i++) {
      const unsigned on = way(grid, d, i / k, i % k, false), back = way(grid, d, i / k, i % k, true);
      const bool forward = grid->wrap ? on < back : i / k < i % k;
      plan->hops[d][i] = (uint16_t)(forward ? on : back);
    }
}

struct ut_pair_plan *ut_pair_plan_new(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms,
                                      struct ut_error *e) {
  if (mechanisms->misroute) {
    ut_fail(e, UT_BAD_INPUT,
            "%u nodes, diameter %u: routes with misrouting can be planned for at most %d nodes and a diameter of %d; "
            "try 'intermediate: 2', or 'deterministic: true'",
            (unsigned)grid->nodes, grid->diameter, UT_PLAN_MAX_NODES, UT_PLAN_MAX_DIAMETER);
    return NULL;
  }
  struct ut_pair_plan *plan = calloc(1, sizeof *plan);
  if (plan) {
    plan->grid = grid;
    plan->may = *mechanisms;
  }
  if (!plan || !allocate(plan)) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for a planner of %u nodes", (unsigned)grid->nodes);
    ut_pair_plan_free(plan);
    return NULL;
  }
  measure(plan);
  ut_pair_plan_set_faults(plan, NULL, 0, e);
  return plan;
}

/* ---- the shortest route of a pair */

/* A search for the shortest route through `intermediate` nodes or fewer, shorter than `best`. */
struct search {
  const struct ut_pair_plan *plan;
  const struct meets *meets;
  uint32_t from, to;
  unsigned intermediate, best;
};

static unsigned shortest_below(const struct ut_pair_plan *plan, const struct meets *meets, uint32_t from, uint32_t to,
                               unsigned intermediate, unsigned limit);

/* Tries the nodes that have the coordinates chosen so far in the dimensions above d.  hops: of a route through them at
 * least, given that it is minimal in the other dimensions; meets: faults on the way to them. */
static void try_nodes(struct search *search, unsigned d, uint32_t node, unsigned hops, uint64_t met) {
  const struct ut_pair_plan *plan = search->plan;
  const unsigned k = plan->grid->size[d], from = plan->at[search->from][d] * k, to = plan->at[search->to][d];
  const unsigned direct = plan->hops[d][from + to];
  for (unsigned x = 0; x < k; x++) {
    const unsigned sum = hops - direct + plan->hops[d][from + x] + plan->hops[d][x * k + to];
    const uint64_t still = met & search->meets->of[d][from + x];
    const uint32_t here = node * k + x;
    if (sum >= search->best)
      continue;
    if (d) {
      try_nodes(search, d - 1, here, sum, still);
    } else if (!still) {
      const unsigned first = distance(plan, search->from, here);
      const unsigned rest =
          shortest_below(plan, search->meets, here, search->to, search->intermediate - 1, search->best - first);
      search->best = rest == NO_ROUTE ? search->best : first + rest;
    }
  }
}

/* Returns the length of the shortest route with that many intermediate nodes at most; NO_ROUTE: none is shorter than
 * the limit. */
static unsigned shortest_below(const struct ut_pair_plan *plan, const struct meets *meets, uint32_t from, uint32_t to,
                               unsigned intermediate, unsigned limit) {
  const unsigned hops = distance(plan, from, to);
  if (hops >= limit)
    return NO_ROUTE;
  if (works(plan, meets, from, to))
    return hops;
  if (!intermediate)
    return NO_ROUTE;
  struct search search = {plan, meets, from, to, intermediate, limit};
  try_nodes(&search, plan->grid->dimensions - 1, 0, hops, UINT64_MAX);
  return search.best < limit ? search.best : NO_ROUTE;
}

/* The same, below `limit`.  The detour allowed grows until there is a route: most are short. */
static unsigned shortest(const struct ut_pair_plan *plan, const struct meets *meets, uint32_t from, uint32_t to,
                         unsigned intermediate, unsigned limit) {
  const unsigned hops = distance(plan, from, to), longest = (intermediate + 1) * plan->grid->diameter;
  const unsigned most = limit <= longest ? limit : longest + 1;
  for (unsigned detour = 1;; detour *= 2) {
    const unsigned below = hops + detour < most ? hops + detour : most;
    const unsigned length = shortest_below(plan, meets, from, to, intermediate, below);
    if (length != NO_ROUTE || below == most)
      return length;
  }
}

/* Returns whether a corner of the box between two nodes is an intermediate node: most pairs have one. */
static bool has_corner(const struct ut_pair_plan *plan, uint32_t from, uint32_t to) {
  const unsigned dimensions = plan->grid->dimensions;
  uint64_t between[UT_MAX_DIMENSIONS], here[UT_MAX_DIMENSIONS], there[UT_MAX_DIMENSIONS];
  for (unsigned d = 0; d < dimensions; d++) {
    between[d] = plan->adaptive.of[d][place_of(plan, d, from, to)];
    here[d] = plan->adaptive.of[d][place_of(plan, d, from, from)];
    there[d] = plan->adaptive.of[d][place_of(plan, d, to, to)];
  }
  for (unsigned corner = 1; corner + 1 < 1u << dimensions; corner++) {
    uint64_t first = UINT64_MAX, second = UINT64_MAX;
    for (unsigned d = 0; d < dimensions; d++) {
      const bool far = corner >> d & 1;
      first &= far ? between[d] : here[d];
      second &= far ? there[d] : between[d];
    }
    if (!(first | second))
      return true;
  }
  return false;
}

/* Length of the shortest route of that class, or of an earlier one with a part of its mechanisms, below the limit. */
static unsigned length_of(const struct ut_pair_plan *plan, enum ut_plan_class class, uint32_t s, uint32_t d,
                          unsigned limit) {
  switch (class) {
  case UT_PLAN_I: return shortest(plan, &plan->adaptive, s, d, 1, limit);
  case UT_PLAN_I2: return shortest(plan, &plan->adaptive, s, d, 2, limit);
  case UT_PLAN_I3: return shortest(plan, &plan->adaptive, s, d, 3, limit);
  case UT_PLAN_D: return shortest(plan, &plan->det, s, d, 0, limit);
  case UT_PLAN_ID: return shortest(plan, &plan->det, s, d, 1, limit);
  case UT_PLAN_I2D: return shortest(plan, &plan->det, s, d, 2, limit);
  default: return NO_ROUTE;
  }
}

enum ut_plan_class ut_pair_plan_classify(const struct ut_pair_plan *plan, uint32_t s, uint32_t d, unsigned *length) {
  const unsigned bound = distance(plan, s, d);
  enum ut_plan_class class = UT_PLAN_NONE;
  *length = bound;
  if (works(plan, &plan->adaptive, s, d))
    return UT_PLAN_ADAPTIVE;
  if (plan->may.intermediate && has_corner(plan, s, d))
    return UT_PLAN_I;
  *length = NO_ROUTE;
  if (plan->part[s] != plan->part[d])
    return UT_PLAN_SEPARATED;
  for (enum ut_plan_class c = UT_PLAN_I; c <= UT_PLAN_I2D && *length != bound; c++) {
    const unsigned l = ut_plan_allows(&plan->may, c) ? length_of(plan, c, s, d, *length) : NO_ROUTE;
    if (l < *length) {
      *length = l;
      class = c;
    }
  }
  return class;
}

bool ut_pair_plan_one_way_works(const struct ut_pair_plan *plan, uint32_t from, uint32_t to) {
  return works(plan, &plan->det, from, to);
}

bool ut_pair_plan_affected(const struct ut_pair_plan *plan, bool one_way, uint32_t from, uint32_t to) {
  return !works(plan, &plan->adaptive, from, to) && !(one_way && works(plan, &plan->det, from, to));
}

/* ---- all pairs */

struct tally_work {
  const struct ut_pair_plan *plan;
  bool one_way;
};

/* Of a worker. */
struct tally_part {
  struct ut_pair_plan_tally tally;
  bool any_lost;
};

static void tally_source(const struct tally_work *work, uint32_t from, struct tally_part *part) {
  struct ut_pair_plan_tally *tally = &part->tally;
  uint32_t entries = 0;
  for (uint32_t to = 0; to < work->plan->grid->nodes; to++) {
    unsigned length;
    if (!ut_pair_plan_affected(work->plan, work->one_way, from, to))
      continue;
    const enum ut_plan_class class = ut_pair_plan_classify(work->plan, from, to, &length);
    tally->counts.pairs[class]++;
    entries++;
    if (class == UT_PLAN_NONE && (!part->any_lost || from < tally->lost[0])) {
      part->any_lost = true;
      tally->lost[0] = from;
      tally->lost[1] = to;
    }
  }
  tally->counts.pairs[UT_PLAN_ADAPTIVE] += work->plan->grid->nodes - entries;
  tally->most_entries = entries > tally->most_entries ? entries : tally->most_entries;
}

static int tally_sources(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  (void)e;
  uint64_t from, to;
  while (ut_item_source_take(source, &from, &to))
    for (uint64_t s = from; s < to; s++)
      tally_source(ctx, (uint32_t)s, result);
  return 0;
}

static void merge(struct tally_part *into, const struct tally_part *from) {
  struct ut_pair_plan_tally *tally = &into->tally;
  for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
    tally->counts.pairs[c] += from->tally.counts.pairs[c];
  if (from->tally.most_entries > tally->most_entries)
    tally->most_entries = from->tally.most_entries;
  if (from->any_lost && (!into->any_lost || from->tally.lost[0] < tally->lost[0]))
    memcpy(tally->lost, from->tally.lost, sizeof tally->lost);
  into->any_lost |= from->any_lost;
}

int ut_pair_plan_tally(const struct ut_pair_plan *plan, bool one_way, struct ut_pair_plan_tally *tally,
                       struct ut_error *e) {
  struct tally_work work = {plan, one_way};
  const struct ut_parallel parallel = {
      .items = plan->grid->nodes, .chunk = CHUNK, .result_size = sizeof(struct tally_part), .ctx = &work};
  struct tally_part *part = calloc(ut_parallel_workers(&parallel), sizeof *part), all = {0};
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for a planner of %u nodes", (unsigned)plan->grid->nodes);
  const int status = ut_parallel_run(&parallel, tally_sources, part, e);
  for (unsigned i = 0; i < ut_parallel_workers(&parallel); i++)
    merge(&all, &part[i]);
  free(part);
  *tally = all.tally;
  return status;
}

/* ---- the route itself */

static void add_subpath(const struct ut_pair_plan *plan, struct ut_plan_route *route, uint32_t from, uint32_t to) {
  route->subpath[route->subpaths++] =
      (struct ut_subpath){.target = to, .deterministic = !works(plan, &plan->adaptive, from, to)};
}

/* Sub-paths of a route from..via[0]..via[1].. that are not adaptive. */
static unsigned deterministic(const struct ut_pair_plan *plan, const uint32_t *node, unsigned nodes) {
  unsigned count = 0;
  for (unsigned i = 0; i + 1 < nodes; i++)
    count += !works(plan, &plan->adaptive, node[i], node[i + 1]);
  return count;
}

/* One intermediate node: the fewest sub-paths that are not adaptive, then the first candidate. */
static void add_two(const struct ut_pair_plan *plan, struct ut_plan_route *route, uint32_t s, uint32_t d,
                    unsigned length, const struct meets *meets) {
  const unsigned least = meets != &plan->adaptive;
  unsigned best = 3;
  uint32_t via = 0;
  for (uint32_t n = 0; n < plan->grid->nodes && best > least; n++) {
    const uint32_t i = ut_plan_candidate(plan->grid->nodes, s, d, n), node[] = {s, i, d};
    if (i == s || i == d || distance(plan, s, i) + distance(plan, i, d) != length || !works(plan, meets, s, i) ||
        !works(plan, meets, i, d))
      continue;
    const unsigned cost = deterministic(plan, node, 3);
    if (cost >= best)
      continue;
    best = cost;
    via = i;
  }
  add_subpath(plan, route, s, via);
  add_subpath(plan, route, via, d);
}

/* The last node of a route from i to d of that length, through one intermediate node: the first candidate with a lower
 * cost than *best, in all sub-paths from s. */
static bool improve(const struct ut_pair_plan *plan, uint32_t s, uint32_t i, uint32_t d, unsigned length,
                    unsigned *best, uint32_t *via) {
  bool better = false;
  for (uint32_t m = 0; m<plan->grid->nodes && * best> 1; m++) {
    const uint32_t j = ut_plan_candidate(plan->grid->nodes, i, d, m), node[] = {s, i, j, d};
    if (distance(plan, i, j) + distance(plan, j, d) != length || !works(plan, &plan->det, i, j) ||
        !works(plan, &plan->det, j, d))
      continue;
    const unsigned cost = deterministic(plan, node, 4);
    if (cost >= *best)
      continue;
    *best = cost;
    *via = j;
    better = true;
  }
  return better;
}

/* Two intermediate nodes, sub-paths adaptive or deterministic; at least one is not adaptive, or the class were I2. */
static void add_three_ad(const struct ut_pair_plan *plan, struct ut_plan_route *route, uint32_t s, uint32_t d,
                         unsigned length) {
  unsigned best = 4;
  uint32_t via[2] = {0, 0};
  for (uint32_t n = 0; n < plan->grid->nodes && best > 1; n++) {
    const uint32_t i = ut_plan_candidate(plan->grid->nodes, s, d, n);
    const unsigned first = distance(plan, s, i);
    if (first + distance(plan, i, d) > length || !works(plan, &plan->det, s, i))
      continue;
    if (improve(plan, s, i, d, length - first, &best, &via[1]))
      via[0] = i;
  }
  add_subpath(plan, route, s, via[0]);
  add_subpath(plan, route, via[0], via[1]);
  add_subpath(plan, route, via[1], d);
}

/* Adaptive sub-paths only; the last intermediate nodes follow from theorem 1. */
static void add_many(const struct ut_pair_plan *plan, struct ut_plan_route *route, uint32_t s, uint32_t d,
                     unsigned length, unsigned intermediate) {
  if (intermediate == 1) {
    add_two(plan, route, s, d, length, &plan->adaptive);
    return;
  }
  for (uint32_t n = 0; n < plan->grid->nodes; n++) {
    const uint32_t i = ut_plan_candidate(plan->grid->nodes, s, d, n);
    const unsigned first = distance(plan, s, i);
    if (first + distance(plan, i, d) > length || !works(plan, &plan->adaptive, s, i) ||
        shortest_below(plan, &plan->adaptive, i, d, intermediate - 1, length - first + 1) != length - first)
      continue;
    add_subpath(plan, route, s, i);
    add_many(plan, route, i, d, length - first, intermediate - 1);
    return;
  }
}

void ut_pair_plan_route(const struct ut_pair_plan *plan, uint32_t s, uint32_t d, struct ut_plan_route *route) {
  *route = (struct ut_plan_route){0};
  route->class = ut_pair_plan_classify(plan, s, d, &route->length);
  switch (route->class) {
  case UT_PLAN_ADAPTIVE:
  case UT_PLAN_D: add_subpath(plan, route, s, d); break;
  case UT_PLAN_I: add_many(plan, route, s, d, route->length, 1); break;
  case UT_PLAN_I2: add_many(plan, route, s, d, route->length, 2); break;
  case UT_PLAN_I3: add_many(plan, route, s, d, route->length, 3); break;
  case UT_PLAN_ID: add_two(plan, route, s, d, route->length, &plan->det); break;
  case UT_PLAN_I2D: add_three_ad(plan, route, s, d, route->length); break;
  default: route->length = 0;
  }
}
