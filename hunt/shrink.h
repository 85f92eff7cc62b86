/* SPDX-License-Identifier: Apache-2.0 */
/* shrink.h - finds a smaller scenario that fails in the same way: `uturn cosim --shrink`.
 *
 * A scenario that ends in a mismatch of lockstep is made smaller: fewer switches, packets (as a trace), faults and
 * cycles; fewer VCs, shallower buffers, keys at their defaults.  Lockstep is the oracle: a smaller scenario counts if
 * it fails, too, in the same register class.  The class is the register at the top of the report, the one nearest to
 * the cause (tb/register_order.h), without switch and without numbers: "in.vc.state_q" for in2.vc0.state_q of switch
 * 1.3.  If no register differs, but packets are missing from the accounts, it is "accounts".
 *
 * Runs within one elaboration of the RTL take milliseconds; another elaboration must be compiled first, which takes
 * some ten seconds.  So packets, faults and cycles are reduced first, by delta debugging (ddmin.h).  Then smaller
 * networks are tried, with random traffic and faults, because the old packets do not fit; what fails there is reduced
 * again.  Keys of the switch that need another elaboration come last, one by one.
 *
 * The order of the attempts does not depend on the clock: the result is reproducible unless the time ends the search.
 */
#ifndef UT_SHRINK_H
#define UT_SHRINK_H

#include <signal.h>

#include "model_source.h"
#include "register_order.h"
#include "traffic.h"

struct ut_shrink_request {
  const struct ut_scenario *scenario; /* with all changes by options */
  struct ut_model_source models;
  bool spec;                                     /* the golden switches are the spec's, not the model's */
  double budget_s;                               /* limit on wall-clock time, from the first mismatch on */
  const volatile sig_atomic_t *stop;             /* or NULL: ends the search when it becomes non-zero */
  void (*progress)(void *ctx, const char *line); /* or NULL */
  void *ctx;
};

struct ut_shrink_size {
  unsigned switches;
  uint64_t packets; /* packets generated until the mismatch */
  uint64_t cycles;  /* cycles until the mismatch */
  size_t faults;
};

/* "4 switches, 3 packets, 1 fault, 61 cycles"; returns text. */
enum { UT_SHRINK_SIZE_TEXT = 128 };
const char *ut_shrink_size_text(const struct ut_shrink_size *size, char text[UT_SHRINK_SIZE_TEXT]);

/* The place of a run's failure. */
struct ut_failure {
  uint64_t cycle;
  char where[UT_SWITCH_NAME_SIZE];            /* the switch; "" if the accounts are wrong */
  char register_path[64];                     /* the register at the top of the report */
  char register_class[UT_REGISTER_NAME_SIZE]; /* as above */
  uint64_t device, golden;                    /* what it holds */
};

enum ut_shrink_end {
  UT_SHRINK_COMPLETE,    /* no known step makes it smaller */
  UT_SHRINK_OUT_OF_TIME, /* the time has ended the search */
  UT_SHRINK_STOPPED,
};

struct ut_shrink_result {
  bool fails; /* false: the scenario passes, and the other members are not set */
  enum ut_shrink_end end;
  struct ut_failure first, last; /* of the scenario, of the smaller one */
  struct ut_shrink_size before, after;
  struct ut_scenario *scenario; /* the smaller one; has the packets as its trace: */
  struct ut_trace_entry *packet;
  size_t packets;
  bool traced; /* false: packets of its own pattern, because it does not fail with a trace */
  unsigned runs, models;
  double seconds; /* from the first mismatch on */
};

/* Returns 0, or -1 and fills *e: no model could be built, the process of a run has died, or it was interrupted before
 * there was a mismatch.  To be freed in both cases. */
int ut_shrink(const struct ut_shrink_request *request, struct ut_shrink_result *result, struct ut_error *e);
void ut_shrink_free(struct ut_shrink_result *result);

/* Checks that PREFIX.yaml and PREFIX.trace may be written: they do not exist, or ut_shrink_write() has written them.
 * Returns -1 and fills *e (UT_BAD_INPUT) if not. */
int ut_shrink_check_files(const char *prefix, struct ut_error *e);
/* Writes both files, the trace only if there is one.  command: the command that shows the mismatch, for a comment.
 * Returns -1 and fills *e on failure. */
int ut_shrink_write(struct ut_shrink_result *result, const char *prefix, const char *command, struct ut_error *e);

#endif
