/* SPDX-License-Identifier: Apache-2.0 */
/* mixture.h - what a switch can answer while its tables are being changed: each mixture of old and new words.
 *
 * A switch gets its words in some order, so its mixtures are those of the first words, new, and the others, old.  An
 * answer depends on few words (table_changes.h), and only their mixtures are told from each other. Without changes
 * there is one mixture.
 *
 *   ut_mixture_begin(&mixture, explorer, channel, header);
 *   do
 *     ... ask ...
 *   while (ut_mixture_next(&mixture));
 *   ut_mixture_end(&mixture);
 */
#ifndef UT_MIXTURE_H
#define UT_MIXTURE_H

#include "explorer.h"

/* Words of an answer that change. */
enum { UT_MOST_MIXED = 16 };

/* The tables of an answer. */
enum ut_tables_met { UT_MET_BOTH, UT_MET_OLD, UT_MET_NEW, UT_MET_MIXED };
extern const char *const ut_tables_met_name[]; /* by that; BOTH: "" */

struct ut_mixture {
  struct ut_explorer *explorer;
  uint32_t sw;
  unsigned words, written;                             /* the first `written` words are new */
  const struct ut_table_change *change[UT_MOST_MIXED]; /* in their order */
};

/* Puts the old words into the switch. */
void ut_mixture_begin(struct ut_mixture *mixture, struct ut_explorer *explorer, uint32_t channel, uint64_t header);
/* Puts the next mixture into the switch; false: there is none left. */
bool ut_mixture_next(struct ut_mixture *mixture);
/* Puts the new words into the switch again. */
void ut_mixture_end(struct ut_mixture *mixture);
enum ut_tables_met ut_mixture_met(const struct ut_mixture *mixture);

#endif
