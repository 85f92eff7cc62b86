/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - see plan.h */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* "No such sub-path" in the byte matrices.  Sums of two lengths stay below 256, and a sum is a length exactly if it is
 * below NO_ROUTE: no route of at most UT_PLAN_SUBPATHS sub-paths is longer than 4 * UT_PLAN_MAX_DIAMETER, none with
 * misrouting longer than 2 * (24 + UT_PLAN_MAX_DIAMETER). */
enum { NO_ROUTE = 127, BLOCK = 32 };
enum { TABLE_BYTES = 48 << 20 };

const char *const ut_plan_class_name[UT_PLAN_CLASSES] = {"adaptive", "I", "I2",  "I3",    "D",    "I+D",      "I2+D",
                                                         "I+M",      "M", "D+M", "I+D+M", "none", "separated"};

const struct ut_mechanisms ut_mechanism_sets[UT_MECHANISM_SETS] = {
    {"I", 1, false, false, false},   {"D", 0, true, false, false},   {"M", 0, false, true, true},
    {"I+D", 1, true, false, false},  {"I+M", 1, false, true, true},  {"D+M", 0, true, true, true},
    {"I+D+M", 1, true, true, true},  {"I2", 2, false, false, false}, {"I3", 3, false, false, false},
    {"I2+D", 2, true, false, false},
};

/* Returns whether one of the words of `list`, separated by +, is the first `length` letters of `word`. */
static bool has_word(const char *list, const char *word, size_t length) {
  for (size_t n; *list; list += n + (list[n] == '+')) {
    n = strcspn(list, "+");
    if (n == length && !strncmp(list, word, n))
      return true;
  }
  return false;
}

/* Returns whether two lists have the same words, in any order. */
static bool same_words(const char *a, const char *b) {
  bool same = strlen(a) == strlen(b);
  for (size_t n; same && *a; a += n + (a[n] == '+')) {
    n = strcspn(a, "+");
    same = has_word(b, a, n);
  }
  return same;
}

const struct ut_mechanisms *ut_mechanisms_find(const char *name) {
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++)
    if (same_words(ut_mechanism_sets[i].name, name))
      return &ut_mechanism_sets[i];
  return NULL;
}

bool ut_plan_allows(const struct ut_mechanisms *mechanisms, enum ut_plan_class class) {
  unsigned i = mechanisms->intermediate;
  switch (class) {
  case UT_PLAN_I: return i >= 1;
  case UT_PLAN_I2: return i >= 2;
  case UT_PLAN_I3: return i >= 3;
  case UT_PLAN_D: return mechanisms->deterministic;
  case UT_PLAN_ID: return mechanisms->deterministic && i >= 1;
  case UT_PLAN_I2D: return mechanisms->deterministic && i >= 2;
  case UT_PLAN_IM: return mechanisms->misroute && i >= 1;
  case UT_PLAN_M: return mechanisms->misroute;
  case UT_PLAN_DM: return mechanisms->misroute && mechanisms->deterministic;
  case UT_PLAN_IDM: return mechanisms->misroute && mechanisms->deterministic && i >= 1;
  default: return false;
  }
}

/* Matrices of lengths: row `from`, column `to`, or the other way round where the name ends in _to. */
enum matrix {
  DISTANCE, /* fault-free */
  ADAPTIVE, /* symmetric */
  DET,
  DET_TO, /* deterministic; also "adaptive or deterministic": if all minimal paths work, this one does */
  MIS,
  MIS_DET, /* misrouting first, then adaptive or deterministic */
  AM,
  AM_TO, /* adaptive, with or without misrouting */
  ALL,
  ALL_TO,   /* any sub-path */
  ONE,      /* at most one intermediate node, adaptive; symmetric */
  ONE_AD,   /* at most one intermediate node, adaptive or deterministic sub-paths */
  PHYSICAL, /* any fault-free path; symmetric */
  MATRICES
};

