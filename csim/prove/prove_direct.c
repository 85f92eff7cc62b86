/* prove_direct.c - one fault set of a torus or mesh: every walk, then what the escape channels wait for. */
#include "prove.h"

const struct ut_arcs *ut_prover_deciding_arcs(const struct ut_prover *p) {
  const struct ut_group *g = &p->world.group;
  if (g->shape.switching != UT_WORMHOLE)
    return &p->rings.direct;
  return g->traits.preferred ? &p->rings.extended
                             : &p->rings.all; /* adaptive VCs are given away empty: Duato's theorem */
}

/* Walks all packets; with `second` for their dependencies, which need the escape channels of all. */
static int walk_all(struct ut_prover *p, struct ut_verdict *v, bool second) {
  static const enum ut_failure failure[UT_WALK_FAULTS] = {
      [UT_WALK_DISCARDS] = UT_FAILURE_DISCARD, [UT_WALK_WRONG] = UT_FAILURE_WRONG,   [UT_WALK_LOOPS] = UT_FAILURE_LOOP,
      [UT_WALK_STRANDS] = UT_FAILURE_ESCAPE,   [UT_WALK_BUBBLE] = UT_FAILURE_BUBBLE,
  };
  struct ut_walk *k = &p->walk;
  for (uint64_t number = 0; ut_packet_list_get(&p->packets, number, &k->packets); number++) {
    if (!k->packets.sources)
      continue;
    if (ut_walk_run(k, &k->packets))
      return -1;
    if (second) {
      ut_rings_add(&p->rings, k, (uint32_t)number);
      continue;
    }
    ut_rings_mark(&p->rings, k);
    for (unsigned i = 0; i < UT_WALK_DETOURS; i++)
      v->failure[failure[i]] |= k->first[i] != UT_NO_STATE;
    v->detours |= k->first[UT_WALK_DETOURS] != UT_NO_STATE;
    v->pairs += k->packets.sources;
    if (k->longest > v->longest)
      v->longest = k->longest;
  }
  return 0;
}

/* Some node has no way to some other one. */
static bool separated(struct ut_prover *p) {
  const struct ut_topology *t = p->topology;
  uint32_t *queue = calloc(t->switches, sizeof *queue), count = 0;
  bool *seen = calloc(t->switches, sizeof *seen);
  if (queue && seen) {
    seen[0] = true;
    queue[count++] = 0;
  } else {
    p->world.bad_memory = true;
  }
  for (uint32_t i = 0; i < count; i++)
    UT_FOR_EACH(port, p->world.up[queue[i]]) {
      const struct ut_peer *peer = &t->peer[(size_t)queue[i] * t->po + port];
      if (peer->kind != UT_PEER_SWITCH || seen[peer->index])
        continue;
      seen[peer->index] = true;
      queue[count++] = peer->index;
    }
  free(queue);
  free(seen);
  return count < t->switches;
}

int ut_prover_examine_direct(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v,
                             struct ut_error *e) {
  struct ut_world *w = &p->world;
  struct ut_rings *r = &p->rings;
  uint64_t answers = p->walk.answers;
  *v = (struct ut_verdict){0};
  ut_world_set_faults(w, set);
  ut_rings_clear(r);
  if (!ut_packet_list_plan(&p->packets, set) || walk_all(p, v, false) || walk_all(p, v, true))
    return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
  if (p->packets.paths) {
    v->separated = p->packets.paths->separated;
    v->without_route = p->packets.paths->without_route;
    v->failure[UT_FAILURE_ROUTE] = v->without_route > 0;
  }
  v->answers = (p->walk.answers - answers) / 2; /* each was compared in both rounds */
  v->nodes = ut_rings_count(r);
  v->direct = ut_arcs_count(&r->direct);
  v->dependency_cycle = ut_rings_cyclic(r, &r->all);
  v->extended_cycle = ut_rings_cyclic(r, &r->extended);
  v->failure[UT_FAILURE_CYCLE] = v->dependency_cycle && ut_rings_cyclic(r, ut_prover_deciding_arcs(p));
  if (v->failure[UT_FAILURE_DISCARD] || v->failure[UT_FAILURE_ESCAPE])
    v->shallow = separated(p);
  return w->bad_memory ? ut_fail(e, UT_INTERNAL, "out of memory for the analysis") : 0;
}
