/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - rows of answers, made when they are needed and kept: see explorer.h */
#include "explorer.h"

#include <string.h>

#include "route_unit.h"

enum { MAX_VIEWS = 100000 };

void ut_explorer_forget(struct ut_explorer *x) {
  for (uint32_t i = 0; i < x->views; i++) {
    struct ut_switch_view *view = x->view[i];
    for (uint32_t j = 0; j < x->topology->pi * x->v * view->rts; j++)
      free(view->row[j]);
    free(view->row);
    free(view);
  }
  x->views = 0;
  ut_hash_clear(&x->view_hash);
  if (x->current)
    memset(x->current, 0, x->topology->switches * sizeof *x->current);
}

void ut_explorer_trim(struct ut_explorer *x) {
  if (x->views > MAX_VIEWS)
    ut_explorer_forget(x);
}

/* ---- states of a switch, values of rt */

static struct ut_switch_view *find_view(struct ut_explorer *x, uint32_t sw, ut_mask own) {
  ut_mask shared = x->shared[sw] & ~own;
  uint64_t key = ut_hash_mix((uint64_t)sw << 32 | x->up[sw]) ^ ut_hash_mix((uint64_t)x->neighbour[sw] << 32 | own) * 3 ^
                 ut_hash_mix(shared) * 5;
  for (;; key++) { /* a key that belongs to another state: try the next one */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&x->view_hash, key, &fresh);
    if (!entry)
      break;
    if (!fresh) {
      struct ut_switch_view *view = x->view[entry->value];
      if (view->sw == sw && view->up == x->up[sw] && view->neighbour == x->neighbour[sw] && view->own == own &&
          view->shared == shared)
        return view;
      continue;
    }
    entry->value = x->views;
    if (x->views == x->view_room) {
      uint32_t room = x->view_room ? 2 * x->view_room : 256;
      struct ut_switch_view **larger = realloc(x->view, room * sizeof *larger);
      if (!larger)
        break;
      x->view = larger;
      x->view_room = room;
    }
    struct ut_switch_view *view = malloc(sizeof *view);
    struct ut_row **row = calloc((size_t)x->topology->pi * x->v * x->rt_room, sizeof *row);
    if (!view || !row) {
      free(view);
      free(row);
      break;
    }
    *view = (struct ut_switch_view){sw, x->up[sw], x->neighbour[sw], own, shared, x->rt_room, row};
    return x->view[x->views++] = view;
  }
  x->bad_memory = true;
  return NULL;
}

static uint32_t number_of_rt(struct ut_explorer *x, uint32_t value) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&x->rt_hash, value, &fresh);
  if (!entry) {
    x->bad_memory = true;
    return 0;
  }
  if (fresh) {
    entry->value = x->rts;
    if (x->rts < x->rt_room)
      x->rt_value[x->rts] = value;
    else
      x->rt_overflow = true;
    x->rts++;
  }
  return entry->value < x->rt_room ? entry->value : 0;
}

bool ut_explorer_grow(struct ut_explorer *x) {
  uint32_t room = 2 * x->rt_room;
  uint32_t *value = realloc(x->rt_value, room * sizeof *value);
  if (!value) {
    x->bad_memory = true;
    return false;
  }
  x->rt_value = value;
  uint32_t known = x->rt_room;
  x->rt_room = room;
  ut_explorer_forget(x);
  /* values beyond the old room were counted, not kept: forget them */
  ut_hash_clear(&x->rt_hash);
  x->rts = 0;
  x->rt_overflow = false;
  for (uint32_t i = 0; i < known; i++)
    number_of_rt(x, x->rt_value[i]);
  return true;
}

/* A row under construction. */
struct draft {
  struct ut_explorer *x;
  const struct ut_channel *channel;
  unsigned edges;
  struct ut_edge edge[UT_MAX_PORTS * UT_MAX_VCS];
};

static void put(uint64_t *mask, uint32_t dst) {
  mask[dst / 64] |= UINT64_C(1) << dst % 64;
}

static uint64_t *draft_mask(const struct draft *d, unsigned which) {
  return d->x->scratch + (size_t)which * d->x->words;
}

