/* SPDX-License-Identifier: Apache-2.0 */
/* net.c - `uturn net`: the network as a table and as a drawing: switches, links, faults, loads. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "deadlock.h"
#include "drawing.h"
#include "family.h"
#include "faults_output.h"
#include "json_text.h"
#include "loads.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "ways.h"

enum { KEY_SVG = 0x500, KEY_LOADS, KEY_AT };
enum { BUSIEST = 8, CAPTION_FAULTS = 4 };

struct net_options {
  struct ut_scenario_options scenario;
  const char *svg;
  bool loads, at_given;
  uint64_t at;
};

static const struct argp_option options[] = {
    {"svg", KEY_SVG, "FILE", 0, "draws the network (Graphviz)", 0},
    {"loads", KEY_LOADS, 0, 0,
     "runs the scenario and shows how busy each link is, in the measurement window; with --at, between the last change "
     "of faults before that cycle and the next one after it",
     0},
    {"at", KEY_AT, "CYCLE", 0, "the faults in force in that cycle, instead of all of the run", 0},
    {0},
};

static const struct argp_child children[] = {{&ut_scenario_argp, 0, NULL, 0}, {0}};
static error_t parse(int key, char *arg, struct argp_state *state) {
  struct net_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &o->scenario; return 0;
  case KEY_SVG: o->svg = ut_parse_file(arg, "--svg", ".svg", state); return 0;
  case KEY_LOADS: o->loads = true; return 0;
  case KEY_AT: o->at = ut_parse_number(arg, "--at", state), o->at_given = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
const struct argp ut_argp_net = {
    options,  parse, "SCENARIO", "Shows the network of SCENARIO: switches, links, faults, and the loads of the links.",
    children, 0,     0};

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

static void print_directions(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  char text[UT_DIRECTION_SIZE];
  const unsigned bad = faulty_switches(w);
  if (bad)
    printf("              (%u switch%s: %s links are not counted below)\n", bad, bad == 1 ? "" : "es",
           bad == 1 ? "its" : "their");
  printf("\n  direction  links  faulty%s\n", w->loads.load ? "   load: mean    most" : "");
  for (unsigned direction = 0; direction <= directions(t); direction++) {
    struct ut_load_summary s = ut_loads_summarize(&w->loads, t, 0, ports_of(t, direction));
    printf("  %-9s  %5u  %6u", direction_text(t, direction, text), (unsigned)s.links, faults_toward(w, direction));
    if (w->loads.load)
      printf("        %5.3f   %5.3f", s.mean, s.most);
    printf("\n");
  }
}

/* Levels of a network whose links have one direction: what leaves them. */
static void print_stages(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  printf("\n  level  switches  faulty  links on  faulty%s\n", w->loads.load ? "   load: mean    most" : "");
  for (unsigned level = t->levels; level-- > 0;) {
    struct ut_load_summary s = ut_loads_summarize(&w->loads, t, level, ~UINT64_C(0));
    printf("  %5u  %8u  %6u  %8u  %6u", level, (unsigned)s.switches, faults_of(w, level, UT_FAULT_SWITCH),
           (unsigned)s.links, faults_of(w, level, UT_FAULT_LINK));
    if (w->loads.load)
      printf("        %5.3f   %5.3f", s.mean, s.most);
    printf("\n");
  }
}

static void print_levels(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  printf("\n  level  switches  faulty  links up  faulty%s\n",
         w->loads.load ? "   load up: mean    most   load down: mean    most" : "");
  for (unsigned level = t->levels; level-- > 0;) {
    struct ut_load_summary up = ut_loads_summarize(&w->loads, t, level, t->up_ports),
                           down = ut_loads_summarize(&w->loads, t, level, ~t->up_ports);
    printf("  %5u  %8u  %6u  %8u  %6u", level, (unsigned)up.switches, faults_of(w, level, UT_FAULT_SWITCH),
           (unsigned)up.links, faults_of(w, level, UT_FAULT_LINK));
    if (w->loads.load && up.links)
      printf("          %7.3f %7.3f            %7.3f %7.3f", up.mean, up.most, down.mean, down.most);
    else if (w->loads.load)
      printf("          %7s %7s            %7.3f %7.3f", "-", "-", down.mean, down.most);
    printf("\n");
  }
}

