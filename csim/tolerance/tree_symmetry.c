/* SPDX-License-Identifier: Apache-2.0 */
/* tree_symmetry.c - see tree_symmetry.h */
#include "tree_symmetry.h"

#include <string.h>

#include "random.h"
#include "route_unit.h"

enum { QUESTIONS = 1 << 16, RTS = 64, TREES = 2, DIGITS = 16, ORDERS = 720 };

/* ---- symmetries of the route function */

/* A question to a switch, as switch 0 of its level would get it. */
struct question {
  unsigned level, in_port, vc, towards; /* towards: a down port, or k: not below */
  uint32_t rt;
  ut_mask up, neighbour, vector;
};

/* The names that the ports of the switch have at switch 0 of its level: two of them may be exchanged. */
struct renaming {
  unsigned a, b;
};
static const struct renaming as_it_is = {0, 0};

static unsigned renamed(const struct renaming *renaming, unsigned port) {
  return port == renaming->a ? renaming->b : port == renaming->b ? renaming->a : port;
}

static ut_mask renamed_mask(const struct renaming *renaming, ut_mask m) {
  ut_mask differ = (m >> renaming->a ^ m >> renaming->b) & 1;
  return m ^ (differ << renaming->a | differ << renaming->b);
}

struct inquiry {
  struct ut_explorer *explorer;
  unsigned k, levels;
  struct ut_random random;
  uint32_t rt[RTS]; /* values of the rt field, as they come up */
  unsigned rts;
};

/* Returns a terminal below that down port of the switch, or, for k, one that is not below; UINT32_MAX: there is
 * none. */
static uint32_t pick(struct inquiry *inquiry, uint32_t sw, unsigned towards) {
  const struct ut_topology *topo = inquiry->explorer->topology;
  uint32_t below = 1; /* of a down port */
  for (unsigned i = 0; i < topo->level[sw]; i++)
    below *= inquiry->k;
  uint32_t base = topo->position[sw] / below * below * inquiry->k;
  if (towards < inquiry->k)
    return base + towards * below + ut_random_below(&inquiry->random, below);
  if (topo->terminals == below * inquiry->k)
    return UINT32_MAX;
  uint32_t number = ut_random_below(&inquiry->random, topo->terminals - below * inquiry->k);
  return number < base ? number : number + below * inquiry->k;
}

/* Gets the answer of the switch, with its ports named as at switch 0.  Returns false if there is no such
 * destination. */
static bool ask(struct inquiry *inquiry, uint32_t sw, const struct question *question, const struct renaming *names,
                struct ut_route_result *route) {
  struct ut_explorer *explorer = inquiry->explorer;
  uint32_t dst = pick(inquiry, sw, renamed(names, question->towards));
  if (dst == UINT32_MAX)
    return false;
  ut_mask up = explorer->up[sw], neighbour = explorer->neighbour[sw];
  explorer->up[sw] = renamed_mask(names, question->up);
  explorer->neighbour[sw] = renamed_mask(names, question->neighbour);
  ut_explorer_ask(
      explorer,
      explorer->channel_of[((size_t)sw * explorer->topology->pi + renamed(names, question->in_port)) * explorer->v +
                           question->vc],
      dst, question->rt, renamed_mask(names, question->vector), route);
  explorer->up[sw] = up;
  explorer->neighbour[sw] = neighbour;
  for (unsigned vc = 0; vc < explorer->v; vc++)
    route->cand[vc] = renamed_mask(names, route->cand[vc]);
  route->set = renamed_mask(names, route->set);
  return true;
}

static bool same_answer(const struct inquiry *inquiry, const struct ut_route_result *a,
                        const struct ut_route_result *b) {
  ut_mask some = 0;
  for (unsigned vc = 0; vc < inquiry->explorer->v; vc++) {
    some |= a->cand[vc];
    if (a->cand[vc] != b->cand[vc])
      return false;
  }
  /* a packet without candidates is discarded: the rest is not looked at */
  return a->discard == b->discard && (a->discard || !some || (a->rt == b->rt && a->set == b->set));
}

static void learn_rt(struct inquiry *inquiry, const struct ut_route_result *route) {
  for (unsigned i = 0; i < inquiry->rts; i++)
    if (inquiry->rt[i] == route->rt)
      return;
  if (inquiry->rts < RTS && !route->discard)
    inquiry->rt[inquiry->rts++] = route->rt;
}

