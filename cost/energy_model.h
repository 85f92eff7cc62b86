/* SPDX-License-Identifier: Apache-2.0 */
/* energy_model.h - the inside of struct ut_energy_model; only for this room. */
#ifndef UT_ENERGY_MODEL_H
#define UT_ENERGY_MODEL_H

#include "energy.h"

/* The assumptions of abc, and of timing: the load of an output port, the cell that drives an input port, and the slew
 * of the clock at a flip-flop, which a clock tree would determine. */
#define UT_ENERGY_PORT_PF 0.05
#define UT_ENERGY_CLOCK_NS 0.1

struct ut_energy_net {
  double load[UT_EDGES]; /* pins and output ports, pF */
  double slew[UT_EDGES]; /* ns */
  uint32_t driver;       /* cell; UINT32_MAX: an input port */
};

struct ut_energy_model {
  struct ut_gates gates;
  struct ut_liberty_power library;
  const struct ut_power_cell **kind;  /* [gates] */
  const struct ut_power_pin **pin;    /* [gates.pins] */
  struct ut_energy_net *net;          /* [gates.nets] */
  uint32_t clock;                     /* net */
  const struct ut_power_cell *driver; /* of input ports */
  char *text, *name;                  /* the Liberty file; of the library */
};

/* Returns the load for power tables and switching energy: of the worse edge, as in OpenSTA. */
double ut_energy_load(const struct ut_energy_net *net);
/* Energy of a toggle, the mean of both edges: of a group of a pin of a cell, caused by its related pin.  same_edge: its
 * slew is that of the same edge, whatever the cell inverts. */
double ut_energy_of_group(const struct ut_energy_model *model, const struct ut_gate *gate, size_t pin,
                          const struct ut_power_group *group, bool same_edge);
/* The net of a cell's pin of that name; UT_GATE_CONSTANT: none. */
uint32_t ut_energy_net_at(const struct ut_energy_model *model, const struct ut_gate *gate, const char *pin);

#endif
