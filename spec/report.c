/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the word that a switch reports to its neighbours.  Twins: report_o in rtl/ut_reroute_vector.v and
 * rtl/ut_node_states.v */
#include "reports.h"
#include "steps.h"

uint32_t spec_report(const struct spec_switch *s) {
  const struct spec_node_states *n = &s->nodes;
  const unsigned ports = 2 * spec_dimensions(&s->shape);
  if (UT_ALG_VECTOR(s->shape.route, s->shape.algorithm))
    return (uint32_t)s->reroute.fault << SPEC_REPORT_FAULT | (uint32_t)s->reroute.far << SPEC_REPORT_FAR;
  if (!UT_ALG_STATES(s->shape.route, s->shape.algorithm))
    return 0;
  if (s->shape.cube)
    return (uint32_t)n->unsafe << SPEC_REPORT_BAD;
  return (uint32_t)n->unsafe << SPEC_REPORT_BAD | n->bad << SPEC_REPORT_NEIGHBOURS |
         (uint32_t)n->border << (SPEC_REPORT_NEIGHBOURS + ports);
}
