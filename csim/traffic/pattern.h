/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h - a traffic pattern: the destinations of packets.
 *
 * A pattern is a file and a row: pattern_NAME.c describes it in one struct ut_pattern, and patterns.h lists it.  No
 * other file asks which pattern it is: callers ask for properties.
 *
 * One member determines the destinations, and so the kind of the pattern:
 *   permute_bits      a fixed destination for each terminal, by the bits of its number
 *   move              the same by the number itself
 *   move_coordinate   a fixed destination for each terminal, by the coordinates of its node
 *   draw              a destination for each packet, at random
 *   read              destinations, or whole packets, from a file
 *   read_rates        rates of pairs from a file, with draw and sends
 *   tasks             a workload: messages that are sent when others have arrived (workload.h)
 *   none of them      uniform traffic, which traffic.c draws in its inner loop
 * Patterns with the key traffic.over go by the number of a terminal, of its group or of its switch: see
 * struct ut_pattern_units.
 * Fixed destinations are computed once, before the first cycle: such a function may be slow.
 */
#ifndef UT_PATTERN_H
#define UT_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "patterns.h"

struct ut_scenario;

struct ut_check; /* scenario_check.h */
struct ut_terminal_load;
struct ut_topology;
struct ut_traffic;
struct ut_traffic_source;
struct ut_workload;

struct ut_pattern {
  const char *name;    /* as in its row and in a scenario */
  const char *summary; /* where packets go, in one line of docs/reference/traffic.md */
  const char *booksim; /* its name in BookSim 2; NULL: BookSim has no such pattern */
  /* Keys of `traffic:` that it accepts in addition to those of its kind, as "traffic.hot_spot_node": rows of
   * ut_pattern_keys. */
  const char *keys[3];
  /* Checks the remaining conditions: 0, or -1 after ut_impossible() with reason and remedy.  NULL: there are none.  It
   * is called when the terminals are a power of two (permute_bits), or the nodes have coordinates (move_coordinate).
   * terminals: with traffic.over the groups or switches. */
  int (*check)(const struct ut_check *c, uint32_t terminals);

  /* Returns the destination of terminal `source` of 2^bits; bits 0..16.  With traffic.over groups or switches. */
  uint32_t (*permute_bits)(uint32_t source, unsigned bits);
  /* Returns the destination of terminal, group or switch `source` of so many. */
  uint32_t (*move)(const struct ut_scenario *scenario, uint32_t source, uint32_t units);
  /* Returns the destination's coordinate, 0..size-1, from the source's, in each dimension; 2..UT_MAX_RADIX values.
   * Terminal i of a node sends to terminal i of the destination's node. */
  unsigned (*move_coordinate)(unsigned coordinate, unsigned size);
  /* Returns the destination of a packet, from 24 random bits; traffic_draw.h draws more. */
  uint16_t (*draw)(const struct ut_traffic *t, struct ut_traffic_source *source, uint32_t bits);
  /* Reads the pattern's file into t->map or t->trace; path NULL: none was given.  0, or -1 and *e. */
  int (*read)(struct ut_traffic *t, const char *path, struct ut_error *e);
  /* Reads the pattern's file into t->pair, and what each terminal sends (terminal_loads.h).  0, or -1 and *e. */
  int (*read_rates)(struct ut_traffic *t, const char *path, struct ut_terminal_load *load, struct ut_error *e);
  /* Returns whether a packet whose destination was drawn last is sent in that cycle; NULL: always. */
  bool (*sends)(const struct ut_traffic *t, const struct ut_traffic_source *source, uint64_t cycle);
  bool trace; /* its file has times and lengths, too: there is no load */
  /* Adds the tasks of the scenario's workload.  0, or -1 and *e. */
  int (*tasks)(struct ut_workload *w, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e);
};

/* All patterns, by the number that their row has. */
extern const struct ut_pattern *const ut_patterns[UT_PATTERNS];

/* The files of the patterns. */
#define UT_PATTERN_DECLARED(name) extern const struct ut_pattern ut_pattern_##name;
UT_FOR_EACH_PATTERN(UT_PATTERN_DECLARED)
#undef UT_PATTERN_DECLARED

/* Returns whether its packets are sent when others have arrived, so that it ends by itself (workload.h). */
static inline bool ut_pattern_is_workload(const struct ut_pattern *pattern) {
  return pattern->tasks;
}
/* Returns whether it has a rate, and times and lengths that are drawn; other patterns have their own. */
static inline bool ut_pattern_has_load(const struct ut_pattern *pattern) {
  return !pattern->tasks && !pattern->trace;
}

/* Which patterns take a key of `traffic:`: those that name it in .keys, or all of a kind. */
enum ut_pattern_takers { UT_TAKEN_BY_NAME, UT_TAKEN_WITH_LOAD, UT_TAKEN_BY_WORKLOADS, UT_TAKEN_WITHOUT_TASKS };
struct ut_pattern_key {
  const char *path;
  enum ut_pattern_takers takers;
  bool mandatory;      /* for those that take it */
  const char *example; /* for a mandatory key: the message; NULL: the message names the pattern */
  bool names_file;
};
/* All keys that only some patterns take, ended by a path NULL. */
extern const struct ut_pattern_key ut_pattern_keys[];
bool ut_pattern_takes(const struct ut_pattern *pattern, const struct ut_pattern_key *key);

/* Returns whether the scenario's network supports its pattern: 0, or -1 and *e of the check, with reason and remedy. */
int ut_pattern_check(const struct ut_check *check, uint32_t terminals);

/* Writes which networks support the pattern, for pages: "a power of two of terminals"; "": all.  Returns text. */
enum { UT_PATTERN_NEEDS_SIZE = 128 };
const char *ut_pattern_needs(const struct ut_pattern *pattern, char text[UT_PATTERN_NEEDS_SIZE]);

/* What the numbers of a pattern count (traffic.over): terminals, groups or switches; each has so many terminals in a
 * row. */
struct ut_pattern_units {
  uint32_t count, terminals; /* terminals 0: the network has no such units */
  const char *name;          /* "group" */
};
struct ut_pattern_units ut_pattern_units(const struct ut_scenario *scenario, uint32_t terminals);

/* Returns whether each terminal has a fixed, computed destination; fills map[terminals] with them. */
bool ut_pattern_is_fixed(const struct ut_pattern *pattern);
void ut_pattern_fill(const struct ut_scenario *scenario, uint32_t terminals, uint16_t *map);

/* The lowest `bits` bits of a number rotated left; left < bits. */
static inline uint32_t ut_pattern_rotate(uint32_t number, unsigned bits, unsigned left) {
  return bits ? (number << left | number >> (bits - left)) & ((UINT32_C(1) << bits) - 1) : 0;
}

#endif
