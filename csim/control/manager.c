/* SPDX-License-Identifier: Apache-2.0 */
/* manager.c - see manager.h */
#include "manager.h"

#include <stdlib.h>
#include <string.h>

bool ut_manager_init(struct ut_manager *manager, const struct ut_topology *topo, const struct ut_shape *shape,
                     const struct ut_planning *planning, const struct ut_manager_rule *rule) {
  *manager = (struct ut_manager){.rule = *rule, .switches = topo->switches, .next_cycle = UINT64_MAX};
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
  if (!manager->rule.active)
    return;
  manager->told = true;
  if (manager->phase != UT_MANAGER_WRITES)
    manager->next_cycle = cycle;
}

/* Begins to visit the switches, in a phase of the round. */
static void begin_phase(struct ut_manager *manager, enum ut_manager_phase phase, uint64_t start) {
  manager->phase = phase;
  manager->start = start;
  manager->begun = manager->streams = 0;
}

static void begin_round(struct ut_manager *manager, const ut_mask *link_up, uint64_t cycle) {
  const bool mixed = manager->rule.update == UT_UPDATE_MIXED;
  ut_manager_survey(manager, link_up);
  manager->told = false;
  begin_phase(manager, mixed ? UT_MANAGER_WRITES : UT_MANAGER_WITHDRAWS,
              cycle + manager->rule.delay + manager->rule.pace);
}

static struct ut_stream stream_to(struct ut_manager *manager, uint32_t sw) {
  struct ut_stream stream = {.sw = sw};
  if (manager->phase == UT_MANAGER_WITHDRAWS)
    ut_withdrawals_begin(&stream.withdrawals, &manager->forwarding, &manager->held, sw);
  return stream;
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

/* Finds the next entry of a switch that must be withdrawn, from the last one on: those of adaptive VCs stand behind
 * those of the escape VC, and no packet may be without the latter. */
static bool withdraw(struct ut_manager *manager, struct ut_stream *stream) {
  while (stream->next < manager->entries) {
    const uint32_t i = manager->entries - ++stream->next;
    if (!ut_withdrawals_include(&stream->withdrawals, i))
      continue;
    manager->word[stream->sw] = ut_table_withdrawal(planned(manager, stream->sw, i));
    hold(manager, stream->sw, i, manager->word[stream->sw]);
    return manager->withdrawn = true;
  }
  return false;
}

/* Sends the next word to each switch that is being written, and forgets those that need no more or have failed. */
static void send_words(struct ut_manager *manager, const struct ut_faults *faults, uint64_t cycle) {
  const uint64_t pace = manager->rule.pace;
  while (manager->begun < manager->switches && manager->start + manager->begun * pace <= cycle)
    manager->stream[manager->streams++] = stream_to(manager, manager->begun++);
  uint32_t left = 0;
  for (uint32_t i = 0; i < manager->streams; i++) {
    struct ut_stream stream = manager->stream[i];
    const bool withdraws = manager->phase == UT_MANAGER_WITHDRAWS;
    if (ut_faults_switch_up(faults, stream.sw) && (withdraws ? withdraw(manager, &stream) : advance(manager, &stream)))
      manager->stream[left++] = stream;
  }
  manager->streams = left;
}

/* When all switches have been visited: the next phase, or the end of the round.  Sources write the new layers when the
 * last changed entry has been withdrawn, or when all have been written. */
static void end_phase(struct ut_manager *manager, uint64_t cycle) {
  ut_manager_tell_terminals(manager);
  if (manager->phase == UT_MANAGER_WITHDRAWS && manager->withdrawn) {
    manager->phase = UT_MANAGER_DRAINS;
  } else if (manager->phase == UT_MANAGER_WITHDRAWS) {
    begin_phase(manager, UT_MANAGER_WRITES, cycle + manager->rule.pace);
  } else {
    manager->withdrawn = false;
    manager->phase = UT_MANAGER_IDLE;
  }
}

/* Returns the cycle of the next action after a step. */
static uint64_t next_action(const struct ut_manager *manager, uint64_t cycle) {
  const uint64_t visit = manager->start + manager->begun * manager->rule.pace;
  const bool begins = manager->told && manager->phase != UT_MANAGER_WRITES;
  if (manager->streams || begins || manager->phase == UT_MANAGER_DRAINS)
    return cycle + 1;
  return manager->phase == UT_MANAGER_IDLE ? UINT64_MAX : visit > cycle ? visit : cycle + 1;
}

void ut_manager_step(struct ut_manager *manager, const struct ut_faults *faults, const ut_mask *link_up, bool drained,
                     uint64_t cycle) {
  for (uint32_t i = 0; i < manager->streams; i++)
    manager->word[manager->stream[i].sw] = 0;
  if (manager->told && manager->phase != UT_MANAGER_WRITES)
    begin_round(manager, link_up, cycle);
  else if (drained)
    begin_phase(manager, UT_MANAGER_WRITES, cycle + manager->rule.pace);
  if (manager->phase == UT_MANAGER_WITHDRAWS || manager->phase == UT_MANAGER_WRITES) {
    send_words(manager, faults, cycle);
    if (!manager->streams && manager->begun == manager->switches)
      end_phase(manager, cycle);
  }
  manager->next_cycle = next_action(manager, cycle);
}
