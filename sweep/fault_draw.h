/* SPDX-License-Identifier: Apache-2.0 */
/* fault_draw.h - the faults of a repetition: one order of all links, and of all switches, of a network for each seed.
 *
 * n faults are the first n of it: more faults are the same ones and others.  The order depends on nothing but the seed
 * and how many components there are, so that algorithms, loads and buffers are compared with the same faults.  With a
 * fault model, orders are drawn until its algorithm takes every number of faults that the sweep has.
 */
#ifndef UT_FAULT_DRAW_H
#define UT_FAULT_DRAW_H

#include <yaml.h>

#include "sweep_file.h"

/* Appends so many faults to `faults` of the scenario `d`, whose network is that of `text`.  -1 and *e on failure. */
int ut_faults_draw(yaml_document_t *d, const char *text, size_t length, const struct ut_sweep *sweep, unsigned links,
                   unsigned switches, uint64_t seed, struct ut_error *e);

#endif