struct ut_plan {
  const struct ut_grid *grid;
  struct ut_mechanisms may;
  uint32_t nodes;
  size_t stride;             /* bytes of a row: nodes, rounded up to BLOCK */
  uint8_t *m[MATRICES];      /* NULL: not needed for these mechanisms */
  uint32_t *done[MATRICES];  /* of matrices computed row by row on demand: the fault set for which the row is valid */
  uint32_t epoch, all_epoch; /* number of the fault set; number for which the misrouting matrices are complete */
  /* By link, 0 or NO_ROUTE for every pair: the link is on some minimal path, on the deterministic path.  NULL where
   * that would be too large; computed anew for each fault then. */
  uint8_t *on_minimal, *on_det, *on_det_to;
  /* By place of the last misrouted direction, where misrouting ended, target: 0, or NO_ROUTE where an earlier direction
   * is still needed.  For adaptive and for deterministic continuation: of a ring where both directions are equally long
   * plus is needed in either case, and comes before minus. */
  uint8_t *late;
  uint8_t *rest, *rest_det; /* the same, combined by OR with the lengths of ADAPTIVE and DET */
  uint32_t rest_epoch;
  bool *faulty;    /* [nodes * directions] */
  uint32_t *queue; /* [nodes] */
  unsigned faults;
  uint32_t *fault_list;
};

static inline uint8_t *row(const struct ut_plan *plan, enum matrix m, uint32_t n) {
  return plan->m[m] + n * plan->stride;
}

/* Returns the minimum over i of x[i] + y[i]: the shortest route through one intermediate node.  Never above NO_ROUTE: x
 * is 0 at its origin. */
static unsigned min_plus(const uint8_t *restrict x, const uint8_t *restrict y, size_t stride) {
  uint8_t least[BLOCK];
  memset(least, 255, sizeof least);
  for (size_t b = 0; b < stride; b += BLOCK)
    for (unsigned i = 0; i < BLOCK; i++) {
      uint8_t sum = (uint8_t)(x[b + i] + y[b + i]);
      least[i] = sum < least[i] ? sum : least[i];
    }
  for (unsigned half = BLOCK / 2; half; half /= 2)
    for (unsigned i = 0; i < half; i++)
      least[i] = least[i + half] < least[i] ? least[i + half] : least[i];
  return least[0];
}

/* into = min(into, hops + from) */
static void lower(uint8_t *restrict into, const uint8_t *restrict from, unsigned hops, size_t stride) {
  for (size_t b = 0; b < stride; b += BLOCK)
    for (unsigned i = 0; i < BLOCK; i++) {
      uint8_t sum = (uint8_t)(from[b + i] + hops);
      into[b + i] = sum < into[b + i] ? sum : into[b + i];
    }
}

static void or_into(uint8_t *restrict into, const uint8_t *restrict mask, size_t bytes) {
  for (size_t b = 0; b < bytes; b += BLOCK)
    for (unsigned i = 0; i < BLOCK; i++)
      into[b + i] |= mask[b + i];
}

static void transpose(uint8_t *into, const uint8_t *from, uint32_t nodes, size_t stride) {
  for (uint32_t a = 0; a < nodes; a++)
    for (uint32_t b = 0; b < nodes; b++)
      into[b * stride + a] = from[a * stride + b];
}

/* ---- what one link blocks */

/* ORs NO_ROUTE into every pair with the link on some minimal path. */
static void block_minimal(const struct ut_plan *plan, uint32_t link, uint8_t *into) {
  const struct ut_grid *grid = plan->grid;
  const uint8_t *u = row(plan, DISTANCE, grid->end[link][0] / grid->directions);
  const uint8_t *v = row(plan, DISTANCE, grid->end[link][1] / grid->directions);
  for (uint32_t s = 0; s < plan->nodes; s++) {
    const uint8_t *length = row(plan, DISTANCE, s);
    uint8_t *out = into + s * plan->stride;
    for (uint32_t d = 0; d < plan->nodes; d++)
      if (u[s] + 1 + v[d] == length[d] || v[s] + 1 + u[d] == length[d])
        out[d] |= NO_ROUTE;
  }
}

/* Does the same for the deterministic paths, for all links at once. */
static void make_det_tables(struct ut_plan *plan) {
  const struct ut_grid *grid = plan->grid;
  size_t matrix = plan->nodes * plan->stride;
  for (uint32_t s = 0; s < plan->nodes; s++)
    for (uint32_t d = 0; d < plan->nodes; d++)
      for (uint32_t n = s; n != d;) {
        uint32_t i = n * grid->directions + ut_grid_first(grid, n, d, plan->may.direction_order);
        plan->on_det[grid->link[i] * matrix + s * plan->stride + d] = NO_ROUTE;
        plan->on_det_to[grid->link[i] * matrix + d * plan->stride + s] = NO_ROUTE;
        n = grid->next[i];
      }
}

