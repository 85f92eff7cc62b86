/* rr_arbiter.h - round-robin arbiter.  Twin: rtl/ut_rr_arbiter.v, rtl/ut_turn.v.
 *
 * The mask (a word, or several) holds the requests that come before the others; all ones after reset.  It moves behind
 * the granted request.
 */
#ifndef UT_RR_ARBITER_H
#define UT_RR_ARBITER_H

#include "mask.h"

/* Grants one of the requests (not empty); does not move the mask. */
static inline unsigned ut_rr_pick(ut_mask req, ut_mask mask) {
  ut_mask first = req & mask;
  return ut_first(first ? first : req);
}

/* Mask after a grant, of an arbiter with `all` request lines. */
static inline ut_mask ut_rr_after(unsigned grant, ut_mask all) {
  return ut_above(grant) & all;
}

/* The same over `words` words of requests (the slow index), each of the lines `all`: grants (word, line), moves the
 * mask. */
UT_INLINE unsigned ut_rr_grant_words(const ut_mask *req, ut_mask *mask, unsigned words, ut_mask all, unsigned *word) {
  unsigned w;
  ut_mask m = 0;
  if (words == 1) {
    m = *req & *mask;
    m = m ? m : *req;
    *mask = ut_above_first(m, all);
    *word = 0;
    return ut_first(m);
  }
  for (w = 0; w < words && !(m = req[w] & mask[w]); w++)
    ;
  if (!m)
    for (w = 0; !(m = req[w]); w++)
      ;
  unsigned line = ut_first(m);
  for (unsigned i = 0; i < words; i++)
    mask[i] = i < w ? 0 : i > w ? all : ut_rr_after(line, all);
  *word = w;
  return line;
}

#endif
