/* SPDX-License-Identifier: Apache-2.0 */
/* trace_output.c - see trace_output.h */
#include "trace_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "faults_output.h"
#include "journey.h"
#include "json_text.h"
#include "rt_text.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "ways.h"

static const char *direction(const struct ut_topology *t, const struct ut_hop *h, char text[UT_DIRECTION_SIZE]) {
  return ut_hop_u_turn(h) ? "U-turn" : ut_topology_direction(t, h->out_port, text);
}

static const char *choice_text(const struct ut_trace_report *r) {
  if (!strcmp(r->choice, "given"))
    return "";
  if (!strcmp(r->choice, "first_u_turn"))
    return "; the first one that makes a U-turn";
  if (!strcmp(r->choice, "first_planned"))
    return "; the first one whose route was planned around faults";
  return ut_can_turn(r->network->topology) ? "; the first one injected, none makes a U-turn"
         : r->network->terminals.paths     ? "; the first one injected, none has a route that was planned around faults"
                                           : "; the first one injected";
}

/* Whether the algorithm uses a re-route vector of the switch; whether it writes into the header; whether header words
 * say how a packet goes. */
static bool has_vector(const struct ut_network *n) {
  return n->group->form.vector;
}
static bool has_rt(const struct ut_network *n) {
  return ut_rt_words(n->shape).title;
}
static bool has_plan(const struct ut_network *n) {
  return n->terminals.paths != NULL;
}

/* A column: the value on arrival and, if it is another one then, when the head leaves.  width 0: the last one. */
static void print_change(const char *before, const char *after, int width) {
  char text[2 * 48 + 2];
  if (strcmp(before, after))
    snprintf(text, sizeof text, "%s->%s", before, after);
  else
    snprintf(text, sizeof text, "%s", before);
  printf("  %-*s", width, text);
}

/* "+x*2,-y*1"; "-": none. */
static void misroutes_text(const struct ut_topology *t, const struct ut_leg *leg, char *text, size_t size) {
  char way[UT_DIRECTION_SIZE];
  int end = 0;
  snprintf(text, size, "-");
  for (unsigned i = 0; i < leg->misroutes; i++)
    end += snprintf(text + end, size - (size_t)end, "%s%s*%u", i ? "," : "",
                    ut_topology_direction(t, leg->misroute[i].port, way), leg->misroute[i].hops);
}

static void print_plan(const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_leg in = ut_leg_of(h->rt_in), out = ut_leg_of(h->rt_out);
  char before[48], after[48];
  snprintf(before, sizeof before, "%u", in.sub_path);
  snprintf(after, sizeof after, "%u", out.sub_path);
  print_change(before, after, 8);
  print_change(in.deterministic ? "yes" : "no", out.deterministic ? "yes" : "no", 7);
  misroutes_text(n->topology, &in, before, sizeof before);
  misroutes_text(n->topology, &out, after, sizeof after);
  print_change(before, after, 0);
}

/* A line of its own under its hop, as the packet goes on from there by another header word. */
static void print_strip(const struct ut_network *n, const struct ut_hop *h) {
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  const uint32_t sw = ut_journey_stop(n, h);
  printf("%15sheader stripped%s, next stop ", "", h->stripped > 1 ? " more than once" : "");
  if (ut_leg_of(h->rt_out).more)
    printf("%s %s\n", ut_topology_switch_name(n->topology, sw, name), ut_topology_switch_tuple(n->topology, sw, tuple));
  else
    printf("terminal %u\n", (unsigned)h->stop);
}