/* Computes what the faults block, for networks without tables of what each link blocks. */
static void block_det_walking(struct ut_plan *plan) {
  const struct ut_grid *grid = plan->grid;
  for (uint32_t s = 0; s < plan->nodes; s++)
    for (uint32_t d = 0; d < plan->nodes; d++)
      for (uint32_t n = s; n != d;) {
        uint32_t i = n * grid->directions + ut_grid_first(grid, n, d, plan->may.direction_order);
        if (plan->faulty[i]) {
          row(plan, DET, s)[d] = row(plan, DET_TO, d)[s] = NO_ROUTE;
          break;
        }
        n = grid->next[i];
      }
}

/* ---- making a planner */

void ut_plan_free(struct ut_plan *plan) {
  if (!plan)
    return;
  for (unsigned i = 0; i < MATRICES; i++) {
    free(plan->m[i]);
    free(plan->done[i]);
  }
  free(plan->on_minimal);
  free(plan->on_det);
  free(plan->on_det_to);
  free(plan->late);
  free(plan->rest);
  free(plan->rest_det);
  free(plan->faulty);
  free(plan->queue);
  free(plan->fault_list);
  free(plan);
}

static uint8_t *bytes(size_t n, int value) {
  uint8_t *b = aligned_alloc(BLOCK, n);
  if (b)
    memset(b, value, n);
  return b;
}

static bool needed(const struct ut_mechanisms *mechanisms, enum matrix x) {
  switch (x) {
  case DET:
  case DET_TO: return mechanisms->deterministic;
  case MIS: return mechanisms->misroute;
  case MIS_DET: return mechanisms->misroute && mechanisms->deterministic;
  case AM:
  case AM_TO: return mechanisms->misroute && mechanisms->intermediate;
  case ALL:
  case ALL_TO: return mechanisms->misroute && mechanisms->intermediate && mechanisms->deterministic;
  case ONE: return mechanisms->intermediate >= 2;
  case ONE_AD: return mechanisms->intermediate >= 2 && mechanisms->deterministic;
  default: return true;
  }
}

static bool make_misrouting_tables(struct ut_plan *plan) {
  const struct ut_grid *grid = plan->grid;
  size_t matrix = plan->nodes * plan->stride, all = matrix * grid->directions;
  plan->late = bytes(all, 0);
  plan->rest = bytes(all, 0);
  plan->rest_det = bytes(plan->may.deterministic ? all : BLOCK, 0);
  if (!plan->late || !plan->rest || !plan->rest_det)
    return false;
  for (unsigned place = 0; place < grid->directions; place++) {
    unsigned before = 0; /* directions that precede it */
    for (unsigned i = 0; i < place; i++)
      before |= 1u << ut_grid_direction(grid, i);
    for (uint32_t c = 0; c < plan->nodes; c++)
      for (uint32_t d = 0; d < plan->nodes; d++) {
        size_t i = place * matrix + c * plan->stride + d;
        plan->late[i] = ut_grid_profitable(grid, c, d) & before ? NO_ROUTE : 0;
      }
  }
  return true;
}

static bool make_link_tables(struct ut_plan *plan) {
  size_t matrix = plan->nodes * plan->stride, all = matrix * plan->grid->links;
  if (all > TABLE_BYTES / 3)
    return true;
  plan->on_minimal = bytes(all, 0);
  if (!plan->on_minimal)
    return false;
  for (uint32_t l = 0; l < plan->grid->links; l++)
    block_minimal(plan, l, plan->on_minimal + l * matrix);
  if (!plan->may.deterministic)
    return true;
  plan->on_det = bytes(all, 0);
  plan->on_det_to = bytes(all, 0);
  if (!plan->on_det || !plan->on_det_to)
    return false;
  make_det_tables(plan);
  return true;
}

bool ut_plan_fits(const struct ut_grid *grid) {
  return grid->nodes <= UT_PLAN_MAX_NODES && grid->diameter <= UT_PLAN_MAX_DIAMETER;
}

