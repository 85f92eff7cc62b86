/* SPDX-License-Identifier: Apache-2.0 */
/* switch_events.h - events at one switch, cycle by cycle: links that go down or come back, packets that arrive, get an
 * output VC, leave.
 *
 * The golden network is read before and after each step (journey.h), so that an unobserved network costs nothing.  For
 * a packet that gets an output VC and leaves as a whole in the same cycle, only the leaving is reported.
 */
#ifndef UT_SWITCH_EVENTS_H
#define UT_SWITCH_EVENTS_H

#include "network.h"

enum ut_switch_event_kind {
  UT_SWITCH_IN_DOWN, /* the link of input port `port` */
  UT_SWITCH_IN_UP,
  UT_SWITCH_OUT_DOWN, /* of output port `port` */
  UT_SWITCH_OUT_UP,
  UT_SWITCH_ARRIVES,     /* a head is accepted at input port `port`, VC `vc` */
  UT_SWITCH_GRANTED,     /* the packet at the front there has got output port `out_port`, VC `out_vc` */
  UT_SWITCH_LEAVES,      /* a head is in the register of output port `port` in the next cycle */
  UT_SWITCH_TAIL_LEAVES, /* a tail that is no head is there */
  UT_SWITCH_EVENT_KINDS
};

struct ut_switch_event {
  uint64_t cycle;
  uint64_t header; /* of the packet; not of a link, nor of a tail */
  enum ut_switch_event_kind kind;
  uint8_t port, vc, out_port, out_vc;
};

struct ut_switch_events {
  struct ut_switch_event *event;
  size_t count, room;
  bool failure; /* out of memory: some are missing */
};
void ut_switch_events_free(struct ut_switch_events *events);

/* Advances a golden network by one cycle, and adds the events at the switch in it. */
void ut_switch_events_step(struct ut_switch_events *events, struct ut_network *net, uint32_t sw);

/* "input_link_down", "arrives", ... */
const char *ut_switch_event_name(enum ut_switch_event_kind kind);

/* "packet 5:12 to 9 arrives at port 2 VC 0 from 1.3" into text; returns text.  A packet is called by its source, tag
 * and destination, as `trace` does. */
enum { UT_SWITCH_EVENT_SIZE = 160 };
const char *ut_switch_event_text(const struct ut_network *net, uint32_t sw, const struct ut_switch_event *event,
                                 char text[UT_SWITCH_EVENT_SIZE]);

#endif
