/* SPDX-License-Identifier: Apache-2.0 */
/* net.c - `uturn net`: the network as a table and as a drawing: switches, links, faults, loads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "deadlock.h"
#include "distance.h"
#include "drawing.h"
#include "family.h"
#include "graph.h"
#include "graph_topology.h"
#include "graph_write.h"
#include "loads.h"
#include "output.h"
#include "scenario.h"
#include "scenario_output.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "ways.h"
#include "zero_load.h"

enum { BUSIEST = 8, CAPTION_FAULTS = 4 };

struct net_options {
  struct ut_scenario_options scenario;
  const char *svg, *write;
  enum ut_graph_form form;
  bool loads, at_given, form_given;
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
    {"write", 0, "FILE",
     "writes the network, without faults, as a file that `kind: graph` reads; its ending tells the form: .net or .topo "
     "a "
     "node list (ibsim), .anynet (BookSim), .graphml (networkx, yEd); -: standard output, and nothing else there",
     UT_TEXT(write)},
    {"form", 0, "node_list|anynet|graphml", "the form of that file, whatever its ending", UT_CHOICE(form),
     UT_GIVEN(form_given), .with = "write"}, /* as enum ut_graph_form */
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
static int find_states(struct view *view, struct ut_error *e) {
  const struct ut_topology *topo = view->network.topology;
  if (!view->network.availability.serves)
    return 0;
  uint32_t *failed = malloc((view->outages + 1) * sizeof *failed);
  unsigned count = 0;
  for (size_t i = 0; failed && i < view->outages; i++)
    if (view->outage[i].kind == UT_FAULT_SWITCH)
      failed[count++] = view->outage[i].sw;
  int status =
      failed ? ut_node_model_init(&view->nodes, topo, e) : ut_fail(e, UT_BAD_INPUT, "out of memory for the states");
  if (!status)
    ut_node_model_set(&view->nodes, failed, count);
  free(failed);
  return status;
}

/* The nodes in each state. */
static json_t *states_json(const struct view *view) {
  json_t *o = json_object();
  for (unsigned state = 0; state < UT_NODE_STATES; state++) {
    json_t *list = json_array();
    for (uint32_t sw = 0; sw < view->network.topology->switches; sw++)
      if (view->nodes.state[sw] == state)
        json_array_append_new(list, json_integer(sw));
    json_object_set_new(o, ut_node_state_name[state], list);
  }
  return o;
}

/* ---- loads */

static int measure(struct view *view, struct ut_error *e) {
  struct ut_network *net = &view->network;
  struct ut_progress progress;
  struct ut_elaborator elaborator;
  if (ut_elaborator_start(&elaborator, view->scenario, UT_ELABORATE_LONG, NULL, NULL, e))
    return -1;
  ut_progress_start(&progress);
  bool memory = true;
  /* a workload may end before that */
  while (net->cycle < view->loads.until && !ut_network_done(net) && !ut_interrupted && !net->failure &&
         !view->deadlock && memory) {
    ut_network_skip(net, net->cycle <= view->loads.from ? view->loads.from + 1 : view->loads.until);
    if (net->cycle == view->loads.from)
      memory = ut_network_count_links(net);
    ut_elaborator_use(&elaborator, net);
    ut_network_step(net);
    view->deadlock = ut_watchdog_check(&view->watchdog, net);
    ut_progress_show(&progress, net->cycle, view->loads.until);
  }
  ut_progress_end(&progress);
  ut_elaborate_end(&elaborator);
  if (net->failure || !memory || !ut_loads_take(&view->loads, net))
    return ut_fail(e, UT_BAD_INPUT, "not enough memory; lower the load or the number of cycles");
  return 0;
}

/* The directions of links between switches: output ports of the same number; behind them come those to terminals. */
static unsigned directions(const struct ut_topology *topo) {
  unsigned most = 0;
  for (uint32_t i = 0; i < topo->switches * topo->po; i++)
    if (topo->peer[i].kind == UT_PEER_SWITCH && i % topo->po >= most)
      most = i % topo->po + 1;
  return most;
}

