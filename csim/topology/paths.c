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

void ut_paths_free(struct ut_paths *paths) {
  if (!paths)
    return;
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
  paths->of[(size_t)from * paths->nodes + to] = paths->count;
  return true;
}

size_t ut_paths_table_bytes(const struct ut_paths *paths) {
  uint32_t most = 0;
  for (uint32_t from = 0; from < paths->nodes; from++) {
    uint32_t entries = 0;
    for (uint32_t to = 0; to < paths->nodes; to++)
      entries += paths->of[(size_t)from * paths->nodes + to] != 0;
    most = entries > most ? entries : most;
  }
  return ((size_t)most * paths->entry_bits + 7) / 8;
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
