/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_keys.c - sets keys of a case to their defaults, or lower: a shorter file, and a smaller switch. */
#include <string.h>

#include "family.h"
#include "reduce.h"
#include "scenario.h"
#include "scenario_schema.h"
#include "scenario_values.h"

/* Keys that may be made smaller; the size of the network is handled in reduce_network.c. */
static bool is_reducible(const struct ut_scenario *scenario, const struct ut_key *key) {
  static const char *const groups[] = {"topology.", "switch.", "routing.", "run.seed", "run.watchdog_cycles"};
  if (!key->size || !strcmp(key->path, "topology.k") || !strcmp(key->path, "topology.n"))
    return false;
  if (key->takers && !(scenario->topology.family->keys & key->takers)) /* the file does not have it */
    return false;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (!strncmp(key->path, groups[i], strlen(groups[i])))
      return true;
  return false;
}

/* Returns smaller values of a key, the smallest first: its default or, without one, the minimum; half way from there;
 * one step less.  A default that is greater would shorten the file, but enlarge a switch.  false: there is no attempt
 * of that number. */
enum { ATTEMPTS = 3 };
static bool reduce_key(struct ut_scenario *scenario, const struct ut_key *key, unsigned attempt) {
  struct ut_scenario standard = *scenario;
  ut_value_fill(&standard, key, NULL);
  const uint64_t value = ut_value_whole(scenario, key);
  if (ut_schema_type(key->path) == UT_VALUE_REAL)
    return false;
  if (!key->multiple) { /* a word or a truth */
    ut_value_set(scenario, key, ut_value_whole(&standard, key));
    return !attempt && ut_value_whole(scenario, key) != value;
  }
  const uint64_t least = key->otherwise ? ut_value_whole(&standard, key) : key->min;
  if (least > value && !attempt && strncmp(key->path, "switch.", 7)) {
    ut_value_set(scenario, key, least);
    return true;
  }
  if (least >= value)
    return false;
  const uint64_t half = least + (value - least) / 2 / key->multiple * key->multiple;
  const uint64_t smaller[ATTEMPTS] = {least, half, value - key->multiple};
  ut_value_set(scenario, key, smaller[attempt]);
  return attempt == 0 || smaller[attempt] > smaller[attempt - 1];
}

/* Returns the longest packet of the trace, or the default. */
static bool reduce_longest(struct ut_case *repro) {
  struct ut_scenario *scenario = repro->scenario;
  unsigned longest = (unsigned)ut_key_number("switch.packet_flits");
  for (size_t i = 0; i < repro->packets; i++)
    longest = repro->packet[i].flits > longest ? repro->packet[i].flits : longest;
  if (!repro->traced || longest >= scenario->sw.packet_flits)
    return false;
  scenario->sw.packet_flits = longest;
  return true;
}

/* Makes change number `change` of the best case: a key, and after all keys the longest packet. */
static bool make(struct ut_case *repro, const struct ut_shrinker *shrinker, size_t change, unsigned attempt) {
  const struct ut_key *key = &ut_keys[change];
  if (change < ut_key_count && !is_reducible(shrinker->best.scenario, key))
    return false;
  if (!ut_case_copy(repro, &shrinker->best))
    return false;
  if (change < ut_key_count ? reduce_key(repro->scenario, key, attempt) : !attempt && reduce_longest(repro))
    return true;
  ut_case_free(repro);
  return false;
}

bool ut_reduce_keys(struct ut_shrinker *shrinker) {
  bool kept = false;
  shrinker->may_build = false;
  for (size_t change = 0; change <= ut_key_count && !ut_oracle_is_over(&shrinker->oracle); change++) {
    struct ut_case repro;
    for (unsigned attempt = 0; attempt < ATTEMPTS && make(&repro, shrinker, change, attempt); attempt++)
      if (ut_shrinker_try(shrinker, &repro)) {
        kept = true;
        break;
      }
  }
  return kept;
}

/* ---- with another elaboration */

enum { RANDOM_ATTEMPTS = 16 };

/* Tries the old packets first, then others: timing changes with the switch. */
static bool try_built(struct ut_shrinker *shrinker, struct ut_case *repro) {
  struct ut_case network;
  shrinker->may_build = true;
  const bool copied = ut_case_copy(&network, repro);
  bool kept = ut_shrinker_try(shrinker, repro);
  shrinker->may_build = false;
  if (copied && !kept)
    kept = ut_reduce_by_attempts(shrinker, &network, RANDOM_ATTEMPTS);
  ut_case_free(&network);
  return kept;
}

/* Sets every key to its smallest value, as far as such a switch exists. */
static bool reduce_all(struct ut_shrinker *shrinker) {
  struct ut_case repro, next;
  struct ut_error e;
  bool changed = false;
  if (!ut_case_copy(&repro, &shrinker->best))
    return false;
  for (size_t change = 0; change <= ut_key_count; change++) {
    if (!ut_case_copy(&next, &repro))
      break;
    const struct ut_key *key = &ut_keys[change];
    const bool other = change < ut_key_count ? is_reducible(next.scenario, key) && reduce_key(next.scenario, key, 0)
                                             : reduce_longest(&next);
    if (other && !ut_case_settle(&next, &e)) {
      ut_case_free(&repro);
      repro = next;
      changed = true;
    } else {
      ut_case_free(&next);
    }
  }
  if (changed)
    return try_built(shrinker, &repro);
  ut_case_free(&repro);
  return false;
}

bool ut_reduce_built_keys(struct ut_shrinker *shrinker) {
  bool kept = reduce_all(shrinker);
  for (size_t change = 0; !kept && change <= ut_key_count; change++) {
    struct ut_case repro;
    for (unsigned attempt = 0; attempt < ATTEMPTS && !ut_oracle_is_over(&shrinker->oracle); attempt++) {
      if (!make(&repro, shrinker, change, attempt))
        break;
      if (try_built(shrinker, &repro))
        return true;
    }
  }
  return kept;
}
