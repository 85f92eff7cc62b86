/* SPDX-License-Identifier: Apache-2.0 */
/* cache_key.h - what goes into the key of an entry.  Every item goes in with its length, so that no two different lists
 * give the same bytes. */
#ifndef UT_CACHE_KEY_H
#define UT_CACHE_KEY_H

#include <stddef.h>

#include <xxhash.h>

#include "cache_sources.h"
#include "shape.h"

struct ut_parameter { /* of rtl/ut_switch.v; UT_PARAMETERS of them (parameters.h) */
  const char *name;
  unsigned value;
};
void ut_parameters_set(struct ut_parameter parameter[UT_PARAMETERS], const struct ut_shape *shape);

void ut_key_bytes(XXH3_state_t *h, const void *data, size_t size);
void ut_key_text(XXH3_state_t *h, const char *text);
void ut_key_list(XXH3_state_t *h, const char *const *list); /* NULL-terminated */
void ut_key_parameters(XXH3_state_t *h, const struct ut_parameter parameter[UT_PARAMETERS]);
void ut_key_sources(XXH3_state_t *h, const struct ut_sources *sources);

#endif
