/* SPDX-License-Identifier: Apache-2.0 */
/* journey_drawing.c - see journey_drawing.h */
#include "journey_drawing.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "distance.h"
#include "drawing.h"
#include "rt_text.h"
#include "scenario_switches.h"
#include "ways.h"

/* What to write into the switch: what the U-turns of the packet have left there, or in its header. */
static void note(const struct ut_network *net, const struct ut_hop *step, struct ut_drawn_hop *hop) {
  char bits[UT_MAX_PORTS + 1], text[UT_MAX_PORTS + 1];
  const unsigned k = net->group->k;
  const struct ut_rt_words words = ut_rt_words(net->shape);
  if (net->group->form.vector && (step->vector_in | step->vector_out))
    snprintf(hop->note, sizeof hop->note, "vector %s", ut_vector_text(step->vector_out, k, bits));
  else if (words.title && step->gone && (step->rt_in | step->rt_out))
    snprintf(hop->note, sizeof hop->note, "%s%s", words.note, ut_rt_text(net->shape, step->rt_out, text, sizeof text));
}

/* Marks the hops around bad nodes, where switches keep states of nodes. */
static bool mark_away(const struct ut_journey *journey, const struct ut_network *net, struct ut_drawn_hop *hop,
                      size_t hops) {
  const struct ut_topology *topo = net->topology;
  if (!net->availability.serves)
    return true;
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  const bool ok = distance && ut_distances(topo, NULL, ut_topology_attachment(topo, journey->dst).sw, distance);
  for (size_t i = 0; ok && i < hops; i++) {
    const struct ut_peer *to = &topo->peer[(size_t)hop[i].sw * topo->po + hop[i].port];
    hop[i].away = to->kind == UT_PEER_SWITCH && distance[to->index] >= distance[hop[i].sw];
  }
  free(distance);
  return ok;
}

int ut_journey_draw(const struct ut_journey *journey, const struct ut_network *net, const struct ut_outage *outage,
                    size_t outages, const char *path, struct ut_error *e) {
  char caption[640], place[UT_OUTAGE_NAME_SIZE], network[UT_NETWORK_NAME_SIZE];
  struct ut_drawn_hop *hop = calloc(journey->hops + 1, sizeof *hop);
  if (!hop)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the drawing");
  const bool discarded = journey->state == UT_JOURNEY_DISCARDED;
  const bool in_switch = journey->state == UT_JOURNEY_IN_SWITCH || journey->state == UT_JOURNEY_IN_QUEUE ||
                         (discarded && journey->where.kind == UT_PLACE_SWITCH);
  struct ut_drawing drawing = {.topology = net->topology,
                               .outage = outage,
                               .outages = outages,
                               .hop = hop,
                               .source = journey->src,
                               .destination = journey->dst,
                               .injected = journey->headers > 0,
                               .injection = journey->headers > 0
                                                ? (journey->first - net->topology->switches * net->topology->po) %
                                                      net->topology->injections
                                                : 0,
                               .end = in_switch ? journey->hop[journey->hops - 1].sw : UINT32_MAX,
                               .end_text = discarded ? "discarded" : "on its way",
                               .mark = ut_can_turn(net->topology) ? "U-turn switch" : "intermediate node",
                               .vcs = net->v,
                               .state = net->availability.serves ? net->availability.model.state : NULL,
                               .caption = caption};
  for (size_t i = 0; i < journey->hops; i++) {
    const struct ut_hop *step = &journey->hop[i];
    if (!step->gone)
      continue; /* only the last one */
    hop[drawing.hops++] = (struct ut_drawn_hop){
        .sw = step->sw, .port = step->out_port, .vc = step->out_vc, .marked = ut_hop_u_turn(step) || step->stripped};
    note(net, step, &hop[drawing.hops - 1]);
  }
  if (!mark_away(journey, net, hop, drawing.hops)) {
    free(hop);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the drawing");
  }
  if (drawing.hops && discarded && journey->where.kind == UT_PLACE_LINK)
    for (size_t i = 0; i < drawing.hops; i++)
      hop[i].lost |= hop[i].sw == journey->where.sw && hop[i].port == journey->where.port;
  int length = snprintf(caption, sizeof caption, "%s, %s: packet %u:%u from terminal %u to %u",
                        ut_scenario_network(net->scenario, network), ut_scenario_algorithm(net->scenario)->name,
                        (unsigned)journey->src, (unsigned)(journey->sequence % 256), (unsigned)journey->src,
                        (unsigned)journey->dst);
  char *more = caption + length;
  size_t size = sizeof caption - (size_t)length;
  if (journey->state == UT_JOURNEY_DELIVERED)
    snprintf(more, size, "\ndelivered in cycle %" PRIu64 ", %" PRIu64 " cycles after its generation", journey->ended,
             journey->ended - journey->generated);
  else if (discarded)
    snprintf(more, size, "\ndiscarded in cycle %" PRIu64 ": %s%s%s", journey->ended, ut_discard_name(journey->reason),
             journey->where.kind == UT_PLACE_NONE ? "" : ", ", ut_place_text(net->topology, &journey->where, place));
  else
    snprintf(more, size, "\non its way in cycle %" PRIu64, net->cycle);
  int status = ut_drawing_svg(&drawing, path, e);
  free(hop);
  return status;
}
