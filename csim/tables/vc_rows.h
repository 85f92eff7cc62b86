/* SPDX-License-Identifier: Apache-2.0 */
/* vc_rows.h - what a VC map says for each planner: on which VCs a packet may go on.
 *
 * layers       layer i, and packets on VC i: VC i
 * hops         one VC more with each link between switches: no channel depends on one of a lower number (Gopal, 1985)
 * global_hops  networks of groups (Kim, Dally, Scott and Abts, 2008): links between groups VC 0; links in a group the
 * VC of as many links between groups as the packet has behind it
 */
#ifndef UT_VC_ROWS_H
#define UT_VC_ROWS_H

#include <stdbool.h>

#include "planning.h"
#include "topology.h"

/* Returns the VCs, as a set, that a row of the VC map allows on a link between switches.  row: 0 to 15 a layer, from 16
 * on an input VC.  global: the link joins two groups. */
unsigned ut_vc_row(const struct ut_planning *planning, unsigned vcs, unsigned row, bool global);

/* The same at an output port; packets that leave the network may have any VC. */
unsigned ut_vc_row_at(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs, unsigned row,
                      uint32_t sw, unsigned out_port);

#endif
