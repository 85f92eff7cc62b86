/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - see plan.h */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* "No such sub-path" in the byte matrices.  Sums of two lengths stay below 256, and a sum is a length exactly if it is
 * below NO_ROUTE: no route of at most UT_PLAN_SUBPATHS sub-paths is longer than 4 * MAX_DIAMETER, none with misrouting
 * longer than 2 * (24 + MAX_DIAMETER). */
enum { NO_ROUTE = 127, MAX_DIAMETER = 31, BLOCK = 32 };
enum { TABLE_BYTES = 48 << 20 };

const char *const ut_plan_class_name[UT_PLAN_CLASSES] = {"adaptive", "I", "I2",  "I3",    "D",    "I+D",      "I2+D",
                                                         "I+M",      "M", "D+M", "I+D+M", "none", "separated"};

const struct ut_mechanisms ut_mechanism_sets[UT_MECHANISM_SETS] = {
    {"I", 1, false, false, false},   {"D", 0, true, false, false},   {"M", 0, false, true, true},
    {"I+D", 1, true, false, false},  {"I+M", 1, false, true, true},  {"D+M", 0, true, true, true},
    {"I+D+M", 1, true, true, true},  {"I2", 2, false, false, false}, {"I3", 3, false, false, false},
    {"I2+D", 2, true, false, false},
};

/* Whether one of the words of `list`, with + between them, is the first one of `word`, `length` long. */
static bool has_word(const char *list, const char *word, size_t length) {
  for (size_t n; *list; list += n + (list[n] == '+')) {
    n = strcspn(list, "+");
    if (n == length && !strncmp(list, word, n))
      return true;
  }
  return false;
}

/* The same words in any order. */
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

/* Matrices of lengths: row `from`, column `to`, or the other way round where the name ends in _to. */
enum matrix {
  DISTANCE, /* fault-free */
  ADAPTIVE, /* symmetric */
  DET,
  DET_TO, /* deterministic; also adaptive or deterministic: where all minimal paths work this one does */
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
  uint32_t *done[MATRICES];  /* of matrices made row by row on demand: the fault set for which the row is valid */
  uint32_t epoch, all_epoch; /* number of the fault set; for which the misrouting matrices are complete */
  /* By link, 0 or NO_ROUTE for every pair: the link is on some minimal path, on the deterministic path.  NULL where
   * that would be too large; computed anew for each fault then. */
  uint8_t *on_minimal, *on_det, *on_det_to;
  /* By place of the last misrouted direction, where misrouting ended, target: 0, or NO_ROUTE where an earlier direction
   * is still needed.  For adaptive and for deterministic continuation: of a ring where both directions are equally long
   * plus is needed in either case, and comes before minus. */
  uint8_t *late;
  uint8_t *rest, *rest_det; /* the same ORed with the lengths of ADAPTIVE and DET */
  uint32_t rest_epoch;
  bool *faulty;    /* [nodes * directions] */
  uint32_t *queue; /* [nodes] */
  unsigned faults;
  uint32_t *fault_list;
};

static inline uint8_t *row(const struct ut_plan *p, enum matrix m, uint32_t n) {
  return p->m[m] + n * p->stride;
}

/* min over i of x[i] + y[i]: the shortest way through one intermediate node.  Never above NO_ROUTE: x is 0 where it
 * begins. */
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
static void block_minimal(const struct ut_plan *p, uint32_t link, uint8_t *into) {
  const struct ut_grid *g = p->grid;
  const uint8_t *u = row(p, DISTANCE, g->end[link][0] / g->directions);
  const uint8_t *v = row(p, DISTANCE, g->end[link][1] / g->directions);
  for (uint32_t s = 0; s < p->nodes; s++) {
    const uint8_t *length = row(p, DISTANCE, s);
    uint8_t *out = into + s * p->stride;
    for (uint32_t d = 0; d < p->nodes; d++)
      if (u[s] + 1 + v[d] == length[d] || v[s] + 1 + u[d] == length[d])
        out[d] |= NO_ROUTE;
  }
}

