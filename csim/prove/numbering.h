/* SPDX-License-Identifier: Apache-2.0 */
/* numbering.h - numbers that a paper gives to channels such that every hop leads to a higher one (dependency.h). */
#ifndef UT_NUMBERING_H
#define UT_NUMBERING_H

#include "explorer.h"

/* Returns whether the algorithm's channels have numbers. */
bool ut_channels_numbered(const struct ut_explorer *explorer);
/* Returns the number of a channel; -1: it has none. */
int64_t ut_channel_number(const struct ut_explorer *explorer, uint32_t channel);

/* Returns the same for escape channels around failed nodes, under the explorer's faults. */
bool ut_escapes_numbered(const struct ut_explorer *explorer);
int64_t ut_escape_number(const struct ut_explorer *explorer, uint32_t channel);

#endif
