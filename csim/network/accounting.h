/* SPDX-License-Identifier: Apache-2.0 */
/* accounting.h - counts where every packet is: injected = delivered + discarded[reason] + in flight, in every cycle.
 *
 * A packet is where its head is: in a buffer, on a wire, or at the terminal that waits for its tail.  A packet that is
 * cut continues as its front part; it counts as discarded when the terminal has received the `bad` tail, or when the
 * head itself is lost.
 */
#ifndef UT_ACCOUNTING_H
#define UT_ACCOUNTING_H

#include <stdint.h>

enum ut_discard_reason {
  UT_DISCARD_CUT_BY_FAULT,
  UT_DISCARD_IN_FAILED_SWITCH,
  UT_DISCARD_UNREACHABLE,
  UT_DISCARD_PURGED, /* the manager ordered a purge: purge_protocol.h */
  UT_DISCARD_REASONS
};

struct ut_accounts {
  uint64_t generated, injected, delivered, discarded[UT_DISCARD_REASONS], corrupt;
  uint64_t injected_flits, delivered_flits;
  uint64_t latency; /* sum, over all delivered packets, of the cycles since their generation */
};

/* "cut_by_fault", ... */
const char *ut_discard_name(enum ut_discard_reason reason);

/* All members are of one type, so that accounts can be added as arrays. */
enum { UT_ACCOUNTS = sizeof(struct ut_accounts) / sizeof(uint64_t) };
static inline void ut_accounts_add(struct ut_accounts *to, const struct ut_accounts *what) {
  for (unsigned i = 0; i < UT_ACCOUNTS; i++)
    ((uint64_t *)to)[i] += ((const uint64_t *)what)[i];
}

static inline uint64_t ut_accounts_discarded(const struct ut_accounts *accounts) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    sum += accounts->discarded[i];
  return sum;
}

#endif
