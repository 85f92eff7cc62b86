/* share.h - what the long unit tests take of their samples: all of them, under sanitizers every sixteenth.  Sanitizers
 * look for faults of the code, which a share of each kind of case shows as well; results are compared in the other
 * build. */
#ifndef UT_TEST_SHARE_H
#define UT_TEST_SHARE_H

#ifdef UTURN_CHECKS
enum { SHARE = 16 };
#else
enum { SHARE = 1 };
#endif

#endif
