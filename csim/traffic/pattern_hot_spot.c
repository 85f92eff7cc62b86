/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_hot_spot.c - hot spot: a packet goes to one of a few terminals with a given probability, otherwise to any
 * other. */
#include "pattern.h"
#include "scenario.h"
#include "scenario_refusal.h"
#include "traffic_draw.h"

static int check(const struct ut_check *checker, uint32_t terminals) {
  if (ut_check_given(checker, "traffic.hot_spots") && ut_check_given(checker, "traffic.hot_spot_node"))
    return ut_impossible(checker, "traffic.hot_spot_node", "leave it away",
                         "'traffic.hot_spots' and 'traffic.hot_spot_node' exclude each other");
  const double fraction = checker->s->traffic.hot_spot_fraction;
  if (!(fraction >= 0 && fraction <= 1))
    return ut_impossible(checker, "traffic.hot_spot_fraction", NULL,
                         "'traffic.hot_spot_fraction' is %.15g, must be 0..1", fraction);
  const struct ut_list *spots = &checker->s->traffic.hot_spots;
  for (unsigned i = 0; i < spots->count; i++)
    if (spots->value[i] >= terminals)
      return ut_impossible(checker, ut_check_blamed(checker, "traffic.hot_spots", "traffic.hot_spot_node"), NULL,
                           "terminal %u does not exist, this network has 0..%u", spots->value[i],
                           (unsigned)terminals - 1);
  return 0;
}

static bool is_hot(const struct ut_traffic *traffic, uint32_t terminal) {
  for (unsigned i = 0; i < traffic->hot_spots.count; i++)
    if (traffic->hot_spots.value[i] == terminal)
      return true;
  return false;
}

static uint16_t draw(const struct ut_traffic *traffic, struct ut_traffic_source *source, uint32_t bits) {
  if (is_hot(traffic, source->terminal))
    return ut_traffic_any_other(traffic, source, bits);
  const double unit = ut_random_unit(&source->random);
  if (unit > traffic->hot_spot_fraction)
    return ut_traffic_any_other(traffic, source, bits);
  const unsigned count = traffic->hot_spots.count, which = (unsigned)(unit / traffic->hot_spot_fraction * count);
  return (uint16_t)traffic->hot_spots.value[which < count ? which : count - 1];
}

const struct ut_pattern ut_pattern_hot_spot = {
    .name = "hot_spot",
    .summary = "with the given probability one of the hot spots, else uniform; a hot spot itself sends uniformly",
    .keys = {"traffic.hot_spot_fraction", "traffic.hot_spot_node", "traffic.hot_spots"},
    .check = check,
    .draw = draw,
};
