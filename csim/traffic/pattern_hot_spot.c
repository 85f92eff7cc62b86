/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_hot_spot.c - hot spot: a packet goes to one terminal with a given probability, otherwise to any other. */
#include "pattern.h"
#include "scenario.h"
#include "scenario_refusal.h"
#include "traffic_draw.h"

static int check(const struct ut_check *checker, uint32_t terminals) {
  const double fraction = checker->s->traffic.hot_spot_fraction;
  if (!(fraction >= 0 && fraction <= 1))
    return ut_impossible(checker, "traffic.hot_spot_fraction", NULL,
                         "'traffic.hot_spot_fraction' is %.15g, must be 0..1", fraction);
  if (checker->s->traffic.hot_spot_node >= terminals)
    return ut_impossible(checker, "traffic.hot_spot_node", NULL, "terminal %u does not exist, this network has 0..%u",
                         checker->s->traffic.hot_spot_node, (unsigned)terminals - 1);
  return 0;
}

static uint16_t draw(const struct ut_traffic *traffic, struct ut_traffic_source *source, uint32_t bits) {
  if (source->terminal != traffic->hot_spot_node && ut_random_unit(&source->random) <= traffic->hot_spot_fraction)
    return (uint16_t)traffic->hot_spot_node;
  return ut_traffic_any_other(traffic, source, bits);
}

const struct ut_pattern ut_pattern_hot_spot = {
    .name = "hot_spot",
    .summary = "with the given probability the hot spot, else uniform; the hot spot itself sends uniformly",
    .keys = {"traffic.hot_spot_fraction", "traffic.hot_spot_node"},
    .check = check,
    .draw = draw,
};
