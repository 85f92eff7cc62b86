/* SPDX-License-Identifier: Apache-2.0 */
/* any_shape.c - see any_shape.h.  Twin: rtl/ut_switch.v */
#define UT_LOCAL_WORDS 4
#define UT_ANY_STEPS ut_any_shape_steps
#include "any_shape.h"
