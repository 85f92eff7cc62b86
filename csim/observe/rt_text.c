/* SPDX-License-Identifier: Apache-2.0 */
/* rt_text.c - see rt_text.h */
#include "rt_text.h"

#include "algorithms.h"

static const struct {
  uint8_t route; /* of a shape */
  struct ut_rt_words (*words)(const struct ut_shape *s);
  void (*text)(const struct ut_shape *s, uint32_t rt, char *text, size_t size);
} families[] = {
    {UT_ROUTE_FATTREE, ut_rt_words_fattree, ut_rt_text_fattree},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

struct ut_rt_words ut_rt_words(const struct ut_shape *s) {
  for (unsigned i = 0; i < FAMILIES && UT_ALG_REWRITES(s->route, s->algorithm); i++)
    if (families[i].route == s->route)
      return families[i].words(s);
  return (struct ut_rt_words){0};
}

const char *ut_rt_text(const struct ut_shape *s, uint32_t rt, char *text, size_t size) {
  for (unsigned i = 0; i < FAMILIES; i++)
    if (families[i].route == s->route)
      families[i].text(s, rt, text, size);
  return text;
}
