/* SPDX-License-Identifier: Apache-2.0 */
/* pnr.h - places and routes a switch on a chip: its longest path with the wires.
 *
 * A switch has more ports than a chip has pins.  So its inputs are driven by a shift register that one pin fills, and
 * its outputs go through XORs into another one that ends at a pin: registers of the wrapper, one for each bit of a
 * port.  They are subtracted.
 */
#ifndef UT_PNR_H
#define UT_PNR_H

#include <jansson.h>

#include "fpga.h"
#include "timing.h"

struct ut_placement {
  unsigned cells, pins, available; /* logic cells: of the switch, of the wrapper, on the chip */
  bool fits;
  struct ut_timing timing; /* where it fits: the longest path, of those that end in the switch or its wrapper */
  double wires_ns;         /* the part of it that is routing */
};

enum { UT_PNR_SEED = 1 };

/* The wrapper around the module ut_switch of a netlist, as Verilog (malloc'd), with its number of registers.  NULL: out
 * of memory. */
char *ut_pnr_wrapper(const struct ut_chip *chip, json_t *module, unsigned *pins);
/* Text for a key: everything, beside netlist and tool, that determines the result. */
void ut_pnr_key(XXH3_state_t *h, const struct ut_chip *chip);
/* Packs the switch of an entry, and places and routes it when it fits, in the temporary folder of the claimed entry
 * `n`. Returns 0, or -1 after filling the error; free in both cases. */
int ut_pnr_run(struct ut_placement *placement, const struct ut_synthesis *synthesis, const char *tool, json_t *module,
               const struct ut_entry *entry, const struct ut_caller *caller);
void ut_pnr_free(struct ut_placement *placement);

/* Reads the report of a routed design; module: the netlist, for the registers' names.  0, or -1: there is no path. */
int ut_pnr_parse(struct ut_placement *placement, const struct ut_chip *chip, json_t *report, json_t *module);

#endif
