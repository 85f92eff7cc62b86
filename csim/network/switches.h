/* SPDX-License-Identifier: Apache-2.0 */
/* switches.h - the interface between a network and its switches.
 *
 * Purpose: a network calls its switches through this table and never asks which implementation it has.  There are two:
 * the model, with the spec in its place or next to it (switches_model.c), and switches of a backend: the RTL, a netlist
 * of gates, or copies of either (switches_backend.c).
 *
 * Interface: init, begin, then disturb and step in each cycle, fini.  The parameter s is the number of a switch.  A
 * member that may be NULL says so; the others are mandatory.
 *
 * Mistakes that a caller can make: changing a link state or a report without disturb(); calling configure() for a
 * switch that is not in reset.
 */
#ifndef UT_SWITCHES_H
#define UT_SWITCHES_H

#include "network.h"

struct ut_switches {
  /* Allocates all switches; the forms and the first lanes of the elaborations are set already.  Returns false when out
   * of memory. */
  bool (*init)(struct ut_network *n);
  /* Resets and configures all switches and joins them to their wires.  Returns false when out of memory.  NULL: nothing
   * is to be done.
   */
  bool (*begin)(struct ut_network *n);
  void (*fini)(struct ut_network *n);
  /* Puts a switch into its reset state; a switch that has failed stays there. */
  void (*reset)(struct ut_network *n, uint32_t s);
  /* Writes a forwarding table entry of a switch in reset. */
  void (*configure)(struct ut_network *n, uint32_t s, uint64_t word);
  /* Makes sure that the switch is stepped in this cycle, because an input from a link, a neighbour or the manager has
   * changed. */
  void (*disturb)(struct ut_network *n, uint32_t s);
  /* Steps the switches of a span that have work. */
  void (*step)(struct ut_network *n, struct ut_partition *partition, const struct ut_span *span);
  /* Returns what a switch reports to its neighbours after an event UT_EVENT_STATE. */
  uint32_t (*reports)(struct ut_network *n, const struct ut_event *e);
  /* Counts the packets in a switch that fails as discarded.  NULL: they are not counted. */
  void (*lose_contents)(struct ut_network *n, uint32_t s);
  /* Returns whether a bad tail is still to be inserted into that input VC.  NULL: not known. */
  bool (*is_cut)(const struct ut_network *n, const struct ut_peer *input, unsigned vc);
  /* Adds the flits that leave in this cycle to n->link_flits.  NULL: they are not counted. */
  void (*count_flits)(struct ut_network *n);
  /* Returns whether a cycle without arrivals would change none of the registers.  NULL: not known; in lockstep the
   * model's network answers. */
  bool (*rest)(const struct ut_network *n);

  /* A flit that a switch refuses because its link is down stays in the ring of its input for one more cycle. */
  bool keep_refused;
  /* The switches do not notice by themselves an order to all switches (purge_protocol.h); they must be disturbed. */
  bool disturbed_by_orders;
  /* Number of lanes below which a thread's share of a cycle takes less time than starting and joining the thread's work
   * (docs/explanation/speed.md). */
  unsigned lanes_for_a_thread;
};

extern const struct ut_switches ut_switches_model, ut_switches_backend;

#endif
