/* SPDX-License-Identifier: Apache-2.0 */
/* route_answers.h - the answers of switches to packets, under the permanent faults of a scenario: to one question, or
 * in all states that packets can reach.  The route function is that of the simulator; re-route vectors are empty.
 */
#ifndef UT_ROUTE_ANSWERS_H
#define UT_ROUTE_ANSWERS_H

#include "packets.h"
#include "walk.h"

/* A packet in an input VC of a switch, and its candidates. */
struct ut_route_answer {
  uint32_t sw, dst; /* dst: the terminal that the header names */
  uint32_t rt;      /* of the header */
  uint8_t in_port, in_vc;
  bool injected; /* a terminal feeds that port */
  bool discard;
  ut_mask cand[UT_MAX_VCS], escape[UT_MAX_VCS]; /* by output VC, over output ports */
  const char *rule;                             /* rule of the paper; NULL: the family does not tell it */
};

struct ut_route_answers {
  struct ut_explorer explorer;
  struct ut_packet_list packets;
  struct ut_walk walk;
  struct ut_route_answer *answer; /* after ut_route_answers_all(): sorted by destination, switch, origin */
  size_t answers, room;
};

int ut_route_answers_init(struct ut_route_answers *answers, const struct ut_scenario *scenario,
                          const struct ut_topology *topo, struct ut_error *e);
void ut_route_answers_free(struct ut_route_answers *answers);

/* Asks for a plain packet to that terminal in input VC (in_port, in_vc) of a switch. */
void ut_route_answers_ask(struct ut_route_answers *answers, uint32_t sw, unsigned in_port, unsigned in_vc, uint32_t dst,
                          uint32_t rt, struct ut_route_answer *answer);
/* Asks in all states that packets reach from any source to any destination, whatever an adversary chooses, except those
 * where only the exit is left.  Returns -1 when out of memory. */
int ut_route_answers_all(struct ut_route_answers *answers, struct ut_error *e);

/* Writes the channel through an output port: its name in the algorithm's paper, otherwise "3:0", upwards "up3:0";
 * returns text. */
const char *ut_route_channel_name(const struct ut_explorer *explorer, uint32_t sw, unsigned port, unsigned vc,
                                  char text[UT_CHANNEL_NAME_SIZE]);
/* Writes where a packet has come from: "inj", the channel by that name, or the input port and VC. */
const char *ut_route_from_name(const struct ut_explorer *explorer, uint32_t sw, unsigned in_port, unsigned in_vc,
                               char text[UT_CHANNEL_NAME_SIZE]);

#endif