static void print_hop(const struct ut_network *n, const struct ut_hop *h, size_t number) {
  const struct ut_topology *t = n->topology;
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], before[48], after[48], place[96];
  char way[UT_DIRECTION_SIZE];
  snprintf(place, sizeof place, "%s %s", ut_topology_switch_name(t, h->sw, name),
           ut_topology_switch_tuple(t, h->sw, tuple));
  printf("  %3zu %8" PRIu64 "  %-16s port %2u VC %u", number, h->arrived, place, h->in_port, h->in_vc);
  if (h->gone) {
    const struct ut_peer *p = &t->peer[(size_t)h->sw * t->po + h->out_port];
    if (p->kind == UT_PEER_SWITCH)
      snprintf(place, sizeof place, "to %s", ut_topology_switch_name(t, p->index, name));
    else
      snprintf(place, sizeof place, "to terminal %u", (unsigned)p->index);
    printf("  %-7s port %2u VC %u %-14s %5" PRIu64 " %6" PRIu64, direction(t, h, way), h->out_port, h->out_vc, place,
           h->waited, h->behind);
  } else {
    printf("  %-37s %5s %6" PRIu64, "-", "-", h->behind);
  }
  if (has_vector(n))
    print_change(ut_vector_text(h->vector_in, n->group->k, before), ut_vector_text(h->vector_out, n->group->k, after),
                 has_rt(n) ? 18 : 0);
  if (has_rt(n)) {
    ut_rt_text(n->shape, h->rt_in, before, sizeof before);
    ut_rt_text(n->shape, h->gone ? h->rt_out : h->rt_in, after, sizeof after);
    print_change(before, after, 0);
  }
  if (has_plan(n))
    print_plan(n, h);
  printf("\n");
  if (h->stripped)
    print_strip(n, h);
}

static void print_end(const struct ut_network *n, const struct ut_journey *j) {
  char place[UT_OUTAGE_NAME_SIZE], name[UT_SWITCH_NAME_SIZE];
  const bool tree = ut_levelled(n->topology);
  const unsigned turns = tree ? ut_journey_u_turns(j) : ut_journey_stripped(j);
  const unsigned links = ut_journey_links(j, n->topology);
  switch (j->state) {
  case UT_JOURNEY_DELIVERED:
    printf("  delivered   at terminal %u in cycle %" PRIu64 ": latency %" PRIu64 " cycles", (unsigned)j->to.index,
           j->ended, j->ended - j->generated);
    break;
  case UT_JOURNEY_DISCARDED:
    printf("  discarded   in cycle %" PRIu64 ": %s%s%s", j->ended, ut_discard_name(j->reason),
           j->where.kind == UT_PLACE_NONE ? "" : ", ", ut_place_text(n->topology, &j->where, place));
    break;
  case UT_JOURNEY_QUEUED:
    printf("  on its way  in cycle %" PRIu64 ": %s terminal %u\n", n->cycle,
           n->terminals.terminal[j->src].end > j->sequence ? "still in the source queue of" : "not yet generated by",
           (unsigned)j->src);
    return;
  case UT_JOURNEY_IN_SWITCH:
    printf("  on its way  in cycle %" PRIu64 ": in switch %s", n->cycle,
           ut_topology_switch_name(n->topology, j->hop[j->hops - 1].sw, name));
    break;
  case UT_JOURNEY_IN_QUEUE:
    printf("  on its way  in cycle %" PRIu64 ": in an output queue of switch %s", n->cycle,
           ut_topology_switch_name(n->topology, j->hop[j->hops - 1].sw, name));
    break;
  case UT_JOURNEY_LOST_SIGHT: printf("  lost sight of it in cycle %" PRIu64, j->ended); break;
  default: printf("  on its way  in cycle %" PRIu64 ": on a wire", n->cycle); break;
  }
  printf("; %u hop%s between switches", links, links == 1 ? "" : "s");
  if (!tree)
    printf(" (shortest way %u)", ut_journey_shortest(j, n->topology));
  printf(", ");
  if (tree || turns)
    printf("%u %s%s, ", turns, tree ? "U-turn" : "intermediate node", turns == 1 ? "" : "s");
  printf("waited %" PRIu64 " cycles in switches\n", ut_journey_waited(j));
}

static void print_sent(const struct ut_journey *j) {
  if (j->state == UT_JOURNEY_QUEUED)
    return;
  if (!j->headers) {
    printf("  not sent    to terminal %u: there is no route; generated in cycle %" PRIu64 "\n", (unsigned)j->dst,
           j->generated);
    return;
  }
  printf("  sent        to terminal %u, %u flit%s", (unsigned)j->dst, j->flits, j->flits == 1 ? "" : "s");
  if (j->headers > 1)
    printf(" and %u more header word%s", j->headers - 1, j->headers == 2 ? "" : "s");
  printf("; generated in cycle %" PRIu64 ", head on the wire in cycle %" PRIu64 "\n", j->generated, j->injected);
}

