/* SPDX-License-Identifier: Apache-2.0 */
/* fault_orbits.h - all sets of a number of link faults; sets that symmetries map to each other are counted together.
 *
 * Sets grow by one fault at a time: every representative of the sets of f faults, with every further link, gives a set
 * of f+1 faults, and the representative of that set gets the weight of the one that it came from.  Each set is reached
 * about f+1 times, once for each fault that can have been the last; so a weight is (number of faults)! times the sets
 * that the representative stands for.  This needs no group order and no stabiliser, and stays right if an orbit has
 * several representatives. */
#ifndef UT_FAULT_ORBITS_H
#define UT_FAULT_ORBITS_H

#include <signal.h>

#include "error.h"
#include "fault_sets.h"

/* Writes some set of the orbit of in[count], ascending; always the same one for the same set; out may be in. */
typedef void ut_orbit_representative(const void *ctx, const uint32_t *in, unsigned count, uint32_t *out);

/* Results of processes are adjacent, in memory that is aligned to words only. */
__extension__ typedef unsigned __int128 ut_orbit_weight __attribute__((aligned(8)));

struct ut_fault_orbits {
  unsigned faults;
  uint32_t count;          /* representatives */
  uint32_t *link;          /* [count * faults] */
  ut_orbit_weight *weight; /* [count]: faults! times the number of sets */
};

/* Makes the one set without faults. */
int ut_fault_orbits_init(struct ut_fault_orbits *orbits, struct ut_error *e);
void ut_fault_orbits_free(struct ut_fault_orbits *orbits);

/* Grows sets by one fault, of `links` links.  Returns 1 if there are more than `most` representatives, or if *stop has
 * become non-zero; nothing is done then.  stop may be NULL.  Returns -1 and fills *e when out of memory. */
int ut_fault_orbits_grow(struct ut_fault_orbits *orbits, uint32_t links, uint32_t most,
                         ut_orbit_representative *representative, const void *ctx, const volatile sig_atomic_t *stop,
                         struct ut_error *e);

/* Returns whether weights fit into their type: the number of sets of that many links, times all orders of their
 * faults. */
bool ut_fault_orbits_fit(uint64_t links, unsigned faults);

/* Returns the factor of the weights. */
static inline ut_orbit_weight ut_fault_orbits_unit(unsigned faults) {
  return faults < 2 ? 1 : faults * ut_fault_orbits_unit(faults - 1);
}

#endif
