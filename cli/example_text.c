/* SPDX-License-Identifier: Apache-2.0 */
/* example_text.c - see example_text.h */
#include "example_text.h"

#include <inttypes.h>

#include "journey.h"
#include "link_classes.h"
#include "mixture.h"
#include "ways.h"

#define STEP                                                                                                           \
  "    {_number:2d}  {_place:-6s} from {_from}port {in_port} VC {in_vc}{?_rewrites}, rt {rt}{/}{?_vector}, vector "    \
  "{_vector}{/}{_to}{?tables}; {tables} table{/}\n"
#define WAITING "        packet from {source} to {destination}\n" STEP

const char ut_example_layout[] =
    "\n{?_separated}separated{:}counter-example{/}: {_title}\n"
    "{?_event}  {_event}\n{/}"
    "  faults: {?faults}{#faults}{_text}{; }{/}{:}none{/}\n"
    "{?cycle}"
    "  cycle of {_steps} {?_set}channels, in a set of {waiting_channels} that wait for nothing else{:}"
    "{?_rings}rings, a packet of each that waits for the next one{:}channels{/}{/}:\n"
    "{#cycle}" WAITING "{/}{?_more}"
    "  the others of the set:\n"
    "{#_more}" WAITING "{/}{/}{:}"
    "  packet from {source} to {destination}{?_steps}:{:}: its source discards it{/}\n"
    "{#_walk}" STEP "{/}{?_loop}"
    "        and so on from step {_loop}\n"
    "{/}{?_numbering}"
    "        channel number {_numbering}\n"
    "{/}{/}";

static json_t *link_json(const struct ut_topology *topo, uint32_t link) {
  const uint32_t channel = ut_link_channel(topo, link);
  const struct ut_peer from = ut_topology_sender(topo, channel), *to = &topo->peer[channel];
  const struct ut_outage outage = ut_outage_of_link(topo, link);
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE], text[UT_OUTAGE_NAME_SIZE];
  if (from.kind == UT_PEER_TERMINAL || to->kind == UT_PEER_TERMINAL) {
    const struct ut_peer *end = from.kind == UT_PEER_TERMINAL ? &from : to;
    return UT_OBJECT({end == to ? "ejection" : "injection",
                      UT_OBJECT({"terminal", ut_int(end->index)}, {"link", ut_int(end->port)})},
                     {"_text", ut_string(ut_outage_name(topo, &outage, text))});
  }
  const struct ut_link *cable = &topo->link[link];
  ut_topology_switch_name(topo, cable->lower, name);
  ut_topology_switch_name(topo, cable->upper, other);
  return UT_OBJECT({"link", UT_OBJECT({"level", ut_int(topo->level[from.index])},
                                      {"switch", ut_int(topo->position[from.index])}, {"port", ut_int(from.port)})},
                   /* of one direction: there may be another one beside it */
                   {"_text", topo->bidirectional ? ut_format("link %s-%s", name, other)
                                                 : ut_format("link %s-%s, port %u", name, other, cable->lower_port)});
}

static json_t *faults_json(const struct ut_topology *topo, const struct ut_fault_set *set) {
  char name[UT_SWITCH_NAME_SIZE];
  json_t *list = json_array();
  for (unsigned i = 0; i < set->links; i++)
    json_array_append_new(list, link_json(topo, set->link[i]));
  for (unsigned i = 0; i < set->switches; i++)
    json_array_append_new(
        list, UT_OBJECT({"switch", UT_OBJECT({"level", ut_int(topo->level[set->sw[i]])},
                                             {"switch", ut_int(topo->position[set->sw[i]])})},
                        {"_text", ut_format("switch %s", ut_topology_switch_name(topo, set->sw[i], name))}));
  return list;
}

/* What happens in a transition: the faults that come or go. */
static json_t *event_text(const struct ut_topology *topo, const struct ut_counter_example *example) {
  const bool repair = example->before.links + example->before.switches > example->set.links + example->set.switches;
  json_t *all = faults_json(topo, repair ? &example->before : &example->set),
         *known = faults_json(topo, repair ? &example->set : &example->before);
  char text[512] = "";
  size_t index, other, used = 0;
  json_t *fault, *old;
  json_array_foreach(all, index, fault) {
    bool there = false;
    json_array_foreach(known, other, old) there |= json_equal(fault, old);
    if (!there && used < sizeof text)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? "; " : "",
                               json_string_value(json_object_get(fault, "_text")));
  }
  json_decref(all), json_decref(known);
  return ut_format("event:  %s %s", text, repair ? "comes back" : "fails");
}

/* ---- steps */

/* Where a packet has come from. */
static const char *arrival_text(const struct ut_explorer *explorer, const struct ut_step *step) {
  if (ut_explorer_feeder(explorer, step->sw, step->in_port).kind == UT_PEER_TERMINAL)
    return "the terminal at ";
  if (!ut_levelled(explorer->topology))
    return "";
  return step->from_above ? "above, " : "below, ";
}

