/* SPDX-License-Identifier: Apache-2.0 */
/* model_sources.h - the files of ours that a model is made from: the RTL, the shim, what that includes. */
#ifndef UT_MODEL_SOURCES_H
#define UT_MODEL_SOURCES_H

#include "cache_sources.h"

/* Reads them, each once, in the order of their names.  root: of the repository, rtl: the folder of ut_switch.v. Returns
 * 0, or -1 after filling *e; free in both cases. */
int ut_model_sources_read(struct ut_sources *sources, const char *root, const char *rtl, struct ut_error *e);
/* The same for gates: netlist, and cells.v beside it, become ut_switch.v and cells.v in rtl/.  words:
 * NULL, or the nets are made countable, and this is how many words hold them (model_nets.h). */
int ut_model_sources_read_gates(struct ut_sources *sources, const char *root, const char *netlist, unsigned *words,
                                struct ut_error *e);

/* The same for gates in lanes of so many words: what slice/slice.h makes of the netlist and of cells.lib beside it, in
 * obj/, in place of the RTL. */
int ut_model_sources_read_lanes(struct ut_sources *sources, const char *root, const char *netlist, unsigned words,
                                struct ut_error *e);

#endif
