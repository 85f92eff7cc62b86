/* SPDX-License-Identifier: Apache-2.0 */
/* network_json.c - see network_json.h */
#include "network_json.h"

#include <math.h>
#include <stdlib.h>

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
static void add_port(json_t *array, const struct ut_port_place *p) {
  add_spot(array, p->at);
  add_spot(array, p->end);
  add(array, p->stub);
}

static json_t *places_json(const struct ut_topology *t) {
  struct ut_places p;
  if (!ut_places_init(&p, t, false))
    return NULL;
  json_t *o = json_object(), *channels = json_array(), *words = json_array();
  for (uint32_t i = 0; i < t->switches * t->po; i++)
    add_port(channels, &p.port[i]);
  for (uint32_t i = 0; i < t->terminals * t->injections; i++)
    add_port(channels, &p.injection[i]);
  for (size_t i = 0; i < p.word_count; i++) {
    json_t *word = json_array();
    add_spot(word, p.words[i].left);
    add(word, lround(10 * p.words[i].size));
    json_array_append_new(word, json_string(p.words[i].text));
    json_array_append_new(words, word);
  }
  set(o, "box", json_pack("[i,i]", (int)lround(10 * p.box), 10 * UT_BOX_HEIGHT));
  set(o, "terminal_size", json_integer(10 * UT_TERMINAL_SIZE));
  set(o, "switches", spots(p.sw, t->switches));
  set(o, "terminals", spots(p.terminal, t->terminals));
  set(o, "channels", channels);
  set(o, "words", words);
  ut_places_free(&p);
  return o;
}

/* ---- topology */

/* kind, index, port of the end of each channel */
static json_t *peers(const struct ut_topology *t) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < t->channels; i++) {
    add(array, t->peer[i].kind);
    add(array, t->peer[i].index);
    add(array, t->peer[i].port);
  }
  return array;
}

static void set_names(json_t *o, const struct ut_topology *t) {
  json_t *names = json_array(), *tuples = json_array(), *levels = json_array(), *ways = json_array();
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  for (uint32_t i = 0; i < t->switches; i++) {
    json_array_append_new(names, json_string(ut_topology_switch_name(t, i, name)));
    json_array_append_new(tuples, json_string(ut_topology_switch_tuple(t, i, tuple)));
    add(levels, t->level[i]);
  }
  for (unsigned port = 0; port < t->po; port++)
    json_array_append_new(ways, json_string(ut_topology_direction(t, port, way)));
  set(o, "names", names);
  set(o, "tuples", tuples);
  set(o, "levels", levels);
  set(o, "directions", ways);
}

json_t *ut_network_json(const struct ut_network *n, bool places) {
  const struct ut_topology *t = &n->topology;
  char name[UT_NETWORK_NAME_SIZE];
  json_t *o = json_object(), *up = json_array();
  for (unsigned port = 0; port < t->po; port++)
    if (t->up_ports >> port & 1)
      add(up, port);
  set(o, "name", json_string(ut_scenario_network(n->scenario, name)));
  set(o, "levelled", json_boolean(ut_levelled(t)));
  set(o, "switches", json_integer(t->switches));
  set(o, "terminals", json_integer(t->terminals));
  set(o, "links", json_integer((json_int_t)t->links));
  set(o, "ports", json_integer(t->po));
  set(o, "injections", json_integer(t->injections));
  set(o, "vcs", json_integer(n->v));
  /* a recording has what is on wires: of a flit in the switch it does not tell whether it is in a buffer or a queue */
  set(o, "depth", json_integer(n->shape->depth + n->shape->output_depth));
  /* cycles on links, and of an idle switch: from a head's arrival until it is on the wire behind */
  set(o, "link_cycles", json_integer(n->link_cycles));
  set(o, "injection_cycles", json_integer(n->injection_cycles));
  set(o, "ejection_cycles", json_integer(n->ejection_cycles));
  set(o, "switch_cycles", json_integer(ut_shape_hop(n->shape)));
  set(o, "up_ports", up);
  set(o, "peers", peers(t));
  set_names(o, t);
  if (places)
    set(o, "places", places_json(t));
  return o;
}

/* ---- faults */

json_t *ut_network_faults_json(const struct ut_network *n) {
  struct ut_outage *list;
  size_t count;
  char name[UT_OUTAGE_NAME_SIZE];
  if (!ut_outages_find(&n->faults, 0, UINT64_MAX, &list, &count))
    return NULL;
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct ut_outage *f = &list[i];
    json_t *o = json_pack("{s:I,s:o,s:s}", "from", (json_int_t)f->from, "until",
                          f->until == UINT64_MAX ? json_null() : json_integer((json_int_t)f->until), "name",
                          ut_outage_name(&n->topology, f, name));
    if (f->kind == UT_FAULT_SWITCH) {
      set(o, "switch", json_integer(f->sw));
    } else {
      const uint32_t twin = f->both ? ut_topology_twin(&n->topology, f->channel) : UT_NO_CHANNEL;
      set(o, "channels",
          twin == UT_NO_CHANNEL ? json_pack("[i]", (int)f->channel) : json_pack("[i,i]", (int)f->channel, (int)twin));
    }
    json_array_append_new(array, o);
  }
  free(list);
  return array;
}

void ut_put_accounts_json(json_t *o, const struct ut_network *n) {
  const struct ut_accounts *a = &n->terminals.accounts;
  json_t *discarded = json_object();
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    json_object_set_new(discarded, ut_discard_name(i), json_integer((json_int_t)a->discarded[i]));
  json_object_set_new(o, "generated_packets", json_integer((json_int_t)a->generated));
  json_object_set_new(o, "injected_packets", json_integer((json_int_t)a->injected));
  json_object_set_new(o, "delivered_packets", json_integer((json_int_t)a->delivered));
  json_object_set_new(o, "discarded_packets", discarded);
  json_object_set_new(o, "faults", json_integer((json_int_t)n->faults.failures));
  json_object_set_new(o, "in_flight_packets", json_integer((json_int_t)ut_network_in_flight(n)));
  json_object_set_new(o, "queued_packets", json_integer((json_int_t)ut_terminals_queued(&n->terminals)));
}
