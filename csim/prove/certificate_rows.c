/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_rows.c - see certificate_rows.h */
#include "certificate_rows.h"

#include <string.h>

#include "route_unit.h"

bool ut_reserve_one(void *array, size_t size, uint32_t used, uint32_t *room) {
  void **pointer = array;
  if (used < *room)
    return true;
  const uint32_t more = *room ? 2 * *room : 256;
  void *larger = realloc(*pointer, more * size);
  if (!larger)
    return false;
  *pointer = larger;
  *room = more;
  return true;
}

void ut_view_rows_init(struct ut_view_rows *r, struct ut_explorer *x) {
  *r = (struct ut_view_rows){.explorer = x};
  ut_hash_clear(&r->view_of);
  ut_hash_clear(&r->row_of);
  ut_hash_clear(&r->set_of);
}

void ut_view_rows_free(struct ut_view_rows *r) {
  free(r->view), free(r->row), free(r->group), free(r->mask), free(r->candidates);
  ut_hash_free(&r->view_of), ut_hash_free(&r->row_of), ut_hash_free(&r->set_of);
  *r = (struct ut_view_rows){0};
}

/* ---- each thing once */

static uint32_t number_of_view(struct ut_view_rows *r, const struct ut_view *v) {
  uint64_t key = ut_hash_mix((uint64_t)v->sw << 32 | v->up) ^ ut_hash_mix((uint64_t)v->reports << 32 | v->vector) * 3;
  for (;; key++) { /* a key that belongs to another one: try the next */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&r->view_of, key, &fresh);
    if (!entry || !ut_reserve_one(&r->view, sizeof *r->view, r->views, &r->view_room)) {
      r->bad_memory = true;
      return UINT32_MAX;
    }
    if (fresh) {
      entry->value = r->views;
      r->view[r->views] = *v;
      return r->views++;
    }
    const struct ut_view *o = &r->view[entry->value];
    if (o->sw == v->sw && o->up == v->up && o->reports == v->reports && o->vector == v->vector)
      return entry->value;
  }
}

static uint32_t number_of_candidates(struct ut_view_rows *r, const struct ut_candidates *c) {
  uint64_t key = 0;
  for (unsigned v = 0; v < r->explorer->v; v++)
    key = ut_hash_mix(key * 31 + ((uint64_t)c->bubble[v] << 32 | c->cand[v]));
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&r->set_of, key, &fresh);
    if (!entry || !ut_reserve_one(&r->candidates, sizeof *r->candidates, r->sets, &r->set_room)) {
      r->bad_memory = true;
      return UINT32_MAX;
    }
    if (fresh) {
      entry->value = r->sets;
      r->candidates[r->sets] = *c;
      return r->sets++;
    }
    if (!memcmp(&r->candidates[entry->value], c, sizeof *c))
      return entry->value;
  }
}

/* ---- rows */

/* The destination joins the group of the row with that answer, the last `groups` ones. */
static void join(struct ut_view_rows *r, struct ut_view_row *row, uint32_t dst, const struct ut_row_group *g) {
  const unsigned words = r->explorer->words;
  uint32_t i = row->first;
  while (i < r->groups &&
         (r->group[i].candidates != g->candidates || r->group[i].rt != g->rt || r->group[i].set != g->set))
    i++;
  if (i == r->groups) {
    if (!ut_reserve_one(&r->group, sizeof *r->group, r->groups, &r->group_room) ||
        !ut_reserve_one(&r->mask, words * sizeof *r->mask, r->groups, &r->mask_room)) {
      r->bad_memory = true;
      return;
    }
    r->group[r->groups] = *g;
    memset(r->mask + (size_t)r->groups++ * words, 0, words * sizeof *r->mask);
    row->groups++;
  }
  r->mask[(size_t)i * words + dst / 64] |= UINT64_C(1) << dst % 64;
}

static void ask(struct ut_view_rows *r, struct ut_view_row *row, uint32_t channel, uint32_t rt, ut_mask vector) {
  struct ut_explorer *x = r->explorer;
  for (uint32_t dst = 0; dst < x->topology->terminals && !r->bad_memory; dst++) {
    struct ut_route_result answer;
    struct ut_candidates c = {{0}, {0}};
    ut_explorer_ask(x, channel, dst, rt, vector, &answer);
    for (unsigned v = 0; v < x->v; v++) {
      c.cand[v] = answer.cand[v];
      c.bubble[v] = x->group[0].form.bubble ? answer.bubble[v] & answer.cand[v] : 0;
    }
    const struct ut_row_group g = {.candidates = number_of_candidates(r, &c), .rt = answer.rt, .set = answer.set};
    join(r, row, dst, &g);
  }
}

uint32_t ut_view_rows_get(struct ut_view_rows *r, uint32_t channel, uint32_t rt, ut_mask vector) {
  struct ut_explorer *x = r->explorer;
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_view v = {.sw = c->sw, .up = x->up[c->sw], .reports = x->neighbour[c->sw], .vector = vector};
  const uint32_t view = number_of_view(r, &v);
  const uint16_t lane = (uint16_t)(c->port * x->v + c->vc);
  bool fresh;
  struct ut_hash_entry *entry =
      r->bad_memory ? NULL : ut_hash_at(&r->row_of, ((uint64_t)view << 8 | lane) << 24 | rt, &fresh);
  if (!entry || !ut_reserve_one(&r->row, sizeof *r->row, r->rows, &r->row_room)) {
    r->bad_memory = true;
    return UINT32_MAX;
  }
  if (!fresh)
    return entry->value;
  const uint32_t number = entry->value = r->rows++;
  struct ut_view_row row = {.view = view, .rt = rt, .first = r->groups, .lane = lane};
  ask(r, &row, channel, rt, vector);
  r->row[number] = row;
  return r->bad_memory ? UINT32_MAX : number;
}
