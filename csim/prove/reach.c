/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c - see reach.h */
#include "reach.h"

#include <string.h>

#include "layers.h"

/* ---- memory */

static void field_free(struct ut_field *f) {
  free(f->mask);
  free(f->touched);
}

static void release(struct ut_reach *r) {
  field_free(&r->reached), field_free(&r->a), field_free(&r->b);
  free(r->extra), free(r->delta), free(r->work), free(r->stack), free(r->on_stack), free(r->discarded);
  free(r->own), free(r->own_item);
  ut_hash_free(&r->extra_hash), ut_hash_free(&r->own_hash);
}

void ut_reach_free(struct ut_reach *r) {
  release(r);
  *r = (struct ut_reach){0};
}

/* A larger array whose new part is zero; false: out of memory. */
static bool widen(void *array, size_t size, uint32_t from, uint32_t to) {
  void **pointer = array;
  unsigned char *larger = realloc(*pointer, (size_t)to * size);
  if (!larger)
    return false;
  memset(larger + (size_t)from * size, 0, (size_t)(to - from) * size);
  *pointer = larger;
  return true;
}

static bool make_room(struct ut_reach *r, uint32_t room) {
  size_t mask = r->explorer->words * sizeof(uint64_t);
  if (!widen(&r->reached.mask, mask, r->room, room) || !widen(&r->a.mask, mask, r->room, room) ||
      !widen(&r->b.mask, mask, r->room, room) || !widen(&r->delta, mask, r->room, room) ||
      !widen(&r->reached.touched, sizeof(uint32_t), r->room, room) ||
      !widen(&r->a.touched, sizeof(uint32_t), r->room, room) ||
      !widen(&r->b.touched, sizeof(uint32_t), r->room, room) || !widen(&r->stack, sizeof(uint32_t), r->room, room) ||
      !widen(&r->on_stack, sizeof(bool), r->room, room) || !widen(&r->extra, sizeof *r->extra, r->room, room)) {
    r->explorer->bad_memory = true;
    return false;
  }
  r->room = room;
  return true;
}

static bool allocate(struct ut_reach *r) {
  struct ut_explorer *x = r->explorer;
  r->base = r->states = x->channels * x->rt_room;
  r->work_words = (r->base + 63) / 64;
  r->work = calloc(r->work_words, sizeof *r->work);
  r->discarded = calloc(4 * (size_t)x->words, sizeof *r->discarded);
  r->own_space = r->item_room = 64;
  r->own = calloc(r->own_space, sizeof *r->own);
  r->own_item = calloc(r->item_room, sizeof *r->own_item);
  if (!r->work || !r->discarded || !r->own || !r->own_item || !make_room(r, r->base + 1024))
    return false;
  r->wrong = r->discarded + x->words;
  r->looping = r->wrong + x->words;
  r->back = r->looping + x->words;
  return true;
}

