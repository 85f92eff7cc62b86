/* SPDX-License-Identifier: Apache-2.0 */
/* any_shape_many.c - see any_shape.h.  Twin: rtl/ut_switch.v */
#define UT_ANY_STEPS ut_any_shape_many_steps
#include "any_shape.h"
