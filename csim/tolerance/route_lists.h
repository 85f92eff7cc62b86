/* SPDX-License-Identifier: Apache-2.0 */
/* route_lists.h - for every pair of a small torus or mesh all routes that mechanisms allow, best first, each as the set
 * of links that it may use: a route is fault-free exactly if that set and the set of faults do not meet.
 *
 * The best route under any faults is then the first one of the list that no fault meets, and more faults only move it
 * further down: what an enumeration of millions of fault sets needs (torus_tolerance.c).  Order: length, then class, as
 * plan.h says.  A route whose links include those of an earlier one is left out; it can never be the first.  Lists are
 * made on demand, length by length, because nearly all fault sets are content with their beginnings.
 */
#ifndef UT_ROUTE_LISTS_H
#define UT_ROUTE_LISTS_H

#include "plan.h"

enum { UT_ROUTE_LISTS_LINKS = 128, UT_ROUTE_LISTS_NODES = 128 };

/* A set of those links that can be faulty: bit ut_link_bit(i) for the i-th.  The first one has the highest bit, so that
 * of two sets of one size the larger number is lexicographically earlier. */
__extension__ typedef unsigned __int128 ut_link_set;
static inline ut_link_set ut_link_bit(unsigned i) {
  return (ut_link_set)1 << (UT_ROUTE_LISTS_LINKS - 1 - i);
}

struct ut_route_list {
  ut_link_set *links;
  uint8_t *class; /* enum ut_plan_class */
  unsigned count, room;
  unsigned length, next; /* the next routes to be made: of that length and class */
  bool complete;         /* there are no more */
};

/* link: numbers of those that can be faulty, at most UT_ROUTE_LISTS_LINKS; the others never are.  g must stay valid
 * until ut_route_lists_free(), which may be called with NULL.  Returns NULL and fills *e if the network is too large,
 * or when out of memory. */
struct ut_route_lists;
struct ut_route_lists *ut_route_lists_new(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms,
                                          const uint32_t *link, unsigned links, struct ut_error *e);
void ut_route_lists_free(struct ut_route_lists *lists);

/* The list of a pair; not empty. */
struct ut_route_list *ut_route_list(struct ut_route_lists *lists, uint32_t from, uint32_t to);

/* Appends the next routes to the list, or finds that it is complete.  Returns -1 and fills *e when out of memory. */
int ut_route_list_more(struct ut_route_lists *lists, uint32_t from, uint32_t to, struct ut_error *e);

#endif
