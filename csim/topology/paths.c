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
  struct ut_paths *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->nodes = nodes;
  p->local = local;
  p->of = calloc((size_t)nodes * nodes, sizeof *p->of);
  if (p->of)
    return p;
  free(p);
  return NULL;
}

void ut_paths_free(struct ut_paths *p) {
  if (!p)
    return;
  free(p->of);
  free(p->path);
  free(p);
}

bool ut_paths_add(struct ut_paths *p, uint32_t from, uint32_t to, const struct ut_path *path) {
  if (p->count == p->room) {
    uint32_t room = p->room ? 2 * p->room : 64;
    struct ut_path *larger = realloc(p->path, room * sizeof *larger);
    if (!larger)
      return false;
    p->path = larger;
    p->room = room;
  }
  p->path[p->count++] = *path;
  p->of[(size_t)from * p->nodes + to] = p->count;
  return true;
}

size_t ut_paths_table_bytes(const struct ut_paths *p) {
  uint32_t most = 0;
  for (uint32_t from = 0; from < p->nodes; from++) {
    uint32_t entries = 0;
    for (uint32_t to = 0; to < p->nodes; to++)
      entries += p->of[(size_t)from * p->nodes + to] != 0;
    most = entries > most ? entries : most;
  }
  return ((size_t)most * p->entry_bits + 7) / 8;
}
