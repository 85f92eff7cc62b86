/* SPDX-License-Identifier: Apache-2.0 */
/* reserve.h - lists that grow by one element at a time. */
#ifndef UT_RESERVE_H
#define UT_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for one more element in a list.  array: the address of the pointer to it, which may move; size: of an
 * element; used, room: elements that there are, and that fit.  false: out of memory, and the list is as it was. */
bool ut_reserve_one(void *array, size_t size, uint32_t used, uint32_t *room);

#endif
