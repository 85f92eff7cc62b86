/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep_view.c - both sides of a switch in lockstep, register by register: see lockstep.h */
#include "lockstep.h"

#include "rtl.h"

bool ut_lockstep_see(const struct ut_lockstep *l, struct ut_register_view *v) {
  ut_register_view_begin(v);
  ut_rtl_api(l->dut, v->sw)
      ->registers(l->dut->model[v->sw], ut_network_group(&l->golden, v->sw), ut_network_switch(&l->golden, v->sw),
                  ut_register_view_tell, v);
  return ut_register_view_end(v);
}
