/* world.c - see world.h */
#include "world.h"

#include <string.h>

#include "reroute_vector.h"
#include "route_unit.h"

enum { MAX_VIEWS = 100000, RT_ROOM = 32 };

/* ---- init */

static void number_channels(struct ut_world *w) {
  const struct ut_topology *t = w->topology;
  uint32_t next = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < t->switches; i++) {
      uint32_t sw = pass ? t->switches - 1 - i : i; /* from above: roots first */
      for (unsigned port = 0; port < t->pi; port++) {
        bool above = t->up_ports >> port & 1;
        if (above != (pass == 1))
          continue;
        for (unsigned vc = 0; vc < w->v; vc++) {
          w->channel_of[((size_t)sw * t->pi + port) * w->v + vc] = next;
          w->channel[next++] =
              (struct ut_channel){.sw = sw,
                                  .port = (uint8_t)port,
                                  .vc = (uint8_t)vc,
                                  .from_above = above,
                                  .layer = (uint8_t)(vc < w->v - (w->layers - 1) ? 0 : vc - (w->v - w->layers)),
                                  .injection = ut_topology_source(t, sw, port).kind == UT_PEER_TERMINAL};
        }
      }
    }
}

/* Writes all forwarding tables for the network as it is. */
static void plan_tables(struct ut_world *w) {
  const struct ut_topology *t = w->topology;
  ut_planner_survey(&w->planner, w->up);
  for (uint32_t i = 0; i < w->channels; i++) {
    const struct ut_channel *c = &w->channel[i];
    for (uint32_t dst = 0; dst < t->terminals; dst++)
      ut_switch_configure(&w->group, ut_switch_of(&w->group, c->sw),
                          ut_planner_entry(&w->planner, c->sw, c->port, c->vc, (uint16_t)dst));
  }
}

int ut_world_init(struct ut_world *w, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e) {
  struct ut_shape shape;
  *w = (struct ut_world){.topology = t};
  if (ut_scenario_shape(s, &t->elaboration[0], &shape, e))
    return -1;
  if (t->terminals > UT_MAX_PROVED_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "%s: %u terminals are too many for an analysis of every pair, at most %d", s->path,
                   (unsigned)t->terminals, UT_MAX_PROVED_TERMINALS);
  w->direct = t->dimensions > 0;
  w->v = shape.v;
  w->k = shape.po / 2;
  w->words = (t->terminals + 63) / 64;
  w->channels = t->switches * shape.pi * shape.v;
  size_t n = t->switches;
  w->channel = calloc(w->channels, sizeof *w->channel);
  w->channel_of = calloc(w->channels, sizeof *w->channel_of);
  w->all_up = calloc(n, sizeof *w->all_up);
  w->up = calloc(n, sizeof *w->up);
  w->neighbour = calloc(n, sizeof *w->neighbour);
  w->near = calloc(n, sizeof *w->near);
  w->far = calloc(n, sizeof *w->far);
  w->shared = calloc(n, sizeof *w->shared);
  w->dead = calloc(n, sizeof *w->dead);
  w->touched = calloc(n, sizeof *w->touched);
  w->is_touched = calloc(n, sizeof *w->is_touched);
  w->current = calloc(n, sizeof *w->current);
  w->rt_room = RT_ROOM;
  w->rt_value = calloc(w->rt_room, sizeof *w->rt_value);
  /* one row under construction: each output VC with each change of the rt field and the vector that we may meet */
  w->scratch = calloc((size_t)(UT_ROW_EDGES + 2 * UT_MAX_PORTS * UT_MAX_VCS) * w->words, sizeof *w->scratch);
  ut_hash_clear(&w->rt_hash);
  ut_hash_clear(&w->view_hash);
  bool fresh;
  struct ut_hash_entry *zero = ut_hash_at(&w->rt_hash, 0, &fresh);
  if (!w->channel || !w->channel_of || !w->all_up || !w->up || !w->neighbour || !w->near || !w->far || !w->shared ||
      !w->dead || !w->touched || !w->is_touched || !w->current || !w->rt_value || !w->scratch || !zero ||
      !ut_group_init(&w->group, &shape, 0, t->switches)) {
    ut_world_free(w);
    return ut_fail(e, UT_INTERNAL, "%s: out of memory for the analysis of %u switches", s->path, (unsigned)t->switches);
  }
  unsigned layers = UT_ALG_LAYERS(shape.route, shape.algorithm);
  w->layers = shape.v < layers ? shape.v : layers;
  w->rts = 1;
  if (!w->group.traits.rewrites)
    w->rt_room = 1;
  number_channels(w);
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    ut_switch_reset(&w->group, ut_switch_of(&w->group, sw), t->straps[sw]);
    for (unsigned port = 0; port < t->po; port++)
      if (t->peer[(size_t)sw * t->po + port].kind != UT_PEER_NONE)
        w->all_up[sw] |= ut_bit(port);
    w->up[sw] = w->all_up[sw];
  }
  if (!w->group.traits.tables)
    return 0;
  w->replans = s->routing.tables == UT_TABLES_RECONFIGURED;
  if (!ut_planner_init(&w->planner, t, &shape)) {
    ut_world_free(w);
    return ut_fail(e, UT_INTERNAL, "%s: out of memory for forwarding tables", s->path);
  }
  plan_tables(w);
  return 0;
}