int ut_reach_init(struct ut_reach *r, struct ut_explorer *x, struct ut_error *e) {
  if (!x->topology->up_ports)
    return ut_fail(e, UT_BAD_INPUT, "this analysis is for networks of levels, this one is a %s", x->topology->kind);
  *r = (struct ut_reach){.explorer = x};
  if (allocate(r))
    return 0;
  ut_reach_free(r);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

/* ---- own bits */

static ut_mask own_bits(const struct ut_reach *r, uint32_t own, uint32_t sw) {
  const struct ut_own *o = &r->own[own];
  for (uint32_t i = 0; i < o->count; i++)
    if (r->own_item[o->first + i].sw == sw)
      return r->own_item[o->first + i].bits;
  return 0;
}

static bool same_own(const struct ut_reach *r, const struct ut_own *a, const struct ut_own *b) {
  return a->count == b->count &&
         !memcmp(&r->own_item[a->first], &r->own_item[b->first], a->count * sizeof *r->own_item);
}

/* The set `own` with more bits; the same number for the same set. */
static uint32_t add_own(struct ut_reach *r, uint32_t own, uint32_t sw, ut_mask bits) {
  if (!(bits & ~own_bits(r, own, sw)))
    return own;
  struct ut_own old = r->own[own], now = {.first = r->own_items};
  if ((r->own_items + old.count + 1 >= r->item_room &&
       !widen(&r->own_item, sizeof *r->own_item, r->item_room, 2 * r->item_room + old.count)) ||
      (r->owns == r->own_space && !widen(&r->own, sizeof *r->own, r->own_space, 2 * r->own_space))) {
    r->explorer->bad_memory = true;
    return 0;
  }
  if (r->own_items + old.count + 1 >= r->item_room)
    r->item_room = 2 * r->item_room + old.count;
  if (r->owns == r->own_space)
    r->own_space *= 2;
  bool placed = false;
  uint64_t key = 0;
  for (uint32_t i = 0; i < old.count || !placed; i++) {
    struct ut_own_item item = i < old.count ? r->own_item[old.first + i] : (struct ut_own_item){UINT32_MAX, 0};
    if (!placed && item.sw >= sw) {
      struct ut_own_item more = {sw, bits | (item.sw == sw ? item.bits : 0)};
      r->own_item[r->own_items + now.count++] = more;
      placed = true;
      if (item.sw == sw)
        continue;
    }
    if (i < old.count)
      r->own_item[r->own_items + now.count++] = item;
  }
  for (uint32_t i = 0; i < now.count; i++) {
    const struct ut_own_item *item = &r->own_item[now.first + i];
    key = ut_hash_mix(key * 31 + ((uint64_t)item->sw << 32 | item->bits));
  }
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&r->own_hash, key, &fresh);
    if (!entry) {
      r->explorer->bad_memory = true;
      return 0;
    }
    if (fresh) {
      entry->value = r->owns;
      r->own[r->owns] = now;
      r->own_items += now.count;
      return r->owns++;
    }
    if (same_own(r, &r->own[entry->value], &now))
      return entry->value;
  }
}

ut_mask ut_reach_own_bits(const struct ut_reach *r, uint32_t state) {
  if (state < r->base)
    return 0;
  return own_bits(r, r->extra[state - r->base].own, r->explorer->channel[ut_reach_channel(r, state)].sw);
}

static uint32_t state_with_own(struct ut_reach *r, uint32_t base_state, uint32_t own) {
  if (!own)
    return base_state;
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&r->extra_hash, (uint64_t)own << 32 | base_state, &fresh);
  if (!entry) {
    r->explorer->bad_memory = true;
    return UINT32_MAX;
  }
  if (fresh) {
    if (r->states == r->room && !make_room(r, r->room + r->room / 2))
      return UINT32_MAX;
    entry->value = r->states;
    r->extra[r->states - r->base].state = base_state;
    r->extra[r->states - r->base].own = own;
    r->states++;
  }
  return entry->value;
}

/* ---- graph */

const struct ut_row *ut_reach_row(struct ut_reach *r, uint32_t state) {
  struct ut_explorer *x = r->explorer;
  return ut_explorer_row(x, ut_reach_channel(r, state), ut_reach_rt(r, state),
                         state < r->base ? 0 : ut_reach_own_bits(r, state));
}

uint32_t ut_reach_target(struct ut_reach *r, uint32_t state, const struct ut_edge *edge) {
  struct ut_explorer *x = r->explorer;
  uint32_t next = edge->channel * x->rt_room + edge->rt, own = state < r->base ? 0 : r->extra[state - r->base].own;
  if (edge->set) {
    uint32_t sw = x->channel[ut_reach_channel(r, state)].sw;
    own = add_own(r, own, sw, ut_explorer_kept(x, sw, edge->set));
  }
  return state_with_own(r, next, own);
}

uint32_t ut_reach_start(const struct ut_reach *r, uint32_t terminal, unsigned link, unsigned vc) {
  return ut_explorer_injection(r->explorer, terminal, link, vc) * r->explorer->rt_room;
}

/* ---- propagation */

