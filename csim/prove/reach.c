/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c - see reach.h */
#include "reach.h"

#include <string.h>

#include "layers.h"

/* ---- memory */

static void field_free(struct ut_field *field) {
  free(field->mask);
  free(field->touched);
}

static void release(struct ut_reach *reach) {
  field_free(&reach->reached), field_free(&reach->a), field_free(&reach->b);
  free(reach->extra), free(reach->delta), free(reach->work), free(reach->stack), free(reach->on_stack),
      free(reach->discarded);
  free(reach->own), free(reach->own_item);
  ut_hash_free(&reach->extra_hash), ut_hash_free(&reach->own_hash);
}

void ut_reach_free(struct ut_reach *reach) {
  release(reach);
  *reach = (struct ut_reach){0};
}

/* Returns a larger array whose new part is zero; NULL: out of memory. */
static bool widen(void *array, size_t size, uint32_t from, uint32_t to) {
  void **pointer = array;
  unsigned char *larger = realloc(*pointer, (size_t)to * size);
  if (!larger)
    return false;
  memset(larger + (size_t)from * size, 0, (size_t)(to - from) * size);
  *pointer = larger;
  return true;
}

static bool make_room(struct ut_reach *reach, uint32_t room) {
  size_t mask = reach->explorer->words * sizeof(uint64_t);
  if (!widen(&reach->reached.mask, mask, reach->room, room) || !widen(&reach->a.mask, mask, reach->room, room) ||
      !widen(&reach->b.mask, mask, reach->room, room) || !widen(&reach->delta, mask, reach->room, room) ||
      !widen(&reach->reached.touched, sizeof(uint32_t), reach->room, room) ||
      !widen(&reach->a.touched, sizeof(uint32_t), reach->room, room) ||
      !widen(&reach->b.touched, sizeof(uint32_t), reach->room, room) ||
      !widen(&reach->stack, sizeof(uint32_t), reach->room, room) ||
      !widen(&reach->on_stack, sizeof(bool), reach->room, room) ||
      !widen(&reach->extra, sizeof *reach->extra, reach->room, room)) {
    reach->explorer->bad_memory = true;
    return false;
  }
  reach->room = room;
  return true;
}

static bool allocate(struct ut_reach *reach) {
  struct ut_explorer *explorer = reach->explorer;
  reach->base = reach->states = explorer->channels * explorer->rt_room;
  reach->work_words = (reach->base + 63) / 64;
  reach->work = calloc(reach->work_words, sizeof *reach->work);
  reach->discarded = calloc(4 * (size_t)explorer->words, sizeof *reach->discarded);
  reach->own_space = reach->item_room = 64;
  reach->own = calloc(reach->own_space, sizeof *reach->own);
  reach->own_item = calloc(reach->item_room, sizeof *reach->own_item);
  if (!reach->work || !reach->discarded || !reach->own || !reach->own_item || !make_room(reach, reach->base + 1024))
    return false;
  reach->wrong = reach->discarded + explorer->words;
  reach->looping = reach->wrong + explorer->words;
  reach->back = reach->looping + explorer->words;
  return true;
}