static void forget_views(struct ut_world *w) {
  for (uint32_t i = 0; i < w->views; i++) {
    struct ut_switch_view *view = w->view[i];
    for (uint32_t j = 0; j < w->topology->pi * w->v * view->rts; j++)
      free(view->row[j]);
    free(view->row);
    free(view);
  }
  w->views = 0;
  ut_hash_clear(&w->view_hash);
  if (w->current)
    memset(w->current, 0, w->topology->switches * sizeof *w->current);
}

void ut_world_free(struct ut_world *w) {
  forget_views(w);
  free(w->view);
  ut_hash_free(&w->view_hash);
  ut_hash_free(&w->rt_hash);
  free(w->channel), free(w->channel_of), free(w->all_up), free(w->up), free(w->neighbour);
  free(w->near), free(w->far), free(w->shared);
  free(w->dead), free(w->touched), free(w->is_touched), free(w->current), free(w->rt_value), free(w->scratch);
  ut_group_fini(&w->group);
  ut_planner_fini(&w->planner);
  *w = (struct ut_world){0};
}

void ut_world_trim(struct ut_world *w) {
  if (w->views > MAX_VIEWS)
    forget_views(w);
}

/* ---- faults */

static void touch(struct ut_world *w, uint32_t sw) {
  w->current[sw] = NULL;
  if (w->is_touched[sw])
    return;
  w->is_touched[sw] = true;
  w->touched[w->touched_count++] = sw;
}

static void cut(struct ut_world *w, uint32_t sw, unsigned port) {
  const struct ut_peer *p = &w->topology->peer[(size_t)sw * w->topology->po + port];
  touch(w, sw);
  w->up[sw] &= ~ut_bit(port);
  if (p->kind == UT_PEER_SWITCH) {
    touch(w, p->index);
    w->up[p->index] &= ~ut_bit(p->port);
  }
}

/* One cycle of the code that hears and passes on reports of faulty down links (docs/reroute_vector.md). */
static void hear(struct ut_world *w, uint32_t sw) {
  struct ut_switch *s = ut_switch_of(&w->group, sw);
  struct ut_switch_in in = {.in_up = w->up[sw], .out_up = w->up[sw], .neighbour = w->near[sw], .far = w->far[sw]};
  s->in_up = s->out_up = w->up[sw];
  s->vector = 0;
  s->timer = 0;
  if (!w->dead[sw])
    ut_reroute_vector_update(&w->group, s, &in, 0);
}

