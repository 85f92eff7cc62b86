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
  const bool judges = rule->update != UT_UPDATE_SAFE ||
                      ut_mixable_init(&manager->mixable, &manager->forwarding, &manager->held, shape->v, shape->via);
  if (holds && judges && manager->word && manager->stream)
    return true;
  ut_manager_fini(manager);
  return false;
}

void ut_manager_fini(struct ut_manager *manager) {
  ut_mixable_fini(&manager->mixable);
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
  if (manager->phase == UT_MANAGER_IDLE)
    manager->next_cycle = cycle;
}

/* Enters a phase of the round, and counts the cycles of the one before. */
static void enter(struct ut_manager *manager, enum ut_manager_phase phase, uint64_t cycle) {
  if (manager->phase == UT_MANAGER_DRAINS)
    manager->costs.drain_cycles += cycle - manager->since;
  if (manager->phase != UT_MANAGER_IDLE)
    manager->costs.cycles += cycle - manager->since;
  manager->phase = phase;
  manager->since = cycle;
}

/* Begins to visit the switches, after some cycles. */
static void begin_visits(struct ut_manager *manager, enum ut_manager_phase phase, uint64_t cycle, uint64_t after) {
  enter(manager, phase, cycle);
  manager->start = cycle + after;
  manager->begun = manager->streams = 0;
}

/* Whether entries of this round must be withdrawn first. */
static bool withholds(struct ut_manager *manager) {
  if (manager->rule.update == UT_UPDATE_SAFE)
    ut_mixable_find(&manager->mixable);
  return manager->rule.update == UT_UPDATE_TWO_PHASE ||
         (manager->rule.update == UT_UPDATE_SAFE && manager->mixable.withholds);
}

static void begin_round(struct ut_manager *manager, const ut_mask *link_up, uint64_t cycle) {
  ut_manager_survey(manager, link_up);
  manager->told = false;
  manager->withheld = withholds(manager);
  manager->costs.rounds++;
  manager->costs.withholding_rounds += manager->withheld;
  begin_visits(manager, manager->withheld ? UT_MANAGER_WITHDRAWS : UT_MANAGER_WRITES, cycle,
               manager->rule.delay + manager->rule.pace);
}

static struct ut_stream stream_to(struct ut_manager *manager, uint32_t sw) {
  struct ut_stream stream = {.sw = sw, .withdraws = manager->phase == UT_MANAGER_WITHDRAWS};
  if (stream.withdraws)
    ut_withdrawals_begin(&stream.withdrawals, &manager->forwarding, &manager->held, sw);
  return stream;
}

/* Whether word i is an entry that is not to be written before those in its place have left. */
static bool is_withheld(const struct ut_manager *manager, uint32_t sw, uint32_t i) {
  const struct ut_forwarding *forwarding = &manager->forwarding;
  return manager->phase == UT_MANAGER_WITHDRAWS && ut_forwarding_is_entry(forwarding, i) &&
         (manager->rule.update == UT_UPDATE_TWO_PHASE ||
          ut_mixable_withholds(&manager->mixable, sw, ut_forwarding_destination(forwarding, i)));
}

/* Finds the next word of a switch that must change; false: there is none. */
static bool write_next(struct ut_manager *manager, struct ut_stream *stream) {
  while (stream->next < manager->entries) {
    uint32_t i = stream->next++;
    if (is_withheld(manager, stream->sw, i))
      continue;
    uint64_t word = planned(manager, stream->sw, i);
    if (hold(manager, stream->sw, i, word)) {
      manager->word[stream->sw] = word;
      manager->costs.written++;
      return true;
    }
  }
  return false;
}

/* Finds the next entry of a switch that must be withdrawn, from the last one on: those of adaptive VCs stand behind
 * those of the escape VC, and no packet may be without the latter. */
static bool withdraw_next(struct ut_manager *manager, struct ut_stream *stream) {
  while (stream->next < manager->entries) {
    const uint32_t i = manager->entries - ++stream->next;
    if (!is_withheld(manager, stream->sw, i) || !ut_withdrawals_include(&stream->withdrawals, i))
      continue;
    manager->word[stream->sw] = ut_table_withdrawal(planned(manager, stream->sw, i));
    hold(manager, stream->sw, i, manager->word[stream->sw]);
    manager->costs.withdrawn++;
    return true;
  }
  stream->withdraws = false;
  stream->next = 0;
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
    if (ut_faults_switch_up(faults, stream.sw) &&
        ((stream.withdraws && withdraw_next(manager, &stream)) || write_next(manager, &stream)))
      manager->stream[left++] = stream;
  }
  manager->streams = left;
}

/* When all switches have been visited: sources write the new layers, and packets that have met old entries must leave,
 * unless what comes next may stand beside them. */
static void end_visits(struct ut_manager *manager, uint64_t cycle) {
  const bool leaves =
      manager->phase == UT_MANAGER_WITHDRAWS || (manager->rule.update == UT_UPDATE_SAFE && !manager->withheld);
  ut_manager_tell_terminals(manager);
  if (manager->phase == UT_MANAGER_WRITES)
    manager->withheld = false;
  enter(manager, leaves ? UT_MANAGER_DRAINS : UT_MANAGER_IDLE, cycle);
}

/* Returns the cycle of the next action after a step. */
static uint64_t next_action(const struct ut_manager *manager, uint64_t cycle) {
  const uint64_t visit = manager->start + manager->begun * manager->rule.pace;
  if (manager->phase == UT_MANAGER_IDLE)
    return manager->told ? cycle + 1 : UINT64_MAX;
  return manager->phase == UT_MANAGER_DRAINS || manager->streams || visit <= cycle ? cycle + 1 : visit;
}

void ut_manager_step(struct ut_manager *manager, const struct ut_faults *faults, const ut_mask *link_up, bool drained,
                     uint64_t cycle) {
  for (uint32_t i = 0; i < manager->streams; i++)
    manager->word[manager->stream[i].sw] = 0;
  if (drained && manager->withheld && !manager->told)
    begin_visits(manager, UT_MANAGER_WRITES, cycle, manager->rule.pace);
  else if (drained)
    enter(manager, UT_MANAGER_IDLE, cycle);
  if (manager->told && manager->phase == UT_MANAGER_IDLE)
    begin_round(manager, link_up, cycle);
  if (manager->phase == UT_MANAGER_WITHDRAWS || manager->phase == UT_MANAGER_WRITES) {
    send_words(manager, faults, cycle);
    if (!manager->streams && manager->begun == manager->switches)
      end_visits(manager, cycle);
  }
  manager->next_cycle = next_action(manager, cycle);
}
