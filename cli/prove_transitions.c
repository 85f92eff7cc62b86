/* SPDX-License-Identifier: Apache-2.0 */
/* prove_transitions.c - see prove_transitions.h */
#define _GNU_SOURCE
#include "prove_transitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "drawing.h"
#include "example_text.h"
#include "output.h"
#include "progress.h"
#include "scenario.h"
#include "scenario_output.h"
#include "scenario_schema.h"
#include "steady.h"
#include "topology.h"
#include "transition_certificate.h"
#include "transition_replay.h"

static const char layout[] =
    "{scenario}: {_network}, {_switches} switches, {_terminals} terminals, {_algorithm}, {_vcs} VC{_vcs+s}\n"
    "  fault sets  {fault_sets} of {_sets}{?_sampled}, random ones{/}\n"
    "  transitions {faults.transitions} faults, {repairs.transitions} repairs; update {update}{?_in_phases}, "
    "{_in_phases} of them in phases between which the network is drained{/}\n"
    "  words       at most {_words} are written, in {_switches_changed} switches; none in {_unchanged} transitions\n"
    "  deadlock    {faults.with_cycle} faults, {repairs.with_cycle} repairs can; {faults.with_whole_cycle} and "
    "{repairs.with_whole_cycle} have a cycle of old and new tables without any packet that meets both\n"
    "  looping     {faults.looping} faults, {repairs.looping} repairs\n"
    "{?_wrong}"
    "  misrouting  {faults.misrouting} faults, {repairs.misrouting} repairs\n"
    "{/}{?_escape}"
    "  escape      {faults.without_escape} faults, {repairs.without_escape} repairs leave a packet without an escape "
    "channel\n"
    "{/}"
    "  losing      {faults.losing} faults, {repairs.losing} repairs can lose packets of pairs that old and new tables "
    "connect, at most {_most_lost} of {_pairs} pairs\n"
    "  safe        {faults.safe} faults, {repairs.safe} repairs: nothing of this\n"
    "  speed       {_transitions} transitions in {wall_s:.2f} s\n";

static json_t *sum_json(const struct ut_transition_sum *sum) {
  return UT_OBJECT(
      {"transitions", ut_int(sum->transitions)}, {"safe", ut_int(sum->safe)}, {"unchanged", ut_int(sum->unchanged)},
      {"with_cycle", ut_int(sum->failing[UT_FAILURE_CYCLE])}, {"with_whole_cycle", ut_int(sum->whole_cycles)},
      {"looping", ut_int(sum->failing[UT_FAILURE_LOOP])}, {"misrouting", ut_int(sum->failing[UT_FAILURE_WRONG])},
      {"without_escape", ut_int(sum->failing[UT_FAILURE_ESCAPE])}, {"losing", ut_int(sum->failing[UT_FAILURE_DISCARD])},
      {"pairs", ut_int(sum->pairs)}, {"pairs_lost", ut_int(sum->lost)}, {"most_pairs_lost", ut_int(sum->most_lost)},
      {"in_phases", ut_int(sum->in_phases)}, {"most_words", ut_int(sum->most_words)},
      {"most_switches", ut_int(sum->most_switches)});
}

static uint64_t both(const struct ut_transition_proof *proof, enum ut_failure kind) {
  return proof->sum[0].failing[kind] + proof->sum[1].failing[kind];
}

#define MOST(member) (proof->sum[0].member > proof->sum[1].member ? proof->sum[0].member : proof->sum[1].member)

/* Whether some transition does what makes the exit status 4: lost packets do not. */
static bool fails(const struct ut_transition_proof *proof) {
  for (unsigned i = 0; i < UT_FAILURES; i++)
    if (i != UT_FAILURE_DISCARD && both(proof, i))
      return true;
  return false;
}

struct findings {
  struct ut_transition_proof proof;
  struct ut_counter_example example;
  struct ut_replay_report report;
  bool found;
  double seconds;
};

