/* prove.c - see prove.h */
#include "prove.h"

#include <string.h>

enum { CHUNK = 16, BLOCK_BIT = 55 };

const char *const ut_failure_name[UT_FAILURES] = {"discard",   "wrong_terminal", "loop",   "cycle",
                                                  "numbering", "escape",         "bubble", "route"};

int ut_prover_init(struct ut_prover *p, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e) {
  *p = (struct ut_prover){.scenario = s, .topology = t};
  if (ut_world_init(&p->world, s, t, e))
    return -1;
  if (p->world.direct) {
    if (ut_packet_list_init(&p->packets, s, t, e) == 0 && ut_walk_init(&p->walk, &p->world, e) == 0 &&
        ut_rings_init(&p->rings, &p->world, e) == 0)
      return 0;
  } else if (ut_reach_init(&p->reach, &p->world, e) == 0 && ut_dependencies_init(&p->dependencies, &p->reach, e) == 0 &&
             ut_up_down_init(&p->up_down, &p->world, e) == 0) {
    return 0;
  }
  ut_prover_free(p);
  return -1;
}

void ut_prover_free(struct ut_prover *p) {
  ut_packet_list_free(&p->packets);
  ut_rings_free(&p->rings);
  ut_walk_free(&p->walk);
  ut_up_down_free(&p->up_down);
  ut_dependencies_free(&p->dependencies);
  ut_reach_free(&p->reach);
  ut_world_free(&p->world);
}

int ut_prover_examine(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v, struct ut_error *e) {
  struct ut_world *w = &p->world;
  struct ut_reach *r = &p->reach;
  if (w->direct)
    return ut_prover_examine_direct(p, set, v, e);
  *v = (struct ut_verdict){0};
  ut_world_trim(w);
  ut_world_set_faults(w, set);
  if (ut_reach_run(r) || ut_reach_run_shared(r))
    return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
  v->failure[UT_FAILURE_DISCARD] = ut_mask_any(r->discarded, w->words);
  v->failure[UT_FAILURE_WRONG] = ut_mask_any(r->wrong, w->words);
  v->failure[UT_FAILURE_LOOP] = ut_reach_loops(r);
  v->dependency_cycle = ut_dependencies_cycle(&p->dependencies);
  uint32_t from, to;
  if (ut_channels_numbered(w))
    v->failure[UT_FAILURE_NUMBERING] = ut_dependencies_falling(&p->dependencies, &from, &to);
  if (v->dependency_cycle) {
    bool wormhole = w->group.shape.switching == UT_WORMHOLE; /* a packet then holds several channels at a time */
    v->no_subfunction = wormhole || ut_dependencies_extended_cycle(&p->dependencies, set);
    v->failure[UT_FAILURE_CYCLE] = wormhole || (v->no_subfunction && ut_dependencies_waiting(&p->dependencies));
  }
  if (!v->failure[UT_FAILURE_LOOP]) {
    v->longest = ut_reach_longest(r);
    v->u_turns = ut_reach_u_turns(r);
  }
  if (v->failure[UT_FAILURE_DISCARD] || v->failure[UT_FAILURE_WRONG] || v->failure[UT_FAILURE_LOOP])
    v->shallow = !ut_up_down_connected(&p->up_down);
  return w->bad_memory ? ut_fail(e, UT_INTERNAL, "out of memory for the analysis") : 0;
}

unsigned ut_proof_block(const struct ut_proof *p, enum ut_failure kind) {
  return (unsigned)((p->rank[kind] - 1) >> BLOCK_BIT); /* rank + 1 is stored */
}

/* ---- all fault sets */

struct job {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const struct ut_fault_space *space;
  const struct ut_parallel *parallel;
  const ut_mask *stale;
};

static void keep_most(uint64_t *most, uint64_t value) {
  if (value > *most)
    *most = value;
}

static void add_verdict(struct ut_proof *proof, const struct ut_fault_space *space, const struct ut_fault_block *block,
                        uint64_t index, const struct ut_verdict *v) {
  bool connected = !v->failure[UT_FAILURE_DISCARD] && !v->failure[UT_FAILURE_WRONG] && !v->failure[UT_FAILURE_LOOP] &&
                   !v->failure[UT_FAILURE_ROUTE];
  proof->sets++;
  proof->connected += connected;
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    proof->failing[i] += v->failure[i];
    if (!v->failure[i])
      continue;
    bool shallow = i == UT_FAILURE_CYCLE ? !connected : v->shallow;
    uint64_t rank = (uint64_t)(block - space->block) << BLOCK_BIT | (uint64_t)shallow << (BLOCK_BIT - 1) | index;
    if (proof->rank[i] && proof->rank[i] <= rank + 1) /* + 1: 0 is none yet */
      continue;
    proof->rank[i] = rank + 1;
    proof->first[i] = index;
  }
  proof->dependency_cycles += v->dependency_cycle;
  proof->no_subfunction += v->no_subfunction;
  if (v->longest > proof->longest)
    proof->longest = v->longest;
  if (v->u_turns > proof->u_turns)
    proof->u_turns = v->u_turns;
  proof->detours += v->detours;
  proof->separated += v->separated > 0;
  proof->without_route += v->without_route > 0;
  proof->extended_cycles += v->extended_cycle;
  proof->answers += v->answers;
  if (proof->sets == 1 || v->pairs < proof->pairs)
    proof->pairs = v->pairs;
  keep_most(&proof->nodes, v->nodes);
  keep_most(&proof->direct, v->direct);
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct ut_proof *proof = result;
  struct ut_prover prover;
  struct ut_fault_set set;
  struct ut_verdict verdict;
  uint64_t from, to;
  int status = 0;
  if (ut_prover_init(&prover, job->scenario, job->topology, e))
    return -1;
  prover.reach.stale = job->stale;
  while (!status && ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to && !status; i++) {
      const struct ut_fault_block *block = ut_fault_space_get(job->space, i, &set);
      status = ut_prover_examine(&prover, &set, &verdict, e);
      if (!status)
        add_verdict(proof, job->space, block, i, &verdict);
    }
  proof->route_calls = prover.world.route_calls;
  ut_prover_free(&prover);
  return status;
}

