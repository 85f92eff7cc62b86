/* SPDX-License-Identifier: Apache-2.0 */
/* share.h - what the long unit tests take of their samples: all of them; every sixteenth under sanitizers and in builds
 * without optimisation.  Those look for faults of the code, which a share of each kind of case shows as well; results
 * are compared in the optimised build. */
#ifndef UT_TEST_SHARE_H
#define UT_TEST_SHARE_H

#if defined(UTURN_CHECKS) || !defined(__OPTIMIZE__)
enum { SHARE = 16 };
#else
enum { SHARE = 1 };
#endif

#endif