struct ut_plan *ut_plan_new(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms, struct ut_error *e) {
  if (!ut_plan_fits(grid)) {
    ut_fail(e, UT_BAD_INPUT, "%u nodes, diameter %u: routes can be planned for at most %d nodes and a diameter of %d",
            (unsigned)grid->nodes, grid->diameter, UT_PLAN_MAX_NODES, UT_PLAN_MAX_DIAMETER);
    return NULL;
  }
  struct ut_plan *plan = calloc(1, sizeof *plan);
  bool ok = plan;
  if (ok) {
    plan->grid = grid;
    plan->may = *mechanisms;
    plan->nodes = grid->nodes;
    plan->stride = (grid->nodes + BLOCK - 1) / BLOCK * BLOCK;
    for (unsigned i = 0; i < MATRICES; i++)
      if (needed(mechanisms, i)) {
        plan->m[i] = bytes(plan->nodes * plan->stride, NO_ROUTE);
        plan->done[i] = calloc(plan->nodes, sizeof *plan->done[i]);
        ok &= plan->m[i] && plan->done[i];
      }
    plan->faulty = calloc((size_t)grid->nodes * grid->directions, sizeof *plan->faulty);
    plan->queue = calloc(grid->nodes, sizeof *plan->queue);
    plan->fault_list = calloc(grid->links, sizeof *plan->fault_list);
    ok &= plan->faulty && plan->queue && plan->fault_list;
  }
  if (ok) {
    for (uint32_t s = 0; s < plan->nodes; s++)
      for (uint32_t d = 0; d < plan->nodes; d++)
        row(plan, DISTANCE, s)[d] = (uint8_t)ut_grid_distance(grid, s, d);
    ok = make_link_tables(plan) && (!mechanisms->misroute || make_misrouting_tables(plan));
  }
  if (!ok) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for a planner of %u nodes", (unsigned)grid->nodes);
    ut_plan_free(plan);
    return NULL;
  }
  ut_plan_set_faults(plan, NULL, 0);
  return plan;
}

/* ---- a fault set */

static void mark_faults(struct ut_plan *plan, bool value) {
  for (unsigned i = 0; i < plan->faults; i++)
    for (unsigned j = 0; j < 2; j++)
      plan->faulty[plan->grid->end[plan->fault_list[i]][j]] = value;
}

void ut_plan_set_faults(struct ut_plan *plan, const uint32_t *link, unsigned count) {
  size_t matrix = plan->nodes * plan->stride;
  mark_faults(plan, false);
  if (count)
    memcpy(plan->fault_list, link, count * sizeof *link);
  plan->faults = count;
  mark_faults(plan, true);
  plan->epoch++;
  memcpy(plan->m[ADAPTIVE], plan->m[DISTANCE], matrix);
  for (unsigned i = 0; i < count; i++)
    if (plan->on_minimal)
      or_into(plan->m[ADAPTIVE], plan->on_minimal + link[i] * matrix, matrix);
    else
      block_minimal(plan, link[i], plan->m[ADAPTIVE]);
  if (!plan->may.deterministic)
    return;
  memcpy(plan->m[DET], plan->m[DISTANCE], matrix);
  memcpy(plan->m[DET_TO], plan->m[DISTANCE], matrix);
  if (plan->on_det)
    for (unsigned i = 0; i < count; i++) {
      or_into(plan->m[DET], plan->on_det + link[i] * matrix, matrix);
      or_into(plan->m[DET_TO], plan->on_det_to + link[i] * matrix, matrix);
    }
  else
    block_det_walking(plan);
}

/* ---- matrices on demand */

/* Returns whether the row must be computed, and marks it as computed. */
static bool missing(struct ut_plan *plan, enum matrix m, uint32_t n) {
  if (plan->done[m][n] == plan->epoch)
    return false;
  plan->done[m][n] = plan->epoch;
  return true;
}

/* Computes the hops of the shortest fault-free path to every node. */
static const uint8_t *physical(struct ut_plan *plan, uint32_t from) {
  const struct ut_grid *grid = plan->grid;
  uint8_t *length = row(plan, PHYSICAL, from);
  if (!missing(plan, PHYSICAL, from))
    return length;
  memset(length, NO_ROUTE, plan->stride);
  length[from] = 0;
  plan->queue[0] = from;
  for (uint32_t head = 0, tail = 1; head < tail; head++) {
    uint32_t n = plan->queue[head];
    for (unsigned i = 0; i < grid->directions; i++) {
      uint32_t next = grid->next[n * grid->directions + i];
      if (next == UT_GRID_NONE || plan->faulty[n * grid->directions + i] || length[next] != NO_ROUTE)
        continue;
      length[next] = (uint8_t)(length[n] + 1);
      plan->queue[tail++] = next;
    }
  }
  return length;
}

