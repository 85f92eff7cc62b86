/* SPDX-License-Identifier: Apache-2.0 */
/* theorem.h - theorems of the papers about every k and n, as data, and their proof.
 *
 * A theorem has kinds of states of a packet, with parameters (the tier of the link that it has come over, the index of
 * a port), ranks of these, and kinds of hops between them.  It holds if every hop leads to a higher rank; a rank is one
 * polynomial, or several that are compared in lexicographic order.  Claims are inequalities.  That the switches make no
 * other hops: docs/explanation/parametric_proofs.md.
 *
 * All texts are polynomials as in polynomial.h; ranges and conditions mean: it is not negative.
 */
#ifndef UT_THEOREM_H
#define UT_THEOREM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

enum { UT_MOST_RANKS = 3, UT_MOST_CONDITIONS = 6 };

struct ut_theorem_kind {
  const char *name, *parameters; /* parameters: words, unknown outside; "": none */
  const char *range[UT_MOST_CONDITIONS], *rank[UT_MOST_RANKS];
};

struct ut_theorem_hop {
  const char *name, *from, *to; /* KIND(POLYNOMIAL, ...), KIND() */
  const char *when[UT_MOST_CONDITIONS];
};

struct ut_theorem_claim {
  const char *name, *when[UT_MOST_CONDITIONS], *shows;
};

struct ut_theorem {
  const char *algorithm, *paper, *says;
  const char *sizes;         /* of networks for which it holds, in words */
  const char *given, *names; /* words: integers that ranges and ranks know, too; those of hops and claims only */
  const char *assume[UT_MOST_CONDITIONS], *most[UT_MOST_RANKS]; /* most: bounds of the ranks; NULL: none is claimed */
  const struct ut_theorem_kind *kind; /* ended by {0}, as are the others; NULL: there are none */
  const struct ut_theorem_hop *hop;
  const struct ut_theorem_claim *claim;
};

/* Theorem i of all; NULL: there are no more.  Those of an algorithm stand together.  Algorithms that end in `_literal`
 * are the papers' text where it is wrong, or one fault too many: they have counter-examples. */
const struct ut_theorem *ut_theorem_at(unsigned i);

struct ut_theorem_proof {
  unsigned hops, claims, bounds;
  bool proven;
  const char *failing; /* the hop or claim that is not proven, and values for which it is wrong; "": none were found */
  char example[400];
};

/* Proves it; with a file the certificate of the theorem goes there (docs/reference/certificate.md).  -1 and *e
 * (UT_INTERNAL): a text of the theorem cannot be read. */
int ut_theorem_prove(const struct ut_theorem *theorem, FILE *certificate, struct ut_theorem_proof *proof,
                     struct ut_error *e);

#endif
