/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch.h - what is known of the mismatch that has ended a lockstep.
 *
 * RTL and golden switches were equal before the cycle of the mismatch.  The model makes the run again up to there, so
 * that a run without a mismatch keeps no history: it says what the switch has done in the last cycles, and what the
 * registers held before.  Then it makes this one cycle beside the spec, the third text of the switch: where both agree
 * the RTL is wrong, else the one that is self-contained ("two of three").
 */
#ifndef UT_MISMATCH_H
#define UT_MISMATCH_H

#include <stdio.h>

#include "lockstep.h"
#include "outages.h"
#include "register_order.h"
#include "switch_events.h"

enum { UT_MISMATCH_HISTORY = 20 }; /* cycles of which the events are told */

struct ut_mismatch_register {
  char path[64];
  struct ut_register_values values;
  uint64_t third; /* what the third text says */
  bool third_differs;
  bool first; /* could be the first: only inputs that are equal */
  enum ut_register_step step;
  size_t number; /* in the order of state_map.h */
};

/* A part of the switch in words, on both sides: an input VC, an output VC, or what belongs to the whole switch. */
struct ut_mismatch_place {
  char name[40], device[200], golden[200];
};

enum ut_mismatch_verdict { UT_VERDICT_NONE, UT_VERDICT_DEVICE, UT_VERDICT_GOLDEN, UT_VERDICT_ALL_DIFFER };

struct ut_mismatch {
  const struct ut_lockstep *lockstep;
  const char *device, *golden, *third; /* "RTL", "model", "spec" */
  struct ut_mismatch_register *reg;    /* nearest to the cause first */
  size_t registers, room;
  struct ut_mismatch_place *place; /* what differs, and what touches it */
  size_t places;
  struct ut_switch_events events; /* of its last cycles, as the model sees them */
  struct ut_outage *outage;       /* faults in force */
  size_t outages;
  enum ut_mismatch_verdict verdict;
  bool failure; /* out of memory: something is missing */
};

/* Of a lockstep with a mismatch, which must outlive it; without registers if the accounts were wrong.  Makes the run
 * once more. */
void ut_mismatch_find(struct ut_mismatch *mismatch, const struct ut_lockstep *lockstep);
void ut_mismatch_free(struct ut_mismatch *mismatch);

/* Which side is wrong, as a sentence: "the spec agrees with the RTL, so the model is wrong"; NULL: nobody can be asked.
 * Returns text. */
enum { UT_VERDICT_SIZE = 120 };
const char *ut_mismatch_verdict_text(const struct ut_mismatch *mismatch, char text[UT_VERDICT_SIZE]);

/* For mismatch_places.c: what the device holds in a register that holds `golden` in the golden switch. */
uint64_t ut_mismatch_device_value(const struct ut_mismatch *mismatch, const char *path, uint64_t golden);
/* The register of that name, if it differs; NULL: it does not. */
struct ut_mismatch_register *ut_mismatch_register_of(const struct ut_mismatch *mismatch, const char *path);
/* Fills mismatch->place.  false: out of memory. */
bool ut_mismatch_find_places(struct ut_mismatch *mismatch);

#endif
