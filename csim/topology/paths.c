/* SPDX-License-Identifier: Apache-2.0 */
/* paths.c - see paths.h */
#include "paths.h"

#include <stdlib.h>

/* A misroute is three bits of the port and three of the hops without the first. */
uint32_t ut_leg_rt(const struct ut_leg *leg) {
  unsigned list = 0;
  for (unsigned i = 0; i < leg->misroutes; i++)
    list |= (leg->misroute[i].port | (leg->misroute[i].hops - 1u) << 3) << 6 * i;
  return (uint32_t)ut_rt_path_make((uint8_t)leg->sub_path, leg->more, leg->deterministic, (uint8_t)leg->misroutes,
                                   list & 7, list >> 3 & 7, (uint16_t)(list >> 6));
}

struct ut_leg ut_leg_of(uint32_t rt) {
  struct ut_leg leg = {.sub_path = ut_rt_path_sub_path(rt),
                       .more = ut_rt_path_more(rt),
                       .deterministic = ut_rt_path_deterministic(rt),
                       .misroutes = ut_rt_path_misroutes(rt)};
  unsigned list = ut_rt_path_direction(rt) | ut_rt_path_hops(rt) << 3u | (unsigned)ut_rt_path_later(rt) << 6;
  for (unsigned i = 0; i < leg.misroutes; i++, list >>= 6) {
    leg.misroute[i].port = list & 7;
    leg.misroute[i].hops = (uint8_t)((list >> 3 & 7) + 1);
  }
  return leg;
}

struct ut_paths *ut_paths_new(uint32_t nodes, unsigned local) {
  struct ut_paths *paths = calloc(1, sizeof *paths);
  if (!paths)
    return NULL;
  paths->nodes = nodes;
  paths->local = local;
  paths->of = calloc((size_t)nodes * nodes, sizeof *paths->of);
  if (paths->of)
    return paths;
  free(paths);
  return NULL;
}

struct ut_paths *ut_paths_new_asking(uint32_t nodes, unsigned local, const struct ut_path_planner *planner) {
  struct ut_paths *paths = calloc(1, sizeof *paths);
  if (!paths)
    return NULL;
  paths->kept = calloc(nodes, sizeof *paths->kept);
  if (!paths->kept) {
    free(paths);
    return NULL;
  }
  paths->nodes = nodes;
  paths->local = local;
  paths->planner = *planner;
  paths->ask = ut_paths_ask;
  return paths;
}

static void free_kept(struct ut_paths *paths) {
  for (uint32_t n = 0; n < paths->nodes; n++) {
    for (uint32_t i = 0; i < paths->kept[n].slots; i++)
      free(paths->kept[n].slot[i]);
    free(paths->kept[n].slot);
  }
  free(paths->kept);
  paths->planner.free(paths->planner.ctx);
}

void ut_paths_free(struct ut_paths *paths) {
  if (!paths)
    return;
  if (paths->kept)
    free_kept(paths);
  free(paths->of);
  free(paths->path);
  free(paths);
}

bool ut_paths_add(struct ut_paths *paths, uint32_t from, uint32_t to, const struct ut_path *path) {
  if (paths->count == paths->room) {
    uint32_t room = paths->room ? 2 * paths->room : 64;
    struct ut_path *larger = realloc(paths->path, room * sizeof *larger);
    if (!larger)
      return false;
    paths->path = larger;
    paths->room = room;
  }
  paths->path[paths->count++] = *path;
  paths->entries++;
  paths->of[(size_t)from * paths->nodes + to] = paths->count;
  return true;
}

size_t ut_paths_table_bytes(const struct ut_paths *paths) {
  uint32_t most = paths->most_entries;
  for (uint32_t from = 0; paths->of && from < paths->nodes; from++) {
    uint32_t entries = 0;
    for (uint32_t to = 0; to < paths->nodes; to++)
      entries += paths->of[(size_t)from * paths->nodes + to] != 0;
    most = entries > most ? entries : most;
  }
  return ((size_t)most * paths->entry_bits + 7) / 8;
}

/* ---- entries that are planned when they are asked for */

struct ut_kept_path {
  uint32_t to;
  struct ut_path path;
};

const struct ut_path ut_path_not_kept = {0};

/* Returns the slot of a destination, or the free one where it belongs. */
static struct ut_kept_path **slot_of(const struct ut_kept_paths *kept, uint32_t to) {
  uint32_t i = to * UINT32_C(0x9e3779b1) >> 7;
  while (kept->slot[i & (kept->slots - 1)] && kept->slot[i & (kept->slots - 1)]->to != to)
    i++;
  return &kept->slot[i & (kept->slots - 1)];
}

/* Makes room for another entry: half of the slots stay free. */
static bool make_room(struct ut_kept_paths *kept) {
  if (2 * kept->used < kept->slots)
    return true;
  struct ut_kept_paths larger = {.slots = kept->slots ? 2 * kept->slots : 8, .used = kept->used};
  larger.slot = calloc(larger.slots, sizeof *larger.slot);
  if (!larger.slot)
    return false;
  for (uint32_t i = 0; i < kept->slots; i++)
    if (kept->slot[i])
      *slot_of(&larger, kept->slot[i]->to) = kept->slot[i];
  free(kept->slot);
  *kept = larger;
  return true;
}

const struct ut_path *ut_paths_ask(const struct ut_paths *paths, uint32_t from, uint32_t to) {
  struct ut_kept_paths *kept = &paths->kept[from];
  if (!paths->planner.affects(paths->planner.ctx, from, to))
    return NULL;
  struct ut_kept_path **slot = kept->slots ? slot_of(kept, to) : NULL, *made;
  if (slot && *slot)
    return &(*slot)->path;
  made = make_room(kept) ? malloc(sizeof *made) : NULL;
  if (!made)
    return &ut_path_not_kept;
  made->to = to;
  paths->planner.plan(paths->planner.ctx, from, to, &made->path);
  kept->used++;
  *slot_of(kept, to) = made;
  return &made->path;
}

static bool is_same(const struct ut_path *a, const struct ut_path *b) {
  bool same = a->headers == b->headers;
  for (unsigned i = 0; i < a->headers && same; i++)
    same = a->rt[i] == b->rt[i] && a->stop[i] == b->stop[i];
  return same;
}

uint32_t ut_paths_changes(const struct ut_paths *from, const struct ut_paths *to, uint32_t node) {
  uint32_t changes = 0;
  for (size_t i = (size_t)node * to->nodes, end = i + to->nodes; i < end; i++) {
    const uint32_t old = from->of[i], new = to->of[i];
    changes += !old != !new || (old && !is_same(&from->path[old - 1], &to->path[new - 1]));
  }
  return changes;
}
