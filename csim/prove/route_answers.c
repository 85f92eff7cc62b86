/* SPDX-License-Identifier: Apache-2.0 */
/* route_answers.c - see route_answers.h */
#include "route_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "route_unit.h"

int ut_route_answers_init(struct ut_route_answers *answers, const struct ut_scenario *scenario,
                          const struct ut_topology *topo, struct ut_error *e) {
  struct ut_fault_space *space = malloc(sizeof *space);
  *answers = (struct ut_route_answers){0};
  if (!space)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the faults");
  int status = -1;
  if (!ut_fault_space_of_scenario(space, topo, scenario, e) &&
      !ut_explorer_init(&answers->explorer, scenario, topo, e)) {
    ut_explorer_set_faults(&answers->explorer, &space->fixed);
    if (!ut_packet_list_init(&answers->packets, scenario, topo, e) &&
        !ut_walk_init(&answers->walk, &answers->explorer, e)) {
      ut_packet_list_ask_tables(&answers->packets, &answers->explorer);
      status = ut_packet_list_plan(&answers->packets, &space->fixed, answers->explorer.works, e);
    }
    if (status)
      ut_route_answers_free(answers);
  }
  free(space);
  return status;
}

void ut_route_answers_free(struct ut_route_answers *answers) {
  ut_walk_free(&answers->walk);
  ut_packet_list_free(&answers->packets);
  ut_explorer_free(&answers->explorer);
  free(answers->answer);
  *answers = (struct ut_route_answers){0};
}

static void fill(struct ut_explorer *explorer, uint32_t channel, uint64_t header, struct ut_route_answer *answer) {
  const struct ut_channel *chan = &explorer->channel[channel];
  struct ut_route_result route;
  ut_explorer_ask_header(explorer, channel, header, 0, &route);
  *answer = (struct ut_route_answer){.sw = chan->sw,
                                     .dst = ut_header_dst(header),
                                     .rt = ut_header_rt(header),
                                     .in_port = chan->port,
                                     .in_vc = chan->vc,
                                     .injected = chan->injection,
                                     .discard = route.discard,
                                     .rule = route.rule};
  for (unsigned v = 0; v < explorer->v; v++) {
    answer->cand[v] = route.cand[v];
    answer->escape[v] = ut_escape_of(explorer, &route, v);
  }
}

void ut_route_answers_ask(struct ut_route_answers *answers, uint32_t sw, unsigned in_port, unsigned in_vc, uint32_t dst,
                          uint32_t rt, struct ut_route_answer *answer) {
  struct ut_explorer *explorer = &answers->explorer;
  const uint16_t src = (uint16_t)((dst + 1) % explorer->topology->terminals);
  fill(explorer, ut_explorer_channel(explorer, sw, in_port, in_vc), ut_header_make((uint16_t)dst, src, 0, rt), answer);
}

/* Returns whether all candidates lead to a terminal. */
static bool arrived(const struct ut_explorer *explorer, const struct ut_route_answer *answer) {
  ut_mask any = 0;
  for (unsigned v = 0; v < explorer->v; v++)
    any |= answer->cand[v];
  return any && !(any & explorer->onward[answer->sw]);
}

static int add_states(struct ut_route_answers *answers) {
  const struct ut_walk *walk = &answers->walk;
  if (answers->answers + walk->places > answers->room) {
    const size_t room = 2 * (answers->answers + walk->places);
    struct ut_route_answer *larger = realloc(answers->answer, room * sizeof *larger);
    if (!larger)
      return -1;
    answers->answer = larger;
    answers->room = room;
  }
  for (uint32_t i = 0; i < walk->places; i++) {
    struct ut_route_answer *answer = &answers->answer[answers->answers];
    fill(&answers->explorer, walk->place[i].channel, walk->header[walk->place[i].header].word[0], answer);
    answers->answers += !arrived(&answers->explorer, answer);
  }
  return 0;
}

static int compare(const void *left, const void *right) {
  const struct ut_route_answer *a = left, *b = right;
  const uint32_t key[][2] = {{a->dst, b->dst},         {a->sw, b->sw},       {!a->injected, !b->injected},
                             {a->in_port, b->in_port}, {a->in_vc, b->in_vc}, {a->rt, b->rt}};
  for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
    if (key[i][0] != key[i][1])
      return key[i][0] < key[i][1] ? -1 : 1;
  return 0;
}

int ut_route_answers_all(struct ut_route_answers *answers, struct ut_error *e) {
  struct ut_walk *walk = &answers->walk;
  answers->answers = 0;
  for (uint64_t number = 0; ut_packet_list_get(&answers->packets, number, &walk->packets); number++) {
    ut_packets_leave_out(&walk->packets, &answers->explorer);
    if (walk->packets.sources && (ut_walk_run(walk, &walk->packets) || add_states(answers)))
      return ut_fail(e, UT_BAD_INPUT, "out of memory for the states of packets");
  }
  if (answers->answers)
    qsort(answers->answer, answers->answers, sizeof *answers->answer, compare);
  return 0;
}

const char *ut_route_channel_name(const struct ut_explorer *explorer, uint32_t sw, unsigned port, unsigned vc,
                                  char text[UT_CHANNEL_NAME_SIZE]) {
  const struct ut_topology *topo = explorer->topology;
  if (!topo->family->channel_name ||
      !topo->family->channel_name(topo, &ut_explorer_group(explorer, sw)->shape, port, vc, text))
    snprintf(text, UT_CHANNEL_NAME_SIZE, "%s%u:%u", ut_topology_up_ports(topo, sw) >> port & 1 ? "up" : "", port & 63,
             vc & 15);
  return text;
}

const char *ut_route_from_name(const struct ut_explorer *explorer, uint32_t sw, unsigned in_port, unsigned in_vc,
                               char text[UT_CHANNEL_NAME_SIZE]) {
  const struct ut_topology *topo = explorer->topology;
  const struct ut_peer from = ut_explorer_feeder(explorer, sw, in_port);
  if (from.kind == UT_PEER_TERMINAL)
    snprintf(text, UT_CHANNEL_NAME_SIZE, "inj");
  else if (from.kind != UT_PEER_SWITCH || !topo->family->channel_name ||
           !topo->family->channel_name(topo, &ut_explorer_group(explorer, sw)->shape, from.port, in_vc, text))
    snprintf(text, UT_CHANNEL_NAME_SIZE, "%u:%u", in_port & 63, in_vc & 15);
  return text;
}
