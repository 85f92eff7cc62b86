/* SPDX-License-Identifier: Apache-2.0 */
/* energy.h - the energy of a netlist of standard cells: the toggles of its nets times the Liberty file's power.
 *
 * A toggle of an output costs the switching energy C V^2 / 2 of its load, and the internal energy of its cell; a toggle
 * of an input costs the internal energy that the cell has for it.  In every cycle the clock costs the energy of its two
 * edges at every flip-flop.  Wires have no capacitance, and there is no clock tree: netlists have neither.
 */
#ifndef UT_ENERGY_H
#define UT_ENERGY_H

#include <stdint.h>

#include "blocks.h"
#include "gates.h"
#include "liberty_power.h"

struct ut_energy_model;

/* Checks, before a switch is mapped to it, whether a Liberty file (osu018, osu035, a path; NULL: osu018) has power
 * data.  Returns 0, or -1 after filling *e. */
int ut_energy_liberty(const char *liberty, struct ut_error *e);
/* Of a netlist with cells.lib beside it (ut_block_netlist_get()).  NULL after filling *e: UT_BAD_INPUT for a Liberty
 * file without power tables. */
struct ut_energy_model *ut_energy_open(const char *netlist, struct ut_error *e);
void ut_energy_close(struct ut_energy_model *model);
size_t ut_energy_nets(const struct ut_energy_model *model);
double ut_energy_voltage(const struct ut_energy_model *model);
const char *ut_energy_library(const struct ut_energy_model *model); /* its name */

/* Of a block, or of a whole switch: energies in pJ. */
struct ut_energy {
  double clock;               /* both edges at the flip-flops, in all cycles */
  double internal, switching; /* of toggles */
  double leakage_uw;          /* of one switch */
  uint64_t cells, toggles;    /* of one switch; of outputs of cells */
};
/* Adds to of[] the energy of `cycles` cycles of switches of the netlist in which its nets toggled toggles[] times; the
 * last element is the rest. */
void ut_energy_add(const struct ut_energy_model *model, const uint64_t *toggles, uint64_t cycles,
                   struct ut_energy of[UT_BLOCKS + 1]);

/* ---- against OpenSTA ---- */

/* Energies of a cycle from its report_power, and ours for the same assumptions (docs/reference/energy.md): pJ, uW. */
struct ut_energy_check {
  double switching[2], internal[2], leakage_uw[2]; /* ours, OpenSTA's */
};
/* Runs `sta` in a temporary folder of the cache.  Returns 0, or -1 after filling the error. */
int ut_energy_check(const struct ut_energy_model *model, const uint64_t *toggles, uint64_t cycles,
                    struct ut_energy_check *check, const struct ut_caller *caller);

#endif