static void print(const struct ut_transition_prover *prover, const struct ut_fault_space *space,
                  const struct findings *findings, bool json) {
  const struct ut_transition_proof *proof = &findings->proof;
  json_t *j = ut_scenario_result(prover->scenario);
  bool exhaustive = proof->sets == space->count;
  for (unsigned i = 0; i < space->blocks; i++)
    exhaustive &= space->block[i].exhaustive;
  UT_ADD(j, {"_switches", ut_int(prover->topology->switches)}, {"_terminals", ut_int(prover->topology->terminals)},
         {"_sets", ut_int(space->count)}, {"_sampled", json_boolean(!exhaustive)}, {"_words", ut_int(MOST(most_words))},
         {"_switches_changed", ut_int(MOST(most_switches))},
         {"_unchanged", ut_int(proof->sum[0].unchanged + proof->sum[1].unchanged)},

         {"_in_phases", ut_int(proof->sum[0].in_phases + proof->sum[1].in_phases)},
         {"_wrong", json_boolean(both(proof, UT_FAILURE_WRONG) > 0)},
         {"_escape", json_boolean(both(proof, UT_FAILURE_ESCAPE) > 0)}, {"_most_lost", ut_int(MOST(most_lost))},
         {"_pairs", ut_int(MOST(pairs))},
         {"_transitions", ut_int(proof->sum[0].transitions + proof->sum[1].transitions)});
  json_t *example = findings->found ? ut_example_json(&prover->explorer, &findings->example) : json_null();
  UT_ADD(j, {"exhaustive", json_boolean(exhaustive)},
         {"update", ut_string(ut_schema_word("routing.update", (int)prover->scenario->routing.update))},
         {"fault_sets", ut_int(proof->sets)}, {"faults", sum_json(&proof->sum[0])},
         {"repairs", sum_json(&proof->sum[1])}, {"counter_example", json_incref(example)},
         {"wall_s", ut_real(findings->seconds)});
  ut_result_print(j, json, 9, layout);
  if (findings->found && !json)
    ut_result_put(example, ut_example_layout, stdout);
  json_decref(example);
}

/* The kind of failure to show; UT_FAILURES: there is none.  Lost packets only if they are asked for. */
static enum ut_failure choose(const struct ut_transitions_request *request, const struct ut_transition_proof *proof) {
  static const enum ut_failure worst_first[] = {UT_FAILURE_CYCLE, UT_FAILURE_LOOP, UT_FAILURE_WRONG, UT_FAILURE_ESCAPE};
  if (request->show != UT_FAILURES)
    return proof->first[request->show] != UINT64_MAX ? request->show : UT_FAILURES;
  for (size_t i = 0; i < sizeof worst_first / sizeof worst_first[0]; i++)
    if (proof->first[worst_first[i]] != UINT64_MAX)
      return worst_first[i];
  return UT_FAILURES;
}

/* Sets a transition by its number. */
static void get(const struct ut_fault_space *space, uint64_t number, struct ut_transition *transition) {
  struct ut_fault_set set;
  ut_fault_space_get(space, number / UT_TRANSITIONS_OF_A_SET, &set);
  ut_transition_get(&set, number % UT_TRANSITIONS_OF_A_SET, transition);
}

static int find_example(struct ut_transition_prover *prover, const struct ut_transition *transition,
                        enum ut_failure kind, struct findings *findings, struct ut_error *e) {
  const int status = ut_transition_example(prover, transition, kind, &findings->example, e);
  findings->found = !status;
  return status;
}

/* Looks for a transition that ends in a deadlock; it becomes the counter-example. */
static int replay(struct ut_transition_prover *prover, const struct ut_fault_space *space,
                  const struct ut_transitions_request *request, struct findings *findings, struct ut_error *e) {
  struct ut_transition *list = calloc(findings->proof.cycles, sizeof *list);
  unsigned number;
  if (!list)
    return ut_fail_memory(e);
  for (unsigned i = 0; i < findings->proof.cycles; i++)
    get(space, findings->proof.cycle[i], &list[i]);
  int status = ut_transition_replay(prover->scenario, prover->topology, list, findings->proof.cycles, request->replay,
                                    &ut_interrupted, &number, &findings->report, e);
  if (!status)
    status = find_example(prover, &list[number], UT_FAILURE_CYCLE, findings, e);
  free(list);
  return status;
}

static int find(struct ut_transition_prover *prover, const struct ut_fault_space *space,
                const struct ut_transitions_request *request, struct findings *findings, struct ut_error *e) {
  const enum ut_failure kind = choose(request, &findings->proof);
  if (kind == UT_FAILURES)
    return 0;
  if (kind == UT_FAILURE_CYCLE && request->replay)
    return replay(prover, space, request, findings, e);
  struct ut_transition *transition = malloc(sizeof *transition);
  if (!transition)
    return ut_fail_memory(e);
  get(space, findings->proof.first[kind], transition);
  const int status = find_example(prover, transition, kind, findings, e);
  free(transition);
  return status;
}

