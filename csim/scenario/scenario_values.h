/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_values.h - the values of a scenario by their keys.
 *
 * Code that reads, writes or changes a scenario key by key uses the table of scenario_keys.h, so that a new key needs
 * no change there.  This concerns keys with a size: one number, word or truth value each.  A list, a file's name, a
 * distribution, and the names of a family, an algorithm or a pattern have no size; scenario.c reads these,
 * scenario_write.c writes them.
 */
#ifndef UT_SCENARIO_VALUES_H
#define UT_SCENARIO_VALUES_H

#include <stdint.h>

#include "scenario_keys.h"

struct ut_scenario;

/* The value of a key with a size: a number, a word's value, 0 or 1. */
uint64_t ut_value_whole(const struct ut_scenario *scenario, const struct ut_key *key);
double ut_value_real(const struct ut_scenario *scenario, const struct ut_key *key);
void ut_value_set(struct ut_scenario *scenario, const struct ut_key *key, uint64_t value);
/* given: the value that libcyaml read, a uint64_t, an int, a bool or a double, as the key's type says; NULL: the key's
 * default, or 0 if it has none. */
void ut_value_fill(struct ut_scenario *scenario, const struct ut_key *key, const void *given);

#endif
