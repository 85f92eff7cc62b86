/* SPDX-License-Identifier: Apache-2.0 */
/* run_warnings.h - warnings that a reader of a run's results needs before the figures: cases in which the figures
 * mislead. */
#ifndef UT_RUN_WARNINGS_H
#define UT_RUN_WARNINGS_H

#include "network.h"
#include "stability.h"

enum ut_run_warning {
  UT_WARNING_SATURATED,  /* the load is not sustained: a mean latency depends on the length of the run */
  UT_WARNING_NO_ANSWER,  /* something has failed, and nothing in this network routes around faults */
  UT_WARNING_NO_PACKETS, /* no packet that was generated in the measurement window has arrived */
  UT_RUN_WARNINGS
};
/* "saturated", "no_answer_to_faults", "no_packets_measured" */
extern const char *const ut_run_warning_name[UT_RUN_WARNINGS];

/* What each means for the figures of several runs, as a sentence. */
extern const char *const ut_run_warning_meaning[UT_RUN_WARNINGS];

/* Whether it applies; then `text` is a sentence. */
enum { UT_WARNING_SIZE = 256 };
bool ut_run_warns(enum ut_run_warning which, const struct ut_network *net, const struct ut_stability_verdict *verdict,
                  char text[UT_WARNING_SIZE]);

#endif
