/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c - see prove.h */
#include "prove.h"

#include "method.h"
#include "scenario.h"

enum { CHUNK = 16, BLOCK_BIT = 55 };

/* The reason why some packets may wait for ever, as a key; NULL: there is none. */
static const char *strict_priority(const struct ut_scenario *scenario) {
  if (scenario->sw.local_first)
    return "switch.local_first";
  if (!UT_ARBITRATION_FAIR(scenario->sw.arbitration))
    return "switch.arbitration";
  return UT_SELECTION_FAIR(scenario->sw.selection) ? NULL : "switch.selection";
}

int ut_prover_init(struct ut_prover *prover, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e) {
  if (strict_priority(scenario))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: '%s': a strict priority can starve other packets for ever, and the proofs "
                   "assume that every bid is granted some time; leave it away",
                   scenario->path ? scenario->path : "scenario", strict_priority(scenario));
  *prover = (struct ut_prover){.scenario = scenario, .topology = topo, .method = ut_proof_method_of(topo, e)};
  if (!prover->method || ut_explorer_init(&prover->explorer, scenario, topo, e))
    return -1;
  prover->modelled = prover->explorer.group[0].form.states;
  if ((!prover->modelled || !ut_node_model_init(&prover->model, topo, e)) && prover->method->init(prover, e) == 0)
    return 0;
  ut_prover_free(prover);
  return -1;
}

void ut_prover_free(struct ut_prover *prover) {
  prover->method->fini(prover);
  ut_explorer_free(&prover->explorer);
  ut_node_model_free(&prover->model);
}

/* Block of the fault set that is to be shown. */
static unsigned block_of(const struct ut_proof *proof, enum ut_failure kind) {
  return (unsigned)((proof->rank[kind] - 1) >> BLOCK_BIT); /* rank + 1 is stored */
}

/* A deadlock stops every packet, a discard only one. */
enum ut_failure ut_proof_worst(const struct ut_proof *proof) {
  static const enum ut_failure worst_first[UT_FAILURES] = {UT_FAILURE_CYCLE,   UT_FAILURE_LOOP,      UT_FAILURE_WRONG,
                                                           UT_FAILURE_DISCARD, UT_FAILURE_NUMBERING, UT_FAILURE_ESCAPE,
                                                           UT_FAILURE_BUBBLE,  UT_FAILURE_ROUTE};
  enum ut_failure kind = UT_FAILURES;
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    enum ut_failure f = worst_first[i];
    if (proof->first[f] != UINT64_MAX && (kind == UT_FAILURES || block_of(proof, f) < block_of(proof, kind)))
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

/* Sets the results that fault set number `index` proves by itself. */
static struct ut_proof proof_of(const struct ut_fault_space *space, const struct ut_fault_block *block, uint64_t index,
                                const struct ut_verdict *verdict) {
  const bool connected = ut_verdict_connected(verdict);
  struct ut_proof proof = no_sets();
  proof.sets = 1;
  proof.connected = connected;
  proof.dependency_cycles = verdict->dependency_cycle;
  proof.no_subfunction = verdict->no_subfunction;
  proof.longest = verdict->longest;
  proof.u_turns = verdict->u_turns;
  proof.detours = verdict->detours;
  proof.extended_cycles = verdict->extended_cycle;
  proof.answers = verdict->answers;
  proof.outside = verdict->outside;
  proof.pairs = verdict->pairs;
  proof.nodes = verdict->nodes;
  proof.direct = verdict->direct;
  proof.separated = verdict->separated > 0;
  proof.without_route = verdict->without_route > 0;
  proof.separated_pairs = proof.most_separated = verdict->separated;
  if (verdict->separated)
    proof.first_separated = index;
  for (unsigned i = 0; i < UT_FAILURES; i++) {
    const bool shallow = i == UT_FAILURE_CYCLE ? !connected : verdict->shallow;
    if (!verdict->failure[i])
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
        status = 0; /* results so far are kept */
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

/* Collects the bits only. */
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

ut_mask *ut_prove_stale_bits(const struct ut_scenario *scenario, const struct ut_topology *topo,
                             const struct ut_fault_space *space, const struct ut_parallel *parallel,
                             struct ut_error *e) {
  struct job job = {scenario, topo, space, parallel, NULL};
  struct ut_parallel pool = plan(&job, topo->switches * sizeof(ut_mask));
  unsigned workers = ut_parallel_workers(&pool);
  ut_mask *bits = calloc((size_t)topo->switches * workers, sizeof *bits);
  if (!bits) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
    return NULL;
  }
  if (ut_parallel_run(&pool, work_bits, bits, e)) {
    free(bits);
    return NULL;
  }
  for (size_t i = topo->switches; i < (size_t)topo->switches * workers; i++)
    bits[i % topo->switches] |= bits[i];
  return bits;
}

int ut_prove(const struct ut_scenario *scenario, const struct ut_topology *topo, const struct ut_fault_space *space,
             const ut_mask *stale, const struct ut_parallel *parallel, struct ut_proof *proof, struct ut_error *e) {
  struct job job = {scenario, topo, space, parallel, stale};
  struct ut_parallel pool = plan(&job, sizeof *proof);
  unsigned workers = ut_parallel_workers(&pool);
  *proof = no_sets();
  struct ut_proof *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&pool, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    merge(proof, &part[i]);
  free(part);
  return status;
}
