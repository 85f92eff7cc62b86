/* SPDX-License-Identifier: Apache-2.0 */
/* terminal_rest.c - terminals of a network in which nothing happens for some time (network_rest.c). */
#include <string.h>

#include "terminal_cycle.h"

/* Returns whether a cycle without arrivals changes nothing at that ejection link. */
static bool ejection_rests(const struct ut_terminals *terminals, const struct ut_ejection *out) {
  if (out->up != out->link_up)
    return false;
  if (out->up)
    return !out->pending_credits;
  bool rests = out->pending_credits == ut_mask_all(terminals->form.v);
  for (uint32_t lane = out->lane; lane < out->lane + terminals->form.v; lane++)
    rests &= terminals->rx[lane].pending_credits == terminals->form.depth;
  return rests;
}

/* Returns the same for an injection link that is down. */
static bool injection_rests(const struct ut_terminals *terminals, const struct ut_injection *in) {
  bool rests = in->up == in->link_up && !(in->sending && !in->up);
  for (unsigned v = 0; v < terminals->form.v && !in->up; v++)
    rests &= terminals->credits[in->lane + v] == 0;
  return rests;
}

/* Returns whether a terminal stays in the set `unusual`: some of its links are down, and both ends know it. */
static bool unusual_rests(const struct ut_terminals *terminals, uint32_t id) {
  bool rests = true, down = false;
  for (unsigned j = 0; j < terminals->ejections; j++) {
    const struct ut_ejection *out = &terminals->ejection[(size_t)id * terminals->ejections + j];
    rests &= ejection_rests(terminals, out);
    down |= !out->up;
  }
  for (unsigned j = 0; j < terminals->injections; j++) {
    const struct ut_injection *in = &terminals->injection[(size_t)id * terminals->injections + j];
    rests &= injection_rests(terminals, in);
    down |= !in->up;
  }
  return rests && down;
}

/* Returns whether a terminal cannot begin its packets, whatever link or route it chooses. */
static bool waits_for_links(const struct ut_terminals *terminals, uint32_t id) {
  bool waits = true;
  if (terminals->halted)
    return true;
  for (unsigned j = 0; j < terminals->injections; j++)
    waits &= !terminals->injection[(size_t)id * terminals->injections + j].up;
  return waits;
}

bool ut_terminals_busy(const struct ut_terminals *terminals) {
  uint64_t busy = 0;
  for (uint32_t i = 0; i < terminals->rolls; i++)
    busy |= terminals->roll[i].middle;
  for (uint32_t i = 0; i < terminals->lanes / UT_LANES; i++)
    busy |= terminals->transmissions[i].sending | terminals->transmissions[i].more | terminals->receptions[i].open;
  return busy;
}

bool ut_terminals_rest(const struct ut_terminals *terminals) {
  bool busy = ut_terminals_busy(terminals);
  for (uint32_t i = 0; i < terminals->rolls && !busy; i++) {
    const struct ut_roll *roll = &terminals->roll[i];
    for (uint64_t rest = roll->waiting | roll->unusual; rest && !busy; rest &= rest - 1) {
      const uint32_t id = 64 * i + (uint32_t)__builtin_ctzll(rest);
      busy = (roll->waiting & ut_roll_bit(id) && !waits_for_links(terminals, id)) ||
             (roll->unusual & ut_roll_bit(id) && !unusual_rests(terminals, id));
    }
  }
  return !busy;
}

uint64_t ut_terminals_next_packet(const struct ut_terminals *terminals) {
  uint64_t next = UT_NO_PACKET;
  for (uint32_t i = 0; i < terminals->count && !terminals->stop_generation && !terminals->releases; i++) {
    const uint64_t cycle = ut_record_of(&terminals->terminal[i], terminals->terminal[i].end)->cycle;
    next = cycle < next ? cycle : next;
  }
  return next;
}

void ut_terminals_jump(struct ut_terminals *terminals, uint64_t cycle) {
  if (terminals->releases)
    return;
  for (uint32_t i = 0; i < terminals->rolls; i++)
    memset(terminals->roll[i].wheel, 0, sizeof terminals->roll[i].wheel);
  for (uint32_t i = 0; i < terminals->count; i++)
    ut_schedule(&terminals->roll[i / 64], i, ut_record_of(&terminals->terminal[i], terminals->terminal[i].end)->cycle,
                cycle);
}
