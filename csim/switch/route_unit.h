/* SPDX-License-Identifier: Apache-2.0 */
/* route_unit.h - the interface of a routing family.  Twin: rtl/ut_route_unit.v
 *
 * A family is one route_<family>.c, its lines in rtl/algorithms.tsv, and one line in route_unit.c.
 */
#ifndef UT_ROUTE_UNIT_H
#define UT_ROUTE_UNIT_H

#include "switch.h"

/* The answer of a route unit. */
struct ut_route_result {
  ut_mask cand[UT_MAX_VCS];      /* candidate set: by output VC, over output ports */
  ut_mask bubble[UT_MAX_VCS];    /* candidates that obey the bubble rule; only if the algorithm has it */
  ut_mask preferred[UT_MAX_VCS]; /* candidates of the preferred class; only if the algorithm has one */
  ut_mask set;                   /* bits of the re-route vector to set */
  uint32_t rt;                   /* the rewritten rt field; only if the algorithm rewrites it */
  bool strip;                    /* the next header word of the stack becomes the head; only if there are stacks */
  bool discard;                  /* no route to the destination */
  bool uses_state;               /* the set depends on the family's state */
  /* For csim/prove only: output VCs, as a set, whose candidates are the escape channels, 0: those that are not of the
   * preferred class are; the rule of the paper that gave the set, as in "3.4", or NULL. */
  unsigned escape_vcs;
  const char *rule;
};

/* A routing family: one route_<family>.c and its line in the table of route_unit.c.  A member is NULL if it has nothing
 * to do.
 */
struct ut_routing {
  const char *file;         /* NULL: route_<its name in rtl/algorithms.tsv>.c; its struct is ut_routing_<that name> */
  bool sizes, digits, cube; /* takes the parameters size[]; radix, parallel, dual_homed and half_crossbar; cube */
  bool roots;               /* takes the parameter root */
  /* Whether an algorithm goes around faults without a state for it, which columns of rtl/algorithms.tsv would tell.
   * NULL: none does. */
  bool (*goes_around)(const struct ut_shape *shape);
  bool direct; /* every switch has terminals, at its last ports: takes links and local_first */
  /* Returns the rule on the family's parameters that a shape breaks, like ut_shape_rule(). */
  const char *(*rule)(const struct ut_shape *shape);
  /* Computes tables from the shape, when the rest of the group is set up.  Returns false when out of memory. */
  bool (*prepare)(struct ut_group *g);
  /* Decodes the straps. */
  void (*strap)(const struct ut_group *g, struct ut_switch *s, uint64_t straps);
  /* Route computation.  The family's file also has it as ut_route(), with the shape as an argument: a constant in an
   * elaborated cycle (elaborated.c). */
  ut_route_function *route;
};

/* Tells the compiler that the group has the shape that it knows. */
UT_INLINE void ut_route_knows(const struct ut_group *group, const struct ut_shape *shape) {
  if (group->shape.v != shape->v || group->shape.po != shape->po || group->shape.algorithm != shape->algorithm ||
      group->shape.cube != shape->cube || group->shape.links != shape->links ||
      group->shape.escapes != shape->escapes || group->shape.deterministic != shape->deterministic ||
      group->shape.misroute != shape->misroute || group->shape.radix != shape->radix ||
      group->shape.parallel != shape->parallel || group->shape.dual_homed != shape->dual_homed ||
      group->shape.half_crossbar != shape->half_crossbar || group->shape.root != shape->root ||
      group->shape.exclusions != shape->exclusions || group->shape.groups != shape->groups ||
      group->shape.vc_map != shape->vc_map || group->shape.vin1_vcs != shape->vin1_vcs ||
      group->shape.misroute_hops != shape->misroute_hops)
    __builtin_unreachable();
}

/* The family of that code of rtl/algorithms.tsv; NULL: there is none. */
const struct ut_routing *ut_routing_find(unsigned route);

/* The families. */
extern const struct ut_routing ut_routing_detour_cube, ut_routing_detour_mesh, ut_routing_detour_torus;
extern const struct ut_routing ut_routing_fattree, ut_routing_table, ut_routing_torus, ut_routing_mesh, ut_routing_ruft;

#endif
