/* SPDX-License-Identifier: Apache-2.0 */
/* oracle.h - walks every packet by itself, by plain recursion: slow, small, and independent of csim/prove but for
 * the fault set.  What the prover computes with sets of destinations must be the same. */
#ifndef UT_ORACLE_H
#define UT_ORACLE_H

#include <stdlib.h>
#include <string.h>

#include "explorer.h"
#include "network.h"
#include "route_unit.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

enum { ORACLE_SWITCHES = 64, ORACLE_DEPTH = 64 };

struct oracle_state {
  uint32_t sw, port, vc, rt;
  ut_mask own[ORACLE_SWITCHES]; /* bits that the packet has set */
};

struct oracle {
  struct ut_network network; /* with the faults, some cycles old: its switches know what they know */
  ut_mask up[ORACLE_SWITCHES], neighbour[ORACLE_SWITCHES];
  ut_mask shared[ORACLE_SWITCHES]; /* bits that packets may have set */
  bool discards, loops, wrong, more_shared;
  unsigned longest, u_turns;
  struct oracle_state path[ORACLE_DEPTH];
};

/* A network has parts that lie on lines of the cache; calloc does not know of that. */
static inline struct oracle *oracle_new(void) {
  struct oracle *o = aligned_alloc(_Alignof(struct oracle), sizeof *o);
  if (!o)
    abort();
  memset(o, 0, sizeof *o);
  return o;
}

static inline void oracle_walk(struct oracle *o, const struct oracle_state *s, uint32_t dst, unsigned hops,
                               unsigned u_turns, bool use_shared) {
  const struct ut_topology *t = o->network.topology;
  struct ut_group *g = o->network.group;
  for (unsigned i = 0; i < hops; i++)
    if (!memcmp(&o->path[i], s, sizeof *s)) {
      o->loops = true;
      return;
    }
  if (hops + 1 == ORACLE_DEPTH)
    abort();
  o->path[hops] = *s;
  if (hops > o->longest)
    o->longest = hops;
  if (u_turns > o->u_turns)
    o->u_turns = u_turns;
  struct ut_switch *sw = ut_switch_of(g, s->sw);
  for (ut_mask vector = 0; vector < (ut_mask)1 << t->po; vector++) {
    ut_mask most = s->own[s->sw] | (use_shared ? o->shared[s->sw] : 0);
    if ((vector & ~most) || (s->own[s->sw] & ~vector))
      continue;
    struct ut_route_result r;
    memset(&r, 0, sizeof r);
    sw->out_up = o->up[s->sw];
    sw->neighbour = o->neighbour[s->sw];
    sw->vector = vector;
    g->route(g, sw, ut_header_make((uint16_t)dst, (uint16_t)((dst + 3) % t->terminals), 9, s->rt), s->port, s->vc, &r);
    ut_mask some = 0;
    for (unsigned vc = 0; vc < g->shape.v; vc++)
      some |= r.cand[vc];
    if (!some) {
      o->discards = true;
      continue;
    }
    ut_mask kept = sw->stage.repair ? r.set & sw->neighbour : r.set;
    if (kept & ~o->shared[s->sw]) {
      o->shared[s->sw] |= kept;
      o->more_shared = true;
    }
    for (unsigned vc = 0; vc < g->shape.v; vc++)
      UT_FOR_EACH (port, r.cand[vc]) {
        const struct ut_peer *p = &t->peer[(size_t)s->sw * t->po + port];
        if (p->kind == UT_PEER_TERMINAL) {
          o->wrong |= p->index != dst;
          continue;
        }
        struct oracle_state next = *s;
        next.sw = p->index;
        next.port = p->port;
        next.vc = vc;
        next.rt = g->form.rewrites ? r.rt : s->rt;
        next.own[s->sw] |= kept;
        bool turn = t->up_ports >> s->port & 1 && t->up_ports >> port & 1;
        oracle_walk(o, &next, dst, hops + 1, u_turns + turn, use_shared);
      }
  }
}

/* false: no memory, or too large a network for it. */
static inline bool oracle_run(struct oracle *o, const struct ut_scenario *s, const struct ut_fault_set *set,
                              bool use_shared) {
  struct ut_scenario with = *s;
  struct ut_error e;
  struct ut_fault fault[16];
  memset(o, 0, sizeof *o);
  with.faults = fault;
  with.fault_count = 0;
  with.traffic.load_flits_per_cycle = 0;
  struct ut_topology t;
  if (ut_topology_init(&t, s, &e))
    return false;
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *l = &t.link[set->link[i]];
    fault[with.fault_count++] = (struct ut_fault){.kind = UT_FAULT_LINK,
                                                  .until_cycle = UINT64_MAX,
                                                  .level = t.level[l->upper],
                                                  .index = t.position[l->upper],
                                                  .port = l->upper_port};
  }
  for (unsigned i = 0; i < set->switches; i++)
    fault[with.fault_count++] = (struct ut_fault){.kind = UT_FAULT_SWITCH,
                                                  .until_cycle = UINT64_MAX,
                                                  .level = t.level[set->sw[i]],
                                                  .index = t.position[set->sw[i]]};
  ut_topology_free(&t);
  if (ut_network_init(&o->network, &with, NULL, &e))
    return false;
  for (unsigned i = 0; i < 12; i++)
    ut_network_step(&o->network);
  for (uint32_t sw = 0; sw < o->network.topology->switches; sw++) {
    o->up[sw] = ut_network_switch(&o->network, sw)->out_up;
    o->neighbour[sw] = ut_network_switch(&o->network, sw)->neighbour;
  }
  const struct ut_shape *p = o->network.shape;
  unsigned layers = UT_ALG_LAYERS(p->route, p->algorithm), vcs = p->v < layers ? p->v : p->v - layers + 1;
  if (vcs > p->v - layers + 1 && p->v >= layers)
    return false;
  if (p->v < layers)
    vcs = 1;
  do {
    o->more_shared = false;
    o->discards = o->loops = o->wrong = false;
    o->longest = o->u_turns = 0;
    for (uint32_t src = 0; src < o->network.topology->terminals; src++)
      for (uint32_t dst = 0; dst < o->network.topology->terminals; dst++)
        for (unsigned vc = 0; src != dst && vc < vcs; vc++) {
          const struct ut_attachment a = ut_topology_attachment(o->network.topology, src);
          struct oracle_state start;
          memset(&start, 0, sizeof start);
          start.sw = a.sw;
          start.port = a.in_port;
          start.vc = vc;
          oracle_walk(o, &start, dst, 0, 0, use_shared);
        }
  } while (o->more_shared && use_shared);
  return true;
}

static inline void oracle_free(struct oracle *o) {
  ut_network_fini(&o->network);
}

/* A scenario that needs no file. */
static inline struct ut_scenario *oracle_scenario(unsigned k, unsigned n, const char *algorithm, unsigned vcs,
                                                  const char *more) {
  char text[512], vc_text[32] = "";
  struct ut_error e;
  if (vcs)
    snprintf(vc_text, sizeof vc_text, "switch: {vcs: %u}\n", vcs);
  int length = snprintf(text, sizeof text,
                        "topology: {kind: fat_tree, k: %u, n: %u}\n%srouting: {algorithm: %s%s}\n"
                        "traffic: {load_flits_per_cycle: 0.1}\n",
                        k, n, vc_text, algorithm, more);
  return ut_scenario_parse(text, (size_t)length, "test.yaml", &e);
}

#endif
