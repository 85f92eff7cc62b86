/* SPDX-License-Identifier: Apache-2.0 */
/* rtl.h - the inside of struct ut_rtl; only for this room. */
#ifndef UT_RTL_H
#define UT_RTL_H

#include <stdatomic.h>

#include "lockstep.h"

struct ut_rtl_class {
  void *library;
  const struct ut_model_api *api;
};
/* Loads the class at that path.  Returns 0, or -1 after filling *e; the library is to be closed in both cases. */
int ut_rtl_load(struct ut_rtl_class *rtl_class, const char *path, struct ut_error *e);

struct ut_rtl {
  struct ut_rtl_class class[UT_MAX_ELABORATIONS]; /* by elaboration */
  const struct ut_topology *topology;
  void **model; /* [count] */
  uint32_t count;
  unsigned v;
  bool watched;            /* a watcher sees all clocks */
  _Atomic uint32_t robbed; /* switch whose next credit is dropped; UINT32_MAX: none */
  struct ut_backend backend;
  /* the golden network, which is stepped first: each RTL switch is compared as soon as it has been stepped, while its
   * registers are in the cache; NULL: not compared */
  const struct ut_network *golden;
  _Atomic uint32_t differs; /* lowest-numbered switch that differs; UINT32_MAX: none */
  struct ut_dump *dump;     /* NULL: no waves are dumped */
};

/* Returns the class of a switch. */
static inline const struct ut_model_api *ut_rtl_api(const struct ut_rtl *rtl, uint32_t sw) {
  return rtl->class[ut_topology_elaboration(rtl->topology, sw)].api;
}

/* Returns the first of the switches that are stepped together with this one. */
static inline uint32_t ut_rtl_together(const struct ut_rtl *rtl, uint32_t sw) {
  const uint32_t first = rtl->topology->elaboration[ut_topology_elaboration(rtl->topology, sw)].first;
  return sw - (sw - first) % rtl->backend.together;
}

/* Writes the scope of a switch in dumps, "s<level>_<index>", or of a network with names
 * "s<number>_<name>", into scope[]. */
enum { UT_RTL_SCOPE_SIZE = UT_SWITCH_NAME_SIZE + 12 };
const char *ut_rtl_scope(const struct ut_rtl *rtl, uint32_t sw, char scope[UT_RTL_SCOPE_SIZE]);

/* Injects a fault: drops the lowest credit that arrives.  credit[]: receives the arrivals without it. */
void ut_rtl_drop_credit(struct ut_rtl *rtl, struct ut_switch_in *in, ut_mask credit[UT_MAX_VCS]);

/* Compares a switch with its golden twin. */
void ut_rtl_compare(struct ut_rtl *rtl, uint32_t sw);
/* Completes the comparison of all switches that are stepped together with it (conclude() in shim.h). */
void ut_rtl_conclude(struct ut_rtl *rtl, uint32_t sw);

#endif
