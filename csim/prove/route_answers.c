/* SPDX-License-Identifier: Apache-2.0 */
/* route_answers.c - see route_answers.h */
#include "route_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "route_unit.h"

int ut_route_answers_init(struct ut_route_answers *a, const struct ut_scenario *s, const struct ut_topology *t,
                          struct ut_error *e) {
  struct ut_fault_space *space = malloc(sizeof *space);
  *a = (struct ut_route_answers){0};
  if (!space)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the faults");
  int status = -1;
  if (!ut_fault_space_of_scenario(space, t, s, e) && !ut_explorer_init(&a->explorer, s, t, e)) {
    ut_explorer_set_faults(&a->explorer, &space->fixed);
    if (!ut_packet_list_init(&a->packets, s, t, e) && !ut_walk_init(&a->walk, &a->explorer, e))
      status = ut_packet_list_plan(&a->packets, &space->fixed, a->explorer.works)
                   ? 0
                   : ut_fail(e, UT_BAD_INPUT, "out of memory for the packets");
    if (status)
      ut_route_answers_free(a);
  }
  free(space);
  return status;
}

void ut_route_answers_free(struct ut_route_answers *a) {
  ut_walk_free(&a->walk);
  ut_packet_list_free(&a->packets);
  ut_explorer_free(&a->explorer);
  free(a->answer);
  *a = (struct ut_route_answers){0};
}

static void fill(struct ut_explorer *x, uint32_t channel, uint64_t header, struct ut_route_answer *answer) {
  const struct ut_channel *c = &x->channel[channel];
  struct ut_route_result r;
  ut_explorer_ask_header(x, channel, header, 0, &r);
  *answer = (struct ut_route_answer){.sw = c->sw,
                                     .dst = ut_header_dst(header),
                                     .rt = ut_header_rt(header),
                                     .in_port = c->port,
                                     .in_vc = c->vc,
                                     .injected = c->injection,
                                     .discard = r.discard,
                                     .rule = r.rule};
  for (unsigned v = 0; v < x->v; v++) {
    answer->cand[v] = r.cand[v];
    answer->escape[v] = ut_escape_of(x, &r, v);
  }
}

void ut_route_answers_ask(struct ut_route_answers *a, uint32_t sw, unsigned in_port, unsigned in_vc, uint32_t dst,
                          uint32_t rt, struct ut_route_answer *answer) {
  struct ut_explorer *x = &a->explorer;
  const uint16_t src = (uint16_t)((dst + 1) % x->topology->terminals);
  fill(x, ut_explorer_channel(x, sw, in_port, in_vc), ut_header_make((uint16_t)dst, src, 0, rt), answer);
}

/* Everything that is offered leads to a terminal. */
static bool arrived(const struct ut_explorer *x, const struct ut_route_answer *answer) {
  ut_mask any = 0;
  for (unsigned v = 0; v < x->v; v++)
    any |= answer->cand[v];
  return any && !(any & x->onward[answer->sw]);
}

static int add_states(struct ut_route_answers *a) {
  const struct ut_walk *k = &a->walk;
  if (a->answers + k->places > a->room) {
    const size_t room = 2 * (a->answers + k->places);
    struct ut_route_answer *larger = realloc(a->answer, room * sizeof *larger);
    if (!larger)
      return -1;
    a->answer = larger;
    a->room = room;
  }
  for (uint32_t i = 0; i < k->places; i++) {
    struct ut_route_answer *answer = &a->answer[a->answers];
    fill(&a->explorer, k->place[i].channel, k->header[k->place[i].header].word[0], answer);
    a->answers += !arrived(&a->explorer, answer);
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

int ut_route_answers_all(struct ut_route_answers *a, struct ut_error *e) {
  struct ut_walk *k = &a->walk;
  a->answers = 0;
  for (uint64_t number = 0; ut_packet_list_get(&a->packets, number, &k->packets); number++) {
    ut_packets_leave_out(&k->packets, &a->explorer);
    if (k->packets.sources && (ut_walk_run(k, &k->packets) || add_states(a)))
      return ut_fail(e, UT_BAD_INPUT, "out of memory for the states of packets");
  }
  if (a->answers)
    qsort(a->answer, a->answers, sizeof *a->answer, compare);
  return 0;
}

const char *ut_route_channel_name(const struct ut_explorer *x, uint32_t sw, unsigned port, unsigned vc,
                                  char text[UT_CHANNEL_NAME_SIZE]) {
  const struct ut_topology *t = x->topology;
  if (!t->family->channel_name || !t->family->channel_name(t, &ut_explorer_group(x, sw)->shape, port, vc, text))
    snprintf(text, UT_CHANNEL_NAME_SIZE, "%s%u:%u", t->up_ports >> port & 1 ? "up" : "", port & 63, vc & 15);
  return text;
}

const char *ut_route_from_name(const struct ut_explorer *x, uint32_t sw, unsigned in_port, unsigned in_vc,
                               char text[UT_CHANNEL_NAME_SIZE]) {
  const struct ut_topology *t = x->topology;
  const struct ut_peer from = ut_explorer_feeder(x, sw, in_port);
  if (from.kind == UT_PEER_TERMINAL)
    snprintf(text, UT_CHANNEL_NAME_SIZE, "inj");
  else if (from.kind != UT_PEER_SWITCH || !t->family->channel_name ||
           !t->family->channel_name(t, &ut_explorer_group(x, sw)->shape, from.port, in_vc, text))
    snprintf(text, UT_CHANNEL_NAME_SIZE, "%u:%u", in_port & 63, in_vc & 15);
  return text;
}