/* Returns whether a switch of that level, with two ports exchanged, answers that question as switch 0 does. */
static bool answers_alike(struct inquiry *inquiry, const struct question *question, const struct renaming *names) {
  const struct ut_topology *topo = inquiry->explorer->topology;
  uint32_t width = topo->switches / inquiry->levels, first = question->level * width;
  struct ut_route_result here, there;
  if (!ask(inquiry, first, question, &as_it_is, &here))
    return true;
  learn_rt(inquiry, &here);
  ask(inquiry, first + ut_random_below(&inquiry->random, width), question, names,
      &there); /* it has such a destination, too */
  return same_answer(inquiry, &here, &there);
}

/* Question number i of that level; returns how many there are. */
static uint64_t question_of(const struct inquiry *inquiry, unsigned level, uint64_t i, struct question *question) {
  const struct ut_explorer *explorer = inquiry->explorer;
  unsigned k = inquiry->k;
  ut_mask side = ut_mask_all(k);
  uint64_t all = (uint64_t)2 * k * explorer->v * (k + 1) * inquiry->rts;
  *question = (struct question){.level = level};
  question->in_port = (unsigned)(i % (2 * k)), i /= 2 * k;
  question->vc = (unsigned)(i % explorer->v), i /= explorer->v;
  question->towards = (unsigned)(i % (k + 1)), i /= k + 1;
  question->rt = inquiry->rt[i % inquiry->rts], i /= inquiry->rts;
  i = k < 8 ? i : ut_hash_mix(i); /* more questions than fit into one number: some of them */
  question->up = (ut_mask)i & explorer->all_up[level * (explorer->topology->switches / inquiry->levels)];
  i = k <= 16 ? i >> 2 * k : ut_hash_mix(i);
  question->neighbour = (ut_mask)(i & side) << k, i >>= k;
  question->vector = (ut_mask)(k < 16 ? i & side : ut_hash_mix(i + question->up) & side) << k;
  return 4 * k < 40 ? all << 4 * k : UINT64_MAX;
}

/* Returns whether every switch answers every question as switch 0 of its level does, with these two ports exchanged. */
static bool holds(struct inquiry *inquiry, const struct renaming *names) {
  struct question question;
  for (unsigned level = 0; level < inquiry->levels; level++) {
    if (names->b >= inquiry->k && level + 1 == inquiry->levels)
      continue; /* roots have no up links */
    uint64_t all = question_of(inquiry, level, 0, &question);
    for (uint64_t i = 0; i < QUESTIONS; i++) {
      uint64_t number = (uint64_t)ut_random_u32(&inquiry->random) << 32 | ut_random_u32(&inquiry->random);
      question_of(inquiry, level, all <= QUESTIONS ? i % all : number, &question);
      if (!answers_alike(inquiry, &question, names))
        return false;
    }
  }
  return true;
}

/* Returns whether all switches have the same ports up. */
static bool is_k_ary(const struct ut_topology *topo) {
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (ut_topology_up_ports(topo, sw) != topo->up_ports)
      return false;
  return true;
}

