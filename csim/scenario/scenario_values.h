/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_values.h - the values of a scenario by their keys: whoever reads, writes or changes a scenario key by key
 * goes through the table of scenario_keys.h, so that a new key is there for all of them.
 *
 * These are the keys with a size: one number, word or truth each.  A list, a file's name, a distribution and what names
 * a family, an algorithm or a pattern have none; scenario.c reads these, scenario_write.c writes them.
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
/* given: what libcyaml read, a uint64_t, an int, a bool or a double, as the key's type says; NULL: the key's default,
 * or 0 where it has none. */
void ut_value_fill(struct ut_scenario *scenario, const struct ut_key *key, const void *given);

#endif
