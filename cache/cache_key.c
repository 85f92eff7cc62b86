/* SPDX-License-Identifier: Apache-2.0 */
/* cache_key.c - see cache_key.h */
#include "cache_key.h"

#include <stdint.h>
#include <string.h>

void ut_parameters_set(struct ut_parameter parameter[UT_PARAMETERS], const struct ut_shape *shape) {
#define ROW(parameter, member) {#parameter, shape->member},
  const struct ut_parameter all[] = {UT_FOR_EACH_PARAMETER(ROW)};
#undef ROW
  _Static_assert(sizeof all == UT_PARAMETERS * sizeof *all, "a row for each parameter");
  memcpy(parameter, all, sizeof all);
}

void ut_key_bytes(XXH3_state_t *h, const void *data, size_t size) {
  uint64_t n = size;
  XXH3_128bits_update(h, &n, sizeof n);
  XXH3_128bits_update(h, data, size);
}

void ut_key_text(XXH3_state_t *h, const char *text) {
  ut_key_bytes(h, text, strlen(text));
}

void ut_key_list(XXH3_state_t *h, const char *const *list) {
  for (; *list; list++)
    ut_key_text(h, *list);
  ut_key_text(h, "");
}

void ut_key_parameters(XXH3_state_t *h, const struct ut_parameter parameter[UT_PARAMETERS]) {
  for (int i = 0; i < UT_PARAMETERS; i++) {
    ut_key_text(h, parameter[i].name);
    ut_key_bytes(h, &parameter[i].value, sizeof parameter[i].value);
  }
}

void ut_key_sources(XXH3_state_t *h, const struct ut_sources *sources) {
  for (size_t i = 0; i < sources->n; i++) {
    ut_key_text(h, sources->item[i].name);
    ut_key_bytes(h, sources->item[i].data, sources->item[i].size);
  }
}
