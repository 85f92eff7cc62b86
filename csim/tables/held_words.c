/* SPDX-License-Identifier: Apache-2.0 */
/* held_words.c - see held_words.h */
#include "held_words.h"

#include <stdlib.h>
#include <string.h>

#include "forwarding.h"
#include "layout.h"

bool ut_held_words_init(struct ut_held_words *held, uint32_t switches, uint32_t words, uint32_t wide, unsigned bytes) {
  *held = (struct ut_held_words){.words = words,
                                 .wide = wide,
                                 .bytes = bytes,
                                 .wide_word = calloc((size_t)switches * wide + 1, sizeof *held->wide_word),
                                 .narrow_word = calloc((size_t)switches * (words - wide) + 1, bytes)};
  if (held->wide_word && held->narrow_word)
    return true;
  ut_held_words_fini(held);
  return false;
}

bool ut_held_words_of_tables(struct ut_held_words *held, const struct ut_forwarding *forwarding) {
  const uint32_t wide = forwarding->hops.by ? ut_next_hops_wide_words(&forwarding->hops) : 0;
  return ut_held_words_init(held, forwarding->topology->switches, forwarding->words, wide, forwarding->v > 1 ? 2 : 1);
}

void ut_held_words_fini(struct ut_held_words *held) {
  free(held->wide_word);
  free(held->narrow_word);
  *held = (struct ut_held_words){0};
}

uint32_t ut_table_contents(uint64_t word) {
  switch (word ? ut_config_kind(word) : UT_CONFIG_KIND_ENTRY) {
  case UT_CONFIG_KIND_GROUP: return ut_hop_group_ports(word);
  case UT_CONFIG_KIND_VCS: return ut_vc_row_ports(word);
  case UT_CONFIG_KIND_BANK: return ut_config_bank(word) | (uint32_t)ut_config_valid(word) << 1;
  default: /* one of the two is 0; without VCs each fits into a byte */
    return ut_config_group(word) | ut_config_valid(word) | (uint32_t)ut_config_port(word) << 1 |
           (uint32_t)ut_config_vc(word) << 7;
  }
}

uint64_t ut_table_word_with(uint64_t word, uint32_t contents, bool groups) {
  const uint16_t dst = (uint16_t)ut_config_dst(word);
  const uint8_t bank = (uint8_t)ut_config_bank(word), in_vc = (uint8_t)ut_config_in_vc(word);
  switch (ut_config_kind(word)) {
  case UT_CONFIG_KIND_GROUP:
    return ut_hop_group_make((uint8_t)ut_hop_group_number(word), (uint8_t)ut_hop_group_half(word), contents,
                             UT_CONFIG_KIND_GROUP, true);
  case UT_CONFIG_KIND_VCS:
    return ut_vc_row_make((uint8_t)ut_vc_row_row(word), (uint8_t)ut_vc_row_half(word), (uint8_t)ut_vc_row_vc(word),
                          contents, UT_CONFIG_KIND_VCS, true);
  case UT_CONFIG_KIND_BANK:
    return ut_config_make(0, contents & 1, 0, (uint8_t)ut_config_port(word), 0, contents >> 1 & 1, 0,
                          UT_CONFIG_KIND_BANK, true);
  default:
    if (groups)
      return ut_config_make(dst, bank, in_vc, 0, 0, 0, (uint8_t)contents, UT_CONFIG_KIND_ENTRY, true);
    return ut_config_make(dst, bank, in_vc, contents >> 1 & 63, contents >> 7 & 7, contents & 1, 0,
                          UT_CONFIG_KIND_ENTRY, true);
  }
}

static uint8_t *narrow(const struct ut_held_words *held, uint32_t sw, uint32_t i) {
  return &held->narrow_word[((size_t)sw * (held->words - held->wide) + i - held->wide) * held->bytes];
}

uint32_t ut_held_words_get(const struct ut_held_words *held, uint32_t sw, uint32_t i) {
  if (i < held->wide)
    return held->wide_word[(size_t)sw * held->wide + i];
  const uint8_t *byte = narrow(held, sw, i);
  return held->bytes > 1 ? byte[0] | (uint32_t)byte[1] << 8 : byte[0];
}

bool ut_held_words_put(struct ut_held_words *held, uint32_t sw, uint32_t i, uint32_t contents) {
  if (i < held->wide) {
    uint32_t *word = &held->wide_word[(size_t)sw * held->wide + i];
    const bool changes = *word != contents;
    *word = contents;
    return changes;
  }
  uint8_t *byte = narrow(held, sw, i);
  bool changes = false;
  for (unsigned b = 0; b < held->bytes; b++) {
    const uint8_t now = (uint8_t)(contents >> 8 * b);
    changes |= byte[b] != now;
    byte[b] = now;
  }
  return changes;
}
