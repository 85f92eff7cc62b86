/* sides.h - two of three: what the third text of the switch says of a mismatch of the other two.
 *
 * RTL and golden switches were equal before the cycle of the mismatch.  The model makes the run again up to there, and
 * then this one cycle beside the spec: where both agree the RTL is wrong, else the one that stands alone.
 */
#ifndef UT_SIDES_H
#define UT_SIDES_H

#include <stdio.h>

#include "lockstep.h"

/* Writes the verdict for the mismatch that has ended the lockstep, and the registers of the switch where the third text
 * differs, too; nothing if the accounts were wrong, or memory runs out. */
void ut_sides_print(const struct ut_lockstep *l, FILE *f);

#endif
