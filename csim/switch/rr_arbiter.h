/* SPDX-License-Identifier: Apache-2.0 */
/* rr_arbiter.h - round-robin arbiter.  Twin: rtl/ut_rr_arbiter.v, rtl/ut_rr_pointer.v.
 *
 * The mask (a word, or several) contains the requests that come before the others; after reset it is all ones.  It
 * moves behind the granted request.
 */
#ifndef UT_RR_ARBITER_H
#define UT_RR_ARBITER_H

#include "mask.h"

/* Grants one of the requests (not empty) without moving the mask. */
static inline unsigned ut_rr_pick(ut_mask req, ut_mask mask) {
  ut_mask first = req & mask;
  return ut_first(first ? first : req);
}

/* Mask after a grant, of an arbiter with `all` request lines. */
static inline ut_mask ut_rr_after(unsigned grant, ut_mask all) {
  return ut_above(grant) & all;
}

#endif
