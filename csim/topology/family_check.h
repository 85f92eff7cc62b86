/* SPDX-License-Identifier: Apache-2.0 */
/* family_check.h - checks that several families of networks share. */
#ifndef UT_FAMILY_CHECK_H
#define UT_FAMILY_CHECK_H

#include <stdint.h>

#include "scenario_refusal.h"

/* base^exponent, not beyond UINT64_MAX. */
uint64_t ut_power(uint64_t base, unsigned exponent);
/* Checks that k is 2..most and that there are k^n terminals, for a network of levels called `what`. */
int ut_check_levels(const struct ut_check *check, unsigned most, const char *what);

/* Checks the local ports of a network where every switch has terminals, in addition to its other ports. */
int ut_check_local_ports(const struct ut_check *check, unsigned network_ports);

#endif