/* Only the bits. */
static int work_bits(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  ut_mask *bits = result;
  struct ut_prover prover;
  struct ut_fault_set set;
  uint64_t from, to;
  int status = 0;
  if (ut_prover_init(&prover, job->scenario, job->topology, e))
    return -1;
  while (!status && ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to && !status; i++) {
      ut_fault_space_get(job->space, i, &set);
      ut_world_trim(&prover.world);
      ut_world_set_faults(&prover.world, &set);
      if (ut_reach_run(&prover.reach) || ut_reach_run_shared(&prover.reach))
        status = ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
      for (uint32_t j = 0; j < prover.world.touched_count; j++)
        bits[prover.world.touched[j]] |= prover.world.shared[prover.world.touched[j]];
    }
  ut_prover_free(&prover);
  return status;
}

static void merge(struct ut_proof *sum, const struct ut_proof *part) {
  if (part->sets && (!sum->sets || part->pairs < sum->pairs))
    sum->pairs = part->pairs;
  sum->sets += part->sets;
  sum->connected += part->connected;
  sum->dependency_cycles += part->dependency_cycles;
  sum->no_subfunction += part->no_subfunction;
  sum->route_calls += part->route_calls;
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    sum->failing[i] += part->failing[i];
    if (!part->rank[i] || (sum->rank[i] && sum->rank[i] <= part->rank[i]))
      continue;
    sum->rank[i] = part->rank[i];
    sum->first[i] = part->first[i];
  }
  if (part->longest > sum->longest)
    sum->longest = part->longest;
  if (part->u_turns > sum->u_turns)
    sum->u_turns = part->u_turns;
  sum->detours += part->detours;
  sum->separated += part->separated;
  sum->without_route += part->without_route;
  sum->extended_cycles += part->extended_cycles;
  sum->answers += part->answers;
  keep_most(&sum->nodes, part->nodes);
  keep_most(&sum->direct, part->direct);
}

static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  if (job->parallel->progress)
    job->parallel->progress(job->parallel->ctx, done, items);
}

static struct ut_parallel plan(const struct job *job, size_t result_size) {
  return (struct ut_parallel){.workers = job->parallel->workers,
                              .items = job->space->count,
                              .chunk = CHUNK,
                              .result_size = result_size,
                              .stop = job->parallel->stop,
                              .progress = show,
                              .ctx = (void *)job};
}

ut_mask *ut_prove_stale_bits(const struct ut_scenario *s, const struct ut_topology *t,
                             const struct ut_fault_space *space, const struct ut_parallel *parallel,
                             struct ut_error *e) {
  struct job job = {s, t, space, parallel, NULL};
  struct ut_parallel p = plan(&job, t->switches * sizeof(ut_mask));
  unsigned workers = ut_parallel_workers(&p);
  ut_mask *bits = calloc((size_t)t->switches * workers, sizeof *bits);
  if (!bits) {
    ut_fail(e, UT_INTERNAL, "out of memory for %u processes", workers);
    return NULL;
  }
  if (ut_parallel_run(&p, work_bits, bits, e)) {
    free(bits);
    return NULL;
  }
  for (size_t i = t->switches; i < (size_t)t->switches * workers; i++)
    bits[i % t->switches] |= bits[i];
  return bits;
}

int ut_prove(const struct ut_scenario *s, const struct ut_topology *t, const struct ut_fault_space *space,
             const ut_mask *stale, const struct ut_parallel *parallel, struct ut_proof *proof, struct ut_error *e) {
  struct job job = {s, t, space, parallel, stale};
  struct ut_parallel p = plan(&job, sizeof *proof);
  unsigned workers = ut_parallel_workers(&p);
  *proof = (struct ut_proof){0};
  for (unsigned i = 0; i < UT_FAILURES; i++)
    proof->first[i] = UINT64_MAX;
  struct ut_proof *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_INTERNAL, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&p, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    merge(proof, &part[i]);
  free(part);
  return status;
}