static void field_clear(const struct ut_reach *r, struct ut_field *f) {
  unsigned words = r->explorer->words;
  for (uint32_t i = 0; i < f->count; i++)
    memset(f->mask + (size_t)f->touched[i] * words, 0, words * sizeof *f->mask);
  f->count = 0;
}

/* more & filter (or more) joins the field's mask of `state`; what is new there joins `delta`. */
static inline void join(struct ut_reach *r, struct ut_field *f, uint32_t state, const uint64_t *more,
                        const uint64_t *filter) {
  unsigned words = r->explorer->words;
  uint64_t *mask = f->mask + (size_t)state * words, *delta = r->delta + (size_t)state * words, fresh = 0, old = 0;
  for (unsigned i = 0; i < words; i++) {
    uint64_t m = (filter ? more[i] & filter[i] : more[i]) & ~mask[i];
    old |= mask[i];
    fresh |= m;
    mask[i] |= m;
    delta[i] |= m;
  }
  if (!fresh)
    return;
  if (!old)
    f->touched[f->count++] = state;
  if (state < r->base) {
    r->work[state / 64] |= UINT64_C(1) << state % 64;
    if (state / 64 < r->lowest)
      r->lowest = state / 64;
  } else if (!r->on_stack[state]) {
    r->on_stack[state] = true;
    r->stack[r->stacked++] = state;
  }
}

static void or_and(uint64_t *to, const uint64_t *a, const uint64_t *b, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    to[i] |= a[i] & b[i];
}

/* All packets of `delta` in one state make a hop. */
static bool spread(struct ut_reach *r, struct ut_field *f, uint32_t state) {
  struct ut_explorer *x = r->explorer;
  unsigned words = x->words;
  const struct ut_row *row = ut_reach_row(r, state);
  if (!row)
    return false;
  or_and(r->discarded, r->delta + (size_t)state * words, row->mask + UT_ROW_DISCARDED * words, words);
  or_and(r->wrong, r->delta + (size_t)state * words, row->mask + UT_ROW_WRONG * words, words);
  for (unsigned i = 0; i < row->edges; i++) {
    const uint64_t *any = ut_row_any(x, row, i);
    if (!ut_mask_meet(r->delta + (size_t)state * words, any, words))
      continue;
    uint32_t next = ut_reach_target(r, state, &row->edge[i]);
    if (next == UINT32_MAX)
      return false;
    const uint64_t *delta = r->delta + (size_t)state * words; /* the arrays may have moved */
    if (next <= state && next < r->base)                      /* only so can a walk come back, unless it has own bits */
      or_and(r->back, delta, any, words);
    join(r, f, next, any, delta);
  }
  memset(r->delta + (size_t)state * words, 0, words * sizeof *r->delta);
  return true;
}

/* Until nothing is left; the lowest state first, so that most are visited once. */
static bool propagate(struct ut_reach *r, struct ut_field *f) {
  while (r->lowest < r->work_words) {
    uint64_t *work = &r->work[r->lowest];
    if (!*work) {
      r->lowest++;
      continue;
    }
    uint32_t state = r->lowest * 64 + (uint32_t)__builtin_ctzll(*work);
    *work &= *work - 1;
    if (!spread(r, f, state))
      return false;
  }
  while (r->stacked) {
    uint32_t state = r->stack[--r->stacked];
    r->on_stack[state] = false;
    if (!spread(r, f, state))
      return false;
  }
  return true;
}

/* Without `delta` and work list; there are some more. */
static void join_only(const struct ut_reach *r, struct ut_field *f, uint32_t state, const uint64_t *more,
                      const uint64_t *filter) {
  unsigned words = r->explorer->words;
  uint64_t *mask = f->mask + (size_t)state * words, old = 0;
  for (unsigned i = 0; i < words; i++) {
    old |= mask[i];
    mask[i] |= filter ? more[i] & filter[i] : more[i];
  }
  if (!old)
    f->touched[f->count++] = state;
}