void ut_trace_print_text(const struct ut_trace_report *r) {
  const struct ut_network *n = r->network;
  const struct ut_journey *j = r->journey;
  const struct ut_scenario *s = n->scenario;
  char network[UT_NETWORK_NAME_SIZE];
  printf("%s: %s, %u switches, %u terminals, %s, %u VC%s, seed %" PRIu64 "\n", s->path, ut_scenario_network(s, network),
         (unsigned)n->topology->switches, (unsigned)n->topology->terminals, s->routing.algorithm, s->sw.vcs,
         s->sw.vcs == 1 ? "" : "s", s->run.seed);
  printf("  packet      %u:%u, number %" PRIu64 " of terminal %u%s\n", (unsigned)j->src, (unsigned)(j->sequence % 256),
         j->sequence, (unsigned)j->src, choice_text(r));
  print_sent(j);
  ut_bypass_print(s);
  ut_outages_print(n->topology, r->outage, r->outages);
  if (j->hops) {
    printf("\n  hop    cycle  switch           %-12s  %-37s waits behind", "in", "out");
    printf("%s", has_plan(n) ? "  sub-path  D        misroutes left" : "");
    if (has_vector(n))
      printf("  %-*s", has_rt(n) ? 18 : 0, "re-route vector");
    printf("%s%s\n", has_rt(n) ? "  " : "", has_rt(n) ? ut_rt_words(n->shape).title : "");
  }
  for (size_t i = 0; i < j->hops; i++)
    print_hop(n, &j->hop[i], i + 1);
  if (j->hops)
    printf("\n");
  print_end(n, j);
}

#define PUT(key, value) json_object_set_new(o, key, json_integer((json_int_t)(value)))

static json_t *misroutes_json(const struct ut_topology *t, const struct ut_leg *leg) {
  char way[UT_DIRECTION_SIZE];
  json_t *array = json_array();
  for (unsigned i = 0; i < leg->misroutes; i++)
    json_array_append_new(array,
                          json_pack("{s:s,s:i}", "direction", ut_topology_direction(t, leg->misroute[i].port, way),
                                    "hops", (int)leg->misroute[i].hops));
  return array;
}

/* What planned header words say, as the head leaves or is now. */
static void put_plan(json_t *o, const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_leg in = ut_leg_of(h->rt_in), out = ut_leg_of(h->rt_out);
  char name[UT_SWITCH_NAME_SIZE];
  PUT("sub_path_before", in.sub_path);
  PUT("sub_path", out.sub_path);
  json_object_set_new(o, "deterministic", json_boolean(out.deterministic));
  json_object_set_new(o, "misroutes_before", misroutes_json(n->topology, &in));
  json_object_set_new(o, "misroutes", misroutes_json(n->topology, &out));
  PUT("headers_stripped", h->stripped);
  PUT("strip_cycles", h->strip);
  json_object_set_new(o, "next_stop", json_string(ut_topology_switch_name(n->topology, ut_journey_stop(n, h), name)));
}

