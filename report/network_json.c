/* SPDX-License-Identifier: Apache-2.0 */
/* network_json.c - see network_json.h */
#include "network_json.h"

#include <math.h>
#include <stdlib.h>

#include "fault_entry.h"
#include "json_text.h"
#include "outages.h"
#include "places.h"
#include "scenario_switches.h"
#include "ways.h"

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}
static void add(json_t *array, json_int_t value) {
  json_array_append_new(array, json_integer(value));
}

/* ---- places: tenths of a point, y downwards, as browsers draw */

static void add_spot(json_t *array, struct ut_spot at) {
  add(array, lround(10 * at.x));
  add(array, -lround(10 * at.y));
}

static json_t *spots(const struct ut_spot *list, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    add_spot(array, list[i]);
  return array;
}

/* x, y at the sender's box, x, y at its end, stub */
static void add_port(json_t *array, const struct ut_port_place *place) {
  add_spot(array, place->at);
  add_spot(array, place->end);
  add(array, place->stub);
}

static json_t *places_json(const struct ut_topology *topo) {
  struct ut_places places;
  if (!ut_places_init(&places, topo, false))
    return NULL;
  json_t *o = json_object(), *channels = json_array(), *words = json_array();
  for (uint32_t i = 0; i < topo->switches * topo->po; i++)
    add_port(channels, &places.port[i]);
  for (uint32_t i = 0; i < topo->terminals * topo->injections; i++)
    add_port(channels, &places.injection[i]);
  for (size_t i = 0; i < places.word_count; i++) {
    json_t *word = json_array();
    add_spot(word, places.words[i].left);
    add(word, lround(10 * places.words[i].size));
    json_array_append_new(word, json_string(places.words[i].text));
    json_array_append_new(words, word);
  }
  set(o, "box", json_pack("[i,i]", (int)lround(10 * places.box), 10 * UT_BOX_HEIGHT));
  set(o, "terminal_size", json_integer(10 * UT_TERMINAL_SIZE));
  set(o, "switches", spots(places.sw, topo->switches));
  set(o, "terminals", spots(places.terminal, topo->terminals));
  set(o, "channels", channels);
  set(o, "words", words);
  ut_places_free(&places);
  return o;
}

/* ---- topology */

/* kind, index, port of the end of each channel */
static json_t *peers(const struct ut_topology *topo) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < topo->channels; i++) {
    add(array, topo->peer[i].kind);
    add(array, topo->peer[i].index);
    add(array, topo->peer[i].port);
  }
  return array;
}

/* The directions of a switch's ports. */
static json_t *ways_of(const struct ut_topology *topo, uint32_t sw) {
  char way[UT_DIRECTION_SIZE];
  json_t *ways = json_array();
  for (unsigned port = 0; port < topo->po; port++)
    json_array_append_new(ways, json_string(ut_topology_way(topo, sw, port, way)));
  return ways;
}

/* A list of directions for all switches that have the same ports up; which of these lists each switch has. */
static void set_directions(json_t *o, const struct ut_topology *topo) {
  json_t *lists = json_array(), *list_of = json_array();
  uint32_t *first = calloc(topo->switches, sizeof *first); /* by list: a switch that has it */
  for (uint32_t sw = 0; first && sw < topo->switches; sw++) {
    size_t i = 0;
    while (i < json_array_size(lists) && ut_topology_up_ports(topo, first[i]) != ut_topology_up_ports(topo, sw))
      i++;
    if (i == json_array_size(lists)) {
      first[i] = sw;
      json_array_append_new(lists, ways_of(topo, sw));
    }
    add(list_of, i);
  }
  free(first);
  set(o, "directions", lists);
  set(o, "directions_of", list_of);
}

static void set_names(json_t *o, const struct ut_topology *topo) {
  json_t *names = json_array(), *tuples = json_array(), *levels = json_array();
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  for (uint32_t i = 0; i < topo->switches; i++) {
    json_array_append_new(names, ut_json_text(ut_topology_switch_name(topo, i, name)));
    json_array_append_new(tuples, json_string(ut_topology_switch_tuple(topo, i, tuple)));
    add(levels, topo->level[i]);
  }
  set(o, "names", names);
  set(o, "tuples", tuples);
  set(o, "levels", levels);
}

