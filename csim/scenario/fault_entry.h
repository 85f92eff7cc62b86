/* SPDX-License-Identifier: Apache-2.0 */
/* fault_entry.h - an entry of a scenario's `faults:`, what fails and when (docs/reference/scenario.md). */
#ifndef UT_FAULT_ENTRY_H
#define UT_FAULT_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

enum ut_fault_kind {
  UT_FAULT_LINK,
  UT_FAULT_SWITCH,
  UT_FAULT_INJECTION, /* a terminal's link into the network */
  UT_FAULT_EJECTION,  /* a terminal's link from the network */
  UT_FAULT_RANDOM_LINKS,
  UT_FAULT_RANDOM_SWITCHES,
  UT_FAULT_RANDOM_TERMINAL_LINKS,
  UT_FAULT_RANDOM_SUBCUBE, /* of a hypercube: every other node of it */
};
/* Of a link with two directions: both, what leaves the named switch through the named port, what arrives there. */
enum ut_direction { UT_DIRECTION_BOTH, UT_DIRECTION_OUT, UT_DIRECTION_IN };

enum { UT_NO_DIMENSION = 0xff };

/* One entry of `faults:`.  until_cycle = UINT64_MAX: permanent.  It happens `times` times, `every_cycles` apart; random
 * components are drawn anew each time. */
struct ut_fault {
  enum ut_fault_kind kind;
  uint64_t at_cycle, until_cycle, every_cycles;
  unsigned times;
  unsigned level, index, port; /* UT_FAULT_LINK: the link at `port` of that switch; UT_FAULT_SWITCH: level and index */
  enum ut_direction direction; /* UT_FAULT_LINK, UT_FAULT_RANDOM_LINKS: out, of one of its two switches */
  unsigned terminal, link;     /* UT_FAULT_INJECTION, _EJECTION */
  unsigned count;              /* UT_FAULT_RANDOM_*; of a subcube its dimensions */
  unsigned apart;              /* UT_FAULT_RANDOM_SWITCHES: at least so many hops in some dimension of a grid; 0: any */
  unsigned half_of;            /* UT_FAULT_RANDOM_SUBCUBE: it does not extend in this dimension; UT_NO_DIMENSION: any */
  unsigned line;               /* of the scenario file, for messages */
};

static inline bool ut_fault_is_of_switches(enum ut_fault_kind kind) {
  return kind == UT_FAULT_SWITCH || kind == UT_FAULT_RANDOM_SWITCHES || kind == UT_FAULT_RANDOM_SUBCUBE;
}

#endif
