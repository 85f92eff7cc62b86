/* SPDX-License-Identifier: Apache-2.0 */
/* withdrawals.h - which entries of a switch lead somewhere else by the present plan than by what the switch holds.
 *
 * An entry changes if its contents do.  It changes, too, if it names a next-hop group whose ports change, if the bank
 * of any input port or the VC map of its switch changes, if sources at the switch write another layer into headers to
 * its destination, and, on the adaptive VCs of a switch with an escape VC, if an entry of the escape VC changes: a
 * packet must not be left without the escape VC.
 */
#ifndef UT_WITHDRAWALS_H
#define UT_WITHDRAWALS_H

#include <stdbool.h>
#include <stdint.h>

struct ut_forwarding;
struct ut_held_words;

struct ut_withdrawals {
  struct ut_forwarding *forwarding;
  const struct ut_held_words *held;
  uint32_t sw;
  bool all;          /* entries of the switch, because a bank or the VC map changes */
  uint64_t group[4]; /* next-hop groups that change, as a set */
};

/* Compares the words of a switch that are no entries. */
void ut_withdrawals_begin(struct ut_withdrawals *withdrawals, struct ut_forwarding *forwarding,
                          const struct ut_held_words *held, uint32_t sw);

/* Whether the switch has an entry in word i, which is not empty, and it changes. */
bool ut_withdrawals_include(const struct ut_withdrawals *withdrawals, uint32_t i);

/* Returns the word that empties the entry that `word` writes. */
uint64_t ut_table_withdrawal(uint64_t word);

#endif
