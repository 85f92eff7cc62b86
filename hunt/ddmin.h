/* SPDX-License-Identifier: Apache-2.0 */
/* ddmin.h - delta debugging: finds a small part of a set that still fails (Zeller, Hildebrandt, IEEE Transactions on
 * Software Engineering 28(2), 2002: ddmin, its complements). */
#ifndef UT_DDMIN_H
#define UT_DDMIN_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether these elements alone, numbers in ascending order, fail. */
typedef bool ut_ddmin_fails(void *ctx, const size_t *kept, size_t count);

/* kept[count]: numbers in ascending order, which fail together.  It is reduced to a part that fails and of which no
 * single element can be left out.  A callback that answers "no" from some time on ends the search there.  Returns how
 * many elements are left; SIZE_MAX: out of memory, and kept[] is unchanged. */
size_t ut_ddmin(size_t *kept, size_t count, ut_ddmin_fails *fails, void *ctx);

#endif