/* The output ports of a direction; behind the last one: those of the terminals. */
static uint64_t ports_of(const struct ut_topology *topo, unsigned direction) {
  return direction < directions(topo) ? UINT64_C(1) << direction : ~UINT64_C(0) << direction;
}

/* ---- output */

static unsigned faults_of(const struct view *view, unsigned level, enum ut_fault_kind kind) {
  const struct ut_topology *topo = view->network.topology;
  unsigned count = 0;
  for (size_t i = 0; i < view->outages; i++) {
    const struct ut_outage *outage = &view->outage[i];
    bool up = outage->kind == UT_FAULT_LINK &&
              (topo->bidirectional ? ut_topology_up_ports(topo, outage->sw) >> outage->port & 1
                                   : outage->channel < topo->switches * topo->po);
    count += outage->kind == kind && topo->level[outage->sw] == level && (kind == UT_FAULT_SWITCH || up);
  }
  return count;
}

/* The same component may be faulty more than once. */
static bool is_first_fault(const struct view *view, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (view->outage[j].kind == view->outage[i].kind && view->outage[j].sw == view->outage[i].sw &&
        view->outage[j].port == view->outage[i].port)
      return false;
  return true;
}

/* Faulty links that leave a switch in a direction: each has two ends. */
static unsigned faults_toward(const struct view *view, unsigned direction) {
  const struct ut_topology *topo = view->network.topology;
  const uint64_t ports = ports_of(topo, direction);
  unsigned count = 0;
  for (size_t i = 0; i < view->outages; i++) {
    const struct ut_outage *outage = &view->outage[i];
    const struct ut_peer *peer = &topo->peer[(size_t)outage->sw * topo->po + outage->port];
    if (outage->kind == UT_FAULT_LINK && is_first_fault(view, i))
      count += (ports >> outage->port & 1) + (peer->kind == UT_PEER_SWITCH && ports >> peer->port & 1);
  }
  return count;
}

static unsigned faulty_switches(const struct view *view) {
  unsigned count = 0;
  for (size_t i = 0; i < view->outages; i++)
    count += view->outage[i].kind == UT_FAULT_SWITCH && is_first_fault(view, i);
  return count;
}

/* "+x", "-x", ..., "local" */
static const char *direction_text(const struct ut_topology *topo, unsigned direction, char text[UT_DIRECTION_SIZE]) {
  return direction < directions(topo) ? ut_topology_direction(topo, direction, text) : "local";
}

static json_t *load_json(const struct view *view, const struct ut_load_summary *summary) {
  return view->loads.load ? UT_OBJECT({"mean", ut_real(summary->mean)}, {"max", ut_real(summary->most)}) : NULL;
}

/* A level: its links up, or, where links have one direction, those that leave it. */
static json_t *level_json(const struct view *view, unsigned level) {
  const struct ut_topology *topo = view->network.topology;
  const bool both = topo->bidirectional;
  const uint64_t all = ~UINT64_C(0);
  const struct ut_load_summary up = ut_loads_summarize(&view->loads, topo, level, both ? UT_LOADS_UP : UT_LOADS_ALL,
                                                       all),
                               down = ut_loads_summarize(&view->loads, topo, level, UT_LOADS_DOWN, all);
  json_t *load = view->loads.load && both && !up.links ? json_null() : load_json(view, &up);
  return UT_OBJECT({"level", ut_int(level)}, {"switches", ut_int(up.switches)},
                   {"faulty_switches", ut_int(faults_of(view, level, UT_FAULT_SWITCH))},
                   {both ? "links_up" : "links_on", ut_int(up.links)},
                   {both ? "faulty_links_up" : "faulty_links_on", ut_int(faults_of(view, level, UT_FAULT_LINK))},
                   {both ? "load_up" : "load", load}, {"load_down", both ? load_json(view, &down) : NULL});
}