int ut_reach_init(struct ut_reach *reach, struct ut_explorer *explorer, struct ut_error *e) {
  if (!explorer->topology->up_ports)
    return ut_fail(e, UT_BAD_INPUT, "this analysis is for networks of levels, this one is a %s",
                   explorer->topology->kind);
  *reach = (struct ut_reach){.explorer = explorer};
  if (allocate(reach))
    return 0;
  ut_reach_free(reach);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

/* ---- own bits */

static ut_mask own_bits(const struct ut_reach *reach, uint32_t own, uint32_t sw) {
  const struct ut_own *mine = &reach->own[own];
  for (uint32_t i = 0; i < mine->count; i++)
    if (reach->own_item[mine->first + i].sw == sw)
      return reach->own_item[mine->first + i].bits;
  return 0;
}

static bool same_own(const struct ut_reach *reach, const struct ut_own *a, const struct ut_own *b) {
  return a->count == b->count &&
         !memcmp(&reach->own_item[a->first], &reach->own_item[b->first], a->count * sizeof *reach->own_item);
}

/* Returns the set `own` with more bits added; the same set has the same number. */
static uint32_t add_own(struct ut_reach *reach, uint32_t own, uint32_t sw, ut_mask bits) {
  if (!(bits & ~own_bits(reach, own, sw)))
    return own;
  struct ut_own old = reach->own[own], now = {.first = reach->own_items};
  if ((reach->own_items + old.count + 1 >= reach->item_room &&
       !widen(&reach->own_item, sizeof *reach->own_item, reach->item_room, 2 * reach->item_room + old.count)) ||
      (reach->owns == reach->own_space &&
       !widen(&reach->own, sizeof *reach->own, reach->own_space, 2 * reach->own_space))) {
    reach->explorer->bad_memory = true;
    return 0;
  }
  if (reach->own_items + old.count + 1 >= reach->item_room)
    reach->item_room = 2 * reach->item_room + old.count;
  if (reach->owns == reach->own_space)
    reach->own_space *= 2;
  bool placed = false;
  uint64_t key = 0;
  for (uint32_t i = 0; i < old.count || !placed; i++) {
    struct ut_own_item item = i < old.count ? reach->own_item[old.first + i] : (struct ut_own_item){UINT32_MAX, 0};
    if (!placed && item.sw >= sw) {
      struct ut_own_item more = {sw, bits | (item.sw == sw ? item.bits : 0)};
      reach->own_item[reach->own_items + now.count++] = more;
      placed = true;
      if (item.sw == sw)
        continue;
    }
    if (i < old.count)
      reach->own_item[reach->own_items + now.count++] = item;
  }
  for (uint32_t i = 0; i < now.count; i++) {
    const struct ut_own_item *item = &reach->own_item[now.first + i];
    key = ut_hash_mix(key * 31 + ((uint64_t)item->sw << 32 | item->bits));
  }
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&reach->own_hash, key, &fresh);
    if (!entry) {
      reach->explorer->bad_memory = true;
      return 0;
    }
    if (fresh) {
      entry->value = reach->owns;
      reach->own[reach->owns] = now;
      reach->own_items += now.count;
      return reach->owns++;
    }
    if (same_own(reach, &reach->own[entry->value], &now))
      return entry->value;
  }
}

ut_mask ut_reach_own_bits(const struct ut_reach *reach, uint32_t state) {
  if (state < reach->base)
    return 0;
  return own_bits(reach, reach->extra[state - reach->base].own,
                  reach->explorer->channel[ut_reach_channel(reach, state)].sw);
}

static uint32_t state_with_own(struct ut_reach *reach, uint32_t base_state, uint32_t own) {
  if (!own)
    return base_state;
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&reach->extra_hash, (uint64_t)own << 32 | base_state, &fresh);
  if (!entry) {
    reach->explorer->bad_memory = true;
    return UINT32_MAX;
  }
  if (fresh) {
    if (reach->states == reach->room && !make_room(reach, reach->room + reach->room / 2))
      return UINT32_MAX;
    entry->value = reach->states;
    reach->extra[reach->states - reach->base].state = base_state;
    reach->extra[reach->states - reach->base].own = own;
    reach->states++;
  }
  return entry->value;
}

/* ---- graph */

const struct ut_row *ut_reach_row(struct ut_reach *reach, uint32_t state) {
  struct ut_explorer *explorer = reach->explorer;
  return ut_explorer_row(explorer, ut_reach_channel(reach, state), ut_reach_rt(reach, state),
                         state < reach->base ? 0 : ut_reach_own_bits(reach, state));
}

uint32_t ut_reach_target(struct ut_reach *reach, uint32_t state, const struct ut_edge *edge) {
  struct ut_explorer *explorer = reach->explorer;
  uint32_t next = edge->channel * explorer->rt_room + edge->rt,
           own = state < reach->base ? 0 : reach->extra[state - reach->base].own;
  if (edge->set) {
    uint32_t sw = explorer->channel[ut_reach_channel(reach, state)].sw;
    own = add_own(reach, own, sw, ut_explorer_kept(explorer, sw, edge->set));
  }
  return state_with_own(reach, next, own);
}

uint32_t ut_reach_start(const struct ut_reach *reach, uint32_t terminal, unsigned link, unsigned vc) {
  return ut_explorer_injection(reach->explorer, terminal, link, vc) * reach->explorer->rt_room;
}

