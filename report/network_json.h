/* SPDX-License-Identifier: Apache-2.0 */
/* network_json.h - a network in the form that its drawing in a browser needs: connections, names, places. */
#ifndef UT_NETWORK_JSON_H
#define UT_NETWORK_JSON_H

#include <jansson.h>

#include "network.h"

/* places: includes those of csim/draw/places.h.  NULL: out of memory. */
json_t *ut_network_json(const struct ut_network *net, bool places);
/* Returns the scenario's faults: [{"from", "until", "switch" or "channels", "name"}]. */
json_t *ut_network_faults_json(const struct ut_network *net);

/* Adds to *o the outcome of the packets (generated, injected, delivered, discarded and why, in flight, queued), and the
 * number of faults. */
void ut_put_accounts_json(json_t *o, const struct ut_network *net);

#endif
