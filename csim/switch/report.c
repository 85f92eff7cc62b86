/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the report of a switch to its neighbours: see switch.h.  Twin: spec/report.c */
#include "switch.h"

#include "node_states.h"
#include "reroute_vector.h"

uint32_t ut_switch_report(const struct ut_group *group, const struct ut_switch *sw) {
  if (group->form.states)
    return ut_node_states_report(group, ut_node_states_of(group, sw));
  return (uint32_t)sw->fault << UT_REPORT_FAULT | (uint32_t)sw->far << UT_REPORT_FAR;
}
