/* SPDX-License-Identifier: Apache-2.0 */
/* method.h - methods of proof: how one fault set of a network is examined, and what comes out of it is worded.
 *
 * A family of networks has one line in methods.c.  Nobody else asks which family a network belongs to: prove.c goes
 * through the fault sets, counter_example.c words what a method has found, and both call the method.
 *
 *   sets    method_sets.c: packets with one plain header, explored as sets of destinations; re-route vectors; deadlock
 *           as a set of channels that wait for each other.  Networks of levels.
 *   walks   method_walks.c: packets with any header words, one destination at a time; deadlock as a cycle of what
 *           escape channels, or rings of them, wait for.  Any network.
 */
#ifndef UT_METHOD_H
#define UT_METHOD_H

#include <stdio.h>

#include "counter_example.h"
#include "prove.h"

struct json_t;

struct ut_proof_method {
  /* Makes the method's own data, p->own, when all else in *p is there.  -1 and *e; fini takes what is left then. */
  int (*init)(struct ut_prover *p, struct ut_error *e);
  void (*fini)(struct ut_prover *p);
  /* Looks at one fault set, which is in the explorer.  *v is zero before.  -1 and *e: out of memory, or interrupted. */
  int (*examine)(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v, struct ut_error *e);
  /* Finds the steps of a failure of kind c->kind under c->set, which has been examined again.  false: out of memory, or
   * there is none. */
  bool (*example)(struct ut_prover *p, struct ut_counter_example *c);
  /* Adds to bits of re-route vectors, [switches], those that packets can set under the explorer's faults.  NULL:
   * nothing in the switches outlives a repair. */
  int (*add_bits)(struct ut_prover *p, ut_mask *bits, struct ut_error *e);
  /* What has to be shown once, whatever the faults; before the results are worded.  NULL: nothing. */
  int (*conclude)(struct ut_prover *p, struct ut_error *e);
  /* The results over all fault sets: lines of text; keys of an object that has those of all methods.  NULL: none. */
  void (*put_text)(const struct ut_prover *p, const struct ut_proof *proof, FILE *f);
  void (*put_json)(const struct ut_prover *p, const struct ut_proof *proof, struct json_t *object);
  bool replays; /* counter-examples become scenarios (replay.h) */
};

/* The method for the networks of a scenario; NULL and *e (UT_BAD_INPUT): there is none. */
const struct ut_proof_method *ut_proof_method_of(const struct ut_topology *topo, struct ut_error *e);

extern const struct ut_proof_method ut_proof_by_sets, ut_proof_by_walks;

#endif
