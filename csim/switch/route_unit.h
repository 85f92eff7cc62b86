/* route_unit.h - the interface that every routing family obeys.  Twin: rtl/ut_route_unit.v
 *
 * A family is one route_<family>.c and one line of rtl/algorithms.tsv.
 */
#ifndef UT_ROUTE_UNIT_H
#define UT_ROUTE_UNIT_H

#include "switch.h"

/* What a route unit answers. */
struct ut_route_result {
  ut_mask cand[UT_MAX_VCS];      /* candidate set: by output VC, over output ports */
  ut_mask bubble[UT_MAX_VCS];    /* those that must obey the bubble rule; only where the algorithm has such */
  ut_mask preferred[UT_MAX_VCS]; /* the preferred class; only where the algorithm has one */
  ut_mask set;                   /* bits of the re-route vector to set */
  uint32_t rt;                   /* the rewritten rt field; only where the algorithm rewrites it */
  bool strip;                    /* the next header word of the stack becomes the head; only where there are stacks */
  bool discard;                  /* nothing leads to the destination */
  bool uses_state;               /* the set depends on the family's state */
};

/* Route computation for that shape (codes of rtl/algorithms.tsv); NULL if there is none. */
ut_route_function *ut_route_find(const struct ut_shape *shape);

/* The short way through a cycle for that shape (one VC: quiet.h, several: quiet_vcs.h); NULL if there is none. */
ut_quiet_steps *ut_quiet_find(const struct ut_shape *shape);

/* The families. */
ut_route_function *ut_route_fattree(unsigned algorithm);
ut_quiet_steps *ut_quiet_fattree(unsigned algorithm);
/* Codes of tori and meshes are the same; with mechanisms of INTERMEDIATE or without. */
ut_route_function *ut_route_torus(unsigned algorithm, bool mechanisms);
ut_route_function *ut_route_mesh(unsigned algorithm, bool mechanisms);
/* Fills lookup.toward. */
void ut_torus_look_up(struct ut_group *g, bool wrap);
ut_quiet_steps *ut_quiet_torus(const struct ut_shape *shape, bool mechanisms);
ut_quiet_steps *ut_quiet_mesh(const struct ut_shape *shape, bool mechanisms);
ut_route_function *ut_route_table(unsigned algorithm);
ut_quiet_steps *ut_quiet_table(unsigned algorithm);

#endif