/* The same for the deterministic paths, for all links at once. */
static void make_det_tables(struct ut_plan *p) {
  const struct ut_grid *g = p->grid;
  size_t matrix = p->nodes * p->stride;
  for (uint32_t s = 0; s < p->nodes; s++)
    for (uint32_t d = 0; d < p->nodes; d++)
      for (uint32_t n = s; n != d;) {
        uint32_t i = n * g->directions + ut_grid_first(g, n, d, p->may.direction_order);
        p->on_det[g->link[i] * matrix + s * p->stride + d] = NO_ROUTE;
        p->on_det_to[g->link[i] * matrix + d * p->stride + s] = NO_ROUTE;
        n = g->next[i];
      }
}

/* What the faults block, for networks without tables of what each link blocks. */
static void block_det_walking(struct ut_plan *p) {
  const struct ut_grid *g = p->grid;
  for (uint32_t s = 0; s < p->nodes; s++)
    for (uint32_t d = 0; d < p->nodes; d++)
      for (uint32_t n = s; n != d;) {
        uint32_t i = n * g->directions + ut_grid_first(g, n, d, p->may.direction_order);
        if (p->faulty[i]) {
          row(p, DET, s)[d] = row(p, DET_TO, d)[s] = NO_ROUTE;
          break;
        }
        n = g->next[i];
      }
}

/* ---- making a planner */

void ut_plan_free(struct ut_plan *p) {
  if (!p)
    return;
  for (unsigned i = 0; i < MATRICES; i++) {
    free(p->m[i]);
    free(p->done[i]);
  }
  free(p->on_minimal);
  free(p->on_det);
  free(p->on_det_to);
  free(p->late);
  free(p->rest);
  free(p->rest_det);
  free(p->faulty);
  free(p->queue);
  free(p->fault_list);
  free(p);
}

static uint8_t *bytes(size_t n, int value) {
  uint8_t *b = aligned_alloc(BLOCK, n);
  if (b)
    memset(b, value, n);
  return b;
}

static bool needed(const struct ut_mechanisms *m, enum matrix x) {
  switch (x) {
  case DET:
  case DET_TO: return m->deterministic;
  case MIS: return m->misroute;
  case MIS_DET: return m->misroute && m->deterministic;
  case AM:
  case AM_TO: return m->misroute && m->intermediate;
  case ALL:
  case ALL_TO: return m->misroute && m->intermediate && m->deterministic;
  case ONE: return m->intermediate >= 2;
  case ONE_AD: return m->intermediate >= 2 && m->deterministic;
  default: return true;
  }
}

static bool make_misrouting_tables(struct ut_plan *p) {
  const struct ut_grid *g = p->grid;
  size_t matrix = p->nodes * p->stride, all = matrix * g->directions;
  p->late = bytes(all, 0);
  p->rest = bytes(all, 0);
  p->rest_det = bytes(p->may.deterministic ? all : BLOCK, 0);
  if (!p->late || !p->rest || !p->rest_det)
    return false;
  for (unsigned place = 0; place < g->directions; place++) {
    unsigned before = 0; /* directions that precede it */
    for (unsigned i = 0; i < place; i++)
      before |= 1u << ut_grid_direction(g, i);
    for (uint32_t c = 0; c < p->nodes; c++)
      for (uint32_t d = 0; d < p->nodes; d++) {
        size_t i = place * matrix + c * p->stride + d;
        p->late[i] = ut_grid_profitable(g, c, d) & before ? NO_ROUTE : 0;
      }
  }
  return true;
}

static bool make_link_tables(struct ut_plan *p) {
  size_t matrix = p->nodes * p->stride, all = matrix * p->grid->links;
  if (all > TABLE_BYTES / 3)
    return true;
  p->on_minimal = bytes(all, 0);
  if (!p->on_minimal)
    return false;
  for (uint32_t l = 0; l < p->grid->links; l++)
    block_minimal(p, l, p->on_minimal + l * matrix);
  if (!p->may.deterministic)
    return true;
  p->on_det = bytes(all, 0);
  p->on_det_to = bytes(all, 0);
  if (!p->on_det || !p->on_det_to)
    return false;
  make_det_tables(p);
  return true;
}

