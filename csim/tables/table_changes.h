/* SPDX-License-Identifier: Apache-2.0 */
/* table_changes.h - the words of the configuration port that an event changes, from one plan to the next.
 *
 * Between the two plans a switch holds some words of the old plan and some of the new one.  What it answers then
 * depends on few of them: ut_table_words_read() lists them.
 */
#ifndef UT_TABLE_CHANGES_H
#define UT_TABLE_CHANGES_H

#include "hash.h"
#include "held_words.h"

struct ut_forwarding;

struct ut_table_change {
  uint32_t sw, word;      /* word: its number, as of ut_forwarding_word() */
  uint64_t before, after; /* as they are written */
};

struct ut_table_changes {
  struct ut_table_change *change;
  uint32_t changes, room;
  uint32_t *of; /* [switches]: changes of each */
  uint32_t switches;
  struct ut_hash at; /* number of the change, by switch and word */
};

/* false: out of memory. */
bool ut_table_changes_init(struct ut_table_changes *changes, uint32_t switches);
void ut_table_changes_fini(struct ut_table_changes *changes);
/* Forgets all changes. */
void ut_table_changes_clear(struct ut_table_changes *changes);
/* Adds a word that a switch holds other than with these contents.  false: out of memory. */
bool ut_table_changes_add(struct ut_table_changes *changes, const struct ut_forwarding *forwarding, uint32_t sw,
                          uint32_t word, uint32_t contents, uint64_t after);
/* Returns the change of a word; NULL: it does not change. */
const struct ut_table_change *ut_table_changes_find(const struct ut_table_changes *changes, uint32_t sw, uint32_t word);

/* Lists the words on which the answer of a switch to a header in input VC (in_port, in_vc) can depend: the bank of the
 * port, the entries and, behind them, the groups that the entries name in the switch's contents `held` or before the
 * changes.  Returns how many. */
enum { UT_MOST_TABLE_WORDS = 64 };
unsigned ut_table_words_read(const struct ut_table_changes *changes, const struct ut_forwarding *forwarding,
                             const struct ut_held_words *held, uint32_t sw, unsigned in_port, unsigned in_vc,
                             uint64_t header, uint32_t word[UT_MOST_TABLE_WORDS]);

#endif
