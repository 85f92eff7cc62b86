/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_keys.h - every key of a sweep file: type, values, default, meaning.
 *
 * Stated here once.  The check of a file and its defaults, `uturn schema sweep`, `uturn new` and the tables of
 * docs/reference/sweep.md read it.  The keys of the base are those of scenarios: scenario_keys.h.
 */
#ifndef UT_SWEEP_KEYS_H
#define UT_SWEEP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include <cyaml/cyaml.h>

struct ut_sweep_key {
  const char *path;      /* "repeat.until.result"; KEY in it: any key of a scenario, or an option */
  double min, max;       /* of a number; max 0: it is none */
  bool above, below;     /* min itself is no value, max itself is none */
  const char *otherwise; /* its default; NULL: none, or `follows` */
  const char *follows;   /* in words, what its default follows from */
  const char *values;    /* in words, where type and range do not say it */
  const char *text;      /* what it means, in a line */
};

/* In the order in which they are written. */
extern const struct ut_sweep_key ut_sweep_keys[];
extern const size_t ut_sweep_key_count;

/* NULL: there is none. */
const struct ut_sweep_key *ut_sweep_key_find(const char *path);
/* The default of a number. */
double ut_sweep_key_number(const char *path);
/* Whether a number of the right type is in range. */
bool ut_sweep_key_takes(const struct ut_sweep_key *key, double number);
/* "1..100000", "above 0", "above 0, to 1"; returns text. */
enum { UT_SWEEP_RANGE_SIZE = 64 };
const char *ut_sweep_key_range(const struct ut_sweep_key *key, char text[UT_SWEEP_RANGE_SIZE]);

/* The keys of a group, ended by a key NULL; path "": of the file.  CYAML_IGNORE: the value has several types; a group
 * with the keys of its `mapping` may be one of them.  NULL: it has no keys. */
const cyaml_schema_field_t *ut_sweep_fields(const char *path);

#endif