struct ut_plan *ut_plan_new(const struct ut_grid *g, const struct ut_mechanisms *m, struct ut_error *e) {
  if (g->nodes > UT_PLAN_MAX_NODES || g->diameter > MAX_DIAMETER) {
    ut_fail(e, UT_BAD_INPUT, "%u nodes, diameter %u: routes can be planned for at most %d nodes and a diameter of %d",
            (unsigned)g->nodes, g->diameter, UT_PLAN_MAX_NODES, MAX_DIAMETER);
    return NULL;
  }
  struct ut_plan *p = calloc(1, sizeof *p);
  bool ok = p;
  if (ok) {
    p->grid = g;
    p->may = *m;
    p->nodes = g->nodes;
    p->stride = (g->nodes + BLOCK - 1) / BLOCK * BLOCK;
    for (unsigned i = 0; i < MATRICES; i++)
      if (needed(m, i)) {
        p->m[i] = bytes(p->nodes * p->stride, NO_ROUTE);
        p->done[i] = calloc(p->nodes, sizeof *p->done[i]);
        ok &= p->m[i] && p->done[i];
      }
    p->faulty = calloc((size_t)g->nodes * g->directions, sizeof *p->faulty);
    p->queue = calloc(g->nodes, sizeof *p->queue);
    p->fault_list = calloc(g->links, sizeof *p->fault_list);
    ok &= p->faulty && p->queue && p->fault_list;
  }
  if (ok) {
    for (uint32_t s = 0; s < p->nodes; s++)
      for (uint32_t d = 0; d < p->nodes; d++)
        row(p, DISTANCE, s)[d] = (uint8_t)ut_grid_distance(g, s, d);
    ok = make_link_tables(p) && (!m->misroute || make_misrouting_tables(p));
  }
  if (!ok) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for a planner of %u nodes", (unsigned)g->nodes);
    ut_plan_free(p);
    return NULL;
  }
  ut_plan_set_faults(p, NULL, 0);
  return p;
}

/* ---- a fault set */

static void mark_faults(struct ut_plan *p, bool value) {
  for (unsigned i = 0; i < p->faults; i++)
    for (unsigned j = 0; j < 2; j++)
      p->faulty[p->grid->end[p->fault_list[i]][j]] = value;
}

void ut_plan_set_faults(struct ut_plan *p, const uint32_t *link, unsigned count) {
  size_t matrix = p->nodes * p->stride;
  mark_faults(p, false);
  if (count)
    memcpy(p->fault_list, link, count * sizeof *link);
  p->faults = count;
  mark_faults(p, true);
  p->epoch++;
  memcpy(p->m[ADAPTIVE], p->m[DISTANCE], matrix);
  for (unsigned i = 0; i < count; i++)
    if (p->on_minimal)
      or_into(p->m[ADAPTIVE], p->on_minimal + link[i] * matrix, matrix);
    else
      block_minimal(p, link[i], p->m[ADAPTIVE]);
  if (!p->may.deterministic)
    return;
  memcpy(p->m[DET], p->m[DISTANCE], matrix);
  memcpy(p->m[DET_TO], p->m[DISTANCE], matrix);
  if (p->on_det)
    for (unsigned i = 0; i < count; i++) {
      or_into(p->m[DET], p->on_det + link[i] * matrix, matrix);
      or_into(p->m[DET_TO], p->on_det_to + link[i] * matrix, matrix);
    }
  else
    block_det_walking(p);
}

/* ---- matrices on demand */

/* Whether the row has to be made; it then counts as made. */
static bool missing(struct ut_plan *p, enum matrix m, uint32_t n) {
  if (p->done[m][n] == p->epoch)
    return false;
  p->done[m][n] = p->epoch;
  return true;
}

/* Hops of the shortest fault-free path to every node. */
static const uint8_t *physical(struct ut_plan *p, uint32_t from) {
  const struct ut_grid *g = p->grid;
  uint8_t *length = row(p, PHYSICAL, from);
  if (!missing(p, PHYSICAL, from))
    return length;
  memset(length, NO_ROUTE, p->stride);
  length[from] = 0;
  p->queue[0] = from;
  for (uint32_t head = 0, tail = 1; head < tail; head++) {
    uint32_t n = p->queue[head];
    for (unsigned i = 0; i < g->directions; i++) {
      uint32_t next = g->next[n * g->directions + i];
      if (next == UT_GRID_NONE || p->faulty[n * g->directions + i] || length[next] != NO_ROUTE)
        continue;
      length[next] = (uint8_t)(length[n] + 1);
      p->queue[tail++] = next;
    }
  }
  return length;
}

