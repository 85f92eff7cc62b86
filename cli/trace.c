/* trace.c - `uturn trace`: one packet's journey, hop by hop, as text and as a drawing. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "counter_example.h"
#include "deadlock.h"
#include "drawing.h"
#include "faults_output.h"
#include "journey.h"
#include "packet_search.h"

enum { KEY_PACKET = 0x400, KEY_SVG };

struct trace_options {
  struct ut_scenario_options scenario;
  const char *svg;
  bool given;
  uint32_t src;
  uint64_t sequence;
};

static const struct argp_option options[] = {
    {"packet", KEY_PACKET, "SRC:TAG[:NTH]", 0,
     "the packet of terminal SRC with that tag, its number at its source modulo 256, counted from 0; NTH: of several "
     "with that tag that one, from 1 (default 1).  Without this option: of a fat tree the first packet that makes a "
     "U-turn, of a torus or mesh the first one whose route was planned around faults; if there is none, the first one "
     "that is injected",
     0},
    {"svg", KEY_SVG, "FILE", 0, "draws the journey (Graphviz)", 0},
    {0},
};

/* One part of SRC:TAG:NTH, up to a colon or the end. */
static bool parse_part(const char **text, uint64_t least, uint64_t most, uint64_t *value) {
  char *end;
  if (**text < '0' || **text > '9')
    return false;
  *value = strtoull(*text, &end, 10); /* too much becomes the greatest number there is */
  *text = end;
  return *value >= least && *value <= most;
}

static void parse_packet(struct trace_options *o, const char *arg, struct argp_state *state) {
  const char *at = arg;
  uint64_t src, tag, nth = 1;
  bool good = parse_part(&at, 0, 65535, &src) && *at++ == ':' && parse_part(&at, 0, 255, &tag);
  if (good && *at == ':')
    good = at++ && parse_part(&at, 1, UINT32_MAX, &nth);
  if (!good || *at)
    argp_error(state, "--packet wants SRC:TAG or SRC:TAG:NTH with TAG 0..255 and NTH from 1, not '%s'", arg);
  o->given = true;
  o->src = (uint32_t)src;
  o->sequence = tag + 256 * (nth - 1);
}

