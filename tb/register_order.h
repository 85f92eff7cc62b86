/* SPDX-License-Identifier: Apache-2.0 */
/* register_order.h - which of the registers that differ is nearest to the cause.
 *
 * Before the cycle all registers were equal.  So what differs behind it follows from one cycle of logic, step by step
 * (docs/reference/cycle-contract.md): the decision of a step follows from registers and from the decisions of the steps
 * before it. A register is of the step that decides its new value.  So one of the earliest step among those that differ
 * has only inputs that are equal, and could be the first; the others may follow from it.
 */
#ifndef UT_REGISTER_ORDER_H
#define UT_REGISTER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum ut_register_step {
  UT_STEP_ARRIVE, /* from registers and inputs of the switch alone */
  UT_STEP_ROUTE,
  UT_STEP_VC_ALLOCATION,
  UT_STEP_SWITCH_ALLOCATION,
  UT_STEP_TRAVERSE,
  UT_STEP_TRANSMIT,
  UT_STEP_UPDATE,
  UT_STEP_DERIVED, /* from new values of other registers */
  UT_STEP_OUTPUT,  /* no register: what registers drive */
  UT_REGISTER_STEPS
};
/* "route", "VC allocation", ... */
const char *ut_register_step_name(enum ut_register_step step);

/* A register that differs.  before: what both held before the cycle, where that is known. */
struct ut_register_values {
  uint64_t device, golden, before;
  bool known; /* before is */
};

/* The step that decided it, of a register by its path (state_map.h).  vc_active: the packet of that input VC owns an
 * output VC now, in the device or in the golden switch. */
enum ut_register_step ut_register_step_of(const char *path, const struct ut_register_values *values, bool vc_active);

/* Its path without numbers of ports, VCs and parts: "in2.vc0.cand_q[1]" becomes "in.vc.cand_q"; returns name. */
enum { UT_REGISTER_NAME_SIZE = 64 };
const char *ut_register_name(const char *path, char name[UT_REGISTER_NAME_SIZE]);

/* A reset leaves it alone: what it held before a packet wrote it nobody knows. */
bool ut_register_is_payload(const char *path);

#endif
