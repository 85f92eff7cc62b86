/* SPDX-License-Identifier: Apache-2.0 */
/* key_text.c - see key_text.h */
#include "key_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenario_schema.h"
#include "scenario_switches.h"

/* From here on a number has no limit that anybody will meet. */
static const uint64_t no_limit = UINT64_C(1000000000000);

static void add(char *text, const char *quote, const char *word) {
  const size_t used = strlen(text);
  snprintf(text + used, UT_KEY_TEXT_SIZE - used, "%s%s%s%s", used ? ", " : "", quote, word, quote);
}

bool ut_key_algorithm(const char *name, const struct ut_family *family) {
  bool fits = !family;
  for (unsigned i = 0; i < ut_algorithm_count && !fits; i++)
    fits = !strcmp(ut_algorithms[i].name, name) && ut_algorithm_fits(&ut_algorithms[i], family);
  return fits;
}

const char *ut_key_values(const struct ut_key *key, const char *quote, const struct ut_family *family,
                          char text[UT_KEY_TEXT_SIZE]) {
  const char *words[UT_MAX_WORDS];
  const size_t count = ut_schema_words(key->path, words);
  const bool algorithm = !strcmp(key->path, "routing.algorithm");
  text[0] = '\0';
  for (size_t i = 0; i < count; i++)
    if (!algorithm || ut_key_algorithm(words[i], family))
      add(text, quote, words[i]);
  if (key->values)
    add(text, "", key->values);
  else if (key->multiple > 1)
    snprintf(text, UT_KEY_TEXT_SIZE, "%" PRIu64 "..%" PRIu64 " in steps of %" PRIu64, key->min, key->max,
             key->multiple);
  else if (key->multiple && key->max > no_limit)
    snprintf(text, UT_KEY_TEXT_SIZE, "from %" PRIu64, key->min);
  else if (key->multiple)
    snprintf(text, UT_KEY_TEXT_SIZE, "%" PRIu64 "..%" PRIu64, key->min, key->max);
  else if (ut_schema_type(key->path) == UT_VALUE_BOOL) {
    add(text, quote, "true");
    add(text, quote, "false");
  }
  return text;
}

/* Whether the families of graphs (family.h: any_form) are alike in that. */
static bool graphs_agree(const struct ut_key *key) {
  unsigned graphs = 0, takers = 0;
  for (unsigned i = 0; ut_families[i]; i++) {
    graphs += ut_families[i]->any_form;
    takers += ut_families[i]->any_form && ut_families[i]->keys & key->takers;
  }
  return takers == 0 || takers == graphs;
}

const char *ut_key_kinds(const struct ut_key *key, const char *quote, char text[UT_KEY_TEXT_SIZE]) {
  unsigned takers = 0, others = 0;
  for (unsigned i = 0; ut_families[i]; i++)
    *(!key->takers || ut_families[i]->keys & key->takers ? &takers : &others) += 1;
  char kinds[UT_KEY_TEXT_SIZE] = "";
  bool graphs = false; /* said already */
  for (unsigned i = 0; ut_families[i] && others; i++) {
    const bool together = ut_families[i]->any_form && graphs_agree(key);
    if (!(ut_families[i]->keys & key->takers) != (others < takers) || (together && graphs)) /* the shorter list */
      continue;
    add(kinds, together ? "" : quote, together ? "graphs" : ut_families[i]->kind);
    graphs |= together;
  }
  snprintf(text, UT_KEY_TEXT_SIZE, "%s%.900s", !others ? "" : others < takers ? "not of " : "of ", kinds);
  return text;
}
