/* SPDX-License-Identifier: Apache-2.0 */
/* example_text.c - see example_text.h */
#include "example_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "journey.h"
#include "link_classes.h"
#include "ways.h"

/* ---- JSON */

static json_t *link_json(const struct ut_topology *t, uint32_t link) {
  const uint32_t channel = ut_link_channel(t, link);
  const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
  if (from.kind == UT_PEER_TERMINAL)
    return json_pack("{s:{s:i,s:i}}", "injection", "terminal", (int)from.index, "link", from.port);
  if (to->kind == UT_PEER_TERMINAL)
    return json_pack("{s:{s:i,s:i}}", "ejection", "terminal", (int)to->index, "link", to->port);
  return json_pack("{s:{s:i,s:i,s:i}}", "link", "level", t->level[from.index], "switch", (int)t->position[from.index],
                   "port", from.port);
}

static json_t *fault_json(const struct ut_topology *t, const struct ut_fault_set *set) {
  json_t *list = json_array();
  for (unsigned i = 0; i < set->links; i++)
    json_array_append_new(list, link_json(t, set->link[i]));
  for (unsigned i = 0; i < set->switches; i++)
    json_array_append_new(list, json_pack("{s:{s:i,s:i}}", "switch", "level", t->level[set->sw[i]], "switch",
                                          (int)t->position[set->sw[i]]));
  return list;
}

static json_t *step_json(const struct ut_explorer *x, const struct ut_step *s) {
  char name[UT_SWITCH_NAME_SIZE];
  json_t *o = json_pack("{s:s,s:i,s:i,s:i,s:i}", "switch", ut_topology_switch_name(x->topology, s->sw, name), "in_port",
                        s->in_port, "in_vc", s->in_vc, "rt", (int)s->rt, "vector", (int)(s->vector >> x->k));
  if (s->leaves) {
    json_object_set_new(o, "out_port", json_integer(s->out_port));
    json_object_set_new(o, "out_vc", json_integer(s->out_vc));
    json_object_set_new(o, "u_turn", json_boolean(s->u_turn));
  }
  return o;
}

json_t *ut_example_json(const struct ut_explorer *x, const struct ut_counter_example *c) {
  json_t *o = json_pack("{s:s,s:o}", "kind", ut_failure_name[c->kind], "faults", fault_json(x->topology, &c->set));
  json_t *list = json_array();
  for (size_t i = 0; i < c->steps; i++) {
    json_t *step = step_json(x, &c->step[i]);
    if (c->kind == UT_FAILURE_CYCLE) {
      json_object_set_new(step, "source", json_integer(c->step[i].src));
      json_object_set_new(step, "destination", json_integer(c->step[i].dst));
    }
    json_array_append_new(list, step);
  }
  if (c->kind == UT_SEPARATED) {
    json_object_set_new(o, "source", json_integer(c->src));
    json_object_set_new(o, "destination", json_integer(c->dst));
    json_decref(list);
  } else if (c->kind == UT_FAILURE_CYCLE) {
    json_object_set_new(o, "cycle", list);
    json_object_set_new(o, "waiting_channels", json_integer((json_int_t)(c->waiting ? c->waiting : c->steps)));
  } else {
    json_object_set_new(o, "source", json_integer(c->src));
    json_object_set_new(o, "destination", json_integer(c->dst));
    json_object_set_new(o, "hops", json_integer(ut_counter_example_hops(c, x->topology)));
    json_object_set_new(o, "walk", list);
    if (c->kind == UT_FAILURE_LOOP)
      json_object_set_new(o, "back_to_step", json_integer((json_int_t)c->back_to));
  }
  return o;
}

/* ---- text */

static void print_faults(const struct ut_topology *t, const struct ut_fault_set *set) {
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE], text[UT_OUTAGE_NAME_SIZE];
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_outage outage = ut_outage_of_link(t, set->link[i]);
    printf("%s", i ? "; " : "");
    if (set->link[i] >= t->links) {
      printf("%s", ut_outage_name(t, &outage, text));
      continue;
    }
    const struct ut_link *link = &t->link[set->link[i]];
    printf("link %s-%s", ut_topology_switch_name(t, link->lower, name), ut_topology_switch_name(t, link->upper, other));
    if (!t->bidirectional) /* there may be another one beside it */
      printf(", port %u", link->lower_port);
  }
  for (unsigned i = 0; i < set->switches; i++)
    printf("%sswitch %s", i || set->links ? "; " : "", ut_topology_switch_name(t, set->sw[i], name));
  if (!set->links && !set->switches)
    printf("none");
  printf("\n");
}

