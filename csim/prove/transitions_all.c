/* SPDX-License-Identifier: Apache-2.0 */
/* transitions_all.c - the transitions of all fault sets of a space, by several processes: see transitions.h */
#include <stdlib.h>
#include <string.h>

#include "transitions.h"

enum { CHUNK = 1 };

struct job {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const struct ut_fault_space *space;
  const struct ut_parallel *parallel;
};

static struct ut_transition_proof none(void) {
  struct ut_transition_proof proof = {0};
  for (unsigned i = 0; i < UT_FAILURES; i++)
    proof.first[i] = UINT64_MAX;
  return proof;
}

static void keep_most(uint64_t *most, uint64_t value) {
  *most = value > *most ? value : *most;
}

static void add_sum(struct ut_transition_sum *sum, const struct ut_transition_sum *part) {
  sum->transitions += part->transitions;
  sum->safe += part->safe;
  sum->unchanged += part->unchanged;
  sum->whole_cycles += part->whole_cycles;
  sum->in_phases += part->in_phases;
  sum->lost += part->lost;
  for (unsigned i = 0; i < UT_FAILURES; i++)
    sum->failing[i] += part->failing[i];
  keep_most(&sum->most_lost, part->most_lost);
  keep_most(&sum->pairs, part->pairs);
  if (part->most_words > sum->most_words)
    sum->most_words = part->most_words;
  if (part->most_switches > sum->most_switches)
    sum->most_switches = part->most_switches;
}

/* Adds a transition to the first ones with a cycle. */
static void add_cycle(struct ut_transition_proof *proof, uint64_t number) {
  unsigned at = proof->cycles;
  while (at > 0 && proof->cycle[at - 1] > number)
    at--;
  if (at == UT_MOST_CYCLES)
    return;
  proof->cycles += proof->cycles < UT_MOST_CYCLES;
  memmove(&proof->cycle[at + 1], &proof->cycle[at], (proof->cycles - at - 1) * sizeof *proof->cycle);
  proof->cycle[at] = number;
}

static void add_proof(struct ut_transition_proof *proof, const struct ut_transition_proof *part) {
  proof->sets += part->sets;
  add_sum(&proof->sum[0], &part->sum[0]);
  add_sum(&proof->sum[1], &part->sum[1]);
  for (unsigned i = 0; i < UT_FAILURES; i++)
    if (part->first[i] < proof->first[i])
      proof->first[i] = part->first[i];
  for (unsigned i = 0; i < part->cycles; i++)
    add_cycle(proof, part->cycle[i]);
}

static void add_verdict(struct ut_transition_proof *proof, const struct ut_transition *transition, uint64_t number,
                        const struct ut_transition_verdict *verdict) {
  struct ut_transition_sum one = {.transitions = 1,
                                  .safe = 1,
                                  .unchanged = !verdict->words,
                                  .whole_cycles = verdict->whole_cycle,
                                  .in_phases = verdict->phases > 1,
                                  .lost = verdict->lost,
                                  .most_lost = verdict->lost,
                                  .pairs = verdict->pairs,
                                  .most_words = verdict->words,
                                  .most_switches = verdict->switches};
  for (unsigned i = 0; i < UT_FAILURES; i++)
    if (verdict->failure[i]) {
      one.safe = 0;
      one.failing[i] = 1;
      proof->first[i] = number < proof->first[i] ? number : proof->first[i];
    }
  if (verdict->failure[UT_FAILURE_CYCLE])
    add_cycle(proof, number);
  add_sum(&proof->sum[transition->repair], &one);
}

/* Examines the transitions of one fault set. */
static int examine_set(struct ut_transition_prover *prover, const struct ut_fault_set *set, uint64_t index,
                       struct ut_transition_proof *proof, struct ut_error *e) {
  struct ut_transition transition;
  struct ut_transition_verdict verdict;
  for (unsigned i = 0; i < ut_transitions_of(set); i++) {
    ut_transition_get(set, i, &transition);
    if (ut_transition_examine(prover, &transition, &verdict, e))
      return -1;
    add_verdict(proof, &transition, index * UT_TRANSITIONS_OF_A_SET + i, &verdict);
  }
  proof->sets++;
  return 0;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct ut_transition_proof *proof = result;
  struct ut_transition_prover prover;
  struct ut_fault_set set;
  uint64_t from, to;
  int status = 0;
  *proof = none();
  if (ut_transition_prover_init(&prover, job->scenario, job->topology, e))
    return -1;
  prover.stop = job->parallel->stop;
  while (!status && ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to && !status && !ut_item_source_stopped(source); i++) {
      ut_fault_space_get(job->space, i, &set);
      status = examine_set(&prover, &set, i, proof, e);
    }
  if (status && e->code == UT_INTERRUPTED)
    status = 0; /* results so far are kept */
  ut_transition_prover_free(&prover);
  return status;
}

static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  if (job->parallel->progress)
    job->parallel->progress(job->parallel->ctx, done, items);
}

int ut_prove_transitions(const struct ut_scenario *scenario, const struct ut_topology *topo,
                         const struct ut_fault_space *space, const struct ut_parallel *parallel,
                         struct ut_transition_proof *proof, struct ut_error *e) {
  struct job job = {scenario, topo, space, parallel};
  struct ut_parallel pool = {.workers = parallel->workers,
                             .items = space->count,
                             .chunk = CHUNK,
                             .result_size = sizeof *proof,
                             .stop = parallel->stop,
                             .progress = show,
                             .ctx = &job};
  const unsigned workers = ut_parallel_workers(&pool);
  *proof = none();
  struct ut_transition_proof *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  const int status = ut_parallel_run(&pool, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    add_proof(proof, &part[i]);
  free(part);
  return status;
}
