/* SPDX-License-Identifier: Apache-2.0 */
/* inject.h - the option --inject of `cosim`: a mistake on purpose, to see that the comparison finds it. */
#ifndef UT_INJECT_H
#define UT_INJECT_H

#include <stdio.h>

#include "lockstep.h"

/* Whether the text asks for the list of what can be planted. */
bool ut_inject_is_list(const char *text);

/* "CYCLE:L.I:REGISTER:BIT" or "CYCLE:L.I:credit", into lockstep->injected_bug.  -1 and *e: no such switch, register or
 * bit; the message names registers that are spelt alike. */
int ut_inject_parse(const char *text, struct ut_lockstep *lockstep, struct ut_error *e);

/* The registers that can be flipped, of each kind of switch that the network has: a line each, with its bits. */
void ut_inject_list(const struct ut_lockstep *lockstep, FILE *f);

#endif
