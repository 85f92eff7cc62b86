/* SPDX-License-Identifier: Apache-2.0 */
/* certificate.h - writes a certificate that packets arrive and never wait for each other for ever, for readers who
 * would rather not trust the prover.  A small program checks the file: tools/check_certificate.c
 * (docs/reference/certificate.md has its format).
 */
#ifndef UT_CERTIFICATE_H
#define UT_CERTIFICATE_H

#include "prove.h"

struct ut_certificate_report {
  uint64_t sets;
  uint32_t views, rows, ranks; /* ranks: how many different ones the fault sets need */
  unsigned hops;               /* of the longest walk */
};

/* Refuses networks that certificates do not cover: -1 and *e (UT_BAD_INPUT). */
int ut_certificate_possible(const struct ut_prover *prover, const struct ut_fault_space *space, struct ut_error *e);

/* Writes the certificate of all fault sets of a space for which there is one.  Returns -1 and fills *e if there is none
 * or it cannot be written; no file is left then.  Of `parallel`, stop, progress and its ctx are used.  After a stop
 * nothing is written, and report->sets is smaller than the number of sets. */
int ut_certificate_write(struct ut_prover *prover, const struct ut_fault_space *space, const char *path,
                         const struct ut_parallel *parallel, struct ut_certificate_report *report, struct ut_error *e);

#endif
