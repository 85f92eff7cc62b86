/* SPDX-License-Identifier: Apache-2.0 */
/* model_units.h - the C++ that is written for a build: the parameters as a header, and the units to compile. */
#ifndef UT_MODEL_UNITS_H
#define UT_MODEL_UNITS_H

#include <stdint.h>

#include "model_recipe.h"

/* Each writes below the folder of the build; 0, or -1 after filling *e. */

/* obj/shape_gen.h: the parameters as macros for the shim. */
int ut_units_write_shape(const struct ut_recipe *recipe, const char *folder, struct ut_error *e);
/* Groups Verilator's *.cpp into translation units obj/unit_<i>.cc: units 0 and 1 hold code that runs in every cycle,
 * UT_SLOW_UNIT holds code that runs once.  weight[i]: bytes of the unit; 0: there is no such unit. */
enum { UT_SLOW_UNIT = 2, UT_UNITS };
int ut_units_group(const char *folder, uint64_t weight[UT_UNITS], struct ut_error *e);
/* support.cc: Verilator's own C++, the same for every class. */
int ut_units_write_support(const struct ut_recipe *recipe, const char *folder, struct ut_error *e);

#endif
