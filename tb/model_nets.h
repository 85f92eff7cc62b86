/* SPDX-License-Identifier: Apache-2.0 */
/* model_nets.h - makes nets of a netlist readable by the shim: registers, to compare them; or all nets, to count their
 * toggles. */
#ifndef UT_MODEL_NETS_H
#define UT_MODEL_NETS_H

#include "cache_sources.h"

/* Makes the registers of a netlist, wires whose names have a part that ends in _q, visible to the shim.  Returns 0, or
 * -1 after filling *e. */
int ut_model_nets_show_registers(struct ut_source *netlist, struct ut_error *e);

/* Adds an array of 64-bit words to the netlist: registers that sample all nets, in the order of gates.h, at the rising
 * clock edge, when the cells have settled.  The bit of the clock itself is 0.  *words: the length of the array.
 * Returns 0, or -1 after filling *e. */
int ut_model_nets_add(struct ut_source *netlist, unsigned *words, struct ut_error *e);

#endif