static json_t *direction_json(const struct view *view, unsigned direction) {
  const struct ut_topology *topo = view->network.topology;
  char text[UT_DIRECTION_SIZE];
  const struct ut_load_summary summary =
      ut_loads_summarize(&view->loads, topo, 0, UT_LOADS_ALL, ports_of(topo, direction));
  return UT_OBJECT({"direction", ut_string(direction_text(topo, direction, text))}, {"links", ut_int(summary.links)},
                   {"faulty_links", ut_int(faults_toward(view, direction))}, {"load", load_json(view, &summary)});
}

/* ---- classes of links */

/* The links between switches of a class, or, behind the last class, those of the terminals. */
struct link_class {
  char name[UT_LINK_CLASS_SIZE];
  unsigned links, faulty, channels;
  double sum, most; /* of the loads of its channels; of a terminal's link of those to it */
};

static void count_load(const struct view *view, struct link_class *class, size_t channel) {
  const double load = view->loads.load ? view->loads.load[channel] : 0;
  class->channels++;
  class->sum += load;
  class->most = load > class->most ? load : class->most;
}

static bool has_failed(const struct view *view, uint32_t sw, unsigned port, const struct ut_peer *peer) {
  for (size_t i = 0; i < view->outages; i++) {
    const struct ut_outage *outage = &view->outage[i];
    if (outage->kind == UT_FAULT_LINK && ((outage->sw == sw && outage->port == port) ||
                                          (peer && outage->sw == peer->index && outage->port == peer->port)))
      return true;
  }
  return false;
}

static void count_links(const struct view *view, struct link_class class[UT_MOST_LINK_CLASSES]) {
  const struct ut_topology *topo = view->network.topology;
  for (size_t i = 0; i < topo->links; i++) {
    const struct ut_link *link = &topo->link[i];
    char name[UT_LINK_CLASS_SIZE];
    struct link_class *own = &class[topo->family->link_class(topo, link, name) % (UT_MOST_LINK_CLASSES - 1)];
    const struct ut_peer peer = {.index = link->upper, .port = link->upper_port};
    memcpy(own->name, name, sizeof own->name);
    own->links++;
    own->faulty += has_failed(view, link->lower, link->lower_port, topo->bidirectional ? &peer : NULL);
    count_load(view, own, (size_t)link->lower * topo->po + link->lower_port);
    if (topo->bidirectional)
      count_load(view, own, (size_t)link->upper * topo->po + link->upper_port);
  }
}

static void count_terminals(const struct view *view, struct link_class *class) {
  const struct ut_topology *topo = view->network.topology;
  snprintf(class->name, sizeof class->name, "to terminals");
  for (uint32_t i = 0; i < topo->terminals * topo->ejections; i++) {
    const uint32_t channel = topo->ejection[i];
    class->links++;
    class->faulty += has_failed(view, channel / topo->po, channel % topo->po, NULL);
    count_load(view, class, channel);
  }
}

static json_t *classes_json(const struct view *view) {
  struct link_class class[UT_MOST_LINK_CLASSES] = {0};
  json_t *list = json_array();
  count_links(view, class);
  count_terminals(view, &class[UT_MOST_LINK_CLASSES - 1]);
  for (unsigned i = 0; i < UT_MOST_LINK_CLASSES; i++)
    if (class[i].links)
      json_array_append_new(
          list, UT_OBJECT({"class", ut_string(class[i].name)}, {"links", ut_int(class[i].links)},
                          {"faulty_links", ut_int(class[i].faulty)},
                          {"load", view->loads.load ? UT_OBJECT({"mean", ut_real(class[i].sum / class[i].channels)},
                                                                {"max", ut_real(class[i].most)})
                                                    : NULL}));
  return list;
}

/* ---- distances */

