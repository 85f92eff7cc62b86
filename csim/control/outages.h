/* SPDX-License-Identifier: Apache-2.0 */
/* outages.h - the scenario's faults as a list of components that are down, each with its cycles. */
#ifndef UT_OUTAGES_H
#define UT_OUTAGES_H

#include "faults.h"

/* A component is out of order in cycles from..until-1; until UINT64_MAX: for ever. */
struct ut_outage {
  uint64_t from, until;
  uint32_t sw;
  uint32_t channel; /* as in struct ut_component */
  uint8_t port;     /* of a link: at its lower end, or at the switch of a terminal; 0 for a switch */
  uint8_t kind;     /* UT_FAULT_LINK or UT_FAULT_SWITCH */
  bool both;
};

/* The outages that touch cycles first..last, in order of their start; faults of one component that overlap are one.
 * The list is the caller's to free, NULL if it is empty.  false: out of memory. */
bool ut_outages_find(const struct ut_faults *faults, uint64_t first, uint64_t last, struct ut_outage **list,
                     size_t *count);

enum { UT_OUTAGE_NAME_SIZE = 192 };
/* Writes "link 0.1-1.3", "link 0.1-terminal 2" or "switch 1.3" into text and returns text; in a grid "link 0.1-0.2, +x
 * of (1,0)" and "switch 0.1 (1,0)"; with parallel links "link 0.1-1.3, port 2". ut_fault_read() reads them again. */
const char *ut_outage_name(const struct ut_topology *topo, const struct ut_outage *outage,
                           char text[UT_OUTAGE_NAME_SIZE]);

#endif
