/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - short names of results and axes: "load" for "traffic.load_flits_per_cycle", "latency.mean" for
 * "latency_cycles.mean", "throughput".
 *
 * A short name has the last parts of the full one, each the part itself or its beginning before an underscore.
 */
#ifndef UT_NAMES_H
#define UT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

bool ut_name_fits(const char *name, const char *word);

/* The one of names[0..count) that `word` says: itself, or the only one that it fits.  count: it is none; *e (or NULL)
 * then names those that it fits, or the nearest ones. */
size_t ut_name_find(const char *const *names, size_t count, const char *word, struct ut_error *e);

#endif
