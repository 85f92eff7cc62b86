/* SPDX-License-Identifier: Apache-2.0 */
/* form_test.c - see form_test.h */
#include "form_test.h"

#include <stdlib.h>

#include "distance.h"
#include "scenario.h"

void ut_form_test_free(struct ut_form_test *test) {
  if (!test)
    return;
  ut_packet_list_free(&test->packets);
  ut_walk_free(&test->walk);
  ut_hop_search_fini(&test->hops);
  free(test);
}

struct ut_form_test *ut_form_test_new(const struct ut_scenario *scenario, struct ut_explorer *explorer,
                                      struct ut_error *e) {
  struct ut_form_test *test = calloc(1, sizeof *test);
  int failed = !test || !ut_hop_search_init(&test->hops, explorer->topology, &scenario->routing.planning)
                   ? ut_fail_memory(e)
                   : 0;
  if (!failed)
    failed =
        ut_packet_list_init(&test->packets, scenario, explorer->topology, e) || ut_walk_init(&test->walk, explorer, e);
  if (!failed)
    return test;
  ut_form_test_free(test);
  return NULL;
}

static int walk_all(struct ut_form_test *test, const struct ut_fault_set *set, bool *discards, struct ut_error *e) {
  struct ut_walk *walk = &test->walk;
  *discards = false;
  if (ut_packet_list_plan(&test->packets, set, NULL, e))
    return -1;
  for (uint64_t i = 0; !*discards && ut_packet_list_get(&test->packets, i, &walk->packets); i++) {
    if (ut_walk_run(walk, &walk->packets))
      return ut_fail_memory(e);
    *discards = walk->first[UT_WALK_DISCARDS] != UT_NO_STATE || walk->first[UT_WALK_WRONG] != UT_NO_STATE ||
                walk->first[UT_WALK_LOOPS] != UT_NO_STATE;
  }
  return 0;
}

/* Whether the planner finds no way to that switch from some other one with terminals. */
static bool is_cut_off(struct ut_hop_search *hops, uint32_t to) {
  ut_hop_search_towards(hops, to);
  for (uint32_t sw = 0; sw < hops->topology->switches; sw++)
    if (hops->is_home[sw] && hops->distance[sw * UT_BANKS + UT_BANK_FREE] == UT_NO_WAY)
      return true;
  return false;
}

int ut_form_test_set(struct ut_form_test *test, const struct ut_fault_set *set, bool *discards, bool *separates,
                     struct ut_error *e) {
  struct ut_hop_search *hops = &test->hops;
  *separates = false;
  ut_hop_search_order(hops, test->walk.explorer->up);
  for (uint32_t to = 0; to < hops->topology->switches && !*separates; to++)
    *separates = hops->is_home[to] && is_cut_off(hops, to);
  return walk_all(test, set, discards, e);
}
