/* SPDX-License-Identifier: Apache-2.0 */
/* schema_tables.c - see schema_tables.h */
#include "schema_tables.h"

#include <string.h>

#include "key_text.h"
#include "pattern.h"
#include "scenario_schema.h"
#include "scenario_switches.h"
#include "sweep_schema.h"

enum { PATH_SIZE = 128 };

const char *const ut_schema_table_name[] = {"topology",   "switch",   "routing", "traffic", "faults", "run",
                                            "algorithms", "patterns", "sweep",   "find",    NULL};
enum { TABLE_ALGORITHMS = 6, TABLE_PATTERNS, TABLE_SWEEP, TABLE_FIND };

/* The algorithms with the families that they are for, and how many VCs they need there. */
static void put_algorithms(FILE *out) {
  const char *words[UT_MAX_WORDS];
  const size_t count = ut_schema_words("routing.algorithm", words);
  fprintf(out, "| algorithm | topologies, least number of VCs |\n|---|---|\n");
  for (size_t w = 0; w < count; w++) {
    fprintf(out, "| `%s` |", words[w]);
    for (unsigned f = 0, some = 0; ut_families[f]; f++)
      for (unsigned i = 0; i < ut_algorithm_count; i++)
        if (!strcmp(ut_algorithms[i].name, words[w]) && ut_algorithm_fits(&ut_algorithms[i], ut_families[f]))
          fprintf(out, "%s `%s` %u", some++ ? "," : "", ut_families[f]->kind, (unsigned)ut_algorithms[i].min_vcs);
    fprintf(out, " |\n");
  }
}

static void put_patterns(FILE *out) {
  char needs[UT_PATTERN_NEEDS_SIZE];
  fprintf(out, "| pattern | destination | networks | in BookSim 2 |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < UT_PATTERNS; i++) {
    const struct ut_pattern *pattern = ut_patterns[i];
    const char *booksim = pattern->booksim ? pattern->booksim : "-", *quote = pattern->booksim ? "`" : "";
    fprintf(out, "| `%s` | %s | %s | %s%s%s |\n", pattern->name, pattern->summary,
            *ut_pattern_needs(pattern, needs) ? needs : "all", quote, booksim, quote);
  }
}

/* Where the page explains the words of a key that takes many; NULL: the table lists them. */
static const char *place_of(const char *path) {
  return !strcmp(path, "topology.kind")       ? "[below](#kinds)"
         : !strcmp(path, "routing.algorithm") ? "[below](#algorithms)"
         : !strcmp(path, "traffic.pattern")   ? "[below](#patterns)"
                                              : NULL;
}

static void put_keys(FILE *out, const char *group) {
  char path[PATH_SIZE], values[UT_KEY_TEXT_SIZE], kinds[UT_KEY_TEXT_SIZE];
  for (const cyaml_schema_field_t *keys = ut_schema_keys(group); keys->key; keys++) {
    snprintf(path, sizeof path, "%s.%s", group, keys->key);
    const struct ut_key *key = ut_key_find(path);
    const char *place = place_of(path);
    ut_key_kinds(key, "`", kinds);
    fprintf(out, "| `%s` |", path);
    if (key->otherwise)
      fprintf(out, " `%s`", key->otherwise);
    else
      fprintf(out, " %s",
              key->follows                              ? key->follows
              : keys->value.flags & CYAML_FLAG_OPTIONAL ? "-"
                                                        : "must be given");
    fprintf(out, " | %s | %s", place ? place : ut_key_values(key, "`", NULL, values), key->text);
    fprintf(out, "%s%s |\n", *kinds ? "; " : "", kinds);
    if (ut_schema_keys(path))
      put_keys(out, path);
  }
}

void ut_schema_put_table(FILE *out, unsigned table) {
  fputc('\n', out);
  if (table == TABLE_ALGORITHMS)
    put_algorithms(out);
  else if (table == TABLE_PATTERNS)
    put_patterns(out);
  else {
    fprintf(out, "| key | default | values | meaning |\n|---|---|---|---|\n");
    if (table == TABLE_SWEEP || table == TABLE_FIND)
      ut_sweep_schema_put_keys(out, table == TABLE_FIND ? ut_schema_table_name[table] : "");
    else
      put_keys(out, ut_schema_table_name[table]);
  }
  fputc('\n', out);
}
