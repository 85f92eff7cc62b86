/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep_view.c - both sides of a switch in lockstep, register by register: see lockstep.h */
#include "lockstep.h"

#include "rtl.h"

bool ut_lockstep_see(const struct ut_lockstep *lockstep, struct ut_register_view *view) {
  ut_register_view_begin(view);
  ut_rtl_api(lockstep->dut, view->sw)
      ->registers(lockstep->dut->model[view->sw], ut_network_group(&lockstep->golden, view->sw),
                  ut_network_switch(&lockstep->golden, view->sw), ut_register_view_tell, view);
  return ut_register_view_end(view);
}
