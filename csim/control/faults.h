/* SPDX-License-Identifier: Apache-2.0 */
/* faults.h - the scenario's fault list as a schedule: which links and switches are down, and when.
 *
 * A fault lasts from its cycle `at` (included) to `until` (excluded).  Faults of one component may overlap: it works
 * again when the last of them is over.  A channel is down when it or the switch at either end is down; both its ends
 * see that in the same cycle.  A link fails as a whole unless one direction is named.
 *
 * Random faults are drawn with the scenario's seed and the entry's position in the list.  They depend on no other part
 * of the scenario except its other faults: an entry draws components that have no other fault at that time.
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

/* A component that fails: a switch, a link, or one channel of a link. */
struct ut_component {
  uint32_t sw;      /* the switch; for a link the one at its end: that of `port` */
  uint32_t channel; /* for a link: the channel that names it (channel_of_link()), or the one that fails alone */
  uint8_t port;     /* where the channel leaves sw or, of an injection channel, arrives there; 0 for a switch */
  uint8_t kind;     /* UT_FAULT_LINK or UT_FAULT_SWITCH */
  bool both;        /* the whole link, with both channels */
};

/* A component goes down or comes back. */
struct ut_fault_event {
  uint64_t cycle;
  struct ut_component what;
  bool up;
};

struct ut_faults {
  const struct ut_topology *topology;
  struct ut_fault_event *event; /* sorted by cycle; within a cycle, components that go down come first */
  size_t events;
  size_t next;            /* first event that has not been applied */
  bool in_reset;          /* all switches are down, whatever their faults; to be set by the caller */
  uint64_t failures;      /* number of components that have gone down so far */
  uint32_t *channel_down; /* [channels]: present faults of the channel */
  uint32_t *switch_down;  /* [switches]: present faults of the switch; without faults both are NULL */
};

/* The error of an entry of a fault list.  key: the key below the entry's component that is wrong; "": the component
 * itself. */
struct ut_fault_problem {
  const char *key;
  char text[160];
};

/* Checks that the component of an entry exists, or that there are as many components as it draws; fills *out for one
 * that is not random, or *problem. */
bool ut_faults_locate(const struct ut_topology *topo, const struct ut_fault *fault, struct ut_component *out,
                      struct ut_fault_problem *problem);

/* Expands the scenario's faults for that topology, which must outlive *faults.  Random links are drawn from the links
 * between switches, random switches from those above the leaves of a tree.  Returns -1 and fills *e (UT_BAD_INPUT with
 * file and line) if a fault names a component that does not exist, ends before it starts, or draws more components than
 * there are.  *faults is then empty. */
int ut_faults_init(struct ut_faults *faults, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e);
void ut_faults_free(struct ut_faults *faults);

/* Starts the schedule again, with everything up. */
void ut_faults_rewind(struct ut_faults *faults);

/* Applies events up to and including `cycle`.  Returns the next one that changed the state of its component, NULL when
 * all are applied.  Call it until it returns NULL, then read the state: events of one cycle happen together. */
const struct ut_fault_event *ut_faults_next(struct ut_faults *faults, uint64_t cycle);

/* Returns the cycle of the next event, before which nothing changes; UINT64_MAX: none. */
static inline uint64_t ut_faults_next_cycle(const struct ut_faults *faults) {
  return faults->next < faults->events ? faults->event[faults->next].cycle : UINT64_MAX;
}

static inline bool ut_faults_switch_up(const struct ut_faults *faults, uint32_t sw) {
  return !faults->in_reset && (!faults->switch_down || faults->switch_down[sw] == 0);
}

/* Returns whether the channel carries flits; false if it does not exist. */
bool ut_faults_channel_up(const struct ut_faults *faults, uint32_t channel);

/* Returns the same for the channel from an output port. */
static inline bool ut_faults_link_up(const struct ut_faults *faults, uint32_t sw, unsigned port) {
  return ut_faults_channel_up(faults, sw * faults->topology->po + port);
}

/* Return the same for all output ports, or input ports, of a switch, one bit for each port: its out_up and in_up. */
uint64_t ut_faults_out_up(const struct ut_faults *faults, uint32_t sw);
uint64_t ut_faults_in_up(const struct ut_faults *faults, uint32_t sw);

#endif
