/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_schema.h - the keys of a scenario file, as a libcyaml schema, and what libcyaml makes of a file.
 *
 * Optional values are pointers, NULL where the file does not have the key; scenario.c fills in the defaults.
 */
#ifndef UT_SCENARIO_SCHEMA_H
#define UT_SCENARIO_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include <cyaml/cyaml.h>

#include "error.h"
#include "lengths.h"
#include "scenario_document.h"
#include "switch_keys.h"

struct ut_raw_topology {
  int *kind, *global_arrangement;
  uint64_t *k, *n, *link_cycles, *injection_cycles, *ejection_cycles, *local_ports, *terminal_links;
  uint64_t *sizes;
  uint32_t sizes_count;
  char *file;
  uint64_t *groups, *routers, *global_links, *global_cycles, *q, *down, *up, *cables;
  uint32_t down_count, up_count, cables_count;
};

/* `packet_flits`: a number, or a distribution.  libcyaml does not read it.  0: not given. */
struct ut_raw_lengths {
  enum ut_distribution kind;
  unsigned min, max; /* of a bimodal one the keys `short` and `long`; the number is max */
  double mean, long_fraction;
};

struct ut_raw_switch {
#define UT_RAW_NUMBER(key, ...) uint64_t *key;
#define UT_RAW_WORD(key, ...) int *key;
#define UT_RAW_TRUTH(key, ...) bool *key;
#define UT_RAW_OWN(key) UT_RAW_##key
#define UT_RAW_packet_flits struct ut_raw_lengths packet_flits;
#define UT_RAW_shortest_packet_flits uint64_t *shortest_packet_flits;
  UT_SWITCH_KEYS(UT_RAW_NUMBER, UT_RAW_WORD, UT_RAW_TRUTH, UT_RAW_OWN)
};

/* Of INTERMEDIATE. */
struct ut_raw_mechanisms {
  uint64_t *intermediate;
  bool *deterministic, *misroute;
};

struct ut_raw_routing {
  char *algorithm;
  int *planner, *too_few_vcs;
  char **roots;
  char *tables_file, *sl_file, *sl2vl_file;
  uint32_t roots_count;
  uint64_t *reroute_timeout_cycles, *manager_delay_cycles, *manager_switch_cycles, *purge_timeout_cycles;
  uint64_t *drain_timeout_cycles;
  uint64_t *exclusion_intervals;
  int *reroute_clear, *tables, *reconfiguration, *update, *parallel_links;
  struct ut_raw_mechanisms *mechanisms;
  bool *plane_bypass, *beyond_fault_model;
};

struct ut_raw_traffic {
  int *pattern, *process;
  double *load_flits_per_cycle, *hot_spot_fraction;
  int *over, *member;
  uint64_t *hot_spot_node, *shift, *message_bytes, *root, *compute_cycles, *repeat, *resend_after_cycles, *resend_limit,
      *resend_stop_cycles;
  int *resend_cause;
  double *cycles_per_calc;
  uint64_t *hot_spots;
  uint32_t hot_spots_count;
  char *permutation_file, *trace_file, *rates_file, *terminal_loads_file, *dependency_file, *goal_file;
};

/* A switch; with a port, one of its links; or a link of a terminal. */
struct ut_raw_component {
  uint64_t *level, *port, *terminal, *link; /* the switch: in the document alone */
};

struct ut_raw_fault {
  uint64_t *at, *until, *every, *times, *random_links, *random_switches, *random_terminal_links;
  uint64_t *apart, *random_subcube, *half_of;
  struct ut_raw_component *link, *sw, *injection, *ejection;
  int *direction;
};

struct ut_raw_run {
  uint64_t *warmup_cycles, *measure_cycles, *max_cycles, *drain_limit_cycles, *watchdog_cycles, *seed;
  int *warmup;
  double *precision;
  bool *drain;
};

struct ut_raw_scenario {
  struct ut_raw_topology topology;
  struct ut_raw_switch sw;
  struct ut_raw_routing routing;
  struct ut_raw_traffic traffic;
  struct ut_raw_fault *faults;
  uint32_t faults_count;
  struct ut_raw_run run;
};

/* Reads a document that obeys the schema: known keys, each once, the mandatory ones, values of the right type and
 * within their range.  Impossible combinations of keys are not checked here.  NULL and *e (UT_BAD_INPUT) otherwise. */
struct ut_raw_scenario *ut_schema_load(struct ut_document *document, struct ut_error *e);
void ut_schema_free(struct ut_raw_scenario *raw);

/* Returns the value of a key that the file has, in the type of its schema (scenario_values.h); NULL: it has none.  Not
 * for keys in lists, nor for `packet_flits`. */
const void *ut_schema_value(const struct ut_raw_scenario *raw, const char *path);

/* Does the same check for the keys of `node` in a file of another kind (a sweep), where `path` leads to it.  A key that
 * is CYAML_IGNORE is known, and its value is not checked.  Returns 0, or -1 and fills *e. */
int ut_schema_check(struct ut_document *document, const yaml_node_t *node, const cyaml_schema_field_t *keys,
                    const char *path, struct ut_error *e);

/* Returns the keys that a distribution of lengths accepts, terminated by a word NULL. */
extern const struct ut_length_keys { const char *word, *needs[4], *may[3], *example; } ut_length_keys[];

/* The parts of the schema, for code that describes it.  The meaning of keys: scenario_keys.h. */
enum ut_value_type {
  UT_VALUE_WHOLE,
  UT_VALUE_REAL,
  UT_VALUE_BOOL,
  UT_VALUE_TEXT, /* or a word of ut_schema_words() */
  UT_VALUE_GROUP,
  UT_VALUE_LIST,    /* of groups where ut_schema_keys() knows keys, else of whole numbers */
  UT_VALUE_LENGTHS, /* a whole number, or a group */
  UT_VALUE_SWITCH,  /* a whole number beside a level, or a name */
};
enum { UT_MAX_WORDS = 64 };
enum ut_value_type ut_schema_type(const char *path);
/* The keys of a group, or of an entry of a list, ended by a key NULL; path "": the sections.  NULL: it has none. */
const cyaml_schema_field_t *ut_schema_keys(const char *path);
/* Returns the words that a key accepts; 0: it accepts others, too. */
size_t ut_schema_words(const char *path, const char *names[UT_MAX_WORDS]);
/* Returns the meaning of the default of a key of words. */
int ut_schema_default(const char *path);

/* The word that a scenario file uses for a value of one of the words' keys, as in ut_schema_word("switch.switching",
 * UT_VCT); "?" when there is none. */
const char *ut_schema_word(const char *key, int value);

/* "did you mean ...?", or else all names there are; returns text. */
const char *ut_schema_hint(const char *word, const char *const *names, size_t count, char *text, size_t size);

#endif
