/* SPDX-License-Identifier: Apache-2.0 */
/* switches.h - what a network asks of its switches, whatever they are.
 *
 * Two implementations: the model, and the spec in its place or beside it (switches_model.c); and switches of a backend:
 * the RTL, a netlist of gates, copies of either (switches_backend.c).  A network calls them through this table, and
 * asks nowhere which one it has.  s: the number of a switch.
 */
#ifndef UT_SWITCHES_H
#define UT_SWITCHES_H

#include "network.h"

struct ut_switches {
  /* Memory for all of them; the forms and the first lanes of the elaborations are set.  false: out of memory. */
  bool (*init)(struct ut_network *n);
  /* All of them are reset, configured and joined to their wires.  false: out of memory.  NULL: nothing is to be done.
   */
  bool (*begin)(struct ut_network *n);
  void (*fini)(struct ut_network *n);
  /* Puts a switch into its reset state; one that has failed stays there. */
  void (*reset)(struct ut_network *n, uint32_t s);
  /* Writes an entry of its forwarding tables, in reset. */
  void (*configure)(struct ut_network *n, uint32_t s, uint64_t word);
  /* What it sees of its links, neighbours or manager has changed: it must be stepped in this cycle. */
  void (*disturb)(struct ut_network *n, uint32_t s);
  /* Steps those of a span that have work. */
  void (*step)(struct ut_network *n, struct ut_partition *partition, const struct ut_span *span);
  /* What a switch reports to its neighbours after an event UT_EVENT_STATE. */
  uint32_t (*reports)(struct ut_network *n, const struct ut_event *e);
  /* Counts the packets in a switch that fails as discarded.  NULL: they are not counted. */
  void (*lose_contents)(struct ut_network *n, uint32_t s);
  /* A bad tail is still to come into that input VC.  NULL: not known. */
  bool (*is_cut)(const struct ut_network *n, const struct ut_peer *input, unsigned vc);
  /* Adds the flits that leave in this cycle to n->link_flits.  NULL: they are not counted. */
  void (*count_flits)(struct ut_network *n);
  /* A cycle would change none of their registers, if nothing arrives.  NULL: not known; the model's network
   * beside it says so. */
  bool (*rest)(const struct ut_network *n);

  /* What a switch refuses because its link is down stands in the ring of its input for one cycle more. */
  bool keep_refused;
  /* They do not see an order to all switches by themselves (purge_protocol.h). */
  bool disturbed_by_orders;
  /* Lanes below which a thread's part of a cycle takes less time than it takes to begin and to end one
   * (docs/explanation/speed.md). */
  unsigned lanes_for_a_thread;
};

extern const struct ut_switches ut_switches_model, ut_switches_backend;

#endif
