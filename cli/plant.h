/* SPDX-License-Identifier: Apache-2.0 */
/* plant.h - the option --plant of `cosim`: a mistake on purpose, to see that the comparison finds it. */
#ifndef UT_PLANT_H
#define UT_PLANT_H

#include <stdio.h>

#include "lockstep.h"

/* Whether the text asks for the list of what can be planted. */
bool ut_plant_is_list(const char *text);

/* "CYCLE:L.I:REGISTER:BIT" or "CYCLE:L.I:credit", into l->plant.  -1 and *e: no such switch, register or bit; the
 * message names registers that are spelt alike. */
int ut_plant_parse(const char *text, struct ut_lockstep *l, struct ut_error *e);

/* The registers that can be flipped, of each kind of switch that the network has: a line each, with its bits. */
void ut_plant_list(const struct ut_lockstep *l, FILE *f);

#endif
