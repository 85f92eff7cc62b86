/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.c - see rounds.h */
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

#include "scenario.h"

static size_t layers_of(const struct ut_rounds *rounds) {
  const struct ut_next_hops *hops = &rounds->manager.forwarding.hops;
  return hops->layer ? (size_t)hops->topology->switches * hops->destinations : 0;
}

void ut_rounds_tell(struct ut_rounds *rounds) {
  if (layers_of(rounds))
    memcpy(rounds->told.layer, rounds->manager.forwarding.hops.layer, layers_of(rounds));
}

static void boot(struct ut_rounds *rounds) {
  struct ut_manager *manager = &rounds->manager;
  ut_manager_survey(manager, rounds->explorer->up);
  for (uint32_t sw = 0; sw < manager->switches; sw++)
    for (uint32_t i = 0; i < manager->entries; i++)
      ut_explorer_write(rounds->explorer, sw, i, ut_manager_boot(manager, sw, i));
  ut_manager_tell_terminals(manager);
  ut_rounds_tell(rounds);
}

int ut_rounds_init(struct ut_rounds *rounds, const struct ut_scenario *scenario, struct ut_explorer *explorer,
                   struct ut_error *e) {
  const struct ut_manager_rule rule = {.active = true, .update = scenario->routing.update};
  const struct ut_topology *topo = explorer->topology;
  *rounds = (struct ut_rounds){.explorer = explorer, .faults = {.topology = topo}};
  rounds->faults.switch_down = calloc(topo->switches, sizeof *rounds->faults.switch_down);
  if (rounds->faults.switch_down &&
      ut_manager_init(&rounds->manager, topo, &explorer->group[0].shape, &scenario->routing.planning, &rule)) {
    rounds->told = rounds->manager.forwarding.hops;
    rounds->told.layer = layers_of(rounds) ? calloc(layers_of(rounds), 1) : NULL;
    if (!layers_of(rounds) || rounds->told.layer) {
      boot(rounds);
      return 0;
    }
  }
  ut_rounds_fini(rounds);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the manager");
}

void ut_rounds_fini(struct ut_rounds *rounds) {
  free(rounds->faults.switch_down);
  free(rounds->told.layer);
  if (rounds->explorer)
    ut_manager_fini(&rounds->manager);
  *rounds = (struct ut_rounds){0};
}

void ut_rounds_begin(struct ut_rounds *rounds) {
  for (uint32_t sw = 0; sw < rounds->manager.switches; sw++)
    rounds->faults.switch_down[sw] = rounds->explorer->dead[sw];
  ut_manager_tell(&rounds->manager, rounds->cycle);
}

/* Writes what the manager sends in this cycle. */
static void write_words(struct ut_rounds *rounds, struct ut_table_changes *changes) {
  struct ut_explorer *explorer = rounds->explorer;
  const struct ut_manager *manager = &rounds->manager;
  for (uint32_t i = 0; i < manager->streams; i++) {
    const uint32_t sw = manager->stream[i].sw;
    const uint64_t word = manager->word[sw];
    const uint32_t number = word ? ut_forwarding_number(&manager->forwarding, word) : 0;
    if (word && !ut_table_changes_add(changes, &manager->forwarding, sw, number,
                                      ut_held_words_get(&explorer->held, sw, number), word))
      explorer->bad_memory = true;
    if (word)
      ut_explorer_write(explorer, sw, number, word);
  }
}

bool ut_rounds_phase(struct ut_rounds *rounds, struct ut_table_changes *changes) {
  struct ut_manager *manager = &rounds->manager;
  bool visits;
  ut_table_changes_clear(changes);
  if (manager->phase == UT_MANAGER_IDLE && !manager->told)
    return false;
  do {
    const bool drained = manager->phase == UT_MANAGER_DRAINS;
    ut_manager_step(manager, &rounds->faults, rounds->explorer->up, drained, rounds->cycle++);
    write_words(rounds, changes);
    visits = manager->phase == UT_MANAGER_WITHDRAWS || manager->phase == UT_MANAGER_WRITES;
    if (drained && !visits && !manager->told)
      return changes->changes > 0;
  } while (visits);
  return true;
}

bool ut_rounds_drain(const struct ut_rounds *rounds) {
  return rounds->manager.phase == UT_MANAGER_DRAINS && rounds->manager.withheld;
}

void ut_rounds_settle(struct ut_rounds *rounds, struct ut_table_changes *changes) {
  ut_rounds_begin(rounds);
  while (ut_rounds_phase(rounds, changes))
    ut_rounds_tell(rounds);
}