/* What a switch reports reaches all its neighbours. */
static void tell(struct ut_world *w, uint32_t sw, ut_mask *heard) {
  const struct ut_topology *t = w->topology;
  UT_FOR_EACH(port, w->up[sw]) {
    const struct ut_peer *p = &t->peer[(size_t)sw * t->po + port];
    if (p->kind == UT_PEER_SWITCH) {
      touch(w, p->index);
      heard[p->index] |= ut_bit(p->port);
    }
  }
}

/* The reports until they do not change any more: one is passed on once, so two rounds after the first. */
static void report_faults(struct ut_world *w) {
  for (unsigned round = 0; round < 3; round++) {
    uint32_t count = w->touched_count;
    for (uint32_t i = 0; i < count; i++)
      hear(w, w->touched[i]);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t sw = w->touched[i];
      const struct ut_switch *s = ut_switch_of(&w->group, sw);
      if (round == 0 && s->fault && !w->dead[sw])
        tell(w, sw, w->near);
      else if (round == 1 && s->far && !w->dead[sw])
        tell(w, sw, w->far);
    }
  }
  for (uint32_t i = 0; i < w->touched_count; i++)
    w->neighbour[w->touched[i]] = ut_switch_of(&w->group, w->touched[i])->neighbour;
}

void ut_world_set_faults(struct ut_world *w, const struct ut_fault_set *set) {
  for (uint32_t i = 0; i < w->touched_count; i++) {
    uint32_t sw = w->touched[i];
    w->up[sw] = w->all_up[sw];
    w->neighbour[sw] = w->shared[sw] = w->near[sw] = w->far[sw] = 0;
    w->dead[sw] = w->is_touched[sw] = false;
    w->current[sw] = NULL;
    ut_switch_reset(&w->group, ut_switch_of(&w->group, sw), w->topology->straps[sw]);
  }
  w->touched_count = 0;
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *link = &w->topology->link[set->link[i]];
    cut(w, link->lower, link->lower_port);
  }
  for (unsigned i = 0; i < set->switches; i++) {
    w->dead[set->sw[i]] = true;
    UT_FOR_EACH(port, w->all_up[set->sw[i]]) cut(w, set->sw[i], port);
  }
  if (w->group.traits.vector)
    report_faults(w);
  if (w->replans) {
    forget_views(w);
    plan_tables(w);
  }
}

ut_mask ut_world_kept(const struct ut_world *w, uint32_t sw, ut_mask bits) {
  return ut_switch_of(&w->group, sw)->stage.repair ? bits & w->neighbour[sw] : bits;
}

bool ut_world_share(struct ut_world *w, uint32_t sw, ut_mask bits) {
  bits = ut_world_kept(w, sw, bits);
  if (!(bits & ~w->shared[sw]))
    return false;
  touch(w, sw);
  w->shared[sw] |= bits;
  return true;
}

void ut_world_unshare(struct ut_world *w) {
  for (uint32_t i = 0; i < w->touched_count; i++)
    if (w->shared[w->touched[i]]) {
      w->shared[w->touched[i]] = 0;
      w->current[w->touched[i]] = NULL;
    }
}

/* ---- rows */

static struct ut_switch_view *find_view(struct ut_world *w, uint32_t sw, ut_mask own) {
  ut_mask shared = w->shared[sw] & ~own;
  uint64_t key = ut_hash_mix((uint64_t)sw << 32 | w->up[sw]) ^ ut_hash_mix((uint64_t)w->neighbour[sw] << 32 | own) * 3 ^
                 ut_hash_mix(shared) * 5;
  for (;; key++) { /* a key that belongs to another state: try the next one */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&w->view_hash, key, &fresh);
    if (!entry)
      break;
    if (!fresh) {
      struct ut_switch_view *view = w->view[entry->value];
      if (view->sw == sw && view->up == w->up[sw] && view->neighbour == w->neighbour[sw] && view->own == own &&
          view->shared == shared)
        return view;
      continue;
    }
    entry->value = w->views;
    if (w->views == w->view_room) {
      uint32_t room = w->view_room ? 2 * w->view_room : 256;
      struct ut_switch_view **larger = realloc(w->view, room * sizeof *larger);
      if (!larger)
        break;
      w->view = larger;
      w->view_room = room;
    }
    struct ut_switch_view *view = malloc(sizeof *view);
    struct ut_row **row = calloc((size_t)w->topology->pi * w->v * w->rt_room, sizeof *row);
    if (!view || !row) {
      free(view);
      free(row);
      break;
    }
    *view = (struct ut_switch_view){sw, w->up[sw], w->neighbour[sw], own, shared, w->rt_room, row};
    return w->view[w->views++] = view;
  }
  w->bad_memory = true;
  return NULL;
}

