/* local_first.h - requests of terminals go before those of other switches (DETOUR section 5, assumption P8).  Twin:
 * rtl/ut_local_first.v */
#ifndef UT_LOCAL_FIRST_H
#define UT_LOCAL_FIRST_H

#include "mask.h"

/* Of requests over `words` words (the slow index) and input ports: leaves those of the ports `local`, or all where none
 * of these asks. */
UT_INLINE void ut_local_first(ut_mask *req, unsigned words, ut_mask local) {
  ut_mask any = 0;
  for (unsigned w = 0; w < words; w++)
    any |= req[w] & local;
  for (unsigned w = 0; w < words && any; w++)
    req[w] &= local;
}

#endif
