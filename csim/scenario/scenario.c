/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.c - see scenario.h */
#include "scenario.h"

struct ut_length_rule ut_scenario_lengths(const struct ut_scenario *s) {
  return (struct ut_length_rule){.kind = s->sw.distribution,
                                 .min = s->sw.shortest_packet_flits,
                                 .max = s->sw.packet_flits,
                                 .mean = s->sw.mean_flits,
                                 .long_fraction = s->sw.long_fraction};
}

bool ut_scenario_planned(const struct ut_scenario *s) {
  return s->routing.intermediate || s->routing.deterministic || s->routing.misroute;
}
