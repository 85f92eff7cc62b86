/* SPDX-License-Identifier: Apache-2.0 */
/* net.c - `uturn net`: the network as a table and as a drawing: switches, links, faults, loads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "deadlock.h"
#include "drawing.h"
#include "family.h"
#include "loads.h"
#include "scenario.h"
#include "scenario_output.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "ways.h"

enum { BUSIEST = 8, CAPTION_FAULTS = 4 };

struct net_options {
  struct ut_scenario_options scenario;
  const char *svg;
  bool loads, at_given;
  uint64_t at;
};

#define UT_INPUT struct net_options
static const struct ut_option options[] = {
    UT_ONE_SCENARIO(scenario.path),
    {"svg", 0, "FILE.svg", "draws the network (Graphviz)", UT_FILE(svg)},
    {"loads", 0, NULL,
     "runs the scenario and shows how busy each link is, in the measurement window; with --at, between the last change "
     "of faults before that cycle and the next one after it",
     UT_FLAG(loads)},
    {"at", 0, "CYCLE", "the faults in force in that cycle, instead of all of the run", UT_NUMBER(at),
     UT_GIVEN(at_given)},
    UT_GROUP(ut_scenario_syntax, scenario),
    {0},
};

const struct ut_syntax ut_syntax_net = {
    "SCENARIO", "Shows the network of SCENARIO: switches, links, faults, and the loads of the links.", options, NULL};

struct view {
  const struct ut_scenario *scenario;
  struct ut_network network;
  struct ut_outage *outage;
  size_t outages;
  struct ut_loads loads; /* without --loads none */
  struct ut_watchdog watchdog;
  bool deadlock;
  struct ut_node_model nodes; /* under all faults that are shown; nothing in it if switches keep no states */
};

/* ---- states of nodes */

/* Under all faults that are shown. */
static int find_states(struct view *w, struct ut_error *e) {
  const struct ut_topology *t = w->network.topology;
  if (!w->network.availability.serves)
    return 0;
  uint32_t *failed = malloc((w->outages + 1) * sizeof *failed);
  unsigned count = 0;
  for (size_t i = 0; failed && i < w->outages; i++)
    if (w->outage[i].kind == UT_FAULT_SWITCH)
      failed[count++] = w->outage[i].sw;
  int status = failed ? ut_node_model_init(&w->nodes, t, e) : ut_fail(e, UT_BAD_INPUT, "out of memory for the states");
  if (!status)
    ut_node_model_set(&w->nodes, failed, count);
  free(failed);
  return status;
}

/* The nodes in each state. */
static json_t *states_json(const struct view *w) {
  json_t *o = json_object();
  for (unsigned state = 0; state < UT_NODE_STATES; state++) {
    json_t *list = json_array();
    for (uint32_t sw = 0; sw < w->network.topology->switches; sw++)
      if (w->nodes.state[sw] == state)
        json_array_append_new(list, json_integer(sw));
    json_object_set_new(o, ut_node_state_name[state], list);
  }
  return o;
}

/* ---- loads */

static int measure(struct view *w, struct ut_error *e) {
  struct ut_network *n = &w->network;
  struct ut_progress progress;
  struct ut_elaborator elaborator;
  if (ut_elaborator_start(&elaborator, w->scenario, UT_ELABORATE_LONG, NULL, NULL, e))
    return -1;
  ut_progress_start(&progress);
  bool memory = true;
  /* a workload may end before that */
  while (n->cycle < w->loads.until && !ut_network_done(n) && !ut_interrupted && !n->failure && !w->deadlock && memory) {
    ut_network_skip(n, n->cycle <= w->loads.from ? w->loads.from + 1 : w->loads.until);
    if (n->cycle == w->loads.from)
      memory = ut_network_count_links(n);
    ut_elaborator_use(&elaborator, n);
    ut_network_step(n);
    w->deadlock = ut_watchdog_check(&w->watchdog, n);
    ut_progress_show(&progress, n->cycle, w->loads.until);
  }
  ut_progress_end(&progress);
  ut_elaborate_end(&elaborator);
  if (n->failure || !memory || !ut_loads_take(&w->loads, n))
    return ut_fail(e, UT_BAD_INPUT, "not enough memory; lower the load or the number of cycles");
  return 0;
}

/* The directions of links between switches: output ports of the same number; behind them come those to terminals. */
static unsigned directions(const struct ut_topology *t) {
  unsigned most = 0;
  for (uint32_t i = 0; i < t->switches * t->po; i++)
    if (t->peer[i].kind == UT_PEER_SWITCH && i % t->po >= most)
      most = i % t->po + 1;
  return most;
}

