/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_switches.h - the network and the switches that a scenario asks for, without building the network. */
#ifndef UT_SCENARIO_SWITCHES_H
#define UT_SCENARIO_SWITCHES_H

#include <stdbool.h>

#include "algorithms.h"
#include "error.h"
#include "family.h"
#include "scenario.h"
#include "scenario_refusal.h"
#include "shape.h"
#include "topology.h"

/* Terminals and switches of the scenario's network. */
unsigned ut_scenario_terminals(const struct ut_scenario *s);
unsigned ut_scenario_switches(const struct ut_scenario *s);
/* The network's name, as in "4-ary 3-tree"; returns text. */
const char *ut_scenario_network(const struct ut_scenario *s, char text[UT_NETWORK_NAME_SIZE]);

/* Whether networks of that family can have that algorithm. */
bool ut_algorithm_fits(const struct ut_algorithm *a, const struct ut_family *family);
/* The scenario's algorithm; NULL when its topology has none of that name. */
const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *s);
/* The VCs that its algorithm cannot do without, one for each virtual layer among them: the default of switch.vcs. */
unsigned ut_scenario_vcs_needed(const struct ut_scenario *s);

/* Refuses what the keys of `switch:` and `routing:` make impossible.  d: the document of the scenario, to name the
 * place; NULL: the message names the key only.  0, or -1 and *e. */
int ut_scenario_check_shape(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e);
/* Elaboration parameters of the switches that the scenario asks for.  -1 and *e when the combination is impossible. */
int ut_scenario_shape(const struct ut_scenario *s, const struct ut_elaboration *sw, struct ut_shape *shape,
                      struct ut_error *e);

#endif
