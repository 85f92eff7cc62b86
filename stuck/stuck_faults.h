/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_faults.h - every net of a netlist stuck at 0 and at 1: the faults, and which of them cannot be distinguished.
 *
 * The clock is left out, and so are nets without a driver.  Two faults are one class if a cell shows that: its input,
 * which has no other reader, stuck at a value that fixes its output, is equivalent to the output stuck.
 */
#ifndef UT_STUCK_FAULTS_H
#define UT_STUCK_FAULTS_H

#include <signal.h>

#include "blocks.h"
#include "circuit.h"

enum { UT_STUCK_SCENARIOS = 64 }; /* at most: a bit each */

enum ut_stuck_verdict {
  UT_STUCK_OPEN,        /* not seen so far */
  UT_STUCK_DETECTED,    /* seen in the run */
  UT_STUCK_TESTABLE,    /* not seen in the run; some state and inputs would show it, whether or not they can occur */
  UT_STUCK_UNTESTABLE,  /* no state and no inputs show it */
  UT_STUCK_UNREACHABLE, /* no state that a switch can reach shows it, with inputs that it can get */
  UT_STUCK_VERDICTS
};

/* Who waits for proofs, and may not want them any more. */
struct ut_stuck_caller {
  const volatile sig_atomic_t *interrupted;
  void (*progress)(void *ctx, const char *what, uint64_t done, uint64_t of); /* of 0: nobody knows; or NULL */
  void *ctx;
};
/* Says how far they are (what NULL: nothing).  false: interrupted.  c NULL: nobody waits, go on. */
static inline bool ut_stuck_caller_waits(const struct ut_stuck_caller *caller, const char *what, uint64_t done,
                                         uint64_t of) {
  if (caller && caller->progress && what)
    caller->progress(caller->ctx, what, done, of);
  return !caller || !caller->interrupted || !*caller->interrupted;
}

/* Fault 2 * net + value. */
struct ut_stuck_faults {
  const struct ut_circuit *circuit;
  uint32_t *driver; /* [nets]: gate; UINT32_MAX: an input of the module, or nothing */
  uint32_t *class;  /* [2 * nets]: the fault that stands for it; UINT32_MAX: there is no such fault */
  uint8_t *verdict; /* [2 * nets]: of faults that stand for others; enum ut_stuck_verdict */
  uint64_t *by;     /* [2 * nets]: of these, scenarios that have shown it */
  bool *chosen;     /* [2 * nets]: looked at; all of them, or a sample */
  bool *shown;      /* [ops]: a difference there is observed: outputs, next and present values of flip-flops */
  bool *settled;    /* [ops]: observed during reset, too: what flip-flops held before it does not matter there */
  uint32_t reset;   /* operation of the input rst_i; UT_OP_ZERO: there is none */
  size_t faults, classes;
};

/* The circuit must have been read with its nets, from that library, and outlive the faults.  Returns 0, or -1 after
 * filling *e; free in both cases. */
int ut_stuck_faults_make(struct ut_stuck_faults *faults, const struct ut_circuit *circuit,
                         const struct ut_liberty *liberty, struct ut_error *e);
void ut_stuck_faults_free(struct ut_stuck_faults *faults);

/* Keeps only that many of the faults, chosen at random. */
void ut_stuck_faults_sample(struct ut_stuck_faults *faults, size_t count, uint64_t seed);

/* To be called between two scenarios: records the faults that the last one has shown, and opens them again for the next
 * one. After the last scenario: the faults that any has shown are detected. */
void ut_stuck_faults_note(struct ut_stuck_faults *faults, unsigned scenario);
void ut_stuck_faults_conclude(struct ut_stuck_faults *faults);
/* Chosen faults that a scenario shows, of them those that none before it shows, and that no other one does. */
struct ut_stuck_share {
  uint64_t detected, adds, only;
};
struct ut_stuck_share ut_stuck_faults_share(const struct ut_stuck_faults *faults, unsigned scenario);

/* The classes of chosen faults that are open, in list[], where there is room for all classes; returns how many. */
size_t ut_stuck_faults_open(const struct ut_stuck_faults *faults, uint32_t *list);

/* The classes of chosen faults that have this verdict. */
size_t ut_stuck_faults_list(const struct ut_stuck_faults *faults, enum ut_stuck_verdict verdict, uint32_t *list);

/* Returns the verdict on a fault. */
static inline enum ut_stuck_verdict ut_stuck_verdict_of(const struct ut_stuck_faults *faults, size_t fault) {
  return (enum ut_stuck_verdict)faults->verdict[faults->class[fault]];
}

/* How many of the chosen faults, by block; the last two are the rest, and inputs of the switch. */
enum { UT_STUCK_INPUTS = UT_BLOCKS + 1, UT_STUCK_PARTS };
struct ut_stuck_count {
  uint64_t faults, of[UT_STUCK_VERDICTS];
};
void ut_stuck_faults_count(const struct ut_stuck_faults *faults, struct ut_stuck_count part[UT_STUCK_PARTS]);
/* The part that its net's driver belongs to. */
int ut_stuck_part_of(const struct ut_stuck_faults *faults, size_t fault);

#endif