static void print_busiest(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  size_t port[BUSIEST];
  unsigned count = ut_loads_busiest(&w->loads, t, port, BUSIEST);
  printf("\n  busiest links between switches, flits per cycle in cycles %" PRIu64 "-%" PRIu64 "%s\n", w->loads.from,
         w->loads.until - (w->loads.until > w->loads.from), count ? "" : ": none");
  for (unsigned i = 0; i < count; i++) {
    const struct ut_peer *p = &t->peer[port[i]];
    uint32_t sw = (uint32_t)(port[i] / t->po);
    printf("    %.3f  %-6s %-9s port %2u to %-6s %s\n", w->loads.load[port[i]], ut_topology_switch_name(t, sw, name),
           ut_topology_switch_tuple(t, sw, tuple), (unsigned)(port[i] % t->po),
           ut_topology_switch_name(t, p->index, other), ut_topology_direction(t, port[i] % t->po, way));
  }
}

static void print_text(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  const struct ut_scenario *s = w->scenario;
  char name[UT_NETWORK_NAME_SIZE];
  printf("%s: %s, %u switches of %u ports, %zu links between them, %u terminals, %s, %u VC%s\n", s->path,
         ut_scenario_network(s, name), (unsigned)t->switches, t->po, t->links, (unsigned)t->terminals,
         s->routing.algorithm, s->sw.vcs, s->sw.vcs == 1 ? "" : "s");
  ut_bypass_print(s);
  ut_outages_print(t, w->outage, w->outages);
  (!ut_levelled(t) ? print_directions : t->bidirectional ? print_levels : print_stages)(w);
  if (w->loads.load)
    print_busiest(w);
}

static json_t *stage_json(const struct view *w, unsigned level) {
  struct ut_load_summary s = ut_loads_summarize(&w->loads, w->network.topology, level, ~UINT64_C(0));
  json_t *o = json_pack("{s:i,s:i,s:i,s:i,s:i}", "level", (int)level, "switches", (int)s.switches, "faulty_switches",
                        (int)faults_of(w, level, UT_FAULT_SWITCH), "links_on", (int)s.links, "faulty_links_on",
                        (int)faults_of(w, level, UT_FAULT_LINK));
  if (w->loads.load)
    json_object_set_new(o, "load", json_pack("{s:f,s:f}", "mean", s.mean, "max", s.most));
  return o;
}

static json_t *level_json(const struct view *w, unsigned level) {
  const struct ut_topology *t = w->network.topology;
  if (!t->bidirectional)
    return stage_json(w, level);
  struct ut_load_summary up = ut_loads_summarize(&w->loads, t, level, t->up_ports),
                         down = ut_loads_summarize(&w->loads, t, level, ~t->up_ports);
  json_t *o = json_pack("{s:i,s:i,s:i,s:i,s:i}", "level", (int)level, "switches", (int)up.switches, "faulty_switches",
                        (int)faults_of(w, level, UT_FAULT_SWITCH), "links_up", (int)up.links, "faulty_links_up",
                        (int)faults_of(w, level, UT_FAULT_LINK));
  if (w->loads.load) {
    json_object_set_new(o, "load_up", up.links ? json_pack("{s:f,s:f}", "mean", up.mean, "max", up.most) : json_null());
    json_object_set_new(o, "load_down", json_pack("{s:f,s:f}", "mean", down.mean, "max", down.most));
  }
  return o;
}

static json_t *direction_json(const struct view *w, unsigned direction) {
  const struct ut_topology *t = w->network.topology;
  char text[UT_DIRECTION_SIZE];
  struct ut_load_summary s = ut_loads_summarize(&w->loads, t, 0, ports_of(t, direction));
  json_t *o = json_pack("{s:s,s:i,s:i}", "direction", direction_text(t, direction, text), "links", (int)s.links,
                        "faulty_links", (int)faults_toward(w, direction));
  if (w->loads.load)
    json_object_set_new(o, "load", json_pack("{s:f,s:f}", "mean", s.mean, "max", s.most));
  return o;
}

