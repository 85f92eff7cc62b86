/* SPDX-License-Identifier: Apache-2.0 */
/* numbering_fattree.c - see numbering.h: the numbers of the deterministic algorithms of REROUTE. */
#include "numbering.h"

enum numbering { NOT_NUMBERED, LINK_NUMBERS, SWITCH_NUMBERS };

/* The deterministic algorithms of REROUTE, with all the virtual layers that the paper gives them. */
static enum numbering numbering_of(const struct ut_explorer *explorer) {
  const struct ut_shape *shape = &explorer->group[0].shape;
  bool det_link = (shape->route == UT_ROUTE_FATTREE && shape->algorithm == UT_FATTREE_REROUTE_DET_LINK) ||
                  (shape->route == UT_ROUTE_TABLE && shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK);
  if (det_link && explorer->layers == 2)
    return LINK_NUMBERS;
  if (shape->route == UT_ROUTE_FATTREE && shape->algorithm == UT_FATTREE_REROUTE_DET_SWITCH)
    return SWITCH_NUMBERS;
  return NOT_NUMBERED;
}

bool ut_channels_numbered(const struct ut_explorer *explorer) {
  return numbering_of(explorer) != NOT_NUMBERED;
}

/* REROUTE section VI.C (two layers: NL, ML), appendix E (three: NL, ML1, ML2); D is the order of the port numbers.  s:
 * link tier, the tier of the link's upper switch, 0 = links of the roots; i: index in D of the up port at the link's
 * lower end. */
int64_t ut_channel_number(const struct ut_explorer *explorer, uint32_t channel) {
  const struct ut_channel *chan = &explorer->channel[channel];
  const struct ut_topology *topo = explorer->topology;
  enum numbering kind = numbering_of(explorer);
  const struct ut_peer from = ut_explorer_feeder(explorer, chan->sw, chan->port);
  if (kind == NOT_NUMBERED || from.kind != UT_PEER_SWITCH)
    return -1;
  bool up = !chan->from_above;
  uint32_t lower = up ? from.index : chan->sw;
  unsigned lower_port = up ? from.port : chan->port;
  int64_t n = topo->levels, k = explorer->k, level = topo->level[lower], s = n - 2 - level, i = lower_port - k;
  int64_t step = kind == LINK_NUMBERS ? 2 * k + 1 : 4 * k + 1;
  int64_t normal_down = n - 1 + s * step; /* rules 2, 3: of this tier; all of the next tier are higher */
  switch (chan->layer) {
  case 0: return up ? level : normal_down; /* rules 1, 2, 3 */
  case 1:                                  /* rule 4 */
    if (kind == LINK_NUMBERS)
      return normal_down + 2 * i + (up ? 1 : 2);
    return normal_down + 4 * i + (up ? 1 : 4);
  default: { /* rule 5: above the ML1 channels that come up to the lower switch; they all have one number, because that
                switch is at the same up port of all switches below it */
    if (level == 0)
      return -1; /* no channel comes up to a leaf switch */
    const struct ut_peer *below = &topo->peer[(size_t)lower * topo->po];
    int64_t ml1_up = normal_down + step + 4 * (int64_t)(below->port - k) + 1;
    return ml1_up + (up ? 1 : 2);
  }
  }
}
