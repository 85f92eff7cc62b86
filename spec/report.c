/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the word that a switch reports to its neighbours.  Twins: report_o in rtl/ut_reroute_vector.v and
 * rtl/ut_node_states.v */
#include "reports.h"
#include "steps.h"

uint32_t spec_report(const struct spec_switch *sw) {
  const struct spec_node_states *states = &sw->nodes;
  const unsigned ports = 2 * spec_dimensions(&sw->shape);
  if (UT_ALG_VECTOR(sw->shape.route, sw->shape.algorithm))
    return (uint32_t)sw->reroute.fault << SPEC_REPORT_FAULT | (uint32_t)sw->reroute.far << SPEC_REPORT_FAR;
  if (!UT_ALG_STATES(sw->shape.route, sw->shape.algorithm))
    return 0;
  if (sw->shape.cube)
    return (uint32_t)states->unsafe << SPEC_REPORT_BAD;
  return (uint32_t)states->unsafe << SPEC_REPORT_BAD | (uint32_t)states->bad << SPEC_REPORT_NEIGHBOURS |
         (uint32_t)states->border << (SPEC_REPORT_NEIGHBOURS + ports);
}
