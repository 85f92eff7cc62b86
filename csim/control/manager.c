/* SPDX-License-Identifier: Apache-2.0 */
/* manager.c - see manager.h */
#include "manager.h"

#include <stdlib.h>
#include <string.h>

bool ut_manager_init(struct ut_manager *manager, const struct ut_topology *topo, const struct ut_shape *shape,
                     const struct ut_planning *planning, bool active, uint64_t delay, uint64_t pace) {
  *manager = (struct ut_manager){
      .active = active, .switches = topo->switches, .delay = delay, .pace = pace, .next_cycle = UINT64_MAX};
  const bool planner = shape->exclusions ? ut_exclusions_init(&manager->exclusions, topo, shape)
                                         : ut_forwarding_init(&manager->forwarding, topo, shape, planning);
  manager->entries = shape->exclusions ? shape->po / 2 * shape->exclusions : manager->forwarding.words;
  const bool holds = planner && (shape->exclusions ? ut_held_words_init(&manager->held, topo->switches,
                                                                        manager->entries, manager->entries, 1)
                                                   : ut_held_words_of_tables(&manager->held, &manager->forwarding));
  manager->word = calloc(topo->switches, sizeof *manager->word);
  manager->stream = calloc(topo->switches, sizeof *manager->stream);
  if (holds && manager->word && manager->stream)
    return true;
  ut_manager_fini(manager);
  return false;
}

void ut_manager_fini(struct ut_manager *manager) {
  ut_held_words_fini(&manager->held);
  free(manager->word);
  free(manager->stream);
  ut_forwarding_fini(&manager->forwarding);
  ut_exclusions_fini(&manager->exclusions);
  memset(manager, 0, sizeof *manager);
}

/* Returns the word for entry i of a switch, as planned now. */
static uint64_t planned(struct ut_manager *manager, uint32_t sw, uint32_t i) {
  if (manager->exclusions.count)
    return ut_exclusions_word(&manager->exclusions, sw, i);
  return ut_forwarding_word(&manager->forwarding, sw, i);
}

/* Keeps what the switch holds afterwards; returns whether it is something else than before. */
static bool hold(struct ut_manager *manager, uint32_t sw, uint32_t i, uint64_t word) {
  return ut_held_words_put(&manager->held, sw, i, manager->exclusions.count ? (uint32_t)word : ut_table_contents(word));
}

void ut_manager_survey(struct ut_manager *manager, const ut_mask *link_up) {
  if (manager->exclusions.count)
    ut_exclusions_survey(&manager->exclusions, link_up);
  else
    ut_forwarding_survey(&manager->forwarding, link_up);
}

void ut_manager_tell_terminals(struct ut_manager *manager) {
  if (manager->forwarding.hops.by)
    ut_next_hops_tell(&manager->forwarding.hops);
}

uint64_t ut_manager_boot(struct ut_manager *manager, uint32_t sw, uint32_t i) {
  uint64_t word = planned(manager, sw, i);
  hold(manager, sw, i, word);
  return word;
}

void ut_manager_tell(struct ut_manager *manager, uint64_t cycle) {
  if (!manager->active)
    return;
  manager->told = true;
  if (!manager->round)
    manager->next_cycle = cycle;
}

static void begin_round(struct ut_manager *manager, const ut_mask *link_up, uint64_t cycle) {
  ut_manager_survey(manager, link_up);
  manager->told = false;
  manager->round = true;
  manager->begun = 0;
  manager->start = cycle + manager->delay + manager->pace;
}

/* Finds the next entry of a switch that must change; false: there is none. */
static bool advance(struct ut_manager *manager, struct ut_stream *stream) {
  while (stream->next < manager->entries) {
    uint32_t i = stream->next++;
    uint64_t word = planned(manager, stream->sw, i);
    if (hold(manager, stream->sw, i, word)) {
      manager->word[stream->sw] = word;
      return true;
    }
  }
  return false;
}

void ut_manager_step(struct ut_manager *manager, const struct ut_faults *faults, const ut_mask *link_up,
                     uint64_t cycle) {
  const uint32_t switches = manager->switches;
  for (uint32_t i = 0; i < manager->streams; i++)
    manager->word[manager->stream[i].sw] = 0;
  if (!manager->round && manager->told)
    begin_round(manager, link_up, cycle);
  while (manager->round && manager->begun < switches && manager->start + manager->begun * manager->pace <= cycle)
    manager->stream[manager->streams++] = (struct ut_stream){manager->begun++, 0};
  uint32_t left = 0;
  for (uint32_t i = 0; i < manager->streams; i++) {
    struct ut_stream stream = manager->stream[i];
    if (ut_faults_switch_up(faults, stream.sw) && advance(manager, &stream))
      manager->stream[left++] = stream;
  }
  manager->streams = left;
  if (left) {
    manager->next_cycle = cycle + 1;
  } else if (manager->round && manager->begun < switches) {
    manager->next_cycle = manager->start + manager->begun * manager->pace;
  } else {
    if (manager->round)
      ut_manager_tell_terminals(manager);
    manager->round = false;
    manager->next_cycle = manager->told ? cycle + 1 : UINT64_MAX;
  }
}
