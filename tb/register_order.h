/* SPDX-License-Identifier: Apache-2.0 */
/* register_order.h - finds which of the differing registers is nearest to the cause.
 *
 * Before the cycle all registers were equal, so every difference after it follows from one cycle of logic, step by step
 * (docs/reference/cycle-contract.md): the decisions of a step follow from registers and from the decisions of the steps
 * before it.  A register belongs to the step that decides its new value.  A differing register of the earliest step has
 * only inputs that are equal, so it could be the first one; the others may follow from it.
 */
#ifndef UT_REGISTER_ORDER_H
#define UT_REGISTER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum ut_register_step {
  UT_STEP_ARRIVE, /* decided by registers and inputs of the switch alone */
  UT_STEP_ROUTE,
  UT_STEP_VC_ALLOCATION,
  UT_STEP_SWITCH_ALLOCATION,
  UT_STEP_TRAVERSE,
  UT_STEP_TRANSMIT,
  UT_STEP_UPDATE,
  UT_STEP_DERIVED, /* decided by new values of other registers */
  UT_STEP_OUTPUT,  /* not a register, but driven by registers */
  UT_REGISTER_STEPS
};
/* "route", "VC allocation", ... */
const char *ut_register_step_name(enum ut_register_step step);

/* A register that differs.  before: the value of both sides before the cycle, if it is known. */
struct ut_register_values {
  uint64_t device, golden, before;
  bool known; /* before is */
};

/* Returns the step that decided a register, given its path (state_map.h).  vc_active: the packet of that input VC owns
 * an output VC now, in the device or in the golden switch. */
enum ut_register_step ut_register_step_of(const char *path, const struct ut_register_values *values, bool vc_active);

/* Writes its path without numbers of ports, VCs and parts: "in2.vc0.cand_q[1]" becomes "in.vc.cand_q"; returns name. */
enum { UT_REGISTER_NAME_SIZE = 64 };
const char *ut_register_name(const char *path, char name[UT_REGISTER_NAME_SIZE]);

/* Returns whether reset does not initialise the register: its value is unknown until a packet writes it. */
bool ut_register_is_payload(const char *path);

#endif
