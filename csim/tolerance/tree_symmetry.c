/* SPDX-License-Identifier: Apache-2.0 */
/* tree_symmetry.c - see tree_symmetry.h */
#include "tree_symmetry.h"

#include <string.h>

#include "random.h"
#include "route_unit.h"

enum { QUESTIONS = 1 << 16, RTS = 64, TREES = 2, DIGITS = 16, ORDERS = 720 };

/* ---- what the route function keeps */

/* What a switch is asked: as switch 0 of its level would be. */
struct question {
  unsigned level, in_port, vc, towards; /* towards: a down port, or k: not below */
  uint32_t rt;
  ut_mask up, neighbour, vector;
};

/* How the ports of the switch that is asked are called at switch 0 of its level: two of them may be exchanged. */
struct renaming {
  unsigned a, b;
};
static const struct renaming as_it_is = {0, 0};

static unsigned renamed(const struct renaming *r, unsigned port) {
  return port == r->a ? r->b : port == r->b ? r->a : port;
}

static ut_mask renamed_mask(const struct renaming *r, ut_mask m) {
  ut_mask differ = (m >> r->a ^ m >> r->b) & 1;
  return m ^ (differ << r->a | differ << r->b);
}

struct inquiry {
  struct ut_explorer *explorer;
  unsigned k, levels;
  struct ut_random random;
  uint32_t rt[RTS]; /* values of the rt field, as they come up */
  unsigned rts;
};

/* A terminal below that down port of the switch, or, for k, one that is not below; UINT32_MAX: there is none. */
static uint32_t pick(struct inquiry *x, uint32_t sw, unsigned towards) {
  const struct ut_topology *t = x->explorer->topology;
  uint32_t below = 1; /* of a down port */
  for (unsigned i = 0; i < t->level[sw]; i++)
    below *= x->k;
  uint32_t base = t->position[sw] / below * below * x->k;
  if (towards < x->k)
    return base + towards * below + ut_random_below(&x->random, below);
  if (t->terminals == below * x->k)
    return UINT32_MAX;
  uint32_t number = ut_random_below(&x->random, t->terminals - below * x->k);
  return number < base ? number : number + below * x->k;
}

/* The answer of the switch, with its ports called as at switch 0.  false: there is no such destination. */
static bool ask(struct inquiry *x, uint32_t sw, const struct question *q, const struct renaming *names,
                struct ut_route_result *r) {
  struct ut_explorer *w = x->explorer;
  uint32_t dst = pick(x, sw, renamed(names, q->towards));
  if (dst == UINT32_MAX)
    return false;
  ut_mask up = w->up[sw], neighbour = w->neighbour[sw];
  w->up[sw] = renamed_mask(names, q->up);
  w->neighbour[sw] = renamed_mask(names, q->neighbour);
  ut_explorer_ask(w, w->channel_of[((size_t)sw * w->topology->pi + renamed(names, q->in_port)) * w->v + q->vc], dst,
                  q->rt, renamed_mask(names, q->vector), r);
  w->up[sw] = up;
  w->neighbour[sw] = neighbour;
  for (unsigned vc = 0; vc < w->v; vc++)
    r->cand[vc] = renamed_mask(names, r->cand[vc]);
  r->set = renamed_mask(names, r->set);
  return true;
}

static bool same_answer(const struct inquiry *x, const struct ut_route_result *a, const struct ut_route_result *b) {
  ut_mask some = 0;
  for (unsigned vc = 0; vc < x->explorer->v; vc++) {
    some |= a->cand[vc];
    if (a->cand[vc] != b->cand[vc])
      return false;
  }
  /* a packet without candidates is discarded: the rest is not looked at */
  return a->discard == b->discard && (a->discard || !some || (a->rt == b->rt && a->set == b->set));
}

static void learn_rt(struct inquiry *x, const struct ut_route_result *r) {
  for (unsigned i = 0; i < x->rts; i++)
    if (x->rt[i] == r->rt)
      return;
  if (x->rts < RTS && !r->discard)
    x->rt[x->rts++] = r->rt;
}

/* Does a switch of that level, with two ports exchanged, answer that question as switch 0 does? */
static bool answers_alike(struct inquiry *x, const struct question *q, const struct renaming *names) {
  const struct ut_topology *t = x->explorer->topology;
  uint32_t width = t->switches / x->levels, first = q->level * width;
  struct ut_route_result here, there;
  if (!ask(x, first, q, &as_it_is, &here))
    return true;
  learn_rt(x, &here);
  ask(x, first + ut_random_below(&x->random, width), q, names, &there); /* it has such a destination, too */
  return same_answer(x, &here, &there);
}

