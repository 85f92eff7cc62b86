/* SPDX-License-Identifier: Apache-2.0 */
/* topology_build.c - see topology_build.h */
#include "topology_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "scenario.h"
#include "scenario_keys.h"
#include "scenario_refusal.h"
#include "scenario_switches.h"

/* ---- the keys of `topology:` */

/* Writes the kinds of topology that accept a key, as in "a and b". */
static void list_takers(unsigned key, char *text, size_t size) {
  size_t used = 0;
  unsigned left = 0;
  for (unsigned i = 0; ut_families[i]; i++)
    left += (ut_families[i]->keys & key) != 0;
  for (unsigned i = 0; ut_families[i] && used < size; i++)
    if (ut_families[i]->keys & key)
      used += (size_t)snprintf(text + used, size - used, "%s%s", ut_families[i]->kind,
                               --left > 1  ? ", "
                               : left == 1 ? " and "
                                           : "");
}

/* Refuses keys of other kinds, and missing keys. */
static int check_topology_keys(const struct ut_check *check) {
  const struct ut_family *family = check->s->topology.family;
  const bool sizes = ut_check_given(check, "topology.sizes");
  char takers[128];
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->takers && ut_check_given(check, key->path) && !(family->keys & key->takers)) {
      list_takers(key->takers, takers, sizeof takers);
      return ut_impossible(check, key->path, NULL, "'%s' is for %s only, this topology is %s", key->path, takers,
                           family->kind);
    }
  static const char *const shape[] = {"topology.k", "topology.n"};
  for (unsigned i = 0; check->d && i < 2; i++) {
    const char *path = shape[i], *key = strchr(path, '.') + 1;
    if (family->keys & ut_key_find(path)->takers && !ut_check_given(check, path) && !sizes)
      return ut_impossible(check, "topology",
                           family->keys & UT_KEY_SIZES ? "or give 'sizes', as in sizes: [8, 8, 4]" : NULL,
                           "missing key '%s' in 'topology'", key);
    if (ut_check_given(check, path) && sizes)
      return ut_impossible(check, path, NULL, "'topology.sizes' says it all: leave '%s' away", key);
  }
  return 0;
}

int ut_scenario_check_topology(const struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e) {
  const struct ut_check check = {.s = scenario, .d = document, .e = e};
  return check_topology_keys(&check) || scenario->topology.family->check(&check) ? -1 : 0;
}

/* ---- the network */

int ut_topology_init(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  *topo = (struct ut_topology){0};
  return ut_scenario_check_topology(scenario, NULL, e) ? -1 : scenario->topology.family->build(topo, scenario, e);
}

void ut_scenario_unbuild(struct ut_scenario *scenario) {
  if (scenario->built)
    ut_topology_free(scenario->built);
  free(scenario->built);
  scenario->built = NULL;
}

int ut_scenario_build(struct ut_scenario *scenario, struct ut_error *e) {
  ut_scenario_unbuild(scenario);
  scenario->built = malloc(sizeof *scenario->built);
  if (!scenario->built)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", scenario->path);
  if (!ut_topology_init(scenario->built, scenario, e))
    return 0;
  ut_scenario_unbuild(scenario);
  return -1;
}

const struct ut_topology *ut_scenario_topology(const struct ut_scenario *scenario) {
  return scenario->built;
}

int ut_scenario_elaborations(const struct ut_scenario *scenario, struct ut_elaboration elaboration[UT_MAX_ELABORATIONS],
                             struct ut_shape shape[UT_MAX_ELABORATIONS], struct ut_error *e) {
  const struct ut_topology *topo = scenario->built;
  for (unsigned i = 0; i < topo->elaborations; i++) {
    elaboration[i] = topo->elaboration[i];
    if (ut_scenario_shape(scenario, &elaboration[i], &shape[i], e))
      return -1;
  }
  return (int)topo->elaborations;
}
