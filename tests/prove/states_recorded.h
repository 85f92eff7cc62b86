/* states_recorded.h - what the prover finds of one fault set, all of it, for tests that record it (recorded.h). */
#ifndef UT_TEST_STATES_RECORDED_H
#define UT_TEST_STATES_RECORDED_H

#include "counter_example.h"
#include "method_sets.h"
#include "method_walks.h"
#include "numbering.h"
#include "recorded.h"

/* So many sets of so many faults. */
static inline struct ut_fault_request drawn_sets(unsigned links, unsigned switches, uint64_t samples) {
  return (struct ut_fault_request){.links = {links, links},
                                   .switches = {switches, switches},
                                   .total = {0, links + switches},
                                   .limit = 1,
                                   .samples = samples,
                                   .seed = 3};
}

static inline void record_verdict(uint64_t *hash, const struct ut_verdict *v) {
  for (unsigned i = 0; i < UT_FAILURES; i++)
    record(hash, v->failure[i]);
  record(hash, v->dependency_cycle), record(hash, v->shallow), record(hash, v->longest), record(hash, v->pairs);
  record(hash, v->no_subfunction), record(hash, v->u_turns), record(hash, v->separated), record(hash, v->without_route);
  record(hash, v->detours), record(hash, v->extended_cycle), record(hash, v->nodes), record(hash, v->direct);
  record(hash, v->answers), record(hash, v->outside);
}

static inline void record_explorer(uint64_t *hash, const struct ut_explorer *x) {
  const bool numbered = ut_channels_numbered(x), escapes = ut_escapes_numbered(x);
  for (uint32_t i = 0; i < x->channels; i++) {
    const struct ut_channel *c = &x->channel[i];
    record(hash,
           (uint64_t)c->sw << 32 | c->port << 16 | c->vc << 8 | c->layer << 2 | c->from_above << 1 | c->injection);
    record(hash, numbered ? (uint64_t)ut_channel_number(x, i) : 0);
    record(hash, escapes ? (uint64_t)ut_escape_number(x, i) : 0);
  }
  for (uint32_t sw = 0; sw < x->topology->switches; sw++) {
    record(hash, x->up[sw]), record(hash, x->neighbour[sw]), record(hash, x->shared[sw]), record(hash, x->dead[sw]);
    record(hash, ut_explorer_serves(x, sw));
  }
}

static inline void record_row(uint64_t *hash, const struct ut_explorer *x, const struct ut_row *row) {
  record(hash, row->edges), record(hash, row->u_turns);
  for (unsigned i = 0; i < row->edges; i++) {
    const struct ut_edge *e = &row->edge[i];
    record(hash, (uint64_t)e->channel << 32 | e->set);
    record(hash, (uint64_t)e->rt << 32 | e->port << 16 | e->vc << 8 | e->u_turn << 1);
  }
  record_words(hash, row->mask, (size_t)(UT_ROW_EDGES + 2 * row->edges) * x->words);
}

static inline void record_graph(uint64_t *hash, const struct ut_graph *g) {
  uint64_t all = 0; /* whatever their order is */
  for (size_t i = 0; i < g->arcs; i += 2)
    all += ut_hash_mix((uint64_t)g->arc[i] << 32 | (uint64_t)g->arc[i + 1]);
  record(hash, all), record(hash, g->arcs);
}

static inline void record_reach(uint64_t *hash, struct ut_reach *r) {
  const struct ut_explorer *x = r->explorer;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    const uint32_t state = r->reached.touched[i];
    record(hash, (uint64_t)ut_reach_channel(r, state) << 32 | ut_reach_rt(r, state));
    record(hash, ut_reach_own_bits(r, state));
    record_words(hash, r->reached.mask + (size_t)state * x->words, x->words);
    const struct ut_row *row = ut_reach_row(r, state);
    assert_non_null(row);
    record_row(hash, x, row);
  }
  record_words(hash, r->discarded, x->words), record_words(hash, r->wrong, x->words);
  record_words(hash, r->looping, x->words);
}