/* At most one intermediate node, to (or, which is the same, from) every node. */
static const uint8_t *one(struct ut_plan *plan, uint32_t n) {
  uint8_t *length = row(plan, ONE, n);
  if (missing(plan, ONE, n))
    for (uint32_t d = 0; d < plan->nodes; d++)
      length[d] = (uint8_t)min_plus(row(plan, ADAPTIVE, n), row(plan, ADAPTIVE, d), plan->stride);
  return length;
}

static const uint8_t *one_ad(struct ut_plan *plan, uint32_t from) {
  uint8_t *length = row(plan, ONE_AD, from);
  if (missing(plan, ONE_AD, from))
    for (uint32_t d = 0; d < plan->nodes; d++)
      length[d] = (uint8_t)min_plus(row(plan, DET, from), row(plan, DET_TO, d), plan->stride);
  return length;
}

/* A search of all misrouted paths from a node. */
struct misrouting {
  struct ut_plan *p;
  uint8_t *length, *length_det; /* rows that are computed, or NULL: */
  /* ... a sub-path of that length to that node is searched for, with as few directions as possible */
  uint32_t target;
  unsigned wanted;
  bool wanted_det;
  struct ut_subpath now, *best;
};

static void visit(struct misrouting *misrouting, uint32_t node, unsigned place, unsigned hops) {
  struct ut_plan *plan = misrouting->p;
  size_t i = (place * plan->nodes + node) * plan->stride;
  if (misrouting->length) {
    lower(misrouting->length, plan->rest + i, hops, plan->stride);
    if (misrouting->length_det)
      lower(misrouting->length_det, plan->rest_det + i, hops, plan->stride);
  } else if (hops + (misrouting->wanted_det ? plan->rest_det : plan->rest)[i + misrouting->target] ==
                 misrouting->wanted &&
             (!misrouting->best->misroutes || misrouting->now.misroutes < misrouting->best->misroutes)) {
    *misrouting->best = misrouting->now;
  }
}

static void misroute(struct misrouting *misrouting, uint32_t from, unsigned first_place, unsigned hops) {
  const struct ut_grid *grid = misrouting->p->grid;
  unsigned used = misrouting->now.misroutes++;
  for (unsigned place = first_place; place < grid->directions; place++) {
    unsigned direction = ut_grid_direction(grid, place);
    uint32_t node = from;
    for (unsigned h = 1; h <= UT_PLAN_MISROUTE_HOPS; h++) {
      uint32_t i = node * grid->directions + direction;
      if (misrouting->p->faulty[i] || grid->next[i] == UT_GRID_NONE ||
          grid->next[i] == from) /* fault, border, once around the ring */
        break;
      node = grid->next[i];
      misrouting->now.misroute[used].direction = (uint8_t)direction;
      misrouting->now.misroute[used].hops = (uint8_t)h;
      visit(misrouting, node, place, hops + h);
      if (used + 1 < UT_PLAN_MISROUTES)
        misroute(misrouting, node, place + 1, hops + h);
    }
  }
  misrouting->now.misroutes--;
}

static void prepare_rest(struct ut_plan *plan) {
  if (plan->rest_epoch == plan->epoch)
    return;
  plan->rest_epoch = plan->epoch;
  size_t matrix = plan->nodes * plan->stride;
  for (unsigned place = 0; place < plan->grid->directions; place++) {
    memcpy(plan->rest + place * matrix, plan->late + place * matrix, matrix);
    or_into(plan->rest + place * matrix, plan->m[ADAPTIVE], matrix);
    if (plan->may.deterministic) {
      memcpy(plan->rest_det + place * matrix, plan->late + place * matrix, matrix);
      or_into(plan->rest_det + place * matrix, plan->m[DET], matrix);
    }
  }
}

