/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - which cover points a network has hit (spec/cover_points.tsv, docs/reference/coverage.md).
 *
 * The spec counts them, so it must step the switches or check them (ut_network_use_spec()); points of the accounts are
 * read from them.
 *
 *   ut_network_use_spec(n, UT_SPEC_STEPS) && ut_coverage_start(n)     before the first cycle
 *   ...
 *   uint64_t hits[SPEC_COVER_POINTS];
 *   ut_coverage_read(n, hits);
 *   for (unsigned p = 0; p < SPEC_COVER_POINTS; p++)
 *     if (!hits[p] && ut_coverage_applies(n->scenario, n->shape, n->topology->elaborations, p))
 *       ... spec_cover_texts[p].name has been missed
 */
#ifndef UT_COVERAGE_H
#define UT_COVERAGE_H

#include "network.h"

/* Counts from now on, until another use of the spec begins.  Returns false when out of memory. */
bool ut_coverage_start(struct ut_network *net);
/* Writes the hits of each point so far, by enum spec_cover_point, summed over all switches. */
void ut_coverage_read(const struct ut_network *net, uint64_t hits[SPEC_COVER_POINTS]);

/* Returns whether a run of the scenario, whose switches have one of these shapes (ut_scenario_elaborations()), has what
 * the point requires: the algorithm, the parameters, faults of that kind within its time.  The traffic, or the places
 * of the faults, may still miss it. */
bool ut_coverage_applies(const struct ut_scenario *scenario, const struct ut_shape *shape, unsigned shapes,
                         enum spec_cover_point point);

/* A word of the column `where` of the table. */
struct ut_coverage_word {
  const char *name, *meaning;
  bool (*holds)(const struct ut_scenario *s, const struct ut_shape *shape);
};
extern const struct ut_coverage_word ut_coverage_words[];
extern const size_t ut_coverage_word_count;
/* Returns a word of the table that is none of these, nor FAMILY:ALGORITHM with * for any letters; NULL: all are
 * known. */
const char *ut_coverage_unknown_word(void);

#endif