/* The output ports of a direction; behind the last one: those of the terminals. */
static uint64_t ports_of(const struct ut_topology *t, unsigned direction) {
  return direction < directions(t) ? UINT64_C(1) << direction : ~UINT64_C(0) << direction;
}

/* ---- output */

static unsigned faults_of(const struct view *w, unsigned level, enum ut_fault_kind kind) {
  const struct ut_topology *t = w->network.topology;
  unsigned count = 0;
  for (size_t i = 0; i < w->outages; i++) {
    const struct ut_outage *o = &w->outage[i];
    bool up =
        o->kind == UT_FAULT_LINK && (t->bidirectional ? t->up_ports >> o->port & 1 : o->channel < t->switches * t->po);
    count += o->kind == kind && t->level[o->sw] == level && (kind == UT_FAULT_SWITCH || up);
  }
  return count;
}

/* The same component may be faulty more than once. */
static bool is_first_fault(const struct view *w, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (w->outage[j].kind == w->outage[i].kind && w->outage[j].sw == w->outage[i].sw &&
        w->outage[j].port == w->outage[i].port)
      return false;
  return true;
}

/* Faulty links that leave a switch in a direction: each has two ends. */
static unsigned faults_toward(const struct view *w, unsigned direction) {
  const struct ut_topology *t = w->network.topology;
  const uint64_t ports = ports_of(t, direction);
  unsigned count = 0;
  for (size_t i = 0; i < w->outages; i++) {
    const struct ut_outage *o = &w->outage[i];
    const struct ut_peer *p = &t->peer[(size_t)o->sw * t->po + o->port];
    if (o->kind == UT_FAULT_LINK && is_first_fault(w, i))
      count += (ports >> o->port & 1) + (p->kind == UT_PEER_SWITCH && ports >> p->port & 1);
  }
  return count;
}

static unsigned faulty_switches(const struct view *w) {
  unsigned count = 0;
  for (size_t i = 0; i < w->outages; i++)
    count += w->outage[i].kind == UT_FAULT_SWITCH && is_first_fault(w, i);
  return count;
}

/* "+x", "-x", ..., "local" */
static const char *direction_text(const struct ut_topology *t, unsigned direction, char text[UT_DIRECTION_SIZE]) {
  return direction < directions(t) ? ut_topology_direction(t, direction, text) : "local";
}

static json_t *load_json(const struct view *w, const struct ut_load_summary *s) {
  return w->loads.load ? UT_OBJECT({"mean", ut_real(s->mean)}, {"max", ut_real(s->most)}) : NULL;
}

/* A level: its links up, or, where links have one direction, those that leave it. */
static json_t *level_json(const struct view *w, unsigned level) {
  const struct ut_topology *t = w->network.topology;
  const bool both = t->bidirectional;
  const struct ut_load_summary up = ut_loads_summarize(&w->loads, t, level, both ? t->up_ports : ~UINT64_C(0)),
                               down = ut_loads_summarize(&w->loads, t, level, ~t->up_ports);
  json_t *load = w->loads.load && both && !up.links ? json_null() : load_json(w, &up);
  return UT_OBJECT({"level", ut_int(level)}, {"switches", ut_int(up.switches)},
                   {"faulty_switches", ut_int(faults_of(w, level, UT_FAULT_SWITCH))},
                   {both ? "links_up" : "links_on", ut_int(up.links)},
                   {both ? "faulty_links_up" : "faulty_links_on", ut_int(faults_of(w, level, UT_FAULT_LINK))},
                   {both ? "load_up" : "load", load}, {"load_down", both ? load_json(w, &down) : NULL});
}

static json_t *direction_json(const struct view *w, unsigned direction) {
  const struct ut_topology *t = w->network.topology;
  char text[UT_DIRECTION_SIZE];
  const struct ut_load_summary s = ut_loads_summarize(&w->loads, t, 0, ports_of(t, direction));
  return UT_OBJECT({"direction", ut_string(direction_text(t, direction, text))}, {"links", ut_int(s.links)},
                   {"faulty_links", ut_int(faults_toward(w, direction))}, {"load", load_json(w, &s)});
}

static json_t *topology_json(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  if (!(t->family->keys & UT_KEY_SIZES))
    return UT_OBJECT({"kind", ut_string(t->kind)}, {"k", ut_int(w->scenario->topology.k)},
                     {"n", ut_int(w->scenario->topology.n)});
  json_t *sizes = json_array();
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS && t->size[d]; d++)
    json_array_append_new(sizes, ut_int(t->size[d]));
  return UT_OBJECT({"kind", ut_string(t->kind)}, {"sizes", sizes},
                   {"local_ports", ut_int(w->scenario->topology.local_ports)},
                   {"terminal_links", ut_int(t->injections)});
}

