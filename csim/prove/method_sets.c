/* SPDX-License-Identifier: Apache-2.0 */
/* method_sets.c - see method.h: explores all packets as sets of destinations, then finds what the channels wait for. */
#include "method_sets.h"

#include <inttypes.h>

#include "numbering.h"

static void fini(struct ut_prover *prover) {
  struct ut_by_sets *own = prover->own;
  if (!own)
    return;
  ut_up_down_fini(&own->up_down);
  ut_dependencies_free(&own->dependencies);
  ut_reach_free(&own->reach);
  free(own);
  prover->own = NULL;
}

static int init(struct ut_prover *prover, struct ut_error *e) {
  struct ut_by_sets *own = prover->own = calloc(1, sizeof *own);
  if (!own)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  if (ut_reach_init(&own->reach, &prover->explorer, e) || ut_dependencies_init(&own->dependencies, &own->reach, e))
    return -1;
  return ut_up_down_init(&own->up_down, prover->topology) ? 0
                                                          : ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

static int explore(struct ut_prover *prover, struct ut_error *e) {
  struct ut_reach *reach = &ut_by_sets(prover)->reach;
  reach->stale = prover->stale;
  if (ut_reach_run(reach) || ut_reach_run_shared(reach))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  return 0;
}

static int examine(struct ut_prover *prover, const struct ut_fault_set *set, struct ut_verdict *verdict,
                   struct ut_error *e) {
  struct ut_by_sets *own = prover->own;
  struct ut_explorer *explorer = &prover->explorer;
  struct ut_reach *reach = &own->reach;
  uint32_t from, to;
  if (explore(prover, e))
    return -1;
  verdict->pairs = (uint64_t)prover->topology->terminals * (prover->topology->terminals - 1);
  verdict->failure[UT_FAILURE_DISCARD] = ut_mask_any(reach->discarded, explorer->words);
  verdict->failure[UT_FAILURE_WRONG] = ut_mask_any(reach->wrong, explorer->words);
  verdict->failure[UT_FAILURE_LOOP] = ut_reach_loops(reach);
  verdict->dependency_cycle = ut_dependencies_cycle(&own->dependencies);
  if (ut_channels_numbered(explorer))
    verdict->failure[UT_FAILURE_NUMBERING] = ut_dependencies_falling(&own->dependencies, &from, &to);
  if (verdict->dependency_cycle) {
    bool wormhole =
        explorer->group[0].shape.switching == UT_WORMHOLE; /* a packet then holds several channels at once */
    verdict->no_subfunction = wormhole || ut_dependencies_extended_cycle(&own->dependencies, set);
    verdict->failure[UT_FAILURE_CYCLE] =
        wormhole || (verdict->no_subfunction && ut_dependencies_waiting(&own->dependencies));
  }
  if (!verdict->failure[UT_FAILURE_LOOP]) {
    verdict->longest = ut_reach_longest(reach);
    verdict->u_turns = ut_reach_u_turns(reach);
  }
  if (!ut_verdict_connected(verdict)) {
    ut_up_down_survey(&own->up_down, explorer->up);
    verdict->shallow = !ut_up_down_connected(&own->up_down);
  }
  return 0;
}

static int add_bits(struct ut_prover *prover, ut_mask *bits, struct ut_error *e) {
  const struct ut_explorer *explorer = &prover->explorer;
  if (explore(prover, e))
    return -1;
  for (uint32_t i = 0; i < explorer->touched_count; i++)
    bits[explorer->touched[i]] |= explorer->shared[explorer->touched[i]];
  return 0;
}

static void put_text(const struct ut_prover *prover, const struct ut_proof *proof, FILE *f) {
  fprintf(f, "  longest     %u hops between switches, %u U-turn%s%s\n", proof->longest, proof->u_turns,
          proof->u_turns == 1 ? "" : "s", proof->failing[UT_FAILURE_LOOP] ? " (where nothing loops)" : "");
  fprintf(f,
          "  deadlock    %" PRIu64 " can (%" PRIu64 " have a cycle of dependencies; %" PRIu64
          " of them also with the papers' routing subfunction)\n",
          proof->failing[UT_FAILURE_CYCLE], proof->dependency_cycles, proof->no_subfunction);
  if (ut_channels_numbered(&prover->explorer))
    fprintf(f, "  numbering   %" PRIu64 " violate the paper's channel numbers\n", proof->failing[UT_FAILURE_NUMBERING]);
}

const struct ut_proof_method ut_proof_by_sets = {
    .init = init,
    .fini = fini,
    .examine = examine,
    .example = ut_example_by_sets,
    .add_bits = add_bits,
    .put_text = put_text,
    .replays = true,
};
