/* SPDX-License-Identifier: Apache-2.0 */
/* table_changes.c - see table_changes.h */
#include "table_changes.h"

#include <stdlib.h>

#include "forwarding.h"
#include "layout.h"
#include "reserve.h"

bool ut_table_changes_init(struct ut_table_changes *changes, uint32_t switches) {
  *changes = (struct ut_table_changes){.switches = switches, .of = calloc(switches, sizeof *changes->of)};
  ut_hash_clear(&changes->at);
  return changes->of != NULL;
}

void ut_table_changes_fini(struct ut_table_changes *changes) {
  free(changes->change);
  free(changes->of);
  ut_hash_free(&changes->at);
  *changes = (struct ut_table_changes){0};
}

void ut_table_changes_clear(struct ut_table_changes *changes) {
  for (uint32_t i = 0; i < changes->changes; i++)
    changes->of[changes->change[i].sw] = 0;
  changes->changes = 0;
  ut_hash_clear(&changes->at);
}

static uint64_t key_of(uint32_t sw, uint32_t word) {
  return (uint64_t)sw << 32 | word;
}

bool ut_table_changes_add(struct ut_table_changes *changes, const struct ut_forwarding *forwarding, uint32_t sw,
                          uint32_t word, uint32_t contents, uint64_t after) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&changes->at, key_of(sw, word), &fresh);
  if (!entry || !ut_reserve_one(&changes->change, sizeof *changes->change, changes->changes, &changes->room))
    return false;
  entry->value = changes->changes;
  const uint64_t before = ut_table_word_with(after, contents, forwarding->hops.by != NULL);
  changes->change[changes->changes++] = (struct ut_table_change){sw, word, before, after};
  changes->of[sw]++;
  return true;
}

const struct ut_table_change *ut_table_changes_find(const struct ut_table_changes *changes, uint32_t sw,
                                                    uint32_t word) {
  if (!changes->changes)
    return NULL;
  const struct ut_hash_entry *entry = ut_hash_slot(&changes->at, key_of(sw, word));
  return entry->generation == changes->at.generation ? &changes->change[entry->value] : NULL;
}

/* ---- what an answer depends on */

/* The group that an entry named before the changes. */
static unsigned group_before(const struct ut_table_changes *changes, const struct ut_held_words *held, uint32_t sw,
                             uint32_t word) {
  const struct ut_table_change *change = ut_table_changes_find(changes, sw, word);
  return change ? ut_config_group(change->before) : ut_held_words_get(held, sw, word);
}

unsigned ut_table_words_read(const struct ut_table_changes *changes, const struct ut_forwarding *forwarding,
                             const struct ut_held_words *held, uint32_t sw, unsigned in_port, unsigned in_vc,
                             uint64_t header, uint32_t word[UT_MOST_TABLE_WORDS]) {
  const unsigned dst = ut_header_dst(header);
  unsigned count = 0;
  if (!forwarding->hops.by) {
    word[count++] = forwarding->entries + in_port;
    for (unsigned bank = 0; bank < 2; bank++)
      word[count++] = ut_forwarding_at(forwarding, bank, in_vc, dst);
    return count;
  }
  const struct ut_next_hops *hops = &forwarding->hops;
  word[count++] = ut_next_hops_bank_at(hops, in_port);
  for (unsigned row = 0; row < hops->rows; row++)
    word[count++] = ut_next_hops_entry_at(hops, row, dst);
  const unsigned via = ut_rt_graph_via(ut_header_rt(header));
  if (hops->by == &ut_next_hops_via && via < hops->destinations)
    word[count++] = ut_next_hops_entry_at(hops, 1, via);
  const unsigned entries = count;
  for (unsigned i = 1; i < entries; i++)
    for (unsigned half = 0; half < ut_next_hops_halves(hops); half++)
      word[count++] = group_before(changes, held, sw, word[i]) * ut_next_hops_halves(hops) + half;
  return count;
}
