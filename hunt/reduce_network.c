/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_network.c - tries smaller networks of the same family. */
#include <limits.h>
#include <stdlib.h>

#include "family.h"
#include "reduce.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "steady.h"

enum { ATTEMPTS = 60, LARGEST_K = 8, LARGEST_N = 16, MOST = (LARGEST_K + 1) * LARGEST_N };

/* Networks that have not been tried yet. */
struct networks {
  struct ut_case network[MOST];
  size_t count;
};

/* Returns whether a network is smaller: fewer switches, or as many and fewer terminals: switches of fewer ports. */
static bool is_smaller(const struct ut_scenario *a, const struct ut_scenario *b) {
  const unsigned left = ut_scenario_switches(a), right = ut_scenario_switches(b);
  return left < right || (left == right && ut_scenario_terminals(a) < ut_scenario_terminals(b));
}

/* Returns the best case in a network of another size, without faults: these are drawn. */
static bool resize(struct ut_case *repro, const struct ut_case *best, unsigned k, unsigned n) {
  struct ut_error e;
  if (!ut_case_copy(repro, best))
    return false;
  struct ut_scenario *scenario = repro->scenario;
  scenario->fault_count = 0;
  if (scenario->topology.family->resize) {
    scenario->topology.family->resize(scenario, k, n);
  } else {
    scenario->topology.k = k ? k : scenario->topology.k;
    scenario->topology.n = n;
  }
  ut_case_become_uniform(repro, 0);
  if (!ut_case_settle(repro, &e) && is_smaller(repro->scenario, best->scenario))
    return true;
  ut_case_free(repro);
  return false;
}

/* Lists all smaller networks that are no larger in any direction or level. */
static void list(struct networks *all, const struct ut_case *best) {
  const struct ut_scenario *scenario = best->scenario;
  const bool has_k = scenario->topology.family->keys & UT_KEY_K;
  unsigned most_k = scenario->topology.k,
           most_n = scenario->topology.sizes ? scenario->topology.sizes : scenario->topology.n;
  for (unsigned i = 0; i < scenario->topology.sizes; i++)
    most_k = scenario->topology.size[i] > most_k ? scenario->topology.size[i] : most_k;
  most_k = !has_k ? 2 : most_k < LARGEST_K ? most_k : LARGEST_K;
  most_n = most_n < LARGEST_N ? most_n : LARGEST_N;
  for (unsigned k = 2; k <= most_k; k++)
    for (unsigned n = 1; n <= most_n; n++)
      all->count += resize(&all->network[all->count], best, has_k ? k : 0, n);
}

/* Returns the next one: first those without a model to be built, then the smallest.  Networks that are no smaller than
 * the best case are dropped.  false: there is none. */
static bool take_next(struct networks *all, struct ut_shrinker *shrinker, struct ut_case *next) {
  size_t chosen = SIZE_MAX;
  unsigned models = 0;
  for (size_t i = 0; i < all->count; i++) {
    const struct ut_scenario *scenario = all->network[i].scenario;
    if (!is_smaller(scenario, shrinker->best.scenario))
      continue;
    const unsigned missing = ut_oracle_missing(&shrinker->oracle, scenario);
    if (missing == UINT_MAX || !ut_oracle_has_time_for(&shrinker->oracle, missing))
      continue;
    if (chosen == SIZE_MAX || missing < models ||
        (missing == models && is_smaller(scenario, all->network[chosen].scenario))) {
      chosen = i;
      models = missing;
    }
  }
  if (chosen == SIZE_MAX)
    return false;
  *next = all->network[chosen];
  all->network[chosen] = all->network[--all->count];
  return true;
}

bool ut_reduce_network(struct ut_shrinker *shrinker, double until) {
  struct networks *all = calloc(1, sizeof *all);
  struct ut_case next;
  bool kept = false;
  if (!all)
    return false;
  list(all, &shrinker->best);
  while (ut_seconds() < until && take_next(all, shrinker, &next)) {
    shrinker->may_build = true;
    kept |= ut_reduce_by_attempts(shrinker, &next, ATTEMPTS);
    shrinker->may_build = false;
    ut_case_free(&next);
  }
  for (size_t i = 0; i < all->count; i++)
    ut_case_free(&all->network[i]);
  free(all);
  return kept;
}