static json_t *hop_json(const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_topology *t = n->topology;
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  const unsigned k = n->group->k;
  json_t *o = json_pack("{s:s,s:s,s:i,s:i,s:I,s:I}", "switch", ut_topology_switch_name(t, h->sw, name), "tuple",
                        ut_topology_switch_tuple(t, h->sw, tuple), "in_port", h->in_port, "in_vc", h->in_vc,
                        "arrived_cycle", (json_int_t)h->arrived, "behind_cycles", (json_int_t)h->behind);
  if (ut_levelled(t))
    json_object_set_new(o, "from_above", json_boolean(h->from_above));
  if (has_vector(n)) {
    PUT("vector_before", h->vector_in >> k);
    PUT("vector", h->vector_out >> k);
  }
  PUT("rt", h->rt_in);
  if (has_plan(n))
    put_plan(o, n, h);
  if (h->gone) {
    const struct ut_peer *p = &t->peer[(size_t)h->sw * t->po + h->out_port];
    PUT("rt_after", h->rt_out);
    PUT("out_port", h->out_port);
    PUT("out_vc", h->out_vc);
    json_object_set_new(o, "direction", json_string(ut_topology_direction(t, h->out_port, way)));
    if (ut_levelled(t))
      json_object_set_new(o, "u_turn", json_boolean(ut_hop_u_turn(h)));
    PUT("left_cycle", h->left);
    PUT("waited_cycles", h->waited);
    if (p->kind == UT_PEER_SWITCH)
      json_object_set_new(o, "to_switch", json_string(ut_topology_switch_name(t, p->index, name)));
    else
      PUT("to_terminal", p->index);
  }
  return o;
}

void ut_trace_print_json(const struct ut_trace_report *r) {
  static const char *const result[] = {
      [UT_JOURNEY_QUEUED] = "queued",       [UT_JOURNEY_ON_WIRE] = "in_flight",
      [UT_JOURNEY_IN_SWITCH] = "in_flight", [UT_JOURNEY_IN_QUEUE] = "in_flight",
      [UT_JOURNEY_ARRIVING] = "in_flight",  [UT_JOURNEY_DELIVERED] = "delivered",
      [UT_JOURNEY_DISCARDED] = "discarded", [UT_JOURNEY_LOST_SIGHT] = "lost_sight",
  };
  const struct ut_network *n = r->network;
  const struct ut_journey *j = r->journey;
  const bool sent = j->state != UT_JOURNEY_QUEUED, over = ut_journey_over(j), grid = !ut_levelled(n->topology);
  char place[UT_OUTAGE_NAME_SIZE];
  json_t *o = json_object(), *hops = json_array();
#define SET(key, value) json_object_set_new(o, key, value)
  SET("scenario", ut_json_text(n->scenario->path));
  PUT("seed", n->scenario->run.seed);
  SET("chosen", json_string(r->choice));
  PUT("source", j->src);
  PUT("tag", j->sequence % 256);
  PUT("sequence", j->sequence);
  SET("destination", sent ? json_integer(j->dst) : json_null());
  SET("flits", sent ? json_integer(j->flits) : json_null());
  SET("generated_cycle", sent ? json_integer((json_int_t)j->generated) : json_null());
  SET("injected_cycle", sent && j->headers ? json_integer((json_int_t)j->injected) : json_null());
  if (grid)
    SET("header_words", sent ? json_integer(j->headers) : json_null());
  if (n->scenario->routing.plane_bypass)
    SET("plane_bypass", ut_bypass_json(n->scenario));
  SET("faults", ut_outages_json(n->topology, r->outage, r->outages));
  for (size_t i = 0; i < j->hops; i++)
    json_array_append_new(hops, hop_json(n, &j->hop[i]));
  SET("hops", hops);
  SET("result", json_string(result[j->state]));
  SET("end_cycle", over ? json_integer((json_int_t)j->ended) : json_null());
  SET("latency_cycles",
      j->state == UT_JOURNEY_DELIVERED ? json_integer((json_int_t)(j->ended - j->generated)) : json_null());
  if (j->state == UT_JOURNEY_DISCARDED) {
    SET("reason", json_string(ut_discard_name(j->reason)));
    SET("place", json_string(ut_place_text(n->topology, &j->where, place)));
  }
  PUT("links", ut_journey_links(j, n->topology));
  if (grid)
    PUT("intermediate_nodes", ut_journey_stripped(j));
  else
    PUT("u_turns", ut_journey_u_turns(j));
  if (grid)
    SET("shortest_way_links", sent ? json_integer(ut_journey_shortest(j, n->topology)) : json_null());
  PUT("waited_cycles", ut_journey_waited(j));
  SET("deadlock", json_boolean(r->deadlock));
#undef PUT
#undef SET
  json_dumpf(o, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(o);
}
