/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - what a switch tells its neighbours: see switch.h.  Twin: spec/report.c */
#include "switch.h"

#include "node_states.h"
#include "reroute_vector.h"

uint32_t ut_switch_report(const struct ut_group *g, const struct ut_switch *s) {
  if (g->form.states)
    return ut_node_states_report(g, ut_node_states_of(g, s));
  return (uint32_t)s->fault << UT_REPORT_FAULT | (uint32_t)s->far << UT_REPORT_FAR;
}