/* The edge of that output VC, which leads to a switch, with that rt and vector bits; a new one if need be. */
static unsigned draft_edge(struct draft *d, unsigned port, unsigned vc, uint32_t rt, ut_mask set) {
  const struct ut_topology *t = d->x->topology;
  for (unsigned i = 0; i < d->edges; i++)
    if (d->edge[i].port == port && d->edge[i].vc == vc && d->edge[i].rt == rt && d->edge[i].set == set)
      return i;
  if (d->edges == UT_MAX_PORTS * UT_MAX_VCS) {
    d->x->bad_memory = true;
    return 0;
  }
  const struct ut_peer *p = &t->peer[(size_t)d->channel->sw * t->po + port];
  d->edge[d->edges] = (struct ut_edge){
      .rt = rt,
      .set = set,
      .port = (uint8_t)port,
      .vc = (uint8_t)vc,
      .u_turn = d->channel->from_above && t->up_ports >> port & 1,
      .channel = ut_explorer_channel(d->x, p->index, p->port, vc),
  };
  return d->edges++;
}

/* The answers for one destination, over all vectors. */
static void draft_destination(struct draft *d, uint32_t channel, uint32_t rt, ut_mask own, ut_mask shared,
                              uint32_t dst) {
  struct ut_explorer *x = d->x;
  const struct ut_topology *t = x->topology;
  struct ut_route_result r;
  ut_mask every[UT_MAX_VCS]; /* output VCs that are candidates with every vector */
  for (ut_mask more = 0, first = 1;; more = (more - shared) & shared) {
    ut_mask some = 0;
    ut_explorer_ask(x, channel, dst, x->rt_value[rt], own | more, &r);
    for (unsigned vc = 0; vc < x->v; vc++) {
      some |= r.cand[vc];
      every[vc] = first ? r.cand[vc] : every[vc] & r.cand[vc];
    }
    first = 0;
    if (!some) {
      put(draft_mask(d, UT_ROW_DISCARDED), dst);
    } else {
      uint32_t next = number_of_rt(x, r.rt);
      for (unsigned vc = 0; vc < x->v; vc++)
        UT_FOR_EACH (port, r.cand[vc]) {
          const struct ut_peer *p = &t->peer[(size_t)d->channel->sw * t->po + port];
          if (p->kind == UT_PEER_SWITCH)
            put(draft_mask(d, UT_ROW_EDGES + 2 * draft_edge(d, port, vc, next, r.set)), dst);
          else if (p->kind == UT_PEER_TERMINAL && p->index == dst)
            put(draft_mask(d, UT_ROW_DELIVERED), dst);
          else
            put(draft_mask(d, UT_ROW_WRONG), dst);
        }
    }
    if (more == shared)
      break;
  }
  for (unsigned i = 0; i < d->edges; i++)
    if (every[d->edge[i].vc] & ut_bit(d->edge[i].port) && draft_mask(d, UT_ROW_EDGES + 2 * i)[dst / 64] >> dst % 64 & 1)
      put(draft_mask(d, UT_ROW_EDGES + 2 * i + 1), dst);
}

static struct ut_row *make_row(struct ut_explorer *x, uint32_t channel, uint32_t rt, ut_mask own, ut_mask shared) {
  struct draft d = {.x = x, .channel = &x->channel[channel]};
  memset(x->scratch, 0, (size_t)(UT_ROW_EDGES + 2 * UT_MAX_PORTS * UT_MAX_VCS) * x->words * sizeof *x->scratch);
  for (uint32_t dst = 0; dst < x->topology->terminals; dst++)
    draft_destination(&d, channel, rt, own, shared, dst);
  size_t masks = (size_t)(UT_ROW_EDGES + 2 * d.edges) * x->words;
  size_t head = sizeof(struct ut_row) + d.edges * sizeof(struct ut_edge);
  head = (head + 7) / 8 * 8;
  struct ut_row *row = malloc(head + masks * sizeof *row->mask);
  if (!row) {
    x->bad_memory = true;
    return NULL;
  }
  row->edges = d.edges;
  row->mask = (uint64_t *)((unsigned char *)row + head);
  row->u_turns = false;
  for (unsigned i = 0; i < d.edges; i++) {
    row->edge[i] = d.edge[i];
    row->u_turns |= d.edge[i].u_turn;
  }
  memcpy(row->mask, x->scratch, masks * sizeof *row->mask);
  return row;
}

const struct ut_row *ut_explorer_row(struct ut_explorer *x, uint32_t channel, uint32_t rt, ut_mask own) {
  const struct ut_channel *c = &x->channel[channel];
  struct ut_switch_view *view = own ? NULL : x->current[c->sw];
  if (!view) {
    view = find_view(x, c->sw, own);
    if (!view)
      return NULL;
    if (!own)
      x->current[c->sw] = view;
  }
  struct ut_row **row = &view->row[(size_t)(c->port * x->v + c->vc) * view->rts + rt];
  if (!*row) {
    struct ut_row *made = make_row(x, channel, rt, own, view->shared);
    if (x->rt_overflow || x->bad_memory) {
      free(made);
      return NULL;
    }
    *row = made;
  }
  return *row;
}