/* Where a packet has come from. */
static const char *arrival_text(const struct ut_explorer *x, const struct ut_step *s) {
  if (ut_explorer_feeder(x, s->sw, s->in_port).kind == UT_PEER_TERMINAL)
    return "the terminal at ";
  if (!ut_levelled(x->topology))
    return "";
  return s->from_above ? "above, " : "below, ";
}

/* A switch, with its coordinates where it has such. */
enum { PLACE_SIZE = UT_SWITCH_NAME_SIZE + UT_SWITCH_TUPLE_SIZE };
static const char *place_text(const struct ut_explorer *x, uint32_t sw, char text[PLACE_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  const bool coordinates = !ut_levelled(x->topology);
  ut_topology_switch_name(x->topology, sw, name);
  snprintf(text, PLACE_SIZE, "%s%s%s", name, coordinates ? " " : "",
           coordinates ? ut_topology_switch_tuple(x->topology, sw, tuple) : "");
  return text;
}

/* Output VCs that the route function offers, those under the bubble rule marked. */
static void print_candidates(const struct ut_explorer *x, const struct ut_step *s) {
  bool some = false;
  for (unsigned v = 0; v < x->v; v++)
    UT_FOR_EACH (port, s->cand[v]) {
      printf("%sport %u VC %u%s", some ? ", " : "", port, v, s->bubble[v] & ut_bit(port) ? " (bubble)" : "");
      some = true;
    }
  printf("%s\n", some ? "" : "nothing");
}

static void print_step(const struct ut_explorer *x, size_t number, const struct ut_step *s, enum ut_failure kind) {
  const struct ut_topology *t = x->topology;
  char place[PLACE_SIZE], vector[UT_MAX_PORTS + 1];
  printf("    %2zu  %-6s from %sport %u VC %u", number + 1, place_text(x, s->sw, place), arrival_text(x, s), s->in_port,
         s->in_vc);
  if (x->group[0].form.rewrites)
    printf(", rt %u", (unsigned)s->rt);
  if (s->vector)
    printf(", vector %s%s", ut_vector_text(s->vector, x->k, vector),
           s->vector & ~s->own ? (s->own ? " (in part by others)" : " (by other packets)") : "");
  if (!s->leaves && kind == UT_FAILURE_DISCARD) {
    printf(": discarded\n");
    return;
  }
  if (!s->leaves) {
    printf(": offered ");
    print_candidates(x, s);
    return;
  }
  const struct ut_peer *p = &t->peer[(size_t)s->sw * t->po + s->out_port];
  printf("  %s port %u VC %u", s->u_turn ? "-U-turn->" : "->", s->out_port, s->out_vc);
  if (p->kind == UT_PEER_SWITCH)
    printf(" to %s\n", place_text(x, p->index, place));
  else
    printf(" to terminal %u\n", (unsigned)p->index);
}

/* Packets in channels, each with what it waits for. */
static void print_waiting(const struct ut_explorer *x, const struct ut_step *step, size_t steps, size_t from) {
  for (size_t i = 0; i < steps; i++) {
    printf("        packet from %u to %u\n", (unsigned)step[i].src, (unsigned)step[i].dst);
    print_step(x, from + i, &step[i], UT_FAILURE_CYCLE);
  }
}

void ut_example_print(const struct ut_explorer *x, const struct ut_counter_example *c) {
  printf("\n%s: %s\n  faults: ", c->kind == UT_SEPARATED ? "separated" : "counter-example",
         ut_counter_example_title(c->kind));
  print_faults(x->topology, &c->set);
  if (c->kind == UT_FAILURE_CYCLE) {
    if (c->waiting)
      printf("  cycle of %zu channels, in a set of %zu that wait for nothing else:\n", c->steps, c->waiting);
    else
      printf("  cycle of %zu %s:\n", c->steps,
             c->rings ? "rings, a packet of each that waits for the next one" : "channels");
    print_waiting(x, c->step, c->steps, 0);
    if (c->mores)
      printf("  the others of the set:\n");
    print_waiting(x, c->more, c->mores, c->steps);
    return;
  }
  printf("  packet from %u to %u%s\n", (unsigned)c->src, (unsigned)c->dst, c->steps ? ":" : ": its source discards it");
  for (size_t i = 0; i < c->steps; i++)
    print_step(x, i, &c->step[i], c->kind);
  if (c->kind == UT_FAILURE_LOOP)
    printf("        and so on from step %zu\n", c->back_to + 1);
  if (c->kind == UT_FAILURE_NUMBERING)
    printf("        channel number %" PRId64 " before, %" PRId64 " after\n", c->number[0], c->number[1]);
}