/* Rows MIS and MIS_DET of a node. */
static void misroute_row(struct ut_plan *plan, uint32_t from) {
  if (!missing(plan, MIS, from))
    return;
  prepare_rest(plan);
  struct misrouting misrouting = {.p = plan, .length = row(plan, MIS, from)};
  memset(misrouting.length, NO_ROUTE, plan->stride);
  if (plan->may.deterministic) {
    misrouting.length_det = row(plan, MIS_DET, from);
    memset(misrouting.length_det, NO_ROUTE, plan->stride);
  }
  misroute(&misrouting, from, 0, 0);
}

/* AM and ALL, with their transposes. */
static void misroute_all(struct ut_plan *plan) {
  if (plan->all_epoch == plan->epoch)
    return;
  plan->all_epoch = plan->epoch;
  for (uint32_t s = 0; s < plan->nodes; s++) {
    misroute_row(plan, s);
    memcpy(row(plan, AM, s), row(plan, ADAPTIVE, s), plan->stride);
    lower(row(plan, AM, s), row(plan, MIS, s), 0, plan->stride);
    if (!plan->may.deterministic)
      continue;
    memcpy(row(plan, ALL, s), row(plan, AM, s), plan->stride);
    lower(row(plan, ALL, s), row(plan, MIS_DET, s), 0,
          plan->stride); /* of DET the first hop is one of misrouting, too */
  }
  transpose(plan->m[AM_TO], plan->m[AM], plan->nodes, plan->stride);
  if (plan->may.deterministic)
    transpose(plan->m[ALL_TO], plan->m[ALL], plan->nodes, plan->stride);
}

/* ---- the best route of a pair */

/* Length of the shortest route whose class is that one or an earlier one with a part of its mechanisms. */
static unsigned length_of(struct ut_plan *plan, enum ut_plan_class class, uint32_t s, uint32_t d) {
  switch (class) {
  case UT_PLAN_I: return min_plus(row(plan, ADAPTIVE, s), row(plan, ADAPTIVE, d), plan->stride);
  case UT_PLAN_I2: return min_plus(one(plan, s), row(plan, ADAPTIVE, d), plan->stride);
  case UT_PLAN_I3: return min_plus(one(plan, s), one(plan, d), plan->stride);
  case UT_PLAN_D: return row(plan, DET, s)[d];
  case UT_PLAN_ID: return min_plus(row(plan, DET, s), row(plan, DET_TO, d), plan->stride);
  case UT_PLAN_I2D: return min_plus(one_ad(plan, s), row(plan, DET_TO, d), plan->stride);
  case UT_PLAN_IM: misroute_all(plan); return min_plus(row(plan, AM, s), row(plan, AM_TO, d), plan->stride);
  case UT_PLAN_M: misroute_row(plan, s); return row(plan, MIS, s)[d];
  case UT_PLAN_DM: misroute_row(plan, s); return row(plan, MIS_DET, s)[d];
  case UT_PLAN_IDM: misroute_all(plan); return min_plus(row(plan, ALL, s), row(plan, ALL_TO, d), plan->stride);
  default: return NO_ROUTE;
  }
}

enum ut_plan_class ut_plan_classify(struct ut_plan *plan, uint32_t s, uint32_t d, unsigned *length) {
  unsigned bound = row(plan, DISTANCE, s)[d], best = NO_ROUTE;
  enum ut_plan_class class = UT_PLAN_NONE;
  *length = bound;
  if (row(plan, ADAPTIVE, s)[d] != NO_ROUTE)
    return UT_PLAN_ADAPTIVE;
  if (plan->may.intermediate) { /* the most frequent case first */
    best = length_of(plan, UT_PLAN_I, s, d);
    if (best == bound)
      return UT_PLAN_I;
    if (best != NO_ROUTE)
      class = UT_PLAN_I;
  }
  bound = physical(plan, s)[d];
  if (bound == NO_ROUTE)
    return UT_PLAN_SEPARATED;
  for (enum ut_plan_class c = UT_PLAN_I2; c <= UT_PLAN_IDM && best != bound; c++) {
    if (!ut_plan_allows(&plan->may, c))
      continue;
    unsigned l = length_of(plan, c, s, d);
    if (c == UT_PLAN_IM && l == 1) /* one of two parallel links: there is no room for an intermediate node */
      continue;
    if (l < best) {
      best = l;
      class = c;
    }
  }
  *length = best;
  return class;
}