/* At most one intermediate node, to (or, which is the same, from) every node. */
static const uint8_t *one(struct ut_plan *p, uint32_t n) {
  uint8_t *length = row(p, ONE, n);
  if (missing(p, ONE, n))
    for (uint32_t d = 0; d < p->nodes; d++)
      length[d] = (uint8_t)min_plus(row(p, ADAPTIVE, n), row(p, ADAPTIVE, d), p->stride);
  return length;
}

static const uint8_t *one_ad(struct ut_plan *p, uint32_t from) {
  uint8_t *length = row(p, ONE_AD, from);
  if (missing(p, ONE_AD, from))
    for (uint32_t d = 0; d < p->nodes; d++)
      length[d] = (uint8_t)min_plus(row(p, DET, from), row(p, DET_TO, d), p->stride);
  return length;
}

/* All ways of misrouting from a node. */
struct misrouting {
  struct ut_plan *p;
  uint8_t *length, *length_det; /* rows that are made, or NULL: */
  /* ... a sub-path of that length to that node is looked for, with as few directions as possible */
  uint32_t target;
  unsigned wanted;
  bool wanted_det;
  struct ut_subpath now, *best;
};

static void visit(struct misrouting *x, uint32_t node, unsigned place, unsigned hops) {
  struct ut_plan *p = x->p;
  size_t i = (place * p->nodes + node) * p->stride;
  if (x->length) {
    lower(x->length, p->rest + i, hops, p->stride);
    if (x->length_det)
      lower(x->length_det, p->rest_det + i, hops, p->stride);
  } else if (hops + (x->wanted_det ? p->rest_det : p->rest)[i + x->target] == x->wanted &&
             (!x->best->misroutes || x->now.misroutes < x->best->misroutes)) {
    *x->best = x->now;
  }
}

static void misroute(struct misrouting *x, uint32_t from, unsigned first_place, unsigned hops) {
  const struct ut_grid *g = x->p->grid;
  unsigned used = x->now.misroutes++;
  for (unsigned place = first_place; place < g->directions; place++) {
    unsigned direction = ut_grid_direction(g, place);
    uint32_t node = from;
    for (unsigned h = 1; h <= UT_PLAN_MISROUTE_HOPS; h++) {
      uint32_t i = node * g->directions + direction;
      if (x->p->faulty[i] || g->next[i] == UT_GRID_NONE || g->next[i] == from) /* fault, border, once round */
        break;
      node = g->next[i];
      x->now.misroute[used].direction = (uint8_t)direction;
      x->now.misroute[used].hops = (uint8_t)h;
      visit(x, node, place, hops + h);
      if (used + 1 < UT_PLAN_MISROUTES)
        misroute(x, node, place + 1, hops + h);
    }
  }
  x->now.misroutes--;
}

static void prepare_rest(struct ut_plan *p) {
  if (p->rest_epoch == p->epoch)
    return;
  p->rest_epoch = p->epoch;
  size_t matrix = p->nodes * p->stride;
  for (unsigned place = 0; place < p->grid->directions; place++) {
    memcpy(p->rest + place * matrix, p->late + place * matrix, matrix);
    or_into(p->rest + place * matrix, p->m[ADAPTIVE], matrix);
    if (p->may.deterministic) {
      memcpy(p->rest_det + place * matrix, p->late + place * matrix, matrix);
      or_into(p->rest_det + place * matrix, p->m[DET], matrix);
    }
  }
}

/* Rows MIS and MIS_DET of a node. */
static void misroute_row(struct ut_plan *p, uint32_t from) {
  if (!missing(p, MIS, from))
    return;
  prepare_rest(p);
  struct misrouting x = {.p = p, .length = row(p, MIS, from)};
  memset(x.length, NO_ROUTE, p->stride);
  if (p->may.deterministic) {
    x.length_det = row(p, MIS_DET, from);
    memset(x.length_det, NO_ROUTE, p->stride);
  }
  misroute(&x, from, 0, 0);
}