/* Hops between the switches of different terminals without faults, without load that many times switch and link. */
static json_t *distances_json(const struct ut_topology *topo) {
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  uint32_t *local = calloc(topo->switches, sizeof *local), most = 0;
  double sum = 0, pairs = 0, apart = 0;
  for (uint32_t i = 0; local && i < topo->terminals; i++)
    local[topo->peer[ut_topology_injection(topo, i, 0)].index]++;
  for (uint32_t from = 0; distance && local && from < topo->switches; from++) {
    if (!local[from] || !ut_distances(topo, NULL, from, distance))
      continue;
    for (uint32_t i = 0; i < topo->terminals; i++) {
      const unsigned hops = distance[topo->ejection[i * topo->ejections] / topo->po];
      const bool reached = hops != UT_NO_WAY;
      sum += reached ? (double)local[from] * hops : 0;
      *(reached ? &pairs : &apart) += local[from];
      most = reached && hops > most ? hops : most;
    }
  }
  free(distance);
  free(local);
  pairs -= topo->terminals; /* each with itself */
  return pairs <= 0 ? NULL
                    : UT_OBJECT({"mean_hops", ut_real(sum / pairs)}, {"most_hops", ut_int(most)},
                                {"pairs_without_path", ut_int((json_int_t)apart)});
}

/* Cycles of the longest packet by itself; NULL: its flits wait for credits even then. */
static json_t *zero_load_json(const struct view *view) {
  const struct ut_scenario *scenario = view->scenario;
  const unsigned flits = scenario->sw.packet_flits;
  struct ut_zero_load load;
  if (scenario->sw.switching == UT_WORMHOLE && scenario->sw.depth_flits < flits)
    return NULL;
  return !ut_zero_load_find(&load, &view->network, flits) || !load.pairs
             ? NULL
             : UT_OBJECT({"packet_flits", ut_int(flits)}, {"mean_cycles", ut_real(load.mean)},
                         {"most_cycles", ut_int((json_int_t)load.most)});
}

static json_t *topology_json(const struct view *view) {
  const struct ut_topology *topo = view->network.topology;
  if (!(topo->family->keys & UT_KEY_SIZES))
    return UT_OBJECT({"kind", ut_string(topo->kind)}, {"k", ut_int(view->scenario->topology.k)},
                     {"n", ut_int(view->scenario->topology.n)});
  json_t *sizes = json_array();
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS && topo->size[d]; d++)
    json_array_append_new(sizes, ut_int(topo->size[d]));
  return UT_OBJECT({"kind", ut_string(topo->kind)}, {"sizes", sizes},
                   {"local_ports", ut_int(view->scenario->topology.local_ports)},
                   {"terminal_links", ut_int(topo->injections)});
}

/* What the links have in common: levels, or directions. */
static void add_summaries(json_t *o, const struct view *view) {
  const struct ut_topology *topo = view->network.topology;
  if (topo->family->link_class) {
    UT_ADD(o, {"faulty_switches", ut_int(faulty_switches(view))}, {"distances", distances_json(topo)},
           {"zero_load", zero_load_json(view)}, {"link_classes", classes_json(view)});
    return;
  }
  json_t *array = json_array();
  if (ut_levelled(topo)) {
    for (unsigned level = 0; level < topo->levels; level++)
      json_array_append_new(array, level_json(view, level));
    UT_ADD(o, {"levels", array});
    return;
  }
  for (unsigned direction = 0; direction <= directions(topo); direction++)
    json_array_append_new(array, direction_json(view, direction));
  UT_ADD(o, {"faulty_switches", ut_int(faulty_switches(view))}, {"directions", array});
}