/* Packets at every terminal; to_do: they are to be propagated. */
static void inject(struct ut_reach *r, struct ut_field *f, bool to_do) {
  struct ut_explorer *x = r->explorer;
  uint32_t terminals = x->topology->terminals;
  uint64_t others[UT_MAX_PROVED_TERMINALS / 64];
  for (uint32_t t = 0; t < terminals; t++) {
    for (unsigned i = 0; i < x->words; i++)
      others[i] = i + 1 < x->words || terminals % 64 == 0 ? ~UINT64_C(0) : (UINT64_C(1) << terminals % 64) - 1;
    others[t / 64] &= ~(UINT64_C(1) << t % 64);
    for (unsigned link = 0; link < ut_explorer_injections(x); link++)
      for (unsigned vc = 0; vc < ut_first_layer_vcs(x->v, x->layers); vc++)
        if (to_do)
          join(r, f, ut_reach_start(r, t, link, vc), others, NULL);
        else
          join_only(r, f, ut_reach_start(r, t, link, vc), others, NULL);
  }
}

/* Back to no packets, no states with own bits. */
static void reset(struct ut_reach *r) {
  field_clear(r, &r->reached), field_clear(r, &r->a), field_clear(r, &r->b);
  memset(r->discarded, 0, 4 * (size_t)r->explorer->words * sizeof *r->discarded);
  r->states = r->base;
  r->owns = 1;
  r->own_items = 0;
  ut_hash_clear(&r->extra_hash);
  ut_hash_clear(&r->own_hash);
}

/* reached = all states of all packets. */
static int explore(struct ut_reach *r) {
  for (;;) {
    reset(r);
    inject(r, &r->reached, true);
    if (propagate(r, &r->reached))
      return 0;
    if (r->explorer->bad_memory)
      return -1;
    struct ut_explorer *x = r->explorer; /* there are more values of rt than rooms: start again */
    const ut_mask *stale = r->stale;
    if (!ut_explorer_grow(x))
      return -1;
    release(r);
    *r = (struct ut_reach){.explorer = x, .stale = stale};
    if (!allocate(r)) {
      x->bad_memory = true;
      return -1;
    }
  }
}

/* ---- loops */

/* Keeps, in field a, the packets that have a successor in it, until nothing changes: those that can go on for ever. */
static bool find_loops(struct ut_reach *r) {
  struct ut_explorer *x = r->explorer;
  unsigned words = x->words;
  field_clear(r, &r->a);
  struct ut_field *f = &r->a;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i];
    uint64_t *mask = f->mask + (size_t)state * words, some = 0;
    for (unsigned j = 0; j < words; j++)
      some |= mask[j] = r->reached.mask[(size_t)state * words + j] & (state < r->base ? r->back[j] : ~UINT64_C(0));
    if (some)
      f->touched[f->count++] = state;
  }
  uint64_t keep[UT_MAX_PROVED_TERMINALS / 64];
  for (bool changed = f->count > 0; changed;) {
    changed = false;
    for (uint32_t i = f->count; i-- > 0;) {
      uint32_t state = f->touched[i];
      if (!ut_mask_any(f->mask + (size_t)state * words, words))
        continue;
      const struct ut_row *row = ut_reach_row(r, state);
      if (!row)
        return false;
      memset(keep, 0, sizeof keep);
      for (unsigned j = 0; j < row->edges; j++) {
        const uint64_t *any = ut_row_any(x, row, j);
        if (!ut_mask_meet(any, f->mask + (size_t)state * words, words))
          continue;
        uint32_t next = ut_reach_target(r, state, &row->edge[j]);
        if (next == UINT32_MAX)
          return false;
        or_and(keep, any, f->mask + (size_t)next * words, words);
      }
      for (unsigned j = 0; j < words; j++) {
        uint64_t *mask = &f->mask[(size_t)state * words + j], kept = *mask & keep[j];
        changed |= kept != *mask;
        *mask = kept;
      }
    }
  }
  for (uint32_t i = 0; i < f->count; i++)
    for (unsigned j = 0; j < words; j++)
      r->looping[j] |= f->mask[(size_t)f->touched[i] * words + j];
  return true;
}

/* ---- all together */