static json_t *topology_json(const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  if (!(t->family->keys & UT_KEY_SIZES))
    return json_pack("{s:s,s:i,s:i}", "kind", t->kind, "k", (int)w->scenario->topology.k, "n",
                     (int)w->scenario->topology.n);
  json_t *sizes = json_array();
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS && t->size[d]; d++)
    json_array_append_new(sizes, json_integer(t->size[d]));
  return json_pack("{s:s,s:o,s:i,s:i}", "kind", t->kind, "sizes", sizes, "local_ports",
                   (int)w->scenario->topology.local_ports, "terminal_links", (int)t->injections);
}

/* What the links have in common: levels, or directions. */
static void set_summaries(json_t *o, const struct view *w) {
  const struct ut_topology *t = w->network.topology;
  json_t *array = json_array();
  if (!ut_levelled(t)) {
    json_object_set_new(o, "faulty_switches", json_integer(faulty_switches(w)));
    for (unsigned direction = 0; direction <= directions(t); direction++)
      json_array_append_new(array, direction_json(w, direction));
  } else {
    for (unsigned level = 0; level < t->levels; level++)
      json_array_append_new(array, level_json(w, level));
  }
  json_object_set_new(o, ut_levelled(t) ? "levels" : "directions", array);
}

static void print_json(const struct view *w, const struct net_options *options_) {
  const struct ut_topology *t = w->network.topology;
  char name[UT_SWITCH_NAME_SIZE], way[UT_DIRECTION_SIZE];
  json_t *o = json_object(), *links = json_array();
#define SET(key, value) json_object_set_new(o, key, value)
  SET("scenario", ut_json_text(w->scenario->path));
  SET("topology", topology_json(w));
  if (w->scenario->routing.plane_bypass)
    SET("plane_bypass", ut_bypass_json(w->scenario));
  SET("switches", json_integer(t->switches));
  SET("terminals", json_integer(t->terminals));
  SET("links", json_integer((json_int_t)t->links));
  SET("at_cycle", options_->at_given ? json_integer((json_int_t)options_->at) : json_null());
  SET("faults", ut_outages_json(t, w->outage, w->outages));
  if (w->nodes.state)
    SET("node_states", states_json(w));
  set_summaries(o, w);
  if (w->loads.load) {
    for (size_t i = 0; i < (size_t)t->switches * t->po; i++) {
      const struct ut_peer *p = &t->peer[i];
      if (p->kind == UT_PEER_NONE)
        continue;
      json_t *link = json_pack("{s:s,s:i,s:f}", "switch", ut_topology_switch_name(t, (uint32_t)(i / t->po), name),
                               "port", (int)(i % t->po), "flits_per_cycle", w->loads.load[i]);
      if (!ut_levelled(t))
        json_object_set_new(link, "direction", json_string(ut_topology_direction(t, (unsigned)(i % t->po), way)));
      if (p->kind == UT_PEER_SWITCH)
        json_object_set_new(link, "to_switch", json_string(ut_topology_switch_name(t, p->index, name)));
      else
        json_object_set_new(link, "to_terminal", json_integer(p->index));
      json_array_append_new(links, link);
    }
    SET("load_from_cycle", json_integer((json_int_t)w->loads.from));
    SET("load_until_cycle", json_integer((json_int_t)w->loads.until));
    SET("loads", links);
    SET("deadlock", json_boolean(w->deadlock));
  } else {
    json_decref(links);
  }
#undef SET
  json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(o);
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
                    ut_bypass_text(w->scenario, bypass, sizeof bypass));
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
  if (o->scenario.json)
    print_json(w, o);
  else
    print_text(w);
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
  if (ut_parse(&ut_argp_net, argc, argv, &o, &status))
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
