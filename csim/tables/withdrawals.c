/* SPDX-License-Identifier: Apache-2.0 */
/* withdrawals.c - see withdrawals.h */
#include "withdrawals.h"

#include "forwarding.h"
#include "held_words.h"
#include "layout.h"

static bool differs(const struct ut_withdrawals *withdrawals, uint32_t i) {
  return ut_held_words_get(withdrawals->held, withdrawals->sw, i) !=
         ut_table_contents(ut_forwarding_word(withdrawals->forwarding, withdrawals->sw, i));
}

void ut_withdrawals_begin(struct ut_withdrawals *withdrawals, struct ut_forwarding *forwarding,
                          const struct ut_held_words *held, uint32_t sw) {
  *withdrawals = (struct ut_withdrawals){.forwarding = forwarding, .held = held, .sw = sw};
  for (uint32_t i = 0; i < forwarding->words; i++) {
    if (ut_forwarding_is_entry(forwarding, i) || !differs(withdrawals, i))
      continue;
    const uint64_t word = ut_forwarding_word(forwarding, sw, i);
    if (word && ut_config_kind(word) == UT_CONFIG_KIND_GROUP)
      withdrawals->group[ut_hop_group_number(word) / 64] |= 1ull << ut_hop_group_number(word) % 64;
    else
      withdrawals->all = true;
  }
}

/* Whether sources at the switch write another layer into headers to that destination. */
static bool changes_layer(const struct ut_withdrawals *withdrawals, uint32_t dst) {
  const struct ut_next_hops *hops = &withdrawals->forwarding->hops;
  return hops->layer && hops->layer[(size_t)withdrawals->sw * hops->destinations + dst] !=
                            hops->by->layer(hops->planner, withdrawals->sw, dst);
}

/* Whether word i, an entry of a next-hop group, changes, whatever it is now. */
static bool changes_group(const struct ut_withdrawals *withdrawals, uint32_t i) {
  const uint32_t group = ut_held_words_get(withdrawals->held, withdrawals->sw, i);
  return differs(withdrawals, i) || (withdrawals->group[group / 64] >> group % 64 & 1);
}

static bool changes_hops(const struct ut_withdrawals *withdrawals, uint32_t i) {
  const struct ut_next_hops *hops = &withdrawals->forwarding->hops;
  const uint32_t entry = i - ut_next_hops_wide_words(hops), row = entry / hops->destinations;
  bool changed = changes_group(withdrawals, i) || changes_layer(withdrawals, entry % hops->destinations);
  for (uint32_t bank = 0; row == 2 && bank < 2; bank++)
    changed |= changes_group(withdrawals, i - (2 - bank) * hops->destinations);
  return changed;
}

bool ut_withdrawals_include(const struct ut_withdrawals *withdrawals, uint32_t i) {
  if (!ut_forwarding_is_entry(withdrawals->forwarding, i) || !ut_held_words_get(withdrawals->held, withdrawals->sw, i))
    return false;
  return withdrawals->all ||
         (withdrawals->forwarding->hops.by ? changes_hops(withdrawals, i) : differs(withdrawals, i));
}

uint64_t ut_table_withdrawal(uint64_t word) {
  return ut_config_make(ut_config_dst(word), ut_config_bank(word), ut_config_in_vc(word), 0, 0, 0, 0,
                        UT_CONFIG_KIND_ENTRY, true);
}
