/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_rows.c - see certificate_rows.h */
#include "certificate_rows.h"

#include <string.h>

#include "route_unit.h"

void ut_view_rows_init(struct ut_view_rows *rows, struct ut_explorer *explorer) {
  *rows = (struct ut_view_rows){.explorer = explorer};
  ut_hash_clear(&rows->view_of);
  ut_hash_clear(&rows->row_of);
  ut_hash_clear(&rows->set_of);
}

void ut_view_rows_free(struct ut_view_rows *rows) {
  free(rows->view), free(rows->row), free(rows->group), free(rows->mask), free(rows->candidates);
  ut_hash_free(&rows->view_of), ut_hash_free(&rows->row_of), ut_hash_free(&rows->set_of);
  *rows = (struct ut_view_rows){0};
}

/* ---- each thing once */

static uint32_t number_of_view(struct ut_view_rows *rows, const struct ut_view *v) {
  uint64_t key = ut_hash_mix((uint64_t)v->sw << 32 | v->up) ^ ut_hash_mix((uint64_t)v->reports << 32 | v->vector) * 3;
  for (;; key++) { /* a key that belongs to another one: try the next */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&rows->view_of, key, &fresh);
    if (!entry || !ut_reserve_one(&rows->view, sizeof *rows->view, rows->views, &rows->view_room)) {
      rows->bad_memory = true;
      return UINT32_MAX;
    }
    if (fresh) {
      entry->value = rows->views;
      rows->view[rows->views] = *v;
      return rows->views++;
    }
    const struct ut_view *o = &rows->view[entry->value];
    if (o->sw == v->sw && o->up == v->up && o->reports == v->reports && o->vector == v->vector)
      return entry->value;
  }
}

static uint32_t number_of_candidates(struct ut_view_rows *rows, const struct ut_candidates *candidates) {
  uint64_t key = 0;
  for (unsigned v = 0; v < rows->explorer->v; v++)
    key = ut_hash_mix(key * 31 + ((uint64_t)candidates->bubble[v] << 32 | candidates->cand[v]));
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&rows->set_of, key, &fresh);
    if (!entry || !ut_reserve_one(&rows->candidates, sizeof *rows->candidates, rows->sets, &rows->set_room)) {
      rows->bad_memory = true;
      return UINT32_MAX;
    }
    if (fresh) {
      entry->value = rows->sets;
      rows->candidates[rows->sets] = *candidates;
      return rows->sets++;
    }
    if (!memcmp(&rows->candidates[entry->value], candidates, sizeof *candidates))
      return entry->value;
  }
}

/* ---- rows */

/* Adds the destination to the group of the row with that answer, one of the last `groups` groups. */
static void join(struct ut_view_rows *rows, struct ut_view_row *row, uint32_t dst, const struct ut_row_group *group) {
  const unsigned words = rows->explorer->words;
  uint32_t i = row->first;
  while (i < rows->groups && (rows->group[i].candidates != group->candidates || rows->group[i].rt != group->rt ||
                              rows->group[i].set != group->set))
    i++;
  if (i == rows->groups) {
    if (!ut_reserve_one(&rows->group, sizeof *rows->group, rows->groups, &rows->group_room) ||
        !ut_reserve_one(&rows->mask, words * sizeof *rows->mask, rows->groups, &rows->mask_room)) {
      rows->bad_memory = true;
      return;
    }
    rows->group[rows->groups] = *group;
    memset(rows->mask + (size_t)rows->groups++ * words, 0, words * sizeof *rows->mask);
    row->groups++;
  }
  rows->mask[(size_t)i * words + dst / 64] |= UINT64_C(1) << dst % 64;
}

static void ask(struct ut_view_rows *rows, struct ut_view_row *row, uint32_t channel, uint32_t rt, ut_mask vector) {
  struct ut_explorer *explorer = rows->explorer;
  for (uint32_t dst = 0; dst < explorer->topology->terminals && !rows->bad_memory; dst++) {
    struct ut_route_result answer;
    struct ut_candidates candidates = {{0}, {0}};
    ut_explorer_ask(explorer, channel, dst, rt, vector, &answer);
    for (unsigned v = 0; v < explorer->v; v++) {
      candidates.cand[v] = answer.cand[v];
      candidates.bubble[v] = explorer->group[0].form.bubble ? answer.bubble[v] & answer.cand[v] : 0;
    }
    const struct ut_row_group group = {
        .candidates = number_of_candidates(rows, &candidates), .rt = answer.rt, .set = answer.set};
    join(rows, row, dst, &group);
  }
}

uint32_t ut_view_rows_get(struct ut_view_rows *rows, uint32_t channel, uint32_t rt, ut_mask vector) {
  struct ut_explorer *explorer = rows->explorer;
  const struct ut_channel *chan = &explorer->channel[channel];
  const struct ut_view seen = {
      .sw = chan->sw, .up = explorer->up[chan->sw], .reports = explorer->neighbour[chan->sw], .vector = vector};
  const uint32_t view = number_of_view(rows, &seen);
  const uint16_t lane = (uint16_t)(chan->port * explorer->v + chan->vc);
  bool fresh;
  struct ut_hash_entry *entry =
      rows->bad_memory ? NULL : ut_hash_at(&rows->row_of, ((uint64_t)view << 8 | lane) << 24 | rt, &fresh);
  if (!entry || !ut_reserve_one(&rows->row, sizeof *rows->row, rows->rows, &rows->row_room)) {
    rows->bad_memory = true;
    return UINT32_MAX;
  }
  if (!fresh)
    return entry->value;
  const uint32_t number = entry->value = rows->rows++;
  struct ut_view_row row = {.view = view, .rt = rt, .first = rows->groups, .lane = lane};
  ask(rows, &row, channel, rt, vector);
  rows->row[number] = row;
  return rows->bad_memory ? UINT32_MAX : number;
}