/* What the links have in common: levels, or directions. */
static void add_summaries(json_t *o, const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  json_t *array = json_array();
  if (ut_levelled(t)) {
    for (unsigned level = 0; level < t->levels; level++)
      json_array_append_new(array, level_json(w, level));
    UT_ADD(o, {"levels", array});
    return;
  }
  for (unsigned direction = 0; direction <= directions(t); direction++)
    json_array_append_new(array, direction_json(w, direction));
  UT_ADD(o, {"faulty_switches", ut_int(faulty_switches(w))}, {"directions", array});
}

/* The load of an output port. */
static json_t *link_json(const struct view *w, size_t i) {
  const struct ut_topology *t = w->network.topology;
  char name[UT_SWITCH_NAME_SIZE], way[UT_DIRECTION_SIZE];
  const struct ut_peer *p = &t->peer[i];
  const bool to_switch = p->kind == UT_PEER_SWITCH;
  return UT_OBJECT(
      {"switch", ut_string(ut_topology_switch_name(t, (uint32_t)(i / t->po), name))}, {"port", ut_int(i % t->po)},
      {"flits_per_cycle", ut_real(w->loads.load[i])},
      {"direction", ut_levelled(t) ? NULL : ut_string(ut_topology_direction(t, (unsigned)(i % t->po), way))},
      {"to_switch", to_switch ? ut_string(ut_topology_switch_name(t, p->index, name)) : NULL},
      {"to_terminal", to_switch ? NULL : ut_int(p->index)});
}

/* All of them in JSON, the busiest ones in the text. */
static void add_loads(json_t *o, const struct view *w, bool json) {
  const struct ut_topology *t = w->network.topology;
  char tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  json_t *links = json_array(), *busiest = json_array();
  size_t port[BUSIEST];
  const unsigned count = ut_loads_busiest(&w->loads, t, port, BUSIEST);
  for (size_t i = 0; i < (size_t)t->switches * t->po && json; i++)
    if (t->peer[i].kind != UT_PEER_NONE)
      json_array_append_new(links, link_json(w, i));
  for (unsigned i = 0; i < count; i++)
    json_array_append_new(busiest,
                          UT_ADD(link_json(w, port[i]),
                                 {"_tuple", ut_string(ut_topology_switch_tuple(t, (uint32_t)(port[i] / t->po), tuple))},
                                 {"_way", ut_string(ut_topology_direction(t, (unsigned)(port[i] % t->po), way))}));
  UT_ADD(o, {"load_from_cycle", ut_int(w->loads.from)}, {"load_until_cycle", ut_int(w->loads.until)},
         {"_last_cycle", ut_int(w->loads.until - (w->loads.until > w->loads.from))}, {"loads", links},
         {"_busiest", busiest}, {"_loads", json_true()}, {"deadlock", json_boolean(w->deadlock)});
}

static const char layout[] =
    "{scenario}: {_network}, {switches} switches of {_ports} ports, {links} links between them, {terminals} terminals, "
    "{_algorithm}, {_vcs} VC{_vcs+s}\n" UT_BYPASS_LAYOUT UT_OUTAGES_LAYOUT "{?faulty_switches}"
    "              ({faulty_switches} switch{faulty_switches+es}: {faulty_switches+their/its} links are not counted "
    "below)\n"
    "{/}\n"
    "{?directions}{|directions}"
    "  <direction|links|faulty|load: mean|most\n"
    "{direction}|{links}|{faulty_links}|{load.mean:.3f}|{load.max:.3f}\n"
    "{/}{:}{|levels}"
    "  level|switches|faulty|links up|links on|faulty|load: mean|most|load up: mean|most|load down: mean|most\n"
    "{level}|{switches}|{faulty_switches}|{links_up}|{links_on}|{faulty_links_up}{faulty_links_on}|{load.mean:.3f}|"
    "{load.max:.3f}|{load_up.mean:.3f}|{load_up.max:.3f}|{load_down.mean:.3f}|{load_down.max:.3f}\n"
    "{/}{/}{?_loads}\n"
    "  busiest links between switches, flits per cycle in cycles {load_from_cycle}-{_last_cycle}"
    "{?_busiest}{:}: none{/}\n"
    "{|_busiest}"
    "    |<|<|<|<|<\n"
    "{flits_per_cycle:.3f}|{switch}|{_tuple}|port {port:2d}|to {to_switch}|{_way}\n"
    "{/}{/}";

