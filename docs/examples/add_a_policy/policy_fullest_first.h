/* policy_fullest_first.h - arbitration: the packet whose buffer has most flits goes first.  Twins:
 * rtl/ut_policy_fullest_first.v, spec/policy_fullest_first.c */
#ifndef UT_POLICY_FULLEST_FIRST_H
#define UT_POLICY_FULLEST_FIRST_H

#include "block.h"

UT_INLINE unsigned ut_fullest_first_rank(const struct ut_work *work, size_t n, const struct ut_form form) {
  return ut_count(work, n, form);
}

#endif
