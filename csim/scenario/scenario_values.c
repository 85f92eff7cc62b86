/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_values.c - see scenario_values.h */
#include "scenario_values.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "scenario_schema.h"

uint64_t ut_value_whole(const struct ut_scenario *scenario, const struct ut_key *key) {
  const char *at = (const char *)scenario + key->offset;
  uint64_t whole = 0;
  unsigned number = 0;
  bool truth = false;
  if (key->size == sizeof truth) {
    memcpy(&truth, at, sizeof truth);
    return truth;
  }
  if (key->size == sizeof whole) {
    memcpy(&whole, at, sizeof whole);
    return whole;
  }
  memcpy(&number, at, sizeof number); /* of an enumeration, too */
  return number;
}

double ut_value_real(const struct ut_scenario *scenario, const struct ut_key *key) {
  double real = 0;
  memcpy(&real, (const char *)scenario + key->offset, sizeof real);
  return real;
}

void ut_value_set(struct ut_scenario *scenario, const struct ut_key *key, uint64_t value) {
  char *at = (char *)scenario + key->offset;
  const unsigned number = (unsigned)value;
  const bool truth = value;
  if (key->size == sizeof truth)
    memcpy(at, &truth, sizeof truth);
  else if (key->size == sizeof value)
    memcpy(at, &value, sizeof value);
  else
    memcpy(at, &number, sizeof number);
}

void ut_value_fill(struct ut_scenario *scenario, const struct ut_key *key, const void *given) {
  const char *otherwise = key->otherwise;
  switch (ut_schema_type(key->path)) {
  case UT_VALUE_REAL: {
    const double real = given ? *(const double *)given : otherwise ? strtod(otherwise, NULL) : 0;
    memcpy((char *)scenario + key->offset, &real, sizeof real);
    break;
  }
  case UT_VALUE_BOOL:
    ut_value_set(scenario, key, given ? *(const bool *)given : otherwise && strcmp(otherwise, "true") == 0);
    break;
  case UT_VALUE_TEXT: /* a word */
    ut_value_set(scenario, key, (uint64_t)(given ? *(const int *)given : otherwise ? ut_schema_default(key->path) : 0));
    break;
  default:
    ut_value_set(scenario, key, given ? *(const uint64_t *)given : otherwise ? strtoull(otherwise, NULL, 10) : 0);
    break;
  }
}
