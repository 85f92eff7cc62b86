/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_attempts.c - random traffic and faults on other switches or networks, for which the old packets do not fit. */
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "random.h"
#include "reduce.h"
#include "scenario.h"
#include "scenario_values.h"
#include "topology.h"
#include "topology_build.h"

enum {
  CYCLES = 500,
  LONG_TIMER = 64,  /* in a run of this many packets little happens behind a longer one */
  FIRST_FAULT = 10, /* cycles: packets are on their way */
  LAST_FAULT = 110,
};

/* Shorter ones for timers of routing. */
static void draw_timers(struct ut_scenario *scenario, struct ut_random *random) {
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++) {
    const size_t length = strlen(key->path);
    if (key->size && !strncmp(key->path, "routing.", 8) && length > 7 && !strcmp(key->path + length - 7, "_cycles") &&
        ut_value_whole(scenario, key) > LONG_TIMER)
      ut_value_set(scenario, key, 1 + ut_random_below(random, LONG_TIMER));
  }
}

/* Draws a component of the kind of that fault; false: none was found. */
static bool draw_component(struct ut_fault *fault, const struct ut_topology *topo, struct ut_random *random) {
  enum { DRAWS = 100 };
  struct ut_component component;
  struct ut_fault_problem problem;
  for (unsigned i = 0; i < DRAWS; i++) {
    const uint32_t sw = ut_random_below(random, topo->switches);
    fault->level = topo->level[sw];
    fault->index = topo->position[sw];
    fault->port = ut_random_below(random, topo->po);
    fault->terminal = ut_random_below(random, topo->terminals);
    if (ut_faults_locate(topo, fault, &component, &problem))
      return true;
  }
  return false;
}

/* Draws a fault like one of the original: what fails, when, and for how long. */
static bool draw_fault(struct ut_fault *fault, const struct ut_scenario *original, const struct ut_topology *topo,
                       struct ut_random *random) {
  static const unsigned lengths[] = {1, 4, 16, 64, 256};
  *fault = original->faults[ut_random_below(random, (uint32_t)original->fault_count)];
  const bool from_start = !fault->at_cycle && ut_random_below(random, 2);
  const bool permanent = fault->until_cycle == UINT64_MAX && ut_random_below(random, 2);
  fault->at_cycle = from_start ? 0 : FIRST_FAULT + ut_random_below(random, LAST_FAULT - FIRST_FAULT);
  const unsigned length = lengths[ut_random_below(random, sizeof lengths / sizeof *lengths)];
  fault->until_cycle = permanent ? UINT64_MAX : fault->at_cycle + length;
  return draw_component(fault, topo, random);
}

static void draw_faults(struct ut_scenario *scenario, const struct ut_scenario *original, struct ut_random *random) {
  enum { MOST = 2 };
  scenario->fault_count = 0;
  struct ut_fault *faults = calloc(MOST, sizeof *faults);
  if (!original->fault_count || !faults) {
    free(faults);
    return;
  }
  free(scenario->faults);
  scenario->faults = faults;
  const size_t wanted = 1 + (original->fault_count > 1 && ut_random_below(random, 2));
  while (scenario->fault_count < wanted &&
         draw_fault(&faults[scenario->fault_count], original, ut_scenario_topology(scenario), random))
    scenario->fault_count++;
}

/* Makes attempt number `number`, a pure function of it. */
static void draw(struct ut_case *repro, const struct ut_scenario *original, unsigned number) {
  static const double loads[] = {0.6, 0.9, 0.3, 1, 0.1};
  struct ut_scenario *scenario = repro->scenario;
  struct ut_random random;
  ut_random_init(&random, number, UT_RANDOM_SAMPLING, 0);
  ut_case_become_uniform(repro, loads[number % (sizeof loads / sizeof *loads)]);
  scenario->run.seed = 1 + number;
  ut_case_end_at(repro, CYCLES);
  if (number % 2)
    draw_timers(scenario, &random);
  draw_faults(scenario, original, &random);
}

bool ut_reduce_by_attempts(struct ut_shrinker *shrinker, const struct ut_case *network, unsigned attempts) {
  for (unsigned number = 0; number < attempts && !ut_oracle_is_over(&shrinker->oracle); number++) {
    struct ut_case repro;
    if (!ut_case_copy(&repro, network))
      return false;
    draw(&repro, shrinker->original, number);
    if (ut_shrinker_try(shrinker, &repro)) {
      ut_reduce_to_trace(shrinker);
      return true;
    }
  }
  return false;
}
