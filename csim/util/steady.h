/* SPDX-License-Identifier: Apache-2.0 */
/* steady.h - how long something takes. */
#ifndef UT_STEADY_H
#define UT_STEADY_H

/* Seconds since the first call.  They never go back, and go on after the clock of a machine has jumped. */
double ut_seconds(void);

#endif
