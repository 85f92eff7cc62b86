/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_keys.h - every key of a scenario file: values, default, meaning.
 *
 * Stated here once.  The check of a file and its defaults, `uturn schema`, `uturn new` and the tables of
 * docs/reference/scenario.md and docs/reference/traffic.md read it.  Types and the words of a key's values:
 * scenario_schema.h.
 */
#ifndef UT_SCENARIO_KEYS_H
#define UT_SCENARIO_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer than any simulation; sums of a few such numbers do not overflow. */
#define UT_MAX_CYCLES UINT64_C(1000000000000000)

/* Keys of `topology:` that only some families accept. */
enum ut_topology_keys {
  UT_KEY_K = 1,
  UT_KEY_N = 2,
  UT_KEY_SIZES = 4, /* in place of k and n */
  UT_KEY_LOCAL_PORTS = 8,
  UT_KEY_TERMINAL_LINKS = 16,
  UT_KEY_FILE = 32,
  UT_KEY_GROUPS = 64,
  UT_KEY_CABLES = 128,
  UT_KEY_CHILDREN = 256,
  UT_KEY_Q = 512,
  UT_KEY_PLANNER = 1024,
  UT_KEY_TERMINALS = 2048, /* local_ports, too */
};

struct ut_key {
  const char *path;            /* "topology.k"; of an entry of a list, without index */
  uint64_t min, max, multiple; /* of a number; multiple 0: it is none */
  const char *otherwise;       /* its default, as a scenario says it; NULL: none, or it follows from others */
  const char *follows;         /* in words, what its default follows from */
  const char *values;          /* in words, where min..max is less than what can be said */
  const char *text;            /* its meaning, in one line; the unit first */
  unsigned takers;             /* enum ut_topology_keys: the families that accept it; 0: all */
  size_t offset, size;         /* of its value in struct ut_scenario; size 0: it has none of its own there */
};

/* In the order in which they are written. */
extern const struct ut_key ut_keys[];
extern const size_t ut_key_count;

/* The key of that path, which may have list indices; NULL: there is none. */
const struct ut_key *ut_key_find(const char *path);
bool ut_key_names_file(const struct ut_key *key);
/* Returns the i-th key that names a file, from 0 on; NULL: there are no more. */
const char *ut_key_file(unsigned number);
/* The default of a number. */
uint64_t ut_key_number(const char *path);
double ut_key_real(const char *path);

#endif