bool ut_plan_one_way_works(const struct ut_plan *plan, uint32_t from, uint32_t to) {
  const struct ut_grid *grid = plan->grid;
  for (uint32_t n = from; n != to;) {
    const uint32_t i = n * grid->directions + ut_grid_first(grid, n, to, plan->may.direction_order);
    if (plan->faulty[i])
      return false;
    n = grid->next[i];
  }
  return true;
}

bool ut_plan_count(struct ut_plan *plan, struct ut_plan_counts *counts) {
  bool symmetric = !plan->may.deterministic && !plan->may.misroute; /* a route back is as good as the route */
  *counts = (struct ut_plan_counts){0};
  uint64_t affected = 0;
  for (uint32_t s = 0; s < plan->nodes; s++) {
    const uint8_t *adaptive = row(plan, ADAPTIVE, s);
    for (uint32_t d = symmetric ? s + 1 : 0; d < plan->nodes; d++) {
      unsigned length;
      if (adaptive[d] != NO_ROUTE)
        continue;
      enum ut_plan_class class = ut_plan_classify(plan, s, d, &length);
      if (class == UT_PLAN_NONE)
        return false;
      counts->pairs[class] += 1 + symmetric;
      affected += 1 + symmetric;
    }
  }
  counts->pairs[UT_PLAN_ADAPTIVE] = (uint64_t)plan->nodes * plan->nodes - affected;
  return true;
}

/* ---- the route itself */

enum kind { A, D, M, DM, KINDS };

/* Of a kind that is allowed. */
static unsigned subpath_length(struct ut_plan *plan, enum kind kind, uint32_t s, uint32_t d) {
  switch (kind) {
  case A: return row(plan, ADAPTIVE, s)[d];
  case D: return row(plan, DET, s)[d];
  case M: misroute_row(plan, s); return row(plan, MIS, s)[d];
  default: misroute_row(plan, s); return row(plan, MIS_DET, s)[d];
  }
}

static void add_subpath(struct ut_plan *plan, struct ut_plan_route *route, enum kind kind, uint32_t s, uint32_t d) {
  struct ut_subpath *sub = &route->subpath[route->subpaths++];
  *sub = (struct ut_subpath){0};
  if (kind == M || kind == DM) {
    prepare_rest(plan);
    struct misrouting misrouting = {
        .p = plan, .target = d, .wanted = subpath_length(plan, kind, s, d), .wanted_det = kind == DM, .best = sub};
    misroute(&misrouting, s, 0, 0);
  }
  sub->target = d;
  sub->deterministic = kind == D || kind == DM;
}

/* One intermediate node and sub-paths of those kinds (masks) with that length: the fewest sub-paths that are not
 * adaptive, then the first candidate. */
static void add_two(struct ut_plan *plan, struct ut_plan_route *route, uint32_t s, uint32_t d, unsigned length,
                    unsigned kinds) {
  unsigned best = 3;
  enum kind kind[2] = {A, A};
  uint32_t via = 0;
  for (uint32_t n = 0; n < plan->nodes && best; n++)
    for (enum kind a = A; a < KINDS; a++)
      for (enum kind b = A; b < KINDS; b++) {
        const uint32_t i = ut_plan_candidate(plan->nodes, s, d, n);
        unsigned cost = (a != A) + (b != A);
        if (i == s || i == d || cost >= best || !(kinds >> a & 1) || !(kinds >> b & 1) ||
            subpath_length(plan, a, s, i) + subpath_length(plan, b, i, d) != length)
          continue;
        best = cost;
        kind[0] = a, kind[1] = b, via = i;
      }
  add_subpath(plan, route, kind[0], s, via);
  add_subpath(plan, route, kind[1], via, d);
}

/* Two intermediate nodes, sub-paths adaptive or deterministic.  None of them is where another one is, or an end: fewer
 * nodes would do, and the class would be another one. */
