/* SPDX-License-Identifier: Apache-2.0 */
/* model_sources.h - our files from which a model is made: the RTL, the shim, and the files that they include. */
#ifndef UT_MODEL_SOURCES_H
#define UT_MODEL_SOURCES_H

#include "cache_sources.h"

/* Reads the sources, each once, in the order of their names.  root: of the repository; rtl: the folder of ut_switch.v.
 * Returns 0, or -1 after filling *e; to be freed in both cases. */
int ut_model_sources_read(struct ut_sources *sources, const char *root, const char *rtl, struct ut_error *e);
/* Does the same for gates: the netlist, and cells.v next to it, become ut_switch.v and cells.v in rtl/.  words: NULL,
 * or the nets are made countable and *words receives how many words hold them (model_nets.h). */
int ut_model_sources_read_gates(struct ut_sources *sources, const char *root, const char *netlist, unsigned *words,
                                struct ut_error *e);

/* Does the same for gates in lanes of `words` words: what slice/slice.h makes of the netlist and of cells.lib next to
 * it, in obj/, replaces the RTL. */
int ut_model_sources_read_lanes(struct ut_sources *sources, const char *root, const char *netlist, unsigned words,
                                struct ut_error *e);

#endif