json_t *ut_network_json(const struct ut_network *net, bool places) {
  const struct ut_topology *topo = net->topology;
  char name[UT_NETWORK_NAME_SIZE];
  json_t *o = json_object();
  set(o, "name", json_string(ut_scenario_network(net->scenario, name)));
  set(o, "levelled", json_boolean(ut_levelled(topo)));
  set(o, "drawn", json_boolean(ut_places_known(topo)));
  set(o, "switches", json_integer(topo->switches));
  set(o, "terminals", json_integer(topo->terminals));
  set(o, "links", json_integer((json_int_t)topo->links));
  set(o, "ports", json_integer(topo->po));
  set(o, "injections", json_integer(topo->injections));
  set(o, "vcs", json_integer(net->v));
  /* a recording knows what is on wires; of a flit in the switch it does not know whether it is in a buffer or a
   * queue */
  set(o, "depth", json_integer(net->shape->depth + net->shape->output_depth));
  /* cycles on links, and of an idle switch: from a head's arrival until it is on the wire behind */
  set(o, "link_cycles", json_integer(net->link_cycles));
  set(o, "injection_cycles", json_integer(net->injection_cycles));
  set(o, "ejection_cycles", json_integer(net->ejection_cycles));
  if (topo->extra_cycles) { /* by channel, in addition */
    json_t *extra = json_array();
    for (uint32_t i = 0; i < topo->channels; i++)
      json_array_append_new(extra, json_integer(topo->extra_cycles[i]));
    set(o, "extra_cycles", extra);
  }
  set(o, "switch_cycles", json_integer(ut_shape_hop(net->shape)));
  set(o, "peers", peers(topo));
  set_names(o, topo);
  set_directions(o, topo);
  if (places)
    set(o, "places", places_json(topo));
  return o;
}

/* ---- faults */

json_t *ut_network_faults_json(const struct ut_network *net) {
  struct ut_outage *list;
  size_t count;
  char name[UT_OUTAGE_NAME_SIZE];
  if (!ut_outages_find(&net->faults, 0, UINT64_MAX, &list, &count))
    return NULL;
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct ut_outage *outage = &list[i];
    json_t *o = json_pack("{s:I,s:o,s:s}", "from", (json_int_t)outage->from, "until",
                          outage->until == UINT64_MAX ? json_null() : json_integer((json_int_t)outage->until), "name",
                          ut_outage_name(net->topology, outage, name));
    if (outage->kind == UT_FAULT_SWITCH) {
      set(o, "switch", json_integer(outage->sw));
    } else {
      const uint32_t twin = outage->both ? ut_topology_twin(net->topology, outage->channel) : UT_NO_CHANNEL;
      set(o, "channels",
          twin == UT_NO_CHANNEL ? json_pack("[i]", (int)outage->channel)
                                : json_pack("[i,i]", (int)outage->channel, (int)twin));
    }
    json_array_append_new(array, o);
  }
  free(list);
  return array;
}

static json_t *resends_json(const struct ut_resends *resends) {
  json_t *o = json_object();
  json_object_set_new(o, "notices", json_integer((json_int_t)resends->notices));
  json_object_set_new(o, "resent_packets", json_integer((json_int_t)resends->resent));
  json_object_set_new(o, "delivered_packets", json_integer((json_int_t)resends->delivered));
  json_object_set_new(o, "given_up_packets", json_integer((json_int_t)resends->given_up));
  json_object_set_new(o, "stopped_packets", json_integer((json_int_t)resends->stopped));
  json_object_set_new(o, "waiting_packets", json_integer((json_int_t)ut_resends_waiting(resends)));
  return o;
}

void ut_put_accounts_json(json_t *o, const struct ut_network *net) {
  const struct ut_accounts *accounts = &net->terminals.accounts;
  json_t *discarded = json_object();
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    json_object_set_new(discarded, ut_discard_name(i), json_integer((json_int_t)accounts->discarded[i]));
  json_object_set_new(o, "generated_packets", json_integer((json_int_t)accounts->generated));
  json_object_set_new(o, "injected_packets", json_integer((json_int_t)accounts->injected));
  json_object_set_new(o, "delivered_packets", json_integer((json_int_t)accounts->delivered));
  json_object_set_new(o, "discarded_packets", discarded);
  json_object_set_new(o, "faults", json_integer((json_int_t)net->faults.failures));
  json_object_set_new(o, "in_flight_packets", json_integer((json_int_t)ut_network_in_flight(net)));
  json_object_set_new(o, "queued_packets", json_integer((json_int_t)ut_terminals_queued(&net->terminals)));
  if (net->resends)
    json_object_set_new(o, "resends", resends_json(net->resends));
}
