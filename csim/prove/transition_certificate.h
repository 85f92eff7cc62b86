/* SPDX-License-Identifier: Apache-2.0 */
/* transition_certificate.h - writes what shows somebody who does not trust this program that no packets wait for each
 * other, and none goes round, while a manager changes tables (docs/reference/certificate.md, "Transitions").
 *
 * It has the tables before each event, the words that the manager writes, in its order, and for each phase ranks of
 * channels: each hop of each packet, by any mixture of those words, leads to a higher rank.
 */
#ifndef UT_TRANSITION_CERTIFICATE_H
#define UT_TRANSITION_CERTIFICATE_H

#include "transitions.h"

struct ut_transition_certificate_report {
  uint64_t sets, transitions, phases, words;
};

/* Returns -1 and fills *e if the network or the fault sets cannot be certified. */
int ut_transition_certificate_possible(const struct ut_transition_prover *prover, const struct ut_fault_space *space,
                                       struct ut_error *e);

/* Examines all transitions of the space, which have no cycle, and writes the certificate.  Nothing is left when it is
 * interrupted (*stop) or fails. */
int ut_transition_certificate_write(struct ut_transition_prover *prover, const struct ut_fault_space *space,
                                    const char *path, struct ut_transition_certificate_report *report,
                                    struct ut_error *e);

#endif
