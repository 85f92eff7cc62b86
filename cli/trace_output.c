/* SPDX-License-Identifier: Apache-2.0 */
/* trace_output.c - see trace_output.h */
#include "trace_output.h"

#include <inttypes.h>
#include <string.h>

#include "cli.h"
#include "journey.h"
#include "rt_text.h"
#include "scenario.h"
#include "scenario_output.h"
#include "ways.h"

static const char layout[] =
    "{scenario}: {_network}, {_switches} switches, {_terminals} terminals, {_algorithm}, {_vcs} VC{_vcs+s}, seed "
    "{seed}\n"
    "  packet      {source}:{tag}, number {sequence} of terminal {source}{_choice}\n"
    "{?_sent}"
    "  sent        to terminal {destination}, {flits} flit{flits+s}{?_more_headers} and {_more_headers} more header "
    "word{_more_headers+s}{/}; generated in cycle {generated_cycle}, head on the wire in cycle {injected_cycle}\n"
    "{/}{?_not_sent}"
    "  not sent    to terminal {destination}: there is no route; generated in cycle {generated_cycle}\n"
    "{/}" UT_BYPASS_LAYOUT UT_OUTAGES_LAYOUT "{?hops}\n"
    "{|hops}"
    "  hop|cycle|<switch|<in|<out|<|<|waits|behind|<re-route vector|<{_rt_title}|<sub-path|<D|<misroutes left\n"
    "{_hop}|{arrived_cycle}|{switch} {tuple}|port {in_port:2d} VC {in_vc}|{_way}|{?_to}port {out_port:2d} VC {out_vc}"
    "{/}|{_to}|{?_to}{waited_cycles}{:}-{/}|{behind_cycles}|{_vector}|{_rt}|{_sub_path}|{_deterministic}|{_misroutes}\n"
    "{?_stripped_to}"
    "               header stripped{?_twice} more than once{/}, next stop {_stripped_to}\n"
    "{/}{/}\n"
    "{/}  {_end}{?_moved}; {links} hop{links+s} between switches{?_grid} (shortest way {shortest_way_links}), "
    "{?intermediate_nodes}{intermediate_nodes} intermediate node{intermediate_nodes+s}, {/}{:}, {u_turns} "
    "U-turn{u_turns+s}, {/}waited {waited_cycles} cycles in switches{/}\n";

static const char *choice_text(const struct ut_trace_report *report) {
  if (!strcmp(report->choice, "given"))
    return "";
  if (!strcmp(report->choice, "first_u_turn"))
    return "; the first one that makes a U-turn";
  if (!strcmp(report->choice, "first_planned"))
    return "; the first one whose route was planned around faults";
  return ut_can_turn(report->network->topology) ? "; the first one injected, none makes a U-turn"
         : report->network->terminals.paths
             ? "; the first one injected, none has a route that was planned around faults"
             : "; the first one injected";
}

/* ---- a hop */

/* The value on arrival and, if it is another one then, when the head leaves. */
static json_t *change(const char *before, const char *after) {
  return strcmp(before, after) ? ut_format("%s->%s", before, after) : ut_string(before);
}

static json_t *misroutes_json(const struct ut_topology *topo, const struct ut_leg *leg) {
  char way[UT_DIRECTION_SIZE];
  json_t *array = json_array();
  for (unsigned i = 0; i < leg->misroutes; i++)
    json_array_append_new(array,
                          UT_OBJECT({"direction", ut_string(ut_topology_direction(topo, leg->misroute[i].port, way))},
                                    {"hops", ut_int(leg->misroute[i].hops)}));
  return array;
}

/* "+x*2,-y*1"; "-": none. */
static void misroutes_text(const struct ut_topology *topo, const struct ut_leg *leg, char *text, size_t size) {
  char way[UT_DIRECTION_SIZE];
  int end = 0;
  snprintf(text, size, "-");
  for (unsigned i = 0; i < leg->misroutes; i++)
    end += snprintf(text + end, size - (size_t)end, "%s%s*%u", i ? "," : "",
                    ut_topology_direction(topo, leg->misroute[i].port, way), leg->misroute[i].hops);
}

