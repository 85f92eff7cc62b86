/* SPDX-License-Identifier: Apache-2.0 */
/* rt_text.c - see rt_text.h */
#include "rt_text.h"

#include <stdbool.h>

#include "algorithms.h"

static const struct {
  uint8_t route; /* of a shape */
  struct ut_rt_words (*words)(const struct ut_shape *s);
  void (*text)(const struct ut_shape *s, uint32_t rt, char *text, size_t size);
} families[] = {
    {UT_ROUTE_FATTREE, ut_rt_words_fattree, ut_rt_text_fattree},
    {UT_ROUTE_DETOUR_CUBE, ut_rt_words_detour, ut_rt_text_detour},
    {UT_ROUTE_DETOUR_MESH, ut_rt_words_detour, ut_rt_text_detour},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

struct ut_rt_words ut_rt_words(const struct ut_shape *shape) {
  const bool rewrites = UT_ALG_REWRITES(shape->route, shape->algorithm) || shape->misroute_hops;
  for (unsigned i = 0; i < FAMILIES && rewrites; i++)
    if (families[i].route == shape->route)
      return families[i].words(shape);
  return (struct ut_rt_words){0};
}

const char *ut_rt_text(const struct ut_shape *shape, uint32_t rt, char *text, size_t size) {
  for (unsigned i = 0; i < FAMILIES; i++)
    if (families[i].route == shape->route)
      families[i].text(shape, rt, text, size);
  return text;
}