static void print(const struct view *w, const struct net_options *options_) {
  const struct ut_topology *t = w->network.topology;
  json_t *o = ut_scenario_result(w->scenario);
  UT_ADD(o, {"topology", topology_json(w)}, {"plane_bypass", ut_bypass_json(w->scenario)},
         {"switches", ut_int(t->switches)}, {"_ports", ut_int(t->po)}, {"terminals", ut_int(t->terminals)},
         {"links", ut_int(t->links)}, {"at_cycle", ut_int_if(options_->at_given, options_->at)},
         {"faults", ut_outages_json(t, w->outage, w->outages)},
         {"node_states", w->nodes.state ? states_json(w) : NULL});
  add_summaries(o, w);
  if (w->loads.load)
    add_loads(o, w, options_->scenario.json);
  ut_result_print(o, options_->scenario.json, 6, layout);
}

static int draw(const struct view *w, const struct net_options *o, struct ut_error *e) {
  const struct ut_topology *t = w->network.topology;
  char caption[1024 + UT_BYPASS_SIZE], text[UT_OUTAGE_LINE_SIZE], name[UT_NETWORK_NAME_SIZE], bypass[UT_BYPASS_SIZE];
  size_t size = sizeof caption;
  int end =
      snprintf(caption, size, "%s: %u switches (level.index %s), %u terminals", ut_scenario_network(w->scenario, name),
               (unsigned)t->switches, ut_levelled(t) ? "<level,digits>" : "and coordinates", (unsigned)t->terminals);
  if (w->scenario->routing.plane_bypass)
    end += snprintf(caption + end, size - (size_t)end, "\n%s; numbers are those of the network that is left",
                    ut_bypass_text(w->scenario, bypass));
  if (w->loads.load)
    end += snprintf(caption + end, size - (size_t)end, "\n%s at %.3g flits/cycle, loads of cycles %" PRIu64 "-%" PRIu64,
                    w->scenario->routing.algorithm, w->scenario->traffic.load_flits_per_cycle, w->loads.from,
                    w->loads.until - (w->loads.until > w->loads.from));
  for (size_t i = 0; i < w->outages && i < CAPTION_FAULTS; i++)
    end += snprintf(caption + end, size - (size_t)end, "\nfaulty: %s", ut_outage_line(t, &w->outage[i], text));
  if (w->outages > CAPTION_FAULTS)
    snprintf(caption + end, size - (size_t)end, "\nand %zu more faults", w->outages - CAPTION_FAULTS);
  struct ut_drawing d = {.topology = t,
                         .outage = w->outage,
                         .outages = w->outages,
                         .source = UINT32_MAX,
                         .destination = UINT32_MAX,
                         .end = UINT32_MAX,
                         .state = w->nodes.state,
                         .load = w->loads.load,
                         .caption = caption};
  return ut_drawing_svg(&d, o->svg, e);
}

static int show(struct view *w, const struct net_options *o) {
  struct ut_error e;
  const struct ut_network *n = &w->network;
  const uint64_t end = ut_network_planned(w->scenario) - 1;
  if ((o->svg && ut_drawing_check(n->topology, &e)))
    return ut_print_error(&e);
  if (!ut_outages_find(&n->faults, o->at_given ? o->at : 0, o->at_given ? o->at : end, &w->outage, &w->outages)) {
    ut_fail(&e, UT_BAD_INPUT, "out of memory for the faults");
    return ut_print_error(&e);
  }
  if (find_states(w, &e))
    return ut_print_error(&e);
  if (o->loads && measure(w, &e))
    return ut_print_error(&e);
  /* first the drawing: if it cannot be written, nothing is */
  if (o->svg && !ut_interrupted && draw(w, o, &e))
    return ut_print_error(&e);
  print(w, o);
  if (w->deadlock)
    ut_watchdog_print(&w->watchdog, stderr);
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted in cycle %" PRIu64 ": these are the loads so far\n", n->cycle);
  return w->deadlock ? UT_DEADLOCK : ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

int ut_cmd_net(int argc, char **argv) {
  struct net_options o = {0};
  struct view w = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_net, argc, argv, &o, &status))
    return status;
  struct ut_scenario *s = ut_open_scenario(&o.scenario, &status);
  if (!s)
    return status;
  w.scenario = s;
  ut_catch_interrupt();
  if (o.at_given && o.at >= ut_network_planned(s)) {
    ut_fail(&e, UT_BAD_INPUT, "--at %" PRIu64 ": the run of %s has cycles 0 to %" PRIu64, o.at, s->path,
            ut_network_planned(s) - 1);
    status = ut_print_error(&e);
  } else if (ut_network_init(&w.network, s, NULL, &e)) {
    status = ut_print_error(&e);
  } else {
    ut_loads_window(&w.loads, &w.network, o.at_given ? &o.at : NULL);
    status = show(&w, &o);
    ut_network_fini(&w.network);
  }
  free(w.loads.load);
  free(w.outage);
  ut_node_model_free(&w.nodes);
  ut_watchdog_free(&w.watchdog);
  ut_scenario_free(s);
  return status;
}