/* The load of an output port. */
static json_t *link_json(const struct view *view, size_t i) {
  const struct ut_topology *topo = view->network.topology;
  char name[UT_SWITCH_NAME_SIZE], way[UT_DIRECTION_SIZE];
  const struct ut_peer *peer = &topo->peer[i];
  const bool to_switch = peer->kind == UT_PEER_SWITCH;
  return UT_OBJECT(
      {"switch", ut_string(ut_topology_switch_name(topo, (uint32_t)(i / topo->po), name))},
      {"port", ut_int(i % topo->po)}, {"flits_per_cycle", ut_real(view->loads.load[i])},
      {"direction", ut_levelled(topo) ? NULL : ut_string(ut_topology_direction(topo, (unsigned)(i % topo->po), way))},
      {"to_switch", to_switch ? ut_string(ut_topology_switch_name(topo, peer->index, name)) : NULL},
      {"to_terminal", to_switch ? NULL : ut_int(peer->index)});
}

/* All of them in JSON, the busiest ones in the text. */
static void add_loads(json_t *o, const struct view *view, bool json) {
  const struct ut_topology *topo = view->network.topology;
  char tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  json_t *links = json_array(), *busiest = json_array();
  size_t port[BUSIEST];
  const unsigned count = ut_loads_busiest(&view->loads, topo, port, BUSIEST);
  for (size_t i = 0; i < (size_t)topo->switches * topo->po && json; i++)
    if (topo->peer[i].kind != UT_PEER_NONE)
      json_array_append_new(links, link_json(view, i));
  for (unsigned i = 0; i < count; i++)
    json_array_append_new(
        busiest, UT_ADD(link_json(view, port[i]),
                        {"_tuple", ut_string(ut_topology_switch_tuple(topo, (uint32_t)(port[i] / topo->po), tuple))},
                        {"_way", ut_string(ut_topology_way(topo, (uint32_t)(port[i] / topo->po),
                                                           (unsigned)(port[i] % topo->po), way))}));
  UT_ADD(o, {"load_from_cycle", ut_int(view->loads.from)}, {"load_until_cycle", ut_int(view->loads.until)},
         {"_last_cycle", ut_int(view->loads.until - (view->loads.until > view->loads.from))}, {"loads", links},
         {"_busiest", busiest}, {"_loads", json_true()}, {"deadlock", json_boolean(view->deadlock)});
}

static const char layout[] =
    "{scenario}: {_network}, {switches} switches of {_ports} ports, {links} links between them, {terminals} terminals, "
    "{_algorithm}, {_vcs} VC{_vcs+s}\n" UT_BYPASS_LAYOUT UT_OUTAGES_LAYOUT "{?faulty_switches}"
    "              ({faulty_switches} switch{faulty_switches+es}: {faulty_switches+their/its} links are not counted "
    "below)\n"
    "{/}\n"
    "{?link_classes}{?distances}  hops          mean {distances.mean_hops:.3f}, at most {distances.most_hops} between "
    "terminals{?distances.pairs_without_path}; {distances.pairs_without_path} pairs have no path{/}\n"
    "{?zero_load}  latency       mean {zero_load.mean_cycles:.3f}, at most {zero_load.most_cycles} cycles for a packet "
    "of {zero_load.packet_flits} flit{zero_load.packet_flits+s} alone in the network\n{/}\n{/}"
    "{|link_classes}"
    "  <links|number|faulty|load: mean|most\n"
    "{class}|{links}|{faulty_links}|{load.mean:.3f}|{load.max:.3f}\n"
    "{/}{:}{?directions}{|directions}"
    "  <direction|links|faulty|load: mean|most\n"
    "{direction}|{links}|{faulty_links}|{load.mean:.3f}|{load.max:.3f}\n"
    "{/}{:}{|levels}"
    "  level|switches|faulty|links up|links on|faulty|load: mean|most|load up: mean|most|load down: mean|most\n"
    "{level}|{switches}|{faulty_switches}|{links_up}|{links_on}|{faulty_links_up}{faulty_links_on}|{load.mean:.3f}|"
    "{load.max:.3f}|{load_up.mean:.3f}|{load_up.max:.3f}|{load_down.mean:.3f}|{load_down.max:.3f}\n"
    "{/}{/}{/}{?_loads}\n"
    "  busiest links between switches, flits per cycle in cycles {load_from_cycle}-{_last_cycle}"
    "{?_busiest}{:}: none{/}\n"
    "{|_busiest}"
    "    |<|<|<|<|<\n"
    "{flits_per_cycle:.3f}|{switch}|{_tuple}|port {port:2d}|to {to_switch}|{_way}\n"
    "{/}{/}";

