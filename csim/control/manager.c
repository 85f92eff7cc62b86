/* SPDX-License-Identifier: Apache-2.0 */
/* manager.c - see manager.h */
#include "manager.h"

#include <stdlib.h>
#include <string.h>

bool ut_manager_init(struct ut_manager *m, const struct ut_topology *t, const struct ut_shape *shape, bool active,
                     uint64_t delay, uint64_t pace) {
  *m = (struct ut_manager){.active = active,
                           .switches = t->switches,
                           .delay = delay,
                           .pace = pace,
                           .pi = shape->pi,
                           .v = shape->v,
                           .destinations = shape->destinations,
                           .entries = shape->exclusions ? shape->po / 2 * shape->exclusions
                                                        : shape->pi * shape->v * shape->destinations,
                           .next_cycle = UINT64_MAX};
  m->holds = malloc((size_t)t->switches * m->entries * sizeof *m->holds);
  m->word = calloc(t->switches, sizeof *m->word);
  m->stream = calloc(t->switches, sizeof *m->stream);
  if (m->holds && m->word && m->stream &&
      (shape->exclusions ? ut_exclusions_init(&m->exclusions, t, shape) : ut_forwarding_init(&m->forwarding, t, shape)))
    return true;
  ut_manager_fini(m);
  return false;
}

void ut_manager_fini(struct ut_manager *m) {
  free(m->holds);
  free(m->word);
  free(m->stream);
  ut_forwarding_fini(&m->forwarding);
  ut_exclusions_fini(&m->exclusions);
  memset(m, 0, sizeof *m);
}

/* Entry i of a switch as planned now.  The order of a table's: input port, input VC, destination. */
static uint64_t planned(struct ut_manager *m, uint32_t sw, uint32_t i) {
  if (m->exclusions.count)
    return ut_exclusions_word(&m->exclusions, sw, i);
  unsigned vc = i / m->destinations;
  return ut_forwarding_entry(&m->forwarding, sw, vc / m->v, vc % m->v, (uint16_t)(i % m->destinations));
}

/* What the switch is known to hold afterwards: the entry without its address. */
static uint32_t contents(const struct ut_manager *m, uint64_t word) {
  return m->exclusions.count ? (uint32_t)word : (uint32_t)(word >> UT_CONFIG_PORT_LSB & 0x1ff);
}

void ut_manager_survey(struct ut_manager *m, const ut_mask *link_up) {
  if (m->exclusions.count)
    ut_exclusions_survey(&m->exclusions, link_up);
  else
    ut_forwarding_survey(&m->forwarding, link_up);
}

uint64_t ut_manager_boot(struct ut_manager *m, uint32_t sw, uint32_t i) {
  uint64_t word = planned(m, sw, i);
  m->holds[(size_t)sw * m->entries + i] = contents(m, word);
  return word;
}

void ut_manager_tell(struct ut_manager *m, uint64_t cycle) {
  if (!m->active)
    return;
  m->told = true;
  if (!m->round)
    m->next_cycle = cycle;
}

static void begin_round(struct ut_manager *m, const ut_mask *link_up, uint64_t cycle) {
  ut_manager_survey(m, link_up);
  m->told = false;
  m->round = true;
  m->begun = 0;
  m->start = cycle + m->delay + m->pace;
}

/* The next entry of a switch that is to be changed; false: there is none. */
static bool advance(struct ut_manager *m, struct ut_stream *s) {
  uint32_t *holds = m->holds + (size_t)s->sw * m->entries;
  while (s->next < m->entries) {
    uint32_t i = s->next++;
    uint64_t word = planned(m, s->sw, i);
    if (holds[i] != contents(m, word)) {
      holds[i] = contents(m, word);
      m->word[s->sw] = word;
      return true;
    }
  }
  return false;
}

void ut_manager_step(struct ut_manager *m, const struct ut_faults *f, const ut_mask *link_up, uint64_t cycle) {
  const uint32_t switches = m->switches;
  for (uint32_t i = 0; i < m->streams; i++)
    m->word[m->stream[i].sw] = 0;
  if (!m->round && m->told)
    begin_round(m, link_up, cycle);
  while (m->round && m->begun < switches && m->start + m->begun * m->pace <= cycle)
    m->stream[m->streams++] = (struct ut_stream){m->begun++, 0};
  uint32_t left = 0;
  for (uint32_t i = 0; i < m->streams; i++) {
    struct ut_stream s = m->stream[i];
    if (ut_faults_switch_up(f, s.sw) && advance(m, &s))
      m->stream[left++] = s;
  }
  m->streams = left;
  if (left) {
    m->next_cycle = cycle + 1;
  } else if (m->round && m->begun < switches) {
    m->next_cycle = m->start + m->begun * m->pace;
  } else {
    m->round = false;
    m->next_cycle = m->told ? cycle + 1 : UINT64_MAX;
  }
}
