/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch.h - explains the mismatch that has ended a lockstep.
 *
 * RTL and golden switches were equal before the cycle of the mismatch.  A run without a mismatch records no history, so
 * the model repeats the run up to that cycle: this shows what the switch did in the last cycles and what its registers
 * held before.  Then the cycle of the mismatch is repeated with the spec, the third implementation of the switch.  If
 * spec and golden switch agree, the RTL is wrong; otherwise the implementation that differs from the other two ("two of
 * three").
 */
#ifndef UT_MISMATCH_H
#define UT_MISMATCH_H

#include <stdio.h>

#include "lockstep.h"
#include "outages.h"
#include "register_order.h"
#include "switch_events.h"

enum { UT_MISMATCH_HISTORY = 20 }; /* cycles whose events are reported */

struct ut_mismatch_register {
  char path[64];
  struct ut_register_values values;
  uint64_t third; /* the value in the third implementation */
  bool third_differs;
  bool first; /* could be the first: all its inputs are equal */
  enum ut_register_step step;
  size_t number; /* in the order of state_map.h */
};

/* A part of the switch in words, on both sides: an input VC, an output VC, or the state of the whole switch. */
struct ut_mismatch_place {
  char name[40], device[200], golden[200];
};

enum ut_mismatch_verdict { UT_VERDICT_NONE, UT_VERDICT_DEVICE, UT_VERDICT_GOLDEN, UT_VERDICT_ALL_DIFFER };

struct ut_mismatch {
  const struct ut_lockstep *lockstep;
  const char *device, *golden, *third; /* "RTL", "model", "spec" */
  struct ut_mismatch_register *reg;    /* the register nearest to the cause first */
  size_t registers, room;
  struct ut_mismatch_place *place; /* parts that differ, and parts connected with them */
  size_t places;
  struct ut_switch_events events; /* the switch's last cycles, as the model sees them */
  struct ut_outage *outage;       /* faults in force */
  size_t outages;
  enum ut_mismatch_verdict verdict;
  bool failure; /* out of memory: something is missing */
};

/* Explains the mismatch of a lockstep, which must outlive it, by repeating the run; without registers if the accounts
 * were wrong. */
void ut_mismatch_find(struct ut_mismatch *mismatch, const struct ut_lockstep *lockstep);
void ut_mismatch_free(struct ut_mismatch *mismatch);

/* Writes which side is wrong, as a sentence: "the spec agrees with the RTL, so the model is wrong".  Returns text;
 * NULL: there is no third implementation to ask. */
enum { UT_VERDICT_SIZE = 120 };
const char *ut_mismatch_verdict_text(const struct ut_mismatch *mismatch, char text[UT_VERDICT_SIZE]);

/* For mismatch_places.c: the value of a register in the device, given its value `golden` in the golden switch. */
uint64_t ut_mismatch_device_value(const struct ut_mismatch *mismatch, const char *path, uint64_t golden);
/* Returns the register of that name if it differs, otherwise NULL. */
struct ut_mismatch_register *ut_mismatch_register_of(const struct ut_mismatch *mismatch, const char *path);
/* Fills mismatch->place.  Returns false when out of memory. */
bool ut_mismatch_find_places(struct ut_mismatch *mismatch);

#endif