static uint32_t number_of_rt(struct ut_world *w, uint32_t value) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&w->rt_hash, value, &fresh);
  if (!entry) {
    w->bad_memory = true;
    return 0;
  }
  if (fresh) {
    entry->value = w->rts;
    if (w->rts < w->rt_room)
      w->rt_value[w->rts] = value;
    else
      w->rt_overflow = true;
    w->rts++;
  }
  return entry->value < w->rt_room ? entry->value : 0;
}

bool ut_world_grow(struct ut_world *w) {
  uint32_t room = 2 * w->rt_room;
  uint32_t *value = realloc(w->rt_value, room * sizeof *value);
  if (!value) {
    w->bad_memory = true;
    return false;
  }
  w->rt_value = value;
  uint32_t known = w->rt_room;
  w->rt_room = room;
  forget_views(w);
  /* values beyond the old room were counted, not kept: forget them */
  ut_hash_clear(&w->rt_hash);
  w->rts = 0;
  w->rt_overflow = false;
  for (uint32_t i = 0; i < known; i++)
    number_of_rt(w, w->rt_value[i]);
  return true;
}

void ut_world_ask_header(struct ut_world *w, uint32_t channel, uint64_t header, ut_mask vector,
                         struct ut_route_result *r) {
  const struct ut_channel *c = &w->channel[channel];
  struct ut_switch *s = ut_switch_of(&w->group, c->sw);
  s->in_up = s->out_up = w->up[c->sw];
  s->neighbour = w->neighbour[c->sw];
  s->vector = vector;
  memset(r, 0, sizeof *r);
  w->group.route(&w->group, s, header, c->port, c->vc, r);
  if (!w->group.traits.rewrites)
    r->rt = ut_header_rt(header);
  w->route_calls++;
}

void ut_world_ask(struct ut_world *w, uint32_t channel, uint32_t dst, uint32_t rt, ut_mask vector,
                  struct ut_route_result *r) {
  uint16_t src = (uint16_t)((dst + 1) % w->topology->terminals);
  ut_world_ask_header(w, channel, ut_header_make((uint16_t)dst, src, 0, rt), vector, r);
}

uint32_t ut_channel_behind(const struct ut_world *w, uint32_t sw, unsigned port, unsigned vc) {
  const struct ut_topology *t = w->topology;
  const struct ut_peer *p = &t->peer[(size_t)sw * t->po + port];
  return p->kind == UT_PEER_SWITCH ? w->channel_of[((size_t)p->index * t->pi + p->port) * w->v + vc] : UINT32_MAX;
}

/* A row under construction. */
struct draft {
  struct ut_world *w;
  const struct ut_channel *channel;
  unsigned edges;
  struct ut_edge edge[UT_MAX_PORTS * UT_MAX_VCS];
};

static void put(uint64_t *mask, uint32_t dst) {
  mask[dst / 64] |= UINT64_C(1) << dst % 64;
}

static uint64_t *draft_mask(const struct draft *d, unsigned which) {
  return d->w->scratch + (size_t)which * d->w->words;
}