/* What planned header words say, as the head leaves or is now. */
static void add_plan(json_t *o, const struct ut_network *net, const struct ut_hop *hop) {
  const struct ut_topology *topo = net->topology;
  const struct ut_leg in = ut_leg_of(hop->rt_in), out = ut_leg_of(hop->rt_out);
  const uint32_t sw = ut_journey_stop(net, hop);
  char name[UT_SWITCH_NAME_SIZE], text[UT_SWITCH_TEXT_SIZE], before[48], after[48];
  ut_topology_switch_name(topo, sw, name);
  misroutes_text(topo, &in, before, sizeof before);
  misroutes_text(topo, &out, after, sizeof after);
  UT_ADD(
      o, {"sub_path_before", ut_int(in.sub_path)}, {"sub_path", ut_int(out.sub_path)},
      {"_sub_path", in.sub_path == out.sub_path ? ut_int(in.sub_path) : ut_format("%u->%u", in.sub_path, out.sub_path)},
      {"deterministic", json_boolean(out.deterministic)},
      {"_deterministic", change(in.deterministic ? "yes" : "no", out.deterministic ? "yes" : "no")},
      {"misroutes_before", misroutes_json(topo, &in)}, {"misroutes", misroutes_json(topo, &out)},
      {"_misroutes", change(before, after)}, {"headers_stripped", ut_int(hop->stripped)},
      {"strip_cycles", ut_int(hop->strip)}, {"next_stop", ut_string(name)});
  if (hop->stripped)
    UT_ADD(o, {"_twice", json_boolean(hop->stripped > 1)},
           {"_stripped_to", out.more ? ut_string(ut_topology_switch_text(topo, sw, text))
                                     : ut_format("terminal %u", (unsigned)hop->stop)});
}

/* What the algorithm keeps in the switch, and in the header. */
static void add_fields(json_t *o, const struct ut_network *net, const struct ut_hop *hop) {
  const unsigned k = net->group->k;
  char before[48], after[48];
  if (net->group->form.vector)
    UT_ADD(o, {"vector_before", ut_int(hop->vector_in >> k)}, {"vector", ut_int(hop->vector_out >> k)},
           {"_vector", change(ut_vector_text(hop->vector_in, k, before), ut_vector_text(hop->vector_out, k, after))});
  UT_ADD(o, {"rt", ut_int(hop->rt_in)});
  if (ut_rt_words(net->shape).title)
    UT_ADD(o, {"_rt", change(ut_rt_text(net->shape, hop->rt_in, before, sizeof before),
                             ut_rt_text(net->shape, hop->gone ? hop->rt_out : hop->rt_in, after, sizeof after))});
  if (net->terminals.paths)
    add_plan(o, net, hop);
}

static json_t *hop_json(const struct ut_network *net, const struct ut_hop *hop, size_t number) {
  const struct ut_topology *topo = net->topology;
  const bool levels = ut_levelled(topo);
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  json_t *o =
      UT_OBJECT({"_hop", ut_int(number)}, {"switch", ut_string(ut_topology_switch_name(topo, hop->sw, name))},
                {"tuple", ut_string(ut_topology_switch_tuple(topo, hop->sw, tuple))}, {"in_port", ut_int(hop->in_port)},
                {"in_vc", ut_int(hop->in_vc)}, {"arrived_cycle", ut_int(hop->arrived)},
                {"behind_cycles", ut_int(hop->behind)}, {"from_above", levels ? json_boolean(hop->from_above) : NULL});
  add_fields(o, net, hop);
  if (!hop->gone)
    return UT_ADD(o, {"_way", json_null()});
  const struct ut_peer *peer = &topo->peer[(size_t)hop->sw * topo->po + hop->out_port];
  const bool to_switch = peer->kind == UT_PEER_SWITCH, turn = ut_hop_u_turn(hop);
  ut_topology_way(topo, hop->sw, hop->out_port, way);
  if (to_switch)
    ut_topology_switch_name(topo, peer->index, name);
  return UT_ADD(o, {"rt_after", ut_int(hop->rt_out)}, {"out_port", ut_int(hop->out_port)},
                {"out_vc", ut_int(hop->out_vc)}, {"direction", ut_string(way)},
                {"_way", ut_string(turn ? "U-turn" : way)}, {"u_turn", levels ? json_boolean(turn) : NULL},
                {"left_cycle", ut_int(hop->left)}, {"waited_cycles", ut_int(hop->waited)},
                {"to_switch", to_switch ? ut_string(name) : NULL},
                {"to_terminal", to_switch ? NULL : ut_int(peer->index)},
                {"_to", to_switch ? ut_format("to %s", name) : ut_format("to terminal %u", (unsigned)peer->index)});
}

/* ---- the journey */

