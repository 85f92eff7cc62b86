/* SPDX-License-Identifier: Apache-2.0 */
/* case.h - a scenario that is made smaller step by step, with its packets as a trace.
 *
 * A change is made in a copy, which is then written as text and read again: so every result is a scenario that a file
 * could contain, and has passed all checks of a file.
 */
#ifndef UT_CASE_H
#define UT_CASE_H

#include <stdbool.h>
#include <stdio.h>

#include "traffic.h"

struct ut_scenario;

struct ut_case {
  struct ut_scenario *scenario;
  bool traced;                   /* its traffic consists of these packets: */
  struct ut_trace_entry *packet; /* by ascending cycle; packets of one source and cycle in their order */
  size_t packets;
};

/* The scenario as a case.  -1 and *e. */
int ut_case_init(struct ut_case *repro, const struct ut_scenario *scenario, struct ut_error *e);
/* false: out of memory, and the copy is empty. */
bool ut_case_copy(struct ut_case *to, const struct ut_case *from);
void ut_case_free(struct ut_case *repro);

/* Reads a changed case again; writes its trace to the file that the scenario names.  Returns -1 and fills *e if the
 * scenario is impossible. */
int ut_case_settle(struct ut_case *repro, struct ut_error *e);
/* Packets as lines of a trace: cycle, source, destination, flits. */
void ut_case_print_packets(FILE *f, const struct ut_trace_entry *packet, size_t packets);
/* Writes the trace to the file that the scenario names.  -1 and *e. */
int ut_case_write_trace(const struct ut_case *repro, struct ut_error *e);

/* ---- changes, which a later read checks */

/* Turns its packets until that cycle into a trace, written to that folder: those that the model generates in a run.
 * Returns -1 and fills *e on failure. */
int ut_case_trace(struct ut_case *repro, uint64_t cycles, const char *folder, struct ut_error *e);
/* Makes its traffic uniform, with that load and without a trace. */
void ut_case_become_uniform(struct ut_case *repro, double load);
/* Replaces random and repeated faults by the components and times that result.  Returns -1 and fills *e on failure. */
int ut_case_pin_faults(struct ut_case *repro, struct ut_error *e);
/* Ends the run with that cycle, and removes later events. */
void ut_case_end_at(struct ut_case *repro, uint64_t cycles);
/* Moves all events from cycle `from` on by `by` cycles to earlier cycles, but not before cycle 0. */
void ut_case_shift(struct ut_case *repro, uint64_t from, uint64_t by);
/* Keep only the packets, or faults, with these numbers, in ascending order. */
void ut_case_keep_packets(struct ut_case *repro, const size_t *kept, size_t count);
void ut_case_keep_faults(struct ut_case *repro, const size_t *kept, size_t count);

#endif