/* ---- propagation */

static void field_clear(const struct ut_reach *reach, struct ut_field *field) {
  unsigned words = reach->explorer->words;
  for (uint32_t i = 0; i < field->count; i++)
    memset(field->mask + (size_t)field->touched[i] * words, 0, words * sizeof *field->mask);
  field->count = 0;
}

/* Adds more & filter (or more) to the field's mask of `state`, and the new members to `delta`. */
static inline void join(struct ut_reach *reach, struct ut_field *field, uint32_t state, const uint64_t *more,
                        const uint64_t *filter) {
  unsigned words = reach->explorer->words;
  uint64_t *mask = field->mask + (size_t)state * words, *delta = reach->delta + (size_t)state * words, fresh = 0,
           old = 0;
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
    field->touched[field->count++] = state;
  if (state < reach->base) {
    reach->work[state / 64] |= UINT64_C(1) << state % 64;
    if (state / 64 < reach->lowest)
      reach->lowest = state / 64;
  } else if (!reach->on_stack[state]) {
    reach->on_stack[state] = true;
    reach->stack[reach->stacked++] = state;
  }
}

static void or_and(uint64_t *to, const uint64_t *a, const uint64_t *b, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    to[i] |= a[i] & b[i];
}

/* Moves all packets of `delta` in one state by one hop. */
static bool spread(struct ut_reach *reach, struct ut_field *field, uint32_t state) {
  struct ut_explorer *explorer = reach->explorer;
  unsigned words = explorer->words;
  const struct ut_row *row = ut_reach_row(reach, state);
  if (!row)
    return false;
  or_and(reach->discarded, reach->delta + (size_t)state * words, row->mask + UT_ROW_DISCARDED * words, words);
  or_and(reach->wrong, reach->delta + (size_t)state * words, row->mask + UT_ROW_WRONG * words, words);
  for (unsigned i = 0; i < row->edges; i++) {
    const uint64_t *any = ut_row_any(explorer, row, i);
    if (!ut_mask_meet(reach->delta + (size_t)state * words, any, words))
      continue;
    uint32_t next = ut_reach_target(reach, state, &row->edge[i]);
    if (next == UINT32_MAX)
      return false;
    const uint64_t *delta = reach->delta + (size_t)state * words; /* the arrays may have moved */
    if (next <= state && next < reach->base) /* only a U-turn lets a walk come back, unless it has own bits */
      or_and(reach->back, delta, any, words);
    join(reach, field, next, any, delta);
  }
  memset(reach->delta + (size_t)state * words, 0, words * sizeof *reach->delta);
  return true;
}

/* Propagates until nothing is left; the lowest state first, so that most states are visited once. */
static bool propagate(struct ut_reach *reach, struct ut_field *field) {
  while (reach->lowest < reach->work_words) {
    uint64_t *work = &reach->work[reach->lowest];
    if (!*work) {
      reach->lowest++;
      continue;
    }
    uint32_t state = reach->lowest * 64 + (uint32_t)__builtin_ctzll(*work);
    *work &= *work - 1;
    if (!spread(reach, field, state))
      return false;
  }
  while (reach->stacked) {
    uint32_t state = reach->stack[--reach->stacked];
    reach->on_stack[state] = false;
    if (!spread(reach, field, state))
      return false;
  }
  return true;
}

/* Without `delta` and work list; there are some more. */
static void join_only(const struct ut_reach *reach, struct ut_field *field, uint32_t state, const uint64_t *more,
                      const uint64_t *filter) {
  unsigned words = reach->explorer->words;
  uint64_t *mask = field->mask + (size_t)state * words, old = 0;
  for (unsigned i = 0; i < words; i++) {
    old |= mask[i];
    mask[i] |= filter ? more[i] & filter[i] : more[i];
  }
  if (!old)
    field->touched[field->count++] = state;
}

