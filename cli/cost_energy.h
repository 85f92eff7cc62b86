/* SPDX-License-Identifier: Apache-2.0 */
/* cost_energy.h - `uturn cost --energy`: what switches need of energy in a network, measured in lockstep. */
#ifndef UT_COST_ENERGY_H
#define UT_COST_ENERGY_H

#include "cli.h"
#include "cost_output.h"
#include "energy.h"

/* What was measured of a scenario: sums over all of its switches, and over the cycles of the window. */
struct ut_energy_run {
  bool done;
  double load, accepted;                                /* flits per cycle and terminal */
  uint64_t switches, cells, cycles, flit_hops, u_turns; /* cycles: of each switch; u_turns: of the whole run */
  double voltage;
  char liberty[64]; /* its own name */
  struct ut_energy of[UT_BLOCKS + 1];
  bool checked;
  struct ut_energy_check check; /* sums over cycles, as energies are */
};

struct ut_energy_request {
  const char *liberty, *rtl;
  unsigned workers;
  bool check; /* by OpenSTA, too */
};

/* The rows' scenarios, several side by side; their models are built first.  energy: one for each row.  Returns 0, or -1
 * after filling *e: UT_MISMATCH where netlist and golden model differ. */
int ut_energy_measure(const struct ut_energy_request *request, const struct ut_cost_table *table,
                      struct ut_energy_run *energy, struct ut_error *e);

/* pJ: of a switch in a cycle; of a flit-hop, all in; and what it costs more than a switch without traffic, whose clock
 * runs all the same. */
struct ut_energy_figures {
  double cycle, clock, internal, switching, hop, hop_above_idle;
};
struct ut_energy_figures ut_energy_figures(const struct ut_energy_run *run);

void ut_energy_print(const struct ut_cost_table *table, const struct ut_energy_run *energy, bool json);
/* Energies of a flit-hop over load, a line for each label.  0, or -1 after filling *e. */
int ut_energy_draw(const struct ut_cost_table *table, const struct ut_energy_run *energy, const char *file,
                   struct ut_error *e);

#endif