static void add_three_ad(struct ut_plan *plan, struct ut_plan_route *route, uint32_t s, uint32_t d, unsigned length) {
  unsigned best = 4;
  uint32_t via[2] = {0, 0};
  for (uint32_t n = 0; n < plan->nodes; n++) {
    const uint32_t i = ut_plan_candidate(plan->nodes, s, d, n);
    unsigned first = row(plan, DET, s)[i];
    if (first + one_ad(plan, i)[d] != length)
      continue;
    for (uint32_t m = 0; m < plan->nodes; m++) {
      const uint32_t j = ut_plan_candidate(plan->nodes, i, d, m);
      unsigned cost = (row(plan, ADAPTIVE, s)[i] == NO_ROUTE) + (row(plan, ADAPTIVE, i)[j] == NO_ROUTE) +
                      (row(plan, ADAPTIVE, j)[d] == NO_ROUTE);
      if (first + row(plan, DET, i)[j] + row(plan, DET, j)[d] != length || cost >= best)
        continue;
      best = cost;
      via[0] = i, via[1] = j;
    }
  }
  add_subpath(plan, route, row(plan, ADAPTIVE, s)[via[0]] == NO_ROUTE ? D : A, s, via[0]);
  add_subpath(plan, route, row(plan, ADAPTIVE, via[0])[via[1]] == NO_ROUTE ? D : A, via[0], via[1]);
  add_subpath(plan, route, row(plan, ADAPTIVE, via[1])[d] == NO_ROUTE ? D : A, via[1], d);
}

/* Adaptive sub-paths only, two or three intermediate nodes, which as above are different ones; the last ones follow
 * from theorem 1. */
static void add_many(struct ut_plan *plan, struct ut_plan_route *route, uint32_t s, uint32_t d, unsigned length,
                     unsigned intermediate) {
  if (intermediate == 1) {
    add_two(plan, route, s, d, length, 1u << A);
    return;
  }
  for (uint32_t n = 0; n < plan->nodes; n++) {
    const uint32_t i = ut_plan_candidate(plan->nodes, s, d, n);
    unsigned first = row(plan, ADAPTIVE, s)[i];
    if (first + (intermediate == 2 ? one(plan, i)[d] : min_plus(one(plan, i), row(plan, ADAPTIVE, d), plan->stride)) !=
        length)
      continue;
    add_subpath(plan, route, A, s, i);
    add_many(plan, route, i, d, length - first, intermediate - 1);
    return;
  }
}

void ut_plan_route(struct ut_plan *plan, uint32_t s, uint32_t d, struct ut_plan_route *route) {
  *route = (struct ut_plan_route){0};
  route->class = ut_plan_classify(plan, s, d, &route->length);
  switch (route->class) {
  case UT_PLAN_ADAPTIVE: add_subpath(plan, route, A, s, d); break;
  case UT_PLAN_D: add_subpath(plan, route, D, s, d); break;
  case UT_PLAN_M: add_subpath(plan, route, M, s, d); break;
  case UT_PLAN_DM: add_subpath(plan, route, DM, s, d); break;
  case UT_PLAN_I: add_many(plan, route, s, d, route->length, 1); break;
  case UT_PLAN_I2: add_many(plan, route, s, d, route->length, 2); break;
  case UT_PLAN_I3: add_many(plan, route, s, d, route->length, 3); break;
  case UT_PLAN_ID: add_two(plan, route, s, d, route->length, 1u << A | 1u << D); break;
  case UT_PLAN_IM: add_two(plan, route, s, d, route->length, 1u << A | 1u << M); break;
  case UT_PLAN_IDM: add_two(plan, route, s, d, route->length, (1u << KINDS) - 1); break;
  case UT_PLAN_I2D: add_three_ad(plan, route, s, d, route->length); break;
  default: route->length = 0;
  }
}

unsigned ut_plan_entry_bits(const struct ut_grid *grid, const struct ut_mechanisms *allowed) {
  unsigned address = 0;
  while (grid->nodes > 1u << address)
    address++;
  unsigned direction = 0; /* and three bits for 1..8 hops; direction number 2 * dimensions: none */
  while (grid->directions + 1 > 1u << direction)
    direction++;
  unsigned mechanisms = allowed->deterministic + (allowed->misroute ? UT_PLAN_MISROUTES * (direction + 3) : 0);
  return address + (allowed->intermediate + 1) * mechanisms + allowed->intermediate * (address + 1);
}

uint64_t ut_plan_table_bits(struct ut_plan *plan, uint32_t from) {
  unsigned entries = 0, length;
  for (uint32_t to = 0; to < plan->nodes; to++) {
    enum ut_plan_class class = ut_plan_classify(plan, from, to, &length);
    entries += class != UT_PLAN_ADAPTIVE && class < UT_PLAN_NONE;
  }
  return (uint64_t)entries * ut_plan_entry_bits(plan->grid, &plan->may);
}
