/* SPDX-License-Identifier: Apache-2.0 */
/* form_test.h - which methods (tolerance.h) serve a network of any form, with tables, under a fault set.
 *
 * By itself: with the tables of the network without faults, as long as no manager has written new ones.  By new tables:
 * the planner finds a way between the switches of all pairs of terminals.
 */
#ifndef UT_FORM_TEST_H
#define UT_FORM_TEST_H

#include "hop_search.h"
#include "walk.h"

struct ut_form_test {
  struct ut_packet_list packets;
  struct ut_walk walk;
  struct ut_hop_search hops;
};

/* explorer: of a scenario whose tables are not written anew.  NULL and *e: out of memory. */
struct ut_form_test *ut_form_test_new(const struct ut_scenario *scenario, struct ut_explorer *explorer,
                                      struct ut_error *e);
void ut_form_test_free(struct ut_form_test *test);

/* Under the explorer's faults, which are `set`: whether some packet can be discarded or circle for ever, and whether
 * new tables give some pair of terminals no way.  0, or -1 and *e. */
int ut_form_test_set(struct ut_form_test *test, const struct ut_fault_set *set, bool *discards, bool *separates,
                     struct ut_error *e);

#endif
