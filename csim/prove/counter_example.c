/* SPDX-License-Identifier: Apache-2.0 */
/* counter_example.c - see counter_example.h: the part that all methods of proof share. */
#include "counter_example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "fault_entry.h"
#include "journey.h"
#include "method.h"
#include "mixture.h"

void ut_counter_example_free(struct ut_counter_example *example) {
  free(example->step);
  free(example->more);
  example->step = example->more = NULL;
  example->steps = example->mores = 0;
}

int ut_counter_example_find(struct ut_counter_example *example, struct ut_prover *prover,
                            const struct ut_fault_space *space, uint64_t index, enum ut_failure kind,
                            struct ut_error *e) {
  struct ut_verdict again;
  *example = (struct ut_counter_example){.kind = kind, .index = index};
  ut_fault_space_get(space, index, &example->set);
  if (ut_prover_examine(prover, &example->set, &again, e))
    return -1;
  if (prover->method->example(prover, example))
    return 0;
  ut_counter_example_free(example);
  if (prover->explorer.bad_memory)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  return ut_fail(e, UT_INTERNAL, "fault set %llu: no %s is found the second time", (unsigned long long)index,
                 ut_failure_name[kind]);
}

bool ut_counter_example_cycle(struct ut_counter_example *example, const uint32_t *cycle, size_t length,
                              ut_find_packet *find, void *ctx) {
  example->step = length ? calloc(length, sizeof *example->step) : NULL;
  bool good = example->step != NULL;
  for (size_t i = 0; good && i < length; i++)
    good = find(ctx, cycle[i], cycle[(i + 1) % length], &example->step[i]);
  example->steps = good ? length : 0;
  return good;
}

unsigned ut_counter_example_hops(const struct ut_counter_example *example, const struct ut_topology *topo) {
  unsigned hops = 0;
  for (size_t i = 0; i < example->steps; i++)
    hops += example->step[i].leaves &&
            topo->peer[(size_t)example->step[i].sw * topo->po + example->step[i].out_port].kind == UT_PEER_SWITCH;
  return hops;
}

const char *ut_counter_example_title(enum ut_failure kind) {
  static const char *const title[UT_FAILURES + 1] = {"a packet is discarded",
                                                     "a packet arrives at the wrong terminal",
                                                     "a packet goes round for ever",
                                                     "channels wait for each other",
                                                     "a hop to a channel without a higher number",
                                                     "a packet is offered no escape channel",
                                                     "the bubble rule is asked of the wrong candidates",
                                                     "no route could be planned for a pair that has a path",
                                                     "no way is left for a pair"};
  return title[kind];
}

struct ut_outage ut_outage_of_link(const struct ut_topology *topo, uint32_t link) {
  const uint32_t channel = ut_link_channel(topo, link);
  const struct ut_peer from = ut_topology_sender(topo, channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : topo->peer[channel];
  return (struct ut_outage){.until = UINT64_MAX,
                            .sw = at.index,
                            .port = at.port,
                            .channel = channel,
                            .kind = UT_FAULT_LINK,
                            .both = topo->bidirectional};
}

/* Returns the fault set in the form that the drawing needs; NULL: out of memory. */
static struct ut_outage *outages_of(const struct ut_fault_set *set, const struct ut_topology *topo) {
  struct ut_outage *list = calloc(set->links + set->switches + 1, sizeof *list);
  for (unsigned i = 0; list && i < set->links; i++)
    list[i] = ut_outage_of_link(topo, set->link[i]);
  for (unsigned i = 0; list && i < set->switches; i++)
    list[set->links + i] = (struct ut_outage){.until = UINT64_MAX, .sw = set->sw[i], .kind = UT_FAULT_SWITCH};
  return list;
}

int ut_counter_example_draw(const struct ut_counter_example *example, const struct ut_explorer *explorer,
                            const char *path, struct ut_error *e) {
  char caption[512], vector[UT_MAX_PORTS + 1];
  struct ut_drawn_hop *hop = calloc(example->steps + example->mores + 1, sizeof *hop);
  struct ut_outage *outage = outages_of(&example->set, explorer->topology);
  if (!hop || !outage) {
    free(hop);
    free(outage);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the drawing");
  }
  bool cycle = example->kind == UT_FAILURE_CYCLE;
  struct ut_drawing drawing = {.topology = explorer->topology,
                               .outage = outage,
                               .outages = example->set.links + example->set.switches,
                               .hop = hop,
                               .source = cycle ? UINT32_MAX : example->src,
                               .destination = cycle ? UINT32_MAX : example->dst,
                               .injected =
                                   !cycle && example->kind != UT_FAILURE_NUMBERING && example->kind != UT_SEPARATED,
                               .end = UINT32_MAX,
                               .end_text = example->kind == UT_FAILURE_ESCAPE   ? "no escape channel"
                                           : example->kind == UT_FAILURE_BUBBLE ? "bubble rule"
                                                                                : NULL,
                               .mark = "U-turn switch",
                               .vcs = explorer->v,
                               .caption = caption};
  for (size_t i = 0; i < example->steps; i++) {
    const struct ut_step *step = &example->step[i];
    if (!step->leaves) {
      drawing.end = step->sw;
      continue;
    }
    struct ut_drawn_hop *drawn_hop = &hop[drawing.hops++];
    *drawn_hop =
        (struct ut_drawn_hop){.sw = step->sw, .port = step->out_port, .vc = step->out_vc, .marked = step->u_turn};
    if (step->met)
      snprintf(drawn_hop->note, sizeof drawn_hop->note, "%s table", ut_tables_met_name[step->met]);
    if (step->vector && step->u_turn)
      snprintf(drawn_hop->note, sizeof drawn_hop->note, "vector %s", ut_vector_text(step->vector, explorer->k, vector));
  }
  if (cycle)
    snprintf(caption, sizeof caption, "%s: each hop waits for the next one, the last for the first",
             ut_counter_example_title(example->kind));
  else
    snprintf(caption, sizeof caption, "%s: from terminal %u to %u%s", ut_counter_example_title(example->kind),
             (unsigned)example->src, (unsigned)example->dst,
             example->kind == UT_FAILURE_LOOP ? ", the last hop leads back" : "");
  if (example->kind == UT_FAILURE_LOOP)
    snprintf(caption + strlen(caption), sizeof caption - strlen(caption), " to hop %zu", example->back_to + 1);
  int status = ut_drawing_svg(&drawing, path, e);
  free(hop);
  free(outage);
  return status;
}
