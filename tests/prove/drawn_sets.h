/* SPDX-License-Identifier: Apache-2.0 */
/* drawn_sets.h - fault sets that are drawn, for tests of what is found under them. */
#ifndef UT_TEST_DRAWN_SETS_H
#define UT_TEST_DRAWN_SETS_H

#include "fault_sets.h"

/* So many sets of so many faults. */
static inline struct ut_fault_request drawn_sets(unsigned links, unsigned switches, uint64_t samples) {
  return (struct ut_fault_request){.links = {links, links},
                                   .switches = {switches, switches},
                                   .total = {0, links + switches},
                                   .limit = 1,
                                   .samples = samples,
                                   .seed = 3};
}

#endif
