/* SPDX-License-Identifier: Apache-2.0 */
/* rt_text_fattree.c - the port field of REROUTE, its bit for one fault and the misroute vector of MISROUTE in words. */
#include <stdio.h>

#include "algorithms.h"
#include "journey.h"
#include "rt_text.h"

static bool is_vector(const struct ut_shape *shape) {
  return shape->algorithm == UT_FATTREE_MISROUTE_HEADER;
}

static bool is_tier(const struct ut_shape *shape) {
  return shape->algorithm == UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT ||
         shape->algorithm == UT_FATTREE_REROUTE_ADAPTIVE_SWITCH_ONE_FAULT;
}

struct ut_rt_words ut_rt_words_fattree(const struct ut_shape *shape) {
  if (is_tier(shape))
    return (struct ut_rt_words){"tier", ""};
  return is_vector(shape) ? (struct ut_rt_words){"misroute vector", "header "} : (struct ut_rt_words){"port field", ""};
}

/* The port field as REROUTE numbers it: "field -1", "field -2", or the down port; of its bit the tier down which the
 * packet is misrouted. */
void ut_rt_text_fattree(const struct ut_shape *shape, uint32_t rt, char *text, size_t size) {
  char bits[UT_MAX_PORTS + 1];
  const unsigned field = ut_rt_port_port(rt), k = shape->po / 2;
  if (is_vector(shape))
    snprintf(text, size, "%s", ut_vector_text((ut_mask)rt << k, k, bits));
  else if (is_tier(shape))
    snprintf(text, size, "%s", ut_rt_tier_second(rt) ? "second tier" : "first tier");
  else if (field >= UT_PORT_FIELD_FIRST)
    snprintf(text, size, "field %u", field - UT_PORT_FIELD_FIRST);
  else
    snprintf(text, size, "field %d", field == UT_PORT_FIELD_TURN ? -2 : -1);
}
