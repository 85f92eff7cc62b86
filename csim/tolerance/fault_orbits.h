/* SPDX-License-Identifier: Apache-2.0 */
/* fault_orbits.h - all sets of so many link faults, those that symmetries make of each other counted together.
 *
 * Sets grow by one fault at a time: every representative of the sets of f faults, with every further link, gives a set
 * of f+1 faults, and its representative gets the weight of the one that it came from.  Each set comes about f+1 times
 * that way, once for each fault that can have been the last; so weights are (number of faults)! times the sets that a
 * representative stands for.  That needs no group order and no stabiliser, and stays right where one orbit has several
 * representatives. */
#ifndef UT_FAULT_ORBITS_H
#define UT_FAULT_ORBITS_H

#include <signal.h>

#include "error.h"
#include "fault_sets.h"

/* Some set of the orbit of in[count], ascending, always the same one for the same set; out may be in. */
typedef void ut_orbit_representative(const void *ctx, const uint32_t *in, unsigned count, uint32_t *out);

/* Results of processes lie side by side in memory that is aligned to words only. */
__extension__ typedef unsigned __int128 ut_orbit_weight __attribute__((aligned(8)));

struct ut_fault_orbits {
  unsigned faults;
  uint32_t count;          /* representatives */
  uint32_t *link;          /* [count * faults] */
  ut_orbit_weight *weight; /* [count]: faults! times the sets */
};

/* The one set without faults. */
int ut_fault_orbits_init(struct ut_fault_orbits *orbits, struct ut_error *e);
void ut_fault_orbits_free(struct ut_fault_orbits *orbits);

/* From sets of so many faults to those with one more, of `links` links.  1: more than `most` representatives, or *stop
 * has become non-zero; nothing is done then.  stop may be NULL.  -1 and *e without memory. */
int ut_fault_orbits_grow(struct ut_fault_orbits *orbits, uint32_t links, uint32_t most,
                         ut_orbit_representative *representative, const void *ctx, const volatile sig_atomic_t *stop,
                         struct ut_error *e);

/* Whether weights fit into their type: the number of sets of so many links, each with all orders of its faults. */
bool ut_fault_orbits_fit(uint64_t links, unsigned faults);

/* What weights are multiplied with. */
static inline ut_orbit_weight ut_fault_orbits_unit(unsigned faults) {
  return faults < 2 ? 1 : faults * ut_fault_orbits_unit(faults - 1);
}

#endif