static json_t *names_json(const char *const *name, uint32_t count) {
  json_t *list = name ? json_array() : NULL;
  for (uint32_t i = 0; list && i < count; i++)
    json_array_append_new(list, ut_string(name[i]));
  return list;
}

static void print(const struct view *view, const struct net_options *options_) {
  const struct ut_topology *topo = view->network.topology;
  json_t *o = ut_scenario_result(view->scenario);
  UT_ADD(o, {"topology", topology_json(view)}, {"plane_bypass", ut_bypass_json(view->scenario)},
         {"switches", ut_int(topo->switches)}, {"_ports", ut_int(topo->po)}, {"terminals", ut_int(topo->terminals)},
         {"links", ut_int(topo->links)}, {"switch_names", names_json(topo->switch_label, topo->switches)},
         {"terminal_names", names_json(topo->terminal_label, topo->terminals)},
         {"at_cycle", ut_int_if(options_->at_given, options_->at)},
         {"faults", ut_outages_json(topo, view->outage, view->outages)},
         {"node_states", view->nodes.state ? states_json(view) : NULL});
  add_summaries(o, view);
  if (view->loads.load)
    add_loads(o, view, options_->scenario.json);
  ut_result_print(o, options_->scenario.json, 6, layout);
}

static int draw(const struct view *view, const struct net_options *options, struct ut_error *e) {
  const struct ut_topology *topo = view->network.topology;
  char caption[1024 + UT_BYPASS_SIZE], text[UT_OUTAGE_LINE_SIZE], name[UT_NETWORK_NAME_SIZE], bypass[UT_BYPASS_SIZE];
  size_t size = sizeof caption;
  const char *names = topo->switch_label  ? ""
                      : ut_levelled(topo) ? " (level.index <level,digits>)"
                                          : " (level.index and coordinates)";
  int end = snprintf(caption, size, "%s: %u switches%s, %u terminals", ut_scenario_network(view->scenario, name),
                     (unsigned)topo->switches, names, (unsigned)topo->terminals);
  if (view->scenario->routing.plane_bypass)
    end += snprintf(caption + end, size - (size_t)end, "\n%s; numbers are those of the network that is left",
                    ut_bypass_text(view->scenario, bypass));
  if (view->loads.load)
    end += snprintf(caption + end, size - (size_t)end, "\n%s at %.3g flits/cycle, loads of cycles %" PRIu64 "-%" PRIu64,
                    view->scenario->routing.algorithm, view->scenario->traffic.load_flits_per_cycle, view->loads.from,
                    view->loads.until - (view->loads.until > view->loads.from));
  for (size_t i = 0; i < view->outages && i < CAPTION_FAULTS; i++)
    end += snprintf(caption + end, size - (size_t)end, "\nfaulty: %s", ut_outage_line(topo, &view->outage[i], text));
  if (view->outages > CAPTION_FAULTS)
    snprintf(caption + end, size - (size_t)end, "\nand %zu more faults", view->outages - CAPTION_FAULTS);
  struct ut_drawing drawing = {.topology = topo,
                               .outage = view->outage,
                               .outages = view->outages,
                               .source = UINT32_MAX,
                               .destination = UINT32_MAX,
                               .end = UINT32_MAX,
                               .state = view->nodes.state,
                               .load = view->loads.load,
                               .caption = caption};
  return ut_drawing_svg(&drawing, options->svg, e);
}

