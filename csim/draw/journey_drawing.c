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
static void note(const struct ut_network *n, const struct ut_hop *h, struct ut_drawn_hop *d) {
  char bits[UT_MAX_PORTS + 1], text[UT_MAX_PORTS + 1];
  const unsigned k = n->group->k;
  const struct ut_rt_words words = ut_rt_words(n->shape);
  if (n->group->form.vector && (h->vector_in | h->vector_out))
    snprintf(d->note, sizeof d->note, "vector %s", ut_vector_text(h->vector_out, k, bits));
  else if (words.title && h->gone && (h->rt_in | h->rt_out))
    snprintf(d->note, sizeof d->note, "%s%s", words.note, ut_rt_text(n->shape, h->rt_out, text, sizeof text));
}

/* Marks the hops around bad nodes, where switches keep states of nodes. */
static bool mark_away(const struct ut_journey *j, const struct ut_network *n, struct ut_drawn_hop *hop, size_t hops) {
  const struct ut_topology *t = &n->topology;
  if (!n->availability.serves)
    return true;
  uint16_t *distance = malloc(t->switches * sizeof *distance);
  const bool ok = distance && ut_distances(t, NULL, ut_topology_attachment(t, j->dst).sw, distance);
  for (size_t i = 0; ok && i < hops; i++) {
    const struct ut_peer *to = &t->peer[(size_t)hop[i].sw * t->po + hop[i].port];
    hop[i].away = to->kind == UT_PEER_SWITCH && distance[to->index] >= distance[hop[i].sw];
  }
  free(distance);
  return ok;
}

int ut_journey_draw(const struct ut_journey *j, const struct ut_network *n, const struct ut_outage *outage,
                    size_t outages, const char *path, struct ut_error *e) {
  char caption[640], place[UT_OUTAGE_NAME_SIZE], network[UT_NETWORK_NAME_SIZE];
  struct ut_drawn_hop *hop = calloc(j->hops + 1, sizeof *hop);
  if (!hop)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the drawing");
  const bool discarded = j->state == UT_JOURNEY_DISCARDED;
  const bool in_switch = j->state == UT_JOURNEY_IN_SWITCH || j->state == UT_JOURNEY_IN_QUEUE ||
                         (discarded && j->where.kind == UT_PLACE_SWITCH);
  struct ut_drawing d = {
      .topology = &n->topology,
      .outage = outage,
      .outages = outages,
      .hop = hop,
      .source = j->src,
      .destination = j->dst,
      .injected = j->headers > 0,
      .injection = j->headers > 0 ? (j->first - n->topology.switches * n->topology.po) % n->topology.injections : 0,
      .end = in_switch ? j->hop[j->hops - 1].sw : UINT32_MAX,
      .end_text = discarded ? "discarded" : "on its way",
      .mark = ut_can_turn(&n->topology) ? "U-turn switch" : "intermediate node",
      .vcs = n->v,
      .state = n->availability.serves ? n->availability.model.state : NULL,
      .caption = caption};
  for (size_t i = 0; i < j->hops; i++) {
    const struct ut_hop *h = &j->hop[i];
    if (!h->gone)
      continue; /* only the last one */
    hop[d.hops++] = (struct ut_drawn_hop){
        .sw = h->sw, .port = h->out_port, .vc = h->out_vc, .marked = ut_hop_u_turn(h) || h->stripped};
    note(n, h, &hop[d.hops - 1]);
  }
  if (!mark_away(j, n, hop, d.hops)) {
    free(hop);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the drawing");
  }
  if (d.hops && discarded && j->where.kind == UT_PLACE_LINK)
    for (size_t i = 0; i < d.hops; i++)
      hop[i].lost |= hop[i].sw == j->where.sw && hop[i].port == j->where.port;
  int length = snprintf(caption, sizeof caption, "%s, %s: packet %u:%u from terminal %u to %u",
                        ut_scenario_network(n->scenario, network), n->scenario->routing.algorithm, (unsigned)j->src,
                        (unsigned)(j->sequence % 256), (unsigned)j->src, (unsigned)j->dst);
  char *more = caption + length;
  size_t size = sizeof caption - (size_t)length;
  if (j->state == UT_JOURNEY_DELIVERED)
    snprintf(more, size, "\ndelivered in cycle %" PRIu64 ", %" PRIu64 " cycles after its generation", j->ended,
             j->ended - j->generated);
  else if (discarded)
    snprintf(more, size, "\ndiscarded in cycle %" PRIu64 ": %s%s%s", j->ended, ut_discard_name(j->reason),
             j->where.kind == UT_PLACE_NONE ? "" : ", ", ut_place_text(&n->topology, &j->where, place));
  else
    snprintf(more, size, "\non its way in cycle %" PRIu64, n->cycle);
  int status = ut_drawing_svg(&d, path, e);
  free(hop);
  return status;
}