/* Question number i of that level; returns how many there are. */
static uint64_t question_of(const struct inquiry *x, unsigned level, uint64_t i, struct question *q) {
  const struct ut_explorer *w = x->explorer;
  unsigned k = x->k;
  ut_mask side = ut_mask_all(k);
  uint64_t all = (uint64_t)2 * k * w->v * (k + 1) * x->rts;
  *q = (struct question){.level = level};
  q->in_port = (unsigned)(i % (2 * k)), i /= 2 * k;
  q->vc = (unsigned)(i % w->v), i /= w->v;
  q->towards = (unsigned)(i % (k + 1)), i /= k + 1;
  q->rt = x->rt[i % x->rts], i /= x->rts;
  i = k < 8 ? i : ut_hash_mix(i); /* more than fits into one number: some of them */
  q->up = (ut_mask)i & w->all_up[level * (w->topology->switches / x->levels)], i >>= 2 * k;
  q->neighbour = (ut_mask)(i & side) << k, i >>= k;
  q->vector = (ut_mask)(k < 16 ? i & side : ut_hash_mix(i + q->up) & side) << k;
  return 4 * k < 40 ? all << 4 * k : UINT64_MAX;
}

/* Every switch answers every question as switch 0 of its level does, with these two ports exchanged. */
static bool holds(struct inquiry *x, const struct renaming *names) {
  struct question q;
  for (unsigned level = 0; level < x->levels; level++) {
    if (names->b >= x->k && level + 1 == x->levels)
      continue; /* roots have no up links */
    uint64_t all = question_of(x, level, 0, &q);
    for (uint64_t i = 0; i < QUESTIONS; i++) {
      uint64_t number = (uint64_t)ut_random_u32(&x->random) << 32 | ut_random_u32(&x->random);
      question_of(x, level, all <= QUESTIONS ? i % all : number, &q);
      if (!answers_alike(x, &q, names))
        return false;
    }
  }
  return true;
}

void ut_tree_symmetry_find(struct ut_tree_symmetry *x, struct ut_explorer *w) {
  struct inquiry inquiry = {.explorer = w, .k = w->k, .levels = w->topology->levels, .rts = 1};
  *x = (struct ut_tree_symmetry){.k = w->k, .levels = w->topology->levels, .terminals = w->topology->terminals};
  if (w->group[0].form.tables || w->group[0].shape.exclusions)
    return;
  ut_random_init(&inquiry.random, 0, UT_RANDOM_SAMPLING, 0);
  for (unsigned rts = 0; rts != inquiry.rts;) { /* answers may bring values of the rt field for further questions */
    rts = inquiry.rts;
    if (!holds(&inquiry, &as_it_is))
      return;
  }
  x->positions = x->choices = true;
  for (unsigned i = 0; i + 1 < x->k; i++) { /* exchanges of neighbours make all permutations */
    x->positions = x->positions && holds(&inquiry, &(struct renaming){i, i + 1});
    x->choices = x->choices && holds(&inquiry, &(struct renaming){x->k + i, x->k + i + 1});
  }
}

/* ---- representatives */

enum { POSITIONS, CHOICES };

/* A link as two paths. */
struct place {
  uint32_t link;
  uint64_t signature; /* the same for links that could be exchanged */
  uint8_t length[TREES], digit[TREES][DIGITS];
};

static void place_of(const struct ut_tree_symmetry *x, uint32_t link, struct place *p) {
  unsigned level = link / x->terminals, n = x->levels;
  uint32_t rest = link % x->terminals; /* digits, the lowest first: the choice here, choices below, positions */
  uint8_t digit[DIGITS];
  for (unsigned i = 0; i < n; i++, rest /= x->k)
    digit[i] = (uint8_t)(rest % x->k);
  *p = (struct place){.link = link, .length = {(uint8_t)(n - 1 - level), (uint8_t)(level + 1)}};
  for (unsigned i = 0; i < n - 1 - level; i++)
    p->digit[POSITIONS][i] = digit[n - 1 - i];
  for (unsigned i = 0; i < level; i++)
    p->digit[CHOICES][i] = digit[i + 1];
  p->digit[CHOICES][level] = digit[0];
}

static uint32_t link_of(const struct ut_tree_symmetry *x, const struct place *p) {
  unsigned level = p->length[CHOICES] - 1u, n = x->levels;
  uint32_t number = 0;
  for (unsigned i = 0; i < n - 1 - level; i++)
    number = number * x->k + p->digit[POSITIONS][i];
  for (unsigned i = level; i-- > 0;)
    number = number * x->k + p->digit[CHOICES][i];
  return level * x->terminals + number * x->k + p->digit[CHOICES][level];
}