/* AM and ALL, with their transposes. */
static void misroute_all(struct ut_plan *p) {
  if (p->all_epoch == p->epoch)
    return;
  p->all_epoch = p->epoch;
  for (uint32_t s = 0; s < p->nodes; s++) {
    misroute_row(p, s);
    memcpy(row(p, AM, s), row(p, ADAPTIVE, s), p->stride);
    lower(row(p, AM, s), row(p, MIS, s), 0, p->stride);
    if (!p->may.deterministic)
      continue;
    memcpy(row(p, ALL, s), row(p, AM, s), p->stride);
    lower(row(p, ALL, s), row(p, MIS_DET, s), 0, p->stride); /* of DET the first hop is one of misrouting, too */
  }
  transpose(p->m[AM_TO], p->m[AM], p->nodes, p->stride);
  if (p->may.deterministic)
    transpose(p->m[ALL_TO], p->m[ALL], p->nodes, p->stride);
}

/* ---- the best route of a pair */

/* Length of the shortest route whose class is that one or an earlier one with a part of its mechanisms. */
static unsigned length_of(struct ut_plan *p, enum ut_plan_class class, uint32_t s, uint32_t d) {
  switch (class) {
  case UT_PLAN_I: return min_plus(row(p, ADAPTIVE, s), row(p, ADAPTIVE, d), p->stride);
  case UT_PLAN_I2: return min_plus(one(p, s), row(p, ADAPTIVE, d), p->stride);
  case UT_PLAN_I3: return min_plus(one(p, s), one(p, d), p->stride);
  case UT_PLAN_D: return row(p, DET, s)[d];
  case UT_PLAN_ID: return min_plus(row(p, DET, s), row(p, DET_TO, d), p->stride);
  case UT_PLAN_I2D: return min_plus(one_ad(p, s), row(p, DET_TO, d), p->stride);
  case UT_PLAN_IM: misroute_all(p); return min_plus(row(p, AM, s), row(p, AM_TO, d), p->stride);
  case UT_PLAN_M: misroute_row(p, s); return row(p, MIS, s)[d];
  case UT_PLAN_DM: misroute_row(p, s); return row(p, MIS_DET, s)[d];
  case UT_PLAN_IDM: misroute_all(p); return min_plus(row(p, ALL, s), row(p, ALL_TO, d), p->stride);
  default: return NO_ROUTE;
  }
}

/* Of the classes behind UT_PLAN_I. */
static bool allowed(const struct ut_mechanisms *m, enum ut_plan_class class) {
  unsigned i = m->intermediate;
  switch (class) {
  case UT_PLAN_I2: return i >= 2;
  case UT_PLAN_I3: return i >= 3;
  case UT_PLAN_D: return m->deterministic;
  case UT_PLAN_ID: return m->deterministic && i >= 1;
  case UT_PLAN_I2D: return m->deterministic && i >= 2;
  case UT_PLAN_IM: return m->misroute && i >= 1;
  case UT_PLAN_M: return m->misroute;
  case UT_PLAN_DM: return m->misroute && m->deterministic;
  case UT_PLAN_IDM: return m->misroute && m->deterministic && i >= 1;
  default: return false;
  }
}

