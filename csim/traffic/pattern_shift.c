/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_shift.c - the shift: d = s + shift, modulo the terminals, groups or switches.  Over groups it is the
 * adversarial traffic of dragonflies: all terminals of a group send to the same other group (Kim, Dally, Scott and
 * Abts, 2008, section 4.2). */
#include "pattern.h"
#include "scenario.h"
#include "scenario_refusal.h"

static uint32_t shifted(const struct ut_scenario *scenario, uint32_t source, uint32_t units) {
  return (source + scenario->traffic.shift) % units;
}

static int check(const struct ut_check *checker, uint32_t units) {
  const unsigned shift = checker->s->traffic.shift;
  return shift % units ? 0
                       : ut_impossible(checker, "traffic.shift", NULL,
                                       "'traffic.shift' is %u: each of the %u sends to itself", shift, (unsigned)units);
}

const struct ut_pattern ut_pattern_shift = {
    .name = "shift",
    .summary = "s + `shift`, modulo their number; with `over: groups` from each group to another one",
    .keys = {"traffic.shift", "traffic.over", "traffic.member"},
    .check = check,
    .move = shifted,
};
