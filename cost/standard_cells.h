/* SPDX-License-Identifier: Apache-2.0 */
/* standard_cells.h - a netlist of the cells of a Liberty file. */
#ifndef UT_STANDARD_CELLS_H
#define UT_STANDARD_CELLS_H

#include "synthesis.h"

extern const struct ut_technology ut_standard_cells;

/* Parts of scripts: makes generic gates, without encoding state machines anew or merging registers into memories' read
 * ports; maps them to cells.lib; writes models of the cells, entry/cells.v.  named: commands for the result while all
 * its nets still have all their names - lockstep looks for registers that are at the same time an output or another
 * register; or NULL.  memories: commands for memories that are to be something else than flip-flops; or NULL. */
void ut_script_synthesize(FILE *f, const struct ut_synthesis *synthesis, const char *options, const char *from,
                          const char *memories);
void ut_script_map(FILE *f, const struct ut_synthesis *synthesis, const char *named);
void ut_script_models(FILE *f);

/* The assumptions of abc and OpenSTA: the cell that drives each input, and the load of each output, in units of the
 * Liberty file. */
enum { UT_TARGET_PS = 4000 };
const char *ut_synthesis_driver(const struct ut_synthesis *synthesis);
double ut_synthesis_load(const struct ut_synthesis *synthesis);

#endif
