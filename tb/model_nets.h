/* model_nets.h - a netlist whose nets the shim can read: for counting how often each of them toggles. */
#ifndef UT_MODEL_NETS_H
#define UT_MODEL_NETS_H

#include "cache_sources.h"

/* Adds an array of 64-bit words to the netlist, registers that take over all nets, in the order of gates.h, when the
 * clock rises: what the cells have settled to until then.  The clock's bit is 0.
 * *words: how many.  Returns 0, or -1 after filling *e. */
int ut_model_nets_add(struct ut_source *netlist, unsigned *words, struct ut_error *e);

#endif