static inline void record_walks(uint64_t *hash, struct ut_by_walks *own) {
  struct ut_walk *k = &own->walk;
  for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &k->packets); number++) {
    ut_packets_leave_out(&k->packets, k->explorer);
    record_words(hash, k->packets.header, k->packets.headers);
    record(hash, k->packets.dst);
    for (uint32_t i = 0; i < k->packets.sources; i++)
      record(hash, (uint64_t)k->packets.source[i] << 8 | k->packets.link[i]);
    if (!k->packets.sources)
      continue;
    assert_int_equal(ut_walk_run(k, &k->packets), 0);
    for (uint32_t i = 0; i < k->places; i++) {
      const struct ut_walk_state *s = &k->place[i];
      record(hash, (uint64_t)s->channel << 32 | s->from), record(hash, (uint64_t)s->hop << 32 | s->src);
      record_words(hash, k->header[s->header].word, k->header[s->header].words);
      for (uint32_t j = s->first; j < s->end; j++)
        record(hash, (uint64_t)k->hop[j].to << 32 | k->hop[j].port << 16 | k->hop[j].vc << 8 | k->hop[j].escape << 1 |
                         k->hop[j].chosen);
    }
    for (uint32_t i = 0; i < k->ordered; i++)
      record(hash, (uint64_t)k->order[i] << 32 | k->depth[k->order[i]]);
    for (unsigned i = 0; i < UT_WALK_FAULTS; i++)
      record(hash, k->first[i]);
    record(hash, k->longest);
  }
  const struct ut_arcs *arcs[] = {&own->rings.direct, &own->rings.extended, &own->rings.all};
  for (unsigned i = 0; i < 3; i++) {
    record(hash, ut_rings_cyclic(&own->rings, arcs[i]));
    record_graph(hash, &own->rings.graph);
  }
  record(hash, own->rings.nodes), record(hash, ut_rings_count(&own->rings)), record(hash, ut_rings_closed(&own->rings));
}

static inline void record_step(uint64_t *hash, const struct ut_step *s, unsigned vcs) {
  record(hash, (uint64_t)s->sw << 32 | s->rt), record(hash, (uint64_t)s->src << 32 | s->dst);
  record(hash, s->in_port << 8 | s->in_vc | s->from_above << 16 | s->u_turn << 17 | s->leaves << 18);
  record(hash, s->out_port << 8 | s->out_vc), record(hash, (uint64_t)s->own << 32 | s->vector);
  for (unsigned v = 0; v < vcs; v++)
    record(hash, (uint64_t)s->cand[v] << 32 | s->bubble[v]);
}

static inline void record_example(uint64_t *hash, const struct ut_counter_example *c, const struct ut_explorer *x) {
  record(hash, c->steps), record(hash, c->back_to), record(hash, c->waiting), record(hash, c->rings);
  record(hash, (uint64_t)c->number[0]), record(hash, (uint64_t)c->number[1]);
  if (c->steps) /* of a cycle each packet has its own */
    record(hash, (uint64_t)c->src << 32 | c->dst);
  for (size_t i = 0; i < c->steps; i++)
    record_step(hash, &c->step[i], x->v);
  for (size_t i = 0; i < c->mores; i++)
    record_step(hash, &c->more[i], x->v);
  record(hash, ut_counter_example_hops(c, x->topology));
}

/* After ut_prover_examine. */
static inline void record_found(uint64_t *hash, struct ut_prover *p, const struct ut_fault_set *set,
                                const struct ut_verdict *v) {
  record_verdict(hash, v);
  record_explorer(hash, &p->explorer);
  if (p->method == &ut_proof_by_sets) {
    struct ut_by_sets *own = ut_by_sets(p);
    record_reach(hash, &own->reach);
    record(hash, ut_dependencies_cycle(&own->dependencies));
    record_graph(hash, &own->dependencies.graph);
    if (p->explorer.layers == 1) {
      record(hash, ut_dependencies_extended_cycle(&own->dependencies, set));
      record_graph(hash, &own->dependencies.graph);
    }
  } else {
    record_walks(hash, ut_by_walks(p));
  }
}

#endif
