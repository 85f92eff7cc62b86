/* SPDX-License-Identifier: Apache-2.0 */
/* steady.h - measures elapsed time. */
#ifndef UT_STEADY_H
#define UT_STEADY_H

/* Returns the seconds since the first call.  They never go back, and continue after the clock of a machine has
 * jumped. */
double ut_seconds(void);

#endif