/* Bits that packets can set, as found so far, become shared; true: some are new. */
static int share(struct ut_reach *r, bool *more) {
  struct ut_explorer *x = r->explorer;
  *more = false;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    if (!x->channel[channel].from_above) /* only U-turns set bits */
      continue;
    const struct ut_row *row = ut_reach_row(r, state);
    if (!row)
      return -1;
    for (unsigned j = 0; j < row->edges; j++)
      if (row->edge[j].set && ut_mask_meet(ut_row_any(x, row, j), r->reached.mask + (size_t)state * x->words, x->words))
        *more |= ut_explorer_share(x, x->channel[channel].sw, row->edge[j].set);
  }
  return 0;
}

static int find_all_loops(struct ut_reach *r) {
  if (ut_mask_any(r->back, r->explorer->words) || r->states > r->base)
    return find_loops(r) ? 0 : -1;
  return 0;
}

int ut_reach_run(struct ut_reach *r) {
  return explore(r) || find_all_loops(r) ? -1 : 0;
}

int ut_reach_run_shared(struct ut_reach *r) {
  bool more = r->explorer->group[0].form.vector, again = false;
  if (more && share(r, &more))
    return -1;
  for (uint32_t sw = 0; r->stale && sw < r->explorer->topology->switches; sw++)
    more |= !r->explorer->dead[sw] && r->stale[sw] && ut_explorer_share(r->explorer, sw, r->stale[sw]);
  while (more) {
    again = true;
    if (explore(r) || share(r, &more))
      return -1;
  }
  return again ? find_all_loops(r) : 0;
}

bool ut_reach_loops(const struct ut_reach *r) {
  return ut_mask_any(r->looping, r->explorer->words);
}

bool ut_reach_connected(const struct ut_reach *r) {
  return !ut_mask_any(r->discarded, 3 * r->explorer->words); /* discarded, wrong, looping lie side by side */
}

/* ---- lengths of walks */

unsigned ut_reach_longest(struct ut_reach *r) {
  struct ut_explorer *x = r->explorer;
  unsigned hops = 0, words = x->words;
  struct ut_field *now = &r->a, *then = &r->b;
  field_clear(r, now), field_clear(r, then);
  inject(r, now, false);
  for (; now->count; hops++) {
    for (uint32_t i = 0; i < now->count; i++) {
      uint32_t state = now->touched[i];
      const struct ut_row *row = ut_reach_row(r, state);
      for (unsigned j = 0; row && j < row->edges; j++) {
        const uint64_t *any = ut_row_any(x, row, j);
        if (!ut_mask_meet(now->mask + (size_t)state * words, any, words))
          continue;
        uint32_t next = ut_reach_target(r, state, &row->edge[j]);
        if (next != UINT32_MAX)
          join_only(r, then, next, any, now->mask + (size_t)state * words);
      }
    }
    field_clear(r, now);
    struct ut_field *other = now;
    now = then;
    then = other;
  }
  return hops - 1;
}

unsigned ut_reach_u_turns(struct ut_reach *r) {
  struct ut_explorer *x = r->explorer;
  unsigned turns = 0, words = x->words;
  struct ut_field *now = &r->reached, *then = &r->a, *spare = &r->b;
  for (;;) {
    field_clear(r, then);
    for (uint32_t i = 0; i < now->count; i++) {
      uint32_t state = now->touched[i];
      const struct ut_row *row = ut_reach_row(r, state);
      for (unsigned j = 0; row && row->u_turns && j < row->edges; j++) {
        const uint64_t *any = ut_row_any(x, row, j), *mask = now->mask + (size_t)state * words;
        if (!row->edge[j].u_turn || !ut_mask_meet(mask, any, words))
          continue;
        uint32_t next = ut_reach_target(r, state, &row->edge[j]);
        if (next != UINT32_MAX)
          join(r, then, next, any, now->mask + (size_t)state * words);
      }
    }
    if (!then->count || !propagate(r, then))
      break;
    turns++;
    if (now == &r->reached) {
      now = then;
      then = spare;
    } else {
      struct ut_field *other = now;
      now = then;
      then = other;
    }
  }
  return turns;
}