void ut_tree_symmetry_find(struct ut_tree_symmetry *symmetry, struct ut_explorer *explorer) {
  struct inquiry inquiry = {.explorer = explorer, .k = explorer->k, .levels = explorer->topology->levels, .rts = 1};
  *symmetry = (struct ut_tree_symmetry){
      .k = explorer->k, .levels = explorer->topology->levels, .terminals = explorer->topology->terminals};
  /* the exchanges are those of a k-ary n-tree */
  if (explorer->group[0].form.tables || explorer->group[0].shape.exclusions || !is_k_ary(explorer->topology))
    return;
  ut_random_init(&inquiry.random, 0, UT_RANDOM_SAMPLING, 0);
  for (unsigned rts = 0; rts != inquiry.rts;) { /* answers may bring values of the rt field for further questions */
    rts = inquiry.rts;
    if (!holds(&inquiry, &as_it_is))
      return;
  }
  symmetry->positions = symmetry->choices = true;
  for (unsigned i = 0; i + 1 < symmetry->k; i++) { /* exchanges of neighbours make all permutations */
    symmetry->positions = symmetry->positions && holds(&inquiry, &(struct renaming){i, i + 1});
    symmetry->choices = symmetry->choices && holds(&inquiry, &(struct renaming){symmetry->k + i, symmetry->k + i + 1});
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

static void place_of(const struct ut_tree_symmetry *symmetry, uint32_t link, struct place *place) {
  unsigned level = link / symmetry->terminals, n = symmetry->levels;
  uint32_t rest = link % symmetry->terminals; /* digits, the lowest first: the choice here, choices below, positions */
  uint8_t digit[DIGITS];
  for (unsigned i = 0; i < n; i++, rest /= symmetry->k)
    digit[i] = (uint8_t)(rest % symmetry->k);
  *place = (struct place){.link = link, .length = {(uint8_t)(n - 1 - level), (uint8_t)(level + 1)}};
  for (unsigned i = 0; i < n - 1 - level; i++)
    place->digit[POSITIONS][i] = digit[n - 1 - i];
  for (unsigned i = 0; i < level; i++)
    place->digit[CHOICES][i] = digit[i + 1];
  place->digit[CHOICES][level] = digit[0];
}

static uint32_t link_of(const struct ut_tree_symmetry *symmetry, const struct place *place) {
  unsigned level = place->length[CHOICES] - 1u, n = symmetry->levels;
  uint32_t number = 0;
  for (unsigned i = 0; i < n - 1 - level; i++)
    number = number * symmetry->k + place->digit[POSITIONS][i];
  for (unsigned i = level; i-- > 0;)
    number = number * symmetry->k + place->digit[CHOICES][i];
  return level * symmetry->terminals + number * symmetry->k + place->digit[CHOICES][level];
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

/* Writes the set with its paths renamed in that order. */
static void rename_all(const struct ut_tree_symmetry *symmetry, const struct place *const *order, unsigned count,
                       uint32_t *out) {
  struct place now[UT_MAX_FAULTS];
  for (unsigned i = 0; i < count; i++) {
    now[i] = *order[i];
    if (symmetry->positions)
      rename_last(now, order, i, POSITIONS);
    if (symmetry->choices)
      rename_last(now, order, i, CHOICES);
    out[i] = link_of(symmetry, &now[i]);
  }
  sort(out, count);
}

/* Computes a signature that no symmetry changes: the lengths, what the paths have in common with those of others, and,
 * where a tree may not be renamed, its digits. */
static void sign(const struct ut_tree_symmetry *symmetry, struct place *place, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < count; j++)
      if (j != i)
        sum += ut_hash_mix((uint64_t)common(&place[i], &place[j], POSITIONS) << 40 |
                           common(&place[i], &place[j], CHOICES) << 20 | place[j].length[CHOICES]);
    for (unsigned tree = 0; tree < TREES; tree++)
      for (unsigned d = 0; d < place[i].length[tree] && !(tree == POSITIONS ? symmetry->positions : symmetry->choices);
           d++)
        sum = ut_hash_mix(sum + place[i].digit[tree][d]);
    place[i].signature = ut_hash_mix(sum + place[i].length[CHOICES]);
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
static void try_orders(struct search *search, unsigned from) {
  if (from == search->count) {
    uint32_t set[UT_MAX_FAULTS];
    rename_all(search->symmetry, search->order, search->count, set);
    unsigned i = 0;
    while (i < search->count && set[i] == search->best[i])
      i++;
    if (!search->tried++ || (i < search->count && set[i] < search->best[i]))
      memcpy(search->best, set, search->count * sizeof *set);
    return;
  }
  const struct place *own = search->order[from];
  for (unsigned i = from; i < search->count && search->order[i]->signature == own->signature && search->tried < ORDERS;
       i++) {
    search->order[from] = search->order[i], search->order[i] = own;
    try_orders(search, from + 1);
    search->order[i] = search->order[from], search->order[from] = own;
  }
}

void ut_tree_symmetry_representative(const struct ut_tree_symmetry *symmetry, const uint32_t *in, unsigned count,
                                     uint32_t *out) {
  struct place place[UT_MAX_FAULTS];
  struct search search = {.symmetry = symmetry, .count = count};
  for (unsigned i = 0; i < count; i++)
    place_of(symmetry, in[i], &place[i]);
  sign(symmetry, place, count);
  for (unsigned i = 0; i < count; i++) {
    unsigned at = i;
    for (; at && search.order[at - 1]->signature > place[i].signature; at--)
      search.order[at] = search.order[at - 1];
    search.order[at] = &place[i];
  }
  try_orders(&search, 0);
  memcpy(out, search.best, count * sizeof *out);
}
