/* SPDX-License-Identifier: Apache-2.0 */
/* list.h - a short list of numbers of a scenario, as [4, 4]. */
#ifndef UT_LIST_H
#define UT_LIST_H

/* Of a topology, a number for each level or dimension; of any list. */
enum { UT_MAX_SIZE_LIST = 8, UT_MAX_LIST = 64 };

struct ut_list {
  unsigned count, value[UT_MAX_LIST];
};

#endif