/* The edge of that output VC, rt and vector bits; a new one if need be. */
static unsigned draft_edge(struct draft *d, unsigned port, unsigned vc, uint32_t rt, ut_mask set) {
  const struct ut_topology *t = d->w->topology;
  for (unsigned i = 0; i < d->edges; i++)
    if (d->edge[i].port == port && d->edge[i].vc == vc && d->edge[i].rt == rt && d->edge[i].set == set)
      return i;
  if (d->edges == UT_MAX_PORTS * UT_MAX_VCS) {
    d->w->bad_memory = true;
    return 0;
  }
  const struct ut_peer *p = &t->peer[(size_t)d->channel->sw * t->po + port];
  d->edge[d->edges] = (struct ut_edge){
      .rt = rt,
      .set = set,
      .port = (uint8_t)port,
      .vc = (uint8_t)vc,
      .u_turn = d->channel->from_above && t->up_ports >> port & 1,
      .terminal = p->kind != UT_PEER_SWITCH,
      .channel = p->kind == UT_PEER_SWITCH ? d->w->channel_of[((size_t)p->index * t->pi + p->port) * d->w->v + vc] : 0,
  };
  return d->edges++;
}

/* The answers for one destination, over all vectors. */
static void draft_destination(struct draft *d, uint32_t channel, uint32_t rt, ut_mask own, ut_mask shared,
                              uint32_t dst) {
  struct ut_world *w = d->w;
  const struct ut_topology *t = w->topology;
  struct ut_route_result r;
  ut_mask every[UT_MAX_VCS]; /* output VCs that are candidates with every vector */
  for (ut_mask more = 0, first = 1;; more = (more - shared) & shared) {
    ut_mask some = 0;
    ut_world_ask(w, channel, dst, w->rt_value[rt], own | more, &r);
    for (unsigned vc = 0; vc < w->v; vc++) {
      some |= r.cand[vc];
      every[vc] = first ? r.cand[vc] : every[vc] & r.cand[vc];
    }
    first = 0;
    if (r.discard || !some) {
      put(draft_mask(d, UT_ROW_DISCARDED), dst);
    } else {
      uint32_t next = number_of_rt(w, r.rt);
      for (unsigned vc = 0; vc < w->v; vc++)
        UT_FOR_EACH(port, r.cand[vc]) {
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

static struct ut_row *make_row(struct ut_world *w, uint32_t channel, uint32_t rt, ut_mask own, ut_mask shared) {
  struct draft d = {.w = w, .channel = &w->channel[channel]};
  memset(w->scratch, 0, (size_t)(UT_ROW_EDGES + 2 * UT_MAX_PORTS * UT_MAX_VCS) * w->words * sizeof *w->scratch);
  for (uint32_t dst = 0; dst < w->topology->terminals; dst++)
    draft_destination(&d, channel, rt, own, shared, dst);
  size_t masks = (size_t)(UT_ROW_EDGES + 2 * d.edges) * w->words;
  size_t head = sizeof(struct ut_row) + d.edges * sizeof(struct ut_edge);
  head = (head + 7) / 8 * 8;
  struct ut_row *row = malloc(head + masks * sizeof *row->mask);
  if (!row) {
    w->bad_memory = true;
    return NULL;
  }
  row->edges = d.edges;
  row->mask = (uint64_t *)((unsigned char *)row + head);
  row->u_turns = false;
  for (unsigned i = 0; i < d.edges; i++) {
    row->edge[i] = d.edge[i];
    row->u_turns |= d.edge[i].u_turn;
  }
  memcpy(row->mask, w->scratch, masks * sizeof *row->mask);
  return row;
}

const struct ut_row *ut_world_row(struct ut_world *w, uint32_t channel, uint32_t rt, ut_mask own) {
  const struct ut_channel *c = &w->channel[channel];
  struct ut_switch_view *view = own ? NULL : w->current[c->sw];
  if (!view) {
    view = find_view(w, c->sw, own);
    if (!view)
      return NULL;
    if (!own)
      w->current[c->sw] = view;
  }
  struct ut_row **row = &view->row[(size_t)(c->port * w->v + c->vc) * view->rts + rt];
  if (!*row) {
    struct ut_row *made = make_row(w, channel, rt, own, view->shared);
    if (w->rt_overflow || w->bad_memory) {
      free(made);
      return NULL;
    }
    *row = made;
  }
  return *row;
}
