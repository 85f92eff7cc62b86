/* SPDX-License-Identifier: Apache-2.0 */
/* method.h - methods of proof: how one fault set of a network is examined, and how the result is worded.
 *
 * A family of networks has one line in methods.c.  No other file asks which family a network belongs to: prove.c
 * iterates over the fault sets, counter_example.c words the findings, and both call the method.
 *   sets    method_sets.c: packets with one plain header, explored as sets of destinations; re-route vectors; deadlock
 * as a set of channels that wait for each other.  Networks of levels. walks   method_walks.c: packets with any header
 * words, one destination at a time; deadlock as a cycle of escape channels, or rings of them, that wait for each other.
 * Any network.
 */
#ifndef UT_METHOD_H
#define UT_METHOD_H

#include <stdio.h>

#include "counter_example.h"
#include "prove.h"

struct json_t;

struct ut_proof_method {
  /* Makes the method's own data, p->own, when all other members of *p are set.  Returns -1 and fills *e on failure;
   * fini frees what exists then. */
  int (*init)(struct ut_prover *p, struct ut_error *e);
  void (*fini)(struct ut_prover *p);
  /* Examines one fault set, which is set in the explorer.  *v is zero before.  Returns -1 and fills *e when out of
   * memory, or interrupted. */
  int (*examine)(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v, struct ut_error *e);
  /* Finds the steps of a failure of kind c->kind under c->set, which has been examined again.  Returns false when out
   * of memory, or if there is none. */
  bool (*example)(struct ut_prover *p, struct ut_counter_example *c);
  /* Adds the bits that packets can set in re-route vectors, [switches], under the explorer's faults.  NULL: nothing in
   * the switches outlives a repair. */
  int (*add_bits)(struct ut_prover *p, ut_mask *bits, struct ut_error *e);
  /* Checks what does not depend on faults, once, before the results are worded.  NULL: there is nothing to check. */
  int (*conclude)(struct ut_prover *p, struct ut_error *e);
  /* Write the results over all fault sets: as lines of text; as keys of an object that all methods share.  NULL:
   * none. */
  void (*put_text)(const struct ut_prover *p, const struct ut_proof *proof, FILE *f);
  void (*put_json)(const struct ut_prover *p, const struct ut_proof *proof, struct json_t *object);
  bool replays; /* counter-examples can become scenarios (replay.h) */
};

/* Returns the method for the networks of a scenario; NULL and *e (UT_BAD_INPUT): there is none. */
const struct ut_proof_method *ut_proof_method_of(const struct ut_topology *topo, struct ut_error *e);

extern const struct ut_proof_method ut_proof_by_sets, ut_proof_by_walks;

#endif
