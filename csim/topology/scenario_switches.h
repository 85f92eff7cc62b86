/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_switches.h - the network and the switches of a scenario, without building the network. */
#ifndef UT_SCENARIO_SWITCHES_H
#define UT_SCENARIO_SWITCHES_H

#include <stdbool.h>

#include "algorithms.h"
#include "error.h"
#include "family.h"
#include "scenario_refusal.h"
#include "shape.h"
#include "topology.h"

struct ut_scenario;

/* Terminals and switches of the scenario's network. */
unsigned ut_scenario_terminals(const struct ut_scenario *scenario);
unsigned ut_scenario_switches(const struct ut_scenario *scenario);
/* The network's name, as in "4-ary 3-tree"; returns text. */
const char *ut_scenario_network(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]);

/* Returns whether networks of that family can use that algorithm. */
bool ut_algorithm_fits(const struct ut_algorithm *algorithm, const struct ut_family *family);
/* The scenario's algorithm; NULL when its topology has none of that name. */
const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *scenario);
/* Returns the VCs that its algorithm needs at least, one for each virtual layer included: the default of switch.vcs. */
unsigned ut_scenario_vcs_needed(const struct ut_scenario *scenario);

/* Returns how tables are updated where the scenario does not say it: safe in networks of any form, whose tables can be
 * in a deadlock together; mixed in trees, where packets that have come down never go up, whatever mixture there is. */
enum ut_update ut_scenario_usual_update(const struct ut_scenario *scenario);

/* Refuses impossible combinations of the keys of `switch:` and `routing:`.  document: the document of the scenario, to
 * name the place; NULL: the message names the key only.  Returns 0, or -1 and fills *e. */
int ut_scenario_check_shape(const struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e);
/* Returns the elaboration parameters of the scenario's switches; -1 and *e if the combination is impossible. */
int ut_scenario_shape(const struct ut_scenario *scenario, const struct ut_elaboration *sw, struct ut_shape *shape,
                      struct ut_error *e);

#endif
