/* SPDX-License-Identifier: Apache-2.0 */
/* mixture.c - see mixture.h */
#include "mixture.h"

#include <string.h>

const char *const ut_tables_met_name[] = {"", "old", "new", "mixed"};

static void write(const struct ut_mixture *mixture, uint64_t word) {
  const struct ut_group *group = ut_explorer_group(mixture->explorer, mixture->sw);
  ut_switch_configure(group, ut_switch_of(group, mixture->sw), word);
}

/* Writes the first `written` words, and the old ones in place of the others. */
static void write_all(const struct ut_mixture *mixture) {
  for (unsigned i = 0; i < mixture->words; i++)
    write(mixture, i < mixture->written ? mixture->change[i]->after : mixture->change[i]->before);
}

/* Adds a word, in the order in which they are written: that of the list of changes. */
static void add(struct ut_mixture *mixture, const struct ut_table_change *change) {
  unsigned at = 0;
  while (at < mixture->words && mixture->change[at] < change)
    at++;
  if (at < mixture->words && mixture->change[at] == change)
    return;
  if (mixture->words == UT_MOST_MIXED) {
    mixture->explorer->bad_memory = true;
    return;
  }
  memmove(&mixture->change[at + 1], &mixture->change[at], (mixture->words - at) * sizeof *mixture->change);
  mixture->change[at] = change;
  mixture->words++;
}

/* Collects the words of the answer that change. */
static void collect(struct ut_mixture *mixture, uint32_t channel, uint64_t header) {
  struct ut_explorer *explorer = mixture->explorer;
  const struct ut_channel *chan = &explorer->channel[channel];
  uint32_t word[UT_MOST_TABLE_WORDS];
  const unsigned count = ut_table_words_read(explorer->changes, &explorer->forwarding, &explorer->held, chan->sw,
                                             chan->port, chan->vc, header, word);
  for (unsigned i = 0; i < count; i++) {
    const struct ut_table_change *change = ut_table_changes_find(explorer->changes, chan->sw, word[i]);
    if (change)
      add(mixture, change);
  }
}

void ut_mixture_begin(struct ut_mixture *mixture, struct ut_explorer *explorer, uint32_t channel, uint64_t header) {
  *mixture = (struct ut_mixture){.explorer = explorer, .sw = explorer->channel[channel].sw};
  if (!explorer->changes || !explorer->changes->of[mixture->sw])
    return;
  collect(mixture, channel, header);
  write_all(mixture);
}

bool ut_mixture_next(struct ut_mixture *mixture) {
  if (mixture->written == mixture->words)
    return false;
  mixture->written++;
  write_all(mixture);
  return true;
}

void ut_mixture_end(struct ut_mixture *mixture) {
  mixture->written = mixture->words;
  write_all(mixture);
}

enum ut_tables_met ut_mixture_met(const struct ut_mixture *mixture) {
  if (!mixture->words)
    return UT_MET_BOTH;
  return !mixture->written ? UT_MET_OLD : mixture->written == mixture->words ? UT_MET_NEW : UT_MET_MIXED;
}
