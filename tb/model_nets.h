/* SPDX-License-Identifier: Apache-2.0 */
/* model_nets.h - a netlist whose nets the shim can read: registers, to compare them; all, to count how often each of
 * them toggles. */
#ifndef UT_MODEL_NETS_H
#define UT_MODEL_NETS_H

#include "cache_sources.h"

/* Makes the registers of a netlist, wires whose names have a part that ends in _q, visible to the shim.  Returns 0, or
 * -1 after filling *e. */
int ut_model_nets_show_registers(struct ut_source *netlist, struct ut_error *e);

/* Adds an array of 64-bit words to the netlist, registers that take over all nets, in the order of gates.h, when the
 * clock rises: what the cells have settled to until then.  The clock's bit is 0.
 * *words: how many.  Returns 0, or -1 after filling *e. */
int ut_model_nets_add(struct ut_source *netlist, unsigned *words, struct ut_error *e);

#endif
