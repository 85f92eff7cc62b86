/* SPDX-License-Identifier: Apache-2.0 */
/* case.h - a scenario that is made smaller step by step, with its packets as a trace.
 *
 * A change is made in a copy, which is then written as text and read again: so whatever becomes of it is a scenario
 * that a file could say, with all checks that a file meets.
 */
#ifndef UT_CASE_H
#define UT_CASE_H

#include <stdbool.h>
#include <stdio.h>

#include "traffic.h"

struct ut_scenario;

struct ut_case {
  struct ut_scenario *scenario;
  bool traced;                   /* its traffic are these packets: */
  struct ut_trace_entry *packet; /* by ascending cycle; packets of one source and cycle in their order */
  size_t packets;
};

/* The scenario as a case.  -1 and *e. */
int ut_case_init(struct ut_case *repro, const struct ut_scenario *scenario, struct ut_error *e);
/* false: out of memory, and the copy is empty. */
bool ut_case_copy(struct ut_case *to, const struct ut_case *from);
void ut_case_free(struct ut_case *repro);

/* Reads a changed case again; its trace is written to the file that the scenario names.  -1 and *e: there can be no
 * such scenario. */
int ut_case_settle(struct ut_case *repro, struct ut_error *e);
/* Packets as lines of a trace: cycle, source, destination, flits. */
void ut_case_print_packets(FILE *f, const struct ut_trace_entry *packet, size_t packets);
/* Writes the trace to the file that the scenario names.  -1 and *e. */
int ut_case_write_trace(const struct ut_case *repro, struct ut_error *e);

/* ---- changes, to be settled */

/* Its packets until that cycle become a trace, to be written to that folder: those that the model generates in a run.
 * -1 and *e. */
int ut_case_trace(struct ut_case *repro, uint64_t cycles, const char *folder, struct ut_error *e);
/* Its traffic is uniform, of that load, and no trace. */
void ut_case_become_uniform(struct ut_case *repro, double load);
/* Random and repeated faults become what they are in the end: components with times.  -1 and *e. */
int ut_case_pin_faults(struct ut_case *repro, struct ut_error *e);
/* The run ends with that cycle, and what would happen behind it is left out. */
void ut_case_end_at(struct ut_case *repro, uint64_t cycles);
/* All that happens from cycle `from` on happens `by` cycles earlier, but not before cycle 0. */
void ut_case_shift(struct ut_case *repro, uint64_t from, uint64_t by);
/* Of the packets, or faults, those alone whose numbers are listed, in ascending order. */
void ut_case_keep_packets(struct ut_case *repro, const size_t *kept, size_t count);
void ut_case_keep_faults(struct ut_case *repro, const size_t *kept, size_t count);

#endif