/* Digits that two paths have in common before they part. */
static unsigned common(const struct place *a, const struct place *b, unsigned tree) {
  unsigned i = 0, length = a->length[tree] < b->length[tree] ? a->length[tree] : b->length[tree];
  while (i < length && a->digit[tree][i] == b->digit[tree][i])
    i++;
  return i;
}

/* Numbers the digits of the last of the places in the order in which they come up in `was`. */
static void rename_last(struct place *now, const struct place *const *was, unsigned last, unsigned tree) {
  const struct place *own = was[last];
  unsigned shared = 0, like = 0, next = 0;
  for (unsigned i = 0; i < last; i++) {
    unsigned c = common(was[i], own, tree);
    if (c > shared)
      shared = c, like = i;
  }
  memset(now[last].digit[tree], 0, DIGITS);
  memcpy(now[last].digit[tree], now[like].digit[tree], shared);
  for (unsigned i = 0; i < last; i++)
    if (was[i]->length[tree] > shared && common(was[i], own, tree) == shared && now[i].digit[tree][shared] >= next)
      next = now[i].digit[tree][shared] + 1u;
  if (shared < own->length[tree])
    now[last].digit[tree][shared] = (uint8_t)next;
}

static void sort(uint32_t *link, unsigned count) {
  for (unsigned i = 1; i < count; i++) {
    uint32_t own = link[i];
    unsigned at = i;
    for (; at && link[at - 1] > own; at--)
      link[at] = link[at - 1];
    link[at] = own;
  }
}

/* The set with its paths renamed in that order. */
static void rename_all(const struct ut_tree_symmetry *x, const struct place *const *order, unsigned count,
                       uint32_t *out) {
  struct place now[UT_MAX_FAULTS];
  for (unsigned i = 0; i < count; i++) {
    now[i] = *order[i];
    if (x->positions)
      rename_last(now, order, i, POSITIONS);
    if (x->choices)
      rename_last(now, order, i, CHOICES);
    out[i] = link_of(x, &now[i]);
  }
  sort(out, count);
}

/* What no symmetry changes: the lengths, what the paths have in common with those of others, and where a tree may not
 * be renamed its digits. */
static void sign(const struct ut_tree_symmetry *x, struct place *p, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < count; j++)
      if (j != i)
        sum += ut_hash_mix((uint64_t)common(&p[i], &p[j], POSITIONS) << 40 | common(&p[i], &p[j], CHOICES) << 20 |
                           p[j].length[CHOICES]);
    for (unsigned tree = 0; tree < TREES; tree++)
      for (unsigned d = 0; d < p[i].length[tree] && !(tree == POSITIONS ? x->positions : x->choices); d++)
        sum = ut_hash_mix(sum + p[i].digit[tree][d]);
    p[i].signature = ut_hash_mix(sum + p[i].length[CHOICES]);
  }
}

/* A search for the order that renames to the least set. */
struct search {
  const struct ut_tree_symmetry *symmetry;
  const struct place *order[UT_MAX_FAULTS];
  unsigned count, tried;
  uint32_t best[UT_MAX_FAULTS];
};

/* All orders of places with the same signature, from that place on. */
static void try_orders(struct search *s, unsigned from) {
  if (from == s->count) {
    uint32_t set[UT_MAX_FAULTS];
    rename_all(s->symmetry, s->order, s->count, set);
    unsigned i = 0;
    while (i < s->count && set[i] == s->best[i])
      i++;
    if (!s->tried++ || (i < s->count && set[i] < s->best[i]))
      memcpy(s->best, set, s->count * sizeof *set);
    return;
  }
  const struct place *own = s->order[from];
  for (unsigned i = from; i < s->count && s->order[i]->signature == own->signature && s->tried < ORDERS; i++) {
    s->order[from] = s->order[i], s->order[i] = own;
    try_orders(s, from + 1);
    s->order[i] = s->order[from], s->order[from] = own;
  }
}

void ut_tree_symmetry_representative(const struct ut_tree_symmetry *x, const uint32_t *in, unsigned count,
                                     uint32_t *out) {
  struct place place[UT_MAX_FAULTS];
  struct search s = {.symmetry = x, .count = count};
  for (unsigned i = 0; i < count; i++)
    place_of(x, in[i], &place[i]);
  sign(x, place, count);
  for (unsigned i = 0; i < count; i++) {
    unsigned at = i;
    for (; at && s.order[at - 1]->signature > place[i].signature; at--)
      s.order[at] = s.order[at - 1];
    s.order[at] = &place[i];
  }
  try_orders(&s, 0);
  memcpy(out, s.best, count * sizeof *out);
}
