/* SPDX-License-Identifier: Apache-2.0 */
/* fault_draw.h - the faults of a repetition: one order of all links, and of all switches, of a network for each seed.
 *
 * n faults are the first n of the order, so a larger number contains the smaller one.  The order depends only on the
 * seed and the number of components, so that algorithms, loads and buffers are compared under the same faults.  With a
 * fault model, orders are drawn until its algorithm accepts every number of faults of the sweep.
 */
#ifndef UT_FAULT_DRAW_H
#define UT_FAULT_DRAW_H

#include <yaml.h>

#include "sweep_file.h"

/* Appends that many faults to `faults` of the scenario `d`, whose network is that of `text`.  Returns -1 and fills *e
 * on failure. */
int ut_faults_draw(yaml_document_t *d, const char *text, size_t length, const struct ut_sweep *sweep, unsigned links,
                   unsigned switches, uint64_t seed, struct ut_error *e);

#endif