enum ut_plan_class ut_plan_classify(struct ut_plan *p, uint32_t s, uint32_t d, unsigned *length) {
  unsigned bound = row(p, DISTANCE, s)[d], best = NO_ROUTE;
  enum ut_plan_class class = UT_PLAN_NONE;
  *length = bound;
  if (row(p, ADAPTIVE, s)[d] != NO_ROUTE)
    return UT_PLAN_ADAPTIVE;
  if (p->may.intermediate) { /* the most frequent case first */
    best = length_of(p, UT_PLAN_I, s, d);
    if (best == bound)
      return UT_PLAN_I;
    if (best != NO_ROUTE)
      class = UT_PLAN_I;
  }
  bound = physical(p, s)[d];
  if (bound == NO_ROUTE)
    return UT_PLAN_SEPARATED;
  for (enum ut_plan_class c = UT_PLAN_I2; c <= UT_PLAN_IDM && best != bound; c++) {
    if (!allowed(&p->may, c))
      continue;
    unsigned l = length_of(p, c, s, d);
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

bool ut_plan_one_way_works(const struct ut_plan *p, uint32_t from, uint32_t to) {
  const struct ut_grid *g = p->grid;
  for (uint32_t n = from; n != to;) {
    const uint32_t i = n * g->directions + ut_grid_first(g, n, to, p->may.direction_order);
    if (p->faulty[i])
      return false;
    n = g->next[i];
  }
  return true;
}

bool ut_plan_count(struct ut_plan *p, struct ut_plan_counts *counts) {
  bool symmetric = !p->may.deterministic && !p->may.misroute; /* a route back is as good as the route */
  *counts = (struct ut_plan_counts){0};
  uint64_t affected = 0;
  for (uint32_t s = 0; s < p->nodes; s++) {
    const uint8_t *adaptive = row(p, ADAPTIVE, s);
    for (uint32_t d = symmetric ? s + 1 : 0; d < p->nodes; d++) {
      unsigned length;
      if (adaptive[d] != NO_ROUTE)
        continue;
      enum ut_plan_class class = ut_plan_classify(p, s, d, &length);
      if (class == UT_PLAN_NONE)
        return false;
      counts->pairs[class] += 1 + symmetric;
      affected += 1 + symmetric;
    }
  }
  counts->pairs[UT_PLAN_ADAPTIVE] = (uint64_t)p->nodes * p->nodes - affected;
  return true;
}

/* ---- the route itself */

enum kind { A, D, M, DM, KINDS };

/* Of a kind that is allowed. */
static unsigned subpath_length(struct ut_plan *p, enum kind kind, uint32_t s, uint32_t d) {
  switch (kind) {
  case A: return row(p, ADAPTIVE, s)[d];
  case D: return row(p, DET, s)[d];
  case M: misroute_row(p, s); return row(p, MIS, s)[d];
  default: misroute_row(p, s); return row(p, MIS_DET, s)[d];
  }
}

static void add_subpath(struct ut_plan *p, struct ut_plan_route *r, enum kind kind, uint32_t s, uint32_t d) {
  struct ut_subpath *sub = &r->subpath[r->subpaths++];
  *sub = (struct ut_subpath){0};
  if (kind == M || kind == DM) {
    prepare_rest(p);
    struct misrouting x = {
        .p = p, .target = d, .wanted = subpath_length(p, kind, s, d), .wanted_det = kind == DM, .best = sub};
    misroute(&x, s, 0, 0);
  }
  sub->target = d;
  sub->deterministic = kind == D || kind == DM;
}

/* Node number n = 0, 1, 2 ... in the order in which intermediate nodes of a pair are tried: another one for each pair,
 * so that equally good nodes share the load.  A prime above UT_PLAN_MAX_NODES visits all of them. */
static uint32_t candidate(const struct ut_plan *p, uint32_t s, uint32_t d, uint32_t n) {
  uint32_t start = (s * UINT32_C(0x9e3779b1)) ^ (d * UINT32_C(0x85ebca77));
  start ^= start >> 15;
  return (start * UINT32_C(0xc2b2ae3d) % p->nodes + n * 7919) % p->nodes;
}

/* One intermediate node and sub-paths of those kinds (masks) with that length: the fewest sub-paths that are not
 * adaptive, then the first candidate. */
static void add_two(struct ut_plan *p, struct ut_plan_route *r, uint32_t s, uint32_t d, unsigned length,
                    unsigned kinds) {
  unsigned best = 3;
  enum kind kind[2] = {A, A};
  uint32_t via = 0;
  for (uint32_t n = 0; n < p->nodes && best; n++)
    for (enum kind a = A; a < KINDS; a++)
      for (enum kind b = A; b < KINDS; b++) {
        const uint32_t i = candidate(p, s, d, n);
        unsigned cost = (a != A) + (b != A);
        if (i == s || i == d || cost >= best || !(kinds >> a & 1) || !(kinds >> b & 1) ||
            subpath_length(p, a, s, i) + subpath_length(p, b, i, d) != length)
          continue;
        best = cost;
        kind[0] = a, kind[1] = b, via = i;
      }
  add_subpath(p, r, kind[0], s, via);
  add_subpath(p, r, kind[1], via, d);
}

/* Two intermediate nodes, sub-paths adaptive or deterministic.  None of them is where another one is, or an end: fewer
 * nodes would do, and the class would be another one. */
static void add_three_ad(struct ut_plan *p, struct ut_plan_route *r, uint32_t s, uint32_t d, unsigned length) {
  unsigned best = 4;
  uint32_t via[2] = {0, 0};
  for (uint32_t n = 0; n < p->nodes; n++) {
    const uint32_t i = candidate(p, s, d, n);
    unsigned first = row(p, DET, s)[i];
    if (first + one_ad(p, i)[d] != length)
      continue;
    for (uint32_t m = 0; m < p->nodes; m++) {
      const uint32_t j = candidate(p, i, d, m);
      unsigned cost = (row(p, ADAPTIVE, s)[i] == NO_ROUTE) + (row(p, ADAPTIVE, i)[j] == NO_ROUTE) +
                      (row(p, ADAPTIVE, j)[d] == NO_ROUTE);
      if (first + row(p, DET, i)[j] + row(p, DET, j)[d] != length || cost >= best)
        continue;
      best = cost;
      via[0] = i, via[1] = j;
    }
  }
  add_subpath(p, r, row(p, ADAPTIVE, s)[via[0]] == NO_ROUTE ? D : A, s, via[0]);
  add_subpath(p, r, row(p, ADAPTIVE, via[0])[via[1]] == NO_ROUTE ? D : A, via[0], via[1]);
  add_subpath(p, r, row(p, ADAPTIVE, via[1])[d] == NO_ROUTE ? D : A, via[1], d);
}

/* Adaptive sub-paths only, two or three intermediate nodes, which as above are different ones; the last ones follow
 * from theorem 1. */
static void add_many(struct ut_plan *p, struct ut_plan_route *r, uint32_t s, uint32_t d, unsigned length,
                     unsigned intermediate) {
  if (intermediate == 1) {
    add_two(p, r, s, d, length, 1u << A);
    return;
  }
  for (uint32_t n = 0; n < p->nodes; n++) {
    const uint32_t i = candidate(p, s, d, n);
    unsigned first = row(p, ADAPTIVE, s)[i];
    if (first + (intermediate == 2 ? one(p, i)[d] : min_plus(one(p, i), row(p, ADAPTIVE, d), p->stride)) != length)
      continue;
    add_subpath(p, r, A, s, i);
    add_many(p, r, i, d, length - first, intermediate - 1);
    return;
  }
}

void ut_plan_route(struct ut_plan *p, uint32_t s, uint32_t d, struct ut_plan_route *r) {
  *r = (struct ut_plan_route){0};
  r->class = ut_plan_classify(p, s, d, &r->length);
  switch (r->class) {
  case UT_PLAN_ADAPTIVE: add_subpath(p, r, A, s, d); break;
  case UT_PLAN_D: add_subpath(p, r, D, s, d); break;
  case UT_PLAN_M: add_subpath(p, r, M, s, d); break;
  case UT_PLAN_DM: add_subpath(p, r, DM, s, d); break;
  case UT_PLAN_I: add_many(p, r, s, d, r->length, 1); break;
  case UT_PLAN_I2: add_many(p, r, s, d, r->length, 2); break;
  case UT_PLAN_I3: add_many(p, r, s, d, r->length, 3); break;
  case UT_PLAN_ID: add_two(p, r, s, d, r->length, 1u << A | 1u << D); break;
  case UT_PLAN_IM: add_two(p, r, s, d, r->length, 1u << A | 1u << M); break;
  case UT_PLAN_IDM: add_two(p, r, s, d, r->length, (1u << KINDS) - 1); break;
  case UT_PLAN_I2D: add_three_ad(p, r, s, d, r->length); break;
  default: r->length = 0;
  }
}

unsigned ut_plan_entry_bits(const struct ut_grid *g, const struct ut_mechanisms *m) {
  unsigned address = 0;
  while (g->nodes > 1u << address)
    address++;
  unsigned direction = 0; /* and three bits for 1..8 hops; direction number 2 * dimensions: none */
  while (g->directions + 1 > 1u << direction)
    direction++;
  unsigned mechanisms = m->deterministic + (m->misroute ? UT_PLAN_MISROUTES * (direction + 3) : 0);
  return address + (m->intermediate + 1) * mechanisms + m->intermediate * (address + 1);
}

uint64_t ut_plan_table_bits(struct ut_plan *p, uint32_t from) {
  unsigned entries = 0, length;
  for (uint32_t to = 0; to < p->nodes; to++) {
    enum ut_plan_class class = ut_plan_classify(p, from, to, &length);
    entries += class != UT_PLAN_ADAPTIVE && class < UT_PLAN_NONE;
  }
  return (uint64_t)entries * ut_plan_entry_bits(p->grid, &p->may);
}