static int prove(struct ut_transition_prover *prover, const struct ut_fault_space *space,
                 const struct ut_transitions_request *request, struct findings *findings, struct ut_error *e) {
  struct ut_progress progress;
  const struct ut_parallel parallel = {
      .workers = request->workers, .stop = &ut_interrupted, .progress = ut_progress_fault_sets, .ctx = &progress};
  ut_catch_interrupt();
  ut_progress_start(&progress);
  const int status = ut_prove_transitions(prover->scenario, prover->topology, space, &parallel, &findings->proof, e);
  ut_progress_end(&progress);
  findings->seconds = ut_seconds() - progress.start;
  if (status || ut_interrupted)
    return status;
  return find(prover, space, request, findings, e);
}

/* The certificate, where nothing fails. */
static int certify(const struct ut_transitions_request *request, struct ut_transition_prover *prover,
                   const struct ut_fault_space *space, const struct findings *findings, struct ut_error *e) {
  struct ut_transition_certificate_report report;
  if (fails(&findings->proof)) {
    fprintf(stderr, "uturn: %s is not written: there is a counter-example\n", request->certificate);
    return 0;
  }
  if (ut_transition_certificate_write(prover, space, request->certificate, &report, e))
    return -1;
  fprintf(stderr,
          "uturn: %s: %" PRIu64 " transitions of %" PRIu64 " fault sets, %" PRIu64 " words in %" PRIu64
          " phases; tools/check_certificate checks it\n",
          request->certificate, report.transitions, report.sets, report.words, report.phases);
  return 0;
}

static int write_files(const struct ut_transitions_request *request, struct ut_transition_prover *prover,
                       const struct findings *findings, struct ut_error *e) {
  struct ut_drawing network = {
      .topology = prover->topology, .source = UINT32_MAX, .destination = UINT32_MAX, .end = UINT32_MAX};
  if (request->svg && (findings->found ? ut_counter_example_draw(&findings->example, &prover->explorer, request->svg, e)
                                       : ut_drawing_svg(&network, request->svg, e)))
    return -1;
  if (request->replay && *findings->report.text)
    fprintf(stderr, "uturn: %s: %s\n", request->replay, findings->report.text);
  else if (request->replay)
    fprintf(stderr, "uturn: %s is not written: there is no deadlock to show\n", request->replay);
  return 0;
}

static int conclude(const struct ut_transitions_request *request, struct ut_transition_prover *prover,
                    const struct ut_fault_space *space, const struct findings *findings, struct ut_error *e) {
  print(prover, space, findings, request->json);
  if (ut_interrupted)
    return UT_INTERRUPTED;
  if (write_files(request, prover, findings, e) ||
      (request->certificate && certify(request, prover, space, findings, e)))
    return ut_interrupted ? UT_INTERRUPTED : ut_print_error(e);
  return fails(&findings->proof) ? UT_DEADLOCK : UT_OK;
}

int ut_prove_transitions_print(const struct ut_scenario *scenario, const struct ut_topology *topo,
                               const struct ut_fault_space *space, const struct ut_transitions_request *request) {
  struct ut_error e;
  struct ut_transition_prover prover;
  struct findings *findings = calloc(1, sizeof *findings);
  if (!findings)
    return ut_print_no_memory();
  if (ut_transition_prover_init(&prover, scenario, topo, &e)) {
    free(findings);
    return ut_print_error(&e);
  }
  if ((request->replay && ut_output_check(request->replay, UT_OUTPUT_REGULAR, &e)) ||
      (request->certificate && (ut_transition_certificate_possible(&prover, space, &e) ||
                                ut_output_check(request->certificate, UT_OUTPUT_ANY, &e)))) {
    ut_transition_prover_free(&prover);
    free(findings);
    return ut_print_error(&e);
  }
  prover.stop = &ut_interrupted;
  const int status = prove(&prover, space, request, findings, &e) ? ut_print_error(&e)
                                                                  : conclude(request, &prover, space, findings, &e);
  ut_counter_example_free(&findings->example);
  ut_transition_prover_free(&prover);
  free(findings);
  return status;
}
