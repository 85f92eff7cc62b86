/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c - see prove.h */
#include "prove.h"

#include "method.h"
#include "scenario.h"

enum { CHUNK = 16, BLOCK_BIT = 55 };

/* The key by which some packets may wait for ever; NULL: there is none. */
static const char *strict_priority(const struct ut_scenario *s) {
  if (s->sw.local_first)
    return "switch.local_first";
  if (!UT_ARBITRATION_FAIR(s->sw.arbitration))
    return "switch.arbitration";
  return UT_SELECTION_FAIR(s->sw.selection) ? NULL : "switch.selection";
}

int ut_prover_init(struct ut_prover *p, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e) {
  if (strict_priority(s))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: '%s': a strict priority can starve other packets for ever, and the proofs "
                   "assume that every bid is granted some time; leave it away",
                   s->path ? s->path : "scenario", strict_priority(s));
  *p = (struct ut_prover){.scenario = s, .topology = t, .method = ut_proof_method_of(t, e)};
  if (!p->method || ut_explorer_init(&p->explorer, s, t, e))
    return -1;
  p->modelled = p->explorer.group[0].form.states;
  if ((!p->modelled || !ut_node_model_init(&p->model, t, e)) && p->method->init(p, e) == 0)
    return 0;
  ut_prover_free(p);
  return -1;
}

void ut_prover_free(struct ut_prover *p) {
  p->method->fini(p);
  ut_explorer_free(&p->explorer);
  ut_node_model_free(&p->model);
}

/* Block of the fault set to show. */
static unsigned block_of(const struct ut_proof *p, enum ut_failure kind) {
  return (unsigned)((p->rank[kind] - 1) >> BLOCK_BIT); /* rank + 1 is stored */
}

/* A deadlock stops every packet, a discard costs one. */
enum ut_failure ut_proof_worst(const struct ut_proof *p) {
  static const enum ut_failure worst_first[UT_FAILURES] = {UT_FAILURE_CYCLE,   UT_FAILURE_LOOP,      UT_FAILURE_WRONG,
                                                           UT_FAILURE_DISCARD, UT_FAILURE_NUMBERING, UT_FAILURE_ESCAPE,
                                                           UT_FAILURE_BUBBLE,  UT_FAILURE_ROUTE};
  enum ut_failure kind = UT_FAILURES;
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    enum ut_failure f = worst_first[i];
    if (p->first[f] != UINT64_MAX && (kind == UT_FAILURES || block_of(p, f) < block_of(p, kind)))
      kind = f;
  }
  return kind;
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

static void merge(struct ut_proof *sum, const struct ut_proof *part) {
  if (part->sets && (!sum->sets || part->pairs < sum->pairs))
    sum->pairs = part->pairs;
  sum->sets += part->sets;
  sum->connected += part->connected;
  sum->dependency_cycles += part->dependency_cycles;
  sum->no_subfunction += part->no_subfunction;
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
  sum->separated_pairs += part->separated_pairs;
  sum->extended_cycles += part->extended_cycles;
  sum->answers += part->answers;
  sum->outside += part->outside;
  sum->skipped += part->skipped;
  keep_most(&sum->nodes, part->nodes);
  keep_most(&sum->direct, part->direct);
  keep_most(&sum->most_separated, part->most_separated);
  if (part->separated && part->first_separated < sum->first_separated)
    sum->first_separated = part->first_separated;
}

static struct ut_proof no_sets(void) {
  struct ut_proof proof = {.first_separated = UINT64_MAX};
  for (unsigned i = 0; i < UT_FAILURES; i++)
    proof.first[i] = UINT64_MAX;
  return proof;
}

/* What fault set number `index` alone proves. */
static struct ut_proof proof_of(const struct ut_fault_space *space, const struct ut_fault_block *block, uint64_t index,
                                const struct ut_verdict *v) {
  const bool connected = ut_verdict_connected(v);
  struct ut_proof proof = no_sets();
  proof.sets = 1;
  proof.connected = connected;
  proof.dependency_cycles = v->dependency_cycle;
  proof.no_subfunction = v->no_subfunction;
  proof.longest = v->longest;
  proof.u_turns = v->u_turns;
  proof.detours = v->detours;
  proof.extended_cycles = v->extended_cycle;
  proof.answers = v->answers;
  proof.outside = v->outside;
  proof.pairs = v->pairs;
  proof.nodes = v->nodes;
  proof.direct = v->direct;
  proof.separated = v->separated > 0;
  proof.without_route = v->without_route > 0;
  proof.separated_pairs = proof.most_separated = v->separated;
  if (v->separated)
    proof.first_separated = index;
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    const bool shallow = i == UT_FAILURE_CYCLE ? !connected : v->shallow;
    if (!v->failure[i])
      continue;
    proof.failing[i] = 1;
    proof.first[i] = index;
    proof.rank[i] = /* + 1: 0 is none yet */
        ((uint64_t)(block - space->block) << BLOCK_BIT | (uint64_t)shallow << (BLOCK_BIT - 1) | index) + 1;
  }
  return proof;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct ut_proof *proof = result;
  *proof = no_sets();
  struct ut_prover prover;
  struct ut_fault_set set;
  struct ut_verdict verdict;
  uint64_t from, to;
  int status = 0;
  if (ut_prover_init(&prover, job->scenario, job->topology, e))
    return -1;
  prover.stale = job->stale;
  prover.stop = job->parallel->stop;
  prover.model.dateline = job->space->dateline;
  while (!status && ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to && !status && !ut_item_source_stopped(source); i++) {
      const struct ut_fault_block *block = ut_fault_space_get(job->space, i, &set);
      if (job->space->in_model && !ut_prover_obeys_model(&prover, &set)) {
        proof->outside++, proof->skipped++;
        continue;
      }
      status = ut_prover_examine(&prover, &set, &verdict, e);
      if (status && ut_prover_stopped(&prover)) {
        status = 0; /* what is known so far counts */
        break;
      }
      if (status)
        break;
      const struct ut_proof one = proof_of(job->space, block, i, &verdict);
      merge(proof, &one);
    }
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
    for (uint64_t i = from; i < to && !status && !ut_item_source_stopped(source); i++) {
      ut_fault_space_get(job->space, i, &set);
      ut_explorer_trim(&prover.explorer);
      ut_explorer_set_faults(&prover.explorer, &set);
      status = prover.method->add_bits(&prover, bits, e);
    }
  ut_prover_free(&prover);
  return status;
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
    ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
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
  *proof = no_sets();
  struct ut_proof *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&p, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    merge(proof, &part[i]);
  free(part);
  return status;
}