/* A switch, with its coordinates where it has such. */
enum { PLACE_SIZE = UT_SWITCH_NAME_SIZE + UT_SWITCH_TUPLE_SIZE };
static const char *place_text(const struct ut_explorer *explorer, uint32_t sw, char text[PLACE_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  const bool coordinates = ut_has_coordinates(explorer->topology);
  ut_topology_switch_name(explorer->topology, sw, name);
  snprintf(text, PLACE_SIZE, "%s%s%s", name, coordinates ? " " : "",
           coordinates ? ut_topology_switch_tuple(explorer->topology, sw, tuple) : "");
  return text;
}

/* Output VCs that the route function offers, those under the bubble rule marked. */
static json_t *offered_text(const struct ut_explorer *explorer, const struct ut_step *step) {
  char text[1024] = "nothing";
  size_t used = 0;
  for (unsigned v = 0; v < explorer->v; v++)
    UT_FOR_EACH (port, step->cand[v])
      if (used < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, "%sport %u VC %u%s", used ? ", " : "", (unsigned)port,
                                 v, step->bubble[v] & ut_bit(port) ? " (bubble)" : "");
  return ut_format(": offered %s", text);
}

static json_t *to_text(const struct ut_explorer *explorer, const struct ut_step *step, enum ut_failure kind) {
  char place[PLACE_SIZE];
  if (!step->leaves)
    return kind == UT_FAILURE_DISCARD ? ut_string(": discarded") : offered_text(explorer, step);
  const struct ut_peer *peer = &explorer->topology->peer[(size_t)step->sw * explorer->topology->po + step->out_port];
  const char *arrow = step->u_turn ? "-U-turn->" : "->";
  return peer->kind == UT_PEER_SWITCH ? ut_format("  %s port %u VC %u to %s", arrow, step->out_port, step->out_vc,
                                                  place_text(explorer, peer->index, place))
                                      : ut_format("  %s port %u VC %u to terminal %u", arrow, step->out_port,
                                                  step->out_vc, (unsigned)peer->index);
}

static json_t *step_json(const struct ut_explorer *explorer, const struct ut_step *step, size_t number,
                         enum ut_failure kind) {
  char name[UT_SWITCH_NAME_SIZE], place[PLACE_SIZE], vector[UT_MAX_PORTS + 1];
  const bool waits = kind == UT_FAILURE_CYCLE;
  json_t *o = UT_OBJECT(
      {"switch", ut_string(ut_topology_switch_name(explorer->topology, step->sw, name))},
      {"in_port", ut_int(step->in_port)}, {"in_vc", ut_int(step->in_vc)}, {"rt", ut_int(step->rt)},
      {"vector", ut_int(step->vector >> explorer->k)}, {"_number", ut_int(number)},
      {"_place", ut_string(place_text(explorer, step->sw, place))}, {"_from", ut_string(arrival_text(explorer, step))},
      {"_rewrites", json_boolean(explorer->group[0].form.rewrites)}, {"_to", to_text(explorer, step, kind)});
  if (step->vector)
    UT_ADD(o, {"_vector", ut_format("%s%s", ut_vector_text(step->vector, explorer->k, vector),
                                    !(step->vector & ~step->own) ? ""
                                    : step->own                  ? " (in part by others)"
                                                                 : " (by other packets)")});
  if (step->leaves)
    UT_ADD(o, {"out_port", ut_int(step->out_port)}, {"out_vc", ut_int(step->out_vc)},
           {"u_turn", json_boolean(step->u_turn)});
  if (step->met)
    UT_ADD(o, {"tables", ut_string(ut_tables_met_name[step->met])});
  return UT_ADD(o, {"source", waits ? ut_int(step->src) : NULL}, {"destination", waits ? ut_int(step->dst) : NULL});
}

static json_t *steps_json(const struct ut_explorer *explorer, const struct ut_step *step, size_t steps, size_t from,
                          enum ut_failure kind) {
  json_t *list = json_array();
  for (size_t i = 0; i < steps; i++)
    json_array_append_new(list, step_json(explorer, &step[i], from + i + 1, kind));
  return list;
}

json_t *ut_example_json(const struct ut_explorer *explorer, const struct ut_counter_example *example) {
  const bool separated = example->kind == UT_SEPARATED, loop = example->kind == UT_FAILURE_LOOP;
  json_t *list = steps_json(explorer, example->step, example->steps, 0, example->kind);
  json_t *o = UT_OBJECT({"kind", ut_string(ut_failure_name[example->kind])},
                        {"faults", faults_json(explorer->topology, &example->set)},
                        {"_title", ut_string(ut_counter_example_title(example->kind))},
                        {"_steps", ut_int(example->steps)}, {"_separated", json_boolean(separated)});
  if (example->transition)
    UT_ADD(o, {"faults_before", faults_json(explorer->topology, &example->before)},
           {"_event", event_text(explorer->topology, example)});
  if (example->kind == UT_FAILURE_CYCLE)
    return UT_ADD(o, {"cycle", list},
                  {"waiting_channels", ut_int(example->waiting ? example->waiting : example->steps)},
                  {"_set", json_boolean(example->waiting)}, {"_rings", json_boolean(example->rings)},
                  {"_more", steps_json(explorer, example->more, example->mores, example->steps, example->kind)});
  UT_ADD(o, {"source", ut_int(example->src)}, {"destination", ut_int(example->dst)}, {"_walk", json_incref(list)});
  if (!separated)
    UT_ADD(o, {"hops", ut_int(ut_counter_example_hops(example, explorer->topology))}, {"walk", json_incref(list)},
           {"back_to_step", loop ? ut_int(example->back_to) : NULL},
           {"_loop", loop ? ut_int(example->back_to + 1) : NULL});
  if (example->kind == UT_FAILURE_NUMBERING)
    UT_ADD(o,
           {"_numbering", ut_format("%" PRId64 " before, %" PRId64 " after", example->number[0], example->number[1])});
  json_decref(list);
  return o;
}