static json_t *end_json(const struct ut_network *net, const struct ut_journey *journey) {
  char place[UT_OUTAGE_NAME_SIZE], name[UT_SWITCH_NAME_SIZE] = "";
  if (journey->hops)
    ut_topology_switch_name(net->topology, journey->hop[journey->hops - 1].sw, name);
  switch (journey->state) {
  case UT_JOURNEY_DELIVERED:
    return ut_format("delivered   at terminal %u in cycle %" PRIu64 ": latency %" PRIu64 " cycles",
                     (unsigned)journey->to.index, journey->ended, journey->ended - journey->generated);
  case UT_JOURNEY_DISCARDED:
    return ut_format("discarded   in cycle %" PRIu64 ": %s%s%s", journey->ended, ut_discard_name(journey->reason),
                     journey->where.kind == UT_PLACE_NONE ? "" : ", ",
                     ut_place_text(net->topology, &journey->where, place));
  case UT_JOURNEY_QUEUED:
    return ut_format("on its way  in cycle %" PRIu64 ": %s terminal %u", net->cycle,
                     net->terminals.terminal[journey->src].end > journey->sequence ? "still in the source queue of"
                                                                                   : "not yet generated by",
                     (unsigned)journey->src);
  case UT_JOURNEY_IN_SWITCH: return ut_format("on its way  in cycle %" PRIu64 ": in switch %s", net->cycle, name);
  case UT_JOURNEY_IN_QUEUE:
    return ut_format("on its way  in cycle %" PRIu64 ": in an output queue of switch %s", net->cycle, name);
  case UT_JOURNEY_LOST_SIGHT: return ut_format("lost sight of it in cycle %" PRIu64, journey->ended);
  default: return ut_format("on its way  in cycle %" PRIu64 ": on a wire", net->cycle);
  }
}

static void add_end(json_t *o, const struct ut_trace_report *report) {
  static const char *const result[] = {
      [UT_JOURNEY_QUEUED] = "queued",       [UT_JOURNEY_ON_WIRE] = "in_flight",
      [UT_JOURNEY_IN_SWITCH] = "in_flight", [UT_JOURNEY_IN_QUEUE] = "in_flight",
      [UT_JOURNEY_ARRIVING] = "in_flight",  [UT_JOURNEY_DELIVERED] = "delivered",
      [UT_JOURNEY_DISCARDED] = "discarded", [UT_JOURNEY_LOST_SIGHT] = "lost_sight",
  };
  const struct ut_topology *topo = report->network->topology;
  const struct ut_journey *journey = report->journey;
  const bool sent = journey->state != UT_JOURNEY_QUEUED, grid = !ut_levelled(topo),
             discarded = journey->state == UT_JOURNEY_DISCARDED;
  char place[UT_OUTAGE_NAME_SIZE];
  UT_ADD(o, {"result", ut_string(result[journey->state])}, {"_end", end_json(report->network, journey)},
         {"_moved", json_boolean(sent)}, {"end_cycle", ut_int_if(ut_journey_over(journey), journey->ended)},
         {"latency_cycles", ut_int_if(journey->state == UT_JOURNEY_DELIVERED, journey->ended - journey->generated)},
         {"reason", discarded ? ut_string(ut_discard_name(journey->reason)) : NULL},
         {"place", discarded ? ut_string(ut_place_text(topo, &journey->where, place)) : NULL},
         {"links", ut_int(ut_journey_links(journey, topo))}, {"_grid", json_boolean(grid)},
         {grid ? "intermediate_nodes" : "u_turns",
          ut_int(grid ? ut_journey_stripped(journey) : ut_journey_u_turns(journey))},
         {"shortest_way_links", grid ? ut_int_if(sent, sent ? ut_journey_shortest(journey, topo) : 0) : NULL},
         {"waited_cycles", ut_int(ut_journey_waited(journey))}, {"deadlock", json_boolean(report->deadlock)});
}

void ut_trace_print(const struct ut_trace_report *report, bool json) {
  const struct ut_network *net = report->network;
  const struct ut_journey *journey = report->journey;
  const struct ut_topology *topo = net->topology;
  const bool sent = journey->state != UT_JOURNEY_QUEUED;
  json_t *o = ut_scenario_result(net->scenario), *hops = json_array();
  for (size_t i = 0; i < journey->hops; i++)
    json_array_append_new(hops, hop_json(net, &journey->hop[i], i + 1));
  UT_ADD(o, {"_switches", ut_int(topo->switches)}, {"_terminals", ut_int(topo->terminals)},
         {"seed", ut_int(net->scenario->run.seed)}, {"chosen", ut_string(report->choice)},
         {"_choice", ut_string(choice_text(report))}, {"source", ut_int(journey->src)},
         {"tag", ut_int(journey->sequence % 256)}, {"sequence", ut_int(journey->sequence)},
         {"destination", ut_int_if(sent, journey->dst)}, {"flits", ut_int_if(sent, journey->flits)},
         {"generated_cycle", ut_int_if(sent, journey->generated)},
         {"injected_cycle", ut_int_if(sent && journey->headers, journey->injected)},
         {"header_words", ut_levelled(topo) ? NULL : ut_int_if(sent, journey->headers)},
         {"_sent", json_boolean(sent && journey->headers)}, {"_not_sent", json_boolean(sent && !journey->headers)},
         {"_more_headers", ut_int(journey->headers - (journey->headers > 0))},
         {"plane_bypass", ut_bypass_json(net->scenario)},
         {"faults", ut_outages_json(topo, report->outage, report->outages)}, {"hops", hops},
         {"_rt_title", ut_string(ut_rt_words(net->shape).title)});
  add_end(o, report);
  ut_result_print(o, json, 17, layout);
}