/* Starts packets at every terminal; to_do: they are to be propagated. */
static void inject(struct ut_reach *reach, struct ut_field *field, bool to_do) {
  struct ut_explorer *explorer = reach->explorer;
  uint32_t terminals = explorer->topology->terminals;
  uint64_t others[UT_MAX_PROVED_TERMINALS / 64];
  for (uint32_t t = 0; t < terminals; t++) {
    for (unsigned i = 0; i < explorer->words; i++)
      others[i] = i + 1 < explorer->words || terminals % 64 == 0 ? ~UINT64_C(0) : (UINT64_C(1) << terminals % 64) - 1;
    others[t / 64] &= ~(UINT64_C(1) << t % 64);
    for (unsigned link = 0; link < ut_explorer_injections(explorer); link++)
      for (unsigned vc = 0; vc < ut_first_layer_vcs(explorer->v, explorer->layers); vc++)
        if (to_do)
          join(reach, field, ut_reach_start(reach, t, link, vc), others, NULL);
        else
          join_only(reach, field, ut_reach_start(reach, t, link, vc), others, NULL);
  }
}

/* Removes all packets and all states with own bits. */
static void reset(struct ut_reach *reach) {
  field_clear(reach, &reach->reached), field_clear(reach, &reach->a), field_clear(reach, &reach->b);
  memset(reach->discarded, 0, 4 * (size_t)reach->explorer->words * sizeof *reach->discarded);
  reach->states = reach->base;
  reach->owns = 1;
  reach->own_items = 0;
  ut_hash_clear(&reach->extra_hash);
  ut_hash_clear(&reach->own_hash);
}

/* Computes all states of all packets in `reached`. */
static int explore(struct ut_reach *reach) {
  for (;;) {
    reset(reach);
    inject(reach, &reach->reached, true);
    if (propagate(reach, &reach->reached))
      return 0;
    if (reach->explorer->bad_memory)
      return -1;
    struct ut_explorer *explorer = reach->explorer; /* there are more values of rt than room for them: start again */
    const ut_mask *stale = reach->stale;
    if (!ut_explorer_grow(explorer))
      return -1;
    release(reach);
    *reach = (struct ut_reach){.explorer = explorer, .stale = stale};
    if (!allocate(reach)) {
      explorer->bad_memory = true;
      return -1;
    }
  }
}

/* ---- loops */

/* Reduces field a to the packets that have a successor in it, until nothing changes: those that can continue for
 * ever. */
static bool find_loops(struct ut_reach *reach) {
  struct ut_explorer *explorer = reach->explorer;
  unsigned words = explorer->words;
  field_clear(reach, &reach->a);
  struct ut_field *field = &reach->a;
  for (uint32_t i = 0; i < reach->reached.count; i++) {
    uint32_t state = reach->reached.touched[i];
    uint64_t *mask = field->mask + (size_t)state * words, some = 0;
    for (unsigned j = 0; j < words; j++)
      some |= mask[j] =
          reach->reached.mask[(size_t)state * words + j] & (state < reach->base ? reach->back[j] : ~UINT64_C(0));
    if (some)
      field->touched[field->count++] = state;
  }
  uint64_t keep[UT_MAX_PROVED_TERMINALS / 64];
  for (bool changed = field->count > 0; changed;) {
    changed = false;
    for (uint32_t i = field->count; i-- > 0;) {
      uint32_t state = field->touched[i];
      if (!ut_mask_any(field->mask + (size_t)state * words, words))
        continue;
      const struct ut_row *row = ut_reach_row(reach, state);
      if (!row)
        return false;
      memset(keep, 0, sizeof keep);
      for (unsigned j = 0; j < row->edges; j++) {
        const uint64_t *any = ut_row_any(explorer, row, j);
        if (!ut_mask_meet(any, field->mask + (size_t)state * words, words))
          continue;
        uint32_t next = ut_reach_target(reach, state, &row->edge[j]);
        if (next == UINT32_MAX)
          return false;
        or_and(keep, any, field->mask + (size_t)next * words, words);
      }
      for (unsigned j = 0; j < words; j++) {
        uint64_t *mask = &field->mask[(size_t)state * words + j], kept = *mask & keep[j];
        changed |= kept != *mask;
        *mask = kept;
      }
    }
  }
  for (uint32_t i = 0; i < field->count; i++)
    for (unsigned j = 0; j < words; j++)
      reach->looping[j] |= field->mask[(size_t)field->touched[i] * words + j];
  return true;
}

/* ---- all together */

