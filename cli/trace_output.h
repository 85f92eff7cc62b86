/* SPDX-License-Identifier: Apache-2.0 */
/* trace_output.h - what `uturn trace` prints of a journey. */
#ifndef UT_TRACE_OUTPUT_H
#define UT_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "journey.h"
#include "outages.h"

struct ut_trace_report {
  const struct ut_network *network; /* at the end of the run */
  const struct ut_journey *journey;
  const char *choice; /* why this packet: "given", "first_u_turn", "first_planned", "first_injected" */
  const struct ut_outage *outage;
  size_t outages; /* those that the packet lived through */
  bool deadlock;
};

void ut_trace_print(const struct ut_trace_report *report, bool json);

#endif
