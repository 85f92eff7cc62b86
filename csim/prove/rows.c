/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - rows of answers, computed on demand and kept: see explorer.h */
#include "explorer.h"

#include <string.h>

#include "route_unit.h"

enum { MAX_VIEWS = 100000 };

void ut_explorer_forget(struct ut_explorer *explorer) {
  for (uint32_t i = 0; i < explorer->views; i++) {
    struct ut_switch_view *view = explorer->view[i];
    for (uint32_t j = 0; j < explorer->topology->pi * explorer->v * view->rts; j++)
      free(view->row[j]);
    free(view->row);
    free(view);
  }
  explorer->views = 0;
  ut_hash_clear(&explorer->view_hash);
  if (explorer->current)
    memset(explorer->current, 0, explorer->topology->switches * sizeof *explorer->current);
}

void ut_explorer_trim(struct ut_explorer *explorer) {
  if (explorer->views > MAX_VIEWS)
    ut_explorer_forget(explorer);
}

/* ---- states of a switch, values of rt */

static struct ut_switch_view *find_view(struct ut_explorer *explorer, uint32_t sw, ut_mask own) {
  ut_mask shared = explorer->shared[sw] & ~own;
  uint64_t key = ut_hash_mix((uint64_t)sw << 32 | explorer->up[sw]) ^
                 ut_hash_mix((uint64_t)explorer->neighbour[sw] << 32 | own) * 3 ^ ut_hash_mix(shared) * 5;
  for (;; key++) { /* a key that belongs to another state: try the next one */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&explorer->view_hash, key, &fresh);
    if (!entry)
      break;
    if (!fresh) {
      struct ut_switch_view *view = explorer->view[entry->value];
      if (view->sw == sw && view->up == explorer->up[sw] && view->neighbour == explorer->neighbour[sw] &&
          view->own == own && view->shared == shared)
        return view;
      continue;
    }
    entry->value = explorer->views;
    if (explorer->views == explorer->view_room) {
      uint32_t room = explorer->view_room ? 2 * explorer->view_room : 256;
      struct ut_switch_view **larger = realloc(explorer->view, room * sizeof *larger);
      if (!larger)
        break;
      explorer->view = larger;
      explorer->view_room = room;
    }
    struct ut_switch_view *view = malloc(sizeof *view);
    struct ut_row **row = calloc((size_t)explorer->topology->pi * explorer->v * explorer->rt_room, sizeof *row);
    if (!view || !row) {
      free(view);
      free(row);
      break;
    }
    *view = (struct ut_switch_view){sw, explorer->up[sw], explorer->neighbour[sw], own, shared, explorer->rt_room, row};
    return explorer->view[explorer->views++] = view;
  }
  explorer->bad_memory = true;
  return NULL;
}

static uint32_t number_of_rt(struct ut_explorer *explorer, uint32_t value) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&explorer->rt_hash, value, &fresh);
  if (!entry) {
    explorer->bad_memory = true;
    return 0;
  }
  if (fresh) {
    entry->value = explorer->rts;
    if (explorer->rts < explorer->rt_room)
      explorer->rt_value[explorer->rts] = value;
    else
      explorer->rt_overflow = true;
    explorer->rts++;
  }
  return entry->value < explorer->rt_room ? entry->value : 0;
}

