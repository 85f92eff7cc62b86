/* SPDX-License-Identifier: Apache-2.0 */
/* dump.h - the wave dump of a lockstep run: the RTL of some switches, and next to each register the golden one.
 *
 * Verilator writes the RTL's signals.  Two scopes are ours; a SWITCH is s<level>_<index>, a REGISTER the path of
 * reports (in0.vc0.state_q) of a register or output that is compared:
 *   lockstep.differs                   a switch of the network differs in this cycle
 *   lockstep.SWITCH.differs            this one does
 *   lockstep.SWITCH.REGISTER.rtl, .golden, .differs
 *   words.events                       links and switches that fail and come back
 *   words.SWITCH.*                     packets and flits: dump_words.h
 */
#ifndef UT_DUMP_H
#define UT_DUMP_H

#include "lockstep.h"

/* A dump's time must hold it. */
#define UT_MAX_WAVE_CYCLE UINT64_C(1000000000000000)
/* The dump counts in ps.  A cycle takes one ns, so that a viewer shows its number. */
enum { UT_DUMP_CYCLE_PS = 1000 };
struct ut_wave {
  const char *path; /* NULL: no dump */
  uint64_t first, last;
  const uint32_t *switches;
  unsigned count;
};

struct ut_dump;

/* Dumps cycles first..last of some switches; traced models only.  The lockstep must be at its start; its steps and its
 * end call the functions below.  Returns -1 and fills *e if the models cannot be traced, or when out of memory. */
int ut_dump_open(struct ut_lockstep *lockstep, const struct ut_wave *wave, struct ut_error *e);
/* To be called during a step of the RTL network.  Writes the cycle in which the networks are: the registers as recorded
 * last, and the present inputs. */
void ut_dump_step(struct ut_dump *dump);
/* To be called after a step of both networks, when all switches have been compared: records the registers. */
void ut_dump_look(struct ut_dump *dump);
/* Returns the first cycle, not before `cycle`, that must be simulated for the dump: all of its window, and some cycles
 * before it; UINT64_MAX: none. */
uint64_t ut_dump_next(const struct ut_dump *dump, uint64_t cycle);
/* Writes the last cycle, without new inputs, and closes the dump.  NULL: does nothing. */
void ut_dump_close(struct ut_dump *dump);

#endif