static const struct argp_child children[] = {{&ut_scenario_argp, 0, NULL, 0}, {0}};
static error_t parse(int key, char *arg, struct argp_state *state) {
  struct trace_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &o->scenario; return 0;
  case KEY_PACKET: parse_packet(o, arg, state); return 0;
  case KEY_SVG: o->svg = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
static const struct argp argp = {
    options,  parse, "SCENARIO", "Follows one packet of SCENARIO through the golden model, switch by switch.",
    children, 0,     0};

/* ---- the runs */

struct run {
  const struct ut_scenario *scenario;
  struct ut_network network;
  struct ut_watchdog watchdog;
  bool deadlock;
  struct ut_packet_search search;
  struct ut_journey journey[UT_MAX_PORTS];
  unsigned journeys, chosen;
  const char *choice; /* why this packet */
};

/* Called after each step; true ends the run. */
typedef bool observer(struct run *r);

static bool search(struct run *r) {
  return ut_packet_search_observe(&r->search, &r->network);
}

static bool follow(struct run *r) {
  const struct ut_terminals *t = &r->network.terminals;
  bool over = true;
  for (unsigned i = 0; i < r->journeys; i++) {
    struct ut_journey *j = &r->journey[i];
    ut_journey_observe(j, &r->network);
    bool never = j->state == UT_JOURNEY_QUEUED && t->stop_generation && t->terminal[j->src].end <= j->sequence;
    over &= ut_journey_over(j) || j->failure || never;
  }
  return over;
}

static void end_run(struct run *r) {
  ut_watchdog_free(&r->watchdog);
  ut_network_fini(&r->network);
  r->watchdog = (struct ut_watchdog){0};
}

static int simulate(struct run *r, observer *observe, struct ut_error *e) {
  struct ut_network *n = &r->network;
  struct ut_progress progress;
  if (ut_network_init(n, r->scenario, NULL, e))
    return -1;
  ut_progress_start(&progress);
  r->deadlock = false;
  while (!ut_network_done(n) && !ut_interrupted && !n->failure && !r->deadlock) {
    ut_network_step(n);
    if (observe(r))
      break;
    r->deadlock = ut_watchdog_check(&r->watchdog, n);
    if (n->cycle % 4096 == 0)
      ut_progress_show(&progress, n->cycle, ut_network_planned(r->scenario));
  }
  ut_progress_end(&progress);
  if (n->failure)
    return ut_fail(e, UT_INTERNAL, "not enough memory for the source queues; lower the load or the number of cycles");
  return 0;
}

/* The packets to follow.  -1: error; r->journeys stays 0 if the search was interrupted. */
static int choose(struct run *r, const struct trace_options *o, struct ut_error *e) {
  const uint32_t terminals = ut_scenario_terminals(r->scenario);
  if (o->given) {
    if (o->src >= terminals)
      return ut_fail(e, UT_BAD_INPUT, "--packet: there is no terminal %u; %s has terminals 0 to %u", (unsigned)o->src,
                     o->scenario.path, (unsigned)(terminals - 1));
    r->choice = "given";
    ut_journey_init(&r->journey[r->journeys++], o->src, o->sequence);
    return 0;
  }
  const bool tree = r->scenario->topology.kind == UT_FAT_TREE;
  int status = simulate(r, search, e);
  end_run(r);
  ut_packet_search_free(&r->search);
  if (r->search.failure)
    status = ut_fail(e, UT_INTERNAL, "out of memory for the search of a packet");
  if (status || ut_interrupted)
    return status;
  if (!r->search.any)
    return ut_fail(e, UT_BAD_INPUT, "%s: no terminal sends a packet; raise the load or the number of cycles",
                   o->scenario.path);
  r->choice = !r->search.candidates ? "first_injected" : tree ? "first_u_turn" : "first_planned";
  for (unsigned i = 0; i < r->search.candidates; i++)
    ut_journey_init(&r->journey[r->journeys++], r->search.candidate[i].src, r->search.candidate[i].sequence);
  if (!r->journeys)
    ut_journey_init(&r->journey[r->journeys++], r->search.first.src, r->search.first.sequence);
  return 0;
}

/* ---- output */

static const char *direction(const struct ut_topology *t, const struct ut_hop *h, char text[UT_DIRECTION_SIZE]) {
  if (t->dimensions)
    return ut_topology_direction(t, h->out_port, text);
  return ut_hop_u_turn(h) ? "U-turn" : h->goes_up ? "up" : "down";
}

static const char *choice_text(const struct run *r) {
  if (!strcmp(r->choice, "given"))
    return "";
  if (!strcmp(r->choice, "first_u_turn"))
    return "; the first one that makes a U-turn";
  if (!strcmp(r->choice, "first_planned"))
    return "; the first one whose route was planned around faults";
  return !r->network.topology.dimensions ? "; the first one injected, none makes a U-turn"
         : r->network.terminals.paths    ? "; the first one injected, none has a route that was planned around faults"
                                         : "; the first one injected";
}

/* Whether the algorithm uses a re-route vector of the switch; whether it writes into the header. */
static bool has_vector(const struct ut_network *n) {
  return n->group.traits.vector;
}
static bool has_rt(const struct ut_network *n) {
  return n->group.traits.rewrites && !n->topology.dimensions;
}
/* Whether header words say how a packet goes through a torus or mesh. */
static bool has_plan(const struct ut_network *n) {
  return n->terminals.paths != NULL;
}

static void rt_text(const struct ut_network *n, uint32_t rt, char *text, size_t size) {
  char bits[UT_MAX_PORTS + 1];
  if (n->shape.algorithm == UT_FATTREE_MISROUTE_HEADER)
    snprintf(text, size, "%s", ut_vector_text((ut_mask)rt << n->group.k, n->group.k, bits));
  else
    ut_port_field_text(rt, text, size);
}

/* A column: the value on arrival and, if it is another one then, when the head leaves.  width 0: the last one. */
static void print_change(const char *before, const char *after, int width) {
  char text[96];
  if (strcmp(before, after))
    snprintf(text, sizeof text, "%s->%s", before, after);
  else
    snprintf(text, sizeof text, "%s", before);
  printf("  %-*s", width, text);
}

/* A direction that mechanism M makes the packet take, and how often. */
struct misroute {
  unsigned port, hops;
};

/* Those that a header word still asks for, in their order.  Returns how many. */
static unsigned misroutes_of(uint32_t rt, struct misroute list[3]) {
  const unsigned count = ut_rt_torus_misroutes(rt);
  const unsigned later = ut_rt_torus_later(rt),
                 word[3] = {ut_rt_torus_direction(rt) | ut_rt_torus_hops(rt) << 3u, later & 63, later >> 6};
  for (unsigned i = 0; i < count; i++)
    list[i] = (struct misroute){word[i] & 7, (word[i] >> 3) + 1};
  return count;
}

/* "+x*2,-y*1"; "-": none. */
static void misroutes_text(const struct ut_topology *t, uint32_t rt, char *text, size_t size) {
  struct misroute list[3];
  char way[UT_DIRECTION_SIZE];
  int end = 0;
  const unsigned count = misroutes_of(rt, list);
  snprintf(text, size, "-");
  for (unsigned i = 0; i < count; i++)
    end += snprintf(text + end, size - (size_t)end, "%s%s*%u", i ? "," : "",
                    ut_topology_direction(t, list[i].port, way), list[i].hops);
}

static void print_plan(const struct ut_network *n, const struct ut_hop *h) {
  char before[48], after[48];
  snprintf(before, sizeof before, "%u", ut_rt_torus_sub_path(h->rt_in));
  snprintf(after, sizeof after, "%u", ut_rt_torus_sub_path(h->rt_out));
  print_change(before, after, 8);
  print_change(ut_rt_torus_deterministic(h->rt_in) ? "yes" : "no", ut_rt_torus_deterministic(h->rt_out) ? "yes" : "no",
               7);
  misroutes_text(&n->topology, h->rt_in, before, sizeof before);
  misroutes_text(&n->topology, h->rt_out, after, sizeof after);
  print_change(before, after, 0);
}

/* A line of its own under its hop, as the packet goes on from there by another header word. */
static void print_strip(const struct ut_network *n, const struct ut_hop *h) {
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  const uint32_t sw = n->topology.attachment[h->stop].sw;
  printf("%15sheader stripped%s, next stop ", "", h->stripped > 1 ? " more than once" : "");
  if (ut_rt_torus_more(h->rt_out))
    printf("%s %s\n", ut_topology_switch_name(&n->topology, sw, name),
           ut_topology_switch_tuple(&n->topology, sw, tuple));
  else
    printf("terminal %u\n", (unsigned)h->stop);
}

static void print_hop(const struct ut_network *n, const struct ut_hop *h, size_t number) {
  const struct ut_topology *t = &n->topology;
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
    print_change(ut_vector_text(h->vector_in, n->group.k, before), ut_vector_text(h->vector_out, n->group.k, after),
                 has_rt(n) ? 18 : 0);
  if (has_rt(n)) {
    rt_text(n, h->rt_in, before, sizeof before);
    rt_text(n, h->gone ? h->rt_out : h->rt_in, after, sizeof after);
    print_change(before, after, 0);
  }
  if (has_plan(n))
    print_plan(n, h);
  printf("\n");
  if (h->stripped)
    print_strip(n, h);
}

static uint64_t waited(const struct ut_journey *j) {
  uint64_t sum = 0;
  for (size_t i = 0; i < j->hops; i++)
    sum += j->hop[i].waited;
  return sum;
}

/* Links between source and destination without faults. */
static unsigned shortest(const struct ut_topology *t, const struct ut_journey *j) {
  return ut_topology_distance(t, t->attachment[j->src].sw, t->attachment[j->dst].sw);
}

static void print_end(const struct ut_network *n, const struct ut_journey *j) {
  char place[UT_OUTAGE_NAME_SIZE], name[UT_SWITCH_NAME_SIZE];
  const bool tree = !n->topology.dimensions;
  const unsigned turns = tree ? ut_journey_u_turns(j) : ut_journey_stripped(j);
  const unsigned links = ut_journey_links(j, &n->topology);
  switch (j->state) {
  case UT_JOURNEY_DELIVERED:
    printf("  delivered   at terminal %u in cycle %" PRIu64 ": latency %" PRIu64 " cycles", (unsigned)j->to.index,
           j->ended, j->ended - j->generated);
    break;
  case UT_JOURNEY_DISCARDED:
    printf("  discarded   in cycle %" PRIu64 ": %s%s%s", j->ended, ut_discard_name(j->reason),
           j->where.kind == UT_PLACE_NONE ? "" : ", ", ut_place_text(&n->topology, &j->where, place));
    break;
  case UT_JOURNEY_QUEUED:
    printf("  on its way  in cycle %" PRIu64 ": %s terminal %u\n", n->cycle,
           n->terminals.terminal[j->src].end > j->sequence ? "still in the source queue of" : "not yet generated by",
           (unsigned)j->src);
    return;
  case UT_JOURNEY_IN_SWITCH:
    printf("  on its way  in cycle %" PRIu64 ": in switch %s", n->cycle,
           ut_topology_switch_name(&n->topology, j->hop[j->hops - 1].sw, name));
    break;
  case UT_JOURNEY_LOST_SIGHT: printf("  lost sight of it in cycle %" PRIu64, j->ended); break;
  default: printf("  on its way  in cycle %" PRIu64 ": on a wire", n->cycle); break;
  }
  printf("; %u hop%s between switches", links, links == 1 ? "" : "s");
  if (!tree)
    printf(" (shortest way %u)", shortest(&n->topology, j));
  printf(", ");
  if (tree || turns)
    printf("%u %s%s, ", turns, tree ? "U-turn" : "intermediate node", turns == 1 ? "" : "s");
  printf("waited %" PRIu64 " cycles in switches\n", waited(j));
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

static void print_text(const struct run *r, const struct ut_journey *j, const struct ut_outage *outage,
                       size_t outages) {
  const struct ut_network *n = &r->network;
  const struct ut_scenario *s = r->scenario;
  char network[UT_NETWORK_NAME_SIZE];
  printf("%s: %s, %u switches, %u terminals, %s, %u VC%s, seed %" PRIu64 "\n", s->path, ut_scenario_network(s, network),
         (unsigned)n->topology.switches, (unsigned)n->topology.terminals, s->routing.algorithm, s->sw.vcs,
         s->sw.vcs == 1 ? "" : "s", s->run.seed);
  printf("  packet      %u:%u, number %" PRIu64 " of terminal %u%s\n", (unsigned)j->src, (unsigned)(j->sequence % 256),
         j->sequence, (unsigned)j->src, choice_text(r));
  print_sent(j);
  ut_bypass_print(s);
  ut_outages_print(&n->topology, outage, outages);
  if (j->hops) {
    printf("\n  hop    cycle  switch           %-12s  %-37s waits behind", "in", "out");
    printf("%s%s%s\n", has_plan(n) ? "  sub-path  D        misroutes left" : "",
           !has_vector(n) ? ""
           : has_rt(n)    ? "  re-route vector   "
                          : "  re-route vector",
           !has_rt(n)                                         ? ""
           : n->shape.algorithm == UT_FATTREE_MISROUTE_HEADER ? "  misroute vector"
                                                              : "  port field");
  }
  for (size_t i = 0; i < j->hops; i++)
    print_hop(n, &j->hop[i], i + 1);
  if (j->hops)
    printf("\n");
  print_end(n, j);
}

#define PUT(key, value) json_object_set_new(o, key, json_integer((json_int_t)(value)))

static json_t *misroutes_json(const struct ut_topology *t, uint32_t rt) {
  struct misroute list[3];
  char way[UT_DIRECTION_SIZE];
  json_t *array = json_array();
  const unsigned count = misroutes_of(rt, list);
  for (unsigned i = 0; i < count; i++)
    json_array_append_new(array, json_pack("{s:s,s:i}", "direction", ut_topology_direction(t, list[i].port, way),
                                           "hops", (int)list[i].hops));
  return array;
}

/* What the header words of a torus or mesh say, as the head leaves or is now. */
static void put_plan(json_t *o, const struct ut_network *n, const struct ut_hop *h) {
  char name[UT_SWITCH_NAME_SIZE];
  PUT("sub_path_before", ut_rt_torus_sub_path(h->rt_in));
  PUT("sub_path", ut_rt_torus_sub_path(h->rt_out));
  json_object_set_new(o, "deterministic", json_boolean(ut_rt_torus_deterministic(h->rt_out)));
  json_object_set_new(o, "misroutes_before", misroutes_json(&n->topology, h->rt_in));
  json_object_set_new(o, "misroutes", misroutes_json(&n->topology, h->rt_out));
  PUT("headers_stripped", h->stripped);
  PUT("strip_cycles", h->strip);
  json_object_set_new(o, "next_stop",
                      json_string(ut_topology_switch_name(&n->topology, n->topology.attachment[h->stop].sw, name)));
}

static json_t *hop_json(const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_topology *t = &n->topology;
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  const unsigned k = n->group.k;
  json_t *o = json_pack("{s:s,s:s,s:i,s:i,s:I,s:I}", "switch", ut_topology_switch_name(t, h->sw, name), "tuple",
                        ut_topology_switch_tuple(t, h->sw, tuple), "in_port", h->in_port, "in_vc", h->in_vc,
                        "arrived_cycle", (json_int_t)h->arrived, "behind_cycles", (json_int_t)h->behind);
  if (!t->dimensions)
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
    json_object_set_new(o, "direction", json_string(t->dimensions ? direction(t, h, way) : h->goes_up ? "up" : "down"));
    if (!t->dimensions)
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

static void print_json(const struct run *r, const struct ut_journey *j, const struct ut_outage *outage,
                       size_t outages) {
  static const char *const result[] = {"queued",    "in_flight", "in_flight", "in_flight",
                                       "delivered", "discarded", "lost_sight"};
  const struct ut_network *n = &r->network;
  const bool sent = j->state != UT_JOURNEY_QUEUED, over = ut_journey_over(j);
  char place[UT_OUTAGE_NAME_SIZE];
  json_t *o = json_object(), *hops = json_array();
#define SET(key, value) json_object_set_new(o, key, value)
  SET("scenario", json_string(r->scenario->path));
  PUT("seed", r->scenario->run.seed);
  SET("chosen", json_string(r->choice));
  PUT("source", j->src);
  PUT("tag", j->sequence % 256);
  PUT("sequence", j->sequence);
  SET("destination", sent ? json_integer(j->dst) : json_null());
  SET("flits", sent ? json_integer(j->flits) : json_null());
  SET("generated_cycle", sent ? json_integer((json_int_t)j->generated) : json_null());
  SET("injected_cycle", sent && j->headers ? json_integer((json_int_t)j->injected) : json_null());
  if (n->topology.dimensions)
    SET("header_words", sent ? json_integer(j->headers) : json_null());
  if (r->scenario->routing.plane_bypass)
    SET("plane_bypass", ut_bypass_json(r->scenario));
  SET("faults", ut_outages_json(&n->topology, outage, outages));
  for (size_t i = 0; i < j->hops; i++)
    json_array_append_new(hops, hop_json(n, &j->hop[i]));
  SET("hops", hops);
  SET("result", json_string(result[j->state]));
  SET("end_cycle", over ? json_integer((json_int_t)j->ended) : json_null());
  SET("latency_cycles",
      j->state == UT_JOURNEY_DELIVERED ? json_integer((json_int_t)(j->ended - j->generated)) : json_null());
  if (j->state == UT_JOURNEY_DISCARDED) {
    SET("reason", json_string(ut_discard_name(j->reason)));
    SET("place", json_string(ut_place_text(&n->topology, &j->where, place)));
  }
  PUT("links", ut_journey_links(j, &n->topology));
  if (n->topology.dimensions)
    PUT("intermediate_nodes", ut_journey_stripped(j));
  else
    PUT("u_turns", ut_journey_u_turns(j));
  if (n->topology.dimensions)
    SET("shortest_way_links", sent ? json_integer(shortest(&n->topology, j)) : json_null());
  PUT("waited_cycles", waited(j));
  SET("deadlock", json_boolean(r->deadlock));
#undef PUT
#undef SET
  json_dumpf(o, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(o);
}

/* Results of the second run.  Returns the exit status. */
static int show(struct run *r, const struct trace_options *o) {
  const struct ut_network *n = &r->network;
  struct ut_outage *outage;
  size_t outages;
  struct ut_error e;
  for (unsigned i = 0; i < r->journeys; i++)
    if (ut_packet_search_is(&r->search, &r->journey[i]))
      r->chosen = i;
  const struct ut_journey *j = &r->journey[r->chosen];
  const uint64_t end = n->terminals.terminal[j->src].end;
  if (j->state == UT_JOURNEY_QUEUED && end <= j->sequence && !ut_interrupted && !r->deadlock) {
    ut_fail(&e, UT_BAD_INPUT,
            "terminal %u generates %" PRIu64 " packets in this run; packet %u:%u:%" PRIu64 " (number %" PRIu64
            ", counted from 0) is not one of them",
            (unsigned)j->src, end, (unsigned)j->src, (unsigned)(j->sequence % 256), j->sequence / 256 + 1, j->sequence);
    return ut_print_error(&e);
  }
  const uint64_t last = ut_journey_over(j) ? j->ended : n->cycle - 1;
  const uint64_t first = j->state == UT_JOURNEY_QUEUED ? last : j->generated;
  if (j->failure || !ut_outages_find(&n->faults, first, last, &outage, &outages)) {
    ut_fail(&e, UT_INTERNAL, "out of memory for the journey");
    return ut_print_error(&e);
  }
  int status = r->deadlock ? UT_DEADLOCK : ut_interrupted ? UT_INTERRUPTED : UT_OK;
  if (j->state == UT_JOURNEY_LOST_SIGHT)
    status = UT_INTERNAL;
  /* first the drawing: if it cannot be written, nothing is */
  if (o->svg && !ut_interrupted && j->state != UT_JOURNEY_QUEUED &&
      ut_journey_draw(j, n, outage, outages, o->svg, &e)) {
    free(outage);
    return ut_print_error(&e);
  }
  if (o->svg && j->state == UT_JOURNEY_QUEUED)
    fprintf(stderr, "uturn: %s is not written: the packet was never sent\n", o->svg);
  (o->scenario.json ? print_json : print_text)(r, j, outage, outages);
  if (r->deadlock)
    ut_watchdog_print(&r->watchdog, stderr);
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted in cycle %" PRIu64 ": this is what is known so far\n", n->cycle);
  free(outage);
  return status;
}

int ut_cmd_trace(int argc, char **argv) {
  struct trace_options o = {0};
  struct run r = {0};
  struct ut_error e;
  struct ut_topology t;
  int status;
  if (ut_parse(&argp, argc, argv, &o, &status))
    return status;
  struct ut_scenario *s = ut_open_scenario(&o.scenario, &status);
  if (!s)
    return status;
  r.scenario = s;
  ut_catch_interrupt();
  bool bad = false;
  if (o.svg) { /* too large for a drawing: said before the run */
    bad = ut_topology_init(&t, s, &e) || ut_drawing_check(&t, &e);
    ut_topology_free(&t);
  }
  bad = bad || choose(&r, &o, &e) || (r.journeys && simulate(&r, follow, &e));
  if (bad)
    status = ut_print_error(&e);
  else if (!r.journeys)
    status = UT_INTERRUPTED;
  else
    status = show(&r, &o);
  for (unsigned i = 0; i < r.journeys; i++)
    ut_journey_free(&r.journey[i]);
  end_run(&r);
  ut_scenario_free(s);
  return status;
}