/* ---- a file of the network */

static bool writes_to_output(const struct net_options *options) {
  return options->write && !strcmp(options->write, "-");
}

static int find_form(struct net_options *options, struct ut_error *e) {
  if (!options->write || options->form_given)
    return 0;
  if (writes_to_output(options))
    return ut_fail(e, UT_BAD_INPUT, "--write -: give --form, there is no ending that tells the form");
  return ut_graph_form_of(options->write, &options->form, e);
}

static int write_text(const struct ut_graph *graph, const struct net_options *options, struct ut_error *e) {
  struct ut_output output;
  if (writes_to_output(options))
    return ut_graph_write(graph, options->form, stdout, e); /* main() sees whether all of it was written */
  if (ut_output_open(&output, options->write, UT_OUTPUT_ANY, e))
    return -1;
  if (!ut_graph_write(graph, options->form, output.file, e))
    return ut_output_close(&output, e);
  ut_output_drop(&output);
  return -1;
}

static int write_network(const struct view *view, const struct net_options *options, struct ut_error *e) {
  struct ut_graph *graph = ut_topology_graph(view->scenario, view->network.topology, e);
  if (!graph)
    return -1;
  const int result = ut_graph_check_form(graph, options->form, e) || write_text(graph, options, e) ? -1 : 0;
  ut_graph_free(graph);
  return result;
}

static int show(struct view *view, const struct net_options *options) {
  struct ut_error e;
  const struct ut_network *net = &view->network;
  const uint64_t end = ut_network_planned(view->scenario) - 1;
  if ((options->svg && ut_drawing_check(net->topology, &e)))
    return ut_print_error(&e);
  if (!ut_outages_find(&net->faults, options->at_given ? options->at : 0, options->at_given ? options->at : end,
                       &view->outage, &view->outages)) {
    ut_fail(&e, UT_BAD_INPUT, "out of memory for the faults");
    return ut_print_error(&e);
  }
  if (find_states(view, &e))
    return ut_print_error(&e);
  if (options->loads && measure(view, &e))
    return ut_print_error(&e);
  /* first the files: if one cannot be written, nothing is */
  if (options->svg && !ut_interrupted && draw(view, options, &e))
    return ut_print_error(&e);
  if (options->write && !ut_interrupted && write_network(view, options, &e))
    return ut_print_error(&e);
  if (!writes_to_output(options))
    print(view, options);
  if (view->deadlock)
    ut_watchdog_print(&view->watchdog, stderr);
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted in cycle %" PRIu64 ": these are the loads so far\n", net->cycle);
  return view->deadlock ? UT_DEADLOCK : ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

int ut_cmd_net(int argc, char **argv) {
  struct net_options options = {0};
  struct view view = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_net, argc, argv, &options, &status))
    return status;
  if (find_form(&options, &e))
    return ut_print_error(&e);
  struct ut_scenario *scenario = ut_open_scenario(&options.scenario, &status);
  if (!scenario)
    return status;
  view.scenario = scenario;
  ut_catch_interrupt();
  if (options.at_given && options.at >= ut_network_planned(scenario)) {
    ut_fail(&e, UT_BAD_INPUT, "--at %" PRIu64 ": the run of %s has cycles 0 to %" PRIu64, options.at, scenario->path,
            ut_network_planned(scenario) - 1);
    status = ut_print_error(&e);
  } else if (ut_network_init(&view.network, scenario, NULL, &e)) {
    status = ut_print_error(&e);
  } else {
    ut_loads_window(&view.loads, &view.network, options.at_given ? &options.at : NULL);
    status = show(&view, &options);
    ut_network_fini(&view.network);
  }
  free(view.loads.load);
  free(view.outage);
  ut_node_model_free(&view.nodes);
  ut_watchdog_free(&view.watchdog);
  ut_scenario_free(scenario);
  return status;
}
