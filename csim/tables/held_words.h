/* SPDX-License-Identifier: Apache-2.0 */
/* held_words.h - what the words of the configuration port have written to each switch, so that only what changes is
 * written again.
 *
 * A network of 65,536 terminals has some 10^9 entries, so one takes a byte, or two where it names a VC as well.
 */
#ifndef UT_HELD_WORDS_H
#define UT_HELD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ut_forwarding;

struct ut_held_words {
  uint32_t words, wide; /* of a switch; the first `wide` of them have 32 bits */
  unsigned bytes;       /* of each of the others */
  uint32_t *wide_word;  /* [switches * wide] */
  uint8_t *narrow_word; /* [switches * (words - wide) * bytes] */
};

/* Nothing has been written: all contents are 0.  wide: words of 32 bits, the first ones.  false: out of memory. */
bool ut_held_words_init(struct ut_held_words *held, uint32_t switches, uint32_t words, uint32_t wide, unsigned bytes);
/* The same for the words of forwarding tables (forwarding.h). */
bool ut_held_words_of_tables(struct ut_held_words *held, const struct ut_forwarding *forwarding);
void ut_held_words_fini(struct ut_held_words *held);

/* Returns the contents of a word of a forwarding table (`config`, `hop_group` of rtl/header.tsv): it without its
 * address. */
uint32_t ut_table_contents(uint64_t word);

/* Returns a word with other contents; groups: entries name next-hop groups. */
uint64_t ut_table_word_with(uint64_t word, uint32_t contents, bool groups);

/* Returns the contents of word i of a switch. */
uint32_t ut_held_words_get(const struct ut_held_words *held, uint32_t sw, uint32_t i);

/* Keeps the contents of word i of a switch; returns whether they are others than before. */
bool ut_held_words_put(struct ut_held_words *held, uint32_t sw, uint32_t i, uint32_t contents);

#endif