/* Shares the bits that packets can set, as found so far; returns whether some are new. */
static int share(struct ut_reach *reach, bool *more) {
  struct ut_explorer *explorer = reach->explorer;
  *more = false;
  for (uint32_t i = 0; i < reach->reached.count; i++) {
    uint32_t state = reach->reached.touched[i], channel = ut_reach_channel(reach, state);
    if (!explorer->channel[channel].from_above) /* only U-turns set bits */
      continue;
    const struct ut_row *row = ut_reach_row(reach, state);
    if (!row)
      return -1;
    for (unsigned j = 0; j < row->edges; j++)
      if (row->edge[j].set && ut_mask_meet(ut_row_any(explorer, row, j),
                                           reach->reached.mask + (size_t)state * explorer->words, explorer->words))
        *more |= ut_explorer_share(explorer, explorer->channel[channel].sw, row->edge[j].set);
  }
  return 0;
}

static int find_all_loops(struct ut_reach *reach) {
  if (ut_mask_any(reach->back, reach->explorer->words) || reach->states > reach->base)
    return find_loops(reach) ? 0 : -1;
  return 0;
}

int ut_reach_run(struct ut_reach *reach) {
  return explore(reach) || find_all_loops(reach) ? -1 : 0;
}

int ut_reach_run_shared(struct ut_reach *reach) {
  bool more = reach->explorer->group[0].form.vector, again = false;
  if (more && share(reach, &more))
    return -1;
  for (uint32_t sw = 0; reach->stale && sw < reach->explorer->topology->switches; sw++)
    more |= !reach->explorer->dead[sw] && reach->stale[sw] && ut_explorer_share(reach->explorer, sw, reach->stale[sw]);
  while (more) {
    again = true;
    if (explore(reach) || share(reach, &more))
      return -1;
  }
  return again ? find_all_loops(reach) : 0;
}

bool ut_reach_loops(const struct ut_reach *reach) {
  return ut_mask_any(reach->looping, reach->explorer->words);
}

bool ut_reach_connected(const struct ut_reach *reach) {
  return !ut_mask_any(reach->discarded, 3 * reach->explorer->words); /* discarded, wrong and looping are adjacent */
}

/* ---- lengths of walks */

unsigned ut_reach_longest(struct ut_reach *reach) {
  struct ut_explorer *explorer = reach->explorer;
  unsigned hops = 0, words = explorer->words;
  struct ut_field *now = &reach->a, *then = &reach->b;
  field_clear(reach, now), field_clear(reach, then);
  inject(reach, now, false);
  for (; now->count; hops++) {
    for (uint32_t i = 0; i < now->count; i++) {
      uint32_t state = now->touched[i];
      const struct ut_row *row = ut_reach_row(reach, state);
      for (unsigned j = 0; row && j < row->edges; j++) {
        const uint64_t *any = ut_row_any(explorer, row, j);
        if (!ut_mask_meet(now->mask + (size_t)state * words, any, words))
          continue;
        uint32_t next = ut_reach_target(reach, state, &row->edge[j]);
        if (next != UINT32_MAX)
          join_only(reach, then, next, any, now->mask + (size_t)state * words);
      }
    }
    field_clear(reach, now);
    struct ut_field *other = now;
    now = then;
    then = other;
  }
  return hops - 1;
}

unsigned ut_reach_u_turns(struct ut_reach *reach) {
  struct ut_explorer *explorer = reach->explorer;
  unsigned turns = 0, words = explorer->words;
  struct ut_field *now = &reach->reached, *then = &reach->a, *spare = &reach->b;
  for (;;) {
    field_clear(reach, then);
    for (uint32_t i = 0; i < now->count; i++) {
      uint32_t state = now->touched[i];
      const struct ut_row *row = ut_reach_row(reach, state);
      for (unsigned j = 0; row && row->u_turns && j < row->edges; j++) {
        const uint64_t *any = ut_row_any(explorer, row, j), *mask = now->mask + (size_t)state * words;
        if (!row->edge[j].u_turn || !ut_mask_meet(mask, any, words))
          continue;
        uint32_t next = ut_reach_target(reach, state, &row->edge[j]);
        if (next != UINT32_MAX)
          join(reach, then, next, any, now->mask + (size_t)state * words);
      }
    }
    if (!then->count || !propagate(reach, then))
      break;
    turns++;
    if (now == &reach->reached) {
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
