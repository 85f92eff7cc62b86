/* faults.h - which links and switches are out of order, and when: the scenario's fault list as a schedule.
 *
 * A fault lasts from its cycle `at` (included) to `until` (excluded).  Faults of one component may overlap: it works
 * again when the last of them is over.  A link is down when itself or the switch at either end is down; both its
 * directions, and both its ends, see that in the same cycle.  Random faults are drawn with the scenario's seed and the
 * entry's place in the list, the same ones whatever else is in the scenario but its other faults; an entry takes
 * components that have no other fault in its time.
 */
#ifndef UT_FAULTS_H
#define UT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "scenario.h"
#include "topology.h"

/* A component goes down or comes back. */
struct ut_fault_event {
  uint64_t cycle;
  uint32_t sw;
  uint8_t port; /* of a link: at its lower end, or at the switch of a terminal; 0 for a switch */
  uint8_t kind; /* UT_FAULT_LINK or UT_FAULT_SWITCH */
  bool up;
};

struct ut_faults {
  const struct ut_topology *topology;
  struct ut_fault_event *event; /* sorted by cycle; in one cycle those that go down first, so that nothing flickers */
  size_t events;
  size_t next;           /* first event that is not applied yet */
  uint64_t failures;     /* components that have gone down so far */
  uint32_t *link_down;   /* [switches * po]: faults of the link at that port now, same number at both ends */
  uint32_t *switch_down; /* [switches]: faults of the switch now; both arrays are NULL in a scenario without faults */
};

/* Expands the scenario's faults for that topology, which must outlive *f and have bidirectional links.  Random links
 * are taken from the inter-switch links, random switches from those above level 0.  -1 and *e (UT_BAD_INPUT with file
 * and line) when a fault names a component that does not exist, ends before it starts, or asks for more components than
 * there are.  *f is then empty. */
int ut_faults_init(struct ut_faults *f, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e);
void ut_faults_free(struct ut_faults *f);

/* Starts the schedule again: everything is up. */
void ut_faults_rewind(struct ut_faults *f);

/* Applies events up to and including `cycle`.  Returns the next one that changed the state of its component, NULL when
 * all are applied.  Call until NULL, then read the state: events of one cycle happen together. */
const struct ut_fault_event *ut_faults_next(struct ut_faults *f, uint64_t cycle);

/* Cycle of the next event, UINT64_MAX when there is none: nothing changes before. */
static inline uint64_t ut_faults_next_cycle(const struct ut_faults *f) {
  return f->next < f->events ? f->event[f->next].cycle : UINT64_MAX;
}

static inline bool ut_faults_switch_up(const struct ut_faults *f, uint32_t sw) {
  return !f->switch_down || f->switch_down[sw] == 0;
}

/* The link at that port carries flits; false where there is no link. */
bool ut_faults_link_up(const struct ut_faults *f, uint32_t sw, unsigned port);

/* The same for all ports of a switch, one bit per port: its link_up input. */
uint64_t ut_faults_links_up(const struct ut_faults *f, uint32_t sw);

#endif
