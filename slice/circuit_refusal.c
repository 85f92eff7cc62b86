/* SPDX-License-Identifier: Apache-2.0 */
/* circuit_refusal.c - why a netlist cannot run in lanes: see circuit.h */
#include "circuit.h"

int ut_circuit_refuse(const char *path, const struct ut_gate *gate, const char *what, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT,
                 "%.900s: cell %.200s is a %.100s, %s: it cannot run in lanes; take other cells, or in a lockstep "
                 "`--engine verilator`",
                 path, gate->name, gate->type, what);
}
