/* SPDX-License-Identifier: Apache-2.0 */
/* certificate.h - what shows somebody who does not trust the prover that packets arrive and never wait for each other
 * for ever: a file that a small program checks, tools/check_certificate.c (docs/reference/certificate.md: its format).
 */
#ifndef UT_CERTIFICATE_H
#define UT_CERTIFICATE_H

#include "prove.h"

struct ut_certificate_report {
  uint64_t sets;
  uint32_t views, rows, ranks; /* ranks: how many different ones the fault sets need */
  unsigned hops;               /* of the longest walk */
};

/* What certificates do not cover: -1 and *e (UT_BAD_INPUT). */
int ut_certificate_possible(const struct ut_prover *prover, const struct ut_fault_space *space, struct ut_error *e);

/* Writes the certificate of all fault sets of a space for which it is possible.  -1 and *e: it is not supported, or
 * written; nothing is left then. parallel: stop, progress and its ctx are used; where it stops nothing is written, and
 * report->sets is less than there are. */
int ut_certificate_write(struct ut_prover *prover, const struct ut_fault_space *space, const char *path,
                         const struct ut_parallel *parallel, struct ut_certificate_report *report, struct ut_error *e);

#endif
