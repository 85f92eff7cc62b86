/* SPDX-License-Identifier: Apache-2.0 */
/* faults.h - which links and switches are out of order, and when: the scenario's fault list as a schedule.
 *
 * A fault lasts from its cycle `at` (included) to `until` (excluded).  Faults of one component may overlap: it works
 * again when the last of them is over.  A channel is down when itself or the switch at either end is down; both its
 * ends see that in the same cycle.  A link fails as a whole unless one direction is named.  Random faults are drawn
 * with the scenario's seed and the entry's place in the list, the same ones whatever else is in the scenario but its
 * other faults; an entry takes components that have no other fault in its time.
 */
#ifndef UT_FAULTS_H
#define UT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "topology.h"

struct ut_fault;
struct ut_scenario;

/* What fails: a switch, or a link, or one channel of it. */
struct ut_component {
  uint32_t sw;      /* the switch; of a link one at its end: that of `port` */
  uint32_t channel; /* of a link: the one that names it (channel_of_link()), or the one that fails alone */
  uint8_t port;     /* where the channel leaves sw or, of an injection channel, arrives there; 0 for a switch */
  uint8_t kind;     /* UT_FAULT_LINK or UT_FAULT_SWITCH */
  bool both;        /* the whole link, with two channels */
};

/* A component goes down or comes back. */
struct ut_fault_event {
  uint64_t cycle;
  struct ut_component what;
  bool up;
};

struct ut_faults {
  const struct ut_topology *topology;
  struct ut_fault_event *event; /* sorted by cycle; in one cycle those that go down first, so that nothing flickers */
  size_t events;
  size_t next;            /* first event that is not applied yet */
  uint64_t failures;      /* components that have gone down so far */
  uint32_t *channel_down; /* [channels]: faults of the channel now */
  uint32_t *switch_down;  /* [switches]: faults of the switch now; both arrays are NULL in a scenario without faults */
};

/* What is wrong with an entry of a fault list: the key to blame below the entry's component, "" for itself. */
struct ut_fault_problem {
  const char *key;
  char text[160];
};

/* Whether what an entry names is there, or there are as many components as it wants; fills *out for one that is not
 * random, else *problem. */
bool ut_faults_locate(const struct ut_topology *topo, const struct ut_fault *fault, struct ut_component *out,
                      struct ut_fault_problem *problem);

/* Expands the scenario's faults for that topology, which must outlive *faults.  Random links are taken from the
 * inter-switch links, random switches from those above the leaves of a tree.  -1 and *e (UT_BAD_INPUT with file and
 * line) when a fault names a component that does not exist, ends before it starts, or asks for more components than
 * there are.  *faults is then empty. */
int ut_faults_init(struct ut_faults *faults, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e);
void ut_faults_free(struct ut_faults *faults);

/* Starts the schedule again: everything is up. */
void ut_faults_rewind(struct ut_faults *faults);

/* Applies events up to and including `cycle`.  Returns the next one that changed the state of its component, NULL when
 * all are applied.  Call until NULL, then read the state: events of one cycle happen together. */
const struct ut_fault_event *ut_faults_next(struct ut_faults *faults, uint64_t cycle);

/* Cycle of the next event, UINT64_MAX when there is none: nothing changes before. */
static inline uint64_t ut_faults_next_cycle(const struct ut_faults *faults) {
  return faults->next < faults->events ? faults->event[faults->next].cycle : UINT64_MAX;
}

static inline bool ut_faults_switch_up(const struct ut_faults *faults, uint32_t sw) {
  return !faults->switch_down || faults->switch_down[sw] == 0;
}

/* The channel carries flits; false where there is none. */
bool ut_faults_channel_up(const struct ut_faults *faults, uint32_t channel);

/* The same of the channel from an output port. */
static inline bool ut_faults_link_up(const struct ut_faults *faults, uint32_t sw, unsigned port) {
  return ut_faults_channel_up(faults, sw * faults->topology->po + port);
}

/* The same for all output ports, or input ports, of a switch, one bit per port: its out_up and in_up. */
uint64_t ut_faults_out_up(const struct ut_faults *faults, uint32_t sw);
uint64_t ut_faults_in_up(const struct ut_faults *faults, uint32_t sw);

#endif
