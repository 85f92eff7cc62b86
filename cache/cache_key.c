/* cache_key.c - see cache_key.h */
#include "cache_key.h"

#include <stdint.h>
#include <string.h>

void ut_parameters_set(struct ut_parameter parameter[UT_PARAMETERS], const struct ut_shape *s) {
  const struct ut_parameter all[UT_PARAMETERS] = {
      {"PI", s->pi},
      {"PO", s->po},
      {"V", s->v},
      {"DEPTH", s->depth},
      {"W", s->w},
      {"MAX_PACKET", s->max_packet},
      {"MIN_PACKET", s->min_packet},
      {"SWITCHING", s->switching},
      {"ROUTE", s->route},
      {"ALGORITHM", s->algorithm},
      {"ROUTE_CYCLES", s->route_cycles},
      {"ALLOC_CYCLES", s->alloc_cycles},
      {"XBAR_CYCLES", s->xbar_cycles},
      {"XBAR", s->xbar},
      {"SIZE0", s->size[0]},
      {"SIZE1", s->size[1]},
      {"SIZE2", s->size[2]},
      {"SIZE3", s->size[3]},
      {"ESCAPES", s->escapes},
      {"DETERMINISTIC", s->deterministic},
      {"MISROUTE", s->misroute},
      {"DESTINATIONS", s->destinations},
      {"RADIX", s->radix},
      {"PARALLEL", s->parallel},
      {"APART", s->apart},
      {"HALVES", s->halves},
      {"LINKS", s->links},
      {"CUBE", s->cube},
      {"LOCAL_FIRST", s->local_first},
  };
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
