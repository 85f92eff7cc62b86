/* SPDX-License-Identifier: Apache-2.0 */
/* rt_text.h - the meaning of a header word's rt field, in words: one line of rt_text.c for each routing family that
 * writes into it on the way, and a file for its function.  Planned header words: paths.h. */
#ifndef UT_RT_TEXT_H
#define UT_RT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "shape.h"

struct ut_rt_words {
  const char *title; /* of a column: what the field is; NULL: packets keep it as it is */
  const char *note;  /* before its value where there is no title */
};

struct ut_rt_words ut_rt_words(const struct ut_shape *shape);
/* The value; only where there is a title.  Returns text. */
const char *ut_rt_text(const struct ut_shape *shape, uint32_t rt, char *text, size_t size);

/* Of the families. */
struct ut_rt_words ut_rt_words_detour(const struct ut_shape *shape);
void ut_rt_text_detour(const struct ut_shape *shape, uint32_t rt, char *text, size_t size);
struct ut_rt_words ut_rt_words_fattree(const struct ut_shape *shape);
void ut_rt_text_fattree(const struct ut_shape *shape, uint32_t rt, char *text, size_t size);

#endif