bool ut_explorer_grow(struct ut_explorer *explorer) {
  uint32_t room = 2 * explorer->rt_room;
  uint32_t *value = realloc(explorer->rt_value, room * sizeof *value);
  if (!value) {
    explorer->bad_memory = true;
    return false;
  }
  explorer->rt_value = value;
  uint32_t known = explorer->rt_room;
  explorer->rt_room = room;
  ut_explorer_forget(explorer);
  /* values beyond the old room were counted but not stored: forget them */
  ut_hash_clear(&explorer->rt_hash);
  explorer->rts = 0;
  explorer->rt_overflow = false;
  for (uint32_t i = 0; i < known; i++)
    number_of_rt(explorer, explorer->rt_value[i]);
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

static uint64_t *draft_mask(const struct draft *draft, unsigned which) {
  return draft->x->scratch + (size_t)which * draft->x->words;
}

/* Returns the edge of that output VC, which leads to a switch, with that rt and vector bits; makes it if it is new. */
static unsigned draft_edge(struct draft *draft, unsigned port, unsigned vc, uint32_t rt, ut_mask set) {
  const struct ut_topology *topo = draft->x->topology;
  for (unsigned i = 0; i < draft->edges; i++)
    if (draft->edge[i].port == port && draft->edge[i].vc == vc && draft->edge[i].rt == rt && draft->edge[i].set == set)
      return i;
  if (draft->edges == UT_MAX_PORTS * UT_MAX_VCS) {
    draft->x->bad_memory = true;
    return 0;
  }
  const struct ut_peer *peer = &topo->peer[(size_t)draft->channel->sw * topo->po + port];
  draft->edge[draft->edges] = (struct ut_edge){
      .rt = rt,
      .set = set,
      .port = (uint8_t)port,
      .vc = (uint8_t)vc,
      .u_turn = draft->channel->from_above && ut_topology_up_ports(topo, draft->channel->sw) >> port & 1,
      .channel = ut_explorer_channel(draft->x, peer->index, peer->port, vc),
  };
  return draft->edges++;
}

/* Adds the answers for one destination, over all vectors. */
static void draft_destination(struct draft *draft, uint32_t channel, uint32_t rt, ut_mask own, ut_mask shared,
                              uint32_t dst) {
  struct ut_explorer *explorer = draft->x;
  const struct ut_topology *topo = explorer->topology;
  struct ut_route_result route;
  ut_mask every[UT_MAX_VCS]; /* output VCs that are candidates with every vector */
  for (ut_mask more = 0, first = 1;; more = (more - shared) & shared) {
    ut_mask some = 0;
    ut_explorer_ask(explorer, channel, dst, explorer->rt_value[rt], own | more, &route);
    for (unsigned vc = 0; vc < explorer->v; vc++) {
      some |= route.cand[vc];
      every[vc] = first ? route.cand[vc] : every[vc] & route.cand[vc];
    }
    first = 0;
    if (!some) {
      put(draft_mask(draft, UT_ROW_DISCARDED), dst);
    } else {
      uint32_t next = number_of_rt(explorer, route.rt);
      for (unsigned vc = 0; vc < explorer->v; vc++)
        UT_FOR_EACH (port, route.cand[vc]) {
          const struct ut_peer *peer = &topo->peer[(size_t)draft->channel->sw * topo->po + port];
          if (peer->kind == UT_PEER_SWITCH)
            put(draft_mask(draft, UT_ROW_EDGES + 2 * draft_edge(draft, port, vc, next, route.set)), dst);
          else if (peer->kind == UT_PEER_TERMINAL && peer->index == dst)
            put(draft_mask(draft, UT_ROW_DELIVERED), dst);
          else
            put(draft_mask(draft, UT_ROW_WRONG), dst);
        }
    }
    if (more == shared)
      break;
  }
  for (unsigned i = 0; i < draft->edges; i++)
    if (every[draft->edge[i].vc] & ut_bit(draft->edge[i].port) &&
        draft_mask(draft, UT_ROW_EDGES + 2 * i)[dst / 64] >> dst % 64 & 1)
      put(draft_mask(draft, UT_ROW_EDGES + 2 * i + 1), dst);
}

static struct ut_row *make_row(struct ut_explorer *explorer, uint32_t channel, uint32_t rt, ut_mask own,
                               ut_mask shared) {
  struct draft draft = {.x = explorer, .channel = &explorer->channel[channel]};
  memset(explorer->scratch, 0,
         (size_t)(UT_ROW_EDGES + 2 * UT_MAX_PORTS * UT_MAX_VCS) * explorer->words * sizeof *explorer->scratch);
  for (uint32_t dst = 0; dst < explorer->topology->terminals; dst++)
    draft_destination(&draft, channel, rt, own, shared, dst);
  size_t masks = (size_t)(UT_ROW_EDGES + 2 * draft.edges) * explorer->words;
  size_t head = sizeof(struct ut_row) + draft.edges * sizeof(struct ut_edge);
  head = (head + 7) / 8 * 8;
  struct ut_row *row = malloc(head + masks * sizeof *row->mask);
  if (!row) {
    explorer->bad_memory = true;
    return NULL;
  }
  row->edges = draft.edges;
  row->mask = (uint64_t *)((unsigned char *)row + head);
  row->u_turns = false;
  for (unsigned i = 0; i < draft.edges; i++) {
    row->edge[i] = draft.edge[i];
    row->u_turns |= draft.edge[i].u_turn;
  }
  memcpy(row->mask, explorer->scratch, masks * sizeof *row->mask);
  return row;
}

const struct ut_row *ut_explorer_row(struct ut_explorer *explorer, uint32_t channel, uint32_t rt, ut_mask own) {
  const struct ut_channel *chan = &explorer->channel[channel];
  struct ut_switch_view *view = own ? NULL : explorer->current[chan->sw];
  if (!view) {
    view = find_view(explorer, chan->sw, own);
    if (!view)
      return NULL;
    if (!own)
      explorer->current[chan->sw] = view;
  }
  struct ut_row **row = &view->row[(size_t)(chan->port * explorer->v + chan->vc) * view->rts + rt];
  if (!*row) {
    struct ut_row *made = make_row(explorer, channel, rt, own, view->shared);
    if (explorer->rt_overflow || explorer->bad_memory) {
      free(made);
      return NULL;
    }
    *row = made;
  }
  return *row;
}
